// Rule: functions of `flash::math` are known.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = math::sqtr(x[i]);
}

fn main() {}
