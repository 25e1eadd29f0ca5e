// A vector where a slice is due.
#[flash::kernel]
fn double(x: &mut Vec<f32>) {
    let i = global_id(0);
    x[i] = 2.0 * x[i];
}

fn main() {}
