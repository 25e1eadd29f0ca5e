// Rule: a reduction names its operation.
#[flash::kernel]
fn k(x: &[f32], #[reduce(-)] sum: &mut f32) {
    *sum += x[global_id(0)];
}

fn main() {}
