// Rule: a device function has a body.
#[flash::device]
fn weight(m: f32) -> f32;

fn main() {}
