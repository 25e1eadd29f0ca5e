// Functions that are not marked, by name, by path and with a type parameter.
fn weight(m: f32) -> f32 {
    2.0 * m
}

fn square<T: std::ops::Mul<Output = T> + Copy>(x: T) -> T {
    x * x
}

#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = weight(x[i]);
    y[i] = crate::weight(x[i]);
    y[i] = square(x[i]);
}

fn main() {}
