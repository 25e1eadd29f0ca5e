// Rule: a declared rank has every `global_id` of the body.
#[flash::kernel(rank = 1)]
fn k(x: View<'_, f32, 2>, y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = x[[j, i]];
}

fn main() {}
