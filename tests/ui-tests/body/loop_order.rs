// Rule: `.rev()` comes before `.step_by(k)`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for k in (0..9).step_by(2).rev() {
        s += x[k];
    }
    y[global_id(0)] = s;
}

fn main() {}
