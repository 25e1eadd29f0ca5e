// Rule: an option is written in its form, whichever it is.
#[flash::kernel(idempotent(twice), deterministic = false, rank = "2", requires = f64, when(), inputs())]
fn l(go: bool, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
