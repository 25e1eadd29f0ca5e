// Rule: an option names a dimension of the declared rank.
#[flash::kernel(rank = 2, sort_by(x, z))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
