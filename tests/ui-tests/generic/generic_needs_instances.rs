// Rule: every generic parameter has a list of instances.
#[flash::kernel]
fn k<T>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
