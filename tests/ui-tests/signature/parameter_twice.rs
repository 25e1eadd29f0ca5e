// Rule: parameters have different names.
#[flash::kernel]
fn k(a: f32, a: f32, y: &mut [f32]) {
    y[global_id(0)] = a;
}

fn main() {}
