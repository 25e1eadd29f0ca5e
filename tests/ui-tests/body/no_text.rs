// Rule: there are no characters and strings.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let c = 'a';
    y[i] = x[i];
}

fn main() {}
