// Functions of complex numbers are of those of `num_complex`.
#[derive(Clone, Copy, flash::Pod)]
#[repr(C)]
struct Pair {
    re: f32,
    im: f32,
}

impl Pair {
    fn new(re: f32, im: f32) -> Self {
        Self { re, im }
    }
}

#[flash::kernel]
fn made(#[out] y: &mut [Pair]) {
    let i = global_id(0);
    y[i] = Pair::new(1.0, 2.0);
}

#[flash::kernel]
fn turned(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].conj();
}

fn main() {}
