//! Threads that wait for each other: tiles of a warp, all blocks of a grid, and assertions.

use crate::support::{Device, Params};
use flash_test_ptx::{FaultKind, Launch};

#[test]
fn blocks_of_a_grid_wait_for_each_other() {
    let device = Device::new("grid");
    let n = 12 * 64;
    let first: Vec<i32> = (0..n).map(|i| i * i % 101).collect();
    let mut expected = first.clone();
    for k in 0..4 {
        let before = expected.clone();
        for (i, value) in expected.iter_mut().enumerate() {
            *value = before[(i + 1) % n as usize] + k;
        }
    }
    for host_threads in [1, 2] {
        let x = device.put(&first);
        let params = Params::new().add(x).add(n).0;
        let launch = Launch {
            grid: [12, 1, 1],
            block: [64, 1, 1],
            params: &params,
            cooperative: true,
            host_threads,
            ..Launch::default()
        };
        device.run("phases", &launch);
        assert_eq!(device.get::<i32>(x, n as usize), expected);
    }
}

#[test]
fn tiles_and_those_that_came_along_are_groups() {
    let device = Device::new("grid");
    let x: Vec<i32> = (0..64).map(|i| i * 5 % 7).collect();
    let out = device.put(&[-1_i32; 96]);
    let params = Params::new().add(device.put(&x)).add(out).0;
    device.run("tiles", &Launch { block: [64, 1, 1], params: &params, ..Launch::default() });
    let found = device.get::<i32>(out, 96);
    for tile in 0..8 {
        assert_eq!(found[tile], x[8 * tile..8 * tile + 8].iter().sum::<i32>());
    }
    for (i, value) in x.iter().enumerate() {
        let warp = i / 32 * 32;
        let odd = |range: std::ops::Range<usize>| x[range].iter().filter(|v| *v & 1 == 1).count();
        let expected = match value & 1 {
            1 => (odd(warp..warp + 32) * 100 + odd(warp..i)) as i32,
            _ => -1,
        };
        assert_eq!(found[32 + i], expected, "thread {i}");
    }
}

#[test]
fn an_assertion_says_what_it_says() {
    let device = Device::new("grid");
    let params = Params::new().add(7).0;
    // It prints first, which nobody does here.
    let launch = Launch { block: [2, 1, 1], params: &params, ..Launch::default() };
    let fault = device.try_run("says", &launch).expect_err("it prints");
    assert!(matches!(&fault.kind, FaultKind::Unsupported { what } if what.contains("vprintf")));
}
