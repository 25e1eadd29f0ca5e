// Rule: `portable` is said of a body.
#[flash::kernel(inputs = 1, portable, unsafe(cpu(path = "blur.so")))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
