// Rule: `extent` takes a literal dimension of the array.
#[flash::kernel]
fn k(im: View<'_, f32, 2>, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = im.extent(2) as f32;
}

fn main() {}
