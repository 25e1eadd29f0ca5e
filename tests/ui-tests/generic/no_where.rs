// Rule: there is no `where` clause.
#[flash::kernel(T = [f32])]
fn k<T>(x: &[T], y: &mut [T])
where
    T: Copy,
{
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
