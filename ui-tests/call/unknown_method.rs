// Rule: methods are functions of `flash::math`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].cosine();
    y[i] = (0..4).sum();
    y[i] = x[i].celsius();
}

fn main() {}
