//! The boxes with gaps of one allocation that still matter, by where they begin in memory, so that those
//! an access may meet are looked at and no others: of the tiles of a matrix those of its row of tiles. It
//! merges nothing: what one box hides of another in part is found twice.

use std::collections::BTreeMap;

use super::{Edge, Found};
use crate::access::Mode;
use crate::section::Section;

/// A box with the node that touched it, and how.
type Touch = (Section, u32, Mode);

/// The boxes that later accesses may have to wait for.
#[derive(Debug, Default)]
pub(in crate::engine) struct Boxes {
    /// By first element, then in program order.
    all: BTreeMap<(usize, u32), Touch>,
    /// The most elements from the first one of a box to its last one.
    longest: usize,
    /// How many there were.
    n: u32,
}

impl Boxes {
    /// Notes an access and finds what it has to wait for.
    pub(super) fn access(&mut self, section: &Section, mode: Mode, node: u32, found: &mut Found) {
        let mut hidden = Vec::new();
        for (&at, (other, by, was)) in self.near(section) {
            let edge = match (was, mode) {
                (Mode::Read, Mode::Read) => continue,
                (Mode::Write, Mode::Read) => Edge::ReadAfterWrite,
                (Mode::Read, Mode::Write) => Edge::WriteAfterRead,
                (Mode::Write, Mode::Write) => Edge::WriteAfterWrite,
            };
            if other.overlaps(section) {
                found.push(*by, edge);
                // Who waits for this one waits for those it hides.
                if mode == Mode::Write && covers(section, other) {
                    hidden.push(at);
                }
            }
        }
        for at in hidden {
            self.all.remove(&at);
        }
        self.longest = self.longest.max(section.end() - section.offset());
        self.all.insert((section.offset(), self.n), (*section, node, mode));
        self.n += 1;
    }

    /// Those whose elements may lie between the first and the last one of a box.
    fn near(&self, section: &Section) -> impl Iterator<Item = (&(usize, u32), &Touch)> {
        let first = (section.offset() + 1).saturating_sub(self.longest);
        self.all.range((first, 0)..(section.end().max(first), 0))
    }
}

/// Whether a box surely has every element of another.
fn covers(outer: &Section, inner: &Section) -> bool {
    outer == inner
        || (outer.is_contiguous() && outer.offset() <= inner.offset() && inner.end() <= outer.end())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;

    fn tile(of: &[usize; 2], rows: Range<usize>, columns: Range<usize>) -> Section {
        let site = std::panic::Location::caller();
        Section::whole(of).cut(&[rows, columns], site).expect("a tile")
    }

    fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
        a.start < b.end && b.start < a.end
    }

    proptest! {
        /// Each waits, perhaps through others, for all that it has elements in common with, and for nothing
        /// else.
        #[test]
        fn tiles_wait_for_those_they_share_elements_with(
            all in prop::collection::vec(
                (0..8_usize, 1..5_usize, 0..8_usize, 1..5_usize, any::<bool>()), 1..24),
        ) {
            let all: Vec<_> = all.into_iter().map(|(y, h, x, w, writes)| {
                (y..(y + h).min(8), x..(x + w).min(8), writes)
            }).collect();
            let mut boxes = Boxes::default();
            let mut waits = vec![vec![false; all.len()]; all.len()];
            for (k, (rows, columns, writes)) in all.iter().enumerate() {
                let mode = if *writes { Mode::Write } else { Mode::Read };
                let mut found = Found::default();
                boxes.access(&tile(&[8, 8], rows.clone(), columns.clone()), mode, k as u32, &mut found);
                for before in found.nodes {
                    let before = before as usize;
                    let (earlier, of) = (&all[before], &all[k]);
                    prop_assert!(meet(&earlier.0, &of.0) && meet(&earlier.1, &of.1));
                    prop_assert!(earlier.2 || of.2);
                    waits[k][before] = true;
                }
                for other in 0..k {
                    if waits[k][other] {
                        let through = waits[other].clone();
                        waits[k].iter_mut().zip(through).for_each(|(a, b)| *a |= b);
                    }
                }
                for (other, (y, x, w)) in all[..k].iter().enumerate() {
                    if (*w || *writes) && meet(y, rows) && meet(x, columns) {
                        prop_assert!(waits[k][other], "{k} after {other}");
                    }
                }
            }
        }
    }

    /// A tile meets nothing of other rows of tiles.
    #[test]
    fn tiles_of_other_rows_are_not_looked_at() {
        let mut boxes = Boxes::default();
        let tiles = |k: usize| k * 4..k * 4 + 4;
        for y in 0..16 {
            for x in 0..16 {
                let tile = tile(&[64, 64], tiles(y), tiles(x));
                let near = boxes.near(&tile).count();
                // The last row of the one before ends where the first one of this begins.
                assert!(near <= x + 16, "{near} at {y}, {x}");
                boxes.access(&tile, Mode::Write, 0, &mut Found::default());
            }
        }
        assert_eq!(boxes.all.len(), 256);
        boxes.access(&Section::whole(&[64, 64]), Mode::Write, 0, &mut Found::default());
        assert_eq!(boxes.all.len(), 1, "one write hides all");
    }
}
