// Rule: a kernel has no result.
#[flash::kernel]
fn k(x: &[f32]) -> f32 {
    x[global_id(0)];
}

fn main() {}
