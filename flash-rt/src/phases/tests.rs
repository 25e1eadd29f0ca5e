//! Phases against their definition: all items listed, sorted, and cut where a rule says so.

use proptest::prelude::*;

use super::*;
use crate::count_by::CountBy;

/// The items of each phase by the words of the specification; ids, dimension 0 first.
fn by_definition(ids: &[Vec<usize>], order: &Ordering) -> Vec<Vec<Vec<usize>>> {
    let rank = ids.len();
    let mut items = vec![Vec::new()];
    // Dimension 0 fastest.
    for ids in ids.iter().rev() {
        items = items
            .iter()
            .flat_map(|item: &Vec<usize>| {
                ids.iter().map(|&id| [vec![id], item.clone()].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    let keys: Vec<usize> =
        order.sort_by.iter().map(|&d| usize::from(d)).filter(|&d| d < rank).collect();
    items.sort_by_key(|item| keys.iter().map(|&dim| item[dim]).collect::<Vec<_>>());
    let lens: Vec<usize> = ids.iter().map(Vec::len).collect();
    let cut = |at: usize, a: &[usize], b: &[usize]| {
        let group = |group: &Group| match *group {
            Group::From(dim) | Group::Value(dim, _) if usize::from(dim) >= rank => false,
            // Each tuple of the dimensions from there on, whatever the ids.
            Group::From(dim) if keys.is_empty() => {
                at.is_multiple_of(lens[..usize::from(dim)].iter().product())
            }
            Group::From(dim) => a[usize::from(dim)] != b[usize::from(dim)],
            Group::Value(dim, value) => {
                let is = |item: &[usize]| item[usize::from(dim)] as u64 == value;
                is(a) != is(b)
            }
        };
        match (order.group_by.is_empty(), keys.first()) {
            (true, Some(&first)) => a[first] != b[first],
            _ => order.group_by.iter().any(group),
        }
    };
    let mut phases: Vec<Vec<Vec<usize>>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if at == 0 || cut(at, &items[at - 1], item) {
            phases.push(Vec::new());
        }
        if let Some(last) = phases.last_mut() {
            last.push(item.clone());
        }
    }
    phases
}

/// The items of each phase as they are run.
fn as_run(phases: &Phases) -> Vec<Vec<Vec<usize>>> {
    let mut boxes = Vec::new();
    (0..phases.len())
        .map(|phase| {
            let part = phases.subspace(phase, &mut boxes);
            let mut items = Vec::new();
            for positions in part.boxes() {
                part.each(positions, |ids| items.extend(items_of(ids)));
            }
            assert_eq!(items.len(), part.n_items());
            items
        })
        .collect()
}

fn items_of(ids: &Block) -> Vec<Vec<usize>> {
    let mut items = vec![Vec::new()];
    for dim in (0..ids.rank()).rev() {
        items = items
            .iter()
            .flat_map(|item: &Vec<usize>| {
                (ids.lo(dim)..ids.hi(dim))
                    .map(|id| [vec![id], item.clone()].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    items
}

fn sorted(mut phases: Vec<Vec<Vec<usize>>>) -> Vec<Vec<Vec<usize>>> {
    phases.iter_mut().for_each(|phase| phase.sort());
    phases
}

fn make(counts: &[CountBy], order: &Ordering, reduces: bool) -> Phases {
    let ids = counts.iter().map(|count| count.sequence().unwrap()).collect();
    Phases::new(ids, order, reduces).unwrap()
}

fn grouped(group_by: impl Into<Vec<Group>>) -> Ordering {
    Ordering { sort_by: Vec::new(), group_by: group_by.into() }
}

fn sort(sort_by: impl Into<Vec<u8>>) -> Ordering {
    Ordering { sort_by: sort_by.into(), group_by: Vec::new() }
}

fn counts(extents: &[usize]) -> Vec<CountBy> {
    extents.iter().map(|&n| n.into()).collect()
}

#[test]
fn the_worked_example_of_the_specification() {
    let space = counts(&[5, 2, 10]);
    let phases = as_run(&make(&space, &grouped([Group::From(1)]), false));
    assert_eq!(phases.len(), 20);
    for (k, phase) in phases.iter().enumerate() {
        assert_eq!(phase.len(), 5);
        assert!(phase.iter().all(|item| item[1..] == [k % 2, k / 2]), "{phase:?}");
    }
    let phases = as_run(&make(&space, &sort([1]), false));
    assert_eq!(phases.len(), 2);
    assert!(phases[0].iter().all(|item| item[1] == 0) && phases[0].len() == 50);
    assert_eq!(make(&space, &grouped([Group::From(2)]), false).len(), 10);
    assert_eq!(make(&counts(&[256, 512]), &grouped([Group::From(1)]), false).len(), 512);
    // A dimension of one id separates the slices above it.
    assert_eq!(make(&counts(&[4, 1, 3]), &grouped([Group::From(1)]), false).len(), 3);
    // One that is not there orders nothing.
    assert_eq!(make(&counts(&[7]), &grouped([Group::From(1)]), false).len(), 1);
    assert_eq!(make(&counts(&[7, 0]), &grouped([Group::From(1)]), false).len(), 0);
}

#[test]
fn a_value_is_isolated() {
    let phases =
        |extents: &[usize], group| as_run(&make(&counts(extents), &grouped([group]), false));
    let sizes = |found: Vec<Vec<Vec<usize>>>| found.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(sizes(phases(&[10], Group::Value(0, 3))), [3, 1, 6]);
    assert_eq!(sizes(phases(&[10], Group::Value(0, 0))), [1, 9]);
    assert_eq!(sizes(phases(&[10], Group::Value(0, 12))), [10]);
    // The end of a line and the beginning of the next one are one phase.
    assert_eq!(sizes(phases(&[4, 3], Group::Value(0, 1))), [1, 1, 3, 1, 3, 1, 2]);
    assert_eq!(sizes(phases(&[4, 3], Group::Value(1, 1))), [4, 4, 4]);
}

fn dimension() -> impl Strategy<Value = CountBy> {
    prop_oneof![
        (0_usize..6).prop_map(CountBy::count),
        (1_usize..6).prop_map(|n| CountBy::count(n).descending()),
        (0_usize..40).prop_map(|n| CountBy::powers(2, n)),
        (0_usize..40).prop_map(CountBy::strided_reduce),
        proptest::sample::subsequence((0..9_usize).collect::<Vec<_>>(), 0..7)
            .prop_shuffle()
            .prop_map(CountBy::list),
        proptest::collection::vec(0_usize..6, 0..7).prop_map(CountBy::list),
    ]
}

fn order() -> impl Strategy<Value = Ordering> {
    let group = prop_oneof![
        (0_u8..4).prop_map(Group::From),
        (0_u8..4, 0_u64..6).prop_map(|(dim, value)| Group::Value(dim, value)),
    ];
    let keys = proptest::sample::subsequence(vec![0_u8, 1, 2, 3], 0..4).prop_shuffle();
    (keys, proptest::collection::vec(group, 0..3))
        .prop_map(|(sort_by, group_by)| Ordering { sort_by, group_by })
}

proptest! {
    #[test]
    fn phases_are_those_of_the_definition(
        dims in proptest::collection::vec(dimension(), 1..5),
        order in order(),
        reduces: bool,
    ) {
        let phases = make(&dims, &order, reduces);
        let ids: Vec<Vec<usize>> = dims.iter().map(|dim| dim.ids().unwrap()).collect();
        let wanted = by_definition(&ids, &order);
        let found = as_run(&phases);
        let found_anew = Phases { found: None, ..make(&dims, &order, reduces) };
        prop_assert_eq!(&found, &as_run(&found_anew), "kept or not");
        prop_assert_eq!(sorted(found), sorted(wanted.clone()));
        // A dimension that takes several ids within a phase says so.
        for phase in &wanted {
            for dim in 0..dims.len() {
                let several = phase.iter().any(|item| item[dim] != phase[0][dim]);
                prop_assert!(!several || phases.spread().extent(dim) > 1);
            }
        }
        if reduces {
            let mut boxes = Vec::new();
            let mut next = 0;
            for (k, phase) in wanted.iter().enumerate() {
                let part = phases.subspace(k, &mut boxes);
                let numbers = part.partials();
                prop_assert_eq!(numbers.start, next);
                next = numbers.end;
                let of = |number| items_of(part.partial(number).unwrap());
                let mut items: Vec<_> = numbers.flat_map(of).collect();
                let mut wanted = phase.clone();
                items.sort();
                wanted.sort();
                prop_assert_eq!(items, wanted);
            }
            prop_assert_eq!(next, phases.n_partials());
        }
    }
}
