// Rule: there are no closures.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let twice = |v: f32| 2.0 * v;
    y[i] = twice(x[i]);
}

fn main() {}
