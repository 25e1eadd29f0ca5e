// Rule: parameters have different names.
#[flash::host_task]
fn task(frame: &[f32], frame: &[f32]) {}

fn main() {}
