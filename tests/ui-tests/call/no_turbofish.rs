// Rule: there are no explicit generic arguments.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = weight::<f32>(x[i]);
}

fn main() {}
