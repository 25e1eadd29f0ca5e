// Padding between fields.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    id: u8,
    rho: f32,
}

fn main() {}
