// Rule: options of device functions are known.
#[flash::device(inputs = 1)]
fn weight(m: f32) -> f32 {
    m
}

fn main() {}
