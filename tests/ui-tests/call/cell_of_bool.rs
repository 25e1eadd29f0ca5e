// Rule: a `Var<bool>` is a reduction of `bool`, not an array of numbers.
use flash::prelude::*;

#[flash::kernel]
fn k(flag: &mut [u8]) {
    flag[global_id(0)] = 2;
}

fn main() {
    let mut flag = Var::new(false);
    let _ = k(&mut flag);
}
