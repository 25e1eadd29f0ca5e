// Rule: `bool` is not an element.
#[flash::kernel]
fn k(mask: &[bool], y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
