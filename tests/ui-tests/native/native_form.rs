// Rule: a native implementation has a list of keys.
#[flash::kernel(unsafe(cuda = "k.cu"))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
