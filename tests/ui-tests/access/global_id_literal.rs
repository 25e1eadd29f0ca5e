// Rule: `global_id` takes a literal dimension.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    for d in 0..2 {
        y[global_id(d)] = x[d];
    }
}

fn main() {}
