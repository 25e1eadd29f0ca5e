// Rule: `break` and `continue` stand in loops.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if x[i] < 0.0 {
        break;
    }
    y[i] = x[i];
}

fn main() {}
