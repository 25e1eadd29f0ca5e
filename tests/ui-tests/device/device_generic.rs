// Rule: a device function is not generic.
#[flash::device]
fn weight<T>(m: T) -> T {
    m
}

fn main() {}
