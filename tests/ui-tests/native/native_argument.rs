// Rule: `args(..)` names parameters and lengths of arrays.
#[flash::kernel(unsafe(cuda(file = "k.cu", args(y, n = z.len()))))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
