//! Names that expansions must not pick up from the scope they stand in.
#![allow(dead_code, non_camel_case_types, unused_imports, unused_macros, reason = "in the way")]

struct Option;
struct Some;
struct None;
struct Vec;
struct Result;
struct Ok;
struct Err;
struct Box;
struct String;
struct Default;
struct Clone;
struct Copy;
struct Sized;
struct Send;
struct Arg;
struct Call;
struct View;
struct ViewMut;
struct Buffer;
struct Ty;
struct Args;
struct Block;
mod core {}
mod std {}
mod alloc {}
mod u32 {}
mod f32 {}
mod usize {}
mod rt {}
mod ir {}
mod math {}
macro_rules! assert {
    ($($t:tt)*) => {
        compile_error!("the macro of the scope")
    };
}
macro_rules! panic {
    ($($t:tt)*) => {
        compile_error!("the macro of the scope")
    };
}
macro_rules! vec {
    ($($t:tt)*) => {
        compile_error!("the macro of the scope")
    };
}
fn from(_: ()) {}
fn run(_: ()) {}
fn drop(_: ()) {}

#[flash::kernel(inputs = 2)]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

#[flash::kernel(T = [f32, f64], N = [2, 4])]
fn generic<T, const N: usize>(x: &[T], #[out] y: &mut [T]) {
    let i = global_id(0);
    let mut s = x[i];
    for _ in 1..N {
        s += x[i];
    }
    y[i] = s;
}

#[flash::kernel]
fn stencil(im: flash::View<'_, f32, 2>, #[out(partial)] out: flash::ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (h, w) = (im.extent(0), im.extent(1));
    if j > 0 && j + 1 < h && i > 0 && i + 1 < w {
        out[[j, i]] = im[[j - 1, i]] + im[[j + 1, i]] + twice(im[[j, i]]);
    }
}

#[flash::kernel]
fn sum(x: &[f64], #[reduce(+)] s: &mut f64, #[reduce(max)] m: &mut f64) {
    let i = global_id(0);
    *s += x[i];
    *m = m.max(x[i]);
}

#[flash::kernel]
fn histogram(x: &[u8], bins: &[flash::Atomic<u32>]) {
    bins[x[global_id(0)] as usize].fetch_add(1);
}

#[flash::kernel]
fn scatter(ix: &[u32], x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    unsafe { y[ix[i] as usize] = x[i] };
}

struct Order;
struct Group;
struct Parts;
const LAST: flash::__private::core::primitive::usize = 1;

fn halves(items: &[::std::ops::Range<u64>]) -> ::std::vec::Vec<flash::ArgRange> {
    let whole = flash::ArgRange::whole;
    ::std::vec::Vec::from([whole(), flash::ArgRange::write(items[0].clone())])
}

#[flash::kernel(sort_by(2), group_by(1), group_by(y, LAST), part_by = halves)]
fn ordered(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] + phase() as f32;
}

#[flash::device]
fn twice(x: f32) -> f32 {
    2.0 * x
}

#[derive(::core::clone::Clone, ::core::marker::Copy, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
    id: i32,
}

#[flash::kernel]
fn cells(c: &mut [Cell]) {
    let i = global_id(0);
    c[i].rho = c[i].rho + c[i].id as f32;
}

#[flash::host_task]
fn look(frame: &[f32], seen: &::std::sync::Mutex<::std::vec::Vec<f32>>) {
    seen.lock().unwrap().extend_from_slice(frame);
}

pub(crate) fn run_all() {
    let rt = flash::Runtime::new().unwrap();
    let x = flash::Buffer::from(::std::vec::Vec::from([1.0_f32; 8]));
    let mut y = flash::Buffer::from(::std::vec::Vec::from([2.0_f32; 8]));
    rt.submit(saxpy(3.0, &x, &mut y)).exec([8]).unwrap();
    ::core::assert_eq!(y.get(7).unwrap(), 5.0);
    let seen = ::std::sync::Mutex::new(::std::vec::Vec::new());
    let mut p = flash::flash_pipeline! { in rt;
        for step in 0..2 { saxpy(step as f32, &x, &mut y)[8]; look(&y, &seen); }
    };
    p.exec().unwrap();
    ::core::mem::drop(p);
    ::core::assert_eq!(seen.into_inner().unwrap()[15], 6.0);
}
