// Rule: an element is a number or a structure.
#[flash::kernel]
fn k(x: &[&[f32]], y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
