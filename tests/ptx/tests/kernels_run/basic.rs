//! Indices, shared memory, shuffles and atomic operations.

use crate::support::{Device, Params, drawn};
use flash_test_ptx::Launch;

#[test]
pub(crate) fn saxpy_leaves_what_is_behind_the_end() {
    let device = Device::new("basic");
    let n = 1000;
    let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
    let y: Vec<f32> = (0..1024).map(|i| 3.0 - i as f32).collect();
    let (dx, dy) = (device.put(&x), device.put(&y));
    let params = Params::new().add(2.5_f32).add(dx).add(dy).add(n).0;
    let launch =
        Launch { grid: [8, 1, 1], block: [128, 1, 1], params: &params, ..Launch::default() };
    device.run("saxpy", &launch);
    let expected: Vec<f32> = (0..1024)
        .map(|i| if i < n as usize { 2.5_f32.mul_add(x[i], y[i]) } else { y[i] })
        .collect();
    assert_eq!(device.get::<f32>(dy, 1024), expected);
}

#[test]
pub(crate) fn lanes_and_warps_add_up() {
    let device = Device::new("basic");
    let n = 5000_u32;
    let x: Vec<f32> = (0..n).map(|i| (i % 17) as f32).collect();
    let (dx, out) = (device.put(&x), device.put(&[0.0_f32]));
    let params = Params::new().add(dx).add(out).add(n).0;
    for host_threads in [1, 3] {
        let launch = Launch {
            grid: [5, 1, 1],
            block: [256, 1, 1],
            params: &params,
            host_threads,
            ..Launch::default()
        };
        device.run("sum_shuffle", &launch);
    }
    let sum: f32 = x.iter().sum();
    assert_eq!(device.get::<f32>(out, 1), [2.0 * sum]);
}

#[test]
pub(crate) fn tiles_of_matrices_are_multiplied() {
    let device = Device::new("basic");
    let n = 48;
    let mut next = drawn(3);
    let mut matrix = || (0..n * n).map(|_| (next() % 9) as f32 - 4.0).collect::<Vec<f32>>();
    let (a, b) = (matrix(), matrix());
    let (da, db, dc) = (device.put(&a), device.put(&b), device.put(&vec![0.0_f32; n * n]));
    let params = Params::new().add(da).add(db).add(dc).add(n as i32).0;
    let launch =
        Launch { grid: [3, 3, 1], block: [16, 16, 1], params: &params, ..Launch::default() };
    device.run("matmul", &launch);
    let c = device.get::<f32>(dc, n * n);
    for row in 0..n {
        for col in 0..n {
            let expected: f32 = (0..n).map(|k| a[row * n + k] * b[k * n + col]).sum();
            assert_eq!(c[row * n + col], expected, "{row}, {col}");
        }
    }
}

#[test]
pub(crate) fn bytes_are_counted_in_dynamic_shared_memory() {
    let device = Device::new("basic");
    let mut next = drawn(5);
    let x: Vec<u8> = (0..4000).map(|_| (next() % 200) as u8).collect();
    let (dx, bins) = (device.put(&x), device.put(&[0_u32; 256]));
    let params = Params::new().add(dx).add(4000_u32).add(bins).0;
    let launch = Launch {
        grid: [4, 1, 1],
        block: [96, 1, 1],
        dynamic_shared: 1024,
        params: &params,
        ..Launch::default()
    };
    device.run("histogram", &launch);
    let mut expected = vec![0; 256];
    x.iter().for_each(|&byte| expected[byte as usize] += 1);
    assert_eq!(device.get::<u32>(bins, 256), expected);
}
