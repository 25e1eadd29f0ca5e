// Rule: the value of a key has its type.
#[flash::kernel(unsafe(cuda(file = "k.cu", block(0, 16))))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
