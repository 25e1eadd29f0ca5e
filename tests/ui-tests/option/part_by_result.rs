// A function for `part_by` gives what each array needs, and has no parameters of types.
use std::ops::Range;

use flash::ArgRange;

fn of_one_array(items: &[Range<u64>]) -> ArgRange {
    ArgRange::both(items[0].clone())
}

fn of_any<T>(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::both(items[0].clone())]
}

const NOT_A_FUNCTION: usize = 3;

#[flash::kernel(part_by = of_one_array)]
fn a(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[flash::kernel(part_by = of_any)]
fn b(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[flash::kernel(part_by = NOT_A_FUNCTION)]
fn c(y: &mut [f32]);

fn main() {}
