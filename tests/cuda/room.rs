//! Memory of a device that runs out at each of the allocations that a pipeline makes, also when it is tried
//! again: room is made, another device takes over, or an error says what it was for.

use flash::Error;
use flash::prelude::*;
use flash_test_cuda::{Code, TestDriver};
use flash_tests::chain::add;
use flash_tests::cuda::{TestCuda, built};

use crate::late::{N, expected, in_turn, run};

/// Has an allocation fail, and so many behind it.
fn run_out(driver: &TestDriver, call: &str, nth: u64, more: u64) {
    (nth..=nth + more).for_each(|nth| driver.fail(call, nth, Code::OUT_OF_MEMORY));
}

#[test]
fn each_allocation_that_fails_is_made_again_or_an_error_that_says_what_for() {
    each_allocation_that_fails("devices=1", "cuMemAllocAsync");
}

#[test]
fn nor_does_it_matter_whether_a_device_has_pools() {
    each_allocation_that_fails("devices=1,pools=0", "cuMemAlloc_v2");
}

/// With what memory of such a device is taken with.
fn each_allocation_that_fails(settings: &str, take: &str) {
    let Some(TestCuda { driver, rt }) = built(settings, |builder| builder) else { return };
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let (mut results, mut errors) = (0, 0);
    for call in [take, "cuMemHostAlloc"] {
        for more in [0, 1, 40] {
            for nth in 1..=40 {
                run_out(&driver, call, nth, more);
                let result = run(&rt, &x);
                let is_over = driver.failures_left() as u64 == more + 1;
                driver.forgive();
                match result {
                    Ok((sums, _)) => {
                        assert_eq!(sums, expected(), "{call} {nth}");
                        results += 1;
                    }
                    Err(error) => {
                        let said = error.to_string();
                        assert!(
                            matches!(error, Error::OutOfMemory { .. }),
                            "{call} {nth}: {error:?}"
                        );
                        assert!(said.contains("node "), "{call} {nth}: {said}");
                        assert!(said.contains(rt.devices()[0].name()), "{call} {nth}: {said}");
                        errors += 1;
                    }
                }
                assert_eq!(run(&rt, &x).unwrap().0, expected(), "after {call} {nth}");
                if is_over {
                    break;
                }
            }
        }
    }
    assert!(results > 15 && errors > 3, "{results} results and {errors} errors");
}

#[test]
fn where_no_memory_of_the_host_is_pinned_copies_are_slower() {
    for nth in 1..=3 {
        let Some(TestCuda { driver, rt }) = built("devices=1", |builder| builder) else { return };
        let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
        run_out(&driver, "cuMemHostAlloc", nth, 400);
        assert_eq!(run(&rt, &x).unwrap(), (expected(), 0), "{nth}");
        // Long ones, of what the program has lent, too.
        let (from, mut to) = (vec![6_u32; 1 << 16], vec![0_u32; 1 << 16]);
        rt.submit(add(&from[..], &mut to[..])).exec([1 << 16]).unwrap();
        assert_eq!(to, vec![7; 1 << 16], "{nth}");
        // One at least has failed: how many are asked for depends on when copies end.
        assert!(driver.failures_left() <= 400, "{nth}: {}", driver.failures_left());
        driver.forgive();
        assert_eq!(run(&rt, &x).unwrap(), (expected(), 0), "after {nth}");
    }
}

#[test]
fn a_device_without_room_hands_over() {
    let Some(TestCuda { driver, rt }) = in_turn() else { return };
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let mut fallen = 0;
    for nth in 1..=20 {
        // Whatever is tried again on the device, or on the other one.
        run_out(&driver, "cuMemAllocAsync", nth, 400);
        let (sums, elsewhere) = run(&rt, &x).unwrap();
        driver.forgive();
        assert_eq!(sums, expected(), "{nth}");
        fallen += elsewhere;
        assert_eq!(run(&rt, &x).unwrap(), (expected(), 0), "after {nth}");
    }
    assert!(fallen > 20, "{fallen} launches ran elsewhere");
}
