// Options of the index space are written in their forms.
#[flash::kernel(sort_by)]
fn a(y: &mut [f32]) {}

#[flash::kernel(sort_by())]
fn b(y: &mut [f32]) {}

#[flash::kernel(sort_by = x)]
fn c(y: &mut [f32]) {}

#[flash::kernel(group_by)]
fn d(y: &mut [f32]) {}

#[flash::kernel(group_by(x, 1, 2))]
fn e(y: &mut [f32]) {}

#[flash::kernel(part_by(f))]
fn f(y: &mut [f32]) {}

#[flash::kernel(part_by = |items| Vec::new())]
fn g(y: &mut [f32]) {}

#[flash::kernel(searchable)]
fn h(y: &mut [f32]) {}

#[flash::kernel(searchable(nearly))]
fn i(y: &mut [f32]) {}

#[flash::kernel(group_by(x + 1), sort_by(-1, global_id(0)))]
fn j(y: &mut [f32]) {}

#[flash::kernel(searchable(exact), part_by)]
fn k(y: &mut [f32]);

fn main() {}
