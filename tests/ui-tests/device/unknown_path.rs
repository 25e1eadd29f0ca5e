// A function that is not in the module it is looked for in.
mod parts {
    #[flash::device]
    pub fn weight(m: f32) -> f32 {
        2.0 * m
    }
}

#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = parts::wieght(x[i]);
}

fn main() {}
