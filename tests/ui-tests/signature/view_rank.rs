// Rule: a view has rank 1 to 4.
#[flash::kernel]
fn k(im: View<'_, f32, 5>, y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
