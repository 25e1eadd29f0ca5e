// Rule: the length of a scratch array does not depend on the phase.
#[flash::kernel]
fn k(#[scratch(4 * partition())] t: &mut [f32], y: &mut [f32]) {
    let i = global_id(0);
    t[i] = y[i];
    y[i] = t[i];
}

fn main() {}
