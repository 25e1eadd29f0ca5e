// An argument of a type that cannot live on a device.
struct Pair {
    a: f32,
}

#[flash::device]
fn first(p: Pair) -> f32 {
    p.a
}

fn main() {}
