// Rule: `requires(..)` names a capability once.
#[flash::kernel(requires(f64, f64))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
