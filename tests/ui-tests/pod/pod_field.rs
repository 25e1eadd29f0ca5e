// Rule: fields are numbers, arrays or structures.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: (f32, f32),
}

fn main() {}
