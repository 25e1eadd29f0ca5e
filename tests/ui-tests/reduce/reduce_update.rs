// Rule: a reduction is updated by its operation.
#[flash::kernel]
fn k(x: &[f32], #[reduce(max)] peak: &mut f32) {
    *peak += x[global_id(0)];
}

fn main() {}
