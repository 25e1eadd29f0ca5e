// Rule: fields are aligned.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C, packed)]
struct Cell {
    id: u8,
    rho: f32,
}

fn main() {}
