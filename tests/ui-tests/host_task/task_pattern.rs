// Rule: a parameter of a host task is one name.
#[flash::host_task]
fn task((a, b): (f32, f32), frame: &[f32]) {}

fn main() {}
