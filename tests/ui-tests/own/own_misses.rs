// Rule: the index of a written array has every id of the kernel.
#[flash::kernel]
fn k(im: View<'_, f32, 2>, sums: &mut [f32]) {
    let (j, i) = (global_id(1), global_id(0));
    sums[j] = im[[j, i]];
}

fn main() {}
