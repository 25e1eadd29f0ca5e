// Rule: a view is written `View<'_, T, D>`.
#[flash::kernel]
fn k(im: View<'_, f32, RANK>, y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
