// Rule: atomic cells are read by `load`.
#[flash::kernel]
fn k(bins: &[Atomic<u32>], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = bins[i];
}

fn main() {}
