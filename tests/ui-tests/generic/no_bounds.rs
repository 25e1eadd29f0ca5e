// Rule: generic parameters have no bounds.
#[flash::kernel(T = [f32, f64])]
fn k<T: Copy>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
