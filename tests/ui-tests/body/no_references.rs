// Rule: there are no references in a body.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let a = 1.0;
    let b = &a;
    y[i] = x[i];
}

fn main() {}
