// Rule: `deterministic` excludes float atomics.
#[flash::kernel(deterministic)]
fn k(x: &[f32], sum: &[Atomic<f32>]) {
    sum[0].fetch_add(x[global_id(0)]);
}

fn main() {}
