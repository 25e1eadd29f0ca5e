// Rule: scalars have 8 to 64 bits.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let big = 1_u128;
    y[i] = x[i];
}

fn main() {}
