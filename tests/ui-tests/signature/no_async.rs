// Rule: a kernel is not `async`.
#[flash::kernel]
async fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
