// Rule: the body ends in the result.
#[flash::device]
fn weight(m: f32) -> f32 {
    let w = 2.0 * m;
}

fn main() {}
