// Rule: an instance is listed once.
#[flash::kernel(N = [8, 16, 8])]
fn k<const N: usize>(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[N];
}

fn main() {}
