// Rule: the type of state is named.
#[flash::host_task]
fn task(frame: &[f32], name: impl ToString) {}

fn main() {}
