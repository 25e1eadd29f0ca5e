// Rule: what is assigned is `mut`.
#[flash::kernel]
fn k(a: flash::View<'_, f32, 2>, y: &mut [f32]) {
    let i = global_id(0);
    let s = 0.0;
    for j in 0..a.extent(1) {
        s += a[[i, j]];
    }
    y[i] = s;
}

fn main() {}
