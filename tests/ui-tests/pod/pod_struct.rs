// Rule: `Pod` is derived for structures.
#[derive(Clone, Copy, flash::Pod)]
#[repr(u8)]
enum Kind {
    Fluid,
    Wall,
}

fn main() {}
