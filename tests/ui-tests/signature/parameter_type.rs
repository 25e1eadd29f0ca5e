// Rule: the type of a parameter has a form that binds.
#[flash::kernel]
fn k(f: fn(f32) -> f32, y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
