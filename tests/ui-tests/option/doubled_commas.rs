// Rule: something stands before each comma, in the options and in what each of them lists.
#[flash::kernel(,)]
fn a(y: &mut [f32]) {}

#[flash::kernel(fast_math,, idempotent)]
fn b(y: &mut [f32]) {}

#[flash::kernel(, fast_math)]
fn c(y: &mut [f32]) {}

#[flash::kernel(fast_math, idempotent,,)]
fn d(y: &mut [f32]) {}

#[flash::kernel(group_by(,), sort_by(,))]
fn e(y: &mut [f32]) {}

#[flash::kernel(group_by(x,,), sort_by(x,, y))]
fn f(y: &mut [f32]) {}

#[flash::kernel(requires(,), searchable(,))]
fn g(y: &mut [f32]) {}

#[flash::kernel(searchable(exact,,), index_table(,), unsafe(cpu(path = "k.so")))]
fn h(y: &mut [f32]);

#[flash::kernel(index_table(items,, u64), unsafe(, cpu(path = "k.so",, entry = "h")))]
fn i(y: &mut [f32]);

#[flash::kernel(unsafe(opencl(file = "k.cl", block(,)), opencl(file = "k.cl", args(y,,))))]
fn j(y: &mut [f32]);

#[flash::kernel(T = [,])]
fn k<T>(y: &mut [T]) {}

#[flash::kernel(T = [f32,, f64])]
fn l<T>(#[reduce(,)] sum: &mut T, #[reduce(+,,)] all: &mut T) {}

fn main() {}
