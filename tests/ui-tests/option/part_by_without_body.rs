// Rule: `part_by` without a function reads a body.
#[flash::kernel(inputs = 1, part_by, unsafe(cpu(path = "blur.so")))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
