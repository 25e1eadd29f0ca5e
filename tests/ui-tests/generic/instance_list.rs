// Rule: instances are a list in brackets.
#[flash::kernel(T = f32)]
fn k<T>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
