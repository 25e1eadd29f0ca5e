// Rule: arguments have different names.
#[flash::device]
fn weight(m: f32, m: f32) -> f32 {
    m
}

fn main() {}
