// Rule: a parameter is one name.
#[flash::kernel]
fn k((a, b): (f32, f32), y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
