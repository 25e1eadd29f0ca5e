// Rule: arguments of device functions have no roles.
#[flash::device]
fn weight(#[out] m: f32) -> f32 {
    m
}

fn main() {}
