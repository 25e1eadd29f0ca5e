// Rule: native code comes from one place.
#[flash::kernel(unsafe(opencl(entry = "k")))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
