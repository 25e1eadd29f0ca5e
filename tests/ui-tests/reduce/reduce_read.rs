// Rule: a reduction is not read in the launch.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32], #[reduce(+)] sum: &mut f32) {
    let i = global_id(0);
    *sum += x[i];
    y[i] = x[i] / *sum;
}

fn main() {}
