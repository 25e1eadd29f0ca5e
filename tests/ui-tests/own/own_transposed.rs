// Rule: the ids have the same order at every access.
#[flash::kernel]
fn k(im: View<'_, f32, 2>, out: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    out[[j, i]] = im[[j, i]];
    out[[i, j]] = im[[j, i]];
}

fn main() {}
