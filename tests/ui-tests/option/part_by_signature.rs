// A function for `part_by` maps a block of items to what each array needs.
use std::ops::Range;

use flash::ArgRange;

fn of_one_range(items: Range<u64>) -> Vec<ArgRange> {
    vec![ArgRange::both(items)]
}

#[flash::kernel(part_by = of_one_range)]
fn k(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
