// Rule: no field is a reference.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
    next: &'static f32,
}

fn main() {}
