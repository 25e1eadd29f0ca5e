// Rule: methods are functions of `flash::math`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].cosine();
}

fn main() {}
