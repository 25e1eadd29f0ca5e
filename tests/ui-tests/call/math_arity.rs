// Rule: functions of `flash::math` get all their arguments.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = math::max(x[i]);
}

fn main() {}
