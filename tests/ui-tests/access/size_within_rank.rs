// Rule: `global_size` takes a dimension of the space.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] / global_size(1) as f32;
}

fn main() {}
