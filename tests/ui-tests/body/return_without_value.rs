// Rule: a kernel returns no value.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if x[i] < 0.0 {
        return x[i];
    }
    y[i] = x[i];
}

fn main() {}
