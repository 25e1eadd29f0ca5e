// Rule: no field is `char`.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
    name: char,
}

fn main() {}
