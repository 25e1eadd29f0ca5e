//! Loops that a device runs by itself though arrays are exchanged in each trip: the launches of as many trips as
//! it takes until all is back take turns.

use flash::Error;
use flash::prelude::*;
use flash_test_cuda::Code;
use flash_tests::cuda::{OnCuda, TestCuda, assert_orderly, cuda, devices};

use crate::conditions::Draw;
use crate::loops::{N, calls, counted, grown, start, without};

/// Half of what an element and its neighbours are.
#[flash::kernel]
fn relaxed(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let left = if i == 0 { 0 } else { x[i - 1] };
    let right = if i + 1 == x.extent(0) { 0 } else { x[i + 1] };
    y[i] = (left + x[i] + right) / 2;
}

/// The same on the host, so often.
fn expected(trips: u32) -> Vec<u32> {
    (0..trips).fold(start(), |x, _| {
        let at = |i: usize| x.get(i).copied().unwrap_or(0);
        let left = |i: usize| i.checked_sub(1).map_or(0, at);
        (0..N).map(|i| left(i).wrapping_add(at(i)).wrapping_add(at(i + 1)) / 2).collect()
    })
}

/// Trips up to a limit: the count at the end, and both arrays.
fn run(rt: &Runtime, limit: u32, max: u64) -> flash::Result<(u32, Vec<u32>, Vec<u32>)> {
    let (x, mut y) = (Buffer::from(start()), Buffer::from(vec![0; N]));
    let mut count = Var::new(0_u32);
    let done = flash_pipeline! { in rt;
        while &count < limit, max max {
            relaxed(&x, &mut y)[N];
            counted(&mut count)[1];
            swap(x, y);
        }
    }
    .exec();
    match done {
        Err(Error::Endless { max, .. }) => assert_eq!(u64::from(count.get()?), max),
        done => assert_eq!(done?.kernel("relaxed").unwrap().count, u64::from(count.get()?)),
    }
    Ok((count.get()?, x.to_vec()?, y.to_vec()?))
}

/// What the arrays are after so many trips.
fn both(trips: u32) -> (u32, Vec<u32>, Vec<u32>) {
    let before = if trips == 0 { vec![0; N] } else { expected(trips - 1) };
    (trips, expected(trips), before)
}

#[test]
fn arrays_are_where_they_are_with_the_host_after_any_number_of_trips() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    for is_on_device in [true, false] {
        if !is_on_device {
            without(&driver);
        }
        for limit in [0, 1, 2, 3, 4, 5, 6, 7, 30, 31, 200] {
            driver.clear();
            assert_eq!(run(&rt, limit, 1_000).unwrap(), both(limit), "{limit} trips");
            assert_eq!(calls(&driver, "cuGraphLaunch"), u64::from(is_on_device && limit > 3));
        }
        for max in [0, 1, 2, 3, 4, 5, 17, 18, 1_031] {
            let trips = u32::try_from(max).unwrap();
            assert_eq!(run(&rt, 9_999, max).unwrap(), both(trips), "at most {max} trips");
        }
    }
    assert_orderly(&driver);
    drop(rt);
    let alive = driver.alive();
    assert_eq!((alive.execs, alive.graphs, alive.allocations), (0, 0, 0), "none is left");
}

/// After an odd number of trips the next run begins where arrays are exchanged.
#[test]
fn a_kept_pipeline_begins_where_it_has_ended() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    let (x, mut y) = (Buffer::from(start()), Buffer::from(vec![0; N]));
    let mut count = Var::new(0_u32);
    let mut p = flash_pipeline! { in &rt;
        while &count < 7, max 1_000 {
            relaxed(&x, &mut y)[N];
            swap(x, y);
            counted(&mut count)[1];
        }
    };
    for k in 1..7 {
        driver.clear();
        assert_eq!(p.exec().unwrap().kernel("counted").unwrap().count, 7);
        count.set(0).unwrap();
        let names = ["cuGraphLaunch", "cuLaunchKernel", "cuGraphInstantiateWithFlags"];
        let [loops, launches, made] = names.map(|name| calls(&driver, name));
        // Each of both beginnings has a loop of its own.
        let is_new = u64::from(k < 3);
        assert_eq!((loops, made), (1, is_new), "run {k}");
        // What the host has set is brought by the first trip.
        assert_eq!(launches, if k == 1 { 6 } else { 2 }, "run {k}");
    }
    drop(p);
    assert_eq!(x.to_vec().unwrap(), expected(42));
    assert_eq!(y.to_vec().unwrap(), expected(41));
    assert_orderly(&driver);
}

/// Twice what it was, and by how much.
#[flash::kernel]
fn doubled(by: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 2 * x[i] + by;
}

/// Whether a trip is one of those that are told apart.
#[flash::kernel]
fn told_apart(count: &[u32], is: &mut [u32]) {
    let i = global_id(0);
    is[i] = count[i] % 2;
}

/// Three arrays take turns, in a `for`, in which a branch comes before an exchange and another one behind it.
#[test]
fn three_arrays_go_round_beside_branches() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    for is_on_device in [true, false] {
        if !is_on_device {
            without(&driver);
        }
        for trips in [0_u32, 1, 5, 20, 21, 22] {
            driver.clear();
            let first: Vec<u32> = (0..N as u32).collect();
            let (a, mut b) = (Buffer::from(first.clone()), Buffer::from(vec![1; N]));
            let (mut c, mut count, mut is) =
                (Buffer::from(vec![2_u32; N]), Var::new(0_u32), Var::new(0_u32));
            flash_pipeline! { in &rt;
                for _ in 0..trips {
                    told_apart(&count, &mut is)[1];
                    if &is == 0 { doubled(1, &a, &mut b)[N]; } else { doubled(5, &a, &mut c)[N]; }
                    swap(a, b);
                    if &is == 1 { doubled(9, &c, &mut b)[N]; }
                    swap(b, c);
                    counted(&mut count)[1];
                }
            }
            .exec()
            .unwrap();
            let mut plain = [first, vec![1; N], vec![2; N]];
            for trip in 0..trips {
                let double = |x: &[u32], by: u32| -> Vec<u32> {
                    x.iter().map(|x| x.wrapping_mul(2).wrapping_add(by)).collect()
                };
                match trip % 2 {
                    0 => plain[1] = double(&plain[0], 1),
                    _ => plain[2] = double(&plain[0], 5),
                }
                plain.swap(0, 1);
                if trip % 2 == 1 {
                    plain[1] = double(&plain[2], 9);
                }
                plain.swap(1, 2);
            }
            let found = [a, b, c].map(|array| array.to_vec().unwrap());
            assert_eq!(found, plain, "{trips} trips");
            let loops = calls(&driver, "cuGraphLaunch");
            // Each branch has to be taken once with each array in each place.
            assert_eq!(loops > 0, is_on_device && trips > 12, "{trips} trips: {loops}");
        }
    }
    assert_orderly(&driver);
}

/// Goes beyond its end in a trip.
#[flash::kernel]
fn beyond(count: &[u32], x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i + count[0] as usize];
}

/// On the device exchanges are those of the trips before, and those before the launch in its own; the host may have
/// begun more.
#[test]
fn what_a_launch_notes_is_said_and_what_comes_before_it_is_made() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    for is_on_device in [true, false] {
        if !is_on_device {
            without(&driver);
        }
        for (room, is_before) in [(6, false), (7, false), (6, true), (7, true)] {
            driver.clear();
            // Nobody writes what is behind the first ones.
            let (x, y) = (vec![7_u32; N + room], vec![0; N + room]);
            let (x, mut y, mut count) = (Buffer::from(x), Buffer::from(y), Var::new(0_u32));
            let mut p = rt.pipeline();
            p.begin_while(count.lt(100_u32), 100_u32);
            if is_before {
                p.swap(&x, &y);
            }
            p.push(beyond(&count, &x, &mut y).over([N]));
            p.push(counted(&mut count).over([1]));
            if !is_before {
                p.swap(&x, &y);
            }
            p.end_while();
            let error = p.exec().unwrap_err();
            drop(p);
            let Error::OutOfBounds { kernel, index, .. } = error else { panic!("{error}") };
            assert_eq!((kernel, index), ("beyond", vec![N + room]));
            assert_eq!(calls(&driver, "cuGraphLaunch"), u64::from(is_on_device));
            let exchanges = room + 1 + usize::from(is_before);
            let behind = [&x, &y].map(|array| array.get(N + room - 1).unwrap());
            let expected = if exchanges.is_multiple_of(2) { [7, 0] } else { [0, 7] };
            assert!(behind == expected || !is_on_device, "{room}, {is_before}: {behind:?}");
        }
    }
}

/// Arrays that a trip uses unequally often are free to leave afterwards, also where the loop did not go to the
/// device in the end.
#[test]
fn arrays_are_free_to_leave_under_whichever_name() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let (x, mut y, mut count) = (Buffer::from(start()), Buffer::from(vec![0; N]), Var::new(0_u32));
    let (mut p, mut out) = (rt.pipeline(), rt.pipeline());
    p.begin_while(count.lt(9_u32), 100_u32);
    p.push(relaxed(&x, &mut y).over([N]));
    p.push(grown(1, &mut y).over([N]));
    p.push(grown(1, &mut y).over([N]));
    p.push(counted(&mut count).over([1]));
    p.swap(&x, &y);
    p.end_while();
    out.evict(&x, 0).evict(&y, 0).evict(&count, 0);
    for run in 0..6 {
        if run == 3 {
            without(&driver);
        }
        p.exec().unwrap();
        count.set(0).unwrap();
        out.exec().unwrap();
        assert_eq!(rt.devices()[0].bytes_used(), 0, "run {run}");
    }
    assert!(calls(&driver, "cuGraphLaunch") >= 3);
}

#[test]
fn a_device_that_is_lost_is_an_error_and_arrays_that_are_set_again_are_right() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    assert_eq!(run(&rt, 20, 1_000).unwrap(), both(20));
    driver.fail("cuGraphLaunch", 1, Code::ILLEGAL_ADDRESS);
    let error = run(&rt, 21, 1_000).unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error}");
    let rt = rt.recover().unwrap();
    assert_eq!(run(&rt, 21, 1_000).unwrap(), both(21));
}

/// What is looked at is exchanged, or only some trips exchange something: the host asks.
#[test]
fn what_differs_from_trip_to_trip_stays_with_the_host() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let (mut even, odd) = (Var::new(0_u32), Var::new(100_u32));
    flash_pipeline! { in &rt;
        while &even < 110, max 1_000 {
            counted(&mut even)[1];
            swap(even, odd);
        }
    }
    .exec()
    .unwrap();
    assert_eq!((even.get().unwrap(), odd.get().unwrap()), (110, 11));
    let (x, mut y) = (Buffer::from(start()), Buffer::from(vec![0; N]));
    let (mut count, mut is) = (Var::new(0_u32), Var::new(0_u32));
    flash_pipeline! { in &rt;
        while &count < 20, max 1_000 {
            relaxed(&x, &mut y)[N];
            told_apart(&count, &mut is)[1];
            if &is == 0 { swap(x, y); }
            counted(&mut count)[1];
        }
    }
    .exec()
    .unwrap();
    assert_eq!(x.to_vec().unwrap(), expected(10));
    assert_eq!(calls(&driver, "cuGraphLaunch"), 0);
}

/// What a random trip does.
enum Step {
    /// Twice an array, and by how much, into another one.
    Doubled {
        by: u32,
        from: usize,
        to: usize,
    },
    Exchange(usize, usize),
}

/// Random trips over four arrays, in which up to three exchanges are anywhere.
#[test]
fn random_exchanges_are_those_of_rust() {
    let Some(OnCuda { driver, rt }) = devices("devices=1,hazards=1") else { return };
    let (mut draw, mut on_device) = (Draw(3), 0);
    for round in 0..150 {
        let two = |draw: &mut Draw| {
            let (a, by) = (draw.below(4), 1 + draw.below(3));
            (a as usize, ((a + by) % 4) as usize)
        };
        let exchanges = draw.below(4);
        let mut steps = Vec::new();
        for _ in 0..2 + draw.below(3) {
            let (from, to) = two(&mut draw);
            steps.push(Step::Doubled { by: draw.below(9) as u32, from, to });
        }
        for _ in 0..exchanges {
            let (a, b) = two(&mut draw);
            let at = draw.below(steps.len() as u64 + 1) as usize;
            steps.insert(at, Step::Exchange(a, b));
        }
        let trips = draw.below(40) as u32;
        let mut plain: [Vec<u32>; 4] =
            std::array::from_fn(|k| (0..N as u32).map(|i| i * (k as u32 + 1)).collect());
        let mut arrays = plain.clone().map(Buffer::from);
        let mut count = Var::new(0_u32);
        let mut p = rt.pipeline();
        p.begin_while(count.lt(trips), 1_000_u32);
        for step in &steps {
            match *step {
                Step::Doubled { by, from, to } => {
                    let [from, to] = arrays.get_disjoint_mut([from, to]).unwrap();
                    p.push(doubled(by, &*from, to).over([N]));
                }
                Step::Exchange(a, b) => {
                    p.swap(&arrays[a], &arrays[b]);
                }
            }
        }
        p.push(counted(&mut count).over([1]));
        p.end_while();
        for run in 1..=2 {
            driver.iter().for_each(|driver| driver.clear());
            p.exec().unwrap();
            count.set(0).unwrap();
            on_device += driver.as_ref().map_or(0, |driver| calls(driver, "cuGraphLaunch"));
            for _ in 0..trips {
                for step in &steps {
                    match *step {
                        Step::Doubled { by, from, to } => {
                            let double = |x: &u32| x.wrapping_mul(2).wrapping_add(by);
                            plain[to] = plain[from].iter().map(double).collect();
                        }
                        Step::Exchange(a, b) => plain.swap(a, b),
                    }
                }
            }
            let found = arrays.each_ref().map(|array| array.to_vec().unwrap());
            assert_eq!(found, plain, "round {round}, run {run}, {trips} trips");
        }
    }
    if driver.is_some() {
        assert!(on_device > 150, "{on_device} loops on the device");
    }
    assert_orderly(driver.as_ref());
}
