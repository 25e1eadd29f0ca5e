// Rule: casts go to scalar types.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] as _;
}

fn main() {}
