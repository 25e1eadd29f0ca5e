// Rule: what `when` names is a `bool`.
#[flash::kernel(when = go)]
fn k(go: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
