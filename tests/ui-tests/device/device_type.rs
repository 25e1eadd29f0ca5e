// Rule: arguments and results are values.
#[flash::device]
fn first(x: &[f32]) -> f32 {
    1.0
}

fn main() {}
