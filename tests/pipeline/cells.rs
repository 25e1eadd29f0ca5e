//! Cells that kernels and host tasks write, on every device: of every scalar type, `bool` too; used
//! as predicate, bound, space and argument by what follows.

use flash::prelude::*;
use flash_rt::cond::Span;

use crate::{counted, mix, mixed, on_each_device};

/// Whether any element is above `limit`, and whether all are.
#[flash::kernel]
fn above(limit: u64, x: &[u64], #[reduce(|)] any: &mut bool, #[reduce(&)] all: &mut bool) {
    let is_above = x[global_id(0)] > limit;
    *any |= is_above;
    *all &= is_above;
}

/// Whether the number of elements above `limit` is odd, and what was there is not.
#[flash::kernel]
fn odd(limit: u64, x: &[u64], #[reduce(^, into)] odd: &mut bool) {
    *odd ^= x[global_id(0)] > limit;
}

#[flash::kernel]
fn choose(first: bool, a: u64, b: u64, x: &mut [u64]) {
    x[global_id(0)] = if first { a } else { b };
}

#[flash::kernel(T = [i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64])]
fn put<T>(value: T, cell: &mut [T]) {
    cell[global_id(0)] = value;
}

#[flash::kernel(T = [i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64])]
fn largest<T>(x: &[T], #[reduce(max, into)] all: &mut T, #[reduce(max)] most: &mut T) {
    let value = x[global_id(0)];
    *all = all.max(value);
    *most = most.max(value);
}

#[flash::host_task]
fn flip(go: &mut bool) {
    *go = !*go;
}

#[test]
fn a_kernel_writes_a_decision() {
    on_each_device(|rt| {
        for limit in [0_u64, 5, 100] {
            let x = Buffer::from(counted(10_000));
            let (mut any, mut all) = (Var::new(false), Var::new(true));
            let mut parity = Var::new(true);
            let report = rt.submit(above(limit, &x, &mut any, &mut all)).exec([100]).unwrap();
            let is_above: Vec<bool> = (1..=100).map(|v| v > limit).collect();
            assert_eq!(any.get().unwrap(), is_above.contains(&true));
            assert_eq!(report.value(&all).unwrap(), !is_above.contains(&false));
            rt.submit(odd(limit, &x, &mut parity)).exec([10_000]).unwrap();
            let n = (1..=10_000).filter(|v| *v > limit).count();
            assert_eq!(parity.get().unwrap(), n % 2 == 0, "limit {limit}");
        }
    });
}

#[test]
fn a_decision_is_a_predicate_and_an_argument_of_what_follows() {
    on_each_device(|rt| {
        for limit in [5, 100] {
            let (x, mut y) = (Buffer::from(counted(10)), Buffer::from(counted(4)));
            let mut chosen = Buffer::from(counted(2));
            let (mut any, mut all) = (Var::new(false), Var::new(false));
            let mut p = flash_pipeline! { in rt;
                above(limit, &x, &mut any, &mut all)[10];
                if &any {
                    mix(3, 1, &mut y)[4];
                } else {
                    mix(5, 2, &mut y)[4];
                }
                choose(&any, 7, 9, &mut chosen)[2];
            };
            p.exec().unwrap();
            let (a, b) = if limit < 10 { (3, 1) } else { (5, 2) };
            let wanted: Vec<u64> = counted(4).into_iter().map(|v| mixed(v, a, b)).collect();
            assert_eq!(y.to_vec().unwrap(), wanted);
            assert_eq!(chosen.to_vec().unwrap(), [if limit < 10 { 7 } else { 9 }; 2]);
        }
    });
}

/// `while` a kernel says so.
#[test]
fn a_kernel_decides_how_long_a_loop_goes_on() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(8));
        let (mut any, mut all) = (Var::new(true), Var::new(true));
        let mut p = flash_pipeline! { in rt;
            while &all, max 1_000 {
                mix(2, 1, &mut x)[8];
                above(500, &x, &mut any, &mut all)[8];
                flip(&mut all);
                flip(&mut any);
            }
        };
        p.exec().unwrap();
        let mut wanted = counted(8);
        loop {
            wanted.iter_mut().for_each(|v| *v = mixed(*v, 2, 1));
            if wanted.iter().all(|v| *v > 500) {
                break;
            }
        }
        assert_eq!(x.to_vec().unwrap(), wanted);
        assert!(!all.get().unwrap() && !any.get().unwrap());
    });
}

#[test]
fn host_tasks_read_and_write_decisions() {
    on_each_device(|rt| {
        let (mut go, mut n) = (Var::new(false), Var::new(0_u32));
        let mut p = rt.pipeline();
        p.begin_for(0..5_u32);
        p.push(flip(&mut go));
        p.push(Task::new("count", (&go, &mut n), |(go, n)| *n += u32::from(go)));
        p.end_for();
        p.exec().unwrap();
        assert_eq!((go.get().unwrap(), n.get().unwrap()), (true, 3));
    });
}

/// A kernel overwrites a cell of each type, without a reduction.
#[test]
fn a_kernel_writes_a_cell_of_any_type() {
    macro_rules! each {
        ($rt:expr, $($t:ty),*) => {$({
            let (mut cell, copy) = (Var::new(1 as $t), Buffer::<$t>::zeros(1));
            let mut copy = copy;
            let mut p = $rt.pipeline();
            p.push(put(3 as $t, &mut cell).over([1]));
            // As an argument, and where its value decides.
            p.push(put(&cell, &mut copy).over([1]));
            p.begin_if(cell.ge(3 as $t)).push(put(5 as $t, &mut cell).over([1]));
            p.end_if();
            p.exec().unwrap();
            assert_eq!(cell.get().unwrap(), 5 as $t);
            assert_eq!(copy.to_vec().unwrap(), [3 as $t]);
        })*};
    }
    on_each_device(|rt| {
        each!(rt, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
        // As the bound of a loop, and as a space.
        let (mut n, mut x) = (Var::new(0_usize), Buffer::from(counted(8)));
        let mut p = rt.pipeline();
        p.push(put(3_usize, &mut n).over([1]));
        p.begin_for(Span { from: 0, to: &n, inclusive: false });
        p.push(mix(3, 1, &mut x).over([&n]));
        p.end_for();
        p.exec().unwrap();
        let grown = |v| (0..3).fold(v, |v, _| mixed(v, 3, 1));
        let wanted: Vec<u64> = (1..=8).map(|v| if v <= 3 { grown(v) } else { v }).collect();
        assert_eq!(x.to_vec().unwrap(), wanted);
    });
}

/// More kernels than anybody keeps in mind, launch after launch, with cells of every type.
#[test]
fn kernels_in_turn_keep_what_is_theirs() {
    macro_rules! each {
        ($rt:expr, $numbers:expr, $($name:ident: $t:ty),*) => {
            $(
                let mut $name = Buffer::<$t>::zeros(5);
                let (mut all, mut most) = (Var::new(2 as $t), Var::new(0 as $t));
                let $name = (&mut $name, &mut all, &mut most);
            )*
            let mut p = $rt.pipeline();
            p.begin_for(0..3_u64);
            $(
                p.push(put(1 as $t, &mut *$name.0).over([4]));
                p.push(largest(&*$name.0, &mut *$name.1, &mut *$name.2).over([5]));
            )*
            p.push(mix(3, 1, &mut *$numbers).over([8]));
            p.end_for();
            p.exec().unwrap();
            $(
                assert_eq!($name.0.to_vec().unwrap(), [1, 1, 1, 1, 0].map(|v| v as $t));
                assert_eq!($name.1.get().unwrap(), 2 as $t, "with what was there");
                assert_eq!($name.2.get().unwrap(), 1 as $t);
            )*
        };
    }
    on_each_device(|rt| {
        let numbers = &mut Buffer::from(counted(8));
        each!(rt, numbers, a: i8, b: i16, c: i32, d: i64, e: isize, f: u8, g: u16, h: u32, i: u64, j: usize,
            k: f32, l: f64);
        let grown = |v| (0..3).fold(v, |v, _| mixed(v, 3, 1));
        assert_eq!(numbers.to_vec().unwrap(), (1..=8).map(grown).collect::<Vec<u64>>());
    });
}

/// Without an item a reduction gives what is neutral, and one into a cell leaves it alone.
#[test]
fn nothing_reduces_to_what_is_neutral() {
    on_each_device(|rt| {
        let x = Buffer::from(counted(8));
        let (mut any, mut all, mut parity) = (Var::new(true), Var::new(false), Var::new(true));
        let n = Var::new(8_usize);
        let mut p = flash_pipeline! { in rt;
            above(3, &x, &mut any, &mut all)[0];
            odd(0, &x, &mut parity)[0];
        };
        for _ in 0..2 {
            p.exec().unwrap();
            assert_eq!((any.get().unwrap(), all.get().unwrap()), (false, true));
            assert!(parity.get().unwrap());
        }
        drop(p);
        // The same where the space is known in the run only.
        let mut p = flash_pipeline! { in rt; above(3, &x, &mut any, &mut all)[&n]; };
        for (items, wanted) in [(8, (true, false)), (0, (false, true)), (3, (false, false))] {
            n.set(items).unwrap();
            p.exec().unwrap();
            assert_eq!((any.get().unwrap(), all.get().unwrap()), wanted, "{items} items");
        }
    });
}
