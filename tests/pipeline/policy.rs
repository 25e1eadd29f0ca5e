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
