// Rule: atomic cells are changed by methods.
#[flash::kernel]
fn k(x: &[u32], bins: &[Atomic<u32>]) {
    bins[x[global_id(0)] as usize] += 1;
}

fn main() {}
