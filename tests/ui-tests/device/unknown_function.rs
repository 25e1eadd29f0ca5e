// A function that is not there.
#[flash::device]
fn weight(m: f32) -> f32 {
    2.0 * m
}

#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = wieght(x[i]);
}

fn main() {}
