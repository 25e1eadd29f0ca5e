// A method of one's own is a device function.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].celsius();
}

fn main() {}
