// Rule: `globals(..)` fills variables with parameters and lengths of arrays.
#[flash::kernel(unsafe(cuda(file = "k.cu", globals(weights))))]
fn k(weights: &[f32], #[out] y: &mut [f32]);

fn main() {}
