// Rule: a view lives for one run.
use flash::View;

#[flash::host_task]
fn task(frame: View<'static, f32, 2>) {}

fn main() {}
