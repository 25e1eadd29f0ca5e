// Rule: a host task has a body.
#[flash::host_task]
fn task(frame: &[f32]);

fn main() {}
