// Rule: a parameter is not `mut`.
#[flash::kernel]
fn k(mut a: f32, y: &mut [f32]) {
    y[global_id(0)] = a;
}

fn main() {}
