// Rule: options of host tasks are known.
#[flash::host_task(inputs = 1)]
fn task(frame: &[f32]) {}

fn main() {}
