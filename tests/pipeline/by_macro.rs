//! Pipelines that `macro_rules!` writes.

use flash::prelude::*;

use crate::{counted, mix, mixed, on_each_device};

/// Variables, bounds and values of the caller; the macro's own `k` is never in its sight.
macro_rules! rounds {
    ($rt:expr, $x:ident, |$v:ident| $n:expr, $value:expr) => {
        flash_pipeline! { in $rt;
            for k in 0..2_u64 { mix(2, k, &mut $x)[$x.len()]; }
            for $v in 0..$n * 2 {
                let twice = 2 * $v;
                let more = (0..3).map(|$v| $v * 1_u64).sum::<u64>();
                mix($value * 3, twice + more, &mut $x)[1 * $x.len()];
                for $v in 0..$v { mix(5, $value, &mut $x)[$x.len()]; }
            }
        }
    };
}

#[test]
fn values_of_the_caller() {
    on_each_device(|rt| {
        let (mut x, k) = (Buffer::from(counted(3)), 4_u64);
        rounds!(rt, x, |step| 1 + 1, step + k).exec().unwrap();
        let wanted = |mut x: u64| {
            for k in 0..2 {
                x = mixed(x, 2, k);
            }
            for step in 0..4 {
                x = mixed(x, (step + k) * 3, 2 * step + 3);
                for step in 0..step {
                    x = mixed(x, 5, step + k);
                }
            }
            x
        };
        let wanted: Vec<u64> = counted(3).into_iter().map(wanted).collect();
        assert_eq!(x.to_vec().unwrap(), wanted);
    });
}
