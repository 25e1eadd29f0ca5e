// Rule: there is no `match`.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = match i % 2 {
        0 => x[i],
        _ => 0.0,
    };
}

fn main() {}
