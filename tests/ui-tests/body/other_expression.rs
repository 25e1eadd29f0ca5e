// Rule: everything else that is Rust but not the kernel language.
#[flash::kernel]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = const { 1.0 };
}

fn main() {}
