// Rule: `unsafe(..)` holds native implementations.
#[flash::kernel(unsafe)]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
