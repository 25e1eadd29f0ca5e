// Rule: `when` names a parameter.
#[flash::kernel(when = goes)]
fn k(go: bool, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
