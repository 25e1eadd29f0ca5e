// Rule: an index has as many numbers as the array dimensions.
#[flash::kernel]
fn k(im: View<'_, f32, 2>, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = im[i];
}

fn main() {}
