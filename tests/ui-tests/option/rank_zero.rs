// Rule: a declared rank is 1 to 254.
#[flash::kernel(rank = 0)]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
