//! Where ranges are cut: closed forms, and what holds of all of them.

use std::ops::Range;

use proptest::prelude::*;

use super::cut::{Span, Way};
use super::{Share, Shares};

fn of(shares: &[f64], chunk: Option<usize>) -> Shares {
    let share = |(device, items): (usize, &f64)| Share::new(device as u16, *items);
    Shares { of: shares.iter().enumerate().map(share).collect(), chunk, way: Way::Slowest }
}

/// The device and the range of each cut.
fn cuts(shares: &Shares, range: Range<usize>, unit: usize) -> Vec<(u16, Range<usize>)> {
    let of = |Span { share, range, .. }: Span| (share.device, range);
    shares.cuts(range, unit).into_iter().map(of).collect()
}

#[test]
fn borders_are_where_shares_say_and_at_multiples_of_the_unit() {
    let thirds = Shares::equal(&[4, 2, 7], 3);
    assert_eq!(cuts(&thirds, 0..999, 1), [(4, 0..333), (2, 333..666), (7, 666..999)]);
    // Devices take turns, and 4/3 items are one, 8/3 are three.
    assert_eq!(cuts(&Shares::equal(&[4, 2], 3), 0..4, 1), [(4, 0..1), (2, 1..3), (4, 3..4)]);
    // Multiples are counted from where the range begins; 333 and 666 are in the middle of some.
    assert_eq!(cuts(&thirds, 7..1006, 64), [(4, 7..327), (2, 327..647), (7, 647..1006)]);
    let unlike = of(&[1.0, 3.0], None);
    assert_eq!(cuts(&unlike, 0..400_000, 64), [(0, 0..99_968), (1, 99_968..400_000)]);
    // Who has no share, or less than a unit, gets nothing, and what is left goes to the last one
    // that has a share.
    let holes = of(&[0.0, 1.0, -2.0, 1e-9, 1.0, 0.0], None);
    assert_eq!(cuts(&holes, 0..12, 2), [(1, 0..6), (4, 6..12)]);
    assert_eq!(cuts(&of(&[1.0, 1.0], None), 5..8, 64), [(1, 5..8)]);
}

#[test]
fn chunks_are_multiples_of_the_unit_too() {
    let ten = of(&[1.0, 1.0], Some(10));
    assert_eq!(cuts(&ten, 3..28, 1), [(0, 3..13), (0, 13..23), (0, 23..28)]);
    assert_eq!(cuts(&ten, 3..28, 4), [(0, 3..15), (0, 15..27), (0, 27..28)]);
    assert_eq!(cuts(&of(&[1.0], Some(0)), 0..2, 1), [(0, 0..1), (0, 1..2)]);
    assert_eq!(cuts(&ten, 3..3, 4), []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cuts_are_the_range_in_order(
        start in 0_usize..1_000_000,
        len in 1_usize..1_000_000,
        unit in 1_usize..400,
        shares in proptest::collection::vec(prop_oneof![Just(0.0), 0.001_f64..1.0, 1.0_f64..1e9], 1..9),
        one in 0_usize..8,
    ) {
        let mut shares = shares;
        let one = one % shares.len();
        shares[one] += 1.0;
        let (total, range) = (shares.iter().sum::<f64>(), start..start + len);
        let found = of(&shares, None).cuts(range.clone(), unit);
        // Every index once, in ascending order, on devices in ascending order.
        prop_assert_eq!(found.first().map(|cut| cut.range.start), Some(range.start));
        prop_assert_eq!(found.last().map(|cut| cut.range.end), Some(range.end));
        prop_assert!(found.iter().all(|cut| !cut.range.is_empty() && cut.share.items > 0.0));
        for pair in found.windows(2) {
            prop_assert_eq!(pair[0].range.end, pair[1].range.start);
            prop_assert_eq!((pair[1].range.start - start) % unit, 0);
            prop_assert!(pair[0].share.device < pair[1].share.device);
        }
        // What each device has got is its share, but for less than a unit at either border.
        for (device, share) in shares.iter().enumerate() {
            let wanted = len as f64 * share / total;
            let cut = found.iter().find(|cut| usize::from(cut.share.device) == device);
            let n = cut.map_or(0, |cut| cut.range.len());
            prop_assert!((n as f64 - wanted).abs() < unit as f64 + 1.0, "{n} of {wanted}");
            if let Some(cut) = cut {
                prop_assert!((cut.of_share * wanted - n as f64).abs() < 1e-3);
            }
        }
    }
}
