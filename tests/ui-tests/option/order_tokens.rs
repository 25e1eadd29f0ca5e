// What stands in the options of the index space, each wrong at its token.
#[flash::kernel(sort_by(w))]
fn a(y: &mut [f32]) {}

#[flash::kernel(sort_by(x, Y), group_by("x"), group_by(y.z))]
fn b(y: &mut [f32]) {}

#[flash::kernel(group_by(0), group_by(0, 1), sort_by(1.5, x,, y))]
fn c(y: &mut [f32]) {}

#[flash::kernel(group_by(), part_by())]
fn d(y: &mut [f32]) {}

#[flash::kernel(group_by = x, part_by = "f")]
fn e(y: &mut [f32]) {}

#[flash::kernel(part_by = f(), searchable())]
fn f(y: &mut [f32]) {}

#[flash::kernel(part_by = #[cold] f, searchable = exact)]
fn g(y: &mut [f32]) {}

#[flash::kernel(searchable(exact, fuzzy), sort_by(x), sort_by(y))]
fn h(y: &mut [f32]) {}

#[flash::kernel(searchable(exact), searchable(exact), part_by, part_by = f)]
fn i(y: &mut [f32]) {}

#[flash::kernel(sort_by(99999999999999999999), group_by(x, 1;))]
fn j(y: &mut [f32]) {}

#[flash::kernel(rank = 1, group_by(y, 3), sort_by(y, x, y))]
fn k(y: &mut [f32]);

fn main() {}
