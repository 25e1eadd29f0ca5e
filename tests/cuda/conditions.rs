//! Conditions of loops and of branches in them, looked at by a device: random ones hold as often as in Rust.

use flash::prelude::*;
use flash::{Cond, Error};
use flash_tests::cuda::{OnCuda, devices};

use super::loops::{calls, without};

macro_rules! steps {
    ($($name:ident $ty:ty: |$v:ident| $next:expr;)*) => {
        $(#[flash::kernel]
        fn $name(cell: &mut [$ty]) {
            let i = global_id(0);
            let $v = cell[i];
            cell[i] = $next;
        })*

        /// Cells of several types.
        struct Cells { $($name: Var<$ty>,)* }

        /// Their values.
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Values { $($name: $ty,)* }

        impl Values {
            /// A trip, in which each is changed that its condition says.
            fn step(&mut self, decides: &[Option<Plain>]) {
                let mut decides = decides.iter();
                $({
                    let decides = decides.next().and_then(Option::as_ref);
                    if decides.is_none_or(|holds| holds(self)) {
                        let $v = self.$name;
                        self.$name = $next;
                    }
                })*
            }

            fn cells(self) -> Cells {
                Cells { $($name: Var::new(self.$name),)* }
            }
        }

        impl Cells {
            fn push<'a>(&'a mut self, p: &mut flash::Pipeline<'a>, decides: Vec<Option<Cond<'a>>>) {
                let mut decides = decides.into_iter();
                $(
                    let when = decides.next().flatten();
                    let is_there = when.is_some();
                    when.into_iter().for_each(|cond| { p.begin_if(cond); });
                    p.push($name(&mut self.$name).over([1]));
                    if is_there {
                        p.end_if();
                    }
                )*
            }

            fn values(&self) -> Values {
                Values { $($name: self.$name.get().unwrap(),)* }
            }
        }
    };
}
steps! {
    of_u8 u8: |v| v.wrapping_add(3);
    of_i16 i16: |v| v.wrapping_sub(211);
    of_u32 u32: |v| v.wrapping_mul(5).wrapping_add(1);
    of_i64 i64: |v| v.wrapping_mul(-3);
    of_f32 f32: |v| v * v - 1.5;
    of_f64 f64: |v| v * 1.25 + 0.1;
}

/// Numbers that look random (splitmix64).
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }
}

/// A condition in plain Rust.
type Plain = Box<dyn Fn(&Values) -> bool>;

/// A comparison of a cell with a constant, as a condition and in Rust.
fn comparison(draw: &mut Draw, cells: &Cells) -> (Cond<'static>, Plain) {
    macro_rules! compared {
        ($name:ident, $value:expr) => {{
            let (cell, value) = (&cells.$name, $value);
            match draw.below(6) {
                0 => (cell.lt(value), Box::new(move |v: &Values| v.$name < value) as Plain),
                1 => (cell.le(value), Box::new(move |v: &Values| v.$name <= value) as Plain),
                2 => (cell.gt(value), Box::new(move |v: &Values| v.$name > value) as Plain),
                3 => (cell.ge(value), Box::new(move |v: &Values| v.$name >= value) as Plain),
                4 => (cell.eq(value), Box::new(move |v: &Values| v.$name == value) as Plain),
                _ => (cell.ne(value), Box::new(move |v: &Values| v.$name != value) as Plain),
            }
        }};
    }
    let bits = draw.below(1 << 32);
    match draw.below(7) {
        0 => compared!(of_u8, bits as u8),
        1 => compared!(of_i16, bits as i16),
        2 => compared!(of_u32, bits as u32),
        3 => compared!(of_i64, (bits as i64) << 20),
        4 => compared!(of_f32, bits as f32 / 1e9 - 2.0),
        5 => compared!(of_f64, bits as f64),
        _ => compared!(of_f32, f32::NAN),
    }
}

/// A condition of a few comparisons, as a condition and in Rust.
fn condition(draw: &mut Draw, cells: &Cells, depth: u32) -> (Cond<'static>, Plain) {
    if depth == 0 {
        return comparison(draw, cells);
    }
    let (a, in_rust) = condition(draw, cells, depth - 1);
    match draw.below(5) {
        0 => (!a, Box::new(move |v| !in_rust(v))),
        1 => (a, in_rust),
        how => {
            let (b, other) = condition(draw, cells, depth - 1);
            match how {
                2 => (a & b, Box::new(move |v| in_rust(v) && other(v))),
                3 => (a | b, Box::new(move |v| in_rust(v) || other(v))),
                _ => (a ^ b, Box::new(move |v| in_rust(v) ^ other(v))),
            }
        }
    }
}

#[test]
fn random_conditions_hold_as_often_as_in_rust() {
    conditions(0, 80);
}

#[test]
fn random_branches_are_taken_as_often_as_in_rust() {
    conditions(2, 15);
}

/// Random loops, of whose launches about so many of six are in a branch; at least so many go to the device.
fn conditions(in_branches: u64, least: u64) {
    let Some(OnCuda { driver, rt }) = devices("devices=1") else { return };
    let mut draw = Draw(7);
    let (mut on_device, mut endless, mut trips_of_all) = (0, 0, 0);
    for round in 0..300 {
        let mut values = Values {
            of_u8: draw.below(256) as u8,
            of_i16: draw.below(1 << 16) as i16,
            of_u32: draw.below(1 << 32) as u32,
            of_i64: draw.below(1 << 40) as i64 - (1 << 39),
            of_f32: draw.below(3_000) as f32 / 1e3 - 1.5,
            of_f64: draw.below(1_000) as f64,
        };
        let (max, mut cells) = (1 + draw.below(60), values.cells());
        let (cond, holds) = condition(&mut draw, &cells, 2);
        let (mut decides, mut in_rust) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            let decides_too =
                (draw.below(6) < in_branches).then(|| condition(&mut draw, &cells, 1));
            let (cond, plain) = decides_too.unzip();
            decides.push(cond);
            in_rust.push(plain);
        }
        let said = format!("round {round}: {cond:?} {decides:?}");
        if let Some(driver) = &driver {
            driver.clear();
            if round % 10 == 9 {
                without(driver);
            }
        }
        let mut p = rt.pipeline();
        p.begin_while(cond, max);
        cells.push(&mut p, decides);
        p.end_while();
        let done = p.exec();
        drop(p);
        if let Some(driver) = &driver {
            driver.forgive();
            on_device += calls(driver, "cuGraphLaunch");
        }
        let mut trips = 0;
        while trips < max && holds(&values) {
            values.step(&in_rust);
            trips += 1;
        }
        let is_endless = holds(&values);
        match done {
            Ok(report) => {
                assert!(!is_endless, "{said}");
                let count = report.kernel("of_u8").map_or(0, |kernel| kernel.count);
                assert!(count == trips || in_rust[0].is_some() && count < trips, "{said}: {count}");
            }
            Err(Error::Endless { .. }) => assert!(is_endless, "{said}"),
            Err(error) => panic!("{said}: {error}"),
        }
        // As text, as a NaN is not itself.
        assert_eq!(format!("{:?}", cells.values()), format!("{values:?}"), "{said}");
        endless += u64::from(is_endless);
        trips_of_all += trips;
    }
    assert!(
        (on_device > least || driver.is_none()) && endless > 50 && endless < 250,
        "{on_device} {endless} {trips_of_all}"
    );
}
