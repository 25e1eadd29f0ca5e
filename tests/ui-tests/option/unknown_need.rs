// Rule: `requires(..)` names known capabilities.
#[flash::kernel(requires(f64, atomic))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
