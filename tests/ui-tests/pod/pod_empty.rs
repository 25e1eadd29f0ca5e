// Rule: there is a field.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Cell {}

fn main() {}
