// A structure of size zero.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    none: [f32; 0],
}

fn main() {}
