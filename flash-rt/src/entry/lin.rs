//! Index arithmetic along a line of work items, in checked integers: where a kernel's accesses and
//! guards hold for every item. It decides ranges only; each access checks itself again.

/// The value `a * i + b` at item `i` of a line.
#[derive(Clone, Copy, Debug)]
pub struct Lin {
    a: i64,
    b: i64,
}

/// A run of items of a line, being cut down to those for which everything noted so far holds.
#[derive(Clone, Copy, Debug)]
pub struct Interior {
    lo: i64,
    hi: i64,
}

impl Interior {
    /// The items `lo..hi`, uncut.
    #[inline(always)]
    pub fn new(lo: usize, hi: usize) -> Self {
        match (i64::try_from(lo), i64::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Self { lo, hi },
            _ => Self { lo: 0, hi: 0 },
        }
    }

    /// Whether anything is left.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.lo < self.hi
    }

    /// Whether anything is left, and the same as of another.
    #[inline(always)]
    pub fn same(&self, other: &Self) -> bool {
        self.any() && self.lo == other.lo && self.hi == other.hi
    }

    /// What is left, or `end..end` if nothing is.
    #[inline(always)]
    pub fn range(&self, end: usize) -> (usize, usize) {
        if self.lo < self.hi { (self.lo as usize, self.hi as usize) } else { (end, end) }
    }

    /// Leaves nothing.
    #[inline(always)]
    fn nothing(&mut self) -> Lin {
        self.hi = self.lo;
        Lin { a: 0, b: 0 }
    }

    /// Keeps the items at which `value` is not negative.
    #[inline(always)]
    fn not_negative(&mut self, value: Lin) {
        let bound = match value.a {
            0 => {
                if value.b < 0 {
                    self.hi = self.lo;
                }
                return;
            }
            1 => value.b.checked_neg(),
            -1 => Some(value.b),
            // a i + b >= 0: from the ceiling of -b / a up, or down to the floor of b / -a.
            a if a > 0 => value.b.checked_neg().and_then(|b| {
                b.checked_div_euclid(a).map(|q| if q.wrapping_mul(a) < b { q + 1 } else { q })
            }),
            a => a.checked_neg().and_then(|a| value.b.checked_div_euclid(a)),
        };
        match bound {
            None => {
                self.hi = self.lo;
            }
            Some(bound) if value.a > 0 => self.lo = self.lo.max(bound),
            Some(bound) => self.hi = self.hi.min(bound.saturating_add(1)),
        }
    }

    /// A result of the user's `usize` arithmetic: neither negative nor too large.
    #[inline(always)]
    fn result(&mut self, a: Option<i64>, b: Option<i64>) -> Lin {
        let (Some(a), Some(b)) = (a, b) else { return self.nothing() };
        let value = Lin { a, b };
        self.not_negative(value);
        if a != 0 && a != 1 && a != -1 {
            match (a.checked_neg(), i64::MAX.checked_sub(b)) {
                (Some(a), Some(b)) => self.not_negative(Lin { a, b }),
                _ => return self.nothing(),
            }
        }
        value
    }

    /// The item's own index along the line.
    #[inline(always)]
    pub fn id(&self) -> Lin {
        Lin { a: 1, b: 0 }
    }

    /// A value that is the same for all items of the line.
    #[inline(always)]
    pub fn uniform(&mut self, value: usize) -> Lin {
        match i64::try_from(value) {
            Ok(b) => Lin { a: 0, b },
            Err(_) => self.nothing(),
        }
    }

    /// An id of a dimension from 1, which no index space lets overflow.
    #[inline(always)]
    pub fn outer(&self, id: usize) -> Lin {
        Lin { a: 0, b: id as i64 }
    }

    /// `x + y`
    #[inline(always)]
    pub fn add(&mut self, x: Lin, y: Lin) -> Lin {
        self.result(x.a.checked_add(y.a), x.b.checked_add(y.b))
    }

    /// `x - y`
    #[inline(always)]
    pub fn sub(&mut self, x: Lin, y: Lin) -> Lin {
        self.result(x.a.checked_sub(y.a), x.b.checked_sub(y.b))
    }

    /// `x * y`, one of which must be uniform.
    #[inline(always)]
    pub fn mul(&mut self, x: Lin, y: Lin) -> Lin {
        let (x, y) = if x.a == 0 { (y, x) } else { (x, y) };
        if y.a != 0 {
            return self.nothing();
        }
        self.result(x.a.checked_mul(y.b), x.b.checked_mul(y.b))
    }

    /// `x / y`, both uniform.
    #[inline(always)]
    pub fn div(&mut self, x: Lin, y: Lin) -> Lin {
        if x.a != 0 || y.a != 0 || y.b <= 0 || x.b < 0 {
            return self.nothing();
        }
        Lin { a: 0, b: x.b / y.b }
    }

    /// `x % y`, both uniform.
    #[inline(always)]
    pub fn rem(&mut self, x: Lin, y: Lin) -> Lin {
        if x.a != 0 || y.a != 0 || y.b <= 0 || x.b < 0 {
            return self.nothing();
        }
        Lin { a: 0, b: x.b % y.b }
    }

    /// Keeps the items with `x < y`.
    #[inline(always)]
    pub fn keep_lt(&mut self, x: Lin, y: Lin) {
        // y - x - 1 may be negative: it is a test, not a value of the user's.
        match (y.a.checked_sub(x.a), y.b.checked_sub(x.b).and_then(|b| b.checked_sub(1))) {
            (Some(a), Some(b)) => self.not_negative(Lin { a, b }),
            _ => {
                self.nothing();
            }
        }
    }

    /// Keeps the items with `x <= y`.
    #[inline(always)]
    pub fn keep_le(&mut self, x: Lin, y: Lin) {
        match (y.a.checked_sub(x.a), y.b.checked_sub(x.b)) {
            (Some(a), Some(b)) => self.not_negative(Lin { a, b }),
            _ => {
                self.nothing();
            }
        }
    }

    /// Keeps the longer run of items with `x != y`.
    #[inline(always)]
    pub fn keep_ne(&mut self, x: Lin, y: Lin) {
        let (Some(a), Some(b)) = (x.a.checked_sub(y.a), x.b.checked_sub(y.b)) else {
            self.nothing();
            return;
        };
        if a == 0 {
            if b == 0 {
                self.nothing();
            }
            return;
        }
        // Equal at the one item -b / a, if that is whole and inside.
        let Some(item) = b.checked_neg().and_then(|b| b.checked_div(a)) else {
            self.nothing();
            return;
        };
        if item.checked_mul(a) == b.checked_neg() && self.lo <= item && item < self.hi {
            if item - self.lo >= self.hi - item - 1 {
                self.hi = item;
            } else {
                self.lo = item + 1;
            }
        }
    }

    /// Keeps the items at which `index` is inside `0..extent`.
    #[inline(always)]
    pub fn within(&mut self, index: Lin, extent: usize) {
        self.not_negative(index);
        let extent = self.uniform(extent);
        self.keep_lt(index, extent);
    }

    /// Keeps the items at which `index` is one of `len` from `first` on.
    #[inline(always)]
    pub fn held(&mut self, index: Lin, (first, len): (usize, usize)) {
        let (first, end) = (self.uniform(first), self.uniform(first.saturating_add(len)));
        self.keep_le(first, index);
        self.keep_lt(index, end);
    }

    /// The value at an item, for the start of a row. Where it is negative or overflows it is some
    /// number: rows are checked.
    #[inline(always)]
    pub fn at(value: Lin, item: usize) -> usize {
        value.a.wrapping_mul(item as i64).wrapping_add(value.b) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination of small numbers against plain arithmetic over the items.
    #[test]
    fn cuts_agree_with_brute_force() {
        const LO: i64 = 2;
        const HI: i64 = 12;
        let whole = || Interior::new(LO as usize, HI as usize);
        for a in -3..=3_i64 {
            for b in -30..=30_i64 {
                let lin = Lin { a, b };
                let value = |i: i64| a * i + b;
                for bound in [0, 1, 5, 9] {
                    let y = Lin { a: 0, b: bound };
                    let mut below = whole();
                    below.keep_lt(lin, y);
                    check(below, |i| value(i) < bound, false);
                    let mut above = whole();
                    above.keep_lt(y, lin);
                    check(above, |i| bound < value(i), false);
                    let mut at_most = whole();
                    at_most.keep_le(lin, y);
                    check(at_most, |i| value(i) <= bound, false);
                    let mut not = whole();
                    not.keep_ne(lin, y);
                    check(not, |i| value(i) != bound, true);
                    let mut within = whole();
                    within.within(lin, bound as usize);
                    check(within, |i| (0..bound).contains(&value(i)), false);
                }
            }
        }

        /// The items kept are exactly those that hold, or one of the two runs around a gap.
        fn check(cut: Interior, holds: impl Fn(i64) -> bool, gap: bool) {
            let (lo, hi) = cut.range(HI as usize);
            let kept = |i: i64| lo as i64 <= i && i < hi as i64;
            for i in LO..HI {
                assert!(!kept(i) || holds(i), "{i} kept in {lo}..{hi}");
                assert!(gap || kept(i) || !holds(i), "{i} lost from {lo}..{hi}");
            }
            let holding = (LO..HI).filter(|&i| holds(i)).count();
            assert!(hi - lo >= holding.div_ceil(2), "too little left");
        }
    }

    #[test]
    fn intermediate_results_may_not_be_negative() {
        // (i - 3) + 3: the user's arithmetic fails before it is back in range.
        let mut interior = Interior::new(0, 10);
        let three = interior.uniform(3);
        let id = interior.id();
        let less = interior.sub(id, three);
        let back = interior.add(less, three);
        interior.within(back, 10);
        assert_eq!(interior.range(10), (3, 10));
        assert_eq!(Interior::at(back, 4), 4);
        assert_eq!(Interior::at(less, 0), usize::MAX - 2);
    }

    #[test]
    fn the_same_items_are_left_only_where_any_are() {
        let (mut one, whole) = (Interior::new(2, 9), Interior::new(2, 9));
        assert!(one.same(&whole));
        let (id, five) = (one.id(), one.uniform(5));
        one.keep_lt(id, five);
        assert!(!one.same(&whole));
        one.keep_lt(five, id);
        assert!(!one.same(&one));
    }

    #[test]
    fn overflow_leaves_nothing() {
        let mut interior = Interior::new(0, 10);
        let big = interior.uniform(i64::MAX as usize);
        let id = interior.id();
        let sum = interior.add(id, big);
        assert_eq!(interior.range(10), (0, 10));
        interior.within(sum, usize::MAX);
        assert_eq!(interior.range(10), (10, 10));
        let mut interior = Interior::new(0, 10);
        let product = interior.mul(big, big);
        assert_eq!((interior.range(10), product.a), ((10, 10), 0));
        let mut interior = Interior::new(0, 10);
        interior.uniform(usize::MAX);
        assert_eq!(interior.range(10), (10, 10));
        let mut interior = Interior::new(0, 10);
        let square = interior.mul(id, id);
        assert_eq!((interior.range(10), square.a), ((10, 10), 0));
        // 3 i wraps in `usize` long before the end of this line.
        let mut interior = Interior::new(0, i64::MAX as usize);
        let three = interior.uniform(3);
        let triple = interior.mul(three, id);
        assert_eq!(triple.a, 3);
        assert_eq!(interior.range(0), (0, i64::MAX as usize / 3 + 1));
    }
}
