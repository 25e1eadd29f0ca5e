// Rule: with `inputs = n`, `IO` comes before `OUT`.
#[flash::kernel(inputs = 1)]
fn k(x: &[f32], #[out] y: &mut [f32], z: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
    z[i] += x[i];
}

fn main() {}
