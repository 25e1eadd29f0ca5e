// Rule: the structure is not generic.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell<T> {
    rho: T,
}

fn main() {}
