// Rule: atomic cells are shared.
#[flash::kernel]
fn k(x: &[u32], bins: &mut [Atomic<u32>]) {
    bins[x[global_id(0)] as usize].fetch_add(1);
}

fn main() {}
