// Rule: a variable of native code is filled once.
#[flash::kernel(unsafe(cuda(file = "k.cu", globals(weights = w, weights = v))))]
fn k(w: &[f32], v: &[f32], #[out] y: &mut [f32]);

fn main() {}
