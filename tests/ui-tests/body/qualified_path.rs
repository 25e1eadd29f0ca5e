// Rule: there are no qualified paths.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] + <f32 as Default>::ONE;
}

fn main() {}
