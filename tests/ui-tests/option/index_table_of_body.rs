// Rule: `index_table` is for kernels without a body.
#[flash::kernel(index_table(items))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
