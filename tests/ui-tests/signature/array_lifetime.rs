// Rule: arrays have no lifetime of their own.
#[flash::kernel]
fn k(im: View<'static, f32, 2>, y: &mut [f32]) {
    y[global_id(0)] = im[[0, 0]];
}

fn main() {}
