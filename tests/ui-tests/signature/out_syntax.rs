// Rule: an output is `#[out]` or `#[out(partial)]`.
#[flash::kernel]
fn k(x: &[f32], #[out(part)] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
