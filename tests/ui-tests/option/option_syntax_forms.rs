// Rule: options are `key`, `key = value` or `key(list)`, with commas between, each wrong at its token.
#[flash::kernel("fast_math")]
fn a(y: &mut [f32]) {}

#[flash::kernel(fast_math, (x), 3 = inputs)]
fn b(y: &mut [f32]) {}

#[flash::kernel(part_by =)]
fn c(y: &mut [f32]) {}

#[flash::kernel(inputs =, rank = 1)]
fn d(y: &mut [f32]) {}

#[flash::kernel(sort_by(x) group_by(y))]
fn e(y: &mut [f32]) {}

#[flash::kernel(sort_by[x], group_by: y)]
fn f(y: &mut [f32]) {}

#[flash::kernel(unsafe(cpu(path =)))]
fn g(y: &mut [f32]);

fn main() {}
