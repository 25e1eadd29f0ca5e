// A field whose type is not `Pod`.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    time: std::time::Duration,
}

fn main() {}
