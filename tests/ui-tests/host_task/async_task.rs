// A host task that is `async`.
#[flash::host_task]
async fn count(frame: &[f32]) {}

fn main() {}
