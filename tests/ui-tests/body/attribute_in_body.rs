// Rule: there are no attributes in a body.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    #[cfg(debug_assertions)]
    let i = i;
    y[i] = x[i];
}

fn main() {}
