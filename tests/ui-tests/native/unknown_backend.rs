// Rule: the kind of native code is known.
#[flash::kernel(unsafe(metal(file = "k.metal")))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
