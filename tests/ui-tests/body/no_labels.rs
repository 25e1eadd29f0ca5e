// Rule: loops have no labels.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    'rows: for k in 0..4 {
        y[i] = x[k];
    }
}

fn main() {}
