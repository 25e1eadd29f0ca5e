// Rule: every key of a native implementation is known.
#[flash::kernel(unsafe(cuda(file = "k.cu", blocks(16, 16))))]
fn k(x: &[f32], #[out] y: &mut [f32]);

#[flash::kernel(unsafe(cuda(sauce = "extern \"C\" __global__ void k(float *y) {}")))]
fn l(#[out] y: &mut [f32]);

fn main() {}
