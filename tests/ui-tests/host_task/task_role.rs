// Rule: roles in host tasks are those of outputs.
#[flash::host_task]
fn task(#[out] frame: &[f32]) {}

fn main() {}
