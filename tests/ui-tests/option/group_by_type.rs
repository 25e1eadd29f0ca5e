// The value of a `group_by` is a `usize` that is known when the kernel is compiled.
const STAGE: f32 = 1.0;

#[flash::kernel(group_by(2, STAGE), group_by(2, -1))]
fn k(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
