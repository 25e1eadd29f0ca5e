//! Whether each item of an index space runs once, at its own place, in whatever groups. It opens no device.

use flash::prelude::*;

#[flash::kernel]
pub(crate) fn numbered(x: ViewMut<'_, u32, 3>) {
    let (i, j, k) = (global_id(0), global_id(1), global_id(2));
    x[[k, j, i]] += i as u32 + 1000 * (j as u32 + 1000 * k as u32);
}

/// In each of three runs of a pipeline, of which the last is of a launch that is kept ready.
#[track_caller]
pub(crate) fn all_items_run_once(rt: &Runtime, space: [usize; 3]) {
    let [a, b, c] = space;
    let mut x = Buffer::<u32, 3>::zeros([c, b, a]);
    let mut p = rt.pipeline();
    p.push(numbered(&mut x).over(space));
    (0..3).for_each(|_| drop(p.exec().unwrap()));
    drop(p);
    let number = |at: usize| (at % a + 1000 * (at / a % b + 1000 * (at / a / b))) as u32;
    let found = x.to_vec().unwrap();
    let wrong = found.iter().enumerate().find(|(at, found)| **found != 3 * number(*at));
    assert_eq!(wrong, None, "over {space:?}");
}
