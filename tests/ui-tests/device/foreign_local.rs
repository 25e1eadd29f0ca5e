// A local of a type that cannot live on a device.
struct Pair {
    a: f32,
}

#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let p = Pair { a: x[i] };
    y[i] = p.a;
}

fn main() {}
