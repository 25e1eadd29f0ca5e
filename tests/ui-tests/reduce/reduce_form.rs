// Rule: a reduction is a `&mut T`.
#[flash::kernel]
fn k(x: &[f32], #[reduce(+)] sum: &mut [f32]) {
    sum[global_id(0)] = x[global_id(0)];
}

fn main() {}
