// Rule: `phase` and `partition` take no arguments.
#[flash::kernel]
fn k(y: &mut [usize]) {
    let i = global_id(0);
    y[i] = phase(0);
}

fn main() {}
