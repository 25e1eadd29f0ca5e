//! Kernels drawn by `tests/random_bodies/generate.rs`; `FLASH_BLESS=1 cargo test -p flash-tests --test
//! random_bodies` writes this file again.
#![allow(warnings, clippy::all, clippy::pedantic, reason = "drawn")]
#![cfg_attr(rustfmt, rustfmt_skip)]

use flash_test_bodies::harness::{Case, Inputs, Outputs};
use flash::__private::rt::descriptor::Kernel;
use flash::prelude::*;
use flash_test_devices as far;
use flash_test_devices::{Cell, Cloud, N, Real, Word};

#[flash::kernel(portable)]
fn k000(a1: i8, x2: &[isize], y3: &mut [far::Word]) {
    let i = global_id(0);
    let g = partition();
    let v4 = (120_isize / (((x2[i]).wrapping_add(74).clamp(45, 81) & 7) + 1));
    let mut v4 = ((i as u8) >> ((v4 as u32) & 7)).div_euclid(((i as u8).wrapping_mul(21) & 7) + 1).rem_euclid(((73_u8).clamp(30, 90).abs_diff((121_u8).max((v4 as u8))) & 7) + 1);
    for n5 in 1..4_i16 {
        for n6 in (2_i32..5).rev() {
            if true {
                break;
            }
            v4 = ((((a1) as u8) >> ((y3[i]).rotate_right(6) & 7)) >> (((if (32.45_f32).is_nan() { 7 } else { (32.45_f32).to_bits() }) >> ((y3[i] << 2) & 7)) & 7));
            v4 >>= 2;
            v4 |= (if ((a1 / ((a1 & 7) + 1)) <= (a1 ^ a1)) { ((g as u8).div_euclid((v4 & 7) + 1) | (v4 | v4)) } else { (if true { (n6 as u8) } else { v4 }).rotate_right(2) });
        }
        let mut v7: usize = (93_usize % (((g).wrapping_mul(53) & 7) + 1)).wrapping_mul((i >> (y3[i] & 7)).wrapping_sub((g).abs_diff(i)));
    }
    y3[i] = (if ((v4 as f32).max((v4 as f32)) / (v4 as f32).powi(3)).is_nan() { ((({ let t8 = (g as i16); (i as i32) }) as u32) >> 2) } else { (((y3[i] / ((y3[i] & 7) + 1)) ^ y3[i]) >> 0) });
    v4 = ((v4 | (v4 as u8)).saturating_sub(((i as u8) | v4)) ^ (g as u8));
}

fn run_k000(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let x2 = n.array::<isize, _>(1, [n.extent(1, 0)]);
    let mut y3 = n.array::<u32, _>(2, [n.extent(1, 0)]);
    n.exec(rt, k000(a1, &x2, &mut y3), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k001(a1: i64, a2: isize, a3: Cell, x4: &[far::Word], #[out] y5: &mut [u8], #[out] y6: &mut [u32], #[out] y7: &mut [f32], #[scratch(2 * x4.len() + N)] t8: &mut [f64], #[reduce(+, into)] s: &mut i64) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if (y7[i]).powi(3).is_nan() {
        return;
    }
    let mut v9 = a3;
    let v10 = [(x4[i]).wrapping_add((f as u32)).wrapping_mul(21), (((i) as f32) as u32), y6[i]];
    v9.id ^= ((if (y7[i]).is_nan() { 7 } else { (y7[i]).to_bits() }).wrapping_add((a2 as u32)) >> ((if true { (if i > 0 { x4[i - 1] } else { 0_u32 }) } else { y6[i] }).clamp(40, 94) & 7));
    if (((a1 as i32) ^ (i as i32)) as f32).is_nan() {
        y6[i] >>= 1;
    }
    v9.rho = (({ let t11 = 4_i8; y7[i] }).powf((a3).mass) as f64);
    let v12 = far::Cloud { cells: [v9, (Cloud { cells: [Cell { rho: 48.374_f64, mass: 49.441_f32, id: 119_u32 }; 2], at: [9_i32; N], mid: Cell { rho: 1.100_f64, mass: 40.473_f32, id: 50_u32 } }).mid], at: [(i as i32), (a2 as i32), (a1 as i32), (a1 as i32)], mid: a3 };
    if ((-y7[i]).hypot((y7[i]).ceil()) > math::exp2(({ let t13 = 103_i32; y7[i] }))) {
        v9.mass += (-math::rsqrt((y7[i]).hypot(y7[i])));
    }
    y5[i] |= (y5[i] & (67_u8 | y5[i])).wrapping_add(1).wrapping_mul((((i as i16).rotate_left(3) & (g as i16).signum()) as u8));
    y6[i] = (a1 as u32);
    y7[i] = math::log2(((((g as f32) - y7[i]) % ((11.842_f32 / y7[i]) + 0.5)) - (if ({ let t14 = (g as i16); false }) { (y7[i]).fract() } else { (y7[i] * y7[i]) })));
    t8[i] += (far::series(t8[i], y6[i])).trunc().round_ties_even().round_ties_even();
    *s += ((i as i64).wrapping_mul(6) | ((a2 as i64) & (g as i64))).wrapping_add((a1 << 2).wrapping_add(90));
}

fn run_k001(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i64>(0);
    let a2 = n.value::<isize>(1);
    let a3 = n.value::<Cell>(2);
    let x4 = n.array::<u32, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u8, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u32, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<i64>(8));
    n.exec(rt, k001(a1, a2, a3, &x4, &mut y5, &mut y6, &mut y7, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k002(a1: i16, a2: u16, x3: &[i32], x4: &[i64], x5: &[u8], #[out] y6: &mut [u32], c: &[Atomic<i64>]) {
    let i = global_id(0);
    let mut v7 = (((if i + 1 < x5.len() { x5[i + 1] } else { 0_u8 }) as i64) as i16).min(((!(a2 as i16)) << 1));
    if ((i as f32).mul_add((a2 as f32), 21.282_f32).max(((i) as f32)) > ((far::SCALE) as f32).fract()) {
        let mut v8 = (if ((i as f64).sqrt() >= (v7 as f64).ceil()) { (if false { (v7 as f64) } else { 49.409_f64 }).round_ties_even() } else { ({ let t9 = ((v7 as i8) as isize); ((t9 as f64) - (t9 as f64)) }) });
    }
    let mut n10 = 4_u32;
    loop {
        if n10 == 0 {
            break;
        }
        n10 -= 1;
        if (!({ let t11 = (i ^ i); (true | false) })) {
            v7 %= ((a1).clamp(49, 91).rotate_left(0) & 7) + 1;
            let mut v12: i16 = (((true) as i16) << 0).signum();
            if true {
                v7 = (!((if true { a1 } else { v7 }) / (((91_i16 % ((93_i16 & 7) + 1)) & 7) + 1)));
                for n13 in (0_u16..6).rev() {
                    v12 %= (({ let t14 = ((false) as usize); ((v12) as i16) }) & 7) + 1;
                    let mut v15: [u32; 3] = (if (({ let t16 = (if i > 0 { x4[i - 1] } else { 0_i64 }); a1 }) == (v12 & v12)) { [((true) as u32), (y6[i]).clamp(41, 99), y6[i]] } else { [(y6[i] ^ y6[i]), (y6[i] | y6[i]), far::MASK] });
                }
            }
        } else {
            let mut n17 = 3_u32;
            while n17 > 0 {
                n17 -= 1;
                v7 %= ((if true { a1 } else { a1 }).wrapping_sub(55) & 7) + 1;
            }
        }
    }
    y6[i] <<= 5;
    c[(((i % ((i & 7) + 1)) ^ i)) % c.len()].fetch_xor((x4[(((27_isize) as usize)) % x4.len()] >> 2).wrapping_mul((x4[((11_usize | i)) % x4.len()]).wrapping_sub(123_i64)));
    v7 ^= (6_i16).signum();
}

fn run_k002(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i16>(0);
    let a2 = n.value::<u16>(1);
    let x3 = n.array::<i32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<u8, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u32, _>(5, [n.extent(1, 0)]);
    let mut c = n.array::<i64, _>(6, [n.extent(1, 0)]);
    n.exec(rt, k002(a1, a2, &x3, &x4, &x5, &mut y6, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k003(a1: i64, a2: f32, a3: i64, x4: View<'_, usize, 2>, x5: View<'_, usize, 2>, x6: View<'_, f64, 2>, y7: ViewMut<'_, f32, 2>, #[out] y8: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    for n9 in 0..4_i64 {
        if ((n9).signum() == (a3).rem_euclid((a3 & 7) + 1)) {
            break;
        }
        let mut v10 = ((i as f64).trunc().mul_add(((y8[[j, i]]) as f64), far::scaled((if j + 1 < x6.extent(0) { x6[[j + 1, i]] } else { 0.0_f64 }))) * (if (x6[[(((if j > 0 { x5[[j - 1, i]] } else { 0_usize }) & f)) % x6.extent(0), i]]).is_finite() { (x6[[j, (((i as usize) >> ((n9 as u32) & 7))) % x6.extent(1)]] - x6[[j, i]]) } else { (if false { (n9 as f64) } else { 49.409_f64 }) }));
        let mut v11 = (!(!(55_i64).rotate_left(1)));
    }
    let mut v12 = (if ({ let t13 = x5[[j, i]]; true }) { ((f as u32) & (j as u32)) } else { ({ let t14 = x4[[j, i]]; (t14 as u32) }) }).max(100_u32);
    if (((Cloud { cells: [Cell { rho: 10.826_f64, mass: 17.450_f32, id: 55_u32 }; 2], at: [4_i32; N], mid: Cell { rho: 21.92_f64, mass: 21.110_f32, id: 65_u32 } }).cells[(x4[[((x4[[(({ let t15 = 7_i64; (if j + 2 < x5.extent(0) { x5[[j + 2, i]] } else { 0_usize }) })) % x4.extent(0), i]]).wrapping_mul(x5[[j, i]])) % x4.extent(0), i]]) % 2]).mass).is_nan() {
        let v16 = Cell { rho: 3.719_f64, mass: 12.303_f32, id: 70_u32 };
        y8[[j, i]] += ((y8[[j, i]] / a2).powi(3).powi(2) / ({ let t17 = ((a3 as i32) as i64); (y8[[j, i]]).mul_add(a2, y7[[j, i]]) }).powi(0));
    }
    for n18 in 2..4_i8 {
        let mut v19 = false;
        v12 >>= 0;
        for n20 in (0..=3_u8).rev().step_by(2) {
            let mut v21: u8 = (j as u8);
        }
    }
    y7[[j, i]] *= (if ({ let t22 = (!((f as i16) >> (v12 & 7))); true }) { y8[[j, i]] } else { math::ln(((y8[[j, i]]).powi(3) - (y8[[j, i]]).signum())) });
    y8[[j, i]] += ((if false { a2 } else { y7[[j, i]] }).mul_add(math::cos(y7[[j, i]]), ({ let t23 = 127_u16; y8[[j, i]] })) / ({ let t24 = (a1 as u8).div_euclid(((i as u8) & 7) + 1); (y8[[j, i]] % (y7[[j, i]] + 0.5)) })).mul_add((math::log2(y7[[j, i]]) * (y7[[j, i]] - a2)).powi(-1), y8[[j, i]]);
    v12 %= (((if true { (if i > 0 { x6[[j, i - 1]] } else { 0.0_f64 }) } else { 9.164_f64 }) as u32) & 7) + 1;
}

fn run_k003(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i64>(0);
    let a2 = n.value::<f32>(1);
    let a3 = n.value::<i64>(2);
    let x4 = n.array::<usize, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let x5 = n.array::<usize, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let x6 = n.array::<f64, _>(5, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y8 = n.array::<f32, _>(7, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, k003(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [f32, f64], M = [3])]
fn k004<T, const M: usize>(a1: u16, a2: T, x3: &[far::Word], x4: &[T], x5: &[i32], y6: &mut [i32], y7: &mut [T], y8: &mut [i32], #[reduce(min)] s: &mut f32) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if false {
        let mut v9 = (g as usize).wrapping_add(i).wrapping_mul(21).rotate_right(2);
        if ((if (48.636_f64).is_finite() { (g >> ((if i > 0 { x3[i - 1] } else { 0_u32 }) & 7)) } else { (f & f) }) >= (i & i).div_euclid((9_usize & 7) + 1)) {
            let mut v10 = (((v9 as u8).rotate_left(5) >> (((if i + 1 < x3.len() { x3[i + 1] } else { 0_u32 }) | (v9 as u32)) & 7)) >> ((if ((v9 as u8) >= (a1 as u8)) { ((if i + 2 < x4.len() { x4[i + 2] } else { (0.0 as T) }) as u32) } else { (if false { x3[i] } else { (f as u32) }) }) & 7));
            if ({ let t11 = ((a1 % ((a1 & 7) + 1)) as u64); (a1 as f64).floor().is_nan() }) {
                let v10: [u32; 3] = [({ let t12 = y7[i]; far::TABLE[i % 8] }).wrapping_sub(1), ((g as u64) | (f as u64)).count_ones(), (if (27_i8 != (i as i8)) { ((v10 as u32) ^ (v10 as u32)) } else { (i as i16).leading_zeros() })];
                y6[i + N] <<= 2;
            } else {
                let mut n13 = 2_u32;
                while n13 > 0 {
                    n13 -= 1;
                    y6[i + N] >>= 0;
                }
                let v14 = Cell { rho: 44.941_f64, mass: 49.953_f32, id: 114_u32 };
            }
            v10 ^= (((v10).wrapping_add(94) & 67_u8) | (if false { v10 } else { (a1 as u8) }).clamp(3, 79));
        } else {
            if (if (!(true == false)) { (((y7[i]) as u8) >= (46_u8).abs_diff(90_u8)) } else { ((x3[((86_usize | (f as usize))) % x3.len()] >= (if i > 0 { x3[i - 1] } else { 0_u32 })) && (a2 >= (if i > 0 { x4[i - 1] } else { (0.0 as T) }))) }) {
                v9 = v9;
            }
        }
    }
    y6[i + N] <<= 4;
    y7[i] /= ((((y7[i]) as T) % (({ let t15 = (if true { (f as u64) } else { (f as u64) }); ((47.409 as T) - (if i + 2 < x4.len() { x4[i + 2] } else { (0.0 as T) })) }) + 0.5)) * (((x4[((f).min(f)) % x4.len()] + (f as T)) * (a2).powi(0)) - (math::log10((if i > 0 { x4[i - 1] } else { (0.0 as T) })) * (f as T).mul_add((if i > 0 { x4[i - 1] } else { (0.0 as T) }), y7[i]))));
    y8[i] &= (if (if ((-y7[i]) <= (if i > 0 { x4[i - 1] } else { (0.0 as T) })) { false } else { false }) { (far::deep::STEPS[i % 3]).signum() } else { ({ let t16 = ((f as i8) % (((a1 as i8) & 7) + 1)).rotate_right(3); (x5[((f).rotate_right(5)) % x5.len()]).div_euclid(((i as i32) & 7) + 1).wrapping_add((y8[i] >> ((i as u32) & 7))) }) });
    *s = s.min(((((g as f32) * (i as f32)) - (-(f as f32))) * ((27.857_f32).hypot((g as f32)) * math::log10((g as f32)))));
}

fn run_k004_f32__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u16>(0);
    let a2 = n.value::<f32>(1);
    let x3 = n.array::<u32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f32, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i32, _>(5, [n.extent(1, 0) + N]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(1, 0)]);
    let mut y8 = n.array::<i32, _>(7, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(8));
    n.exec(rt, k004::<f32, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k004_f64__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u16>(0);
    let a2 = n.value::<f64>(1);
    let x3 = n.array::<u32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i32, _>(5, [n.extent(1, 0) + N]);
    let mut y7 = n.array::<f64, _>(6, [n.extent(1, 0)]);
    let mut y8 = n.array::<i32, _>(7, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(8));
    n.exec(rt, k004::<f64, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math, group_by(2))]
fn k005(a1: u16, x2: &[i32], x3: &[i64], x4: &[u8], #[out] y5: &mut [u32]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut v6 = (!(26_i8).wrapping_add(74));
    for n7 in (2..=3_u8).rev().step_by(2) {
        let mut v6 = (!(((n7 as f64) * (n7 as f64)) != ((v6 as f64) + 35.954_f64)));
        v6 &= ((g as usize).abs_diff((f as usize)) != (f).clamp(40, 94));
        for n8 in 0_u64..=3 {
            y5[i] %= ((g as u32) & 7) + 1;
        }
    }
    v6 = ({ let t9 = ((x4[(((v6) as usize)) % x4.len()]).rotate_right(5) ^ (x4[i]).rotate_left(1)); (v6).wrapping_sub(v6).wrapping_neg() });
    let v10: Cloud = far::Cloud { cells: [Cell { rho: 28.734_f64, mass: 26.759_f32, id: 100_u32 }, ({ let t11 = g; Cloud { cells: [Cell { rho: 45.122_f64, mass: 39.348_f32, id: 78_u32 }; 2], at: [80_i32; N], mid: Cell { rho: 49.441_f64, mass: 45.451_f32, id: 100_u32 } } }).mid], at: [(f as i32), (if i + 2 < x2.len() { x2[i + 2] } else { 0_i32 }), x2[((g | f)) % x2.len()], (if i > 0 { x2[i - 1] } else { 0_i32 })], mid: Cell { rho: 38.321_f64, mass: 41.706_f32, id: 76_u32 } };
    {
        if (false != (if (x4[i] <= 84_u8) { (v6 as f32).is_finite() } else { ({ let t12 = (v6 as f64); true }) })) {
            {
                y5[i] &= (((i as u32) & y5[i]).wrapping_add(1) >> ((v6 as u32).clamp(27, 51).wrapping_mul(12) & 7)).min((((y5[i] / ((y5[i] & 7) + 1)) ^ y5[i]) | ((y5[i] & far::MASK) | y5[i])));
                y5[i] %= ((({ let t13 = (!118_i16); x3[((g).clamp(48, 76)) % x3.len()] }) as u32) & 7) + 1;
                let v14: u64 = (g as u64);
            }
        }
    }
    y5[i] = (a1 as u32);
    v6 %= (((v6).rotate_right(0) >> ((y5[i]).wrapping_sub(114_u32) & 7)) & 7) + 1;
}

fn run_k005(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u16>(0);
    let x2 = n.array::<i32, _>(1, [n.extent(1, 0)]);
    let x3 = n.array::<i64, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u8, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u32, _>(4, [n.extent(1, 0)]);
    n.exec(rt, k005(a1, &x2, &x3, &x4, &mut y5), [n.extent(1, 0), 3])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k006(a1: f32, x2: View<'_, i32, 3>, x3: View<'_, i64, 3>, x4: View<'_, u8, 3>, #[out(partial)] y5: ViewMut<'_, i32, 3>, y6: ViewMut<'_, f64, 3>, y7: ViewMut<'_, u64, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    for n8 in (0_u64..6).rev() {
        let v9: [u32; 3] = [({ let t10 = 2_i8; 121_u32 }), ((f as u32).wrapping_add((p as u32)) & (98_u32 | 86_u32)), (((a1) as u32) >> ((f as u32) & 7))];
        let mut n11 = 4_u32;
        while n11 > 0 {
            n11 -= 1;
            let mut v12 = (((y7[[p, j, i]] << 2) >> (((p as u32) ^ (i as u32)) & 7)) >> (((89_u32).wrapping_sub((p as u32)) >> ((68_u32 << 2) & 7)) & 7));
            y5[[p, j, i]] >>= 1;
        }
    }
    y5[[p, j, i]] ^= ({ let t13 = (((p as i8) & (p as i8)).rem_euclid((({ let t14 = p; (i as i8) }) & 7) + 1) & ((j as i8) | (p as i8)).clamp(49, 91)); (((true) as i32) << 0).signum() });
    let v15 = (-(p as f32).atan2(a1)).hypot((if ({ let t16 = 103_i32; true }) { (36.720_f32).powi(0) } else { (a1).hypot(a1) }));
    let v17 = ((i as i16).wrapping_mul(12).wrapping_neg() < ({ let t18 = ((y5[[p, j, i]]) as i64); ((j as i16) & (f as i16)) }));
    y5[[p, j, i]] &= (((y5[[p, j, i]]).wrapping_add(94).wrapping_mul(((if p + 1 < x2.extent(0) { x2[[p + 1, j, i]] } else { 0_i32 }) % (((i as i32) & 7) + 1))) / ((((x2[[p, j, i]]).signum() % ((({ let t19 = (j as i16); y5[[p, j, i]] }) & 7) + 1)) & 7) + 1)) ^ y5[[p, j, i]]);
    y6[[i, p, j]] /= ((if ((y6[[i, p, j]]) as f32).is_nan() { (-(y6[[i, p, j]]).powi(3)) } else { ((Cell { rho: 14.142_f64, mass: 26.996_f32, id: 16_u32 }).rho).signum() }) * (((y6[[i, p, j]] % (y6[[i, p, j]] + 0.5)) + math::erf(y6[[i, p, j]])) - ((y6[[i, p, j]] / far::SCALE) / (y6[[i, p, j]]).powi(0))));
    y7[[p, j, i]] %= (((y7[[p, j, i]] >> ((j as u32) & 7)) ^ (if v17 { y7[[p, j, i]] } else { y7[[p, j, i]] })).abs_diff(y7[[p, j, i]]) & 7) + 1;
    let mut v15 = [((v15).abs() % ((if true { (p as f32) } else { (j as f32) }) + 0.5)); N];
}

fn run_k006(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let x2 = n.array::<i32, _>(1, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x3 = n.array::<i64, _>(2, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x4 = n.array::<u8, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y5 = n.array::<i32, _>(4, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]);
    let mut y7 = n.array::<u64, _>(6, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    n.exec(rt, k006(a1, &x2, &x3, &x4, &mut y5, &mut y6, &mut y7), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k007(a1: Cell, x2: View<'_, u32, 2>, #[out] y3: ViewMut<'_, Cell, 2>, #[reduce(min)] s: &mut f64, c: &[Atomic<u32>]) {
    let j = global_id(1);
    let i = global_id(0);
    let mut v4 = ((j as f32).powi(2).recip() - ((Cloud { cells: [Cell { rho: 25.821_f64, mass: 0.229_f32, id: 61_u32 }; 2], at: [44_i32; N], mid: Cell { rho: 10.20_f64, mass: 0.709_f32, id: 15_u32 } }).cells[(i) % 2].mass / ((i as f32) / (j as f32))));
    if (false | ((123_i32).max((i as i32)) >= (j as i32).signum())) {
        v4 -= (({ let t5 = (if false { (i as i32) } else { (i as i32) }); ((j as f32) - v4) }) + ({ let t6 = ((i as u8) ^ (j as u8)); far::wave(v4, v4) }));
        let mut n7 = 5_u32;
        while n7 > 0 {
            n7 -= 1;
            y3[[j, i]].id = ((j as i8).wrapping_sub((j as i8)).wrapping_sub(({ let t8 = 4_i8; (i as i8) })) as u32);
        }
        let mut v4: usize = (((true) as usize) << 0).wrapping_mul(({ let t9 = (i as i64); 43_usize }).rotate_right(7));
    } else {
        for n10 in (1_i32..5).rev() {
            let v4: [u32; 3] = [({ let t11 = far::deep::STEPS[i % 3]; x2[[j, i]] }).wrapping_sub(1), ((x2[[j, (({ let t12 = (n10 as usize); (t12 as usize) })) % x2.extent(1)]]).wrapping_mul(53) | x2[[j, i]]), ((if i + 2 < x2.extent(1) { x2[[j, i + 2]] } else { 0_u32 }) | x2[[((if true { i } else { j })) % x2.extent(0), i]]).rotate_left(4)];
        }
    }
    y3[[j, i]].id = (((x2[[j, (i) % x2.extent(1)]] / (((if i > 0 { x2[[j, i - 1]] } else { 0_u32 }) & 7) + 1)) ^ (far::MASK).clamp(12, 69)) >> 0);
    c[((i as usize)) % c.len()].fetch_add(((global_size(0)).count_ones() | (x2[[((j).clamp(48, 76)) % x2.extent(0), i]] >> ((i as u32) & 7))));
    *s = s.min(((44.797_f64).powi(0).mul_add((i as f64).trunc(), (far::SCALE % (40.714_f64 + 0.5))) as f64));
}

fn run_k007(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cell>(0);
    let x2 = n.array::<u32, _>(1, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y3 = n.array::<Cell, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<f64>(3));
    let mut c = n.array::<u32, _>(4, [n.extent(2, 0)]);
    n.exec(rt, k007(a1, &x2, &mut y3, &mut s, &mut c), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k008(a1: i64, x2: View<'_, usize, 2>, x3: View<'_, usize, 2>, x4: View<'_, f64, 4>, y5: ViewMut<'_, f32, 4>, #[out] y6: ViewMut<'_, f32, 4>) {
    let q = global_id(3);
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    for n7 in 0..4_i64 {
        if ((n7).signum() == (a1).rem_euclid((n7 & 7) + 1)) {
            break;
        }
        let mut v8 = ((p as f64).trunc().mul_add(((y6[[q, p, j, i]]) as f64), far::scaled((if j + 1 < x4.extent(2) { x4[[q, p, j + 1, i]] } else { 0.0_f64 }))) * (if (x4[[q, p, (((if j > 0 { x3[[j - 1, i]] } else { 0_usize }) & f)) % x4.extent(2), i]]).is_finite() { (x4[[q, (((q as usize) >> ((f as u32) & 7))) % x4.extent(1), j, i]] - x4[[q, p, j, i]]) } else { (if false { (f as f64) } else { 49.409_f64 }) }));
        let mut v9 = (!(!(55_i64).rotate_left(1)));
    }
    let mut v10 = (if ({ let t11 = x3[[j, i]]; true }) { ((p as u32) & (p as u32)) } else { ({ let t12 = x2[[j, i]]; (a1 as u32) }) }).max(100_u32);
    if (((Cloud { cells: [Cell { rho: 10.826_f64, mass: 17.450_f32, id: 55_u32 }; 2], at: [4_i32; N], mid: Cell { rho: 21.92_f64, mass: 21.110_f32, id: 65_u32 } }).cells[(x2[[((x2[[(({ let t13 = 7_i64; (if j + 2 < x3.extent(0) { x3[[j + 2, i]] } else { 0_usize }) })) % x2.extent(0), i]]).wrapping_mul(x3[[j, i]])) % x2.extent(0), i]]) % 2]).mass).is_nan() {
        let v14 = Cell { rho: 3.719_f64, mass: 12.303_f32, id: 70_u32 };
        y6[[q, p, j, i]] += ((y6[[q, p, j, i]] / (f as f32)).powi(3).powi(2) / ({ let t15 = ((j as i32) as i64); (y6[[q, p, j, i]]).mul_add((t15 as f32), y5[[j, i, q, p]]) }).powi(0));
    }
    for n16 in 2..4_i8 {
        let mut v17 = false;
        v10 >>= 0;
        for n18 in (0..=3_u8).rev().step_by(2) {
            let mut v19: u8 = (q as u8);
        }
    }
    y5[[j, i, q, p]] *= (if ({ let t20 = (!((v10 as i16) >> (v10 & 7))); true }) { y6[[q, p, j, i]] } else { math::ln(((y6[[q, p, j, i]]).powi(3) - (y6[[q, p, j, i]]).signum())) });
    y6[[q, p, j, i]] += ((if false { (i as f32) } else { y5[[j, i, q, p]] }).mul_add(math::cos(y5[[j, i, q, p]]), ({ let t21 = 127_u16; y6[[q, p, j, i]] })) / ({ let t22 = (f as u8).div_euclid(((f as u8) & 7) + 1); (y6[[q, p, j, i]] % (y5[[j, i, q, p]] + 0.5)) })).mul_add((math::log2(y5[[j, i, q, p]]) * (y5[[j, i, q, p]] - (v10 as f32))).powi(-1), y6[[q, p, j, i]]);
    v10 %= (((if true { (if p > 0 { x4[[q, p - 1, j, i]] } else { 0.0_f64 }) } else { 9.164_f64 }) as u32) & 7) + 1;
}

fn run_k008(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i64>(0);
    let x2 = n.array::<usize, _>(1, [n.extent(4, 1), n.extent(4, 0)]);
    let x3 = n.array::<usize, _>(2, [n.extent(4, 1), n.extent(4, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut y5 = n.array::<f32, _>(4, [n.extent(4, 1), n.extent(4, 0), n.extent(4, 3), n.extent(4, 2)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    n.exec(rt, k008(a1, &x2, &x3, &x4, &mut y5, &mut y6), [n.extent(4, 0), n.extent(4, 1), n.extent(4, 2), n.extent(4, 3)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k009(a1: i32, a2: Cloud, a3: bool, x4: &[Cell], y5: &mut [u64], y6: &mut [f32], #[out] y7: &mut [f32], #[scratch(2 * x4.len() + N)] t8: &mut [f64]) {
    let i = global_id(0);
    let f = phase();
    for n9 in (0_u64..6).rev() {
        let v10: [u32; 3] = [({ let t11 = 2_i8; 121_u32 }), ((i as u32).wrapping_add((i as u32)) & (98_u32 | 86_u32)), (((f as f32) as u32) >> ((i as u32) & 7))];
        let mut n12 = 4_u32;
        while n12 > 0 {
            n12 -= 1;
            let mut v13 = (((y5[i] << 2) >> (((f as u32) ^ (n9 as u32)) & 7)) >> (((89_u32).wrapping_sub((n9 as u32)) >> ((68_u32 << 2) & 7)) & 7));
            y6[i] += (-({ let t14 = ((v13 as i8) & (a1 as i8)); (y6[i] / y6[i]) }).powf(({ let t15 = (f).wrapping_sub(i); far::wave((t15 as f32), (a1 as f32)) })));
        }
    }
    {
        let mut v16 = a2;
    }
    if (!a3) {
        let mut v17: f64 = (if a3 { t8[i] } else { t8[i] }).powi(-1).atan2((far::Cloud { cells: [(if i > 0 { x4[i - 1] } else { x4[i] }), Cell { rho: 18.236_f64, mass: 20.927_f32, id: 77_u32 }], at: [a1, a1, a1, (i as i32)], mid: x4[i] }).mid.rho);
    } else {
        let mut v18 = Cell { rho: 4.655_f64, mass: 29.212_f32, id: 43_u32 };
    }
    y5[i] = y5[i].wrapping_add(({ let t19 = (({ let t20 = (i as i16); a1 }) as i64); (((t19 as u64) ^ (t19 as u64)) >> 0) }));
    y6[i] -= ((-(y7[i] % (far::WEIGHTS[i % N] + 0.5))).floor() / y6[i]);
    y7[i] -= (({ let t21 = (118_i64 % (((f as i64) & 7) + 1)); ((a1 as u16) as f32) }).powi(-1) / (math::ln(((a1 as f32) - y7[i])) / (math::log2(14.142_f32) % ((47.962_f32 * y6[i]) + 0.5))));
    t8[i] += (t8[i] - (if (((f as f32) / far::WEIGHTS[i % N]) <= (y6[i]).powi(0)) { ((4.612_f32) as f64).min((t8[i]).powi(3)) } else { ((y7[i] / y7[i]) as f64) }));
    let v22 = ({ let t23 = y6[i]; (if a3 { (t8[i] - (i as f64)) } else { (t8[i] - t8[i]) }) });
}

fn run_k009(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i32>(0);
    let a2 = n.value::<Cloud>(1);
    let a3 = n.value::<bool>(2);
    let x4 = n.array::<Cell, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(1, 0)]);
    n.exec(rt, k009(a1, a2, a3, &x4, &mut y5, &mut y6, &mut y7), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [u8, u32], M = [4])]
fn k010<T, const M: usize>(a1: T, a2: T, x3: &[i64], x4: &[T], #[out] y5: &mut [u32], #[out] y6: &mut [f32], #[out] y7: ViewMut<'_, i16, 2>, #[scratch(x3.len())] t8: &mut [T], #[reduce(max, into)] s: &mut f32) {
    let i = global_id(0);
    let mut v9: i16 = (y7[[(i + 1) % 3, i]]).rem_euclid(((y7[[1, i]]).wrapping_add(84).clamp(29, 68) & 7) + 1);
    if (((127_u8).wrapping_sub((i as u8)) < (28_u8).rotate_left(0)) != (if (i as f32).is_nan() { (i as f64).is_nan() } else { (t8[i] < a2) })) {
        v9 |= (((y7[[(i + 2) % 3, i]]).rotate_right(2) << 2) >> ((y5[i]).wrapping_add((74_i32).leading_zeros()) & 7));
    } else {
        let v9 = ((y7[[(i + 0) % 3, i]] >> ((a1 as u32) & 7)) & (if false { y7[[(i + 1) % 3, i]] } else { y7[[(i + 1) % 3, i]] })).signum();
    }
    let v10: far::Quad = (if ((if true { t8[i] } else { t8[i] }) >= (t8[i] & t8[i])) { [(y6[i]).floor(); N] } else { [(y6[i] % (y6[i] + 0.5)), math::erf(y6[i]), ({ let t11 = t8[i]; far::WEIGHTS[i % N] }), (47.668_f32 / y6[i])] });
    let mut v12 = ({ let t13 = (v9 as i8).signum().signum(); (t8[i] % (((if i + 2 < x4.len() { x4[i + 2] } else { (0 as T) }) & 7) + 1)).abs_diff((if true { x4[((if false { i } else { i })) % x4.len()] } else { x4[i] })) });
    for n14 in 0..M {
        let v10 = (!(!((v9 as i8) & (v12 as i8))));
        v12 %= ((a2 as T) & 7) + 1;
        {
            y6[i] -= (v12 as f32);
        }
    }
    y5[i] = y5[i].wrapping_add(y5[i]);
    y6[i] *= far::total([((y6[i]).powi(0) / (y6[i] + (v9 as f32))), math::log2((v10)[(123_usize) % N]), (y6[i] - (v9 as f32)).recip(), (if (t8[i] <= t8[i]) { (y6[i]).mul_add(far::WEIGHTS[i % N], (i as f32)) } else { ((v12 as f32) - y6[i]) })]);
    y7[[(i + 1) % 3, i]] <<= 4;
    t8[i] = (if true { (121 as T) } else { (if i + 2 < x4.len() { x4[i + 2] } else { (0 as T) }) }).abs_diff((t8[i] >> (y5[i] & 7))).wrapping_mul((if i + 1 < x4.len() { x4[i + 1] } else { (0 as T) }).saturating_sub((if true { a1 } else { t8[i] }))).rem_euclid(((({ let t15 = (26.265_f32 % (y6[i] + 0.5)); (115 as T).wrapping_add(8) }) as T) & 7) + 1);
    *s = s.max(((if true { y6[i] } else { y6[i] }).recip() % ((y6[i]).mul_add(y6[i], (v9 as f32)).mul_add((if false { y6[i] } else { 22.186_f32 }), y6[i]) + 0.5)));
}

fn run_k010_u8__4(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u8>(0);
    let a2 = n.value::<u8>(1);
    let x3 = n.array::<i64, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u8, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i16, _>(6, [3, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(8));
    n.exec(rt, k010::<u8, 4>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k010_u32__4(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u32>(0);
    let a2 = n.value::<u32>(1);
    let x3 = n.array::<i64, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u32, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i16, _>(6, [3, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(8));
    n.exec(rt, k010::<u32, 4>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k011(a1: f32, a2: bool, a3: u8, x4: View<'_, u8, 2>, x5: View<'_, isize, 2>, y6: ViewMut<'_, u16, 2>, #[out] y7: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    for n8 in 0..4_i64 {
        if ((n8).signum() == (n8).rem_euclid((n8 & 7) + 1)) {
            break;
        }
        let mut v9 = ((f as f64).trunc().mul_add(((y7[[j, i]]) as f64), far::scaled(35.954_f64)) * (if (48.636_f64).is_finite() { (44.3_f64 - far::SCALE) } else { ((a3 as f64) / (f as f64)) }));
        v9 += (-far::series((49.409_f64 - v9), (a3 as u32)));
    }
    for n10 in (0..=4_i32).rev().step_by(2) {
        if false {
            continue;
        }
        let mut v11 = (if ({ let t12 = f; true }) { ((n10 as u32) & (i as u32)) } else { ({ let t13 = f; (i as u32) }) }).max(((j as u32) | (j as u32)).clamp(49, 91));
    }
    if a2 {
        let mut v14 = (f >> (((j as u32).min((j as u32)) >> ((j as u32).wrapping_sub((f as u32)) & 7)) & 7));
    }
    for n15 in (0_u64..3).rev() {
        let mut v16 = (({ let t17 = ((false) as usize); (y7[[j, i]]).max(y7[[j, i]]) }) * ((if i + 2 < x4.extent(1) { x4[[j, i + 2]] } else { 0_u8 }).abs_diff(x4[[((if a2 { i } else { (j as usize) })) % x4.extent(0), i]]) as f32));
        if ((!(a3 as i8)).max((f as i8)) > (!((i as i8) & (n15 as i8)))) {
            v16 *= (math::erf(({ let t18 = 55_i64; v16 }))).atan2(((y6[[j, i]]) as f32).fract());
            v16 *= ((a1 - y7[[j, i]]).powi(3) / (far::total(far::WEIGHTS)).signum());
        } else {
            v16 /= (((y7[[j, i]] % (y7[[j, i]] + 0.5)) + math::erf(y7[[j, i]])) - ((y7[[j, i]] / (n15 as f32)) / (a1).sqrt()));
        }
    }
    y6[[j, i]] ^= (((if true { y6[[j, i]] } else { 9_u16 }).wrapping_mul((y6[[j, i]]).saturating_sub(y6[[j, i]])) >> (far::MASK & 7)) ^ (({ let t19 = (105_i8).rotate_left(5); (y6[[j, i]] >> ((i as u32) & 7)) }) << 6));
    y7[[j, i]] *= (y7[[j, i]]).max(((y7[[j, i]]).mul_add((y7[[j, i]] * far::WEIGHTS[i % N]), (5.481_f32 % (y7[[j, i]] + 0.5))) * ((a1).sqrt() - y7[[j, i]])));
    let mut v20 = ((57_i64).rem_euclid(((a3 as i64) & 7) + 1).saturating_add(((i as i64) >> 2)) <= ((if a2 { 45_i64 } else { (f as i64) }) | ((i as i64) % (((a3 as i64) & 7) + 1))));
}

fn run_k011(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<bool>(1);
    let a3 = n.value::<u8>(2);
    let x4 = n.array::<u8, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let x5 = n.array::<isize, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y6 = n.array::<u16, _>(5, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, k011(a1, a2, a3, &x4, &x5, &mut y6, &mut y7), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, group_by(2))]
fn k012(a1: Cloud, a2: bool, a3: u8, x4: &[u8], x5: &[i32], y6: &mut [f64], y7: &mut [u64], #[out] y8: &mut [u64], c: &[Atomic<i64>]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    {
        let mut v9 = (((i as i64).wrapping_neg() == ((f as i64) | (i as i64))) as usize);
        let mut v10: i8 = ((({ let t11 = f; v9 }) as f32) as i8);
    }
    let mut v12 = (((!(i as isize)) & (84_isize).div_euclid(((a3 as isize) & 7) + 1)) as u32);
    let v13: u8 = (((x4[i]).rotate_right(2) << 2) >> ((if a2 { v12 } else { v12 }).rotate_right(3) & 7));
    for n14 in 1_i32..=3 {
        if ({ let t15 = (i ^ i); (a2 | a2) }) {
            break;
        }
        for n16 in (2..=5_u8).rev().step_by(2) {
            v12 ^= (if ((g as i16).wrapping_add(15) < (!21_i16)) { ((v12 % ((v12 & 7) + 1)) >> ((v12 >> ((v12 as u32) & 7)) & 7)) } else { (if ({ let t17 = far::deep::STEPS[i % 3]; false }) { (v12 / ((v12 & 7) + 1)) } else { (if ((n16 as f32)).is_nan() { 7 } else { ((n16 as f32)).to_bits() }) }) });
            let mut v18 = (g as isize).signum();
        }
    }
    y6[i] += (({ let t19 = y6[i]; t19 }).powi(0).abs() / (if ({ let t20 = (i as i16); true }) { (v12 as f64).mul_add(y6[i], y6[i]) } else { (y6[i]).mul_add(y6[i], y6[i]) }).mul_add((y6[i] + y6[i]).mul_add((y6[i]).abs(), ((v13 as f64) - (g as f64))), (11.842_f64 / y6[i]).mul_add((y6[i] % (y6[i] + 0.5)), (-y6[i]))));
    y7[i] >>= 1;
    y8[i] %= (((-(y6[i]).signum()) as u64) & 7) + 1;
    c[((11_usize | f).wrapping_mul((g).wrapping_sub((f as usize)))) % c.len()].fetch_max(((58_i64 ^ 126_i64) >> 2));
    v12 |= ({ let t22 = 121_i8; v12 }).wrapping_sub(({ let t21 = 0.28_f32; v12 })).wrapping_sub((((f as u32) >> (v12 & 7)) ^ (v12).wrapping_mul(v12)));
}

fn run_k012(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<bool>(1);
    let a3 = n.value::<u8>(2);
    let x4 = n.array::<u8, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<u64, _>(6, [n.extent(1, 0)]);
    let mut y8 = n.array::<u64, _>(7, [n.extent(1, 0)]);
    let mut c = n.array::<i64, _>(8, [n.extent(1, 0)]);
    n.exec(rt, k012(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut c), [n.extent(1, 0), 3])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn k013(a1: bool, a2: u8, x3: &[u8], x4: &[i32], y5: &mut [f64], y6: &mut [u64], #[out] y7: &mut [u64], #[reduce(min)] s: &mut f64) {
    let i = global_id(0);
    let mut n8 = 2_u32;
    loop {
        if n8 == 0 {
            break;
        }
        n8 -= 1;
        let mut v9: bool = (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t10 = i; (t10 as i8) })) } else { (((a2 as isize) as u32) >= ((i as u32) % (((a2 as u32) & 7) + 1))) });
    }
    for n11 in (0_u16..6).rev() {
        if ((n11 as u8).wrapping_add(x3[((i ^ i)) % x3.len()]) == (x3[(i) % x3.len()] ^ (i as u8))) {
            break;
        }
        let mut n12 = 2_u32;
        while n12 > 0 {
            n12 -= 1;
            let mut v13: i8 = (a2 as i8);
            let mut v13: usize = (((false) as usize) << 0).wrapping_mul(({ let t14 = (v13 as i64); 43_usize }).rotate_right(7));
        }
        let mut n15 = 2_u32;
        while n15 > 0 {
            n15 -= 1;
            {
                {
                    let mut v16: bool = (a1 != ((if i > 0 { x3[i - 1] } else { 0_u8 }) <= (x3[i]).rem_euclid((x3[i] & 7) + 1)));
                }
                let mut v17: isize = ((i as isize) & (a2 as isize)).signum().signum();
            }
        }
    }
    let mut v18: u32 = ({ let t19 = ({ let t20 = (if a1 { x4[i] } else { (if i + 2 < x4.len() { x4[i + 2] } else { 0_i32 }) }); (y5[i] / y5[i]) }); (i as i64).trailing_zeros() });
    v18 = ((v18 as u32) | ((a2 as u32) | v18)).saturating_sub((a2 as u32));
    let mut v21 = ((if i + 2 < x3.len() { x3[i + 2] } else { 0_u8 }) ^ x3[i]).saturating_sub((x3[i]).abs_diff(18_u8)).clamp(48, 76);
    y5[i] += (((Cloud { cells: [Cell { rho: 19.294_f64, mass: 26.959_f32, id: 11_u32 }; 2], at: [69_i32; N], mid: Cell { rho: 6.565_f64, mass: 41.457_f32, id: 21_u32 } }).mid).rho + ((if true { y5[i] } else { y5[i] }).mul_add(math::cos(y5[i]), ({ let t22 = 127_u16; y5[i] })) / ({ let t23 = (x3[i]).div_euclid((x3[i] & 7) + 1); (if true { y5[i] } else { 0.28_f64 }) })));
    y6[i] &= (({ let t24 = (v18 >> (v18 & 7)); (y6[i]).wrapping_add(88) }) >> 2).rotate_right(3);
    y7[i] &= ({ let t25 = (v18 as usize).saturating_add((i as usize)); (y7[i] >> 3) }).wrapping_sub((y7[i]).rotate_right(1)).wrapping_sub((((28.541_f32) as u64) << 4).wrapping_add(((if a1 { 18_u64 } else { y7[i] }) >> 2)));
    *s = s.min((-(if a1 { 15.761_f64 } else { y5[i] })).sqrt());
}

fn run_k013(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<u8>(1);
    let x3 = n.array::<u8, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i32, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<u64, _>(6, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f64>(7));
    n.exec(rt, k013(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k014(a1: i64, a2: usize, a3: isize, x4: &[i32], x5: &[f64], x6: &[i16], #[out] y7: &mut [f64], #[out] y8: &mut [i64]) {
    let i = global_id(0);
    let g = partition();
    let mut n9 = 3_u32;
    while n9 > 0 {
        n9 -= 1;
        if ((!(if i + 2 < x6.len() { x6[i + 2] } else { 0_i16 })) == (x6[i]).wrapping_mul(21)) {
            continue;
        }
        let mut v10: i8 = (a3 as i8).rem_euclid((84_i8 & 7) + 1).wrapping_sub(((a1 as i8) >> (47_u32 & 7))).rotate_left(2);
        let mut v11: u64 = (((121_u64 << 2) >> (((g as u32) ^ (i as u32)) & 7)) >> (((89_u32).wrapping_sub((v10 as u32)) >> ((68_u32 << 2) & 7)) & 7));
    }
    let mut n12 = 3_u32;
    while n12 > 0 {
        n12 -= 1;
        let v13 = ({ let t14 = ((i as i8).rem_euclid((15_i8 & 7) + 1) & ((a3 as i8) / (((g as i8) & 7) + 1))); (a1).clamp(49, 91).rotate_left(0) });
    }
    let v15 = (a3 as u16).wrapping_mul(50).abs_diff((g as u16).wrapping_mul(82_u16)).abs_diff((i as u16));
    if false {
        let v15: i64 = (!(y8[i]).wrapping_mul(53)).wrapping_neg();
        if ({ let t16 = ((x6[i] != (if i > 0 { x6[i - 1] } else { 0_i16 })) as usize); (({ let t17 = y8[i]; x6[((if false { g } else { a2 })) % x6.len()] }) == (67_i16 >> 0)) }) {
            let mut v18 = (a3 / ((((a3 % ((a3 & 7) + 1)) & 67_isize) & 7) + 1));
            {
                v18 >>= 6;
            }
        } else {
            let v19 = false;
        }
    } else {
        let v20: [u32; 3] = (if ((y7[i + far::N]) as f32).is_nan() { [((y7[i + far::N]) as u32), (y8[i]).leading_zeros(), (123_u32).wrapping_mul(82_u32)] } else { [(i as u32).max(11_u32), (if false { (a2 as u32) } else { (a1 as u32) }), ((a2) as u32)] });
    }
    y7[i + far::N] = ({ let t21 = v15; ((if false { (a1 as f64) } else { y7[i + far::N] }).round_ties_even() * ((Cell { rho: 43.258_f64, mass: 2.36_f32, id: 14_u32 }).rho + far::scaled(x5[i]))) });
    y8[i] = (((far::deep::STEPS[i % 3] >> ((g as u32) & 7)).saturating_add(({ let t22 = (if i > 0 { x5[i - 1] } else { 0.0_f64 }); 114_i32 })) as f32) as i64);
    let mut v23: [f32; N] = [(((a2 as f32) % (40.48_f32 + 0.5)) % ((if true { (a3 as f32) } else { (g as f32) }) + 0.5)), ((a3 as f32).sqrt() - (g as f32)), math::atan(({ let t24 = g; (a3 as f32) })), (if false { (v15 as f32).powi(0) } else { (6.592_f32).sqrt() })];
}

fn run_k014(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i64>(0);
    let a2 = n.value::<usize>(1);
    let a3 = n.value::<isize>(2);
    let x4 = n.array::<i32, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let x6 = n.array::<i16, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<f64, _>(6, [n.extent(1, 0) + far::N]);
    let mut y8 = n.array::<i64, _>(7, [n.extent(1, 0)]);
    n.exec(rt, k014(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k015(a1: u8, x2: View<'_, u8, 3>, x3: View<'_, isize, 3>, y4: ViewMut<'_, u16, 3>, #[out] y5: ViewMut<'_, f32, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    for n6 in 0..4_i64 {
        if ((n6).signum() == (n6).rem_euclid((n6 & 7) + 1)) {
            break;
        }
        let mut v7 = ((i as f64).trunc().mul_add(((y5[[i, p, j]]) as f64), far::scaled(35.954_f64)) * (if (48.636_f64).is_finite() { (44.3_f64 - far::SCALE) } else { ((n6 as f64) / (i as f64)) }));
        v7 += (-far::series((49.409_f64 - v7), (f as u32)));
    }
    for n8 in (0..=4_i32).rev().step_by(2) {
        if false {
            continue;
        }
        let mut n9 = 4_u32;
        while n9 > 0 {
            n9 -= 1;
            if ((if (!false) { ((a1 as i16) & (j as i16)) } else { (j as i16).wrapping_add(32) }) <= (f as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v10: f32 = (((y5[[i, p, j]]).mul_add((f as f32), y5[[i, p, j]]) * (a1 as f32).hypot(y5[[i, p, j]])) / (math::erf(y5[[i, p, j]])).ceil());
                    let v11: i64 = (((i as i64).rem_euclid(((n8 as i64) & 7) + 1) / (((j as i64) & 7) + 1)) ^ (i as i64).signum().wrapping_mul(((n8 as i16) as i64)));
                    if ((({ let t12 = (j as i16); n8 }) as i64) <= ((v11 ^ v11) >> 0)) {
                        let mut v13: i16 = (((a1 as i16).wrapping_add(94) & 11_i16) | (({ let t14 = (i as i16); (j as i64) }) as i16));
                    } else {
                        let mut v10: u16 = (y4[[p, j, i]]).rem_euclid((((y4[[p, j, i]]).wrapping_sub((v11 as u16)) % (((y4[[p, j, i]]).wrapping_add(y4[[p, j, i]]) & 7) + 1)) & 7) + 1);
                    }
                }
            }
        }
    }
    y4[[p, j, i]] <<= 3;
    y5[[i, p, j]] -= (y5[[i, p, j]] - (if (y5[[i, p, j]] <= y5[[i, p, j]]) { (y5[[i, p, j]]).mul_add(far::WEIGHTS[i % N], (j as f32)) } else { ((f as f32) - y5[[i, p, j]]) })).recip();
    let mut v15 = (if false { y4[[p, j, i]] } else { y4[[p, j, i]] }).wrapping_mul((y4[[p, j, i]]).saturating_sub(y4[[p, j, i]])).wrapping_sub(62);
}

fn run_k015(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u8>(0);
    let x2 = n.array::<u8, _>(1, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x3 = n.array::<isize, _>(2, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y4 = n.array::<u16, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y5 = n.array::<f32, _>(4, [n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]);
    n.exec(rt, k015(a1, &x2, &x3, &mut y4, &mut y5), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [i16, i64], M = [3])]
fn k016<T, const M: usize>(a1: Cloud, a2: T, x3: &[u8], x4: &[u32], x5: &[i32], y6: &mut [T], y7: &mut [i32], #[reduce(min)] s: &mut f32) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if false {
        let mut v8 = (g as usize).wrapping_add(i).wrapping_mul(21).rotate_right(2);
        if ((if (48.636_f64).is_finite() { (g >> ((if i > 0 { x4[i - 1] } else { 0_u32 }) & 7)) } else { (f & f) }) >= (i & i).div_euclid((9_usize & 7) + 1)) {
            let mut v9 = ((if i + 2 < x3.len() { x3[i + 2] } else { 0_u8 }).rotate_left(7).wrapping_sub(((if i + 1 < x3.len() { x3[i + 1] } else { 0_u8 }) | (v8 as u8))) >> ((if ((v8 as u8) >= (a2 as u8)) { ((y6[i]) as u32) } else { ({ let t10 = (v8 as i32); (v8 as u32) }) }) & 7));
            v8 >>= 1;
            v9 %= ((x3[i] & x3[((g >> ((if i > 0 { x4[i - 1] } else { 0_u32 }) & 7))) % x3.len()]).wrapping_add(15) & 7) + 1;
        }
    } else {
        let v11: Cloud = (if false { (if (91_i16 != 84_i16) { a1 } else { a1 }) } else { (if (15.419_f32).is_nan() { a1 } else { a1 }) });
        let mut v12: far::Word = (if ((y6[i] >= a2) || ((i as u8) < (g as u8))) { (i as i64).trailing_zeros() } else { 94_u32 });
    }
    if (if (((f as f64) / (i as f64)) >= (if false { (i as f64) } else { 44.231_f64 })) { ((a2).clamp(48, 76) > (!y6[i])) } else { ((g as u16).wrapping_mul(13) < (18_u16).wrapping_mul(16_u16)) }) {
        let mut v13: [u32; 3] = [((if i + 2 < x4.len() { x4[i + 2] } else { 0_u32 }).wrapping_mul(6) | ((g as u32) ^ far::MASK)), (!(i as i8)).leading_zeros(), (if ((a2 as f32)).is_nan() { 7 } else { ((a2 as f32)).to_bits() })];
    } else {
        let mut v14: [u32; 3] = [(i as u32).wrapping_add((if i + 1 < x4.len() { x4[i + 1] } else { 0_u32 })).wrapping_sub(((if i + 1 < x4.len() { x4[i + 1] } else { 0_u32 }) % ((x4[((f | f)) % x4.len()] & 7) + 1))), (f as i8).div_euclid(((a2 as i8) & 7) + 1).leading_zeros(), (if i > 0 { x4[i - 1] } else { 0_u32 }).wrapping_add((if i > 0 { x4[i - 1] } else { 0_u32 })).wrapping_sub((i as u32).wrapping_add((if i > 0 { x4[i - 1] } else { 0_u32 })))];
        {
            v14[(((f).wrapping_sub(f) | (g as usize))) % 3] |= (([(if i > 0 { x4[i - 1] } else { 0_u32 }), x4[i], (i as u32)])[((a2 as usize)) % 3]).clamp(24, 96);
        }
    }
    y6[i] = (y6[i]).max(((a2).wrapping_mul(y6[i]).wrapping_mul(((79 as T) >> 5)) << 3));
    y7[i] = y7[i].wrapping_add((x5[((g >> 3)) % x5.len()] >> 2).max((if i > 0 { x5[i - 1] } else { 0_i32 })));
    *s = s.min(math::exp2(((f as f32).signum() / (f as f32).abs())));
}

fn run_k016_i16__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<i16>(1);
    let x3 = n.array::<u8, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u32, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i16, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i32, _>(6, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(7));
    n.exec(rt, k016::<i16, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k016_i64__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<i64>(1);
    let x3 = n.array::<u8, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u32, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i32, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i32, _>(6, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(7));
    n.exec(rt, k016::<i64, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k017(a1: usize, a2: isize, x3: &[i32], x4: &[f64], x5: &[i16], #[out] y6: &mut [f64], #[out] y7: &mut [i64], c: &[Atomic<i64>]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut v8 = Cell { rho: 14.773_f64, mass: 12.789_f32, id: 94_u32 };
    {
        let mut n9 = 3_u32;
        while n9 > 0 {
            n9 -= 1;
            if (false & (10_i8 <= (a2 as i8))) {
                break;
            }
            v8.rho = math::rsqrt((if (i as f32).is_nan() { ((g as f64) + (f as f64)) } else { (y6[i + far::N]).round_ties_even() }));
        }
        v8.rho = far::scaled((-far::series(45.435_f64, 89_u32)));
        v8.id ^= ((if false { (i as u32) } else { 55_u32 }).clamp(13, 92) ^ ((g as i8).wrapping_sub((a2 as i8)) as u32));
    }
    let v10 = far::Cloud { cells: [v8, (Cloud { cells: [Cell { rho: 1.932_f64, mass: 39.838_f32, id: 82_u32 }; 2], at: [20_i32; N], mid: Cell { rho: 6.435_f64, mass: 45.122_f32, id: 63_u32 } }).mid], at: [(a1 as i32), (if i + 2 < x3.len() { x3[i + 2] } else { 0_i32 }), (if i > 0 { x3[i - 1] } else { 0_i32 }), (a1 as i32)], mid: v8 };
    for n11 in (0_u32..5).rev() {
        v8.mass += (math::tan((a2 as f32)) + ((a2 as f32) + (n11 as f32))).floor();
        {
            let mut v12: Cloud = Cloud { cells: [Cell { rho: 38.397_f64, mass: 18.236_f32, id: 64_u32 }; 2], at: [47_i32; N], mid: Cell { rho: 27.917_f64, mass: 3.719_f32, id: 124_u32 } };
        }
    }
    let mut v13: usize = g;
    y6[i + far::N] = ((-(f as f64).abs().powi(0)) / (if ((x5[i] == (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 })) || (v13 as f64).is_finite()) { math::atan((y6[i + far::N] / (if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f64 }))) } else { (((if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f64 }) / y6[i + far::N]) % ((x4[((if false { global_size(0) } else { (a1 as usize) })) % x4.len()] / y6[i + far::N]) + 0.5)) }));
    y7[i] |= (if ((y6[i + far::N]) as f32).is_nan() { (!(y7[i]).wrapping_sub((f as i64))) } else { (y7[i]).wrapping_neg().wrapping_add((117_i64).wrapping_add(90)) }).rem_euclid(((y7[i]).rotate_right(5) & 7) + 1);
    c[(((i).abs_diff((a1 as usize)) >> 5)) % c.len()].fetch_xor((y7[i]).wrapping_sub(y7[i]).wrapping_neg());
    v8.mass += ((((a2 as f32) % (28.543_f32 + 0.5)) * (2.36_f32 % (0.28_f32 + 0.5))) - (if false { ((i as f32) - (a2 as f32)) } else { ((a2 as f32) - 13.636_f32) }));
}

fn run_k017(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<usize>(0);
    let a2 = n.value::<isize>(1);
    let x3 = n.array::<i32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(1, 0) + far::N]);
    let mut y7 = n.array::<i64, _>(6, [n.extent(1, 0)]);
    let mut c = n.array::<i64, _>(7, [n.extent(1, 0)]);
    n.exec(rt, k017(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k018(a1: bool, a2: isize, a3: isize, x4: &[f32], x5: &[f64], y6: &mut [u64], #[out] y7: &mut [u64], #[out(partial)] y8: &mut [u16]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if a1 {
        {
            {
                let mut v9: f64 = (((i) as f64).mul_add(((if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f32 }) as f64), math::erf((a3 as f64))) * ((x5[((f).clamp(40, 94)) % x5.len()]) as f64).fract());
                let mut n10 = 2_u32;
                loop {
                    if n10 == 0 {
                        break;
                    }
                    n10 -= 1;
                    y6[i] %= ((a3 as u64) & 7) + 1;
                }
            }
            if ((x5[((f ^ i)) % x5.len()]).min(11.532_f64) % ((x5[i] / (f as f64)) + 0.5)).is_nan() {
                if (!({ let t11 = (i ^ i); (a1 | a1) })) {
                    let mut v12 = ((104_u8).rotate_right(0) | ((a2 as u8) % (((a2 as u8) & 7) + 1))).clamp(49, 91);
                    v12 >>= 1;
                    let mut n13 = 2_u32;
                    while n13 > 0 {
                        n13 -= 1;
                        {
                            v12 = v12;
                        }
                    }
                }
            } else {
                let mut v14 = (if (55_u8 <= ((i as u8) | (i as u8))) { (if (g > (g as usize)) { (f as i16) } else { (g as i16).signum() }) } else { ({ let t15 = x5[((if a1 { (a3 as usize) } else { g })) % x5.len()]; (a2 as i16) }).wrapping_sub(1) });
            }
        }
    }
    y6[i] = (y6[i] / (((y6[i] ^ y7[i]) & 7) + 1)).abs_diff((y7[i] | (y6[i]).wrapping_add(42))).rotate_right(3);
    y7[i] %= ((if ((!false) ^ ((f as i8) == 124_i8)) { (f as u64).wrapping_sub(y7[i]).abs_diff((a2 as u64).wrapping_mul(13)) } else { (y7[i]).max(y6[i]).wrapping_mul((y7[i]).wrapping_sub(123_u64)) }) & 7) + 1;
    y8[i] >>= 6;
    let mut v16: i16 = ((((a2 as isize) as i16) ^ (95_i16).wrapping_sub((g as i16))) & (66_i16).rem_euclid(((a3 as i16) & 7) + 1).div_euclid(((g as i16) & 7) + 1));
}

fn run_k018(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<isize>(1);
    let a3 = n.value::<isize>(2);
    let x4 = n.array::<f32, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<u64, _>(6, [n.extent(1, 0)]);
    let mut y8 = n.array::<u16, _>(7, [n.extent(1, 0)]);
    n.exec(rt, k018(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k019(a1: Cloud, a2: isize, x3: View<'_, i32, 2>, x4: View<'_, u16, 2>, x5: View<'_, f32, 2>, y6: ViewMut<'_, u64, 2>, y7: ViewMut<'_, Real, 2>, y8: ViewMut<'_, i16, 2>, #[reduce(+)] s: &mut f32) {
    let j = global_id(1);
    let i = global_id(0);
    let g = partition();
    let mut n9 = 3_u32;
    while n9 > 0 {
        n9 -= 1;
        if ((!y8[[j, i]]) == (y8[[j, i]] >> 0)) {
            break;
        }
        if false {
            let mut n10 = 4_u32;
            while n10 > 0 {
                n10 -= 1;
                {
                    if ((math::rsqrt(x5[[((i as usize).wrapping_mul(17)) % x5.extent(0), i]]) % ((if true { (if i > 0 { x5[[j, i - 1]] } else { 0.0_f32 }) } else { x5[[j, i]] }) + 0.5)) < (-far::total([12.124_f32; N]))) {
                        let v11: u8 = ((if false { 26_u8 } else { (a2 as u8) }) ^ (a2 as u8).rotate_right(1)).wrapping_add((if true { (i as u8) } else { 45_u8 }).abs_diff((j as u8)));
                    } else {
                        y8[[j, i]] |= (({ let t12 = (i).wrapping_sub(i); ((j as i16) | (j as i16)) }) / (((y8[[j, i]] << 0).signum() & 7) + 1)).saturating_sub((((g as i16).wrapping_sub(y8[[j, i]]) | (y8[[j, i]] ^ y8[[j, i]])) >> 5));
                        let mut v13 = [48.871_f32, (if i + 2 < x5.extent(1) { x5[[j, i + 2]] } else { 0.0_f32 }), (({ let t14 = (j as usize); far::WEIGHTS[i % N] }) * (x5[[j, i]]).max((if i > 0 { x5[[j, i - 1]] } else { 0.0_f32 }))), (((g as f32) - x5[[(({ let t15 = y8[[j, i]]; g })) % x5.extent(0), i]]) / (x5[[((g as usize).max(partition())) % x5.extent(0), i]]).abs())];
                    }
                }
                let mut v16 = ((x4[[j, i]]).wrapping_add(94) & ((if i + 2 < x4.extent(1) { x4[[j, i + 2]] } else { 0_u16 }).abs_diff(x4[[j, i]]) | (if i > 0 { x4[[j, i - 1]] } else { 0_u16 })));
            }
        }
        let mut v17: f64 = (math::ln(((a2 as f64) - y7[[j, i]])) / (math::log2(14.142_f64) % ((47.962_f64 * y7[[j, i]]) + 0.5)));
    }
    let mut n18 = 5_u32;
    loop {
        if n18 == 0 {
            break;
        }
        n18 -= 1;
        if (y7[[j, i]]).is_nan() {
            continue;
        }
        let mut v19: far::Body = Cell { rho: 28.414_f64, mass: 24.126_f32, id: 100_u32 };
    }
    y6[[j, i]] ^= (((8_u64).wrapping_mul(y6[[j, i]]) >> (far::MASK & 7)) ^ ((y6[[j, i]]).wrapping_mul(9_u64) / (((if true { y6[[j, i]] } else { y6[[j, i]] }) & 7) + 1))).abs_diff((if ((j as f32) >= (j as f32)) { (a2 as u64).wrapping_add(y6[[j, i]]) } else { ((y7[[j, i]]) as u64) }).wrapping_add((if (y6[[j, i]] < y6[[j, i]]) { ((x4[[((i).min(i)) % x4.extent(0), i]]) as u64) } else { ((101_u64) as u64) })));
    y7[[j, i]] = (math::rsqrt((y7[[j, i]] - y7[[j, i]]))).mul_add((if true { y7[[j, i]] } else { y7[[j, i]] }).ceil(), ((y7[[j, i]] / y7[[j, i]]) + (y7[[j, i]]).min(y7[[j, i]]))).fract();
    y8[[j, i]] >>= 1;
    *s += x5[[j, i]];
}

fn run_k019(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<isize>(1);
    let x3 = n.array::<i32, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let x4 = n.array::<u16, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let x5 = n.array::<f32, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y6 = n.array::<u64, _>(5, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y7 = n.array::<f64, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y8 = n.array::<i16, _>(7, [n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<f32>(8));
    n.exec(rt, k019(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k020(a1: isize, a2: isize, x3: &[f32], x4: &[f64], y5: &mut [u64], #[out] y6: &mut [u64], #[out(partial)] y7: &mut [u16]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if false {
        let v8: i32 = (((f as i32).wrapping_add((a1 as i32)) & (98_i32 | 86_i32)) ^ (((i as f32) as i32) >> ((f as u32) & 7)));
        let mut n9 = 4_u32;
        while n9 > 0 {
            n9 -= 1;
            let mut v10 = (((y6[i] << 2) >> (((g as u32) ^ (f as u32)) & 7)) >> (((89_u32).wrapping_sub((v8 as u32)) >> ((68_u32 << 2) & 7)) & 7));
            y5[i] >>= 1;
        }
    } else {
        let mut v11 = ({ let t12 = ((g).wrapping_mul(34) ^ (g).wrapping_add(32)); (g as i16).clamp(49, 91).rotate_left(0) });
    }
    let v13: u16 = (i as u16).wrapping_mul(50).abs_diff((y7[i]).wrapping_mul(y7[i])).abs_diff((y7[i] / ((y7[i] & 7) + 1)).clamp(25, 59));
    let mut v14: far::Quad = [((g as f32).recip() - math::atan(x3[(({ let t15 = (v13 as usize); (f as usize) })) % x3.len()])), ((if i > 0 { x3[i - 1] } else { 0.0_f32 }) / x3[i]).powi(3), ({ let t16 = x4[((if false { f } else { g })) % x4.len()]; x3[i] }).powi(3), ((if i + 1 < x3.len() { x3[i + 1] } else { 0.0_f32 }).mul_add((f as f32), (if i > 0 { x3[i - 1] } else { 0.0_f32 })) - (-(a1 as f32)))];
    {
        let mut v17 = 67_u8;
    }
    let mut v18: usize = (((i as usize).clamp(6, 98) >> ((g as u32) & 7)) % ((f & 7) + 1));
    let mut v19 = (y7[i]).wrapping_mul(96).clamp(5, 94).rotate_right(0);
    y5[i] %= (({ let t20 = y7[i]; y6[i] }).max((y5[i] >> 5)).abs_diff(((v18).clamp(26, 72) as u64)) & 7) + 1;
    y6[i] %= (((y6[i] >> ((v13 as u32) & 7)) ^ (if false { (g as u64) } else { y6[i] })).abs_diff(y6[i]) & 7) + 1;
    y7[i] |= (if (!(if true { ({ let t21 = (if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f64 }); false }) } else { (22_i32 >= (f as i32)) })) { (if ((i as i32) == (f as i32)) { (115_u16).wrapping_add(8) } else { (v13 as u16).rotate_right(1) }).wrapping_add(36) } else { ((y7[i]).clamp(24, 96).wrapping_sub(3) >> (((66_u32).clamp(15, 78) | (v13 as u32).wrapping_sub(5)) & 7)) });
    v18 %= (((a2 as usize) >> 3).rotate_right(6) & 7) + 1;
}

fn run_k020(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<isize>(0);
    let a2 = n.value::<isize>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<u16, _>(6, [n.extent(1, 0)]);
    n.exec(rt, k020(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn k021(a1: Cloud, a2: f64, a3: far::Word, x4: &[f64], x5: &[i16], x6: &[u64], #[out] y7: &mut [i16]) {
    let i = global_id(0);
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        {
            if (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t9 = i; (t9 as i8) })) } else { (((a3 as isize) as u32) >= (a3 % ((a3 & 7) + 1))) }) {
                let mut n10 = 2_u32;
                loop {
                    if n10 == 0 {
                        break;
                    }
                    n10 -= 1;
                    let v11: Cell = (if ((i != (a3 as usize)) == (a3 >= a3)) { Cell { rho: math::erf(x4[i]), mass: (-(a3 as f32)), id: (i).trailing_zeros() } } else { far::moved((a1).mid, ({ let t12 = i; (t12 as f32) })) });
                }
                {
                    let mut v13 = (if (false | false) { (if true { (i as i8) } else { 57_i8 }) } else { (82_i8 | (a3 as i8)) }).rotate_right(6);
                    v13 >>= 5;
                    for n14 in (2_isize..5).rev() {
                        if ({ let t15 = (91_i32 % ((93_i32 & 7) + 1)); false }) {
                            continue;
                        }
                        v13 %= (({ let t16 = ((false) as usize); ((x5[i]) as i8) }) & 7) + 1;
                        let mut v17 = ({ let t18 = x4[((if false { i } else { i })) % x4.len()]; (i as f32) }).powi(0).abs();
                    }
                }
                let mut v19 = [(a3 / ((a3 & 7) + 1)).clamp(41, 99), ((a3 % ((a3 & 7) + 1)) & far::MASK), (i % (((i as usize) & 7) + 1)).count_ones()];
            } else {
                let v20 = [((x4[i]).round_ties_even() as u32), ((a3).wrapping_mul(13) << 4), (11_u32 | a3).wrapping_mul((a3).wrapping_sub((a3 as u32)))];
            }
        }
    }
    y7[i] &= ((({ let t21 = 127_u16; y7[i] }).clamp(26, 72) % (((if (false != false) { (if false { (a3 as i16) } else { y7[i] }) } else { y7[i] }) & 7) + 1)) ^ (x5[((a3 as usize).wrapping_mul(i)) % x5.len()] >> (a3 & 7)).wrapping_mul(29).wrapping_sub(({ let t22 = (i as f32); (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 }).signum() })));
    let mut v23: [f32; N] = [(((i as f32) % (40.48_f32 + 0.5)) + (if true { (a3 as f32) } else { (a3 as f32) })), ((a3 as f32).sqrt() - (a3 as f32)), math::atan(({ let t24 = i; (i as f32) })), (if false { (i as f32).powi(0) } else { (6.592_f32).sqrt() })];
}

fn run_k021(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<f64>(1);
    let a3 = n.value::<u32>(2);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    let x6 = n.array::<u64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i16, _>(6, [n.extent(1, 0)]);
    n.exec(rt, k021(a1, a2, a3, &x4, &x5, &x6, &mut y7), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [f32], M = [2, 5])]
fn k022<T, const M: usize>(a1: isize, a2: f32, a3: T, x4: &[f64], x5: &[u64], y6: ViewMut<'_, T, 2>, #[out(partial)] y7: &mut [Cloud], #[reduce(+)] s: &mut f32, c: &[Atomic<i64>]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut v8 = Cell { rho: 14.773_f64, mass: 12.789_f32, id: 94_u32 };
    {
        let mut n9 = 3_u32;
        while n9 > 0 {
            n9 -= 1;
            if (false & ((f as i16) == 102_i16)) {
                break;
            }
            let v8 = ((math::erf(y6[[(i + 2) % 3, i]]) - (y6[[(i + 2) % 3, i]] / y6[[2, i]])) as usize);
            for n10 in (0..5_isize).step_by(1) {
                let v11: u8 = (if (x4[((if false { i } else { M })) % x4.len()]).is_nan() { ((i as u32) as u8) } else { (v8 as u8) }).rotate_right(1);
                let mut v12: u64 = (({ let t13 = a3; x5[((i).clamp(49, 91)) % x5.len()] }) / (((v11 as u64).wrapping_mul((if i > 0 { x5[i - 1] } else { 0_u64 })) & 7) + 1)).saturating_sub((((n10 as i32) as u64) & ((x5[i]) as u64)));
                if (false != (if (91_i16 != 84_i16) { (a2).is_finite() } else { ({ let t14 = y6[[(i + 1) % 3, i]]; true }) })) {
                    v12 &= ((v12).abs_diff((if i + 1 < x5.len() { x5[i + 1] } else { 0_u64 })) ^ ({ let t15 = i; v12 })).abs_diff(((if i + 2 < x5.len() { x5[i + 2] } else { 0_u64 }) & ((y6[[(i + 2) % 3, i]]) as u64)));
                    let v12 = (!(!((i as i8) & (f as i8))));
                }
            }
        }
        let v16: f32 = math::erf(({ let t17 = (if false { a3 } else { y6[[(i + 0) % 3, i]] }); (a2).mul_add(a2, a2) }));
        for n18 in (2_u32..4).rev() {
            v8.rho = ((-(x4[((91_usize >> ((a1 as u32) & 7))) % x4.len()]).signum()) + ({ let t19 = (g as T); (if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f64 }) }).max((x4[i] + far::SCALE)));
        }
    }
    y6[[1, i]] = ({ let t20 = (g as u16); ((if false { a3 } else { y6[[(i + 0) % 3, i]] }).round_ties_even() * math::exp2(({ let t21 = x5[((f | f)) % x5.len()]; (9.164 as T) }))) });
    y7[i + 2].cells[((g).saturating_add(f)) % 2].id &= (((a1 as u32) >> 0) & ((y6[[(i + 2) % 3, i]]) as u32)).wrapping_add(88);
    c[((if (32_i8 < (f as i8)) { ((y6[[1, i]]) as usize) } else { ((i as u16) as usize) })) % c.len()].fetch_xor((if (y6[[1, i]] <= y6[[2, i]]) { (i as i64).rem_euclid(((g as i64) & 7) + 1) } else { (107_i64).rotate_right(1) }));
    *s += ([(if true { a2 } else { a2 }), ((a1 as f32) - a2), (9.286_f32 - a2), (a2 - (i as f32))])[((i >> 2)) % N];
}

fn run_k022_f32__2(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<isize>(0);
    let a2 = n.value::<f32>(1);
    let a3 = n.value::<f32>(2);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f32, _>(5, [3, n.extent(1, 0)]);
    let mut y7 = n.array::<Cloud, _>(6, [n.extent(1, 0) + 2]);
    let mut s = Var::new(n.value::<f32>(7));
    let mut c = n.array::<i64, _>(8, [n.extent(1, 0)]);
    n.exec(rt, k022::<f32, 2>(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

fn run_k022_f32__5(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<isize>(0);
    let a2 = n.value::<f32>(1);
    let a3 = n.value::<f32>(2);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f32, _>(5, [3, n.extent(1, 0)]);
    let mut y7 = n.array::<Cloud, _>(6, [n.extent(1, 0) + 2]);
    let mut s = Var::new(n.value::<f32>(7));
    let mut c = n.array::<i64, _>(8, [n.extent(1, 0)]);
    n.exec(rt, k022::<f32, 5>(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k023(a1: isize, a2: f32, x3: View<'_, f32, 2>, #[out] y4: ViewMut<'_, f32, 2>, y5: ViewMut<'_, Real, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut v6: i16 = (({ let t7 = 2_i8; 20_u8 }) as i16);
    let v8 = (10_u16 | (f as u16)).div_euclid(((v6 as u16).rotate_right(7) & 7) + 1).clamp(13, 97);
    let v9 = ((69_u64).div_euclid(((v6 as u64) & 7) + 1).wrapping_add((j as u64)) >> ((if true { (g as u32) } else { (a1 as u32) }).clamp(40, 94) & 7));
    v6 >>= 4;
    for n10 in (1..5_i32).step_by(3) {
        if ((55_u32).rotate_left(1) >= (g as i8).leading_zeros()) {
            break;
        }
        let v11 = n10;
        v6 = ((!(v6 >> ((v6 as u32) & 7))) & (!((j as i16) | v6)));
    }
    {
        let mut v12 = Cloud { cells: [Cell { rho: 17.450_f64, mass: 49.421_f32, id: 100_u32 }; 2], at: [10_i32; N], mid: Cell { rho: 21.110_f64, mass: 17.964_f32, id: 102_u32 } };
    }
    {
        {
            v6 |= ((if false { (if true { 103_i16 } else { 91_i16 }) } else { (v6 | v6) }) / ((v6 & 7) + 1));
        }
    }
    y4[[j, i]] += ((y4[[j, i]] / a2).max((a2).abs()) / ({ let t13 = ({ let t14 = (v6 as i32); y5[[j, i]] }); (x3[[j, i]]).mul_add((if j + 2 < x3.extent(0) { x3[[j + 2, i]] } else { 0.0_f32 }), x3[[j, i]]) })).sqrt();
    y5[[j, i]] += (((-(-(v8 as f64))) / ((if true { y5[[j, i]] } else { y5[[j, i]] }) / (y5[[j, i]] / y5[[j, i]]))) * (if ({ let t15 = (!(i as i16)); (true || true) }) { (if (y4[[j, i]]).is_nan() { (y5[[j, i]]).powi(0) } else { (y5[[j, i]] + (f as f64)) }) } else { math::log2((Cell { rho: 26.996_f64, mass: 24.690_f32, id: 80_u32 }).rho) }));
    v6 >>= 2;
}

fn run_k023(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<isize>(0);
    let a2 = n.value::<f32>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y4 = n.array::<f32, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, k023(a1, a2, &x3, &mut y4, &mut y5), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k024(a1: i32, a2: Cloud, a3: u16, x4: &[f32], x5: &[u64], x6: &[f64], #[out] y7: &mut [i64], y8: ViewMut<'_, i16, 2>, y9: &mut [i8]) {
    let i = global_id(0);
    let f = phase();
    let v10: [u32; 3] = [((a3 as u32).wrapping_add((a3 as u32)) & (98_u32 | 86_u32)), (((i as f32) as u32) >> ((a3 as u32) & 7)), (if true { (a3 as u32) } else { (a3 as u32) }).clamp(40, 94)];
    let mut v11: f32 = (-(-far::total([32.45_f32; N])));
    y8[[(i + 2) % 3, i]] = (if ((if false { x6[i] } else { far::SCALE }) * (f as f64).mul_add(far::SCALE, (if i > 0 { x6[i - 1] } else { 0.0_f64 }))).is_nan() { (if (!((if i > 0 { x5[i - 1] } else { 0_u64 }) < x5[i])) { (!(y8[[(i + 1) % 3, i]] >> ((f as u32) & 7))) } else { ({ let t12 = y7[i]; (a3 as i16) }).rotate_right(0) }) } else { ((((true) as i16) & (y8[[(i + 1) % 3, i]]).wrapping_mul(y8[[(i + 1) % 3, i]])) % (((y8[[(i + 1) % 3, i]]).wrapping_sub(1).rotate_right(7) & 7) + 1)) });
    let mut v13: Cloud = Cloud { cells: [Cell { rho: 38.397_f64, mass: 18.236_f32, id: 64_u32 }; 2], at: [47_i32; N], mid: Cell { rho: 27.917_f64, mass: 3.719_f32, id: 124_u32 } };
    let mut v14: usize = f;
    if ((v14 as u8).clamp(27, 51).wrapping_mul(12) > ((a3 as u8) & (f as u8)).wrapping_add(1)) {
        if ((if i + 2 < x6.len() { x6[i + 2] } else { 0.0_f64 }) / x6[i]).mul_add(math::atan(far::SCALE), ((if i > 0 { x6[i - 1] } else { 0.0_f64 }) - (i as f64))).is_finite() {
            let v11 = (if ((!true) ^ (true || true)) { (if (if i > 0 { x4[i - 1] } else { 0.0_f32 }).is_nan() { ((f as i32) & a1) } else { (!a1) }) } else { (11_i32 | a1).wrapping_mul((a1).wrapping_sub((i as i32))) });
            let mut v15 = [(if i > 0 { x4[i - 1] } else { 0.0_f32 }).powi(-1).mul_add((i as f32).max((a1 as f32)), (x4[i]).powf((a1 as f32))), ((x4[((f).wrapping_mul((a1 as usize))) % x4.len()]) as f32), (((if i > 0 { x4[i - 1] } else { 0.0_f32 }) - x4[(((a1 as usize) >> ((v14 as u32) & 7))) % x4.len()]) - (if true { (a1 as f32) } else { 26.265_f32 })), (-((if i > 0 { x4[i - 1] } else { 0.0_f32 }) % ((f as f32) + 0.5)))];
        } else {
            let mut n16 = 4_u32;
            while n16 > 0 {
                n16 -= 1;
                if (((if i > 0 { x6[i - 1] } else { 0.0_f64 }) * x6[((i).wrapping_sub(5)) % x6.len()]) > ((if i > 0 { x6[i - 1] } else { 0.0_f64 }) - x6[((v14 >> (far::TABLE[i % 8] & 7))) % x6.len()])) {
                    continue;
                }
                y9[i + far::N] %= (122_i8 & 7) + 1;
                for n17 in 2..3_i64 {
                    if (math::rsqrt(v11)).is_nan() {
                        break;
                    }
                    if (((!false) ^ (!true)) == ((if false { x4[((a3 as usize).rotate_left(5)) % x4.len()] } else { v11 }) < (if false { x4[((v14 as usize)) % x4.len()] } else { v11 }))) {
                        v13.cells[(i) % 2].id &= (([19_u32; 3])[((a1 as usize)) % 3]).wrapping_sub((if true { (v14 as u32) } else { 70_u32 })).saturating_sub(((Cloud { cells: [Cell { rho: 35.183_f64, mass: 0.533_f32, id: 16_u32 }; 2], at: [117_i32; N], mid: Cell { rho: 43.981_f64, mass: 3.929_f32, id: 24_u32 } }).cells[(i) % 2]).id);
                    } else {
                        v11 /= (((if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f32 }) % ((if i > 0 { x4[i - 1] } else { 0.0_f32 }) + 0.5)) * (x4[i] - x4[(i) % x4.len()])).round_ties_even();
                    }
                }
            }
        }
    }
    y7[i] %= ((y7[i] >> (({ let t18 = (f as i8); (a3 as u32) }).clamp(42, 76) & 7)) & 7) + 1;
    y8[[(i + 1) % 3, i]] = ((!(y8[[(i + 1) % 3, i]]).clamp(22, 65)).rotate_right(2) / (((5_i16).div_euclid((((y8[[0, i]]).wrapping_add(y8[[0, i]]) >> ((a1 as u32) & 7)) & 7) + 1) & 7) + 1));
    y9[i + far::N] %= ((if true { (a1 as i8) } else { 117_i8 }).wrapping_neg().wrapping_mul((!y9[i + far::N]).wrapping_mul((y9[i + far::N]).wrapping_add(y9[i + far::N]))) & 7) + 1;
    v11 += far::wave((-(if true { (if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f32 }) } else { (if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f32 }) })), (x4[i]).mul_add(7.6_f32, x4[i]).powi(-1));
}

fn run_k024(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i32>(0);
    let a2 = n.value::<Cloud>(1);
    let a3 = n.value::<u16>(2);
    let x4 = n.array::<f32, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let x6 = n.array::<f64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i64, _>(6, [n.extent(1, 0)]);
    let mut y8 = n.array::<i16, _>(7, [3, n.extent(1, 0)]);
    let mut y9 = n.array::<i8, _>(8, [n.extent(1, 0) + far::N]);
    n.exec(rt, k024(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k025(a1: far::Word, x2: &[f64], x3: &[i16], x4: &[u64], #[out] y5: &mut [i16], #[reduce(+, into)] s: &mut f64) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut v6 = Cell { rho: 14.773_f64, mass: 12.789_f32, id: 94_u32 };
    {
        let mut n7 = 3_u32;
        while n7 > 0 {
            n7 -= 1;
            if (false & (10_i8 <= (i as i8))) {
                break;
            }
            v6.rho = math::rsqrt((if (f as f32).is_nan() { ((f as f64) + (a1 as f64)) } else { (x2[(((a1 as usize) << 2)) % x2.len()]).round_ties_even() }));
        }
        let mut v8: Cloud = Cloud { cells: [Cell { rho: 36.270_f64, mass: 30.449_f32, id: 9_u32 }; 2], at: [29_i32; N], mid: Cell { rho: 43.102_f64, mass: 0.854_f32, id: 99_u32 } };
        let mut n9 = 4_u32;
        loop {
            if n9 == 0 {
                break;
            }
            n9 -= 1;
            let mut n10 = 5_u32;
            while n10 > 0 {
                n10 -= 1;
                y5[i] = ((50_i8 | 106_i8).wrapping_mul(125_i8).wrapping_sub(({ let t11 = ((a1 as i8) & (a1 as i8)); (t11).saturating_sub((f as i8)) })) as i16);
            }
            let v12 = (((a1 as f32) - (f as f32)).sqrt() / ((i as f32) % ((a1 as f32) + 0.5)).powi(2));
        }
    }
    if (if ({ let t13 = (91_i32 % ((93_i32 & 7) + 1)); false }) { ((if false { (if i + 2 < x4.len() { x4[i + 2] } else { 0_u64 }) } else { (g as u64) }) != x4[i]) } else { ((y5[i] == (g as i16)) == ((a1 as i32) >= 63_i32)) }) {
        if ((!(f as i8)).max((i as i8)) > (!((i as i8) & (f as i8)))) {
            v6.rho = (math::erf(({ let t14 = 55_i64; (f as f64) }))).atan2(((a1 as u16) as f64).fract());
        } else {
            v6.id ^= a1;
        }
    } else {
        v6.mass += ((math::log2(14.142_f32) % ((47.962_f32 * (f as f32)) + 0.5)) / ((f as f32) - (g as f32)));
    }
    y5[i] %= ((((a1 as isize).wrapping_neg() as i16) ^ y5[i]) & 7) + 1;
    *s += (if ((x2[((i).wrapping_sub(i)) % x2.len()]).is_nan() != (!true)) { x2[((121_usize).rotate_right(4)) % x2.len()] } else { (if (x4[i] < (if i + 1 < x4.len() { x4[i + 1] } else { 0_u64 })) { (if true { (a1 as f64) } else { 26.265_f64 }) } else { (-10.8_f64) }) });
}

fn run_k025(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u32>(0);
    let x2 = n.array::<f64, _>(1, [n.extent(1, 0)]);
    let x3 = n.array::<i16, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f64>(5));
    n.exec(rt, k025(a1, &x2, &x3, &x4, &mut y5, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable, group_by(4))]
fn k026(a1: f32, a2: u16, a3: f64, x4: View<'_, Cell, 3>, x5: View<'_, f64, 3>, x6: &[Real], #[out] y7: ViewMut<'_, i64, 3>, y8: ViewMut<'_, i16, 3>, y9: ViewMut<'_, i8, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let v10: i32 = (((i as i32).wrapping_add((i as i32)) & (98_i32 | 86_i32)) ^ (((a1) as i32) >> ((i as u32) & 7)));
    for n11 in (2..5_u64).step_by(3) {
        for n12 in 1..6_i64 {
            if ((a2 & a2) != 50_u16) {
                continue;
            }
            let mut v13: i64 = (!(!(y7[[i, p, j]]).rotate_left(1)));
            let v14 = (({ let t15 = ((f as i8) & y9[[p, j, i]]); ((v13 as u8) >> ((i as u32) & 7)) }) / ((({ let t16 = (j).wrapping_sub(f); ((v13 as u8) | (v10 as u8)) }) & 7) + 1));
            let mut v17 = Cloud { cells: [Cell { rho: 26.917_f64, mass: 0.999_f32, id: 21_u32 }; 2], at: [102_i32; N], mid: Cell { rho: 42.921_f64, mass: 10.617_f32, id: 4_u32 } };
        }
        {
            let v10 = (((93_isize).wrapping_neg() >> ((if false { (n11 as u32) } else { far::TABLE[i % 8] }) & 7)) ^ (n11 as isize).wrapping_mul(53));
            if (((i as u8) ^ (v10 as u8)).abs_diff((27_u8).abs_diff(71_u8)) <= (({ let t18 = y8[[p, j, i]]; (t18 as i32) }) as u8)) {
                if ((!(j as i8)).max(y9[[p, j, i]]) > ((y9[[p, j, i]] & 4_i8) | (y9[[p, j, i]]).rotate_right(7))) {
                    {
                        if (({ let t19 = (!y8[[p, j, i]]); (!false) }) | (if (!true) { (f as f32).is_nan() } else { (a1 <= (i as f32)) })) {
                            if (!((a2).wrapping_mul(a2) < (i as u16).rotate_right(6))) {
                                if ((Cell { rho: 26.172_f64, mass: 31.0_f32, id: 115_u32 }).rho).powf((x6[i]).min(12.221_f64)).is_finite() {
                                    let mut v20: i32 = (g as i32).signum();
                                } else {
                                    let mut v21: f64 = x5[[p, ((121_usize).rotate_right(4)) % x5.extent(1), i]];
                                }
                            } else {
                                let mut v10: far::Real = (if j > 0 { x5[[p, j - 1, i]] } else { 0.0_f64 }).max(math::erf((if p + 1 < x5.extent(0) { x5[[p + 1, j, i]] } else { 0.0_f64 }))).trunc();
                            }
                        }
                    }
                }
            } else {
                let v22 = (g as u32).clamp(36, 88).wrapping_mul((g as u32).rotate_left(3)).rotate_left(5);
            }
        }
    }
    y7[[i, p, j]] %= ((y7[[i, p, j]]).rem_euclid((y7[[i, p, j]] & 7) + 1).clamp(24, 96).wrapping_sub(3) & 7) + 1;
    y8[[p, j, i]] ^= (((!(if false { y8[[p, j, i]] } else { 79_i16 })) >> (((if false { 45_u32 } else { (g as u32) }) | ((g as u32) % (((v10 as u32) & 7) + 1))) & 7)) >> 2);
    y9[[p, j, i]] = y9[[p, j, i]].wrapping_add(y9[[p, j, i]]);
    let mut v23: bool = ((if (true ^ false) { (x6[i] < (if i + 2 < x6.len() { x6[i + 2] } else { 0.0_f64 })) } else { (85_u64 != 23_u64) }) ^ (-a1).is_finite());
}

fn run_k026(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<u16>(1);
    let a3 = n.value::<f64>(2);
    let x4 = n.array::<Cell, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x5 = n.array::<f64, _>(4, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x6 = n.array::<f64, _>(5, [n.extent(3, 0)]);
    let mut y7 = n.array::<i64, _>(6, [n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]);
    let mut y8 = n.array::<i16, _>(7, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y9 = n.array::<i8, _>(8, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    n.exec(rt, k026(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2), 3])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k027(a1: Cloud, a2: u16, x3: View<'_, f32, 2>, x4: View<'_, i16, 2>, x5: View<'_, i64, 2>, #[out] y6: ViewMut<'_, f64, 2>, #[out] y7: ViewMut<'_, f32, 2>, c: &[Atomic<i64>]) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if false {
        let v8: i32 = (((f as i32).wrapping_add((a2 as i32)) & (98_i32 | 86_i32)) ^ (((i as f32) as i32) >> ((f as u32) & 7)));
        let mut n9 = 4_u32;
        while n9 > 0 {
            n9 -= 1;
            let mut v10: u64 = (((121_u64 << 2) >> (((g as u32) ^ (f as u32)) & 7)) >> (((89_u32).wrapping_sub((v8 as u32)) >> ((68_u32 << 2) & 7)) & 7));
            let v11: u8 = (({ let t12 = ((a2 as i8) & (f as i8)); (t12 as u8).saturating_sub(29_u8) }) / (((((i as u8) % (((v8 as u8) & 7) + 1)) >> ((g as u8).trailing_zeros() & 7)) & 7) + 1));
        }
    }
    {
        let mut v13 = a1;
    }
    if (!true) {
        {
            {
                let mut v14 = (false != (if (109_u8 <= 55_u8) { (false == false) } else { (false ^ false) }));
            }
            if ((f as u8) <= (97_u8 % (((j as u8) & 7) + 1)).abs_diff(({ let t15 = y6[[i, j]]; (j as u8) }))) {
                let mut v16 = (-(y6[[i, j]] % (far::SCALE + 0.5))).mul_add(((g as f64) % ((j as f64) + 0.5)).abs(), math::atan((y6[[i, j]] / y6[[i, j]])));
            }
        }
    }
    y6[[i, j]] = (((if false { (g as f64) } else { y6[[i, j]] }) - (y6[[i, j]]).fract()) * ((if true { (f as f64) } else { y6[[i, j]] }) * (y6[[i, j]]).powi(0))).abs();
    y7[[j, i]] /= (-(far::total(far::WEIGHTS)).signum()).powi(-1);
    c[(({ let t17 = a2; (j as usize) }).wrapping_sub((j).abs_diff(i))) % c.len()].fetch_add((((f) as i64) & (j as i64).wrapping_neg()));
    let v18 = [(if (false != false) { (if false { (f as f32) } else { y7[[j, i]] }) } else { (y7[[j, i]] + (if j + 1 < x3.extent(0) { x3[[j + 1, i]] } else { 0.0_f32 })) }), (if true { ({ let t19 = y6[[i, j]]; y7[[j, i]] }) } else { ((if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 }) - y7[[j, i]]) }), ((far::WEIGHTS[i % N] * y7[[j, i]]) - (if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 })), math::erf(math::atan((if j + 1 < x3.extent(0) { x3[[j + 1, i]] } else { 0.0_f32 })))];
}

fn run_k027(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<u16>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let x4 = n.array::<i16, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let x5 = n.array::<i64, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(2, 0), n.extent(2, 1)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    let mut c = n.array::<i64, _>(7, [n.extent(2, 0)]);
    n.exec(rt, k027(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [f32, f64], M = [3])]
fn k028<T, const M: usize>(a1: f32, a2: bool, a3: T, x4: View<'_, Cell, 4>, x5: View<'_, i16, 3>, x6: &[Cell], #[out] y7: ViewMut<'_, u16, 4>, y8: ViewMut<'_, i8, 4>, y9: ViewMut<'_, T, 4>, #[reduce(min)] s: &mut f64) {
    let q = global_id(3);
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let v10: [u32; 3] = [((i as u32).wrapping_add((q as u32)) & (98_u32 | 86_u32)), (((a3) as u32) >> ((i as u32) & 7)), (if true { (j as u32) } else { (q as u32) }).clamp(40, 94)];
    for n11 in 0..M {
        let v12 = Cloud { cells: [Cell { rho: 35.982_f64, mass: 45.435_f32, id: 34_u32 }; 2], at: [102_i32; N], mid: Cell { rho: 20.730_f64, mass: 49.409_f32, id: 107_u32 } };
        if (((y9[[q, p, j, i]]).hypot(a3) >= math::erf(y9[[q, p, j, i]])) && (((f as i16) & (if i > 0 { x5[[p, j, i - 1]] } else { 0_i16 })) < (if p > 0 { x5[[p - 1, j, i]] } else { 0_i16 }))) {
            let mut v13 = (far::scaled((n11 as f64))).abs().powf(math::tanh(((i as f64) / (n11 as f64))));
        }
        let mut v14: T = (y9[[q, p, j, i]] % (y9[[q, p, j, i]] + 0.5)).powi(2).sqrt();
    }
    let mut v10 = (((47.668 as T) % (y9[[q, p, j, i]] + 0.5)) / (y9[[q, p, j, i]] / y9[[q, p, j, i]])).powi(0);
    v10 /= ((y9[[q, p, j, i]]).powi(0).powi(0) % (((y9[[q, p, j, i]] / y9[[q, p, j, i]]) as T) + 0.5));
    let mut v10: T = ((y9[[q, p, j, i]] + y9[[q, p, j, i]]).mul_add((y9[[q, p, j, i]]).mul_add(y9[[q, p, j, i]], y9[[q, p, j, i]]), (v10 - v10)) as T);
    let v15: far::Quad = [(a1 + (a1 / a1)); N];
    v10 /= ((math::ln(y9[[q, p, j, i]])).mul_add(((a1) as T), y9[[q, p, j, i]]) * (v10).trunc());
    let mut n16 = 5_u32;
    loop {
        if n16 == 0 {
            break;
        }
        n16 -= 1;
        if (((121_u32 ^ 63_u32) >= (j as u32)) && (((a3) as usize) > ({ let t17 = y7[[q, p, j, i]]; f }))) {
            v10 *= (((y9[[q, p, j, i]] % (y9[[q, p, j, i]] + 0.5)) * y9[[q, p, j, i]]) - ({ let t18 = (if true { (i as u64) } else { (f as u64) }); ({ let t19 = (47.409 as T); y9[[q, p, j, i]] }) }));
        }
    }
    y7[[q, p, j, i]] %= ((((v10).powi(0) as u16) >> (((q as u32).min((i as u32)) >> ((f as u32).wrapping_sub((p as u32)) & 7)) & 7)) & 7) + 1;
    y8[[q, p, j, i]] = ((y8[[q, p, j, i]]).clamp(24, 96).wrapping_sub(3) >> (((66_u32).clamp(15, 78) | (f as u32).wrapping_sub(5)) & 7)).wrapping_add(81);
    y9[[q, p, j, i]] *= ((((y9[[q, p, j, i]] * (j as T)) / (if true { y9[[q, p, j, i]] } else { y9[[q, p, j, i]] })) % ((y9[[q, p, j, i]]).signum() + 0.5)) as T);
    *s = s.min(((if false { math::tanh((p as f64)) } else { (-(p as f64)) }) - (far::Cloud { cells: [Cell { rho: 32.227_f64, mass: 31.753_f32, id: 68_u32 }, x4[[q, p, j, i]]], at: [(i as i32), (j as i32), far::deep::STEPS[i % 3], (f as i32)], mid: x6[i] }).mid.rho));
}

fn run_k028_f32__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<bool>(1);
    let a3 = n.value::<f32>(2);
    let x4 = n.array::<Cell, _>(3, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let x6 = n.array::<Cell, _>(5, [n.extent(4, 0)]);
    let mut y7 = n.array::<u16, _>(6, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut y8 = n.array::<i8, _>(7, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut y9 = n.array::<f32, _>(8, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut s = Var::new(n.value::<f64>(9));
    n.exec(rt, k028::<f32, 3>(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9, &mut s), [n.extent(4, 0), n.extent(4, 1), n.extent(4, 2), n.extent(4, 3)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k028_f64__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<bool>(1);
    let a3 = n.value::<f64>(2);
    let x4 = n.array::<Cell, _>(3, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let x6 = n.array::<Cell, _>(5, [n.extent(4, 0)]);
    let mut y7 = n.array::<u16, _>(6, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut y8 = n.array::<i8, _>(7, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut y9 = n.array::<f64, _>(8, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut s = Var::new(n.value::<f64>(9));
    n.exec(rt, k028::<f64, 3>(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9, &mut s), [n.extent(4, 0), n.extent(4, 1), n.extent(4, 2), n.extent(4, 3)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn k029(a1: f32, x2: &[f32], x3: &[u64], x4: &[f64], #[out] y5: &mut [i64], y6: ViewMut<'_, i16, 2>, y7: &mut [i8]) {
    let i = global_id(0);
    let f = phase();
    let v8: [u32; 3] = [((f as u32).wrapping_add((f as u32)) & (98_u32 | 86_u32)), (((a1) as u32) >> ((f as u32) & 7)), (if true { (f as u32) } else { (f as u32) }).clamp(40, 94)];
    let mut v9: f32 = (-(-far::total([32.45_f32; N])));
    y6[[(i + 2) % 3, i]] = (if ((if false { x4[i] } else { far::SCALE }) * (f as f64).mul_add(far::SCALE, (if i > 0 { x4[i - 1] } else { 0.0_f64 }))).is_nan() { (if (!((if i > 0 { x3[i - 1] } else { 0_u64 }) < x3[i])) { (!(y6[[(i + 1) % 3, i]] >> ((f as u32) & 7))) } else { ({ let t10 = y5[i]; (i as i16) }).rotate_right(0) }) } else { ((((true) as i16) & (y6[[(i + 1) % 3, i]]).wrapping_mul(y6[[(i + 1) % 3, i]])) % (((y6[[(i + 1) % 3, i]]).wrapping_sub(1).rotate_right(7) & 7) + 1)) });
    let mut v11: Cloud = Cloud { cells: [Cell { rho: 21.988_f64, mass: 47.668_f32, id: 108_u32 }; 2], at: [124_i32; N], mid: Cell { rho: 20.927_f64, mass: 17.553_f32, id: 79_u32 } };
    if ({ let t12 = ((y6[[(i + 0) % 3, i]] != y6[[(i + 2) % 3, i]]) as usize); (({ let t13 = y5[i]; y6[[2, i]] }) == (if false { y6[[(i + 0) % 3, i]] } else { y6[[2, i]] })) }) {
        if ((if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f64 }) / x4[i]).mul_add(math::atan(far::SCALE), ((if i > 0 { x4[i - 1] } else { 0.0_f64 }) - (i as f64))).is_finite() {
            let v8 = (if ((!true) ^ (true || true)) { (if (if i > 0 { x2[i - 1] } else { 0.0_f32 }).is_nan() { (80_i32 & (f as i32)) } else { (!(f as i32)) }) } else { (63_i32 | (f as i32)).wrapping_mul((i as i32).wrapping_sub(114_i32)) });
            let mut n14 = 3_u32;
            while n14 > 0 {
                n14 -= 1;
                let mut v8 = (!(x2[i]).min(12.221_f32).is_finite());
                if (if (if i + 2 < x2.len() { x2[i + 2] } else { 0.0_f32 }).mul_add((f as f32), x2[((f >> (9_u32 & 7))) % x2.len()]).is_nan() { (({ let t15 = 22_u32; x2[i] }) >= (x2[((i).rem_euclid((f & 7) + 1)) % x2.len()] - x2[((f >> 2)) % x2.len()])) } else { v8 }) {
                    v9 *= (-((14_u8).abs_diff(28_u8) as f32));
                } else {
                    v11.at[((i).wrapping_sub(3)) % N] ^= (!(f as i32).wrapping_neg()).clamp(34, 54);
                    y7[i + far::N] %= (122_i8 & 7) + 1;
                }
            }
        }
    } else {
        v9 = x2[i];
    }
    y5[i] = (if true { (i as i64).clamp(36, 60) } else { (y5[i]).div_euclid(((f as i64) & 7) + 1) }).signum().clamp(13, 62);
    y6[[0, i]] %= ((((y6[[1, i]]).rotate_left(6) % (((i as i16) & 7) + 1)) >> ((if (x2[i]).is_nan() { 7 } else { (x2[i]).to_bits() }).rotate_left(5) & 7)) & 7) + 1;
    y7[i + far::N] = (i as i8).saturating_sub(14_i8).wrapping_sub((if true { y7[i + far::N] } else { (i as i8) })).saturating_sub((y7[i + far::N]).wrapping_sub(y7[i + far::N]).wrapping_sub(((if i + 2 < x2.len() { x2[i + 2] } else { 0.0_f32 }) as i8))).clamp(20, 77);
    v11.cells[((if false { f } else { f })) % 2] = Cell { rho: 38.115_f64, mass: 34.428_f32, id: 84_u32 };
}

fn run_k029(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let x2 = n.array::<f32, _>(1, [n.extent(1, 0)]);
    let x3 = n.array::<u64, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<i64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i16, _>(5, [3, n.extent(1, 0)]);
    let mut y7 = n.array::<i8, _>(6, [n.extent(1, 0) + far::N]);
    n.exec(rt, k029(a1, &x2, &x3, &x4, &mut y5, &mut y6, &mut y7), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k030(a1: bool, a2: bool, x3: &[far::Body], x4: View<'_, i16, 2>, x5: &[u64], #[out(partial)] y6: &mut [u16]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    if a1 {
        {
            {
                let mut v7: far::Real = (((i) as f64).mul_add(((3.630_f32) as f64), math::erf((i as f64))) * ((far::SCALE) as f64).fract());
                let mut v8: i64 = (if ((84_u8 >> ((g as u32) & 7)) < ((f as u8) & 29_u8)) { ((i as i64).rotate_left(5) >> ((i as u32).rotate_right(3) & 7)) } else { (90_i64).rotate_right(3).rotate_left(2) });
            }
            if ((if (!false) { (g as i16).wrapping_mul(34) } else { (g as i16).wrapping_add(32) }) <= (f as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v9: f32 = (((f as f32).mul_add((f as f32), (i as f32)) * ((f as f64) as f32)) / (math::erf((i as f32))).ceil());
                    let v9: i64 = (!(g as i64).wrapping_mul(53)).wrapping_neg();
                    let mut v10 = [(v9 as u8).leading_zeros(), (101_u32 | (v9 as u32)).trailing_zeros(), ((v9 as u32) & (i as u32)).wrapping_add(1)];
                }
                if ((g as f64) + (i as f64)).mul_add(math::atan(far::SCALE), (38.892_f64 - (f as f64))).is_finite() {
                    y6[i] &= ({ let t11 = (!(x4[[((g).clamp(48, 76)) % x4.extent(0), i]] >> ((g as u32) & 7))); y6[i] }).abs_diff(((y6[i]).wrapping_mul(y6[i]).wrapping_sub((y6[i]).abs_diff(y6[i])) % ((((y6[i]).clamp(40, 81) << 2) & 7) + 1)));
                } else {
                    let mut v12 = (if (((g as f32) / far::WEIGHTS[i % N]) <= (f as f32).powi(0)) { (-12.221_f64).is_finite() } else { ((i as u8).abs_diff((i as u8)) < (9_u8).wrapping_sub((g as u8))) });
                }
            } else {
                let mut v13 = (((g as i32).saturating_add((f as i32)) as f32) as usize);
            }
        }
    }
    y6[i] ^= (if ((93_i32).rotate_right(1).wrapping_sub((far::deep::STEPS[i % 3]).wrapping_add((f as i32))) == ((f as i32).wrapping_sub((f as i32)) >> (((f as u32) | (f as u32)) & 7))) { y6[i] } else { (if (if ((g as u16) < y6[i]) { (!a2) } else { ((i as u8) > (g as u8)) }) { (if (f as f64).is_finite() { (y6[i] % ((y6[i] & 7) + 1)) } else { (y6[i]).abs_diff(y6[i]) }) } else { ((y6[i]).div_euclid(((i as u16) & 7) + 1) >> ((f as u32).clamp(36, 60) & 7)) }) });
    let mut v14 = far::Cloud { cells: [Cell { rho: 27.31_f64, mass: 3.940_f32, id: 68_u32 }, Cell { rho: (g as f64).powi(3), mass: ((g as f32) * 48.580_f32), id: (110_u32).clamp(46, 72) }], at: [(i as i32), (g as i32), (i as i32), (f as i32)], mid: (if i + 1 < x3.len() { x3[i + 1] } else { x3[i] }) };
}

fn run_k030(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<bool>(1);
    let x3 = n.array::<Cell, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i16, _>(3, [2, n.extent(1, 0)]);
    let x5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u16, _>(5, [n.extent(1, 0)]);
    n.exec(rt, k030(a1, a2, &x3, &x4, &x5, &mut y6), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k031(a1: f64, a2: i32, a3: u64, x4: &[u64], x5: View<'_, u8, 2>, #[out(partial)] y6: ViewMut<'_, Real, 2>, y7: ViewMut<'_, i8, 2>, #[reduce(min)] s: &mut f64) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let v8: [u32; 3] = [((i as u32).wrapping_add((a2 as u32)) & (98_u32 | 86_u32)), (((j as f32) as u32) >> ((i as u32) & 7)), (if true { (i as u32) } else { (a2 as u32) }).clamp(40, 94)];
    let mut v9: f32 = (-(-far::total([32.45_f32; N])));
    y6[[i, j]] = y6[[i, j]];
    v9 = ((if ((f as i32) != a2) { (far::WEIGHTS[i % N] + v9) } else { ((j as f32) / v9) }) * (far::total([38.114_f32; N]) + v9));
    v9 += far::wave(((if true { (a2 as f32) } else { v9 }) / (v9).sqrt()), ((v9).hypot((i as f32)) + (v9).powi(-1)));
    let mut v10 = ((!(a2 as i64)).wrapping_neg() % (((f as i64).wrapping_sub(3) & 7) + 1));
    let mut v11: u8 = x5[[j, i]];
    if ({ let t12 = v10; y6[[i, j]] }).powi(-1).is_nan() {
        if (!true) {
            let v13 = (y7[[j, i]]).saturating_sub(y7[[j, i]]).signum().rotate_right(4);
            for n14 in (0_i32..5).rev() {
                if (!(y6[[i, j]] >= (a3 as f64))) {
                    break;
                }
                y7[[j, i]] %= ((((y7[[j, i]]).clamp(6, 98) >> ((f as u32) & 7)) % (((v13).wrapping_sub(y7[[j, i]]).signum() & 7) + 1)) & 7) + 1;
                let v15 = far::Cloud { cells: [Cell { rho: 5.794_f64, mass: 36.490_f32, id: 18_u32 }, far::moved((Cloud { cells: [Cell { rho: 47.747_f64, mass: 12.19_f32, id: 116_u32 }; 2], at: [47_i32; N], mid: Cell { rho: 18.440_f64, mass: 31.323_f32, id: 121_u32 } }).mid, (v9).powi(0))], at: [(v10 as i32), (i as i32), (j as i32), a2], mid: Cell { rho: 37.69_f64, mass: 1.955_f32, id: 68_u32 } };
            }
        }
    } else {
        v10 &= ((17_i64).rotate_right(1).wrapping_sub(({ let t16 = (a3 as f32); v10 })) >> ((v10 as u32).wrapping_mul((v10 as u32)).wrapping_sub(62) & 7));
    }
    y6[[i, j]] = (if ((((10_u16) as u64) | (a3).rem_euclid(((if i > 0 { x4[i - 1] } else { 0_u64 }) & 7) + 1)) < (((if i + 1 < x4.len() { x4[i + 1] } else { 0_u64 }) >> 0) as u64)) { math::log10((-(y6[[i, j]] * y6[[i, j]]))) } else { (far::scaled((if false { y6[[i, j]] } else { y6[[i, j]] })) * (-(if true { y6[[i, j]] } else { y6[[i, j]] }))) });
    y7[[j, i]] = y7[[j, i]].wrapping_add((if false { ((y7[[j, i]]).signum() >> 3) } else { (({ let t17 = (a3 as i8); y7[[j, i]] }) & (y7[[j, i]] % (((v10 as i8) & 7) + 1))) }));
    *s = s.min(((if true { (y6[[i, j]] + y6[[i, j]]) } else { (-y6[[i, j]]) }) - math::atan(((a2 as f64) / y6[[i, j]]))));
}

fn run_k031(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f64>(0);
    let a2 = n.value::<i32>(1);
    let a3 = n.value::<u64>(2);
    let x4 = n.array::<u64, _>(3, [n.extent(2, 0)]);
    let x5 = n.array::<u8, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(2, 0), n.extent(2, 1)]);
    let mut y7 = n.array::<i8, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<f64>(7));
    n.exec(rt, k031(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k032(a1: bool, a2: i32, a3: u64, x4: &[u64], x5: &[Cloud], #[out(partial)] y6: &mut [Real], y7: &mut [i8], c: &[Atomic<u32>]) {
    let i = global_id(0);
    let mut v8: Cell = (if (a1 & true) { far::Cloud { cells: [Cell { rho: 21.282_f64, mass: 35.954_f32, id: 98_u32 }, Cell { rho: 31.366_f64, mass: 40.129_f32, id: 123_u32 }], at: [(i as i32), (a2 as i32), a2, (i as i32)], mid: Cell { rho: 9.783_f64, mass: 9.791_f32, id: 123_u32 } } } else { far::Cloud { cells: [Cell { rho: 32.511_f64, mass: 45.510_f32, id: 35_u32 }, Cell { rho: 16.333_f64, mass: 6.533_f32, id: 77_u32 }], at: [a2, (i as i32), (a3 as i32), a2], mid: Cell { rho: 24.491_f64, mass: 12.124_f32, id: 108_u32 } } }).cells[(((73_usize).clamp(13, 92) ^ (i ^ phase()))) % 2];
    if ({ let t9 = ((y7[i + far::N]).rem_euclid((y7[i + far::N] & 7) + 1) & (y7[i + far::N] | (i as i8))); ((y6[i] == (a2 as f64)) && (112_i16 < (t9 as i16))) }) {
        let mut n10 = 5_u32;
        loop {
            if n10 == 0 {
                break;
            }
            n10 -= 1;
            if (y6[i] + (a3 as f64)).is_nan() {
                break;
            }
            let mut v8: bool = ((if ({ let t11 = far::deep::STEPS[i % 3]; false }) { (a3 as f32).recip() } else { math::atan((i as f32)) }) == (15.419_f32).sqrt().round());
        }
    }
    let mut v12: far::Body = v8;
    v12.mass += ({ let t13 = (({ let t14 = (a3 as i16); a2 }) as i64); (((a3 as f32) % ((t13 as f32) + 0.5)) % (math::atan(far::WEIGHTS[i % N]) + 0.5)) });
    if (((a3 as u16).wrapping_add(94) & 11_u16) <= (({ let t15 = (a3 as i16); 118_i64 }) as u16)) {
        if ((a3 as i8).saturating_sub(y7[i + far::N]).rem_euclid(((!(a2 as i8)) & 7) + 1) == (18_i8 / ((y7[i + far::N] & 7) + 1)).wrapping_mul(13)) {
            v8.id ^= ({ let t16 = (a3 as u16); (a3 as i32) }).max(((i as i32) & (a2 as i32))).count_ones();
        } else {
            if (if (a1 ^ a1) { ({ let t17 = (a2 as u8).div_euclid(((a2 as u8) & 7) + 1); (!true) }) } else { (if a1 { (if a1 { a1 } else { false }) } else { a1 }) }) {
                if ((({ let t18 = y6[i]; (a3 as f32) }) - (43.907_f32).mul_add((a2 as f32), 0.910_f32)) <= ((19.118_f32).recip() % ((-(a2 as f32)) + 0.5))) {
                    let mut n19 = 2_u32;
                    while n19 > 0 {
                        n19 -= 1;
                        let v20 = (if (if ((a3 as u8) >= (a2 as u8)) { (i as f32).is_nan() } else { (!a1) }) { (math::tan(far::WEIGHTS[i % N])).min(({ let t21 = (a2 as i8); (i as f32) })) } else { (((a3 as f32) + (a2 as f32)) - ((a3 as f32) * (i as f32))) });
                    }
                } else {
                    v12.rho = (-(far::Cloud { cells: [Cell { rho: 27.31_f64, mass: 3.940_f32, id: 68_u32 }, v12], at: [a2, (i as i32), (a3 as i32), a2], mid: Cell { rho: 35.267_f64, mass: 5.918_f32, id: 121_u32 } }).mid.rho);
                }
            }
        }
    } else {
        v12.id ^= (a3 as u32).wrapping_sub((a2 as u32)).saturating_sub((19_u32 >> (60_u32 & 7))).saturating_sub((a3 as u32).rotate_left(3).clamp(8, 52));
    }
    y6[i] = ((if ((i as u8) != (a2 as u8)) { ((i as f64) * y6[i]) } else { (i as f64).abs() }) - ((y6[i] / y6[i]) - (a2 as f64).powi(0))).powf(math::erf(((y6[i]).ceil() + (y6[i]).ceil())));
    y7[i + far::N] = (if (if a1 { (22.165_f32).is_finite() } else { (y7[i + far::N] != y7[i + far::N]) }) { ((a2 as f32).trunc() as i8) } else { (y7[i + far::N]).wrapping_mul(21_i8).wrapping_sub((!y7[i + far::N])) }).min(((y7[i + far::N] | y7[i + far::N]).clamp(13, 89) >> 5));
    c[((if (if a1 { true } else { false }) { (i >> ((a2 as u32) & 7)) } else { (i >> ((i as u32) & 7)) })) % c.len()].fetch_max((a2 as u32).wrapping_sub(23).rotate_left(4));
    v8.rho = (if (y6[i]).is_nan() { (a3 as f64).mul_add(y6[i], y6[i]) } else { (y6[i] % ((a3 as f64) + 0.5)) }).fract();
}

fn run_k032(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<i32>(1);
    let a3 = n.value::<u64>(2);
    let x4 = n.array::<u64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<Cloud, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i8, _>(6, [n.extent(1, 0) + far::N]);
    let mut c = n.array::<u32, _>(7, [n.extent(1, 0)]);
    n.exec(rt, k032(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, group_by(2))]
fn k033(a1: f32, a2: i8, x3: View<'_, i16, 2>, y4: ViewMut<'_, Cell, 2>) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut n5 = 5_u32;
    while n5 > 0 {
        n5 -= 1;
        if (((94_isize <= (i as isize)) != (a1 > a1)) ^ (((a2 as i32) >= (f as i32)) != (g != (a2 as usize)))) {
            if (!(((g as i32) | (i as i32)) > (!(g as i32)))) {
                let v6 = (if ((f != (f as usize)) == ((i as u32) >= (g as u32))) { Cell { rho: math::erf((a2 as f64)), mass: (a1).mul_add((a2 as f32), a1), id: (a2 as u32).wrapping_sub((a2 as u32)) } } else { ({ let t7 = (f).wrapping_sub(f); y4[[(i + 2) % 3, i]] }) });
            } else {
                for n8 in 0..6_u16 {
                    let mut v9 = ((n8 as f32).sqrt() as f32).powi(-1);
                }
            }
            let v10 = (if false { (if (109_u8 <= 55_u8) { ((i as i64) | (a2 as i64)) } else { (if false { (g as i64) } else { 58_i64 }) }) } else { (g as i64).signum().signum() });
            let mut v11: f32 = ({ let t12 = (f as f64); a1 }).powi(3).abs();
        }
    }
    let mut v13 = (far::Cloud { cells: [Cell { rho: 20.819_f64, mass: 49.80_f32, id: 41_u32 }, Cell { rho: 3.490_f64, mass: 25.312_f32, id: 47_u32 }], at: [(a2 as i32), (f as i32), (i as i32), (f as i32)], mid: y4[[(i + 1) % 3, i]] }).mid;
    y4[[(i + 1) % 3, i]] = Cell { rho: 11.842_f64, mass: 22.390_f32, id: 107_u32 };
    v13.rho = ((48.67_f64).mul_add((a2 as f64), 6.948_f64) * math::ln((g as f64))).signum();
}

fn run_k033(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<i8>(1);
    let x3 = n.array::<i16, _>(2, [2, n.extent(1, 0)]);
    let mut y4 = n.array::<Cell, _>(3, [3, n.extent(1, 0)]);
    n.exec(rt, k033(a1, a2, &x3, &mut y4), [n.extent(1, 0), 3])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [u8, u32], M = [4])]
fn k034<T, const M: usize>(a1: i8, a2: T, x3: &[i64], #[out(partial)] y4: &mut [Cloud], y5: &mut [far::Real], #[reduce(^)] s: &mut u32) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let mut v6 = (a2 as usize).wrapping_add(i).wrapping_mul(21).rotate_right(2);
    if ((if (y5[i]).is_finite() { (f).rem_euclid(((g as usize) & 7) + 1) } else { (if true { f } else { f }) }) >= (67_usize).div_euclid(((a2 as usize) & 7) + 1).wrapping_add(v6)) {
        *s ^= ((if false { (i as u32) } else { 55_u32 }).clamp(13, 92) ^ (((a2 as u32) / (((f as u32) & 7) + 1)) as u32));
        let v7: Cloud = far::Cloud { cells: [Cell { rho: 28.734_f64, mass: 26.759_f32, id: 100_u32 }, ({ let t8 = a2; y4[i + 2] }).mid], at: [100_i32, 9_i32, (a1 as i32), (f as i32)], mid: Cell { rho: 22.239_f64, mass: 48.374_f32, id: 125_u32 } };
        y5[i] -= ((y5[i] + y5[i]).floor() - (math::erf(y5[i])).ceil()).sqrt();
    } else {
        v6 ^= (g as usize);
        let v9 = Cell { rho: 3.719_f64, mass: 12.303_f32, id: 70_u32 };
    }
    let mut v10 = [(v6 as u8).leading_zeros(), (101_u32 | (v6 as u32)).trailing_zeros(), ((v6 as u32) & (i as u32)).wrapping_add(1)];
    y4[i + 2].at[((v6).rotate_right(1)) % N] ^= (!(!94_i32)).saturating_sub((!63_i32).wrapping_add(94));
    y5[i] *= ((if ((!true) ^ (true || true)) { (if (28.762_f32).is_nan() { ((a1 as f64) - y5[i]) } else { (y5[i] % (y5[i] + 0.5)) }) } else { (far::moved(Cell { rho: 40.680_f64, mass: 44.797_f32, id: 123_u32 }, (a1 as f32))).rho }) - (({ let t11 = a2; (y5[i]).mul_add(y5[i], y5[i]) }) % ((y5[i]).powi(3).mul_add((i as f64).max((a1 as f64)), (y5[i]).powf(4.612_f64)) + 0.5)));
    y4[i + 2].mid.rho -= (((y4[i + 2]).mid).rho + y5[i]);
    y4[i + 2].cells[((N).rotate_right(0)) % 2] = Cell { rho: (y5[i] - y5[i]), mass: (44.923_f32 + 3.426_f32), id: (i as u64).count_ones() };
    y5[i] *= ((if ((if true { a1 } else { a1 }) < (66_i8).clamp(15, 78)) { far::scaled((if false { y5[i] } else { y5[i] })) } else { (-(if true { y5[i] } else { y5[i] })) }) % ((((y5[i] - y5[i]) / far::scaled((i as f64))) + (if (y5[i]).is_finite() { (y5[i]).signum() } else { (y5[i] + y5[i]) })) + 0.5));
    *s ^= (a1).rem_euclid((a1 & 7) + 1).clamp(36, 60).leading_zeros();
}

fn run_k034_u8__4(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let a2 = n.value::<u8>(1);
    let x3 = n.array::<i64, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<Cloud, _>(3, [n.extent(1, 0) + 2]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<u32>(5));
    n.exec(rt, k034::<u8, 4>(a1, a2, &x3, &mut y4, &mut y5, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k034_u32__4(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let a2 = n.value::<u32>(1);
    let x3 = n.array::<i64, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<Cloud, _>(3, [n.extent(1, 0) + 2]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<u32>(5));
    n.exec(rt, k034::<u32, 4>(a1, a2, &x3, &mut y4, &mut y5, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k035(a1: i8, a2: f64, a3: Cloud, x4: View<'_, u64, 3>, x5: View<'_, i16, 3>, y6: ViewMut<'_, far::Real, 3>, y7: ViewMut<'_, i8, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let v8 = [((f as f32) + (i as f32)).hypot(math::cos((p as f32))), (((g) as f32) * (48.636_f32).fract()), (math::erf((f as f32)) - (if false { (g as f32) } else { (g as f32) })), (math::log2((a1 as f32)) - ({ let t9 = (g as u8); 49.409_f32 }))];
    let mut v10 = (((p as u8).wrapping_sub((f as u8)) >> (((a1 as u32) | (g as u32)) & 7)) >> ((if (far::deep::STEPS[i % 3] != 11_i32) { ((93_i64) as u32) } else { ({ let t11 = g; 16_u32 }) }) & 7));
    if (if ((x5[[(((true) as usize)) % x5.extent(0), j, i]]).wrapping_add(15) < (x5[[p, j, i]]).wrapping_mul((if j > 0 { x5[[p, j - 1, i]] } else { 0_i16 }))) { ((y7[[p, j, i]] >> ((g as u32) & 7)) > (y7[[p, j, i]] % ((a1 & 7) + 1))) } else { (math::atan(y6[[p, j, i]]) == (if false { y6[[p, j, i]] } else { y6[[p, j, i]] })) }) {
        {
            y7[[p, j, i]] &= ((a1 & y7[[p, j, i]]).wrapping_add(1) >> ((v10 as u32).clamp(27, 51).wrapping_mul(12) & 7)).min((((y7[[p, j, i]] / ((y7[[p, j, i]] & 7) + 1)) ^ y7[[p, j, i]]) | ((y7[[p, j, i]] & (f as i8)) | (!y7[[p, j, i]]))));
            y6[[p, j, i]] -= ({ let t12 = (((v10 as i64) >> ((i as u32) & 7)) % (((124_i64).clamp(6, 98) & 7) + 1)); (y6[[p, j, i]]).round_ties_even().round_ties_even() }).powi(3);
            let mut v13 = (Cloud { cells: [Cell { rho: 36.490_f64, mass: 14.142_f32, id: 98_u32 }; 2], at: [117_i32; N], mid: Cell { rho: 46.424_f64, mass: 40.680_f32, id: 18_u32 } }).cells[((g).max((v10 as usize)).abs_diff((if false { g } else { j }))) % 2];
        }
    }
    let mut n14 = 5_u32;
    while n14 > 0 {
        n14 -= 1;
        if ((4.612_f32) as f32).min((i as f32).powi(2)).is_finite() {
            for n15 in 1..6_u32 {
                let mut v8: [f32; N] = [((i as f32).abs() % ((if true { 9.164_f32 } else { far::WEIGHTS[i % N] }) + 0.5)); N];
                if ((({ let t16 = y6[[p, j, i]]; (a1 as f32) }) - (43.907_f32).mul_add((i as f32), 0.910_f32)) <= ((19.118_f32).recip() % ((-(p as f32)) + 0.5))) {
                    v10 >>= 4;
                    if (!((v10 >= v10) || (g as f32).is_nan())) {
                        v8[(((p).abs_diff(N) >> 3)) % N] = (if (y6[[p, j, i]]).trunc().is_finite() { (a1 as f32) } else { ((a1 as f32).mul_add(9.286_f32, (n15 as f32)) + (n15 as f32)) });
                    } else {
                        v8[((i % (((i as usize) & 7) + 1))) % N] = (if ((48.580_f32) as f64).is_nan() { (i as f32) } else { (-(j as f32).abs()) });
                    }
                }
            }
        }
    }
    y6[[p, j, i]] *= (math::sin((((g as f64) * y6[[p, j, i]]) + (y6[[p, j, i]]).atan2(y6[[p, j, i]]))) * (((y6[[p, j, i]] - y6[[p, j, i]]) - a2) * (-(y6[[p, j, i]] / y6[[p, j, i]]))));
    y7[[p, j, i]] &= (((if j > 0 { x5[[p, j - 1, i]] } else { 0_i16 }).wrapping_sub(x5[[p, j, i]]) ^ (f as i16).rem_euclid(((if j > 0 { x5[[p, j - 1, i]] } else { 0_i16 }) & 7) + 1)).wrapping_add(10) as i8);
    v10 &= v10;
}

fn run_k035(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let a2 = n.value::<f64>(1);
    let a3 = n.value::<Cloud>(2);
    let x4 = n.array::<u64, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y7 = n.array::<i8, _>(6, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    n.exec(rt, k035(a1, a2, a3, &x4, &x5, &mut y6, &mut y7), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k036(a1: i16, x2: &[i64], #[out(partial)] y3: &mut [Cloud], #[out(partial)] y4: &mut [Real], #[scratch(x2.len())] t5: &mut [i8]) {
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let v6: i32 = (((i as i32).wrapping_add((i as i32)) & (98_i32 | 86_i32)) ^ (((f as f32) as i32) >> ((i as u32) & 7)));
    for n7 in (2..5_u64).step_by(3) {
        for n8 in 1..6_i64 {
            if (((i as u16) & (v6 as u16)) != 22_u16) {
                break;
            }
            let mut v9 = ((t5[i]).rotate_left(1) & (if false { t5[i] } else { (n7 as i8) })).rotate_left(0);
            let mut v10 = (if (!(n7 < n7)) { [({ let t11 = g; (t11 as f32) }), (0.240_f32 - (i as f32)), math::tanh(15.251_f32), ((v9 as f32) * 10.617_f32)] } else { [((y4[i]) as f32), 4.864_f32, (i as f32).powi(-1), far::total([31.347_f32; N])] });
        }
        let v12 = Cell { rho: 3.719_f64, mass: 12.303_f32, id: 70_u32 };
        y4[i] += ((y4[i] / (n7 as f64)).powi(3).powi(2) / ({ let t13 = ((v6) as i64); (y4[i]).mul_add((t13 as f64), y4[i]) }).powi(0));
    }
    if ((y4[i] / y4[i]) - (12.912_f64 - y4[i])).is_nan() {
        let mut v14 = 67_u8;
    } else {
        y3[i + 2].mid.rho -= ((0.206_f32 / (a1 as f32).mul_add((f as f32), (g as f32))) as f64);
    }
    let mut v15 = (80_u16).wrapping_mul(96).clamp(5, 94).rotate_right(2);
    y3[i + 2].cells[((i).clamp(40, 81)) % 2].id &= (g as u32);
    y4[i] = (((y4[i]).powi(3).mul_add((f as f64).max((a1 as f64)), (y4[i]).powf(4.612_f64)) / (((i as f32) / (v6 as f32)) as f64)) / (-((y4[i]).abs() % (({ let t16 = 121_i8; y4[i] }) + 0.5))));
    t5[i] >>= 2;
    v15 %= (((v15).min(v15) >> ((v6 as u32).wrapping_sub((g as u32)) & 7)) & 7) + 1;
}

fn run_k036(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i16>(0);
    let x2 = n.array::<i64, _>(1, [n.extent(1, 0)]);
    let mut y3 = n.array::<Cloud, _>(2, [n.extent(1, 0) + 2]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    n.exec(rt, k036(a1, &x2, &mut y3, &mut y4), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn k037(a1: u64, a2: Cloud, a3: Cloud, x4: &[u64], x5: &[i64], y6: ViewMut<'_, i16, 2>, #[reduce(^)] s: &mut u32, c: &[Atomic<i64>]) {
    let i = global_id(0);
    let f = phase();
    *s ^= ((if i > 0 { x4[i - 1] } else { 0_u64 }).wrapping_add(x4[i]) & ((a1 as isize) as u64)).trailing_zeros();
    let v7 = (if ((far::SCALE) as f64).is_finite() { ({ let t8 = (a1 as i32); (i as f32) }).is_nan() } else { (!((if i > 0 { x5[i - 1] } else { 0_i64 }) > (if i > 0 { x5[i - 1] } else { 0_i64 }))) });
    let mut n9 = 3_u32;
    while n9 > 0 {
        n9 -= 1;
        {
            let mut v10 = ((121_i8).rotate_left(7) & ((a1 as i8) as i8)).rotate_left(7);
            let v7 = [math::tanh(([14.836_f32; N])[(i) % N]), (if ((v10 as u16) <= 125_u16) { ((v10) as f32) } else { math::tanh(15.251_f32) }), (((f as f32) - (f as f32)) * ((f as f32) + (v10 as f32))), (if v7 { (i as f32) } else { (v10 as f32) }).powi(0)];
        }
    }
    let v11: f64 = (math::rsqrt((f as f64).hypot((i as f64))) - (28.348_f64 / far::SCALE).signum());
    for n12 in 0..3_u8 {
        *s ^= ({ let t13 = ({ let t14 = (if v7 { 63_i32 } else { (a1 as i32) }); (v11 + v11) }); (if i > 0 { x5[i - 1] } else { 0_i64 }).trailing_zeros() });
    }
    y6[[1, i]] <<= 0;
    c[((((a1 as u8) as usize) % (((a1 as usize).wrapping_add(42) & 7) + 1))) % c.len()].fetch_max((if (v7 ^ false) { (!x5[((if v7 { f } else { i })) % x5.len()]) } else { ((if i > 0 { x5[i - 1] } else { 0_i64 }) & (if i + 2 < x5.len() { x5[i + 2] } else { 0_i64 })) }));
    *s ^= (a1 as u32).wrapping_mul((a1 as u32)).wrapping_mul(96).clamp(5, 94);
}

fn run_k037(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u64>(0);
    let a2 = n.value::<Cloud>(1);
    let a3 = n.value::<Cloud>(2);
    let x4 = n.array::<u64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i16, _>(5, [3, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<u32>(6));
    let mut c = n.array::<i64, _>(7, [n.extent(1, 0)]);
    n.exec(rt, k037(a1, a2, a3, &x4, &x5, &mut y6, &mut s, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k038(a1: f64, a2: Cloud, a3: Cloud, x4: View<'_, far::Body, 2>, #[out] y5: &mut [i16]) {
    let i = global_id(0);
    let mut n6 = 3_u32;
    while n6 > 0 {
        n6 -= 1;
        {
            if (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t7 = i; (i as i8) })) } else { (((i as isize) as u32) >= ((i as u32) % (((i as u32) & 7) + 1))) }) {
                let mut n8 = 2_u32;
                loop {
                    if n8 == 0 {
                        break;
                    }
                    n8 -= 1;
                    let v9 = (if ((i != (i as usize)) == ((i as u32) >= (i as u32))) { Cell { rho: math::erf(a1), mass: (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32), id: (i as u32).saturating_sub(far::MASK) } } else { (a2).mid });
                }
                let v10: [f32; N] = ({ let t11 = 104_i64; [((t11 as f32) / 42.921_f32), (38.58_f32).floor(), ((t11 as f32) % ((i as f32) + 0.5)), math::exp2((t11 as f32))] });
                let mut v12: Cloud = Cloud { cells: [Cell { rho: 38.397_f64, mass: 18.236_f32, id: 64_u32 }; 2], at: [47_i32; N], mid: Cell { rho: 27.917_f64, mass: 3.719_f32, id: 124_u32 } };
            }
        }
    }
    let mut v13 = [(i as u32), (i as u32), (101_u32 | (i as u32)).trailing_zeros()];
    if (if ((y5[i] ^ y5[i]) == (y5[i]).rem_euclid(((i as i16) & 7) + 1)) { ((!false) | (true | false)) } else { false }) {
        {
            v13[(phase()) % 3] |= ((i as usize) % (((i ^ i) & 7) + 1)).count_ones();
            for n14 in 0..6_u64 {
                if (((n14 as f32) / far::WEIGHTS[i % N]) <= (i as f32).sqrt()) {
                    break;
                }
                v13[(((i).clamp(40, 81) << 2)) % 3] |= (n14 as u32);
            }
        }
    }
    y5[i] %= (((((27_isize) as i16) ^ (if false { y5[i] } else { (i as i16) })) & (y5[i]).div_euclid((y5[i] & 7) + 1).div_euclid(((8_i16).wrapping_mul(y5[i]) & 7) + 1)) & 7) + 1;
    v13[(({ let t16 = 121_i8; i }).wrapping_sub(({ let t15 = 0.28_f32; i }))) % 3] |= ((i as u32).min((i as u32)) >> ((i as u32).wrapping_sub((i as u32)) & 7)).saturating_add((((i as u64) >> 0) as u32));
}

fn run_k038(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f64>(0);
    let a2 = n.value::<Cloud>(1);
    let a3 = n.value::<Cloud>(2);
    let x4 = n.array::<Cell, _>(3, [2, n.extent(1, 0)]);
    let mut y5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    n.exec(rt, k038(a1, a2, a3, &x4, &mut y5), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k039(a1: i16, x2: View<'_, u64, 2>, x3: View<'_, i16, 2>, y4: ViewMut<'_, far::Real, 2>, y5: ViewMut<'_, i8, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let v6 = [((j as f32) + (a1 as f32)).hypot(math::cos((j as f32))), (((g) as f32) * (48.636_f32).fract()), (math::erf((i as f32)) - (if false { (a1 as f32) } else { (i as f32) })), (math::log2((g as f32)) - ({ let t7 = (a1 as u8); 49.409_f32 }))];
    let mut v8 = (((j as u8).wrapping_sub((f as u8)) >> (((j as u32) | (g as u32)) & 7)) >> ((if (far::deep::STEPS[i % 3] != 11_i32) { ((93_i64) as u32) } else { ({ let t9 = g; 16_u32 }) }) & 7));
    if (if ((x3[[j, (((true) as usize)) % x3.extent(1)]]).wrapping_add(15) < (x3[[j, i]]).wrapping_mul((if j > 0 { x3[[j - 1, i]] } else { 0_i16 }))) { ((y5[[j, i]] >> ((j as u32) & 7)) > (y5[[j, i]] % (((g as i8) & 7) + 1))) } else { (math::atan(y4[[i, j]]) == (if false { y4[[i, j]] } else { y4[[i, j]] })) }) {
        {
            y5[[j, i]] &= (((v8 as i8) & y5[[j, i]]).wrapping_add(1) >> ((v8 as u32).clamp(27, 51).wrapping_mul(12) & 7)).min((((y5[[j, i]] / ((y5[[j, i]] & 7) + 1)) ^ y5[[j, i]]) | ((y5[[j, i]] & 4_i8) | (y5[[j, i]]).rotate_right(7))));
            y5[[j, i]] &= (if ((!true) ^ (true || true)) { (if (28.762_f32).is_nan() { ((a1 as i8) % ((y5[[j, i]] & 7) + 1)) } else { (f as i8).signum() }) } else { (y5[[j, i]]).max(y5[[j, i]]).wrapping_mul((y5[[j, i]]).wrapping_sub(123_i8)) }).signum();
            for n10 in 2..5_usize {
                let mut v11 = [(18.347_f32 * (v8 as f32)).mul_add((j as f32).max((f as f32)), (j as f32).powf(12.221_f32)), math::exp2(({ let t12 = (f as f64); 45.650_f32 })), ({ let t13 = (47.409_f64 - y4[[i, j]]); math::log10((v8 as f32)) }), ((44.923_f32 + 3.426_f32) * (j as f32).mul_add(0.910_f32, 43.907_f32))];
            }
        }
    }
    for n14 in (1_u64..4).rev() {
        let v15 = (if ((a1 as i64).wrapping_add((n14 as i64)) < (i as i64).wrapping_add(9)) { ((if i + 2 < x2.extent(1) { x2[[j, i + 2]] } else { 0_u64 }).rotate_right(3) < (n14 >> ((g as u32) & 7))) } else { (if (y4[[i, j]]).is_finite() { false } else { true }) });
        if (((!true) ^ ((if j + 2 < x3.extent(0) { x3[[j + 2, i]] } else { 0_i16 }) == (if i + 1 < x3.extent(1) { x3[[j, i + 1]] } else { 0_i16 }))) == (!v15)) {
            let mut v16 = ((x2[[j, ((f).rotate_right(2)) % x2.extent(1)]]).clamp(46, 72) << 5).wrapping_sub(67);
            v8 >>= 5;
        } else {
            if (((a1 as u16).wrapping_mul(52) as u64) < ((if i + 1 < x2.extent(1) { x2[[j, i + 1]] } else { 0_u64 }).clamp(33, 84) >> 3)) {
                v8 = (if (if (y4[[i, j]] >= (j as f64)) { v15 } else { (83_u16 > (g as u16)) }) { (j as u8).rotate_left(3).rotate_left(3) } else { ((if v15 { v8 } else { v8 }) >> ((g as u32).clamp(42, 76) & 7)) });
            } else {
                v8 >>= 1;
            }
        }
    }
    y4[[i, j]] = (((i as u16) | (v8 as u16)).clamp(22, 65).clamp(42, 59) as f64);
    y5[[j, i]] %= (((y5[[j, i]]).wrapping_add(y5[[j, i]]) >> ((i as u32) & 7)).signum() & 7) + 1;
    v8 ^= (((v8).clamp(13, 89) >> 5) << 4);
}

fn run_k039(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i16>(0);
    let x2 = n.array::<u64, _>(1, [n.extent(2, 1), n.extent(2, 0)]);
    let x3 = n.array::<i16, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(2, 0), n.extent(2, 1)]);
    let mut y5 = n.array::<i8, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, k039(a1, &x2, &x3, &mut y4, &mut y5), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [i16, i64], M = [3])]
fn k040<T, const M: usize>(a1: Cloud, a2: T, x3: View<'_, T, 2>, x4: &[Cloud], y5: &mut [far::Real], #[out(partial)] y6: ViewMut<'_, i8, 2>, #[scratch(x4.len())] t7: &mut [i64], #[reduce(max)] s: &mut i64) {
    let i = global_id(0);
    let g = partition();
    {
        if (false & ((a2 as i16).wrapping_sub(121_i16) == (g as i16))) {
            let mut v8 = ((if ((g as i32) <= (a2 as i32)) { (!(a2 as i32)) } else { (29_i32).div_euclid((50_i32 & 7) + 1) }) | ((i as i32) ^ (a2 as i32)).wrapping_neg());
            t7[i] >>= 1;
        }
    }
    let v9 = [(-(i as f32)).atan2((2.840_f32 / (i as f32))), (g as f32).hypot((g as f32)).hypot((i as f32)), far::wave((6.387_f32 / (a2 as f32)), ((i as f32) * 10.617_f32)), (i as f32).powi(3).sqrt()];
    if true {
        let mut v10: T = ((!(a2 / (((if i + 2 < x3.extent(1) { x3[[1, i + 2]] } else { (0 as T) }) & 7) + 1))) % ((({ let t11 = ({ let t12 = 123_i8; x3[[1, i]] }); (t11 ^ t11) }) & 7) + 1));
        v10 >>= 3;
    } else {
        if (if (((if 1 > 0 { x3[[1 - 1, i]] } else { (0 as T) }) >= (if 1 > 0 { x3[[1 - 1, i]] } else { (0 as T) })) || (g != g)) { ((!true) | (4_i32 == (g as i32))) } else { (((if i + 2 < x3.extent(1) { x3[[1, i + 2]] } else { (0 as T) }) == x3[[1, i]]) | (!true)) }) {
            t7[i] = t7[i].wrapping_add((!t7[i]).rem_euclid((((a2 as i64) % ((t7[i] & 7) + 1)) & 7) + 1).clamp(6, 98));
            let mut v13: T = (x3[[1, i]]).rotate_right(1).wrapping_add(((if 1 > 0 { x3[[1 - 1, i]] } else { (0 as T) }) << 2).wrapping_add(90));
        }
        if ((i as f32).powi(0).is_nan() || (-12.221_f64).is_finite()) {
            let v14 = (!(if 1 + 1 < x3.extent(0) { x3[[1 + 1, i]] } else { (0 as T) })).saturating_sub((if true { a2 } else { (if 1 > 0 { x3[[1 - 1, i]] } else { (0 as T) }) })).div_euclid((({ let t15 = ((if 1 + 2 < x3.extent(0) { x3[[1 + 2, i]] } else { (0 as T) }) >> 2); (x3[[((g as usize).wrapping_mul(i)) % x3.extent(0), i]] >> ((t15 as u32) & 7)) }) & 7) + 1);
        } else {
            let mut v9 = ((y6[[(i + 0) % 3, i]]).rotate_left(2).wrapping_add((y6[[(i + 2) % 3, i]]).rotate_left(3)) & (y6[[(i + 2) % 3, i]]).clamp(24, 96).wrapping_add((if false { y6[[1, i]] } else { y6[[1, i]] })));
        }
    }
    y5[i] /= math::exp((((y5[i]).round() * (if true { (a2 as f64) } else { y5[i] })) / (y5[i]).signum()));
    y6[[(i + 2) % 3, i]] |= (if true { (y6[[0, i]]).rotate_left(3).rem_euclid((((g as i8) % ((y6[[2, i]] & 7) + 1)) & 7) + 1).clamp(36, 60) } else { ((y6[[(i + 1) % 3, i]]).wrapping_sub(67).clamp(33, 97) >> 3) });
    t7[i] = t7[i].wrapping_add((!(t7[i] | t7[i])).clamp(46, 72));
    *s = s.max((if (x3[[((110_usize).rem_euclid((i & 7) + 1)) % x3.extent(0), i]] == (if 1 + 2 < x3.extent(0) { x3[[1 + 2, i]] } else { (0 as T) })) { (t7[i] << 1) } else { (t7[i]).rotate_right(5) }).saturating_add(({ let t16 = (if i > 0 { x3[[1, i - 1]] } else { (0 as T) }).div_euclid((a2 & 7) + 1); (t7[i] >> ((i as u32) & 7)) })));
}

fn run_k040_i16__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<i16>(1);
    let x3 = n.array::<i16, _>(2, [2, n.extent(1, 0)]);
    let x4 = n.array::<Cloud, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i8, _>(5, [3, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<i64>(7));
    n.exec(rt, k040::<i16, 3>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k040_i64__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<i64>(1);
    let x3 = n.array::<i64, _>(2, [2, n.extent(1, 0)]);
    let x4 = n.array::<Cloud, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i8, _>(5, [3, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<i64>(7));
    n.exec(rt, k040::<i64, 3>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k041(a1: Cloud, a2: Cloud, x3: View<'_, far::Body, 2>, #[out] y4: &mut [i16]) {
    let i = global_id(0);
    let mut n5 = 3_u32;
    while n5 > 0 {
        n5 -= 1;
        {
            if (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t6 = i; (i as i8) })) } else { (((i as isize) as u32) >= ((i as u32) % (((i as u32) & 7) + 1))) }) {
                let mut n7 = 2_u32;
                loop {
                    if n7 == 0 {
                        break;
                    }
                    n7 -= 1;
                    let v8 = (if ((i != (i as usize)) == ((i as u32) >= (i as u32))) { Cell { rho: math::erf((i as f64)), mass: (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32), id: (i as u32).saturating_sub(far::MASK) } } else { (a1).mid });
                }
                let v9: [f32; N] = ({ let t10 = 104_i64; [((t10 as f32) / 42.921_f32), (38.58_f32).floor(), ((t10 as f32) % ((i as f32) + 0.5)), math::exp2((t10 as f32))] });
                let mut v11: Cloud = Cloud { cells: [Cell { rho: 38.397_f64, mass: 18.236_f32, id: 64_u32 }; 2], at: [47_i32; N], mid: Cell { rho: 27.917_f64, mass: 3.719_f32, id: 124_u32 } };
            }
        }
    }
    let mut v12 = [(i as u32), (i as u32), (101_u32 | (i as u32)).trailing_zeros()];
    if (if ((y4[i] ^ y4[i]) == (y4[i]).rem_euclid(((i as i16) & 7) + 1)) { ((!false) | (true | false)) } else { false }) {
        {
            v12[(phase()) % 3] |= ((i as usize) % (((i ^ i) & 7) + 1)).count_ones();
            for n13 in 0..6_u64 {
                if (((n13 as f32) / far::WEIGHTS[i % N]) <= (i as f32).sqrt()) {
                    break;
                }
                v12[(((i).clamp(40, 81) << 2)) % 3] |= (n13 as u32);
            }
        }
    }
    y4[i] %= (((((27_isize) as i16) ^ (if false { y4[i] } else { (i as i16) })) & (y4[i]).div_euclid((y4[i] & 7) + 1).div_euclid(((8_i16).wrapping_mul(y4[i]) & 7) + 1)) & 7) + 1;
    v12[(({ let t15 = 121_i8; i }).wrapping_sub(({ let t14 = 0.28_f32; i }))) % 3] |= ((i as u32).min((i as u32)) >> ((i as u32).wrapping_sub((i as u32)) & 7)).saturating_add((((i as u64) >> 0) as u32));
}

fn run_k041(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<Cloud>(1);
    let x3 = n.array::<Cell, _>(2, [2, n.extent(1, 0)]);
    let mut y4 = n.array::<i16, _>(3, [n.extent(1, 0)]);
    n.exec(rt, k041(a1, a2, &x3, &mut y4), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k042(a1: Cloud, a2: bool, x3: &[u8], #[out(partial)] y4: &mut [Real], y5: &mut [i8], c: &[Atomic<u32>]) {
    let i = global_id(0);
    let mut v6: Cell = (if (a2 & true) { far::Cloud { cells: [Cell { rho: 21.282_f64, mass: 35.954_f32, id: 98_u32 }, Cell { rho: 31.366_f64, mass: 40.129_f32, id: 123_u32 }], at: [106_i32, far::deep::STEPS[i % 3], (i as i32), (i as i32)], mid: Cell { rho: 9.783_f64, mass: 9.791_f32, id: 123_u32 } } } else { (if true { a1 } else { a1 }) }).cells[(((i as usize).wrapping_sub(i) >> ((68_u32 << 2) & 7))) % 2];
    v6.rho = (((i as f64) + (i as f64)) / y4[i]).mul_add((y4[i] - far::SCALE).fract(), (math::tanh(y4[i])).mul_add((-y4[i]), (i as f64).mul_add(y4[i], y4[i])));
    let mut v7: bool = ({ let t8 = 104_i64; a2 });
    if ((24.534_f32).sqrt() as f64).is_finite() {
        v7 ^= a2;
        let mut v9 = ((!(i as i64)).wrapping_neg() % (((i as i64).wrapping_sub(3) & 7) + 1));
    } else {
        y5[i + far::N] &= (((i as i8) & y5[i + far::N]).wrapping_add(1) >> ((i as u32).clamp(27, 51).wrapping_mul(12) & 7)).min((((y5[i + far::N] / ((y5[i + far::N] & 7) + 1)) ^ y5[i + far::N]) | ((y5[i + far::N] & 4_i8) | (y5[i + far::N]).rotate_right(7))));
        y5[i + far::N] &= (if ((!false) ^ (y5[i + far::N] == y5[i + far::N])) { (y5[i + far::N] ^ y5[i + far::N]).saturating_sub((y5[i + far::N]).wrapping_sub((i as i8))) } else { (y5[i + far::N]).wrapping_neg().wrapping_add((117_i8).wrapping_add(90)) }).signum();
    }
    let mut n10 = 5_u32;
    loop {
        if n10 == 0 {
            break;
        }
        n10 -= 1;
        if (y4[i]).is_nan() {
            continue;
        }
        let mut v7: bool = (!(i as f32).min(36.454_f32).is_finite());
        v6.mass += (if (i as f32).mul_add(43.469_f32, (i as f32)).is_nan() { ((i as f32).abs() % ((if true { far::WEIGHTS[i % N] } else { (i as f32) }) + 0.5)) } else { (43.907_f32).mul_add((i as f32), 0.910_f32).mul_add((i as f32).powf(far::WEIGHTS[i % N]), ({ let t11 = y4[i]; (i as f32) })) });
    }
    let v12 = (i as u32).clamp(36, 88).wrapping_mul((i as u32).rotate_left(3)).rotate_left(5);
    let mut n13 = 2_u32;
    while n13 > 0 {
        n13 -= 1;
        v7 |= (((v12 as u16) >> ((v12 as u32) & 7)) < (v12 as u16));
    }
    y4[i] += (if ({ let t14 = (!y5[i + far::N]); v7 }) { ((y4[i] + y4[i]) + (y4[i]).trunc()) } else { ((-y4[i]) % (math::atan(y4[i]) + 0.5)) }).round();
    y5[i + far::N] %= ((y5[i + far::N] >> ((if (17.605_f32).is_nan() { 7 } else { (17.605_f32).to_bits() }).rotate_left(6) & 7)) & 7) + 1;
    c[((i as usize)) % c.len()].fetch_max(v12);
    v7 ^= v7;
}

fn run_k042(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<bool>(1);
    let x3 = n.array::<u8, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<i8, _>(4, [n.extent(1, 0) + far::N]);
    let mut c = n.array::<u32, _>(5, [n.extent(1, 0)]);
    n.exec(rt, k042(a1, a2, &x3, &mut y4, &mut y5, &mut c), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k043(a1: bool, a2: far::Body, x3: View<'_, i16, 2>, y4: ViewMut<'_, far::Real, 2>, y5: ViewMut<'_, i8, 2>, #[reduce(min)] s: &mut f64) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let v6: [u32; 3] = [((j as u32).wrapping_add((j as u32)) & (98_u32 | 86_u32)), (((j as f32) as u32) >> ((j as u32) & 7)), (if true { (i as u32) } else { (j as u32) }).clamp(40, 94)];
    for n7 in (0..3_u16).step_by(1) {
        let v6 = (!((n7 as isize).rotate_left(5) >> ((f as u32).rotate_right(3) & 7)));
    }
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        let v9 = ((y4[[i, j]]).hypot(y4[[i, j]]).mul_add((if a1 { (j as f64) } else { (i as f64) }), far::scaled(y4[[i, j]])) < (y4[[i, j]]).powf(y4[[i, j]]).max(far::scaled((f as f64))));
        if (a1 | ((i as f32) as f64).is_finite()) {
            {
                {
                    let mut v9: bool = ((if ({ let t10 = 103_i32; false }) { (i as f32).recip() } else { math::atan((f as f32)) }) == (15.419_f32).sqrt().round());
                }
                if ((f as u8).clamp(27, 51).wrapping_mul(12) > ((f as u8) & (f as u8)).wrapping_add(1)) {
                    if (y4[[i, j]] % (far::SCALE + 0.5)).mul_add(math::atan(far::SCALE), (y4[[i, j]] - y4[[i, j]])).is_finite() {
                        {
                            let mut v11: f32 = (((if false { 37.366_f32 } else { (f as f32) }) - ((i as u16) as f32)) * (f as f32));
                        }
                    } else {
                        let mut v12 = (11_usize | i).wrapping_mul((f).wrapping_sub((f as usize))).wrapping_add(j);
                    }
                } else {
                    let mut v13 = ((if a1 { 127_u16 } else { (f as u16) }).clamp(22, 81) / ((((j as u16).wrapping_mul((j as u16)) >> (far::MASK & 7)) & 7) + 1));
                }
            }
        } else {
            let mut v14: u64 = ({ let t15 = (47.409_f64 - y4[[i, j]]); ((f as u64) << 6) }).rotate_left(3);
        }
    }
    y4[[i, j]] *= ((if ((f as i32).wrapping_sub((j as i32)) == (f as i32).div_euclid((112_i32 & 7) + 1)) { (if ((i as f64) > y4[[i, j]]) { (22.186_f64 - (i as f64)) } else { (if a1 { y4[[i, j]] } else { y4[[i, j]] }) }) } else { (if (if a1 { a1 } else { a1 }) { ((f as f32) as f64) } else { (y4[[i, j]]).abs() }) }) + far::scaled(math::rsqrt((y4[[i, j]] - y4[[i, j]]))));
    y5[[j, i]] >>= 1;
    *s = s.min(y4[[i, j]]);
}

fn run_k043(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<Cell>(1);
    let x3 = n.array::<i16, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(2, 0), n.extent(2, 1)]);
    let mut y5 = n.array::<i8, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<f64>(5));
    n.exec(rt, k043(a1, a2, &x3, &mut y4, &mut y5, &mut s), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn k044(a1: Cloud, x2: &[u8], #[out(partial)] y3: &mut [Real], y4: &mut [i8]) {
    let i = global_id(0);
    let f = phase();
    let v5: [u32; 3] = [((f as u32).wrapping_add((f as u32)) & (98_u32 | 86_u32)), (((i as f32) as u32) >> ((f as u32) & 7)), (if true { (f as u32) } else { (f as u32) }).clamp(40, 94)];
    let mut v6: f32 = (-(-far::total([32.45_f32; N])));
    y3[i] = y3[i];
    v6 = ((if (far::deep::STEPS[i % 3] != 11_i32) { (far::WEIGHTS[i % N] + v6) } else { ((i as f32) / v6) }) * (far::total([38.114_f32; N]) + v6));
    v6 += far::wave(((if true { (f as f32) } else { v6 }) / (v6).sqrt()), ((v6).hypot((f as f32)) + (v6).powi(-1)));
    let mut v7 = ((!(i as i64)).wrapping_neg() % (((i as i64).wrapping_sub(3) & 7) + 1));
    let mut v8: u8 = x2[i];
    if ({ let t9 = v7; y3[i] }).powi(-1).is_nan() {
        if (!true) {
            let v10 = (y4[i + far::N]).saturating_sub(y4[i + far::N]).signum().rotate_right(4);
            for n11 in (0_i32..5).rev() {
                if (!(y3[i] >= far::SCALE)) {
                    break;
                }
                {
                    let mut n12 = 3_u32;
                    while n12 > 0 {
                        n12 -= 1;
                        v7 >>= 6;
                    }
                }
            }
        }
    }
    y3[i] = ((if false { (i as f64) } else { y3[i] }).round_ties_even() * ((Cell { rho: 43.258_f64, mass: 2.36_f32, id: 14_u32 }).rho + far::scaled(y3[i]))).mul_add((if (!(true == false)) { math::ln(((i as f64) - y3[i])) } else { (math::log2(14.142_f64) % ((47.962_f64 * y3[i]) + 0.5)) }), (({ let t13 = ((v8 as u16) >> (21_u32 & 7)); (y3[i]).powf((t13 as f64)) }) % (((f as f64) - y3[i]).sqrt() + 0.5)));
    y4[i + far::N] = y4[i + far::N].wrapping_add(({ let t14 = (if false { y4[i + far::N] } else { (f as i8) }).rotate_left(6); (i as i8).wrapping_neg().wrapping_sub((f as i8).wrapping_mul(t14)) }));
    v7 >>= 2;
}

fn run_k044(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let x2 = n.array::<u8, _>(1, [n.extent(1, 0)]);
    let mut y3 = n.array::<f64, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<i8, _>(3, [n.extent(1, 0) + far::N]);
    n.exec(rt, k044(a1, &x2, &mut y3, &mut y4), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn k045(a1: far::Body, a2: i32, x3: &[f32], x4: View<'_, i16, 2>, x5: &[i8], #[out] y6: &mut [i64], y7: ViewMut<'_, far::Real, 2>, #[scratch(2 * x3.len() + N)] t8: &mut [u16]) {
    let i = global_id(0);
    if (((i as i32).max(a2) >= (a2).signum()) != (((a2 as isize) as u32) >= ((i as u32) % (((a2 as u32) & 7) + 1)))) {
        let mut n9 = 2_u32;
        loop {
            if n9 == 0 {
                break;
            }
            n9 -= 1;
            let v10 = (if ((i != (a2 as usize)) == ((i as u32) >= (i as u32))) { Cell { rho: math::erf(y7[[1, i]]), mass: (-(a2 as f32)), id: (i).trailing_zeros() } } else { far::moved((Cloud { cells: [Cell { rho: 27.432_f64, mass: 46.501_f32, id: 108_u32 }; 2], at: [73_i32; N], mid: Cell { rho: 39.838_f64, mass: 14.656_f32, id: 43_u32 } }).mid, (i as f32)) });
        }
        let mut v11 = ((((Cloud { cells: [Cell { rho: 10.826_f64, mass: 17.450_f32, id: 55_u32 }; 2], at: [4_i32; N], mid: Cell { rho: 21.92_f64, mass: 21.110_f32, id: 65_u32 } }).cells[(i) % 2]).mass) as i64);
        v11 = (!((if true { y6[i] } else { y6[i] }) / (((v11 as i64) & 7) + 1)));
    }
    let v12 = y7[[(i + 0) % 3, i]];
    let mut n13 = 2_u32;
    loop {
        if n13 == 0 {
            break;
        }
        n13 -= 1;
        if ({ let t14 = ((false) as usize); (x4[[1, ((i).wrapping_mul(12)) % x4.extent(1)]] < x4[[1, i]]) }) {
            continue;
        }
        if (if (((if 1 + 2 < x4.extent(0) { x4[[1 + 2, i]] } else { 0_i16 }) ^ x4[[1, i]]) == (i as i16).rotate_right(1)) { (!(!true)) } else { ((i as u8).wrapping_add(94) < 11_u8) }) {
            let mut v15 = (if ((!true) ^ (true || true)) { (if (if i > 0 { x3[i - 1] } else { 0.0_f32 }).is_nan() { ((if i > 0 { x5[i - 1] } else { 0_i8 }) & (if i + 2 < x5.len() { x5[i + 2] } else { 0_i8 })) } else { (18_i8).clamp(5, 94) }) } else { ((x5[i]).wrapping_add(x5[((11_usize | i)) % x5.len()]) | (x5[((a2 as usize).clamp(22, 81)) % x5.len()]).signum()) });
        }
    }
    y6[i] %= (6_i64 & 7) + 1;
    y7[[0, i]] /= ((((x3[((i).wrapping_mul((a2 as usize))) % x3.len()]) as f64) % (((y7[[(i + 2) % 3, i]] - y7[[(i + 0) % 3, i]]) - (y7[[(i + 1) % 3, i]]).mul_add(y7[[(i + 1) % 3, i]], v12)) + 0.5)) * (math::erf(math::atan(y7[[(i + 1) % 3, i]]))).trunc());
    t8[i] >>= 0;
    let mut v16: f32 = (if i + 1 < x3.len() { x3[i + 1] } else { 0.0_f32 }).powi(3).round_ties_even();
}

fn run_k045(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cell>(0);
    let a2 = n.value::<i32>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i16, _>(3, [2, n.extent(1, 0)]);
    let x5 = n.array::<i8, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<f64, _>(6, [3, n.extent(1, 0)]);
    n.exec(rt, k045(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, T = [f32], M = [2, 5])]
fn k046<T, const M: usize>(a1: i32, a2: T, x3: View<'_, f64, 3>, x4: View<'_, T, 3>, x5: View<'_, i8, 2>, y6: ViewMut<'_, T, 3>, y7: ViewMut<'_, far::Real, 3>, #[reduce(max, into)] s: &mut f32) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    y7[[p, j, i]] = far::scaled((((if true { 28_u16 } else { (j as u16) }) >> ((a1).count_ones() & 7)) as f64));
    let mut v8 = ((p as isize).wrapping_add((i as isize)) % (((69_isize).div_euclid(((a1 as isize) & 7) + 1) & 7) + 1)).rem_euclid(((if true { (a1 as isize) } else { 45_isize }).wrapping_sub(43) & 7) + 1);
    for n9 in (2_u32..4).rev() {
        if (math::erf(x4[[p, j, i]]) <= (-a2)) {
            continue;
        }
        let mut v10: u64 = (({ let t11 = a2; (i as u64) }) / ((((f as u64) | (p as u64)) & 7) + 1)).saturating_sub((if true { 39_u64 } else { (n9 as u64) }).rotate_right(3));
    }
    if (((j as u64) as i8) >= ((j as i8) % (((if j + 2 < x5.extent(0) { x5[[j + 2, i]] } else { 0_i8 }) & 7) + 1))) {
        return;
    }
    let v12 = (f as T);
    let v13: [f32; N] = [(a1 as f32).round().atan2(((p as f32) % (28.348_f32 + 0.5))); N];
    for n14 in 0..M {
        if false {
            continue;
        }
        if ((((if p > 0 { x4[[p - 1, j, i]] } else { (0.0 as T) }) + y6[[j, i, p]]) >= (x4[[p, j, i]] / v12)) || ((!true) | (far::deep::STEPS[i % 3] == a1))) {
            if ((if false { (i as i16) } else { 118_i16 }).signum() == (n14 as i16)) {
                v8 %= (((x4[[p, j, i]]).round_ties_even() as isize) & 7) + 1;
                let mut v15 = math::log2(math::log2((v13)[(123_usize) % N]));
                let mut v16 = Cell { rho: y7[[p, j, i]], mass: (if (y6[[j, i, p]] <= y6[[j, i, p]]) { (v15).mul_add((f as f32), (p as f32)) } else { (v15).powf((f as f32)) }), id: (((n14 as u32) ^ 8_u32) / (((22_u32 / ((9_u32 & 7) + 1)) & 7) + 1)) };
            } else {
                v8 = ({ let t17 = ((v12).powi(2) - (y6[[j, i, p]]).powf((if p + 1 < x4.extent(0) { x4[[p + 1, j, i]] } else { (0.0 as T) }))); (if ((a1 as T) < (if p > 0 { x4[[p - 1, j, i]] } else { (0.0 as T) })) { ((y6[[j, i, p]]) as isize) } else { (v8 & (f as isize)) }) });
            }
        }
    }
    y6[[j, i, p]] *= (-((if ((if j > 0 { x5[[j - 1, i]] } else { 0_i8 }) > (if i > 0 { x5[[j, i - 1]] } else { 0_i8 })) { math::atan(v12) } else { math::tanh((if j > 0 { x4[[p, j - 1, i]] } else { (0.0 as T) })) }) * ((y6[[j, i, p]] % (y6[[j, i, p]] + 0.5)) as T)));
    y7[[p, j, i]] = (-(if ({ let t18 = x5[[j, i]]; true }) { math::rsqrt((a1 as f64)) } else { (y7[[p, j, i]] - (j as f64)) })).sqrt();
    *s = s.max((((f as f32) + (i as f32)) + (31.753_f32 / (j as f32))).trunc());
}

fn run_k046_f32__2(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i32>(0);
    let a2 = n.value::<f32>(1);
    let x3 = n.array::<f64, _>(2, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x4 = n.array::<f32, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x5 = n.array::<i8, _>(4, [n.extent(3, 1), n.extent(3, 0)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(3, 1), n.extent(3, 0), n.extent(3, 2)]);
    let mut y7 = n.array::<f64, _>(6, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut s = Var::new(n.value::<f32>(7));
    n.exec(rt, k046::<f32, 2>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

fn run_k046_f32__5(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i32>(0);
    let a2 = n.value::<f32>(1);
    let x3 = n.array::<f64, _>(2, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x4 = n.array::<f32, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x5 = n.array::<i8, _>(4, [n.extent(3, 1), n.extent(3, 0)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(3, 1), n.extent(3, 0), n.extent(3, 2)]);
    let mut y7 = n.array::<f64, _>(6, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut s = Var::new(n.value::<f32>(7));
    n.exec(rt, k046::<f32, 5>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable, group_by(3))]
fn k047(a1: i32, a2: u16, x3: &[u8], x4: View<'_, i8, 2>, x5: View<'_, f32, 2>, #[out(partial)] y6: ViewMut<'_, usize, 2>, #[out] y7: ViewMut<'_, u32, 2>, c: &[Atomic<u32>]) {
    let j = global_id(1);
    let i = global_id(0);
    let f = phase();
    let g = partition();
    let v8: f32 = math::cos(math::erf(math::log10((a1 as f32))));
    let v9 = (if i + 1 < x5.extent(1) { x5[[j, i + 1]] } else { 0.0_f32 }).is_nan();
    {
        let mut v10 = (((67_u64).clamp(13, 92) ^ (55_u64).div_euclid((90_u64 & 7) + 1)) >> (((if (x5[[j, ((y6[[j, i]]).wrapping_add(y6[[j, i]])) % x5.extent(1)]]).is_nan() { 7 } else { (x5[[j, ((y6[[j, i]]).wrapping_add(y6[[j, i]])) % x5.extent(1)]]).to_bits() }) >> ((y7[[j, i]] << 2) & 7)) & 7));
        {
            if ((if (!false) { (i as i16).wrapping_mul(34) } else { (i as i16).wrapping_add(32) }) <= (i as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v11 = (((v8 - x5[[((y6[[j, i]]).rem_euclid((g & 7) + 1)) % x5.extent(0), i]]) * (x5[[((if v9 { y6[[j, i]] } else { (i as usize) })) % x5.extent(0), i]]).powi(2)) / (-x5[[j, i]]).powi(3));
                    if ({ let t12 = ({ let t13 = ((false) as usize); (i as f64).max((i as f64)) }); (t12).powi(0).is_nan() }) {
                        v10 = v10;
                        let mut v8 = (j as i16).wrapping_add((!(f as i16))).rotate_left(0);
                        let v8 = (x3[i] | ((if i + 2 < x3.len() { x3[i + 2] } else { 0_u8 }).abs_diff(x3[i]) | (if i > 0 { x3[i - 1] } else { 0_u8 })));
                    }
                    let mut v14 = (((a2 as f64) - (j as f64)).powi(3) / (a1 as f64).sqrt().recip());
                }
            } else {
                v10 %= ((63_u64 | v10).wrapping_add(18) & 7) + 1;
            }
        }
    }
    y6[[j, i]] ^= ((((a1 as isize).wrapping_neg() as usize) ^ y6[[j, i]]) & (if ((a1 as f64).is_nan() != (false != v9)) { ({ let t15 = (-45.650_f64); ({ let t16 = t15; y6[[j, i]] }) }) } else { (y6[[j, i]]).wrapping_add(36).wrapping_add((if v9 { (a2 as usize) } else { y6[[j, i]] })) }));
    y7[[j, i]] <<= 3;
    c[((f).div_euclid((y6[[j, i]] & 7) + 1).wrapping_mul(65)) % c.len()].fetch_xor(((i as u32).wrapping_add(y7[[j, i]]) & (f as u32).wrapping_add(y7[[j, i]])));
    let v17: [f32; N] = [(if j + 1 < x5.extent(0) { x5[[j + 1, i]] } else { 0.0_f32 }), (if v9 { (if j > 0 { x5[[j - 1, i]] } else { 0.0_f32 }) } else { (if j + 2 < x5.extent(0) { x5[[j + 2, i]] } else { 0.0_f32 }) }).ceil(), ((v8 / (if i > 0 { x5[[j, i - 1]] } else { 0.0_f32 })) % (math::rsqrt((if j + 2 < x5.extent(0) { x5[[j + 2, i]] } else { 0.0_f32 })) + 0.5)), (math::rsqrt(v8)).trunc()];
}

fn run_k047(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i32>(0);
    let a2 = n.value::<u16>(1);
    let x3 = n.array::<u8, _>(2, [n.extent(2, 0)]);
    let x4 = n.array::<i8, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let x5 = n.array::<f32, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y6 = n.array::<usize, _>(5, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y7 = n.array::<u32, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    let mut c = n.array::<u32, _>(7, [n.extent(2, 0)]);
    n.exec(rt, k047(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c), [n.extent(2, 0), n.extent(2, 1), 3])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn p000(x: View<'_, u8, 2>, w: View<'_, u8, 2>, v: &[u8], s: &[u8], y: ViewMut<'_, u8, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let half = j as u8;
    let mut sum = half;
    for k in 0..x.extent(1) {
        sum ^= x[[j, k]] & w[[k + 2, i]];
    }
    y[[j, i]] ^= sum;
}

fn run_p000(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<u8, _>(0, [n.extent(2, 1), 5]);
    let w = n.array::<u8, _>(1, [5 + 2, n.extent(2, 0)]);
    let v = n.array::<u8, _>(2, [5]);
    let s = n.array::<u8, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<u8, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p000(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn p001(x: View<'_, f32, 2>, w: View<'_, f32, 2>, v: &[f32], s: &[f32], y: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let half = j as f32;
    let mut sum = s[i];
    let mut most = s[i];
    for k in 0..x.extent(0) {
        sum -= x[[k, j]] * w[[k + 1, i]] - v[k];
        if w[[k + 1, i]] > most {
            most = w[[k + 1, i]];
        }
    }
    y[[j, i]] += sum + most % (half + 1.0);
}

fn run_p001(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f32, _>(0, [16, n.extent(2, 1)]);
    let w = n.array::<f32, _>(1, [16 + 1, n.extent(2, 0)]);
    let v = n.array::<f32, _>(2, [16]);
    let s = n.array::<f32, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<f32, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p001(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn p002(x: View<'_, u8, 3>, w: View<'_, u8, 2>, v: &[u8], s: &[u8], y: ViewMut<'_, u8, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let half = j as u8;
    let mut sum = s[i];
    let mut most = s[i];
    for k in 0..x.extent(2) {
        sum |= x[[p, j, k]] & (w[[k + 1, i]] ^ v[k]);
        if w[[k + 1, i]] > most {
            most = w[[k + 1, i]];
        }
    }
    y[[p, j, i]] ^= sum ^ most;
}

fn run_p002(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<u8, _>(0, [n.extent(3, 2), n.extent(3, 1), n.extent(1, 0) % 40]);
    let w = n.array::<u8, _>(1, [n.extent(1, 0) % 40 + 1, n.extent(3, 0)]);
    let v = n.array::<u8, _>(2, [n.extent(1, 0) % 40]);
    let s = n.array::<u8, _>(3, [n.extent(3, 0)]);
    let mut y = n.array::<u8, _>(4, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    n.exec(rt, p002(&x, &w, &v, &s, &mut y), [n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn p003(x: View<'_, f32, 2>, w: View<'_, f32, 2>, v: &[f32], s: &[f32], #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    if i > 0 && j + 1 < y.extent(0) {
        let half = j as f32;
        let mut sum = half;
        let mut most = s[i];
        for k in 0..x.extent(0) {
            sum += x[[k, j]] * w[[k + 2, i]];
            if w[[k + 2, i]] > most {
                most = w[[k + 2, i]];
            }
        }
        y[[j, i]] = sum + most % (half + 1.0);
    } else {
        y[[j, i]] = s[i];
    }
}

fn run_p003(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f32, _>(0, [n.extent(1, 0) % 40, n.extent(2, 1)]);
    let w = n.array::<f32, _>(1, [n.extent(1, 0) % 40 + 2, n.extent(2, 0)]);
    let v = n.array::<f32, _>(2, [n.extent(1, 0) % 40]);
    let s = n.array::<f32, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<f32, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p003(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn p004(x: View<'_, i64, 2>, w: View<'_, i64, 2>, v: &[i64], s: &[i64], #[out(partial)] y: ViewMut<'_, i64, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    if i > 0 && j + 1 < y.extent(0) {
        let half = j as i64;
        let mut sum = half;
        let mut most = s[i];
        for k in 0..x.extent(0) {
            sum ^= x[[k, j]] & w[[k + 0, i]];
            if w[[k + 0, i]] > most {
                most = w[[k + 0, i]];
            }
        }
        y[[j, i]] = sum ^ most;
    } else {
        y[[j, i]] = s[i];
    }
}

fn run_p004(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<i64, _>(0, [16, n.extent(2, 1)]);
    let w = n.array::<i64, _>(1, [16 + 0, n.extent(2, 0)]);
    let v = n.array::<i64, _>(2, [16]);
    let s = n.array::<i64, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<i64, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p004(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn p005(x: View<'_, f64, 2>, w: View<'_, f64, 2>, v: &[f64], s: &[f64], #[out(partial)] y: ViewMut<'_, f64, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    if i > 0 && j + 1 < y.extent(0) {
        let half = j as f64;
        let mut sum = s[i];
        for k in 0..x.extent(0) {
            sum += x[[k, j]] * w[[k + 1, i]];
        }
        y[[j, i]] = sum;
    } else {
        y[[j, i]] = s[i];
    }
}

fn run_p005(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f64, _>(0, [5, n.extent(2, 1)]);
    let w = n.array::<f64, _>(1, [5 + 1, n.extent(2, 0)]);
    let v = n.array::<f64, _>(2, [5]);
    let s = n.array::<f64, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<f64, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p005(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn p006(x: View<'_, f32, 2>, w: View<'_, f32, 2>, v: &[f32], s: &[f32], y: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let half = j as f32;
    let mut sum = half;
    let mut most = s[i];
    for k in 0..x.extent(1) {
        sum -= x[[j, k]] * w[[k + 0, i]] - v[k];
        if w[[k + 0, i]] > most {
            most = w[[k + 0, i]];
        }
    }
    y[[j, i]] += sum + most % (half + 1.0);
}

fn run_p006(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f32, _>(0, [n.extent(2, 1), n.extent(1, 0) % 40]);
    let w = n.array::<f32, _>(1, [n.extent(1, 0) % 40 + 0, n.extent(2, 0)]);
    let v = n.array::<f32, _>(2, [n.extent(1, 0) % 40]);
    let s = n.array::<f32, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<f32, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p006(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn p007(x: View<'_, f32, 2>, w: View<'_, f32, 2>, v: &[f32], s: &[f32], #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let half = j as f32;
    let mut sum = half;
    for k in 0..x.extent(1) {
        sum += x[[j, k]] * w[[k + 2, i]];
    }
    y[[j, i]] += sum;
}

fn run_p007(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f32, _>(0, [n.extent(2, 1), 5]);
    let w = n.array::<f32, _>(1, [5 + 2, n.extent(2, 0)]);
    let v = n.array::<f32, _>(2, [5]);
    let s = n.array::<f32, _>(3, [n.extent(2, 0)]);
    let mut y = n.array::<f32, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, p007(&x, &w, &v, &s, &mut y), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn q000(x: View<'_, u32, 2>, #[out(partial)] y: ViewMut<'_, u32, 2>, z: ViewMut<'_, u32, 2>, #[reduce(^)] s: &mut u32) {
    let i = global_id(0);
    let mut sum = i as u32;
    for c in (0..4).step_by(3) {
        let mut v = y[[c, i]] & x[[c, i]];
        if c % 2 == 0 { v = v & z[[c, i]]; }
        y[[c, i]] = v;
        z[[3 - c, i]] ^= sum;
        sum = sum & (v ^ c as u32);
    }
    *s ^= sum;
}

fn run_q000(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<u32, _>(0, [4, n.extent(1, 0)]);
    let mut y = n.array::<u32, _>(1, [4, n.extent(1, 0)]);
    let mut z = n.array::<u32, _>(2, [4, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<u32>(3));
    n.exec(rt, q000(&x, &mut y, &mut z, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn q001(x: View<'_, u8, 2>, y: ViewMut<'_, u8, 2>, #[out(partial)] z: ViewMut<'_, u8, 2>) {
    let i = global_id(0);
    let mut sum = i as u8;
    for c in (0..4).step_by(3) {
        let mut v = y[[c, i]] & x[[c, i]];
        if c % 2 == 0 { v = v & z[[c, i]]; }
        y[[c, i]] = v;
        z[[3 - c, i]] ^= sum;
        sum = sum & (v ^ c as u8);
    }
}

fn run_q001(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<u8, _>(0, [4, n.extent(1, 0)]);
    let mut y = n.array::<u8, _>(1, [4, n.extent(1, 0)]);
    let mut z = n.array::<u8, _>(2, [4, n.extent(1, 0)]);
    n.exec(rt, q001(&x, &mut y, &mut z), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn q002(x: View<'_, i64, 3>, #[out(partial)] y: ViewMut<'_, i64, 3>, z: ViewMut<'_, i64, 3>) {
    let j = global_id(1);
    let i = global_id(0);
    let mut sum = i as i64;
    if i > 0 && i + 2 < x.extent(2) {
        for c in (0..4).rev() {
            let mut v = y[[3 - c, j, i]] ^ x[[c, j, i]];
            for d in 0..2 {
                z[[c - c + 2 * d, j, i]] &= v;
            }
            y[[c, j, i]] = v;
            z[[3 - c, j, i]] &= sum;
            sum = sum & (v & c as i64);
        }
    } else {
        y[[2, j, i]] = x[[1, j, i]];
    }
}

fn run_q002(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<i64, _>(0, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut y = n.array::<i64, _>(1, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut z = n.array::<i64, _>(2, [4, n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, q002(&x, &mut y, &mut z), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn q003(x: View<'_, u8, 3>, y: ViewMut<'_, u8, 3>, #[out(partial)] z: ViewMut<'_, u8, 3>) {
    let j = global_id(1);
    let i = global_id(0);
    let mut sum = i as u8;
    if i > 0 && i + 2 < x.extent(2) {
        for c in (0..4).rev() {
            let mut v = y[[3 - c, j, i]] ^ x[[c, j, i]];
            for d in 0..2 {
                z[[c - c + 2 * d, j, i]] &= v;
            }
            y[[c, j, i]] = v;
            z[[3 - c, j, i]] &= sum;
            sum = sum & (v & c as u8);
        }
    } else {
        y[[2, j, i]] = x[[1, j, i]];
    }
}

fn run_q003(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<u8, _>(0, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut y = n.array::<u8, _>(1, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut z = n.array::<u8, _>(2, [4, n.extent(2, 1), n.extent(2, 0)]);
    n.exec(rt, q003(&x, &mut y, &mut z), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn q004(x: View<'_, u32, 3>, #[out(partial)] y: ViewMut<'_, u32, 3>, z: ViewMut<'_, u32, 3>, #[reduce(^)] s: &mut u32) {
    let j = global_id(1);
    let i = global_id(0);
    let mut sum = i as u32;
    if i > 0 && i + 2 < x.extent(2) {
        for c in (1_usize..=3).rev().step_by(2) {
            let mut v = y[[3 - c, j, i]] & x[[c, j, i]];
            for d in 0..2 {
                z[[c - c + 2 * d, j, i]] &= v;
            }
            y[[c, j, i]] = v;
            z[[3 - c, j, i]] |= sum;
            sum = sum & (v | c as u32);
        }
        for c in 0..1 {
            let mut v = y[[c, j, i]] | x[[c, j, i]];
            if sum == 3 as u32 { continue; }
            y[[c, j, i]] = v;
            z[[3 - c, j, i]] ^= sum;
            sum = sum | (v ^ c as u32);
        }
    } else {
        y[[2, j, i]] = x[[1, j, i]];
    }
    *s ^= sum;
}

fn run_q004(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<u32, _>(0, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut y = n.array::<u32, _>(1, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut z = n.array::<u32, _>(2, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<u32>(3));
    n.exec(rt, q004(&x, &mut y, &mut z, &mut s), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn q005(x: View<'_, f64, 2>, y: ViewMut<'_, f64, 2>, z: ViewMut<'_, f64, 2>, #[reduce(+)] s: &mut f64) {
    let i = global_id(0);
    let mut sum = i as f64;
    if i > 0 && i + 2 < x.extent(1) {
        for c in (1..4).rev() {
            let mut v = y[[3 - c, i]] - x[[c, i]];
            for d in 0..2 {
                z[[c - c + 2 * d, i]] -= v;
            }
            y[[c, i]] = v;
            z[[3 - c, i]] += sum;
            sum = sum * (v + c as f64);
        }
        for c in 0..1 {
            let mut v = y[[c, i]] + x[[c, i]];
            if c % 2 == 0 { v = v + z[[c, i]]; }
            y[[c, i]] = v;
            z[[3 - c, i]] -= sum;
            sum = sum * (v - c as f64);
        }
    } else {
        y[[2, i]] = x[[1, i]];
    }
    *s += sum;
}

fn run_q005(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f64, _>(0, [4, n.extent(1, 0)]);
    let mut y = n.array::<f64, _>(1, [4, n.extent(1, 0)]);
    let mut z = n.array::<f64, _>(2, [4, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f64>(3));
    n.exec(rt, q005(&x, &mut y, &mut z, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable, fast_math)]
fn q006(x: View<'_, f32, 2>, y: ViewMut<'_, f32, 2>, z: ViewMut<'_, f32, 2>, #[reduce(+)] s: &mut f32) {
    let i = global_id(0);
    let mut sum = i as f32;
    for c in (1..4).step_by(3) {
        let mut v = y[[3 - c, i]] * x[[c, i]];
        if sum == 3 as f32 { continue; }
        y[[c, i]] = v;
        z[[3 - c, i]] += sum;
        sum = sum * (v + c as f32);
    }
    *s += sum;
}

fn run_q006(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<f32, _>(0, [4, n.extent(1, 0)]);
    let mut y = n.array::<f32, _>(1, [4, n.extent(1, 0)]);
    let mut z = n.array::<f32, _>(2, [4, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f32>(3));
    n.exec(rt, q006(&x, &mut y, &mut z, &mut s), [n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(portable)]
fn q007(x: View<'_, i64, 3>, y: ViewMut<'_, i64, 3>, z: ViewMut<'_, i64, 3>, #[reduce(^)] s: &mut i64) {
    let j = global_id(1);
    let i = global_id(0);
    let mut sum = i as i64;
    for c in (1..4).step_by(3) {
        let mut v = y[[3 - c, j, i]] | x[[c, j, i]];
        if sum == 3 as i64 { continue; }
        y[[c, j, i]] = v;
        z[[3 - c, j, i]] ^= sum;
        sum = sum | (v ^ c as i64);
    }
    *s ^= sum;
}

fn run_q007(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let x = n.array::<i64, _>(0, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut y = n.array::<i64, _>(1, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut z = n.array::<i64, _>(2, [4, n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<i64>(3));
    n.exec(rt, q007(&x, &mut y, &mut z, &mut s), [n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y.to_vec()?);
    outputs.array(&z.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

/// All kernels of this file.
pub const CASES: &[Case] = &[
    Case { name: "k000", rank: 1, phases: 1, descriptor: k000::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k000 },
    Case { name: "k001", rank: 1, phases: 1, descriptor: k001::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![2 * n.extent(1, 0) + N], vec![]], run: run_k001 },
    Case { name: "k002", rank: 1, phases: 1, descriptor: k002::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k002 },
    Case { name: "k003", rank: 2, phases: 1, descriptor: k003::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k003 },
    Case { name: "k004<f32, 3>", rank: 1, phases: 1, descriptor: <k004 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + N], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k004_f32__3 },
    Case { name: "k004<f64, 3>", rank: 1, phases: 1, descriptor: <k004 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + N], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k004_f64__3 },
    Case { name: "k005", rank: 1, phases: 3, descriptor: k005::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k005 },
    Case { name: "k006", rank: 3, phases: 1, descriptor: k006::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_k006 },
    Case { name: "k007", rank: 2, phases: 1, descriptor: k007::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![], vec![n.extent(2, 0)]], run: run_k007 },
    Case { name: "k008", rank: 4, phases: 1, descriptor: k008::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 1), n.extent(4, 0), n.extent(4, 3), n.extent(4, 2)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]], run: run_k008 },
    Case { name: "k009", rank: 1, phases: 1, descriptor: k009::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![2 * n.extent(1, 0) + N]], run: run_k009 },
    Case { name: "k010<u8, 4>", rank: 1, phases: 1, descriptor: <k010 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k010_u8__4 },
    Case { name: "k010<u32, 4>", rank: 1, phases: 1, descriptor: <k010 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k010_u32__4 },
    Case { name: "k011", rank: 2, phases: 1, descriptor: k011::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k011 },
    Case { name: "k012", rank: 1, phases: 3, descriptor: k012::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k012 },
    Case { name: "k013", rank: 1, phases: 1, descriptor: k013::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k013 },
    Case { name: "k014", rank: 1, phases: 1, descriptor: k014::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)]], run: run_k014 },
    Case { name: "k015", rank: 3, phases: 1, descriptor: k015::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]], run: run_k015 },
    Case { name: "k016<i16, 3>", rank: 1, phases: 1, descriptor: <k016 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k016_i16__3 },
    Case { name: "k016<i64, 3>", rank: 1, phases: 1, descriptor: <k016 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k016_i64__3 },
    Case { name: "k017", rank: 1, phases: 1, descriptor: k017::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k017 },
    Case { name: "k018", rank: 1, phases: 1, descriptor: k018::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k018 },
    Case { name: "k019", rank: 2, phases: 1, descriptor: k019::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_k019 },
    Case { name: "k020", rank: 1, phases: 1, descriptor: k020::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k020 },
    Case { name: "k021", rank: 1, phases: 1, descriptor: k021::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k021 },
    Case { name: "k022<f32, 2>", rank: 1, phases: 1, descriptor: <k022 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![], vec![n.extent(1, 0)]], run: run_k022_f32__2 },
    Case { name: "k022<f32, 5>", rank: 1, phases: 1, descriptor: <k022 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![], vec![n.extent(1, 0)]], run: run_k022_f32__5 },
    Case { name: "k023", rank: 2, phases: 1, descriptor: k023::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k023 },
    Case { name: "k024", rank: 1, phases: 1, descriptor: k024::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + far::N]], run: run_k024 },
    Case { name: "k025", rank: 1, phases: 1, descriptor: k025::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k025 },
    Case { name: "k026", rank: 3, phases: 3, descriptor: k026::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 0)], vec![n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_k026 },
    Case { name: "k027", rank: 2, phases: 1, descriptor: k027::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0)]], run: run_k027 },
    Case { name: "k028<f32, 3>", rank: 4, phases: 1, descriptor: <k028 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![]], run: run_k028_f32__3 },
    Case { name: "k028<f64, 3>", rank: 4, phases: 1, descriptor: <k028 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![]], run: run_k028_f64__3 },
    Case { name: "k029", rank: 1, phases: 1, descriptor: k029::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + far::N]], run: run_k029 },
    Case { name: "k030", rank: 1, phases: 1, descriptor: k030::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k030 },
    Case { name: "k031", rank: 2, phases: 1, descriptor: k031::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_k031 },
    Case { name: "k032", rank: 1, phases: 1, descriptor: k032::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)]], run: run_k032 },
    Case { name: "k033", rank: 1, phases: 3, descriptor: k033::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![3, n.extent(1, 0)]], run: run_k033 },
    Case { name: "k034<u8, 4>", rank: 1, phases: 1, descriptor: <k034 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![n.extent(1, 0)], vec![]], run: run_k034_u8__4 },
    Case { name: "k034<u32, 4>", rank: 1, phases: 1, descriptor: <k034 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![n.extent(1, 0)], vec![]], run: run_k034_u32__4 },
    Case { name: "k035", rank: 3, phases: 1, descriptor: k035::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_k035 },
    Case { name: "k036", rank: 1, phases: 1, descriptor: k036::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k036 },
    Case { name: "k037", rank: 1, phases: 1, descriptor: k037::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![], vec![n.extent(1, 0)]], run: run_k037 },
    Case { name: "k038", rank: 1, phases: 1, descriptor: k038::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k038 },
    Case { name: "k039", rank: 2, phases: 1, descriptor: k039::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k039 },
    Case { name: "k040<i16, 3>", rank: 1, phases: 1, descriptor: <k040 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k040_i16__3 },
    Case { name: "k040<i64, 3>", rank: 1, phases: 1, descriptor: <k040 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k040_i64__3 },
    Case { name: "k041", rank: 1, phases: 1, descriptor: k041::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k041 },
    Case { name: "k042", rank: 1, phases: 1, descriptor: k042::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)]], run: run_k042 },
    Case { name: "k043", rank: 2, phases: 1, descriptor: k043::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_k043 },
    Case { name: "k044", rank: 1, phases: 1, descriptor: k044::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N]], run: run_k044 },
    Case { name: "k045", rank: 1, phases: 1, descriptor: k045::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![2 * n.extent(1, 0) + N]], run: run_k045 },
    Case { name: "k046<f32, 2>", rank: 3, phases: 1, descriptor: <k046 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0), n.extent(3, 2)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![]], run: run_k046_f32__2 },
    Case { name: "k046<f32, 5>", rank: 3, phases: 1, descriptor: <k046 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0), n.extent(3, 2)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![]], run: run_k046_f32__5 },
    Case { name: "k047", rank: 2, phases: 3, descriptor: k047::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0)]], run: run_k047 },
    Case { name: "p000", rank: 2, phases: 1, descriptor: p000::DESCRIPTOR, shapes: |n| vec![vec![n.extent(2, 1), 5], vec![5 + 2, n.extent(2, 0)], vec![5], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p000 },
    Case { name: "p001", rank: 2, phases: 1, descriptor: p001::DESCRIPTOR, shapes: |n| vec![vec![16, n.extent(2, 1)], vec![16 + 1, n.extent(2, 0)], vec![16], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p001 },
    Case { name: "p002", rank: 3, phases: 1, descriptor: p002::DESCRIPTOR, shapes: |n| vec![vec![n.extent(3, 2), n.extent(3, 1), n.extent(1, 0) % 40], vec![n.extent(1, 0) % 40 + 1, n.extent(3, 0)], vec![n.extent(1, 0) % 40], vec![n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_p002 },
    Case { name: "p003", rank: 2, phases: 1, descriptor: p003::DESCRIPTOR, shapes: |n| vec![vec![n.extent(1, 0) % 40, n.extent(2, 1)], vec![n.extent(1, 0) % 40 + 2, n.extent(2, 0)], vec![n.extent(1, 0) % 40], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p003 },
    Case { name: "p004", rank: 2, phases: 1, descriptor: p004::DESCRIPTOR, shapes: |n| vec![vec![16, n.extent(2, 1)], vec![16 + 0, n.extent(2, 0)], vec![16], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p004 },
    Case { name: "p005", rank: 2, phases: 1, descriptor: p005::DESCRIPTOR, shapes: |n| vec![vec![5, n.extent(2, 1)], vec![5 + 1, n.extent(2, 0)], vec![5], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p005 },
    Case { name: "p006", rank: 2, phases: 1, descriptor: p006::DESCRIPTOR, shapes: |n| vec![vec![n.extent(2, 1), n.extent(1, 0) % 40], vec![n.extent(1, 0) % 40 + 0, n.extent(2, 0)], vec![n.extent(1, 0) % 40], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p006 },
    Case { name: "p007", rank: 2, phases: 1, descriptor: p007::DESCRIPTOR, shapes: |n| vec![vec![n.extent(2, 1), 5], vec![5 + 2, n.extent(2, 0)], vec![5], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_p007 },
    Case { name: "q000", rank: 1, phases: 1, descriptor: q000::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![]], run: run_q000 },
    Case { name: "q001", rank: 1, phases: 1, descriptor: q001::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)]], run: run_q001 },
    Case { name: "q002", rank: 2, phases: 1, descriptor: q002::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)]], run: run_q002 },
    Case { name: "q003", rank: 2, phases: 1, descriptor: q003::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)]], run: run_q003 },
    Case { name: "q004", rank: 2, phases: 1, descriptor: q004::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_q004 },
    Case { name: "q005", rank: 1, phases: 1, descriptor: q005::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![]], run: run_q005 },
    Case { name: "q006", rank: 1, phases: 1, descriptor: q006::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![4, n.extent(1, 0)], vec![]], run: run_q006 },
    Case { name: "q007", rank: 2, phases: 1, descriptor: q007::DESCRIPTOR, shapes: |n| vec![vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)], vec![4, n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_q007 },
];
