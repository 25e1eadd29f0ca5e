// Rule: a list of instances is not empty.
#[flash::kernel(T = [])]
fn k<T>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
