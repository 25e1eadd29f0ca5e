// Rule: a key of a native implementation is given once.
#[flash::kernel(unsafe(cuda(file = "k.cu", entry = "a", entry = "b")))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
