// Rule: a declared rank is 1 to 8.
#[flash::kernel(rank = 9)]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
