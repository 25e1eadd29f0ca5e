// Rule: loops and jumps are statements.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let a = loop {
        break;
    };
    y[i] = x[i];
}

fn main() {}
