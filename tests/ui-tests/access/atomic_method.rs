// Rule: operations of atomic cells are known.
#[flash::kernel]
fn k(x: &[u32], bins: &[Atomic<u32>]) {
    bins[x[global_id(0)] as usize].fetch_add(1, Ordering::Relaxed);
}

fn main() {}
