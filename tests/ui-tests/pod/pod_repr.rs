// Rule: the layout is fixed.
#[derive(Clone, Copy, flash::Pod)]
struct Cell {
    rho: f32,
}

fn main() {}
