// Padding at the end.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f64,
    id: u32,
}

fn main() {}
