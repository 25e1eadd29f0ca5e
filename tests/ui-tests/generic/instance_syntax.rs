// Rule: an instance is a type, or a constant expression.
#[flash::kernel(T = [f32, 64])]
fn k<T>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
