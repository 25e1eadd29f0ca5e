// A function for `part_by` is there.
#[flash::kernel(part_by = nowhere)]
fn k(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
