// Rule: the offset of an own place does not depend on the phase.
#[flash::kernel]
fn k(n: usize, y: &mut [f32]) {
    let i = global_id(0);
    let first = n * phase();
    y[i + first] = 1.0;
}

fn main() {}
