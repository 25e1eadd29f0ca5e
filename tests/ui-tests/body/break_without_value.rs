// Rule: `break` carries no value.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    loop {
        y[i] = x[i];
        break 1.0;
    }
}

fn main() {}
