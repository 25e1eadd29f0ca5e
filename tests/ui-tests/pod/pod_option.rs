// Rule: the only option is `crate = path`.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
#[flash(rename = "c")]
struct Cell {
    rho: f32,
}

fn main() {}
