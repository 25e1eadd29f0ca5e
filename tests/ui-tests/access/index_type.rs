// Rule: indices and what they are compared with are `usize`.
#[flash::kernel]
fn k(n: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if i < n {
        y[i] = x[i];
    }
}

fn main() {}
