//! How reductions are cut and combined: the arithmetic that every executor shares, so that results
//! depend on the index space alone. It runs nothing and touches no memory.
//!
//! The unit is the *reduction block*, always one box of at most [`BLOCK_ITEMS`] items: pieces of a
//! line where the line is longer, else as many whole lines, planes and so on as fit. The item at
//! position `p` of its block (dimension 0 fastest) adds to lane `p % LANES`; [`combine_lanes`]
//! makes one value of the lanes, [`combine_blocks`] one of the blocks.

use smallvec::smallvec;

use crate::dims::Dims;
use crate::ir::ReduceOp;

/// Number of lanes of a reduction block.
pub const LANES: usize = 32;
/// Largest number of items of a reduction block.
pub const BLOCK_ITEMS: usize = 4096;

/// Extents of the reduction blocks of a space (dimension 0 first); those at the end of a dimension
/// may be smaller.
pub fn chunk(extents: &[usize]) -> Dims {
    let mut all: Dims = smallvec![1; extents.len()];
    each(extents, |dim, _, chunk| all[dim] = chunk);
    all
}

/// Number of reduction blocks of a space.
#[inline]
pub fn n_blocks(extents: &[usize]) -> usize {
    let mut n = 1;
    each(extents, |_, extent, chunk| n *= pieces(extent, chunk));
    n
}

/// First index and end of reduction block `number` in each dimension. Blocks are numbered with
/// dimension 0 fastest.
pub fn bounds(extents: &[usize], number: usize) -> (Dims, Dims) {
    let (mut first, mut end): (Dims, Dims) =
        (smallvec![0; extents.len()], smallvec![0; extents.len()]);
    each_bound(extents, number, |dim, lo, hi| (first[dim], end[dim]) = (lo, hi));
    (first, end)
}

/// The same as `set(dim, first, end)`.
#[inline]
pub fn each_bound(extents: &[usize], number: usize, mut set: impl FnMut(usize, usize, usize)) {
    let mut rest = number;
    each(extents, |dim, extent, chunk| {
        let mut lo = 0;
        // Divisions are most of what the end of a short launch takes.
        if chunk < extent {
            let pieces = pieces(extent, chunk);
            lo = rest % pieces * chunk;
            rest /= pieces;
        }
        set(dim, lo.min(extent), (lo + chunk).min(extent));
    });
}

/// Calls `with(dim, extent, chunk)` for each dimension; the chunk is that of [`chunk`].
#[inline]
fn each(extents: &[usize], mut with: impl FnMut(usize, usize, usize)) {
    let mut room = BLOCK_ITEMS;
    for (dim, &extent) in extents.iter().enumerate() {
        let chunk = extent.clamp(1, room);
        with(dim, extent, chunk);
        if dim + 1 < extents.len() {
            // A dimension that is cut leaves no room for a second index in those above it.
            room = if chunk < extent { 1 } else { (room / chunk).max(1) };
        }
    }
}

/// In how many pieces a dimension is cut.
#[inline]
fn pieces(extent: usize, chunk: usize) -> usize {
    if chunk == extent { 1 } else { extent.div_ceil(chunk) }
}

/// Combines the lanes of a block: `(l, l + 16)`, then `(l, l + 8)`, down to one.
#[inline]
pub fn combine_lanes<T: Copy>(mut lanes: [T; LANES], apply: impl Fn(T, T) -> T) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = apply(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// Combines the results of blocks: neighbours `(0, 1)`, `(2, 3)` again and again, an odd one
/// carried. The slice is used up. `None` for no blocks.
pub fn combine_blocks<T: Copy>(partials: &mut [T], apply: impl Fn(T, T) -> T) -> Option<T> {
    let mut n = partials.len();
    while n > 1 {
        let half = n / 2;
        for pair in 0..half {
            partials[pair] = apply(partials[2 * pair], partials[2 * pair + 1]);
        }
        if n % 2 == 1 {
            partials[half] = partials[n - 1];
        }
        n = n.div_ceil(2);
    }
    partials.first().copied()
}

/// A scalar that can be reduced.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be reduced",
    label = "neither a number nor `bool`",
    note = "the integers, `f32` and `f64` can, and `bool` by `&`, `|` and `^`"
)]
pub trait Reduce: Copy + 'static {
    /// Where partial results start.
    fn identity(op: ReduceOp) -> Self;
    /// One step; integers wrap. `None` for a bit operation on floats and arithmetic on `bool`.
    fn apply(op: ReduceOp, a: Self, b: Self) -> Option<Self>;
}

/// The steps of each operation, as the lanes of the CPU use them.
pub mod step {
    /// A reduction over `T`.
    #[diagnostic::on_unimplemented(
        message = "`{T}` cannot be reduced by `{Self}`",
        label = "there is no such reduction of `{T}`",
        note = "the integers have all of `+ * min max & | ^`, `f32` and `f64` have \
                `+ * min max`, `bool` has `& | ^`"
    )]
    pub trait Step<T>: Copy + 'static {
        /// Where partial results start.
        const IDENTITY: T;
        /// Takes `b` into `a`.
        fn apply(a: T, b: T) -> T;
    }

    macro_rules! steps {
        ($($name:ident)*) => {
            $(#[doc = concat!("The step of `ReduceOp::", stringify!($name), "`.")]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;)*
        };
    }
    steps!(Add Mul Min Max And Or Xor);

    macro_rules! ints {
        ($($t:ty)*) => {$(
            ints!(@ $t, Add, 0, |a, b| a.wrapping_add(b));
            ints!(@ $t, Mul, 1, |a, b| a.wrapping_mul(b));
            ints!(@ $t, Min, <$t>::MAX, |a, b| if b < a { b } else { a });
            ints!(@ $t, Max, <$t>::MIN, |a, b| if b > a { b } else { a });
            ints!(@ $t, And, !0, |a, b| a & b);
            ints!(@ $t, Or, 0, |a, b| a | b);
            ints!(@ $t, Xor, 0, |a, b| a ^ b);
        )*};
        (@ $t:ty, $op:ident, $identity:expr, |$a:ident, $b:ident| $apply:expr) => {
            impl Step<$t> for $op {
                const IDENTITY: $t = $identity;
                #[inline(always)]
                fn apply($a: $t, $b: $t) -> $t {
                    $apply
                }
            }
        };
    }
    ints!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

    // `min` and `max` keep the first of two equal values and never keep a NaN that is not in `a`:
    // the same bits whatever instruction does it.
    macro_rules! floats {
        ($($t:ty)*) => {$(
            ints!(@ $t, Add, 0.0, |a, b| a + b);
            ints!(@ $t, Mul, 1.0, |a, b| a * b);
            ints!(@ $t, Min, <$t>::INFINITY, |a, b| if b < a { b } else { a });
            ints!(@ $t, Max, <$t>::NEG_INFINITY, |a, b| if b > a { b } else { a });
        )*};
    }
    floats!(f32 f64);

    ints!(@ bool, And, true, |a, b| a & b);
    ints!(@ bool, Or, false, |a, b| a | b);
    ints!(@ bool, Xor, false, |a, b| a ^ b);
}

macro_rules! reduce {
    ($($t:ty: $($op:ident)*;)*) => {$(
        impl Reduce for $t {
            fn identity(op: ReduceOp) -> Self {
                #[allow(unreachable_patterns, reason = "integers have every operation")]
                match op {
                    $(ReduceOp::$op => <step::$op as step::Step<$t>>::IDENTITY,)*
                    _ => <$t>::default(),
                }
            }
            fn apply(op: ReduceOp, a: Self, b: Self) -> Option<Self> {
                #[allow(unreachable_patterns, reason = "integers have every operation")]
                match op {
                    $(ReduceOp::$op => Some(<step::$op as step::Step<$t>>::apply(a, b)),)*
                    _ => None,
                }
            }
        }
    )*};
}
reduce!(i8: Add Mul Min Max And Or Xor; i16: Add Mul Min Max And Or Xor;
    i32: Add Mul Min Max And Or Xor; i64: Add Mul Min Max And Or Xor;
    isize: Add Mul Min Max And Or Xor; u8: Add Mul Min Max And Or Xor;
    u16: Add Mul Min Max And Or Xor; u32: Add Mul Min Max And Or Xor;
    u64: Add Mul Min Max And Or Xor; usize: Add Mul Min Max And Or Xor;
    f32: Add Mul Min Max; f64: Add Mul Min Max; bool: And Or Xor;);

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item is in exactly one block, and blocks follow the linear order of items.
    #[test]
    fn blocks_partition_the_space() {
        let spaces: &[&[usize]] = &[
            &[1],
            &[31],
            &[4096],
            &[4097],
            &[20_000],
            &[100, 100],
            &[5000, 3],
            &[4096, 2],
            &[3, 5, 7],
            &[2, 2, 3000],
            &[70, 70, 3],
            &[1, 1, 1, 5000],
            &[2, 3, 4, 5, 6, 7, 2, 3],
            &[0],
            &[4, 0],
        ];
        for extents in spaces {
            let n_items: usize = extents.iter().product();
            let mut seen = vec![0_u32; n_items];
            let mut last = None;
            for number in 0..n_blocks(extents) {
                let (lo, hi) = bounds(extents, number);
                let items: usize = (0..extents.len()).map(|dim| hi[dim] - lo[dim]).product();
                assert!((1..=BLOCK_ITEMS).contains(&items), "{extents:?} block {number}");
                let mut at = lo.clone();
                for _ in 0..items {
                    let linear =
                        (0..extents.len()).rev().fold(0, |sum, dim| sum * extents[dim] + at[dim]);
                    seen[linear] += 1;
                    assert!(last.is_none_or(|last| last < linear), "{extents:?} order");
                    last = Some(linear);
                    for dim in 0..extents.len() {
                        at[dim] += 1;
                        if at[dim] < hi[dim] {
                            break;
                        }
                        at[dim] = lo[dim];
                    }
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{extents:?}");
        }
    }

    #[test]
    fn trees_are_the_documented_ones() {
        let text = |a: &'static str, b: &'static str| -> &'static str {
            Box::leak(format!("({a}{b})").into_boxed_str())
        };
        let mut five = ["a", "b", "c", "d", "e"];
        assert_eq!(combine_blocks(&mut five, text), Some("(((ab)(cd))e)"));
        assert_eq!(combine_blocks::<u8>(&mut [], |a, _| a), None);
        let lanes: [u32; LANES] = std::array::from_fn(|lane| 1 << lane);
        assert_eq!(combine_lanes(lanes, |a, b| a | b), u32::MAX);
        let first_pair = combine_lanes(std::array::from_fn(vec_of), join);
        assert_eq!(&first_pair[..4], &[0, 16, 8, 24]);
    }

    fn vec_of(lane: usize) -> &'static [usize] {
        Box::leak(vec![lane].into_boxed_slice())
    }

    fn join(a: &'static [usize], b: &'static [usize]) -> &'static [usize] {
        Box::leak([a, b].concat().into_boxed_slice())
    }

    #[test]
    fn identities_change_nothing() {
        for op in [ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max] {
            for value in [-3.5_f64, 0.0, 7.25, f64::INFINITY, f64::NEG_INFINITY] {
                assert_eq!(f64::apply(op, f64::identity(op), value), Some(value), "{op:?}");
            }
            assert_eq!(i8::apply(op, i8::identity(op), -128), Some(-128), "{op:?}");
        }
        for op in [ReduceOp::And, ReduceOp::Or, ReduceOp::Xor] {
            assert_eq!(u16::apply(op, u16::identity(op), 0xA5C3), Some(0xA5C3), "{op:?}");
            assert_eq!(f32::apply(op, 1.0, 2.0), None, "{op:?}");
        }
    }
}
