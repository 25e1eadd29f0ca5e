// Rule: a loop counts with one name.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    for (a, b) in 0..4 {
        y[i] = x[i];
    }
}

fn main() {}
