// Rule: a host task names no lifetimes.
#[flash::host_task]
fn task<'f>(frame: &'f [f32]) {}

fn main() {}
