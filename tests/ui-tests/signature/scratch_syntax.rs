// Rule: a scratch array has a length.
#[flash::kernel]
fn k(x: &[f32], #[scratch] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
