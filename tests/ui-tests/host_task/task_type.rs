// Rule: a parameter of a host task has a type.
#[flash::host_task]
fn task(frame: &[f32], name: _) {}

fn main() {}
