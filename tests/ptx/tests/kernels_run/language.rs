//! What CUDA C++ has beside arithmetic: structures, constants, calls, tables, local arrays.

use crate::support::{Device, Params, drawn};
use flash_test_ptx::{FaultKind, Launch};

/// `Body` of `language.cu`, as bytes.
fn body(x: f32, w: f64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in [x, 2.0, 3.0, 4.0] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(w.to_le_bytes());
    bytes.extend([b'a', 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

#[test]
pub(crate) fn structures_go_by_value_and_functions_are_called() {
    let device = Device::new("language");
    let n = 20;
    let (out, outs) = (device.put(&[0.0_f32; 32]), device.put(&[0_u8; 32 * 32]));
    let mut params = Params::new();
    params.0 = body(1.5, 0.25);
    let params = params.add(n).add(out).add(outs).0;
    let launch = Launch { block: [32, 1, 1], params: &params, ..Launch::default() };
    device.run("by_value", &launch);
    let table = [1.5, 2.5, 3.5, 4.5];
    let expected: Vec<f32> = (0..32)
        .map(|i| if i < n { 1.5 * i as f32 + table[i as usize & 3] + 0.25 } else { 0.0 })
        .collect();
    assert_eq!(device.get::<f32>(out, 32), expected);
    for i in 0..n as usize {
        let mut changed = body(1.5 + i as f32, 0.25);
        changed[24] = b'q';
        assert_eq!(device.get::<u8>(outs + 32 * i as u64, 25), changed[..25], "{i}");
    }
    assert_eq!(device.global::<i32>("counter", 1), [7 + (0..n).sum::<i32>()]);
}

#[test]
pub(crate) fn variables_hold_addresses_of_others() {
    let device = Device::new("language");
    let at = device.global::<u64>("pointer", 1)[0];
    assert_eq!(device.get::<i32>(at, 1), [7]);
    assert_eq!(device.global::<f64>("grid_of", 6), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
pub(crate) fn functions_are_called_by_address() {
    let device = Device::new("language");
    let x: Vec<f32> = (0..40).map(|i| i as f32).collect();
    let out = device.put(&x);
    let params = Params::new().add(out).add(37).0;
    device.run("indirect", &Launch { block: [64, 1, 1], params: &params, ..Launch::default() });
    let expected: Vec<f32> = (0..40)
        .map(|i| match i {
            37.. => i as f32,
            _ if i % 2 == 0 => 2.0 * i as f32,
            _ => i as f32 / 3.0,
        })
        .collect();
    assert_eq!(device.get::<f32>(out, 40), expected);
}

#[test]
pub(crate) fn ways_part_and_meet_again() {
    let device = Device::new("language");
    let mut next = drawn(11);
    let n = 500;
    let op: Vec<i32> = (0..n).map(|_| (next() % 11) as i32 - 1).collect();
    let x: Vec<i32> = (0..n).map(|_| next() as i32).collect();
    let (dop, dx, out) = (device.put(&op), device.put(&x), device.put(&vec![0; n]));
    let params = Params::new().add(dop).add(dx).add(out).add(n as i32).0;
    let launch =
        Launch { grid: [4, 1, 1], block: [128, 1, 1], params: &params, ..Launch::default() };
    device.run("switches", &launch);
    let expected: Vec<i32> = (0..n)
        .map(|i| {
            let v = x[i];
            match op[i] {
                0 => v.wrapping_add(3),
                1 => v.wrapping_mul(5),
                2 => v / 7,
                3 => v % 11,
                4 => v ^ 0x55,
                5 => v << 3,
                6 => v.count_ones() as i32,
                7 => v.leading_zeros() as i32,
                8 => (0..v & 31).fold(v, |v, k| v.wrapping_mul(3).wrapping_add(k)),
                _ => v.wrapping_neg(),
            }
        })
        .collect();
    assert_eq!(device.get::<i32>(out, n), expected);
}

#[test]
pub(crate) fn threads_have_arrays_of_their_own() {
    let device = Device::new("language");
    let out = device.put(&[0_i32; 64]);
    let n = 23;
    let params = Params::new().add(out).add(n).0;
    device.run(
        "locals",
        &Launch { grid: [2, 1, 1], block: [32, 1, 1], params: &params, ..Launch::default() },
    );
    let expected: Vec<i32> = (0..64)
        .map(|thread| {
            let mut a: Vec<i32> = (0..16).map(|k| k * k + thread % 32).collect();
            for k in 0..n {
                let j = ((a[k as usize & 15] + k) & 15) as usize;
                let t = a[j];
                a[j] = a[(j + 5) & 15];
                a[(j + 5) & 15] = t + 1;
            }
            a.iter().fold(0_i32, |s, v| s.wrapping_mul(31).wrapping_add(*v))
        })
        .collect();
    assert_eq!(device.get::<i32>(out, 64), expected);
}

#[test]
pub(crate) fn vectors_are_loaded_and_stored() {
    let device = Device::new("language");
    let a: Vec<f32> = (0..32).map(|i| i as f32).collect();
    let b: Vec<f64> = (0..16).map(|i| i as f64 + 0.5).collect();
    let q: Vec<u16> = (0..32).collect();
    let r: Vec<u8> = (0..16).collect();
    let (da, db) = (device.put(&a), device.put(&b));
    let (o, p) = (device.put(&[0.0_f32; 32]), device.put(&[0.0_f64; 16]));
    let (dq, dr) = (device.put(&q), device.put(&r));
    let params = Params::new().add(da).add(db).add(o).add(p).add(dq).add(dr).0;
    device.run("vectors", &Launch { block: [8, 1, 1], params: &params, ..Launch::default() });
    let reversed: Vec<f32> = a.chunks(4).flat_map(|v| [v[3], v[2], v[1], v[0]]).collect();
    assert_eq!(device.get::<f32>(o, 32), reversed);
    let swapped: Vec<f64> =
        b.chunks(2).zip(a.chunks(4)).flat_map(|(w, v)| [w[1], w[0] + f64::from(v[0])]).collect();
    assert_eq!(device.get::<f64>(p, 16), swapped);
    let turned: Vec<u16> = q.chunks(4).flat_map(|u| [u[1] + 1, u[0], u[3], u[2]]).collect();
    assert_eq!(device.get::<u16>(dq, 32), turned);
    let pairs: Vec<u8> = r.chunks(2).flat_map(|c| [c[1], c[0].wrapping_sub(1)]).collect();
    assert_eq!(device.get::<u8>(dr, 16), pairs);
}

#[test]
pub(crate) fn a_trap_says_where() {
    let device = Device::new("language");
    let run = |kind: i32, thread: i32| {
        let params = Params::new().add(kind).add(thread).0;
        let (grid, block) = ([2, 1, 1], [64, 1, 1]);
        device.try_run("traps", &Launch { grid, block, params: &params, ..Launch::default() })
    };
    let fault = run(0, 40).expect_err("thread 40 traps");
    assert_eq!(fault.kind, FaultKind::Trap);
    assert_eq!((fault.block, fault.thread), ([0; 3], [40, 0, 0]));
    assert!(fault.instruction.starts_with("trap"), "{fault}");
    assert_eq!(run(1, 40), Ok(()));
    assert_eq!(run(0, 64), Ok(()));
}

#[test]
pub(crate) fn lanes_vote() {
    let device = Device::new("language");
    let x: Vec<i32> = (0..32).map(|i| i * 7 % 10 + 1).collect();
    let (out, dx) = (device.put(&[0_u32; 32 * 8]), device.put(&x));
    let params = Params::new().add(out).add(dx).0;
    device.run("votes", &Launch { block: [32, 1, 1], params: &params, ..Launch::default() });
    let found = device.get::<u32>(out, 32 * 8);
    let mask = |f: &dyn Fn(i32) -> bool| {
        (0..32).filter(|&i| f(x[i as usize])).fold(0_u32, |mask, i| mask | 1 << i)
    };
    for (i, &v) in x.iter().enumerate() {
        let above = mask(&|it| it > 3);
        let expected = [
            above,
            1,
            u32::from(x.contains(&9)),
            mask(&|it| it == v),
            // The mask of all and the predicate.
            u32::MAX.wrapping_add(1),
            x.iter().sum::<i32>() as u32,
            *x.iter().max().expect("some") as u32,
            (x.iter().fold(0, |o, v| o | v) as u32)
                .wrapping_add(above.count_ones() << 8)
                .wrapping_add(1),
        ];
        assert_eq!(found[i * 8..i * 8 + 8], expected, "lane {i}");
    }
}

#[test]
pub(crate) fn a_lock_goes_round() {
    let device = Device::new("language");
    for host_threads in [1, 2] {
        let (lock, count) = (device.put(&[0_i32]), device.put(&[0_i32]));
        let params = Params::new().add(lock).add(count).0;
        let launch = Launch {
            grid: [3, 1, 1],
            block: [128, 1, 1],
            params: &params,
            host_threads,
            ..Launch::default()
        };
        device.run("spin", &launch);
        assert_eq!(device.get::<i32>(count, 1), [384]);
    }
    let entry = device.module.entry("spin").expect("it is there");
    assert_eq!((entry.max_threads, entry.min_blocks), (Some([128, 1, 1]), Some(4)));
}
