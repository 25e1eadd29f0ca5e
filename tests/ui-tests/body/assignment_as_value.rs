// Rule: an assignment is a statement.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let a = (y[i] = x[i]);
}

fn main() {}
