//! Branches of loops that a device runs by itself: they are taken as often as where the host decides, and each
//! launch is counted as often as it ran.

use flash::prelude::*;
use flash_tests::cuda::{OnCuda, TestCuda, cuda, devices};

use super::loops::{N, calls, counted, grown, start, without};

/// What is left of what is counted.
#[flash::kernel]
fn left_of(by: u32, count: &[u32], is: &mut [u32]) {
    let i = global_id(0);
    is[i] = count[i] % by;
}

#[flash::kernel]
fn filled(a: u32, count: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a + count[0] + i as u32;
}

/// What the loop below leaves, in plain Rust, and how often each branch was taken.
fn chosen(limit: u32, y: u32) -> (Vec<u32>, u32, [u64; 3]) {
    let (mut x, mut y, mut taken) = (start(), y, [0; 3]);
    for count in 1..=limit {
        if count % 3 == 0 {
            taken[0] += 1;
            x.iter_mut().for_each(|x| *x = x.wrapping_mul(3).wrapping_add(1));
            if count > 5 {
                taken[1] += 1;
                y = 1_000 + count;
            }
        } else {
            taken[2] += 1;
            x.iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(1));
        }
    }
    (x, y, taken)
}

/// Trips of a loop with branches, of a `for` or of a `while`.
fn branches(is_for: bool) {
    let Some(OnCuda { driver, rt }) = devices("devices=1,hazards=1") else { return };
    for is_on_device in [true, false] {
        if let Some(driver) = driver.as_ref().filter(|_| !is_on_device) {
            without(driver);
        }
        let (mut x, mut y) = (Buffer::from(start()), Buffer::from(vec![7_u32; N]));
        let (mut count, mut is) = (Var::new(0_u32), Var::new(9_u32));
        let limit = Var::new(0_u32);
        macro_rules! looped {
            ($($head:tt)*) => {
                flash_pipeline! { in &rt;
                    $($head)* {
                        counted(&mut count)[1];
                        left_of(3, &count, &mut is)[1];
                        if &is == 0 {
                            grown(3, &mut x)[N];
                            if &count > 5 {
                                filled(1_000, &count, &mut y)[N];
                            }
                        } else {
                            grown(5, &mut x)[N];
                        }
                    }
                }
            };
        }
        let mut p = if is_for {
            looped!(for _k in 0..&limit)
        } else {
            looped!(while &count < &limit, max 4_000)
        };
        for most in [3, 5, 6, 60, 200, 2_000] {
            limit.set(most).unwrap();
            count.set(0).unwrap();
            x.copy_from_slice(&start()).unwrap();
            y.fill(7).unwrap();
            if let Some(driver) = &driver {
                driver.clear();
            }
            let report = p.exec().unwrap();
            let (wanted, first, taken) = chosen(most, 7);
            assert_eq!(x.to_vec().unwrap(), wanted, "{most}");
            let y = y.to_vec().unwrap();
            assert!(y.iter().zip(0..).all(|(y, i)| *y == if first == 7 { 7 } else { first + i }));
            let times = |name: &str| report.kernel(name).map_or(0, |kernel| kernel.count);
            assert_eq!(times("counted"), u64::from(most));
            assert_eq!(times("filled"), taken[1], "{most}");
            assert_eq!(times("grown"), taken[0] + taken[2], "{most}");
            if let Some(driver) = &driver {
                let loops = calls(driver, "cuGraphLaunch");
                let is_long = is_on_device && most >= 60;
                assert_eq!(loops, if is_long { 1 + u64::from(most > 1_100) } else { loops });
                assert!(is_on_device || loops == 0);
            }
        }
        if let Some(driver) = &driver {
            assert_eq!(driver.hazards(), Vec::<String>::new());
            assert_eq!(driver.trouble(), "");
        }
    }
}

#[test]
fn branches_of_a_while_are_taken_on_the_device() {
    branches(false);
}

#[test]
fn branches_of_a_for_are_taken_on_the_device() {
    branches(true);
}

/// Its index is checked on the device, as nobody knows what `at` has.
#[flash::kernel]
fn moved(at: &[usize], count: &[u32], x: &mut [u32], y: &[u32]) {
    let i = global_id(0);
    x[i] += y[at[i] + count[0] as usize];
}

#[test]
fn what_a_branch_notes_ends_the_loop_and_is_said_as_ever() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let at = Buffer::from((0..N).collect::<Vec<_>>());
    let found = |last: usize| {
        let y = Buffer::from(vec![1_u32; N + last]);
        let (mut x, mut count, mut is) = (Buffer::from(start()), Var::new(0_u32), Var::new(9_u32));
        let mut z = Buffer::from(vec![0_u32; N]);
        let mut p = rt.pipeline();
        p.begin_while(count.lt(60), 1_000_u32);
        p.push(left_of(2, &count, &mut is).over([1]));
        p.begin_if(is.eq(0));
        p.push(moved(&at, &count, &mut x, &y).over([N]));
        p.begin_if(count.gt(3));
        p.push(filled(5, &count, &mut z).over([N]));
        p.end_if();
        p.end_if();
        p.push(counted(&mut count).over([1]));
        p.end_while();
        let done = p.exec();
        drop(p);
        let (ended, z) = (count.get().unwrap(), z.to_vec().unwrap());
        match done {
            Ok(_) => Ok((ended, x.to_vec().unwrap(), z)),
            Err(error) => Err((ended, error.to_string(), z[0])),
        }
    };
    let lasts = [3, 10, 41, 57, 59];
    let here = lasts.map(found);
    assert!(calls(&driver, "cuGraphLaunch") > 0);
    without(&driver);
    let there = lasts.map(found);
    let last = here.last().unwrap().as_ref().unwrap();
    assert_eq!((last.0, &last.1), (60, &start().into_iter().map(|x| x + 30).collect()));
    assert_eq!(last.2[0], 63, "in trip 58");
    // What stands behind the branch in that trip runs, and no branch does.
    let (ended, said, z) = here[2].as_ref().unwrap_err();
    assert_eq!((*ended, *z), (43, 45));
    assert!(said.contains("`moved`") && said.contains("`y`") && said.contains("141"), "{said}");
    let said = |found: &Result<_, (u32, String, u32)>| found.clone().map_err(|of| of.1);
    assert_eq!(here.each_ref().map(said), there.each_ref().map(said));
}
