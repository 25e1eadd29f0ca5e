// Rule: native code is declared in `unsafe(..)`.
#[flash::kernel(cuda(file = "k.cu"))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
