// Rule: `searchable` is reserved.
#[flash::kernel(searchable(exact))]
fn k(x: &[f32], #[out] y: &mut [f32]);

fn main() {}
