// Rule: no field is `bool`.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
    wall: bool,
}

fn main() {}
