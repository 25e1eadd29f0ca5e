// A structure that is not `Copy`.
#[derive(flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
}

fn main() {}
