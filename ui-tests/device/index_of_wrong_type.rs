// An index that is no `usize`.
#[flash::kernel]
fn k(n: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[n];
}

fn main() {}
