// An argument of a type that cannot live on a device.
struct Couple {
    a: f32,
}

#[flash::device]
fn first(p: Couple) -> f32 {
    p.a
}

fn main() {}
