// Iterators are not in the language.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = (0..4).sum();
}

fn main() {}
