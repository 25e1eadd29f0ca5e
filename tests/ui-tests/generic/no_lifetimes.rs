// Rule: kernels have no lifetimes.
#[flash::kernel]
fn k<'b>(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
