// Rule: the length of a scratch array is uniform.
#[flash::kernel]
fn k(x: &[f32], #[scratch(global_id(0) + 1)] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
