// Rule: associated functions are those of `flash::math`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = f32::from(x[i]);
}

fn main() {}
