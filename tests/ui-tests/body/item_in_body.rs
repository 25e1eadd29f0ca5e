// Rule: there are no items in a body.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    const HALF: f32 = 0.5;
    let i = global_id(0);
    y[i] = HALF * x[i];
}

fn main() {}
