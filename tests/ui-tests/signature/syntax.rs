// Rule: the item is a function that can be read.
#[flash::kernel]
struct Saxpy;

fn main() {}
