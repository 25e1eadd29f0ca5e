// Rule: a variable of native code is filled with what is only read.
#[flash::kernel(unsafe(cuda(file = "k.cu", globals(state = y))))]
fn k(x: &[f32], y: &mut [f32]);

fn main() {}
