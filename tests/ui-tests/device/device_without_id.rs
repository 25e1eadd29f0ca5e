// Rule: device functions know no ids.
#[flash::device]
fn weight(m: f32) -> f32 {
    m * global_id(0) as f32
}

fn main() {}
