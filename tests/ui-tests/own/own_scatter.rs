// Rule: a written array is not written at a computed place.
#[flash::kernel]
fn k(ix: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[ix[i] as usize] = x[i];
}

fn main() {}
