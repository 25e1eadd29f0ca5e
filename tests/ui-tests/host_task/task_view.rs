// Rule: a view of a host task has a literal rank.
use flash::View;

#[flash::host_task]
fn task(frame: View<'_, f32, RANK>) {}

fn main() {}
