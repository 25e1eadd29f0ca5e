// Rule: no field is a pointer.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
    next: *const f32,
}

fn main() {}
