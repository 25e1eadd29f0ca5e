//! Parts in `sync` and others of one pipeline: what meets in one must miss in the other, and results
//! are the same.

use flash::prelude::*;

use crate::overlap::{LONG, SHORT, kernel, sides, task};
use crate::{counted, mix, mixed, on_each_device};

#[test]
fn a_policy_holds_from_where_it_is_stated() {
    for key in ["ALL_CPU", "SIM"] {
        {
            let builder = Runtime::builder().devices(key).threads(2).dataflow(true);
            let rt = builder.build().unwrap();
            let arrays = [(); 6].map(|()| Buffer::from(counted(2)));
            let mut p = rt.pipeline();
            for (k, two) in arrays.chunks(2).enumerate() {
                p.sync(k == 1);
                let [a, b] = sides(if k == 1 { SHORT } else { LONG });
                kernel(&mut p, &mut two[0].clone(), &a);
                p.push(task("other", &mut two[1].clone(), &b));
            }
            p.exec().unwrap();
            for (k, two) in arrays.chunks(2).enumerate() {
                let values = [two[0].to_vec().unwrap(), two[1].to_vec().unwrap()];
                if k == 1 {
                    assert!(values.contains(&vec![0, 0]), "{key} {k}: they met: {values:?}");
                } else {
                    assert_eq!(values, [[3, 6], [3, 6]], "{key} {k}: a miss");
                }
            }
        }
    }
}

#[test]
fn trips_of_a_loop_change_their_policy_inside() {
    on_each_device(|rt| {
        let (mut x, mut y) = (Buffer::from(counted(9)), Buffer::from(counted(9)));
        let mut p = rt.pipeline();
        let k = p.begin_for(0..30_u64);
        p.push(mix(3, k, &mut x).over([9]));
        p.sync(true);
        p.push(mix(5, k, &mut y).over([9]));
        p.sync(false);
        p.push(mix(7, 1, &mut x).over([9]));
        p.end_for();
        for _ in 0..3 {
            x.copy_from_slice(&counted(9)).unwrap();
            y.copy_from_slice(&counted(9)).unwrap();
            p.exec().unwrap();
            let after = |of: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                (1..=9).map(|x| (0..30).fold(x, of)).collect()
            };
            assert_eq!(x.to_vec().unwrap(), after(&|x, k| mixed(mixed(x, 3, k), 7, 1)));
            assert_eq!(y.to_vec().unwrap(), after(&|y, k| mixed(y, 5, k)));
        }
    });
}

/// The policy is one of each pipeline.
#[test]
fn pipelines_that_are_launched_side_by_side_meet_also_under_sync() {
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::builder().devices(key).threads(2).sync(true).build().unwrap();
        let arrays = [(); 2].map(|()| Buffer::from(counted(2)));
        let [a, b] = sides(LONG);
        let mut first = rt.pipeline();
        kernel(&mut first, &mut arrays[0].clone(), &a);
        let mut second = rt.pipeline();
        second.push(task("other", &mut arrays[1].clone(), &b));
        let handles = [first.launch(), second.launch()];
        handles.iter().for_each(|handle| drop(handle.wait().unwrap()));
        assert_eq!(arrays.map(|x| x.to_vec().unwrap()), [[3, 6], [3, 6]], "{key}: a miss");

        // One whose host task waits for another comes to its end.
        let (mut x, inner) = (Buffer::from(counted(2)), rt.clone());
        let mut outer = rt.pipeline();
        let mut y = Buffer::from(counted(2));
        outer.push(Task::new("outer", (&mut x,), move |(mut x,)| {
            let mut p = inner.pipeline();
            p.push(mix(3, 0, &mut y).over([2]));
            p.launch().wait().unwrap();
            x[[0]] = y.get(0).unwrap();
        }));
        outer.exec().unwrap();
        assert_eq!(x.get(0).unwrap(), mixed(1, 3, 0), "{key}");
    }
}
