// A value is returned.
#[flash::host_task]
fn count(frame: &[f32]) -> usize {
    frame.len()
}

fn main() {}
