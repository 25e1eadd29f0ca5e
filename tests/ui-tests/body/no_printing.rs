// A kernel does not print.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    println!("{i}");
    y[i] = x[i];
}

fn main() {}
