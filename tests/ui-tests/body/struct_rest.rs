// Rule: structure literals name every field.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let p = Pair { a: x[i], ..ZERO };
    y[i] = p.a;
}

fn main() {}
