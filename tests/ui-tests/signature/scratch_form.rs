// Rule: a scratch array is a written slice.
#[flash::kernel]
fn k(x: &[f32], #[scratch(x.len())] y: ViewMut<'_, f32, 1>) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
