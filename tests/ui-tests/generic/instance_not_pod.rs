// An instance for a type that no device has.
#[flash::kernel(T = [f32, String])]
fn copy<T>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
