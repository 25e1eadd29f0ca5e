// A table of indices is asked for in its form.
#[flash::kernel(index_table = items, unsafe(cpu(path = "k.so")))]
fn a(y: &mut [f32]);

#[flash::kernel(index_table(), unsafe(cpu(path = "k.so")))]
fn b(y: &mut [f32]);

#[flash::kernel(index_table(items, dimensions), unsafe(cpu(path = "k.so")))]
fn c(y: &mut [f32]);

#[flash::kernel(index_table(u16), unsafe(cpu(path = "k.so")))]
fn d(y: &mut [f32]);

#[flash::kernel(index_table(u32, u32), unsafe(cpu(path = "k.so")))]
fn e(y: &mut [f32]);

#[flash::kernel(index_table, index_table(items), unsafe(cpu(path = "k.so")))]
fn f(y: &mut [f32]);

fn main() {}
