// Rule: single values are passed by value.
#[flash::kernel]
fn k(a: &f32, y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
