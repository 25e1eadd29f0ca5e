// Rule: small arrays have elements.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let none = [x[i]; 0];
    let nothing = [];
    y[i] = x[i];
}

fn main() {}
