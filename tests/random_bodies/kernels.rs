//! Kernels drawn by `generate.rs`; `FLASH_BLESS=1 cargo test -p flash-tests --test random_bodies` writes
//! this file again.

use super::harness::{Case, Inputs, Outputs};
use flash::__private::rt::descriptor::Kernel;
use flash::prelude::*;
use flash_test_devices as far;
use flash_test_devices::{Cell, Cloud, N, Real, Word};

#[flash::kernel]
fn k000(a1: i8, x2: &[isize], y3: &mut [far::Word]) {
    let i = global_id(0);
    let v4 = ((i as f64).max((i as f64)) + (4.546_f64 % (40.129_f64 + 0.5))).mul_add((((i as f64) - (i as f64)) - (22.391_f64).min(28.195_f64)), (-(i as f64)).powf((if true { (i as f64) } else { 9.525_f64 })));
    let v5 = far::Cloud { cells: [Cell { rho: 8.98_f64, mass: 36.592_f32, id: 20_u32 }, (far::Cloud { cells: [Cell { rho: 4.372_f64, mass: 4.468_f32, id: 29_u32 }, Cell { rho: 11.645_f64, mass: 10.315_f32, id: 1_u32 }], at: [68_i32, far::deep::STEPS[i % 3], 29_i32, 50_i32], mid: Cell { rho: 33.756_f64, mass: 33.773_f32, id: 112_u32 } }).cells[((i).abs_diff(i)) % 2]], at: [(i as i32), (i as i32), (i as i32), (i as i32)], mid: Cell { rho: 20.13_f64, mass: 42.907_f32, id: 45_u32 } };
    y3[i] ^= ({ let t6 = ((a1 & a1).rem_euclid((({ let t7 = i; a1 }) & 7) + 1) & (a1 | a1).clamp(49, 91)); (((true) as u32) & (y3[i]).wrapping_mul(y3[i])).trailing_zeros() });
    let mut v8: far::Body = Cell { rho: ((v4).powi(-1) + (Cloud { cells: [Cell { rho: 31.347_f64, mass: 48.871_f32, id: 84_u32 }; 2], at: [77_i32; N], mid: Cell { rho: 47.668_f64, mass: 36.720_f32, id: 71_u32 } }).mid.rho), mass: (a1 as f32).round().atan2(((i as f32) % (28.348_f32 + 0.5))), id: (({ let t9 = (a1 as i64); y3[i] }) >> ((a1 as u32).wrapping_mul(12) & 7)) };
    if (!true) {
        let v10 = (a1).saturating_sub((a1 as i8)).signum().rotate_right(4);
        if ((!11_isize) == (({ let t11 = (i as i16); 118_i64 }) as isize)) {
            if ((a1).saturating_sub(v10).rem_euclid(((v10 << 4) & 7) + 1) == (!((v10 as i8) / (((i as i8) & 7) + 1)))) {
                let v12 = ({ let t13 = ((i as u16) >> (y3[i] & 7)); ((t13 as f32) / far::WEIGHTS[i % N]) }).max(({ let t14 = 127_u16; (t14 as f32) }).powi(2));
                let mut v15: i16 = (if (v10 as f32).mul_add((a1 as f32), v12).is_nan() { (((v12) as i16) >> ((y3[i] | y3[i]) & 7)) } else { (if ((i as u64) < (i as u64)) { (i as i16).div_euclid(((i as i16) & 7) + 1) } else { (v10 as i16).wrapping_sub((a1 as i16)) }) });
                let mut v16 = (i as u32);
            } else {
                let v17: [u32; 3] = [(if ((v10 as i64) < (i as i64)) { (if true { y3[i] } else { y3[i] }) } else { ({ let t18 = i; y3[i] }) }), ((a1 as u32) >> ((y3[i]).rotate_right(5) & 7)), far::MASK];
            }
        }
    }
    y3[i] ^= y3[i];
    v8.id ^= (30_usize).abs_diff(i).leading_zeros().clamp(13, 62);
}

fn run_k000(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let x2 = n.array::<isize, _>(1, [n.extent(1, 0)]);
    let mut y3 = n.array::<u32, _>(2, [n.extent(1, 0)]);
    rt.submit(k000(a1, &x2, &mut y3)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k001(a1: i64, a2: isize, a3: Cell, x4: &[far::Word], #[out] y5: &mut [u8], #[out] y6: &mut [u32], #[out] y7: &mut [f32], #[scratch(2 * x4.len() + N)] t8: &mut [f64], #[reduce(+, into)] s: &mut i64) {
    let i = global_id(0);
    for n9 in 2_isize..=5 {
        let mut v10 = (if (y7[i] / y7[i]).is_nan() { (((a2 as u8) & y5[i]) ^ (y5[i]).rotate_right(6)) } else { ((y5[i]).wrapping_sub(y5[i]) / (((if false { y5[i] } else { y5[i] }) & 7) + 1)) });
        {
            for n11 in (2_i32..5).rev() {
                if true {
                    break;
                }
                v10 = (y5[i] >> (((if (y7[i]).is_nan() { 7 } else { (y7[i]).to_bits() }) >> ((y6[i] << 2) & 7)) & 7));
                if (!({ let t12 = ((n9 as i8) as isize); ((a2 as i32) != n11) })) {
                    let v13 = (if ({ let t14 = (i ^ i); (true | false) }) { ((a1).rotate_right(1) >> ((y5[i]).trailing_zeros() & 7)) } else { 112_i64 });
                } else {
                    v10 >>= 0;
                }
            }
        }
    }
    y5[i] |= ((103_u8 >> (((y6[i]).wrapping_sub(1) >> ((y6[i]).wrapping_sub((if i + 2 < x4.len() { x4[i + 2] } else { 0_u32 })) & 7)) & 7)) % ((y5[i] & 7) + 1));
    y6[i] %= ((y6[i] | ({ let t15 = ({ let t16 = (i as usize); far::SCALE }); (a1 as i16).count_ones() })) & 7) + 1;
    y7[i] += (({ let t17 = t8[i]; (a1 as f32) }).powi(0).abs() / (if ({ let t18 = (a2 as i16); false }) { (y7[i]).fract() } else { (y7[i] * y7[i]) }).mul_add((y7[i] + y7[i]).mul_add((y7[i]).abs(), ((i as f32) - (a1 as f32))), (11.842_f32 / y7[i]).mul_add((y7[i] % (y7[i] + 0.5)), (-y7[i]))));
    t8[i] += (far::series(t8[i], y6[i])).trunc().round_ties_even().round_ties_even();
    *s += ((a2 as i64).wrapping_mul(6) | ((i as i64) & (a1 as i64))).wrapping_add((a1 << 2).wrapping_add(90));
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
    rt.submit(k001(a1, a2, a3, &x4, &mut y5, &mut y6, &mut y7, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k002(a1: i16, a2: u16, x3: &[i32], x4: &[i64], x5: &[u8], #[out] y6: &mut [u32], c: &[Atomic<i64>]) {
    let i = global_id(0);
    if (((a1 as i64) as i16).min((!a1)) <= (((a2 as i64) == (if i + 2 < x4.len() { x4[i + 2] } else { 0_i64 })) as i16)) {
        for n7 in 2_u16..=5 {
            if false {
                break;
            }
            for n8 in (1..=4_i16).rev().step_by(2) {
                let v9: usize = (if ((far::SCALE) as f64).is_finite() { (i ^ i).rotate_left(5) } else { (29_usize).div_euclid((89_usize & 7) + 1).wrapping_add(i) });
                let mut v10 = (!(!(x4[i]).rotate_left(1)));
            }
            let mut v11: far::Word = (if ({ let t12 = i; true }) { (y6[i]).wrapping_sub((a1 as u32)) } else { y6[i] }).max((n7 as u32).wrapping_mul(y6[i]).wrapping_sub((y6[i] | (a1 as u32))));
        }
    } else {
        if ((24.534_f32).sqrt() as f64).is_finite() {
            let v13: i64 = (if false { (if (x5[i] <= 84_u8) { (x4[i]).rem_euclid((x4[i] & 7) + 1) } else { (if false { (if i + 2 < x4.len() { x4[i + 2] } else { 0_i64 }) } else { (a2 as i64) }) }) } else { x4[i] });
        } else {
            let mut v14 = ({ let t15 = ({ let t16 = (if i > 0 { x3[i - 1] } else { 0_i32 }); 11.756_f64 }); ((i as usize) >> 0) }).clamp(27, 51);
        }
    }
    y6[i] = (i as u32);
    c[(i) % c.len()].fetch_xor((!(x4[i] & (if i + 2 < x4.len() { x4[i + 2] } else { 0_i64 }))));
    let mut v17 = (-({ let t18 = 55_i64; (t18 as f32) }).powi(-1));
}

fn run_k002(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i16>(0);
    let a2 = n.value::<u16>(1);
    let x3 = n.array::<i32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<u8, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u32, _>(5, [n.extent(1, 0)]);
    let mut c = n.array::<i64, _>(6, [n.extent(1, 0)]);
    rt.submit(k002(a1, a2, &x3, &x4, &x5, &mut y6, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k003(a1: i64, a2: f32, a3: i64, x4: View<'_, usize, 2>, x5: View<'_, usize, 2>, x6: View<'_, f64, 2>, y7: ViewMut<'_, f32, 2>, #[out] y8: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let v9 = [(if ((j as i16) <= 109_i16) { (if false { y7[[j, i]] } else { y8[[j, i]] }) } else { math::erf(a2) }), ((a2 * y7[[j, i]]) - (y8[[j, i]]).mul_add(a2, y7[[j, i]])), (((x4[[j, i]]) as f32) * (a2 - y7[[j, i]])), (if (a2).is_nan() { (y8[[j, i]] - y7[[j, i]]) } else { (y7[[j, i]]).powi(3) })];
    let v10: far::Body = (if (true == true) { Cloud { cells: [Cell { rho: 0.854_f64, mass: 33.845_f32, id: 74_u32 }; 2], at: [45_i32; N], mid: Cell { rho: 33.870_f64, mass: 13.942_f32, id: 115_u32 } } } else { far::Cloud { cells: [Cell { rho: 5.179_f64, mass: 39.207_f32, id: 97_u32 }, Cell { rho: 0.195_f64, mass: 40.117_f32, id: 42_u32 }], at: [(a3 as i32), (i as i32), 16_i32, (j as i32)], mid: Cell { rho: 43.584_f64, mass: 31.701_f32, id: 39_u32 } } }).cells[(((x5[[((if j + 2 < x4.extent(0) { x4[[j + 2, i]] } else { 0_usize }).rotate_left(7)) % x5.extent(0), i]]).div_euclid(((if j + 1 < x4.extent(0) { x4[[j + 1, i]] } else { 0_usize }) & 7) + 1) | ((a2) as usize))) % 2];
    {
        let mut v11: f32 = ((y7[[j, i]] + y8[[j, i]]).floor() - (math::erf(y8[[j, i]])).ceil());
    }
    let v12: i64 = (((a3).rem_euclid((a3 & 7) + 1) / ((a1 & 7) + 1)) ^ (a3).signum().wrapping_mul(((i as i16) as i64)));
    let mut v13 = (if ((20_i16 == (v12 as i16)) || ((a1 as i8) > (v12 as i8))) { ((v12 as u32) % (((v12 as u32) & 7) + 1)).wrapping_mul(((a3 as u32) % ((19_u32 & 7) + 1))) } else { 67_u32 });
    let mut v14: usize = (((if j > 0 { x4[[j - 1, i]] } else { 0_usize }).clamp(6, 98) >> (v13 & 7)) % ((x4[[j, i]] & 7) + 1));
    {
        let mut v15 = (Cloud { cells: [Cell { rho: 44.386_f64, mass: 40.714_f32, id: 102_u32 }; 2], at: [18_i32; N], mid: Cell { rho: 26.996_f64, mass: 24.690_f32, id: 80_u32 } }).cells[((x4[[j, i]] | x4[[j, i]]).wrapping_add(18)) % 2];
        let mut v16: far::Quad = [(y7[[j, i]] * y7[[j, i]]).mul_add((a2).max(a2), (y8[[j, i]]).powf(12.221_f32)), ((Cloud { cells: [Cell { rho: 8.144_f64, mass: 19.601_f32, id: 17_u32 }; 2], at: [60_i32; N], mid: Cell { rho: 42.290_f64, mass: 47.697_f32, id: 121_u32 } }).cells[((if i + 1 < x4.extent(1) { x4[[j, i + 1]] } else { 0_usize })) % 2].mass).mul_add(y8[[j, i]], ({ let t17 = (i as f64); y7[[j, i]] })), (a2).trunc().powf((if true { a2 } else { (a1 as f32) })), (y7[[j, i]]).mul_add((y7[[j, i]] * far::WEIGHTS[i % N]), (5.481_f32 % (y8[[j, i]] + 0.5)))];
    }
    y7[[j, i]] = (-(if (if true { true } else { false }) { ({ let t18 = x4[[((if i + 2 < x5.extent(1) { x5[[j, i + 2]] } else { 0_usize }).rem_euclid(((if i + 2 < x5.extent(1) { x5[[j, i + 2]] } else { 0_usize }) & 7) + 1)) % x4.extent(0), i]]; Cloud { cells: [Cell { rho: 15.745_f64, mass: 26.920_f32, id: 95_u32 }; 2], at: [45_i32; N], mid: Cell { rho: 34.284_f64, mass: 6.592_f32, id: 23_u32 } } }) } else { Cloud { cells: [Cell { rho: 11.543_f64, mass: 0.176_f32, id: 55_u32 }; 2], at: [96_i32; N], mid: Cell { rho: 29.765_f64, mass: 35.590_f32, id: 11_u32 } } }).cells[((30_usize >> 5).abs_diff((if j + 1 < x4.extent(0) { x4[[j + 1, i]] } else { 0_usize }))) % 2].mass);
    if ((if (true ^ false) { (x6[[j, i]] < (if j + 2 < x6.extent(0) { x6[[j + 2, i]] } else { 0.0_f64 })) } else { (85_u64 != 23_u64) }) ^ (-y8[[j, i]]).is_finite()) {
        v13 ^= (if (y7[[j, i]] == 42.18_f32) { (v13 & (a1 as u32)) } else { ((a3 as u32) >> 3) }).saturating_add(v13);
        v14 = (if (if ((if j + 1 < x6.extent(0) { x6[[j + 1, i]] } else { 0.0_f64 }) >= (v14 as f64)) { ((j as i16) >= 17_i16) } else { ((v14 as i16) > (v13 as i16)) }) { (106_usize).saturating_add(j).abs_diff((if true { (if i + 2 < x5.extent(1) { x5[[j, i + 2]] } else { 0_usize }) } else { (if j > 0 { x5[[j - 1, i]] } else { 0_usize }) })) } else { (v14 as usize) });
    }
    y7[[j, i]] = ((i as i32).saturating_sub(83_i32) as f32).hypot(((v10).mass).powi(3));
    y8[[j, i]] -= ((if (30.150_f64 - x6[[j, i]]).is_nan() { (if (!false) { (if false { y7[[j, i]] } else { y7[[j, i]] }) } else { (if true { a2 } else { (i as f32) }) }) } else { (y8[[j, i]] / a2).powi(3) }) % (((a2).powi(3) + (y7[[j, i]]).fract()).abs() + 0.5));
    v13 %= (((v13).wrapping_add(14) as u32) & 7) + 1;
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
    rt.submit(k003(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [f32, f64], M = [3])]
fn k004<T, const M: usize>(a1: u16, a2: T, x3: &[far::Word], x4: &[T], x5: &[i32], y6: &mut [i32], y7: &mut [T], y8: &mut [i32], #[reduce(min)] s: &mut f32) {
    let i = global_id(0);
    let mut n9 = 3_u32;
    while n9 > 0 {
        n9 -= 1;
        {
            if (if ((if i > 0 { x4[i - 1] } else { (0.0 as T) }).hypot((if i + 2 < x4.len() { x4[i + 2] } else { (0.0 as T) })) <= (x4[i] - (a1 as T))) { ((a1 as usize).abs_diff((a1 as usize)) != (i).clamp(40, 94)) } else { (if (y7[i] != (if i > 0 { x4[i - 1] } else { (0.0 as T) })) { (!false) } else { ((i as i32) != 89_i32) }) }) {
                *s = s.min(far::wave((-(i as f32)).ceil(), ((if false { 17.658_f32 } else { (a1 as f32) }) - ({ let t10 = (i as i32); (i as f32) }))));
                for n11 in (2..=3_i32).rev().step_by(2) {
                    let mut v12: T = ({ let t13 = (if i + 2 < x4.len() { x4[i + 2] } else { (0.0 as T) }).powf((if i + 1 < x4.len() { x4[i + 1] } else { (0.0 as T) })).max((a2 + y7[i])); ((x4[((i).wrapping_mul(i)) % x4.len()]).mul_add(a2, (if i > 0 { x4[i - 1] } else { (0.0 as T) })) * math::exp2(y7[i])) });
                }
                {
                    let mut v14 = far::Cloud { cells: [Cell { rho: 48.871_f64, mass: 38.397_f32, id: 36_u32 }, Cell { rho: 3.719_f64, mass: 12.303_f32, id: 70_u32 }], at: [y8[i], far::deep::STEPS[i % 3], y6[i + N], (a1 as i32)], mid: Cell { rho: 3.754_f64, mass: 19.954_f32, id: 82_u32 } };
                }
            } else {
                let mut v15 = ({ let t16 = math::cos(y7[i]); ((i as u8) & (a1 as u8)) }).wrapping_sub(1);
                if ((v15 as f64) + (a1 as f64)).mul_add(math::atan(far::SCALE), (38.892_f64 - (i as f64))).is_finite() {
                    y6[i + N] &= (if ((!true) ^ (true || true)) { (if (28.762_f32).is_nan() { ((a1 as i32) % (((if i + 2 < x5.len() { x5[i + 2] } else { 0_i32 }) & 7) + 1)) } else { (far::deep::STEPS[i % 3]).clamp(5, 94) }) } else { ((y6[i + N]).wrapping_add(x5[((86_usize | (i as usize))) % x5.len()]) | (y8[i]).signum()) }).signum();
                    let mut v17 = [({ let t18 = a1; ((v15 as u32) >> ((if i > 0 { x3[i - 1] } else { 0_u32 }) & 7)) }), (17_u32).rotate_right(1).wrapping_mul((x3[i]).saturating_sub(x3[((if true { i } else { i })) % x3.len()])), ({ let t19 = math::cos((i as f32)); (x3[((i).min(i)) % x3.len()]).wrapping_add(36) })];
                }
            }
        }
    }
    y6[i + N] |= (if true { (if i + 2 < x5.len() { x5[i + 2] } else { 0_i32 }) } else { y6[i + N] }).wrapping_sub(((i as i32) >> (x3[((2_usize).clamp(15, 78)) % x3.len()] & 7))).rotate_right(5).div_euclid((((Cloud { cells: [Cell { rho: 5.356_f64, mass: 19.169_f32, id: 53_u32 }; 2], at: [72_i32; N], mid: Cell { rho: 47.891_f64, mass: 15.745_f32, id: 70_u32 } }).at[((i & (i as usize))) % N]).saturating_add(((i).clamp(13, 62) as i32)) & 7) + 1);
    y7[i] /= (if true { (((-x4[i]) + (if false { y7[i] } else { (27.31 as T) })) + ((y7[i] - x4[i]) * (y7[i]).max(x4[(i) % x4.len()]))) } else { (if (if true { false } else { false }) { (-x4[i]) } else { (y7[i] - y7[i]) }).mul_add(((i as u64).wrapping_sub((i as u64)) as T), ((if i + 2 < x4.len() { x4[i + 2] } else { (0.0 as T) }) * (if i + 1 < x4.len() { x4[i + 1] } else { (0.0 as T) })).mul_add(x4[((i).clamp(38, 84)) % x4.len()], ((y7[i]) as T))) });
    y8[i] <<= 2;
    *s = s.min((((a1 as i8).wrapping_sub((i as i8)) ^ (a1 as i8).rotate_left(5)) as f32));
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
    rt.submit(k004::<f32, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s)).exec([n.extent(1, 0)])?;
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
    rt.submit(k004::<f64, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k005(a1: u16, x2: &[i32], x3: &[i64], x4: &[u8], #[out] y5: &mut [u32]) {
    let i = global_id(0);
    let mut v6 = (!(26_i8).wrapping_add(74));
    for n7 in (2..=3_u8).rev().step_by(2) {
        let mut v6 = (!(((i as f64) * (i as f64)) != ((a1 as f64) + 35.954_f64)));
        v6 &= ((n7 as usize).abs_diff((a1 as usize)) != (i).clamp(40, 94));
        for n8 in 0_u64..=3 {
            y5[i] %= ((n8 as u32) & 7) + 1;
        }
    }
    v6 = ({ let t9 = ((x4[(((v6) as usize)) % x4.len()]).rotate_right(5) ^ (x4[i]).rotate_left(1)); (v6).wrapping_sub(v6).wrapping_neg() });
    let v10: Cloud = far::Cloud { cells: [Cell { rho: 28.734_f64, mass: 26.759_f32, id: 100_u32 }, ({ let t11 = i; Cloud { cells: [Cell { rho: 45.122_f64, mass: 39.348_f32, id: 78_u32 }; 2], at: [80_i32; N], mid: Cell { rho: 49.441_f64, mass: 45.451_f32, id: 100_u32 } } }).mid], at: [(a1 as i32), (if i + 2 < x2.len() { x2[i + 2] } else { 0_i32 }), x2[((i | i)) % x2.len()], (if i > 0 { x2[i - 1] } else { 0_i32 })], mid: Cell { rho: 38.321_f64, mass: 41.706_f32, id: 76_u32 } };
    {
        if (false != (if (x4[i] <= 84_u8) { (i as f32).is_finite() } else { ({ let t12 = (v6 as f64); true }) })) {
            {
                y5[i] &= (((v6 as u32) & y5[i]).wrapping_add(1) >> ((v6 as u32).clamp(27, 51).wrapping_mul(12) & 7)).min((((y5[i] / ((y5[i] & 7) + 1)) ^ y5[i]) | ((y5[i] & far::MASK) | y5[i])));
                y5[i] %= ((({ let t13 = (!118_i16); x3[((i).clamp(48, 76)) % x3.len()] }) as u32) & 7) + 1;
                let v14: u64 = (a1 as u64);
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
    rt.submit(k005(a1, &x2, &x3, &x4, &mut y5)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k006(a1: f32, x2: View<'_, i32, 3>, x3: View<'_, i64, 3>, x4: View<'_, u8, 3>, #[out(partial)] y5: ViewMut<'_, i32, 3>, y6: ViewMut<'_, f64, 3>, y7: ViewMut<'_, u64, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    for n8 in (0..=3_usize).rev().step_by(2) {
        y6[[i, p, j]] += (-({ let t9 = 2_i8; ((j as f64).mul_add(y6[[i, p, j]], y6[[i, p, j]]) * ((n8 as f32) as f64)) }));
    }
    let v10 = ((j as i16).clamp(40, 94) & (if false { (i as i16) } else { (i as i16) })).wrapping_sub((if false { 123_i16 } else { 86_i16 }).rotate_right(2));
    y7[[p, j, i]] %= (((((j as u64) >> ((i as u32) & 7)) ^ (y7[[p, j, i]] >> ((v10 as u32) & 7))) & y7[[p, j, i]]) & 7) + 1;
    let v11 = (((p as f32) / a1).mul_add((-a1), (-a1)) / (far::total([38.114_f32; N]) + a1));
    let v12: far::Quad = (if ((v10).wrapping_add(15) < (!(p as i16))) { [(p as f32).sqrt(); N] } else { [((i as isize) as f32); N] });
    let v13: i64 = (((x3[[p, j, i]]).rem_euclid((x3[[p, j, i]] & 7) + 1) / (((if false { (if j + 2 < x3.extent(1) { x3[[p, j + 2, i]] } else { 0_i64 }) } else { (v10 as i64) }) & 7) + 1)) ^ x3[[p, j, i]]);
    if ({ let t14 = (if p > 0 { x3[[p - 1, j, i]] } else { 0_i64 }); (v10 as f64) }).powi(0).is_nan() {
        let mut v10 = (((65_i8 / ((88_i8 & 7) + 1)) ^ (j as i8)) >> 0);
    }
    y5[[p, j, i]] >>= 3;
    y6[[i, p, j]] *= (y6[[i, p, j]] + (math::erf(({ let t15 = (v13 as i64); y6[[i, p, j]] }))).atan2(((v10 as u16) as f64).fract()));
    y7[[p, j, i]] <<= 5;
    let v16 = ((v12)[(p) % N]).trunc().round_ties_even();
}

fn run_k006(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let x2 = n.array::<i32, _>(1, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x3 = n.array::<i64, _>(2, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x4 = n.array::<u8, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y5 = n.array::<i32, _>(4, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]);
    let mut y7 = n.array::<u64, _>(6, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    rt.submit(k006(a1, &x2, &x3, &x4, &mut y5, &mut y6, &mut y7)).exec([n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k007(a1: Cell, x2: View<'_, u32, 2>, #[out] y3: ViewMut<'_, Cell, 2>, #[reduce(min)] s: &mut f64, c: &[Atomic<u32>]) {
    let j = global_id(1);
    let i = global_id(0);
    if (((far::WEIGHTS[i % N]).recip() - (22.391_f32).powi(0)) != ((j as f32).powf((i as f32)) / (if true { (i as f32) } else { 9.525_f32 }))) {
        let mut v4: u16 = (((j as f32) as u16) >> ((i as u32) & 7)).wrapping_add(((j as u16) / ((102_u16 & 7) + 1)).rotate_left(6));
        let mut n5 = 4_u32;
        while n5 > 0 {
            n5 -= 1;
            let mut v6: u64 = ((((j as u64) ^ 26_u64) >> (((if j + 1 < x2.extent(0) { x2[[j + 1, i]] } else { 0_u32 }) ^ (if i + 2 < x2.extent(1) { x2[[j, i + 2]] } else { 0_u32 })) & 7)) >> (((89_u32).wrapping_sub((v4 as u32)) >> (((if j > 0 { x2[[j - 1, i]] } else { 0_u32 }) << 2) & 7)) & 7));
            if ((if (!false) { ((v4 as i16) & (j as i16)) } else { (v4 as i16).wrapping_add(32) }) <= (j as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v7 = ((((v4 as f32) - (v4 as f32)) * ((v4 as f32) + (v6 as f32))) / (if true { (i as f32) } else { (v4 as f32) }).powi(0));
                    let v8: u64 = ((v6).wrapping_mul(53) | (v6).abs_diff(v6).wrapping_add(89));
                    let mut v9 = (if (({ let t10 = (j as i64); 70_i16 }) == (if false { (j as i16) } else { (i as i16) })) { [(v8 as u32).rotate_left(0), (if i > 0 { x2[[j, i - 1]] } else { 0_u32 }).clamp(41, 99), (if j + 1 < x2.extent(0) { x2[[j + 1, i]] } else { 0_u32 })] } else { [((v8 as u32) % ((x2[[j, ((v4 as usize)) % x2.extent(1)]] & 7) + 1)), (global_size(0)).count_ones(), (x2[[((j).clamp(48, 76)) % x2.extent(0), i]] >> ((v4 as u32) & 7))] });
                }
                y3[[j, i]].id = ((x2[[((i as usize).wrapping_add(18)) % x2.extent(0), i]]).wrapping_mul(96).wrapping_sub((v4 as i64).leading_zeros()) % (((v6 as u32).wrapping_sub(x2[[j, i]]).wrapping_mul(6) & 7) + 1));
            }
        }
        let v11 = (if (false ^ (false != false)) { (if (i as f32).is_nan() { (v4).saturating_sub((v4 as u16)) } else { (v4 >> ((if j + 1 < x2.extent(0) { x2[[j + 1, i]] } else { 0_u32 }) & 7)) }) } else { (((i as i32) as f32) as u16) });
    } else {
        let mut v12: [u32; 3] = [(114_u32 & (if i > 0 { x2[[j, i - 1]] } else { 0_u32 })).wrapping_add(88), (((i as u64) >> 0) as u32), (if true { (if i + 2 < x2.extent(1) { x2[[j, i + 2]] } else { 0_u32 }) } else { (if i > 0 { x2[[j, i - 1]] } else { 0_u32 }) }).wrapping_sub((73_u32 >> (x2[[j, ((14_usize).clamp(15, 78)) % x2.extent(1)]] & 7)))];
    }
    y3[[j, i]].id = far::mix((if i > 0 { x2[[j, i - 1]] } else { 0_u32 }), (((if i + 1 < x2.extent(1) { x2[[j, i + 1]] } else { 0_u32 }) >> ((if j > 0 { x2[[j - 1, i]] } else { 0_u32 }) & 7)) >> 2));
    c[(j) % c.len()].fetch_add(((i as i32).trailing_zeros() % (((if false { (if j + 2 < x2.extent(0) { x2[[j + 2, i]] } else { 0_u32 }) } else { (j as u32) }) & 7) + 1)));
    *s = s.min(((-(-(i as f64))) % ((((j as f64) % (11.125_f64 + 0.5)) / ((i as f64) % ((j as f64) + 0.5))) + 0.5)));
}

fn run_k007(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cell>(0);
    let x2 = n.array::<u32, _>(1, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y3 = n.array::<Cell, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<f64>(3));
    let mut c = n.array::<u32, _>(4, [n.extent(2, 0)]);
    rt.submit(k007(a1, &x2, &mut y3, &mut s, &mut c)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k008(a1: i64, x2: View<'_, usize, 2>, x3: View<'_, usize, 2>, x4: View<'_, f64, 4>, y5: ViewMut<'_, f32, 4>, #[out] y6: ViewMut<'_, f32, 4>) {
    let q = global_id(3);
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let v7 = [(if ((j as i16) <= 109_i16) { (if false { y5[[j, i, q, p]] } else { y6[[q, p, j, i]] }) } else { math::erf((i as f32)) }), (((q as f32) * y5[[j, i, q, p]]) - (y6[[q, p, j, i]]).mul_add((j as f32), y5[[j, i, q, p]])), (((x2[[j, i]]) as f32) * ((j as f32) - y5[[j, i, q, p]])), (if (i as f32).is_nan() { (y6[[q, p, j, i]] - y5[[j, i, q, p]]) } else { (y5[[j, i, q, p]]).powi(3) })];
    let v8: far::Body = (if (true == true) { Cloud { cells: [Cell { rho: 0.854_f64, mass: 33.845_f32, id: 74_u32 }; 2], at: [45_i32; N], mid: Cell { rho: 33.870_f64, mass: 13.942_f32, id: 115_u32 } } } else { far::Cloud { cells: [Cell { rho: 5.179_f64, mass: 39.207_f32, id: 97_u32 }, Cell { rho: 0.195_f64, mass: 40.117_f32, id: 42_u32 }], at: [(i as i32), (i as i32), 16_i32, (i as i32)], mid: Cell { rho: 43.584_f64, mass: 31.701_f32, id: 39_u32 } } }).cells[(((x3[[((if j + 2 < x2.extent(0) { x2[[j + 2, i]] } else { 0_usize }).rotate_left(7)) % x3.extent(0), i]]).div_euclid(((if j + 1 < x2.extent(0) { x2[[j + 1, i]] } else { 0_usize }) & 7) + 1) | ((p as f32) as usize))) % 2];
    {
        let mut v9: f32 = ((y5[[j, i, q, p]] + y6[[q, p, j, i]]).floor() - (math::erf(y6[[q, p, j, i]])).ceil());
    }
    let v10: i64 = (((a1).rem_euclid((a1 & 7) + 1) / ((a1 & 7) + 1)) ^ (a1).signum().wrapping_mul(((j as i16) as i64)));
    let mut v11 = (if ((20_i16 == (a1 as i16)) || ((a1 as i8) > (p as i8))) { ((i as u32) % (((q as u32) & 7) + 1)).wrapping_mul(((a1 as u32) % ((19_u32 & 7) + 1))) } else { 67_u32 });
    let mut v12: usize = (((if j > 0 { x2[[j - 1, i]] } else { 0_usize }).clamp(6, 98) >> (v11 & 7)) % ((x2[[j, i]] & 7) + 1));
    {
        let mut v13 = (Cloud { cells: [Cell { rho: 44.386_f64, mass: 40.714_f32, id: 102_u32 }; 2], at: [18_i32; N], mid: Cell { rho: 26.996_f64, mass: 24.690_f32, id: 80_u32 } }).cells[((x2[[j, i]] | x2[[j, i]]).wrapping_add(18)) % 2];
        let mut v14: [f32; N] = [(y5[[j, i, q, p]]).powi(3).mul_add((a1 as f32).max((a1 as f32)), (y6[[q, p, j, i]]).powf(4.612_f32)), ((y6[[q, p, j, i]] / y6[[q, p, j, i]]) as f32), (if (!true) { y5[[j, i, q, p]] } else { (if true { y6[[q, p, j, i]] } else { y5[[j, i, q, p]] }) }), (({ let t15 = 21_u32; y6[[q, p, j, i]] }) - math::cos(y5[[j, i, q, p]]))];
    }
    let v16 = (!14_i32).wrapping_sub(((v11 as i32) >> ((p as u32) & 7))).wrapping_sub(((q as i32) >> 0).wrapping_add(8));
    y6[[q, p, j, i]] -= y6[[q, p, j, i]];
    y6[[q, p, j, i]] = math::tanh((((y6[[q, p, j, i]] % (y6[[q, p, j, i]] + 0.5)) as f32) + ((y5[[j, i, q, p]]).round() * (if true { (a1 as f32) } else { y6[[q, p, j, i]] }))));
    v11 |= (30_usize).abs_diff((if i > 0 { x2[[j, i - 1]] } else { 0_usize })).leading_zeros().clamp(13, 62);
    y5[[j, i, q, p]] *= (-(-([31.753_f32, y5[[j, i, q, p]], (v12 as f32), y6[[q, p, j, i]]])[(x3[[j, i]]) % N]));
    y6[[q, p, j, i]] += ((((y5[[j, i, q, p]]).hypot(y6[[q, p, j, i]]) * (y5[[j, i, q, p]] % ((q as f32) + 0.5))) * (math::sin(34.959_f32) * ((v10 as f32) + y5[[j, i, q, p]]))) as f32);
    v11 %= (((33.184_f32) as u32) & 7) + 1;
}

fn run_k008(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i64>(0);
    let x2 = n.array::<usize, _>(1, [n.extent(4, 1), n.extent(4, 0)]);
    let x3 = n.array::<usize, _>(2, [n.extent(4, 1), n.extent(4, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    let mut y5 = n.array::<f32, _>(4, [n.extent(4, 1), n.extent(4, 0), n.extent(4, 3), n.extent(4, 2)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]);
    rt.submit(k008(a1, &x2, &x3, &x4, &mut y5, &mut y6)).exec([n.extent(4, 0), n.extent(4, 1), n.extent(4, 2), n.extent(4, 3)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k009(a1: i32, a2: Cloud, a3: bool, x4: &[Cell], y5: &mut [u64], y6: &mut [f32], #[out] y7: &mut [f32], #[scratch(2 * x4.len() + N)] t8: &mut [f64]) {
    let i = global_id(0);
    for n9 in (0..=3_usize).rev().step_by(2) {
        y5[i] <<= 0;
    }
    let mut v10 = (((i as i64).wrapping_neg() == ((a1 as i64) | (i as i64))) as usize);
    let mut v11: i8 = ((({ let t12 = v10; t12 }) as f32) as i8);
    v10 %= ((if true { i } else { i }).clamp(40, 94) & 7) + 1;
    let mut v13: f32 = (-(-far::total([32.45_f32; N])));
    y7[i] = y6[i];
    v13 = ((if ((i as i32) != a1) { (y6[i] + v13) } else { (if true { y7[i] } else { y6[i] }) }) * (far::Cloud { cells: [(if i > 0 { x4[i - 1] } else { x4[i] }), Cell { rho: 1.932_f64, mass: 39.838_f32, id: 82_u32 }], at: [(i as i32), a1, a1, a1], mid: x4[((i).clamp(49, 91)) % x4.len()] }).cells[((i).wrapping_mul(50)) % 2].mass);
    y5[i] ^= (((y5[i]).wrapping_mul(53) | (if a3 { y5[i] } else { y5[i] })).abs_diff((v11 as u64)) >> ((far::TABLE[i % 8]).wrapping_sub((i ^ v10).leading_zeros()) & 7));
    y6[i] *= math::exp((v13).abs().powi(0).signum());
    y7[i] = far::wave(((a1 as i16).div_euclid(((i as i16) & 7) + 1).clamp(24, 61) as f32), (math::cos(y7[i])).mul_add((v10 as f32).abs(), (y7[i] - (i as f32))).mul_add(math::atan((y7[i] / y6[i])), (-(y7[i] % ((v10 as f32) + 0.5)))));
    t8[i] = (if (!((y6[i] != y7[i]) == a3)) { (-((Cell { rho: 14.142_f64, mass: 26.996_f32, id: 16_u32 }).rho).signum()) } else { (((t8[i] % (t8[i] + 0.5)) + math::erf(t8[i])) - ((t8[i] / far::SCALE) / (t8[i]).powi(0))) });
    v10 = v10;
}

fn run_k009(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i32>(0);
    let a2 = n.value::<Cloud>(1);
    let a3 = n.value::<bool>(2);
    let x4 = n.array::<Cell, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<f32, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(1, 0)]);
    rt.submit(k009(a1, a2, a3, &x4, &mut y5, &mut y6, &mut y7)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [u8, u32], M = [4])]
fn k010<T, const M: usize>(a1: T, a2: T, x3: &[i64], x4: &[T], #[out] y5: &mut [u32], #[out] y6: &mut [f32], #[out] y7: ViewMut<'_, i16, 2>, #[scratch(x3.len())] t8: &mut [T], #[reduce(max, into)] s: &mut f32) {
    let i = global_id(0);
    let v9 = (-(9.525_f64).mul_add(far::SCALE, (a2 as f64))).powf(((a1 as f64).max((a1 as f64)) + (4.546_f64 % (40.129_f64 + 0.5))));
    let v10 = far::Cloud { cells: [Cell { rho: 8.98_f64, mass: 36.592_f32, id: 20_u32 }, (far::Cloud { cells: [Cell { rho: 4.372_f64, mass: 4.468_f32, id: 29_u32 }, Cell { rho: 11.645_f64, mass: 10.315_f32, id: 1_u32 }], at: [68_i32, far::deep::STEPS[i % 3], 29_i32, 50_i32], mid: Cell { rho: 33.756_f64, mass: 33.773_f32, id: 112_u32 } }).cells[((i).abs_diff(i)) % 2]], at: [(i as i32), (a1 as i32), (a2 as i32), (i as i32)], mid: Cell { rho: 20.13_f64, mass: 42.907_f32, id: 45_u32 } };
    y5[i] ^= ({ let t11 = (((i as i32) >> ((i as u32) & 7)) & ({ let t12 = a1; (a2 as i32) })).signum(); (((if false { y5[i] } else { (a1 as u32) }) % (((y5[i]).trailing_zeros() & 7) + 1)) | (if ((if i > 0 { x4[i - 1] } else { (0 as T) }) == x4[((i).wrapping_mul(i)) % x4.len()]) { (y5[i] >> (y5[i] & 7)) } else { (t11 as u32) })) });
    if (math::rsqrt((v9).hypot(v9)) <= ((a1 as f64) / v9).signum()) {
        y5[i] = ({ let t13 = (i & i).wrapping_add(1); (y7[[(i + 1) % 3, i]]).wrapping_add(y7[[(i + 0) % 3, i]]).rotate_left(7) }).leading_zeros();
        if ((!(a1 >= t8[i])) | (((if i + 2 < x4.len() { x4[i + 2] } else { (0 as T) }) == t8[i]) | (true != false))) {
            if (if (!(true == false)) { (((t8[i]) as u8) >= (46_u8).abs_diff(90_u8)) } else { ((y5[i] >= y5[i]) && ((i as T) >= t8[i])) }) {
                let mut n14 = 3_u32;
                while n14 > 0 {
                    n14 -= 1;
                    let v15 = (if (false ^ false) { (if false { (a1 as i16) } else { y7[[(i + 1) % 3, i]] }) } else { (y7[[(i + 1) % 3, i]] ^ 8_i16) }).clamp(22, 81);
                    let mut v16: T = ({ let t17 = ({ let t18 = i; (121 as T) }).rotate_left(4); (if (v9 < v9) { (a2).div_euclid(((if i > 0 { x4[i - 1] } else { (0 as T) }) & 7) + 1) } else { (t17).wrapping_sub(t8[i]) }) });
                }
                let mut v19 = (math::log10((-(a2 as f32))) * ((i as f32).sqrt() - y6[i]));
            } else {
                if ((t8[i]).rem_euclid((t8[i] & 7) + 1).saturating_add((t8[i] >> 3)) <= (t8[i] >> ((y5[i] | y5[i]) & 7))) {
                    {
                        y6[i] /= (((math::atan(y6[i])).mul_add(((i as f32) / (a2 as f32)), (-y6[i])) + (math::exp(y6[i]) * (y6[i] - y6[i]))) + (((y6[i] + (i as f32)) as f32) * (math::sin(34.959_f32)).mul_add(((a1 as u64) as f32), (y6[i]).powi(-1))));
                    }
                }
            }
        } else {
            let mut v9: u64 = (((a2 as u64) >> 2) >> 1).rotate_left(0);
        }
    } else {
        let mut v20 = ((a1 as T).wrapping_add(t8[i]) >> ((y5[i]).saturating_sub(y5[i]) & 7)).max((t8[i]).abs_diff(t8[i]).abs_diff((t8[i] | (if i + 1 < x4.len() { x4[i + 1] } else { (0 as T) }))));
    }
    y5[i] |= (if ({ let t21 = ((a2 as u64).min((a2 as u64)) >> 6); (i as f64).trunc().is_nan() }) { (a2 as i8).trailing_zeros() } else { (((y5[i] >> 6) >> ((y5[i]).wrapping_mul(51) & 7)) << 5) });
    y6[i] = ((math::rsqrt(((if i + 2 < x3.len() { x3[i + 2] } else { 0_i64 }) as f32)) * (far::wave(y6[i], y6[i])).mul_add(y6[i], (if true { (a2 as f32) } else { 14.431_f32 }))) % ((-(((a1 as i64) as f32) * (a2 as f32).min(y6[i]))) + 0.5));
    y7[[2, i]] = y7[[0, i]];
    t8[i] %= ((if (!false) { (if i + 1 < x4.len() { x4[i + 1] } else { (0 as T) }) } else { (x4[i]).abs_diff(t8[i]) }).wrapping_mul((t8[i]).clamp(15, 92).wrapping_add((a1 | t8[i]))) & 7) + 1;
    *s = s.max((math::cos((y6[i]).powi(3)) * ((y6[i] - y6[i]) + far::wave(y6[i], y6[i]))));
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
    rt.submit(k010::<u8, 4>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s)).exec([n.extent(1, 0)])?;
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
    rt.submit(k010::<u32, 4>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k011(a1: f32, a2: bool, a3: u8, x4: View<'_, u8, 2>, x5: View<'_, isize, 2>, y6: ViewMut<'_, u16, 2>, #[out] y7: ViewMut<'_, f32, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let v8: [f32; N] = [(if ((a3 as i16) <= 109_i16) { (if a2 { y7[[j, i]] } else { y7[[j, i]] }) } else { (if a2 { y7[[j, i]] } else { y7[[j, i]] }) }), (y7[[j, i]] + y7[[j, i]]).hypot((y7[[j, i]] + a1)), (((i) as f32) * (y7[[j, i]]).fract()), ((if a2 { a1 } else { y7[[j, i]] }) + (y7[[j, i]] - y7[[j, i]]))];
    let mut v9 = (far::total([y7[[j, i]], (j as f32), y7[[j, i]], y7[[j, i]]])).floor();
    v9 = ((if (far::deep::STEPS[i % 3] != 11_i32) { (y7[[j, i]] + v9) } else { (if true { y7[[j, i]] } else { y7[[j, i]] }) }) * (far::Cloud { cells: [Cell { rho: 36.927_f64, mass: 32.596_f32, id: 29_u32 }, Cell { rho: 39.838_f64, mass: 14.656_f32, id: 43_u32 }], at: [100_i32, 9_i32, (a3 as i32), (a3 as i32)], mid: Cell { rho: 22.239_f64, mass: 48.374_f32, id: 125_u32 } }).cells[((j).abs_diff(j)) % 2].mass);
    if (!a2) {
        v9 /= (if a2 { y7[[j, i]] } else { y7[[j, i]] }).powi(-1).atan2(far::total([y7[[j, i]], 36.720_f32, y7[[j, i]], y7[[j, i]]]));
        for n10 in (0..6_i64).step_by(3) {
            if ((x4[[j, i]]).abs_diff(a3) <= (x4[[j, (({ let t11 = n10; (j as usize) })) % x4.extent(1)]] % ((x4[[j, i]] & 7) + 1))) {
                break;
            }
            y6[[j, i]] >>= 0;
        }
    }
    for n12 in 2..4_i8 {
        let mut v13: bool = a2;
        let v14: far::Quad = [(y7[[j, i]] + (a1).atan2(y7[[j, i]])); N];
        let mut n15 = 3_u32;
        while n15 > 0 {
            n15 -= 1;
            let v16 = (([y7[[j, i]], 12.19_f32, y7[[j, i]], y7[[j, i]]])[(({ let t17 = y6[[j, i]]; i })) % N]).mul_add((if (!a2) { y7[[j, i]] } else { math::ln(y7[[j, i]]) }), ((v14)[(i) % N]).trunc());
            let mut v18 = [(y7[[j, i]] * y7[[j, i]]).mul_add((v16).max(a1), (y7[[j, i]]).powf(12.221_f32)), ((Cloud { cells: [Cell { rho: 8.144_f64, mass: 19.601_f32, id: 17_u32 }; 2], at: [60_i32; N], mid: Cell { rho: 42.290_f64, mass: 47.697_f32, id: 121_u32 } }).cells[((j as usize)) % 2].mass).mul_add(y7[[j, i]], ({ let t19 = (i as f64); y7[[j, i]] })), (((a3 as f32) * y7[[j, i]]) - ((i as f32) + y7[[j, i]])), math::atan((far::WEIGHTS[i % N] % (y7[[j, i]] + 0.5)))];
        }
    }
    v9 *= (if ((28.541_f64 * 22.186_f64) > (j as f64)) { math::atan(({ let t20 = j; y7[[j, i]] })) } else { ((y7[[j, i]] / y7[[j, i]]) + (y7[[j, i]]).min(y7[[j, i]])) });
    y6[[j, i]] = y6[[j, i]].wrapping_add((if ({ let t21 = (!(j as i8)); (x4[[j, i]] > (if j + 2 < x4.extent(0) { x4[[j + 2, i]] } else { 0_u8 })) }) { ((y6[[j, i]]).div_euclid(((a3 as u16) & 7) + 1) >> ((j as u32).clamp(36, 60) & 7)) } else { (y6[[j, i]] >> 2) }));
    y7[[j, i]] = (y7[[j, i]]).mul_add((y7[[j, i]] * y7[[j, i]]).powi(0).powi(2), ((Cell { rho: (a3 as f64), mass: y7[[j, i]], id: (a3 as u32) }).mass / math::ln((if a2 { y7[[j, i]] } else { y7[[j, i]] }))));
    v9 /= ((y7[[j, i]] - y7[[j, i]]).mul_add(math::ln(y7[[j, i]]), (y7[[j, i]] / v9)) + v9);
}

fn run_k011(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<bool>(1);
    let a3 = n.value::<u8>(2);
    let x4 = n.array::<u8, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let x5 = n.array::<isize, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y6 = n.array::<u16, _>(5, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y7 = n.array::<f32, _>(6, [n.extent(2, 1), n.extent(2, 0)]);
    rt.submit(k011(a1, a2, a3, &x4, &x5, &mut y6, &mut y7)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k012(a1: Cloud, a2: bool, a3: u8, x4: &[u8], x5: &[i32], y6: &mut [f64], y7: &mut [u64], #[out] y8: &mut [u64], c: &[Atomic<i64>]) {
    let i = global_id(0);
    {
        let mut v9 = (((i as i64).wrapping_neg() == ((a3 as i64) | (i as i64))) as usize);
        let mut v10: i8 = ((({ let t11 = v9; t11 }) as f32) as i8);
    }
    let mut v12 = (((!(i as isize)) & (84_isize).div_euclid(((a3 as isize) & 7) + 1)) as u32);
    let v13: u8 = (((x4[i]).rotate_right(2) << 2) >> ((if a2 { v12 } else { v12 }).rotate_right(3) & 7));
    for n14 in 1_i32..=3 {
        if ({ let t15 = (i ^ i); (a2 | a2) }) {
            break;
        }
        for n16 in (2..=5_u8).rev().step_by(2) {
            v12 ^= (if ((v13 as i16).wrapping_add(15) < (!21_i16)) { ((v12 % ((v12 & 7) + 1)) >> ((v12 >> ((n14 as u32) & 7)) & 7)) } else { (if ({ let t17 = far::deep::STEPS[i % 3]; false }) { (v12 / ((v12 & 7) + 1)) } else { (if ((n16 as f32)).is_nan() { 7 } else { ((n16 as f32)).to_bits() }) }) });
            let mut v18 = (n16 as isize).signum();
        }
    }
    y6[i] += (({ let t19 = y6[i]; t19 }).powi(0).abs() / (if ({ let t20 = (i as i16); true }) { (v12 as f64).mul_add(y6[i], y6[i]) } else { (y6[i]).mul_add(y6[i], y6[i]) }).mul_add((y6[i] + y6[i]).mul_add((y6[i]).abs(), ((v13 as f64) - (v13 as f64))), (11.842_f64 / y6[i]).mul_add((y6[i] % (y6[i] + 0.5)), (-y6[i]))));
    y7[i] >>= 1;
    y8[i] %= (((-(y6[i]).signum()) as u64) & 7) + 1;
    c[((11_usize | i).wrapping_mul((i).wrapping_sub((v12 as usize)))) % c.len()].fetch_max(((58_i64 ^ 126_i64) >> 2));
    v12 |= ({ let t22 = 121_i8; v12 }).wrapping_sub(({ let t21 = 0.28_f32; v12 })).wrapping_sub((((v12 as u32) >> (v12 & 7)) ^ (v12).wrapping_mul(v12)));
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
    rt.submit(k012(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k013(a1: bool, a2: u8, x3: &[u8], x4: &[i32], y5: &mut [f64], y6: &mut [u64], #[out] y7: &mut [u64], #[reduce(min)] s: &mut f64) {
    let i = global_id(0);
    for n8 in (2..=3_u8).rev().step_by(2) {
        let mut v9: bool = (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t10 = i; (n8 as i8) })) } else { (((n8 as isize) as u32) >= ((n8 as u32) % (((a2 as u32) & 7) + 1))) });
        let mut n11 = 2_u32;
        loop {
            if n11 == 0 {
                break;
            }
            n11 -= 1;
            v9 |= (if (true == v9) { ({ let t12 = (n8 as isize); false }) } else { (a1 && false) });
        }
        y5[i] += (-({ let t13 = ((i as i8) & (n8 as i8)); (y5[i] / y5[i]) }).powf(({ let t14 = (i).wrapping_sub(i); far::scaled((i as f64)) })));
    }
    let v15 = (((a2 as f32).mul_add((a2 as f32), (i as f32)) * ((y5[i]) as f32)) / 4.864_f32);
    if (if ({ let t16 = (x4[i] % ((93_i32 & 7) + 1)); a1 }) { (({ let t17 = (i as usize); false }) ^ a1) } else { true }) {
        let mut n18 = 2_u32;
        while n18 > 0 {
            n18 -= 1;
            *s = s.min(({ let t19 = ({ let t20 = (if a1 { x4[i] } else { (if i + 2 < x4.len() { x4[i + 2] } else { 0_i32 }) }); (y5[i] / y5[i]) }); math::atan((y5[i] / y5[i])) }));
        }
    }
    y5[i] = (((-(far::SCALE).mul_add(y5[i], y5[i])) - (y5[i] * y5[i]).mul_add((if a1 { far::SCALE } else { (i as f64) }), (y5[i]).fract())) % ((((a2 as f64) - y5[i]).powi(3) / ((Cell { rho: 14.142_f64, mass: 26.996_f32, id: 16_u32 }).rho).signum()) + 0.5));
    y6[i] = y6[i].wrapping_add((({ let t21 = (a2 as u16); y7[i] }).clamp(40, 81) << 2));
    y7[i] %= (((((27_isize) as u64) ^ (if a1 { y7[i] } else { y7[i] })) & (y7[i]).div_euclid((y6[i] & 7) + 1).div_euclid(((8_u64).wrapping_mul(y7[i]) & 7) + 1)) & 7) + 1;
    *s = s.min(((if true { Cloud { cells: [Cell { rho: 0.28_f64, mass: 1.258_f32, id: 0_u32 }; 2], at: [21_i32; N], mid: Cell { rho: 19.601_f64, mass: 9.392_f32, id: 58_u32 } } } else { Cloud { cells: [Cell { rho: 9.164_f64, mass: 0.172_f32, id: 105_u32 }; 2], at: [22_i32; N], mid: Cell { rho: 29.392_f64, mass: 48.430_f32, id: 21_u32 } } }).mid).rho);
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
    rt.submit(k013(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k014(a1: i64, a2: usize, a3: isize, x4: &[i32], x5: &[f64], x6: &[i16], #[out] y7: &mut [f64], #[out] y8: &mut [i64]) {
    let i = global_id(0);
    let mut n9 = 2_u32;
    loop {
        if n9 == 0 {
            break;
        }
        n9 -= 1;
        let mut v10: bool = (if ((a2).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t11 = i; (i as i8) })) } else { (((a3) as u32) >= ((a2 as u32) % (((a1 as u32) & 7) + 1))) });
    }
    for n12 in (0_u16..6).rev() {
        if ((n12 as u8).wrapping_add((i as u8)) == ((a3 as i8) as u8)) {
            continue;
        }
        let v13 = (a3 as u8).wrapping_add((i as u8));
        let v14: Cloud = far::Cloud { cells: [Cell { rho: 28.734_f64, mass: 26.759_f32, id: 100_u32 }, ({ let t15 = a2; Cloud { cells: [Cell { rho: 45.122_f64, mass: 39.348_f32, id: 78_u32 }; 2], at: [80_i32; N], mid: Cell { rho: 49.441_f64, mass: 45.451_f32, id: 100_u32 } } }).mid], at: [(i as i32), (if i + 2 < x4.len() { x4[i + 2] } else { 0_i32 }), x4[((a2 | a2)) % x4.len()], (if i > 0 { x4[i - 1] } else { 0_i32 })], mid: Cell { rho: 38.321_f64, mass: 41.706_f32, id: 76_u32 } };
        if (((93_i8).wrapping_neg() >> ((if false { (i as u32) } else { far::TABLE[i % 8] }) & 7)) > (v13 as i8).wrapping_mul(53)) {
            if ((v13 ^ v13).abs_diff((i as u8).abs_diff(v13)) <= (v13 & v13).wrapping_add(1)) {
                if ((if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f64 }) / y7[i + far::N]).mul_add(math::atan(far::SCALE), ((if i > 0 { x5[i - 1] } else { 0.0_f64 }) - (a1 as f64))).is_finite() {
                    y8[i] &= (if ((!true) ^ (true || true)) { (if (28.762_f32).is_nan() { (a1 % ((y8[i] & 7) + 1)) } else { (a1).signum() }) } else { (y8[i]).rotate_right(6).wrapping_mul((y8[i]).wrapping_sub((a3 as i64))) }).signum();
                    for n16 in 2..5_usize {
                        let mut v17: [f32; N] = [(18.347_f32 * (v13 as f32)).mul_add((a2 as f32).max((i as f32)), (a2 as f32).powf(12.221_f32)), math::exp2(({ let t18 = (i as f64); 45.650_f32 })), ({ let t19 = (47.409_f64 - (if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f64 })); ((n12 as f32) - 13.636_f32) }), (if ((a1 as i32) == (if i > 0 { x4[i - 1] } else { 0_i32 })) { ((a1 as f32) % (far::WEIGHTS[i % N] + 0.5)) } else { (48.205_f32 % ((a3 as f32) + 0.5)) })];
                    }
                    for n20 in 1..5_usize {
                        let v21: [f32; N] = [(v13 as f32), math::atan(({ let t22 = n20; (n12 as f32) })), (if false { (a3 as f32).powi(0) } else { (6.592_f32).sqrt() }), (if (y7[i + far::N]).is_finite() { (v13 as f32).signum() } else { math::rsqrt((a1 as f32)) })];
                    }
                } else {
                    {
                        let mut v23 = ((-(-(i as f32))) % ((((a1 as f32) % (11.125_f32 + 0.5)) / ((v13 as f32) % ((a3 as f32) + 0.5))) + 0.5));
                    }
                }
            }
        } else {
            let v24 = far::Cloud { cells: [Cell { rho: 28.546_f64, mass: 22.459_f32, id: 65_u32 }, far::moved(Cell { rho: 23.122_f64, mass: 32.450_f32, id: 40_u32 }, ((n12 as f32) * 28.584_f32))], at: [(if i > 0 { x4[i - 1] } else { 0_i32 }), (if i + 1 < x4.len() { x4[i + 1] } else { 0_i32 }), x4[i], 21_i32], mid: Cell { rho: 42.18_f64, mass: 44.596_f32, id: 19_u32 } };
        }
    }
    y7[i + far::N] = ((x5[i] - (26.582_f64 + y7[i + far::N])).mul_add((if (if true { false } else { false }) { (-x5[i]) } else { (y7[i + far::N] - y7[i + far::N]) }), ((i as f32) as f64).powi(3)) + (if (y8[i] <= (!(a3 as i64))) { ((0.223_f64).mul_add(y7[i + far::N], 15.810_f64) % ((y7[i + far::N]).round_ties_even() + 0.5)) } else { (y7[i + far::N]).powi(2).min(math::rsqrt((if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f64 }))) }));
    y8[i] ^= ({ let t25 = (((a3 as i8).clamp(19, 74) << 4) >> ((115_u32 | (i as u32)).clamp(25, 76) & 7)); (y8[i]).rotate_left(2).wrapping_mul((a1).wrapping_mul(y8[i])).wrapping_neg() });
    let mut v26 = [(a2 as f32).mul_add(far::WEIGHTS[i % N], 10.269_f32).mul_add((a3 as f32), math::rsqrt((i as f32))), (a1 as f32), (i as f32).min((i as f32)).abs(), (a3 as f32).max((i as f32)).recip()];
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
    rt.submit(k014(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k015(a1: u8, x2: View<'_, u8, 3>, x3: View<'_, isize, 3>, y4: ViewMut<'_, u16, 3>, #[out] y5: ViewMut<'_, f32, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let v6: [f32; N] = [(if ((j as i16) <= 109_i16) { (if false { y5[[i, p, j]] } else { y5[[i, p, j]] }) } else { math::erf((p as f32)) }), (((p as f32) * y5[[i, p, j]]) - (y5[[i, p, j]]).mul_add((p as f32), y5[[i, p, j]])), (((p) as f32) * (y5[[i, p, j]]).fract()), ((if false { y5[[i, p, j]] } else { y5[[i, p, j]] }) + (if true { y5[[i, p, j]] } else { y5[[i, p, j]] }))];
    let v7 = far::total([far::total([45.435_f32; N]), (y5[[i, p, j]] - y5[[i, p, j]]), (y5[[i, p, j]] * y5[[i, p, j]]), (if false { y5[[i, p, j]] } else { y5[[i, p, j]] })]);
    let v8 = ((math::ln((p as f64))).mul_add((if true { 39.179_f64 } else { 2.840_f64 }), ((i as f64) / far::SCALE)) < (p as f64));
    if (if ((i as i16).wrapping_add(15) < (!21_i16)) { ((v7).hypot(y5[[i, p, j]]) > (y5[[i, p, j]]).ceil()) } else { v8 }) {
        {
            let mut v9: Cloud = Cloud { cells: [Cell { rho: 21.988_f64, mass: 47.668_f32, id: 108_u32 }; 2], at: [124_i32; N], mid: Cell { rho: 20.927_f64, mass: 17.553_f32, id: 79_u32 } };
        }
        if ({ let t10 = (((i as i16) != (i as i16)) as usize); (i as f64).powi(0).is_nan() }) {
            let mut v7 = (((far::deep::STEPS[i % 3] | 87_i32) & (far::deep::STEPS[i % 3]).signum()) / (((a1 as i32) & 7) + 1));
            for n11 in (0_i32..5).rev() {
                if (!(25.611_f64 >= (v7 as f64))) {
                    continue;
                }
                let mut n12 = 3_u32;
                while n12 > 0 {
                    n12 -= 1;
                    let v13 = (([y5[[i, p, j]], 47.962_f32, y5[[i, p, j]], y5[[i, p, j]]])[((n11 as usize).rotate_right(6)) % N]).mul_add((if (!v8) { y5[[i, p, j]] } else { math::ln(y5[[i, p, j]]) }), ((v6)[(p) % N]).trunc());
                    if ((Cell { rho: 26.172_f64, mass: 31.0_f32, id: 115_u32 }).rho).powf((p as f64).min(36.454_f64)).is_finite() {
                        v7 &= ((v7 >> ((v7 as u32) & 7)).wrapping_sub((v7 % ((v7 & 7) + 1))) ^ ({ let t14 = (105_i8).rotate_left(5); (v7 >> ((i as u32) & 7)) }));
                    }
                }
            }
            let mut v15 = Cell { rho: ((Cloud { cells: [Cell { rho: 31.385_f64, mass: 0.910_f32, id: 16_u32 }; 2], at: [103_i32; N], mid: Cell { rho: 31.396_f64, mass: 43.907_f32, id: 81_u32 } }).mid.rho).atan2(((p as f64) * (i as f64))), mass: (-((x2[[((p).wrapping_add(i)) % x2.extent(0), j, i]]) as f32)), id: (far::MASK).saturating_add(far::TABLE[i % 8]).wrapping_add(9) };
        }
    }
    y4[[p, j, i]] = ((y4[[p, j, i]] >> 5) >> (((if v8 { 13_u32 } else { (j as u32) }) | (96_u32 % (((i as u32) & 7) + 1))) & 7)).abs_diff(y4[[p, j, i]]);
    y5[[i, p, j]] *= y5[[i, p, j]];
    let mut v6 = ((x2[[p, (i) % x2.extent(1), i]]).wrapping_sub(67).clamp(33, 97) >> ((if (y5[[i, p, j]]).is_nan() { 7 } else { (y5[[i, p, j]]).to_bits() }).rotate_left(7) & 7));
}

fn run_k015(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u8>(0);
    let x2 = n.array::<u8, _>(1, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x3 = n.array::<isize, _>(2, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y4 = n.array::<u16, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y5 = n.array::<f32, _>(4, [n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]);
    rt.submit(k015(a1, &x2, &x3, &mut y4, &mut y5)).exec([n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [i16, i64], M = [3])]
fn k016<T, const M: usize>(a1: Cloud, a2: T, x3: &[u8], x4: &[u32], x5: &[i32], y6: &mut [T], y7: &mut [i32], #[reduce(min)] s: &mut f32) {
    let i = global_id(0);
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        {
            if (if ((y6[i] >> 0) <= (y6[i]).clamp(46, 63)) { true } else { (((i as u16) >> (x4[i] & 7)) == (if true { 28_u16 } else { (a2 as u16) })) }) {
                let mut n9 = 4_u32;
                while n9 > 0 {
                    n9 -= 1;
                    let v10: T = ((y6[i]).div_euclid(((i as T) & 7) + 1).wrapping_add((!a2)) % (((if true { a2 } else { y6[i] }).wrapping_sub(43) & 7) + 1));
                    if (if ((if i > 0 { x3[i - 1] } else { 0_u8 }).wrapping_add(61_u8) >= ({ let t11 = (a2 as i32); (a2 as u8) })) { ((far::WEIGHTS[i % N] >= 14.656_f32) || (v10 == a2)) } else { ((if true { y6[i] } else { y6[i] }) >= (y6[i] & y6[i])) }) {
                        let mut v12 = [(((v10 as isize) % (((i as isize) & 7) + 1)) as f32), (if ({ let t13 = y6[i]; false }) { (38.397_f32 - (a2 as f32)) } else { ((a2 as f32) / (v10 as f32)) }), ((i as f32) / (a2 as f32)).sqrt(), (i as f32).powi(3).signum()];
                        *s = s.min(({ let t14 = (v10 & y6[i]).wrapping_add(1); (((t14 as f32) - (t14 as f32)) - ((t14 as f32) + (a2 as f32))) }));
                        let mut v15 = ((!67_i32) | (if false { (i as i32) } else { y7[i] }).clamp(3, 79));
                    }
                }
                if ((a2).saturating_sub(y6[i]).clamp(48, 76) > (!(y6[i]).wrapping_sub(a2))) {
                    let v16: [u32; 3] = [((if i > 0 { x4[i - 1] } else { 0_u32 }).wrapping_add(x4[((86_usize | (i as usize))) % x4.len()]) | ((a2 as T) as u32)), (!(i as i8)).leading_zeros(), (if ((a2 as f32)).is_nan() { 7 } else { ((a2 as f32)).to_bits() })];
                    for n17 in (1..5_u8).step_by(1) {
                        if true {
                            continue;
                        }
                        let v18: Cloud = (if (!(if true { false } else { true })) { (if false { far::Cloud { cells: [Cell { rho: 9.164_f64, mass: 0.172_f32, id: 105_u32 }, Cell { rho: 42.198_f64, mass: 30.709_f32, id: 22_u32 }], at: [y7[i], (i as i32), (if i > 0 { x5[i - 1] } else { 0_i32 }), x5[((a2 as usize).wrapping_add(i)) % x5.len()]], mid: Cell { rho: 11.130_f64, mass: 46.90_f32, id: 1_u32 } } } else { far::Cloud { cells: [Cell { rho: 40.48_f64, mass: 5.481_f32, id: 32_u32 }, Cell { rho: 18.650_f64, mass: 34.739_f32, id: 106_u32 }], at: [14_i32, 73_i32, y7[i], y7[i]], mid: Cell { rho: 5.494_f64, mass: 15.228_f32, id: 125_u32 } } }) } else { a1 });
                    }
                }
            } else {
                let v19: T = (if false { ((y6[i]).signum() >> 3) } else { (({ let t20 = (i as i8); y6[i] }) & (y6[i] % ((y6[i] & 7) + 1))) });
            }
        }
    }
    y6[i] = ((y6[i] >> (60_u32 & 7)).wrapping_neg() >> ((if i > 0 { x4[i - 1] } else { 0_u32 }).saturating_sub((i as u32)).wrapping_mul((x4[(i) % x4.len()]).clamp(30, 59)) & 7)).wrapping_add(((if (true ^ false) { (y6[i] ^ y6[i]) } else { (!y6[i]) }) >> ((far::mix((i as u32), (if i > 0 { x4[i - 1] } else { 0_u32 }))).clamp(36, 60) & 7)));
    y7[i] = y7[i].wrapping_add(((i as i32) >> 1).rotate_left(0).wrapping_mul(52));
    *s = s.min(((if (y6[i] <= y6[i]) { (32.488_f32).powi(0) } else { (41.866_f32 - (a2 as f32)) }) - (math::tanh((i as f32))).round_ties_even()));
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
    rt.submit(k016::<i16, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([n.extent(1, 0)])?;
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
    rt.submit(k016::<i64, 3>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k017(a1: usize, a2: isize, x3: &[i32], x4: &[f64], x5: &[i16], #[out] y6: &mut [f64], #[out] y7: &mut [i64], c: &[Atomic<i64>]) {
    let i = global_id(0);
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        if ((!(if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 })) == (x5[i]).wrapping_mul(21)) {
            continue;
        }
        let mut v9: i8 = (a2 as i8).rem_euclid((84_i8 & 7) + 1).wrapping_sub(((i as i8) >> (47_u32 & 7))).rotate_left(2);
        let mut v10: u64 = (((121_u64 << 2) >> (((i as u32) ^ (v9 as u32)) & 7)) >> (((89_u32).wrapping_sub((v9 as u32)) >> ((68_u32 << 2) & 7)) & 7));
    }
    let mut n11 = 3_u32;
    while n11 > 0 {
        n11 -= 1;
        let v12 = ({ let t13 = ((a2 as i8).rem_euclid((15_i8 & 7) + 1) & ((i as i8) / (((i as i8) & 7) + 1))); (a1 as i64).clamp(49, 91).rotate_left(0) });
    }
    let v14 = (a2 as u16).wrapping_mul(50).abs_diff((a1 as u16).wrapping_mul(82_u16)).abs_diff((a1 as u16));
    if false {
        let v14: i64 = (!(y7[i]).wrapping_mul(53)).wrapping_neg();
        if ({ let t15 = ((x5[i] != (if i > 0 { x5[i - 1] } else { 0_i16 })) as usize); (({ let t16 = y7[i]; x5[((if false { i } else { t15 })) % x5.len()] }) == (67_i16 >> 0)) }) {
            let mut v17 = (a2 / ((((a2 % ((a2 & 7) + 1)) & 67_isize) & 7) + 1));
            {
                v17 >>= 6;
            }
        } else {
            let v18 = false;
        }
    } else {
        let v19: [u32; 3] = (if ((y6[i + far::N]) as f32).is_nan() { [((y6[i + far::N]) as u32), (y7[i]).leading_zeros(), (123_u32).wrapping_mul(82_u32)] } else { [(v14 as u32).max(11_u32), (if false { (a2 as u32) } else { (a1 as u32) }), ((a1) as u32)] });
    }
    y6[i + far::N] = ({ let t20 = v14; ((if false { (v14 as f64) } else { y6[i + far::N] }).round_ties_even() * ((Cell { rho: 43.258_f64, mass: 2.36_f32, id: 14_u32 }).rho + far::scaled(x4[i]))) });
    y7[i] = (((far::deep::STEPS[i % 3] >> ((i as u32) & 7)).saturating_add(({ let t21 = (if i > 0 { x4[i - 1] } else { 0.0_f64 }); 114_i32 })) as f32) as i64);
    c[((global_size(0)).wrapping_add(8).abs_diff((a1).wrapping_add(i))) % c.len()].fetch_xor(((y7[i]).clamp(15, 78) | (y7[i]).clamp(36, 88)));
    let mut v22 = ((if (if true { true } else { true }) { ((a2 as f32) + (a2 as f32)) } else { (i as f32).abs() }) - (if false { 33.765_f32 } else { (i as f32) }).round());
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
    rt.submit(k017(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k018(a1: bool, a2: isize, a3: isize, x4: &[f32], x5: &[f64], y6: &mut [u64], #[out] y7: &mut [u64], #[out(partial)] y8: &mut [u16]) {
    let i = global_id(0);
    let mut n9 = 3_u32;
    while n9 > 0 {
        n9 -= 1;
        {
            if (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((x4[((i >> (47_u32 & 7))) % x4.len()]) as i8) <= (a3 as i8).rem_euclid((84_i8 & 7) + 1)) } else { ({ let t10 = (if a1 { (a2 as i32) } else { (a2 as i32) }); (if i > 0 { x5[i - 1] } else { 0.0_f64 }).is_nan() }) }) {
                let v11: u8 = ((a2 as i8).wrapping_sub((a3 as i8)) as u8).wrapping_add((if a1 { (a2 as u8) } else { (a2 as u8) }).abs_diff((if false { (i as u8) } else { 55_u8 })));
            } else {
                y8[i] |= (({ let t12 = (i).wrapping_sub(i); ((a3 as u16) | (a2 as u16)) }) / (((y8[i]).abs_diff(y8[i]).abs_diff(((a2 as u16) % ((y8[i] & 7) + 1))) & 7) + 1)).saturating_sub(((y6[i] / ((y6[i] & 7) + 1)).clamp(25, 59) as u16));
                let mut v13 = ((!((a3 as i64) / (((a2 as i64) & 7) + 1))) % (((i as i64).div_euclid(((a2 as i64).wrapping_mul((a3 as i64)) & 7) + 1) & 7) + 1));
            }
        }
    }
    let mut v14: Cloud = Cloud { cells: [Cell { rho: 29.212_f64, mass: 25.961_f32, id: 78_u32 }; 2], at: [28_i32; N], mid: Cell { rho: 27.701_f64, mass: 33.903_f32, id: 79_u32 } };
    let mut v15 = (a2 as i16).rem_euclid(((i as i16) & 7) + 1).div_euclid(((a3 as i16).wrapping_mul((a3 as i16)) & 7) + 1).clamp(24, 61);
    v14.cells[((i as usize).saturating_sub(i)) % 2].id &= 67_u32;
    v14.mid = (if ({ let t16 = v15; true }) { Cell { rho: 5.524_f64, mass: 40.996_f32, id: 30_u32 } } else { (if a1 { Cell { rho: 48.67_f64, mass: 25.325_f32, id: 52_u32 } } else { Cell { rho: 15.635_f64, mass: 39.757_f32, id: 37_u32 } }) });
    let mut v17 = (Cloud { cells: [Cell { rho: 36.490_f64, mass: 14.142_f32, id: 98_u32 }; 2], at: [117_i32; N], mid: Cell { rho: 46.424_f64, mass: 40.680_f32, id: 18_u32 } }).cells[((i).max((v15 as usize)).abs_diff((if false { i } else { i }))) % 2];
    let mut n18 = 5_u32;
    while n18 > 0 {
        n18 -= 1;
        v14.mid.rho -= ((if i > 0 { x5[i - 1] } else { 0.0_f64 }).mul_add(x5[i], (a2 as f64)) - (x5[i] * 43.469_f64)).powi(0);
    }
    y6[i] &= ((y7[i]).clamp(36, 88).wrapping_add((y7[i]).clamp(15, 78)).wrapping_sub((a3 as u64).wrapping_add(y7[i]).wrapping_add((y7[i] >> 2))) >> (((i as i8).div_euclid(((a2 as i8) & 7) + 1).leading_zeros() >> (((17_i16).trailing_zeros() | (21_u32).wrapping_mul(29)) & 7)) & 7));
    y7[i] %= (y7[i] & 7) + 1;
    y8[i] %= (({ let t19 = (a3 as usize).rem_euclid((i & 7) + 1).saturating_add(i); 122_u16 }) & 7) + 1;
    v17.id ^= (far::TABLE[i % 8]).max((i as usize).leading_zeros().clamp(13, 62));
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
    rt.submit(k018(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k019(a1: Cloud, a2: isize, x3: View<'_, i32, 2>, x4: View<'_, u16, 2>, x5: View<'_, f32, 2>, y6: ViewMut<'_, u64, 2>, y7: ViewMut<'_, Real, 2>, y8: ViewMut<'_, i16, 2>, #[reduce(+)] s: &mut f32) {
    let j = global_id(1);
    let i = global_id(0);
    let mut n9 = 2_u32;
    loop {
        if n9 == 0 {
            break;
        }
        n9 -= 1;
        let mut v10 = (if ((j).rotate_right(4) > (i).clamp(46, 63)) { (((x5[[((j >> (47_u32 & 7))) % x5.extent(0), i]]) as i8) <= (j as i8).rem_euclid((84_i8 & 7) + 1)) } else { ({ let t11 = (if false { x3[[j, (((a2 as usize) >> ((i as u32) & 7))) % x3.extent(1)]] } else { x3[[j, i]] }); (if false { false } else { true }) }) });
    }
    let mut n12 = 3_u32;
    loop {
        if n12 == 0 {
            break;
        }
        n12 -= 1;
        {
            let v13: i64 = ((90_i64).rotate_right(3).rotate_left(2) & (i as i64).wrapping_mul(34).wrapping_sub(({ let t14 = 4_i8; 47_i64 })));
        }
    }
    let mut v15: f32 = math::ln(x5[[((i % ((i & 7) + 1))) % x5.extent(0), i]]);
    v15 += (((v15 - x5[[((i).rem_euclid((i & 7) + 1)) % x5.extent(0), i]]) * ((if i + 2 < x5.extent(1) { x5[[j, i + 2]] } else { 0.0_f32 }) + x5[[j, i]])) / (j as f32));
    let v16 = Cell { rho: 3.719_f64, mass: 12.303_f32, id: 70_u32 };
    let mut v17 = [(i as u8).leading_zeros(), (101_u32 | (i as u32)).trailing_zeros(), ((i as u32) & (i as u32)).wrapping_add(1)];
    y6[[j, i]] >>= 5;
    v17[(j) % 3] |= (i as u32);
    let mut n18 = 2_u32;
    while n18 > 0 {
        n18 -= 1;
        let v19: usize = (if ((y7[[j, i]] / y7[[j, i]]) >= (if false { y7[[j, i]] } else { (j as f64) })) { ((i as usize).clamp(6, 98) >> ((j as u32) & 7)) } else { i });
    }
    let mut v20 = (x4[[((j as usize).wrapping_add(18)) % x4.extent(0), i]]).wrapping_mul(96).clamp(5, 94).rotate_right(7);
    y6[[j, i]] >>= 6;
    y7[[j, i]] *= y7[[j, i]];
    y8[[j, i]] ^= (((6_isize).wrapping_sub(a2).wrapping_neg() as i16) ^ (!(8_i16).wrapping_mul(y8[[j, i]]).rem_euclid(((y8[[j, i]] / ((y8[[j, i]] & 7) + 1)) & 7) + 1)));
    *s += ((x5[[((j as usize).rotate_left(0)) % x5.extent(0), i]] % (v15 + 0.5)).abs() % (((x5[[((i).min(j)) % x5.extent(0), i]] + (i as f32)) * (v15).powi(0)) + 0.5));
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
    rt.submit(k019(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k020(a1: isize, a2: isize, x3: &[f32], x4: &[f64], y5: &mut [u64], #[out] y6: &mut [u64], #[out(partial)] y7: &mut [u16]) {
    let i = global_id(0);
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        {
            if (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((x3[((i >> (47_u32 & 7))) % x3.len()]) as i8) <= (a2 as i8).rem_euclid((84_i8 & 7) + 1)) } else { ({ let t9 = (if false { (i as i32) } else { (i as i32) }); (90_i64 > (t9 as i64)) }) }) {
                let mut v10 = (if (x4[((if false { i } else { global_size(0) })) % x4.len()]).is_nan() { (a1 as u8).abs_diff((a1 as u8)) } else { ({ let t11 = 4_i8; 47_u8 }) }).wrapping_sub(43);
                for n12 in (2..=3_i32).rev().step_by(2) {
                    v10 |= ({ let t13 = (43_usize).rotate_right(7).wrapping_sub((i | i)); (((true) as u8) << 0) });
                }
                let v14: f32 = (math::tan((x3[(({ let t15 = 31_i64; i })) % x3.len()]).ceil()) + ((x3[i] - (if i > 0 { x3[i - 1] } else { 0.0_f32 })) % ((if false { x3[((i).wrapping_mul(i)) % x3.len()] } else { x3[((i).wrapping_mul(12)) % x3.len()] }) + 0.5)));
            } else {
                if ((((i as i16) ^ (a2 as i16)) == ((i as i16) ^ (a1 as i16))) || ((!true) | ((a1 as u8) < (a2 as u8)))) {
                    let mut v16 = [((x3[i] - x3[i]) * (x3[((i).clamp(48, 76)) % x3.len()]).fract()), ((x4[((i << 2)) % x4.len()]).mul_add(x4[((i).abs_diff((a1 as usize))) % x4.len()], 14.142_f64) as f32), ((if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }) - (x3[i] / x3[((a1 as usize).clamp(22, 81)) % x3.len()])), (-12.221_f32).powf(((if i > 0 { x3[i - 1] } else { 0.0_f32 }) * (if i > 0 { x3[i - 1] } else { 0.0_f32 })))];
                    for n17 in (1_i64..6).rev() {
                        let mut v18 = [(({ let t19 = 121_i8; (i as u32) }) << 6), (far::MASK >> ((i as u32) & 7)).saturating_add((if true { (a1 as u32) } else { 114_u32 })), (y6[i] >> (101_u32 & 7)).count_ones()];
                        v18[((2_usize).wrapping_sub((i >> (106_u32 & 7)))) % 3] |= (a2 as u32).rotate_right(1);
                    }
                } else {
                    let mut v20 = [(((if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }) as f32) * (if i > 0 { x3[i - 1] } else { 0.0_f32 }).min((i as f32))), (if (if i > 0 { x4[i - 1] } else { 0.0_f64 }).is_finite() { math::rsqrt((a1 as f32)) } else { (x3[i] - 9.286_f32) }), ((x3[i] + (if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 })) + (if i > 0 { x3[i - 1] } else { 0.0_f32 }).fract()), ((if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }) * (a1 as f32)).mul_add((if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }).powi(0), ((if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f64 }) as f32))];
                }
            }
        }
    }
    y5[i] = ((!((36_i8 >> (60_u32 & 7)) << 3)) as u64);
    y6[i] = (((a2 as u64) >> 2) >> 1).rotate_left(0).clamp(8, 52);
    y7[i] = (if ({ let t21 = ((120_i64 | (i as i64)) / (((83_i64).wrapping_sub((i as i64)) & 7) + 1)); (!(x3[i] != (a1 as f32))) }) { ((y7[i]).clamp(1, 93).rotate_left(2) / (((y7[i] << 0).abs_diff((if false { (a2 as u16) } else { y7[i] })) & 7) + 1)) } else { (y7[i] | y7[i]).clamp(22, 65).clamp(42, 59) });
    let v22 = far::Cloud { cells: [Cell { rho: 15.955_f64, mass: 20.366_f32, id: 113_u32 }, Cell { rho: 40.319_f64, mass: 1.433_f32, id: 6_u32 }], at: [75_i32, (i as i32), (a2 as i32), 20_i32], mid: Cell { rho: 7.141_f64, mass: 38.123_f32, id: 82_u32 } };
}

fn run_k020(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<isize>(0);
    let a2 = n.value::<isize>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<u16, _>(6, [n.extent(1, 0)]);
    rt.submit(k020(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k021(a1: Cloud, a2: f64, a3: far::Word, x4: &[f64], x5: &[i16], x6: &[u64], #[out] y7: &mut [i16]) {
    let i = global_id(0);
    let mut v8 = (((i as i64).wrapping_neg() == ((a3 as i64) | (i as i64))) as usize);
    let mut v9: i8 = ((({ let t10 = v8; t10 }) as f32) as i8);
    v8 %= ((if true { v8 } else { v8 }).clamp(40, 94) & 7) + 1;
    let v11: f32 = far::total([far::total([32.45_f32; N]), (v9 as f32).min((v8 as f32)), far::WEIGHTS[i % N], (-(i as f32))]);
    for n12 in (2..=6_usize).rev().step_by(2) {
        y7[i] ^= ({ let t13 = ((n12).wrapping_mul(34) ^ (n12).wrapping_add(32)); (n12 as i16).clamp(49, 91).rotate_left(0) }).rotate_right(1);
        {
            let v14 = (((v11 - v11) * (v11 + v11)) / (if true { v11 } else { v11 }).powi(0));
            let v15 = ((x6[((v9 as usize).wrapping_sub((n12 as usize))) % x6.len()]).wrapping_mul(53) | (x6[i]).rotate_left(1).abs_diff(((if i > 0 { x6[i - 1] } else { 0_u64 }) >> 2)));
            let mut v16 = (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 });
        }
    }
    y7[i] |= (!(!(if i > 0 { x5[i - 1] } else { 0_i16 })).wrapping_sub(51)).max(((!y7[i]) | (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 }).wrapping_add(42)).clamp(12, 69));
    v9 >>= 3;
}

fn run_k021(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<f64>(1);
    let a3 = n.value::<u32>(2);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    let x6 = n.array::<u64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<i16, _>(6, [n.extent(1, 0)]);
    rt.submit(k021(a1, a2, a3, &x4, &x5, &x6, &mut y7)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [f32], M = [2, 5])]
fn k022<T, const M: usize>(a1: isize, a2: f32, a3: T, x4: &[f64], x5: &[u64], y6: ViewMut<'_, T, 2>, #[out(partial)] y7: &mut [Cloud], #[reduce(+)] s: &mut f32, c: &[Atomic<i64>]) {
    let i = global_id(0);
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        if ((y6[[2, i]]).powf(y6[[0, i]]) >= (y6[[(i + 1) % 3, i]]).mul_add(y6[[(i + 0) % 3, i]], y6[[0, i]])) {
            break;
        }
        if ((if (x4[((i & (a1 as usize))) % x4.len()]).is_finite() { (i & i) } else { (i as usize).div_euclid((i & 7) + 1) }) >= ({ let t9 = (a1 as i32).wrapping_add((i as i32)); ((a3) as usize) })) {
            let mut n10 = 5_u32;
            while n10 > 0 {
                n10 -= 1;
                y7[i + 2].at[((i).abs_diff(i)) % N] ^= ({ let t11 = ((a1 as i32) & (a1 as i32)).signum(); (i as i32).wrapping_mul(t11).wrapping_add(32) });
            }
        }
        let mut v12: u64 = ((x5[i] & x5[((i >> (60_u32 & 7))) % x5.len()]) % ((((a1 as u64) % (((if i + 2 < x5.len() { x5[i + 2] } else { 0_u64 }) & 7) + 1)) & 7) + 1)).rem_euclid(((if (91_i16 != 84_i16) { (x5[i]).rem_euclid((x5[i] & 7) + 1) } else { (if false { (if i + 2 < x5.len() { x5[i + 2] } else { 0_u64 }) } else { (i as u64) }) }) & 7) + 1);
    }
    if (((y6[[(i + 0) % 3, i]] / a3) as T) >= math::cos(({ let t13 = y6[[1, i]]; y6[[(i + 0) % 3, i]] }))) {
        let mut v14 = (i as i8).saturating_sub(77_i8).signum().rotate_right(4);
        let mut v15 = (-(y6[[(i + 2) % 3, i]]).fract().mul_add((i as T).abs(), (y6[[1, i]] - y6[[0, i]])));
        let v16 = (a2).trunc().round_ties_even().round_ties_even();
    }
    if true {
        return;
    }
    let mut v17: [u32; 3] = [(i as u32).wrapping_mul((if i + 2 < x5.len() { x5[i + 2] } else { 0_u64 }).trailing_zeros()), ((M).trailing_zeros() >> 5), ((if false { (i as u32) } else { (i as u32) }) | (if false { (a1 as u32) } else { (i as u32) }))];
    y6[[(i + 1) % 3, i]] = (((({ let t18 = x5[((i | i)) % x5.len()]; (9.164 as T) }) % ((if false { y6[[0, i]] } else { y6[[(i + 1) % 3, i]] }) + 0.5)) / (({ let t19 = a2; (a1 as T) }) - (a3).mul_add(y6[[0, i]], y6[[(i + 2) % 3, i]]))) % (math::atan((((i) as T) - ((22.186 as T) - a3))) + 0.5));
    y7[i + 2].cells[((i as usize).div_euclid((i & 7) + 1)) % 2].id &= (i as u32).clamp(34, 54);
    c[((i).abs_diff(M).rotate_right(0)) % c.len()].fetch_xor((if (if i > 0 { x4[i - 1] } else { 0.0_f64 }).is_finite() { ((a1 as i64) << 3) } else { (!(i as i64)) }));
    *s += (math::tanh(((i as f32) % (a2 + 0.5))) - (if (if false { false } else { true }) { math::exp((i as f32)) } else { (a2).powi(3) }));
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
    rt.submit(k022::<f32, 2>(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s, &mut c)).exec([n.extent(1, 0)])?;
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
    rt.submit(k022::<f32, 5>(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k023(a1: isize, a2: f32, x3: View<'_, f32, 2>, #[out] y4: ViewMut<'_, f32, 2>, y5: ViewMut<'_, Real, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    for n6 in (0_u64..6).rev() {
        let v7: [u32; 3] = [({ let t8 = 2_i8; 121_u32 }), ((j as u32).wrapping_add((j as u32)) & (98_u32 | 86_u32)), (((a2) as u32) >> ((j as u32) & 7))];
        let mut n9 = 4_u32;
        while n9 > 0 {
            n9 -= 1;
            let mut v10: u64 = (((55_u64 << 2) >> (((i as u32) ^ (n6 as u32)) & 7)) >> (((89_u32).wrapping_sub((n6 as u32)) >> ((68_u32 << 2) & 7)) & 7));
            v10 &= (v10 | n6).wrapping_mul((j as u64)).wrapping_sub(({ let t11 = ((v10 as i8) & (a1 as i8)); (v10).saturating_sub((i as u64)) }));
        }
    }
    {
        let mut v12 = Cloud { cells: [Cell { rho: 26.917_f64, mass: 0.999_f32, id: 21_u32 }; 2], at: [102_i32; N], mid: Cell { rho: 42.921_f64, mass: 10.617_f32, id: 4_u32 } };
    }
    y4[[j, i]] *= ((math::erf(({ let t13 = 31_i64; a2 }))).ceil() % (((math::rsqrt(y4[[j, i]]) - (y4[[j, i]] * y4[[j, i]])) % ((y4[[j, i]] / x3[[j, i]]).signum() + 0.5)) + 0.5));
    y4[[j, i]] -= ((if false { (a1 as u8) } else { 70_u8 }).abs_diff((if false { (j as u8) } else { (i as u8) })).abs_diff((((i as u8) ^ (a1 as u8)) >> 0)) as f32);
    y5[[j, i]] -= ((-(y5[[j, i]] % (far::SCALE + 0.5))).floor() / y5[[j, i]]);
    let mut v14: Cloud = far::Cloud { cells: [Cell { rho: 42.522_f64, mass: 40.3_f32, id: 25_u32 }, (if (true ^ true) { Cell { rho: 5.524_f64, mass: 40.996_f32, id: 30_u32 } } else { (if true { Cell { rho: 28.848_f64, mass: 17.675_f32, id: 125_u32 } } else { Cell { rho: 12.15_f64, mass: 35.439_f32, id: 125_u32 } }) })], at: [(i as i32), (a1 as i32), 18_i32, (a1 as i32)], mid: Cell { rho: 26.728_f64, mass: 37.251_f32, id: 81_u32 } };
}

fn run_k023(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<isize>(0);
    let a2 = n.value::<f32>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y4 = n.array::<f32, _>(3, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    rt.submit(k023(a1, a2, &x3, &mut y4, &mut y5)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k024(a1: i32, a2: Cloud, a3: u16, x4: &[f32], x5: &[u64], x6: &[f64], #[out] y7: &mut [i64], y8: ViewMut<'_, i16, 2>, y9: &mut [i8]) {
    let i = global_id(0);
    let mut v10: far::Quad = [((a3 as f32).mul_add(x4[i], (if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f32 })) * (x4[((i >> (47_u32 & 7))) % x4.len()] * (if i > 0 { x4[i - 1] } else { 0.0_f32 }))); N];
    let mut v11 = (if ((if i + 1 < x6.len() { x6[i + 1] } else { 0.0_f64 }).sqrt() >= (-(if i > 0 { x6[i - 1] } else { 0.0_f64 }))) { (x6[((i).abs_diff(i)) % x6.len()] % (x6[((if false { i } else { global_size(0) })) % x6.len()] + 0.5)).floor() } else { math::erf((far::SCALE).atan2((a3 as f64))) });
    let v12: Cloud = far::Cloud { cells: [Cell { rho: 28.734_f64, mass: 26.759_f32, id: 100_u32 }, ({ let t13 = i; a2 }).mid], at: [a1, a1, a1, a1], mid: Cell { rho: 48.374_f64, mass: 49.441_f32, id: 119_u32 } };
    v11 -= ((if i > 0 { x6[i - 1] } else { 0.0_f64 }).floor() - math::tan(x6[i])).sqrt();
    let mut v10 = (if (55_u8 <= ((a1 as u8) | (i as u8))) { (if (i > (a3 as usize)) { a3 } else { (a3).abs_diff(a3) }) } else { (if false { a3 } else { (a1 as u16) }).abs_diff((a3 & a3)) });
    y7[i] >>= 5;
    v10 |= (v10).abs_diff((a3 as u16)).wrapping_add(42).wrapping_mul((((i as u16) | v10) % ((((v10 as u8) as u16) & 7) + 1)));
    {
        {
            v10 &= (if (!(true == false)) { ((a3 % ((v10 & 7) + 1)) ^ v10) } else { (63_u16 | v10).wrapping_mul((a3).wrapping_sub((i as u16))) });
        }
    }
    y7[i] ^= ((((a1 as isize).wrapping_neg() as i64) ^ y7[i]) & (if ((x6[((i).wrapping_sub(i)) % x6.len()]).is_nan() != (!true)) { ({ let t14 = (if i + 1 < x6.len() { x6[i + 1] } else { 0.0_f64 }); 17_i64 }).rotate_left(1) } else { ({ let t15 = ((i as u32) >> ((i as u32) & 7)); (y7[i]).wrapping_add(88) }) }));
    y8[[(i + 0) % 3, i]] = y8[[(i + 0) % 3, i]].wrapping_add(((if false { x4[((i).wrapping_add(i)) % x4.len()] } else { x4[i] }) as i16).wrapping_sub((y8[[(i + 2) % 3, i]]).wrapping_add(81).wrapping_add((y8[[(i + 2) % 3, i]] >> 2))));
    y9[i + far::N] &= (y9[i + far::N] >> 3).rotate_right(3).rem_euclid((((y7[i]) as i8).saturating_sub((!y9[i + far::N])) & 7) + 1).saturating_add(((y9[i + far::N]).signum().clamp(13, 62) % (((((if i > 0 { x6[i - 1] } else { 0.0_f64 }) + (a3 as f64)) as i8) & 7) + 1)));
    v11 += (far::Cloud { cells: [Cell { rho: 32.227_f64, mass: 31.753_f32, id: 68_u32 }, far::moved(Cell { rho: 25.897_f64, mass: 35.267_f32, id: 77_u32 }, x4[i])], at: [a1, a1, a1, (i as i32)], mid: Cell { rho: 46.681_f64, mass: 8.967_f32, id: 111_u32 } }).mid.rho;
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
    rt.submit(k024(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k025(a1: far::Word, x2: &[f64], x3: &[i16], x4: &[u64], #[out] y5: &mut [i16], #[reduce(+, into)] s: &mut f64) {
    let i = global_id(0);
    let mut n6 = 3_u32;
    while n6 > 0 {
        n6 -= 1;
        if ((!y5[i]) == ((if i + 1 < x3.len() { x3[i + 1] } else { 0_i16 }) >> 0)) {
            break;
        }
        let mut v7: bool = (!(((i as isize) >> (a1 & 7)) < (a1 as isize).signum()));
        v7 &= (!((a1 as i32) > (a1 as i32)));
    }
    let mut v8: f32 = far::total([far::total([32.45_f32; N]), (i as f32).min((a1 as f32)), far::WEIGHTS[i % N], (-(i as f32))]);
    for n9 in (2..=6_usize).rev().step_by(2) {
        y5[i] ^= ({ let t10 = ((i).wrapping_mul(34) ^ (i).wrapping_add(32)); (a1 as i16).clamp(49, 91).rotate_left(0) }).rotate_right(1);
        {
            let v11 = (((v8 - v8) * (v8 + v8)) / (if true { v8 } else { v8 }).powi(0));
            let v12 = ((x4[((a1 as usize).wrapping_sub((i as usize))) % x4.len()]).wrapping_mul(53) | (x4[i]).rotate_left(1).abs_diff(((if i > 0 { x4[i - 1] } else { 0_u64 }) >> 2)));
            let mut v13 = (if i + 2 < x3.len() { x3[i + 2] } else { 0_i16 });
        }
        let mut v14: [u32; 3] = [a1, a1, (a1 as u32)];
    }
    y5[i] ^= ((((i as i64) as u8).abs_diff((118_u8 % (((i as u8) & 7) + 1))) % ((((a1 as u8).clamp(48, 76) ^ (i as u8)) & 7) + 1)) as i16);
    *s += (-(-x2[i]).powi(-1));
}

fn run_k025(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<u32>(0);
    let x2 = n.array::<f64, _>(1, [n.extent(1, 0)]);
    let x3 = n.array::<i16, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<u64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<f64>(5));
    rt.submit(k025(a1, &x2, &x3, &x4, &mut y5, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k026(a1: f32, a2: u16, a3: f64, x4: View<'_, Cell, 3>, x5: View<'_, f64, 3>, x6: &[Real], #[out] y7: ViewMut<'_, i64, 3>, y8: ViewMut<'_, i16, 3>, y9: ViewMut<'_, i8, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let v10: i32 = (((p as i32).wrapping_add((p as i32)) & (98_i32 | 86_i32)) ^ (((a1) as i32) >> ((p as u32) & 7)));
    for n11 in (2..5_u64).step_by(3) {
        for n12 in 1..6_i64 {
            if ((a2 & a2) != 50_u16) {
                continue;
            }
            let mut v13: i64 = (!(!(y7[[i, p, j]]).rotate_left(1)));
            let v14 = (({ let t15 = ((v10 as i8) & y9[[p, j, i]]); ((n11 as u8) >> ((n11 as u32) & 7)) }) / ((({ let t16 = (j).wrapping_sub(j); ((n11 as u8) | (n12 as u8)) }) & 7) + 1));
            let mut v17 = Cloud { cells: [Cell { rho: 26.917_f64, mass: 0.999_f32, id: 21_u32 }; 2], at: [102_i32; N], mid: Cell { rho: 42.921_f64, mass: 10.617_f32, id: 4_u32 } };
        }
        {
            let v10 = (((93_isize).wrapping_neg() >> ((if false { (i as u32) } else { far::TABLE[i % 8] }) & 7)) ^ (n11 as isize).wrapping_mul(53));
            if (((v10 as u8) ^ (v10 as u8)).abs_diff((27_u8).abs_diff(71_u8)) <= (({ let t18 = y8[[p, j, i]]; (t18 as i32) }) as u8)) {
                if ((!(j as i8)).max(y9[[p, j, i]]) > ((y9[[p, j, i]] & 4_i8) | (y9[[p, j, i]]).rotate_right(7))) {
                    {
                        if (({ let t19 = (!y8[[p, j, i]]); (!false) }) | (if (!true) { (n11 as f32).is_nan() } else { (a1 <= (i as f32)) })) {
                            if (!((a2).wrapping_mul(a2) < (v10 as u16).rotate_right(6))) {
                                if ((Cell { rho: 26.172_f64, mass: 31.0_f32, id: 115_u32 }).rho).powf((x6[i]).min(12.221_f64)).is_finite() {
                                    let mut v20: i32 = (p as i32).signum();
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
                let v22 = (i as u32).clamp(36, 88).wrapping_mul((p as u32).rotate_left(3)).rotate_left(5);
            }
        }
    }
    y7[[i, p, j]] %= ((y7[[i, p, j]]).rem_euclid((y7[[i, p, j]] & 7) + 1).clamp(24, 96).wrapping_sub(3) & 7) + 1;
    y8[[p, j, i]] ^= (((!(if false { y8[[p, j, i]] } else { 79_i16 })) >> (((if false { 45_u32 } else { (i as u32) }) | ((a2 as u32) % (((i as u32) & 7) + 1))) & 7)) >> 2);
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
    rt.submit(k026(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9)).exec([n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k027(a1: Cloud, a2: u16, x3: View<'_, f32, 2>, x4: View<'_, i16, 2>, x5: View<'_, i64, 2>, #[out] y6: ViewMut<'_, f64, 2>, #[out] y7: ViewMut<'_, f32, 2>, c: &[Atomic<i64>]) {
    let j = global_id(1);
    let i = global_id(0);
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        {
            if (if ((j).rotate_right(4) > (i).clamp(46, 63)) { (((y7[[j, i]]) as i8) <= (i as i8).rotate_right(7)) } else { (if i + 1 < x3.extent(1) { x3[[j, i + 1]] } else { 0.0_f32 }).is_nan() }) {
                {
                    let mut v9 = (i as u64);
                    let mut n10 = 2_u32;
                    while n10 > 0 {
                        n10 -= 1;
                        let v11 = Cloud { cells: [Cell { rho: 32.45_f64, mass: 35.186_f32, id: 22_u32 }; 2], at: [106_i32; N], mid: Cell { rho: 30.449_f64, mass: 9.43_f32, id: 102_u32 } };
                    }
                    let v9 = (if (((v9 as i32) % (((i as i32) & 7) + 1)) != (far::deep::STEPS[i % 3]).max(123_i32)) { ((a2 as i64) & (if j > 0 { x5[[j - 1, i]] } else { 0_i64 })).rem_euclid(((if false { x5[[j, i]] } else { (if i > 0 { x5[[j, i - 1]] } else { 0_i64 }) }) & 7) + 1) } else { ({ let t12 = x5[[j, ((i).wrapping_add(15)) % x5.extent(1)]]; x5[[j, ((j | j)) % x5.extent(1)]] }).rotate_right(2) });
                }
                {
                    let mut v13 = (false != (if (109_u8 <= 55_u8) { (false == false) } else { (false ^ false) }));
                }
                if ((i as u8) <= (97_u8 % (((a2 as u8) & 7) + 1)).abs_diff(({ let t14 = y6[[i, j]]; (a2 as u8) }))) {
                    let mut n15 = 2_u32;
                    while n15 > 0 {
                        n15 -= 1;
                        let mut v16 = (((y7[[j, i]]).mul_add((a2 as f32), (if i > 0 { x3[[j, i - 1]] } else { 0.0_f32 })) - (-(i as f32))) - (((if j + 2 < x3.extent(0) { x3[[j + 2, i]] } else { 0.0_f32 }) / y7[[j, i]]) % ((x3[[((if false { global_size(0) } else { (a2 as usize) })) % x3.extent(0), i]] / y7[[j, i]]) + 0.5)));
                    }
                } else {
                    let v17 = [((y6[[i, j]]).round_ties_even() as u32), ((far::TABLE[i % 8]).wrapping_sub((a2 as u32)) % (((123_u32).wrapping_mul(82_u32) & 7) + 1)), ((63_u32 | (a2 as u32)) ^ ((i as u32) >> 5))];
                }
            }
        }
    }
    y6[[i, j]] /= math::cos(((y6[[i, j]]).mul_add(y6[[i, j]], 4.612_f64) - ({ let t18 = (i as u8); y6[[i, j]] })).sqrt());
    y7[[j, i]] = y7[[j, i]];
    c[(({ let t19 = (-y6[[i, j]]); ((y6[[i, j]]) as usize) })) % c.len()].fetch_add(((if j + 2 < x5.extent(0) { x5[[j + 2, i]] } else { 0_i64 }) >> 2).rotate_right(0));
    let mut v20 = (2_usize).wrapping_add(i).wrapping_add((j).rotate_left(0)).wrapping_sub((global_size(0)).wrapping_add(8).wrapping_mul((j).rem_euclid((i & 7) + 1)));
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
    rt.submit(k027(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [f32, f64], M = [3])]
fn k028<T, const M: usize>(a1: f32, a2: bool, a3: T, x4: View<'_, Cell, 4>, x5: View<'_, i16, 3>, x6: &[Cell], #[out] y7: ViewMut<'_, u16, 4>, y8: ViewMut<'_, i8, 4>, y9: ViewMut<'_, T, 4>, #[reduce(min)] s: &mut f64) {
    let q = global_id(3);
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    *s = s.min((math::erf((q as f64)) - (if a2 { (j as f64) } else { (j as f64) })).mul_add(((j as f64) + (p as f64)).hypot(math::cos((i as f64))), (((i as u32) as f64) * (48.636_f64).fract())));
    y9[[q, p, j, i]] -= (y9[[q, p, j, i]]).floor();
    if ((!y8[[q, p, j, i]]) as f32).is_nan() {
        let v10 = ((i as T).mul_add((j as T), y9[[q, p, j, i]]) / (if true { y9[[q, p, j, i]] } else { y9[[q, p, j, i]] })).hypot(y9[[q, p, j, i]]);
        let mut v11: T = ({ let t12 = (y9[[q, p, j, i]]).powf(y9[[q, p, j, i]]).max(y9[[q, p, j, i]]); (y9[[q, p, j, i]]).hypot(y9[[q, p, j, i]]).max((if a2 { y9[[q, p, j, i]] } else { y9[[q, p, j, i]] })) });
    } else {
        for n13 in 0..M {
            let v14 = [(((i as u32) >> ((p as u32) & 7)) ^ (122_u32 % ((36_u32 & 7) + 1))), ((if (a1).is_nan() { 7 } else { (a1).to_bits() }) % (((far::TABLE[i % 8]).wrapping_add(89) & 7) + 1)), (i as u32)];
            let mut v14 = (if ({ let t15 = y9[[q, p, j, i]]; true }) { (if a2 { 20_u8 } else { (n13 as u8) }) } else { (67_u8 | 41_u8) }).abs_diff((q as u8));
        }
        let mut v16: f32 = (a1).mul_add(((a1 - a1) % ((j as f32).abs() + 0.5)), ((if false { (i as f32) } else { (i as f32) }) - ((a1) as f32)));
    }
    y7[[q, p, j, i]] = y7[[q, p, j, i]].wrapping_add((((-y9[[q, p, j, i]]) as u16) & (y7[[q, p, j, i]]).wrapping_mul(96).clamp(5, 94)));
    y8[[q, p, j, i]] <<= 3;
    y9[[q, p, j, i]] -= (y9[[q, p, j, i]] - (if (y9[[q, p, j, i]] <= y9[[q, p, j, i]]) { (y9[[q, p, j, i]]).mul_add((j as T), y9[[q, p, j, i]]) } else { (a3 - y9[[q, p, j, i]]) })).recip();
    *s = s.min(((if a2 { (i as f64) } else { (q as f64) }).round_ties_even() * math::exp2(({ let t17 = (j as u64); (q as f64) }))));
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
    rt.submit(k028::<f32, 3>(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9, &mut s)).exec([n.extent(4, 0), n.extent(4, 1), n.extent(4, 2), n.extent(4, 3)])?;
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
    rt.submit(k028::<f64, 3>(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9, &mut s)).exec([n.extent(4, 0), n.extent(4, 1), n.extent(4, 2), n.extent(4, 3)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k029(a1: f32, x2: &[f32], x3: &[u64], x4: &[f64], #[out] y5: &mut [i64], y6: ViewMut<'_, i16, 2>, y7: &mut [i8]) {
    let i = global_id(0);
    let mut v8: far::Quad = [((a1).mul_add(x2[i], (if i + 1 < x2.len() { x2[i + 1] } else { 0.0_f32 })) * (x2[((i >> (47_u32 & 7))) % x2.len()] * (if i > 0 { x2[i - 1] } else { 0.0_f32 }))); N];
    let mut v9 = (if ((if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f64 }).sqrt() >= (-(if i > 0 { x4[i - 1] } else { 0.0_f64 }))) { (x4[((i).abs_diff(i)) % x4.len()] % (x4[((if false { i } else { global_size(0) })) % x4.len()] + 0.5)).floor() } else { math::erf((far::SCALE).atan2((i as f64))) });
    let v10 = far::Cloud { cells: [Cell { rho: 28.734_f64, mass: 26.759_f32, id: 100_u32 }, ({ let t11 = i; Cloud { cells: [Cell { rho: 45.122_f64, mass: 39.348_f32, id: 78_u32 }; 2], at: [80_i32; N], mid: Cell { rho: 49.441_f64, mass: 45.451_f32, id: 100_u32 } } }).mid], at: [(i as i32), (i as i32), (i as i32), (i as i32)], mid: Cell { rho: 38.321_f64, mass: 41.706_f32, id: 76_u32 } };
    if ((-x2[i]).hypot((x2[((if false { i } else { (i as usize) })) % x2.len()]).powi(2)) > (-x2[i]).powi(3)) {
        if ({ let t12 = ({ let t13 = ((false) as usize); (x4[i]).abs() }); ((if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f64 }) / x4[((if true { i } else { i })) % x4.len()]).is_nan() }) {
            y5[i] >>= 0;
        }
    }
    let v14 = false;
    let mut v15: i64 = (!((y5[i]).wrapping_add(94) & (11_i64 % ((y5[i] & 7) + 1))));
    v8[((if (v14 ^ false) { 14_usize } else { ((if i + 1 < x4.len() { x4[i + 1] } else { 0.0_f64 }) as usize) })) % N] = (a1 - x2[i]).sqrt().mul_add(((v8)[(i) % N]).trunc(), ([x2[((v15 as usize).wrapping_add(18)) % x2.len()], x2[i], x2[i], x2[i]])[((i).abs_diff((i as usize))) % N]);
    y5[i] <<= 4;
    y6[[(i + 2) % 3, i]] &= (((10_u16) as i16).wrapping_add((if v14 { 22_i16 } else { y6[[(i + 1) % 3, i]] })).wrapping_sub((({ let t16 = v9; y6[[(i + 0) % 3, i]] }) % (((y6[[(i + 1) % 3, i]] << 6) & 7) + 1))) ^ (y6[[(i + 2) % 3, i]]).wrapping_add(y6[[1, i]]).wrapping_sub((v15 as i16).wrapping_add(y6[[(i + 2) % 3, i]])).rem_euclid(((y6[[0, i]]).wrapping_sub(5).wrapping_add((!66_i16)) & 7) + 1));
    y7[i + far::N] ^= ({ let t17 = (i).rotate_right(1).rem_euclid(((i).abs_diff(i) & 7) + 1).saturating_add((i % ((i & 7) + 1)).wrapping_mul(i)); (!(if false { (92_i8).wrapping_mul(y7[i + far::N]) } else { ((if i + 2 < x2.len() { x2[i + 2] } else { 0.0_f32 }) as i8) })) });
    v9 += (x4[(i) % x4.len()] % ((if i > 0 { x4[i - 1] } else { 0.0_f64 }) + 0.5)).min((x4[(i) % x4.len()] / x4[i])).ceil();
}

fn run_k029(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let x2 = n.array::<f32, _>(1, [n.extent(1, 0)]);
    let x3 = n.array::<u64, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<i64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i16, _>(5, [3, n.extent(1, 0)]);
    let mut y7 = n.array::<i8, _>(6, [n.extent(1, 0) + far::N]);
    rt.submit(k029(a1, &x2, &x3, &x4, &mut y5, &mut y6, &mut y7)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k030(a1: bool, a2: bool, x3: &[far::Body], x4: View<'_, i16, 2>, x5: &[u64], #[out(partial)] y6: &mut [u16]) {
    let i = global_id(0);
    let mut n7 = 3_u32;
    while n7 > 0 {
        n7 -= 1;
        {
            if (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t8 = i; (i as i8) })) } else { (((i as isize) as u32) >= ((i as u32) % (((i as u32) & 7) + 1))) }) {
                let mut n9 = 2_u32;
                loop {
                    if n9 == 0 {
                        break;
                    }
                    n9 -= 1;
                    let v10: Cell = (if ((i != (i as usize)) == ((i as u32) >= (i as u32))) { Cell { rho: math::erf((i as f64)), mass: (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32), id: (i as u32).saturating_sub(far::MASK) } } else { (Cloud { cells: [Cell { rho: 39.348_f64, mass: 24.549_f32, id: 89_u32 }; 2], at: [50_i32; N], mid: Cell { rho: 45.451_f64, mass: 0.240_f32, id: 1_u32 } }).mid });
                }
                if (a1 | ((i as f32) as f64).is_finite()) {
                    {
                        {
                            let mut v11: bool = (a2 != (55_u8 <= ((i as u8) | (i as u8))));
                        }
                        if ({ let t12 = ((x4[[1, i]] != (if i > 0 { x4[[1, i - 1]] } else { 0_i16 })) as usize); (({ let t13 = (i as i64); (if 1 + 2 < x4.extent(0) { x4[[1 + 2, i]] } else { 0_i16 }) }) == (x4[[(((t12 as usize) | t12)) % x4.extent(0), i]] / (((t12 as i16) & 7) + 1))) }) {
                            let mut v14 = (x4[[((i).clamp(48, 76)) % x4.extent(0), i]]).clamp(37, 66).wrapping_add(((x4[[1, ((i as usize)) % x4.extent(1)]]).wrapping_add(94) & (x4[[1, i]]).signum()));
                        }
                    }
                    let mut n15 = 2_u32;
                    while n15 > 0 {
                        n15 -= 1;
                        if a1 {
                            continue;
                        }
                        let mut v16 = math::log2(([44.797_f32, (i as f32), (i as f32), (i as f32)])[((i as usize).wrapping_mul(6)) % N]);
                    }
                }
            }
        }
    }
    y6[i] |= (({ let t17 = y6[i]; (if true { y6[i] } else { y6[i] }) }).clamp(26, 72) % ((({ let t18 = (i as u8).saturating_sub((i as u8)).div_euclid((((i as u8) >> (9_u32 & 7)) & 7) + 1); (if true { 121_u16 } else { y6[i] }).abs_diff((y6[i] << 6)) }) & 7) + 1));
    let mut v19 = [(114_u32 & (i as u32)).wrapping_add(88), ((i as u32) >> 0).wrapping_add(8), (14_u32).wrapping_sub(((i as u32) >> (106_u32 & 7)))];
}

fn run_k030(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<bool>(1);
    let x3 = n.array::<Cell, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i16, _>(3, [2, n.extent(1, 0)]);
    let x5 = n.array::<u64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<u16, _>(5, [n.extent(1, 0)]);
    rt.submit(k030(a1, a2, &x3, &x4, &x5, &mut y6)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k031(a1: f64, a2: i32, a3: u64, x4: &[u64], x5: View<'_, u8, 2>, #[out(partial)] y6: ViewMut<'_, Real, 2>, y7: ViewMut<'_, i8, 2>, #[reduce(min)] s: &mut f64) {
    let j = global_id(1);
    let i = global_id(0);
    *s = s.min(((if false { y6[[i, j]] } else { y6[[i, j]] }) + (if true { y6[[i, j]] } else { y6[[i, j]] })).mul_add((y6[[i, j]] + y6[[i, j]]).hypot((y6[[i, j]] + a1)), (((i) as f64) * (y6[[i, j]]).fract())));
    {
        if (((69_u16).div_euclid(((i as u16) & 7) + 1) & (j as u16).wrapping_sub(43)) != (((a3 as i8) & y7[[j, i]]) as u16)) {
            let v8 = ((if true { 39.179_f32 } else { 2.840_f32 }).max(((i as f32) / far::WEIGHTS[i % N])) < math::ln((a2 as f32)));
        } else {
            if ({ let t9 = 104_i64; false }) {
                let mut v10: f32 = ((24.534_f32).sqrt() as f32).powi(0);
            } else {
                let v11: isize = ({ let t12 = (i as i64); (!(a2 as isize)).wrapping_neg() });
                let mut n13 = 3_u32;
                loop {
                    if n13 == 0 {
                        break;
                    }
                    n13 -= 1;
                    if (if (i > (v11 as usize)) { (y6[[i, j]] < y6[[i, j]]) } else { (a1).is_nan() }) {
                        continue;
                    }
                    if (if ((20_i16 == (v11 as i16)) || (y7[[j, i]] > (a3 as i8))) { ((!false) | (true | false)) } else { false }) {
                        let mut v14 = 67_u8;
                    } else {
                        let mut v15: bool = (((i as u16) as f32).fract() >= (a2 as f32));
                    }
                }
            }
        }
    }
    y6[[i, j]] *= ((y6[[i, j]] * y6[[i, j]]).mul_add((a1).max(a1), (y6[[i, j]]).powf(12.221_f64)) / (far::scaled(y6[[i, j]])).mul_add(y6[[i, j]], ({ let t16 = a1; y6[[i, j]] }))).mul_add((far::series((y6[[i, j]]).signum(), (123_u32).wrapping_mul(82_u32))).trunc(), (y6[[i, j]] - (if false { y6[[i, j]] } else { y6[[i, j]] })).recip());
    y7[[j, i]] = y7[[j, i]].wrapping_add(({ let t17 = (if false { y7[[j, i]] } else { (a3 as i8) }).rotate_left(6); (a2 as i8).wrapping_neg().wrapping_sub((a3 as i8).wrapping_mul(t17)) }));
    *s = s.min((-math::atan(a1)).powi(3));
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
    rt.submit(k031(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k032(a1: bool, a2: i32, a3: u64, x4: &[u64], x5: &[Cloud], #[out(partial)] y6: &mut [Real], y7: &mut [i8], c: &[Atomic<u32>]) {
    let i = global_id(0);
    let v8: [u32; 3] = [((a2 as u32).wrapping_add((a2 as u32)) & (98_u32 | 86_u32)), (((a2 as f32) as u32) >> ((a2 as u32) & 7)), (if true { (a3 as u32) } else { (a2 as u32) }).clamp(40, 94)];
    for n9 in (0..3_u16).step_by(1) {
        let v8 = (!((n9 as isize).rotate_left(5) >> ((i as u32).rotate_right(3) & 7)));
    }
    let mut n10 = 3_u32;
    while n10 > 0 {
        n10 -= 1;
        let v11 = ((y6[i]).hypot(y6[i]).mul_add((if a1 { (a2 as f64) } else { (a3 as f64) }), far::scaled(y6[i])) < (y6[i]).powf(y6[i]).max(far::scaled((i as f64))));
        if (a1 | ((a3 as f32) as f64).is_finite()) {
            {
                {
                    let mut v11: bool = ((if ({ let t12 = far::deep::STEPS[i % 3]; false }) { (a3 as f32).recip() } else { math::atan((i as f32)) }) == (15.419_f32).sqrt().round());
                }
                if ((i as u8).clamp(27, 51).wrapping_mul(12) > ((i as u8) & (i as u8)).wrapping_add(1)) {
                    if (y6[i] % (far::SCALE + 0.5)).mul_add(math::atan(far::SCALE), (y6[i] - y6[i])).is_finite() {
                        {
                            let mut v13: f32 = (((if false { 37.366_f32 } else { (i as f32) }) - ((a3 as u16) as f32)) * (i as f32));
                        }
                    } else {
                        let mut v14 = (11_usize | i).wrapping_mul((i).wrapping_sub((i as usize))).wrapping_add(i);
                    }
                } else {
                    let mut v15 = ((if a1 { 127_u16 } else { (i as u16) }).clamp(22, 81) / ((((a2 as u16).wrapping_mul((a2 as u16)) >> (far::MASK & 7)) & 7) + 1));
                }
            }
        } else {
            let mut v16: u64 = ({ let t17 = (47.409_f64 - y6[i]); (x4[i] << 6) }).rotate_left(3);
        }
    }
    y6[i] *= (y6[i]).max(((y6[i]).powi(2).mul_add((y6[i] * 7.529_f64), math::atan((a3 as f64))) * (y6[i] - y6[i]).mul_add((if a1 { y6[i] } else { 36.688_f64 }), (y6[i]).fract())));
    y7[i + far::N] |= (!(y7[i + far::N] >> 2).wrapping_neg()).rem_euclid((122_i8 & 7) + 1);
    c[(({ let t18 = (!y7[i + far::N]); (i % ((i & 7) + 1)) })) % c.len()].fetch_max((a3 as u32));
    let v19 = (if i + 1 < x4.len() { x4[i + 1] } else { 0_u64 }).clamp(33, 97).rotate_right(7).wrapping_mul(((if i > 0 { x4[i - 1] } else { 0_u64 }) >> ((a3 as u32) & 7)).wrapping_add((if i + 2 < x4.len() { x4[i + 2] } else { 0_u64 })));
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
    rt.submit(k032(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k033(a1: f32, a2: i8, x3: View<'_, i16, 2>, y4: ViewMut<'_, Cell, 2>) {
    let i = global_id(0);
    let mut n5 = 5_u32;
    while n5 > 0 {
        n5 -= 1;
        if (((94_isize <= (i as isize)) != (a1 > a1)) ^ (((a2 as i32) >= (a2 as i32)) != (i != (a2 as usize)))) {
            if (!(((i as i32) | (i as i32)) > (!(i as i32)))) {
                let v6 = (if ((i != (a2 as usize)) == ((i as u32) >= (i as u32))) { Cell { rho: math::erf((a2 as f64)), mass: (a1).mul_add((a2 as f32), a1), id: (a2 as u32).wrapping_sub((a2 as u32)) } } else { ({ let t7 = (i).wrapping_sub(i); y4[[(i + 2) % 3, i]] }) });
            } else {
                for n8 in 0..6_u16 {
                    let mut v9 = ((a2 as f32).sqrt() as f32).powi(-1);
                }
            }
            let v10 = (if false { (if (109_u8 <= 55_u8) { ((i as i64) | (a2 as i64)) } else { (if false { (i as i64) } else { 58_i64 }) }) } else { (i as i64).signum().signum() });
            let mut v11: f32 = ({ let t12 = (a2 as f64); a1 }).powi(3).abs();
        }
    }
    let mut v13 = (far::Cloud { cells: [Cell { rho: 20.819_f64, mass: 49.80_f32, id: 41_u32 }, Cell { rho: 3.490_f64, mass: 25.312_f32, id: 47_u32 }], at: [(a2 as i32), (a2 as i32), (i as i32), (a2 as i32)], mid: y4[[(i + 1) % 3, i]] }).mid;
    y4[[(i + 1) % 3, i]] = Cell { rho: 11.842_f64, mass: 22.390_f32, id: 107_u32 };
    v13.rho = ((48.67_f64).mul_add((a2 as f64), 6.948_f64) * math::ln((i as f64))).signum();
}

fn run_k033(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f32>(0);
    let a2 = n.value::<i8>(1);
    let x3 = n.array::<i16, _>(2, [2, n.extent(1, 0)]);
    let mut y4 = n.array::<Cell, _>(3, [3, n.extent(1, 0)]);
    rt.submit(k033(a1, a2, &x3, &mut y4)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [u8, u32], M = [4])]
fn k034<T, const M: usize>(a1: i8, a2: T, x3: &[i64], #[out(partial)] y4: &mut [Cloud], y5: &mut [far::Real], #[reduce(^)] s: &mut u32) {
    let i = global_id(0);
    let v6 = (if i > 0 { x3[i - 1] } else { 0_i64 }).clamp(46, 63).wrapping_add(84).wrapping_neg();
    let v7: i32 = (if true { (a2 as i32) } else { (a2 as i32) }).clamp(40, 94).wrapping_sub((((a2) as i32) >> ((a2 as u32) & 7)));
    let mut v8 = ((((v7 as u16) >> ((a2 as u32) & 7)) ^ ((v6 as u16) >> ((v6 as u32) & 7))) & (((v6 as u32) as u16) >> ((if false { (i as u32) } else { 55_u32 }) & 7)));
    v8 ^= ((v8 & v8).rem_euclid((({ let t9 = a2; v8 }) & 7) + 1) & ((v8 % ((v8 & 7) + 1)) | (if true { (v8 as u16) } else { v8 })));
    if (((i as u64) as T) as f64).is_finite() {
        v8 >>= 5;
        for n10 in 0..M {
            if ({ let t11 = a2; (!false) }) {
                break;
            }
            for n12 in 0..6_u16 {
                v8 %= (({ let t13 = (a1).signum(); (n12 ^ n12) }) & 7) + 1;
                v8 |= (((a2) as u16) >> 2);
            }
            let mut v14 = ((((v7 as T) / ((a2 & 7) + 1)) ^ (a1 as T)) >> 0);
        }
    }
    {
        v8 >>= 1;
    }
    y4[i + 2].at[((v8 as usize)) % N] ^= ((if false { v7 } else { (a1 as i32) }).signum() | (v7).rem_euclid((v7 & 7) + 1).signum());
    y5[i] /= ((-y5[i]).powi(3) - (-(Cell { rho: 26.996_f64, mass: 24.690_f32, id: 80_u32 }).rho)).powi(-1);
    *s ^= ((21_u32).wrapping_mul(6) | (87_u32 & far::MASK)).wrapping_add(18);
}

fn run_k034_u8__4(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let a2 = n.value::<u8>(1);
    let x3 = n.array::<i64, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<Cloud, _>(3, [n.extent(1, 0) + 2]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut s = Var::new(n.value::<u32>(5));
    rt.submit(k034::<u8, 4>(a1, a2, &x3, &mut y4, &mut y5, &mut s)).exec([n.extent(1, 0)])?;
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
    rt.submit(k034::<u32, 4>(a1, a2, &x3, &mut y4, &mut y5, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k035(a1: i8, a2: f64, a3: Cloud, x4: View<'_, u64, 3>, x5: View<'_, i16, 3>, y6: ViewMut<'_, far::Real, 3>, y7: ViewMut<'_, i8, 3>) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let v8: i32 = (((p as i32).wrapping_add((p as i32)) & (98_i32 | 86_i32)) ^ (((j as f32) as i32) >> ((p as u32) & 7)));
    for n9 in (2..5_u64).step_by(3) {
        for n10 in 1..6_i64 {
            if (((p as u16) & (v8 as u16)) != 22_u16) {
                break;
            }
            let mut v11 = ((y7[[p, j, i]]).rotate_left(1) & (if false { y7[[p, j, i]] } else { a1 })).rotate_left(0);
            let mut v12 = (if (!((if p > 0 { x4[[p - 1, j, i]] } else { 0_u64 }) < x4[[p, j, i]])) { [math::ln((p as f32)); N] } else { [math::tan((a1 as f32)), (6.387_f32 / (i as f32)), ((v11 as f32) * 10.617_f32), (24.534_f32).sqrt()] });
        }
        let v8 = (n9 as i64).wrapping_add(33);
        let v13: f64 = ((({ let t14 = y6[[p, j, i]]; y6[[p, j, i]] }) / (p as f64).signum()) + (y6[[p, j, i]] / a2).powi(3));
    }
    let mut v15 = (if ((x5[[p, j, i]] == (if i + 2 < x5.extent(2) { x5[[p, j, i + 2]] } else { 0_i16 })) || (a2).is_finite()) { math::atan(((i as f32) / 38.892_f32)) } else { ((i as isize) as f32).signum() });
    let mut n16 = 5_u32;
    while n16 > 0 {
        n16 -= 1;
        {
            {
                let mut n17 = 3_u32;
                while n17 > 0 {
                    n17 -= 1;
                    if (!(!(y7[[p, j, i]] == y7[[p, j, i]]))) {
                        v15 -= math::ln(((v15).powi(3) - (14.142_f32).recip()));
                    } else {
                        v15 = (((v15 % ((i as f32) + 0.5)) + (if false { v15 } else { v15 })) % ((math::cos((a1 as f32))).max((v15 - v15)) + 0.5));
                    }
                }
            }
        }
    }
    y6[[p, j, i]] = (((((i as f32) as f64) % ((y6[[p, j, i]] % (y6[[p, j, i]] + 0.5)) + 0.5)) * ((y6[[p, j, i]]).abs() % (({ let t18 = (v8 as i8); y6[[p, j, i]] }) + 0.5))) - ((a2).sqrt() - y6[[p, j, i]]).mul_add((a2).trunc().powf((if true { a2 } else { (p as f64) })), (y6[[p, j, i]]).mul_add((y6[[p, j, i]] * far::SCALE), (5.481_f64 % (y6[[p, j, i]] + 0.5)))));
    y7[[p, j, i]] = y7[[p, j, i]].wrapping_add(y7[[p, j, i]]);
    v15 *= math::tanh((((v15) as f32) + (v15 / v15)));
}

fn run_k035(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i8>(0);
    let a2 = n.value::<f64>(1);
    let a3 = n.value::<Cloud>(2);
    let x4 = n.array::<u64, _>(3, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let x5 = n.array::<i16, _>(4, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y6 = n.array::<f64, _>(5, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    let mut y7 = n.array::<i8, _>(6, [n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]);
    rt.submit(k035(a1, a2, a3, &x4, &x5, &mut y6, &mut y7)).exec([n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k036(a1: i16, x2: &[i64], #[out(partial)] y3: &mut [Cloud], #[out(partial)] y4: &mut [Real], #[scratch(x2.len())] t5: &mut [i8]) {
    let i = global_id(0);
    let v6 = (i as isize).clamp(46, 63).wrapping_add(84).clamp(29, 68);
    y4[i] += ((math::rsqrt(y4[i])).floor().trunc() * ((math::erf(y4[i]) - (y4[i] - y4[i])) + (a1 as f64).ceil().powi(-1)));
    let mut n7 = 2_u32;
    while n7 > 0 {
        n7 -= 1;
        if ((i != (v6 as usize)) == ((v6 as u32) >= (a1 as u32))) {
            continue;
        }
        let v8 = (({ let t9 = ((i as i8) & t5[i]); ((a1 as u8) >> ((a1 as u32) & 7)) }) / ((({ let t10 = (i).wrapping_sub(i); ((i as u8) | (a1 as u8)) }) & 7) + 1));
        let mut v11: Cloud = y3[i + 2];
    }
    let mut v6 = (({ let t12 = x2[i]; (a1 as i32) }).wrapping_mul((v6 as i32).rotate_right(2)) as i32);
    for n13 in (0_u64..3).rev() {
        let mut v14 = ({ let t15 = ({ let t16 = ((false) as usize); (y4[i]).abs() }); ((n13 as f32) / 1.183_f32).min((if true { (v6 as f32) } else { (n13 as f32) })) });
        v14 = ((v14 - v14) - (v14 + v14)).round();
    }
    v6 = ((!(v6 as i32)) | ((a1 as i32) | v6)).saturating_sub((!(v6 >> ((v6 as u32) & 7))));
    if true {
        for n17 in 0..6_u64 {
            if (((n17 as f32) / far::WEIGHTS[i % N]) <= (v6 as f32).sqrt()) {
                break;
            }
            v6 = ({ let t18 = (v6 as u16); (v6 as i32) }).clamp(40, 81).wrapping_neg();
        }
    }
    y3[i + 2].mid = Cell { rho: 11.599_f64, mass: 28.414_f32, id: 14_u32 };
    y4[i] *= ((y4[i]).mul_add(43.469_f64, y4[i]).mul_add((-12.221_f64), (y4[i] * y4[i])) - ({ let t19 = (i as f32); (y4[i] % (47.409_f64 + 0.5)) })).powi(2);
    t5[i] <<= 3;
    v6 = ((if true { v6 } else { (v6 as i32) }).wrapping_add(36) >> 0);
}

fn run_k036(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i16>(0);
    let x2 = n.array::<i64, _>(1, [n.extent(1, 0)]);
    let mut y3 = n.array::<Cloud, _>(2, [n.extent(1, 0) + 2]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    rt.submit(k036(a1, &x2, &mut y3, &mut y4)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k037(a1: u64, a2: Cloud, a3: Cloud, x4: &[u64], x5: &[i64], y6: ViewMut<'_, i16, 2>, #[reduce(^)] s: &mut u32, c: &[Atomic<i64>]) {
    let i = global_id(0);
    let v7: i32 = (((i as i32).wrapping_add((i as i32)) & (98_i32 | 86_i32)) ^ (((a1 as f32) as i32) >> ((i as u32) & 7)));
    for n8 in (2..5_u64).step_by(3) {
        for n9 in 1..6_i64 {
            if (((n9 as u16) & (v7 as u16)) != 22_u16) {
                break;
            }
            let mut v10 = ((121_i8).rotate_left(7) & ((v7 as i8) as i8)).rotate_left(7);
            let v7 = [math::tanh(([14.836_f32; N])[(i) % N]), (if ((v10 as u16) <= 125_u16) { ((v10) as f32) } else { math::tanh(15.251_f32) }), (((a1 as f32) - (n9 as f32)) * ((v7 as f32) + (i as f32))), (if true { (n8 as f32) } else { (n9 as f32) }).powi(0)];
        }
        let v11 = ((x4[((a1 as usize).wrapping_sub((n8 as usize))) % x4.len()]).wrapping_mul(53) | (x4[i]).rotate_left(1).abs_diff(((if i > 0 { x4[i - 1] } else { 0_u64 }) >> 2)));
        let mut v12: i16 = y6[[(i + 1) % 3, i]];
    }
    if (((i as f64) / (i as f64)) - (-(a1 as f64))).is_nan() {
        if (!(((i as f64) / (a1 as f64)) >= (if false { (i as f64) } else { 44.231_f64 }))) {
            if (if (!(true == false)) { (((v7 as u8) << 4) <= (a1 as u8)) } else { ((v7).wrapping_mul(v7) > (11_i32 | v7)) }) {
                let mut v13: [f32; N] = [(18.347_f32 * (a1 as f32)).mul_add((v7 as f32).max((a1 as f32)), (i as f32).powf(12.221_f32)), math::exp2(({ let t14 = (v7 as f64); 45.650_f32 })), ({ let t15 = (47.409_f64 - (v7 as f64)); (13.636_f32).mul_add((i as f32), (i as f32)) }), (if (v7 == v7) { ((i as f32) * far::WEIGHTS[i % N]) } else { (48.205_f32 % ((a1 as f32) + 0.5)) })];
            }
        } else {
            let v16: isize = ((far::scaled((if false { (a1 as f64) } else { (i as f64) }))) as isize);
        }
    } else {
        let mut v7 = (if false { ((i as isize).signum() >> 3) } else { ((x5[(((a1 as usize) % ((i & 7) + 1))) % x5.len()]).max((if i + 2 < x5.len() { x5[i + 2] } else { 0_i64 })) as isize) });
    }
    y6[[(i + 2) % 3, i]] = (if ((48.580_f32) as f64).is_nan() { (!(a1 as i16)).clamp(46, 72) } else { (y6[[(i + 1) % 3, i]]).wrapping_sub(y6[[0, i]]).saturating_sub((i as i16).saturating_sub(14_i16)) }).wrapping_mul((((i as i16) & y6[[2, i]]) >> 3).wrapping_add(y6[[0, i]]));
    c[((i).wrapping_sub(i).wrapping_sub(((35.183_f32) as usize))) % c.len()].fetch_max((if (if true { false } else { false }) { ((if i + 2 < x5.len() { x5[i + 2] } else { 0_i64 }) >> (51_u32 & 7)) } else { (x5[i] / ((x5[((i ^ (a1 as usize))) % x5.len()] & 7) + 1)) }));
    *s ^= ((44_u32).clamp(1, 93).rotate_left(7) / ((far::MASK & 7) + 1));
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
    rt.submit(k037(a1, a2, a3, &x4, &x5, &mut y6, &mut s, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k038(a1: f64, a2: Cloud, a3: Cloud, x4: View<'_, far::Body, 2>, #[out] y5: &mut [i16]) {
    let i = global_id(0);
    let mut v6 = (((i as i64).wrapping_neg() == ((i as i64) | (i as i64))) as usize);
    let mut v7: i8 = ((({ let t8 = v6; t8 }) as f32) as i8);
    v6 %= ((if true { v6 } else { v6 }).clamp(40, 94) & 7) + 1;
    let v9: f32 = far::total([far::total([32.45_f32; N]), (v7 as f32).min((i as f32)), far::WEIGHTS[i % N], (-(v7 as f32))]);
    for n10 in (2..=6_usize).rev().step_by(2) {
        y5[i] ^= ({ let t11 = ((n10).wrapping_mul(34) ^ (n10).wrapping_add(32)); (i as i16).clamp(49, 91).rotate_left(0) }).rotate_right(1);
        {
            let v12 = (((v9 - v9) * (v9 + v9)) / (if true { v9 } else { v9 }).powi(0));
            let v13: u64 = ((n10 as u64).wrapping_mul(53) | (n10 as u64).abs_diff((i as u64)).wrapping_add(89));
            let mut v14 = (if (({ let t15 = (i as i64); y5[i] }) == ({ let t16 = y5[i]; t16 })) { [(far::TABLE[i % 8] | (v6 as u32)), (v6 as i64).trailing_zeros(), 4_u32] } else { [((v13 as u32) % (((v13 as u32) & 7) + 1)), 67_u32, (v6 as u32).clamp(3, 79)] });
        }
    }
    y5[i] &= ((!y5[i]).rem_euclid((((i as i16) % ((y5[i] & 7) + 1)) & 7) + 1).clamp(6, 98) >> ((v6 as u32) & 7));
    v7 >>= 6;
}

fn run_k038(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<f64>(0);
    let a2 = n.value::<Cloud>(1);
    let a3 = n.value::<Cloud>(2);
    let x4 = n.array::<Cell, _>(3, [2, n.extent(1, 0)]);
    let mut y5 = n.array::<i16, _>(4, [n.extent(1, 0)]);
    rt.submit(k038(a1, a2, a3, &x4, &mut y5)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k039(a1: i16, x2: View<'_, u64, 2>, x3: View<'_, i16, 2>, y4: ViewMut<'_, far::Real, 2>, y5: ViewMut<'_, i8, 2>) {
    let j = global_id(1);
    let i = global_id(0);
    let v6: i32 = (((a1 as i32).wrapping_add((a1 as i32)) & (98_i32 | 86_i32)) ^ (((a1 as f32) as i32) >> ((a1 as u32) & 7)));
    for n7 in (2..5_u64).step_by(3) {
        for n8 in 1..6_i64 {
            if (((a1 as u16) & (n7 as u16)) != 22_u16) {
                break;
            }
            let mut v9 = ((y5[[j, i]]).rotate_left(1) & (if false { y5[[j, i]] } else { (a1 as i8) })).rotate_left(0);
            let mut v10 = (if (!((if j > 0 { x2[[j - 1, i]] } else { 0_u64 }) < x2[[j, i]])) { [math::ln((v6 as f32)); N] } else { [math::tan((j as f32)), (6.387_f32 / (v9 as f32)), ((n8 as f32) * 10.617_f32), (24.534_f32).sqrt()] });
        }
        let v6 = (v6 as i64).wrapping_add(33);
        let v11 = ((({ let t12 = y4[[i, j]]; y4[[i, j]] }) / (far::SCALE).signum()) + (y4[[i, j]] / (a1 as f64)).max((j as f64).abs()));
    }
    {
        let mut v6: i32 = ((((j as i32) | v6) & (v6 as i32).signum()) / (((!(!(i as i32))) & 7) + 1));
        if (!((y4[[i, j]] / y4[[i, j]]) >= (if false { y4[[i, j]] } else { (j as f64) }))) {
            let mut v13 = (if (!(true == false)) { ((a1 % (((if i + 2 < x3.extent(1) { x3[[j, i + 2]] } else { 0_i16 }) & 7) + 1)) ^ (i as i16).clamp(5, 94)) } else { (v6 as i16).rotate_right(6).wrapping_sub((if j > 0 { x3[[j - 1, i]] } else { 0_i16 }).wrapping_neg()) });
        }
        let mut n14 = 3_u32;
        while n14 > 0 {
            n14 -= 1;
            let mut v6: bool = (!(v6 as f32).min(36.454_f32).is_finite());
            v6 |= (if (j as f32).is_nan() { (i != j) } else { ((if i + 2 < x2.extent(1) { x2[[j, i + 2]] } else { 0_u64 }) <= 21_u64) });
        }
    }
    y4[[i, j]] = (math::log10((a1 as f64).trunc().powf((if true { (a1 as f64) } else { 26.265_f64 })))).powi(-1);
    y5[[j, i]] %= (((j as i8).wrapping_add(y5[[j, i]]) >> 0).wrapping_add(8) & 7) + 1;
    let mut v15: [u32; 3] = [((y4[[i, j]]) as u32).clamp(15, 78), (j as u32).rotate_right(1), (if (if true { true } else { true }) { ((j as u32) >> (far::TABLE[i % 8] & 7)) } else { (j as u32) })];
}

fn run_k039(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<i16>(0);
    let x2 = n.array::<u64, _>(1, [n.extent(2, 1), n.extent(2, 0)]);
    let x3 = n.array::<i16, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(2, 0), n.extent(2, 1)]);
    let mut y5 = n.array::<i8, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    rt.submit(k039(a1, &x2, &x3, &mut y4, &mut y5)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [i16, i64], M = [3])]
fn k040<T, const M: usize>(a1: Cloud, a2: T, x3: View<'_, T, 2>, x4: &[Cloud], y5: &mut [far::Real], #[out(partial)] y6: ViewMut<'_, i8, 2>, #[scratch(x4.len())] t7: &mut [i64], #[reduce(max)] s: &mut i64) {
    let i = global_id(0);
    if ((if 1 > 0 { x3[[1 - 1, i]] } else { (0 as T) }).wrapping_neg().clamp(46, 63) > (a2).wrapping_sub(x3[[1, i]]).rotate_left(3)) {
        for n8 in (2_u64..3).rev() {
            if ({ let t9 = (i as isize); (n8 as f32) }).is_nan() {
                continue;
            }
            if (-far::series(45.435_f64, 89_u32)).is_nan() {
                *s = s.max(((if false { t7[i] } else { t7[i] }).clamp(13, 92) ^ ((t7[i]).wrapping_neg() % (((t7[i]).max(t7[i]) & 7) + 1))));
                let mut n10 = 2_u32;
                while n10 > 0 {
                    n10 -= 1;
                    let mut v11: u64 = ((n8 >> ((i as u32) & 7)).div_euclid(((i as u64) & 7) + 1) | (i as u64).wrapping_mul((if true { (n8 as u64) } else { n8 })));
                    if true {
                        v11 = v11;
                        v11 = (v11).wrapping_add(33);
                    }
                }
                let v12 = (n8).wrapping_mul(53);
            } else {
                if ((i >> (far::TABLE[i % 8] & 7)).min((n8 as usize).abs_diff(i)) == i) {
                    let mut v13: T = (x3[[1, i]]).max((if i > 0 { x3[[1, i - 1]] } else { (0 as T) })).rem_euclid(((if 1 + 1 < x3.extent(0) { x3[[1 + 1, i]] } else { (0 as T) }) & 7) + 1).div_euclid(((x3[[1, ((i as usize)) % x3.extent(1)]] | (if i + 2 < x3.extent(1) { x3[[1, i + 2]] } else { (0 as T) })).clamp(12, 69) & 7) + 1);
                }
            }
        }
    }
    y5[i] = ((math::log2((Cell { rho: 26.996_f64, mass: 24.690_f32, id: 80_u32 }).rho)).mul_add(((math::ln((a2 as f32))) as f64), (((if 1 > 0 { x3[[1 - 1, i]] } else { (0 as T) }) & (if i + 2 < x3.extent(1) { x3[[1, i + 2]] } else { (0 as T) })) as f64)) * ((if i > 0 { x4[i - 1] } else { x4[i] }).mid).rho);
    y6[[(i + 2) % 3, i]] = y6[[(i + 2) % 3, i]].wrapping_add((!(y6[[(i + 2) % 3, i]]).rem_euclid((y6[[(i + 0) % 3, i]] & 7) + 1)).wrapping_sub((((a2 as i8) % ((y6[[(i + 2) % 3, i]] & 7) + 1)) ^ (6_i8).wrapping_sub(y6[[(i + 2) % 3, i]]))));
    t7[i] |= (({ let t15 = math::cos((i as f32)); (t7[i]).wrapping_add(36) }).wrapping_mul(({ let t14 = i; 17_i64 }).rotate_left(1)) / (((((a2 as i64).div_euclid((t7[i] & 7) + 1) >> 0) & ((i as i64).wrapping_add(t7[i]) & (a2 as i64).wrapping_add(t7[i]))) & 7) + 1));
    *s = s.max(((i as u16).rotate_right(1) as i64));
}

fn run_k040_i16__3(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<i16>(1);
    let x3 = n.array::<i16, _>(2, [2, n.extent(1, 0)]);
    let x4 = n.array::<Cloud, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<f64, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i8, _>(5, [3, n.extent(1, 0)]);
    let mut s = Var::new(n.value::<i64>(7));
    rt.submit(k040::<i16, 3>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut s)).exec([n.extent(1, 0)])?;
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
    rt.submit(k040::<i64, 3>(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut s)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k041(a1: Cloud, a2: Cloud, x3: View<'_, far::Body, 2>, #[out] y4: &mut [i16]) {
    let i = global_id(0);
    let mut v5 = (((i as i64).wrapping_neg() == ((i as i64) | (i as i64))) as usize);
    let mut v6: i8 = ((({ let t7 = v5; t7 }) as f32) as i8);
    v5 %= ((if true { v5 } else { v5 }).clamp(40, 94) & 7) + 1;
    let v8: f32 = far::total([far::total([32.45_f32; N]), (v6 as f32).min((i as f32)), far::WEIGHTS[i % N], (-(v6 as f32))]);
    for n9 in (2..=6_usize).rev().step_by(2) {
        y4[i] ^= ({ let t10 = ((n9).wrapping_mul(34) ^ (n9).wrapping_add(32)); (i as i16).clamp(49, 91).rotate_left(0) }).rotate_right(1);
        {
            let v11 = (((v8 - v8) * (v8 + v8)) / (if true { v8 } else { v8 }).powi(0));
            let v12: u64 = ((n9 as u64).wrapping_mul(53) | (n9 as u64).abs_diff((i as u64)).wrapping_add(89));
            let mut v13 = (if (({ let t14 = (i as i64); y4[i] }) == ({ let t15 = y4[i]; t15 })) { [(far::TABLE[i % 8] | (v5 as u32)), (v5 as i64).trailing_zeros(), 4_u32] } else { [((v12 as u32) % (((v12 as u32) & 7) + 1)), 67_u32, (v5 as u32).clamp(3, 79)] });
        }
    }
    y4[i] &= ((!y4[i]).rem_euclid((((i as i16) % ((y4[i] & 7) + 1)) & 7) + 1).clamp(6, 98) >> ((v5 as u32) & 7));
    v6 >>= 6;
}

fn run_k041(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<Cloud>(1);
    let x3 = n.array::<Cell, _>(2, [2, n.extent(1, 0)]);
    let mut y4 = n.array::<i16, _>(3, [n.extent(1, 0)]);
    rt.submit(k041(a1, a2, &x3, &mut y4)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k042(a1: Cloud, a2: bool, x3: &[u8], #[out(partial)] y4: &mut [Real], y5: &mut [i8], c: &[Atomic<u32>]) {
    let i = global_id(0);
    let v6: [u32; 3] = [((i as u32).wrapping_add((i as u32)) & (98_u32 | 86_u32)), (((i as f32) as u32) >> ((i as u32) & 7)), (if true { (i as u32) } else { (i as u32) }).clamp(40, 94)];
    for n7 in (0..3_u16).step_by(1) {
        let v6 = (!((n7 as isize).rotate_left(5) >> ((i as u32).rotate_right(3) & 7)));
    }
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        let v9 = ((y4[i]).hypot(y4[i]).mul_add((if a2 { (i as f64) } else { (i as f64) }), far::scaled(y4[i])) < (y4[i]).powf(y4[i]).max(far::scaled((i as f64))));
        if (a2 | ((i as f32) as f64).is_finite()) {
            {
                {
                    let mut v9: bool = ((if ({ let t10 = 103_i32; false }) { (i as f32).recip() } else { math::atan((i as f32)) }) == (15.419_f32).sqrt().round());
                }
                if ((i as u8).clamp(27, 51).wrapping_mul(12) > ((i as u8) & (if i + 2 < x3.len() { x3[i + 2] } else { 0_u8 })).wrapping_add(1)) {
                    let mut v11: [u32; 3] = [(i as u32), (i as u32), 94_u32];
                    if (!((y4[i] / y4[i]) >= (if v9 { far::SCALE } else { (i as f64) }))) {
                        if ((!(a2 == false)) || (!a2)) {
                            v11[((i as usize).clamp(5, 94).abs_diff((i).wrapping_sub((i as usize)))) % 3] |= ((87_u32).wrapping_sub((i as u32)).wrapping_mul(6) | ((if ((i as f32)).is_nan() { 7 } else { ((i as f32)).to_bits() }) >> ((16_u32 | 21_u32) & 7)));
                        } else {
                            v11[((if (i as f32).is_nan() { (i).saturating_sub((i as usize)) } else { (i >> ((i as u32) & 7)) })) % 3] |= ({ let t12 = (if v9 { 22_i8 } else { y5[i + far::N] }).rotate_left(3); (if a2 { (i as u32) } else { (i as u32) }).wrapping_add(36) });
                        }
                    }
                } else {
                    let mut v6 = ((x3[i]).rotate_left(2).wrapping_add((if i > 0 { x3[i - 1] } else { 0_u8 }).rotate_left(3)) >> 0);
                }
            }
        } else {
            let mut v9 = (a1).cells[((i as usize).rem_euclid((i & 7) + 1).clamp(24, 96)) % 2];
        }
    }
    y4[i] = (far::scaled(math::rsqrt((y4[i] - y4[i])))).min((((y4[i] - (i as f64)) + (y4[i]).trunc()) - ((-y4[i]) % (math::atan(y4[i]) + 0.5))));
    y5[i + far::N] %= ((y5[i + far::N] >> ((if (17.605_f32).is_nan() { 7 } else { (17.605_f32).to_bits() }).rotate_left(6) & 7)) & 7) + 1;
    c[((i as usize)) % c.len()].fetch_max((i as u32));
    let mut v13 = ((i as f32).powi(3) * (if a2 { 9.92_f32 } else { 49.230_f32 })).abs();
}

fn run_k042(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let a2 = n.value::<bool>(1);
    let x3 = n.array::<u8, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(1, 0)]);
    let mut y5 = n.array::<i8, _>(4, [n.extent(1, 0) + far::N]);
    let mut c = n.array::<u32, _>(5, [n.extent(1, 0)]);
    rt.submit(k042(a1, a2, &x3, &mut y4, &mut y5, &mut c)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k043(a1: bool, a2: far::Body, x3: View<'_, i16, 2>, y4: ViewMut<'_, far::Real, 2>, y5: ViewMut<'_, i8, 2>, #[reduce(min)] s: &mut f64) {
    let j = global_id(1);
    let i = global_id(0);
    *s = s.min(((if a1 { (j as f64) } else { y4[[i, j]] }) + (y4[[i, j]] - y4[[i, j]])).mul_add((y4[[i, j]] + y4[[i, j]]).hypot((y4[[i, j]] + (i as f64))), (((i) as f64) * (y4[[i, j]]).fract())));
    let mut v6: f32 = far::total([far::total([32.45_f32; N]), (i as f32).min((j as f32)), far::WEIGHTS[i % N], (-(i as f32))]);
    for n7 in (2..=6_usize).rev().step_by(2) {
        y5[[j, i]] ^= ({ let t8 = ((n7).wrapping_mul(34) ^ (n7).wrapping_add(32)); (j as i8).clamp(49, 91).rotate_left(0) }).rotate_right(1);
        {
            let v9 = (((v6 - v6) * (v6 + v6)) / (if a1 { v6 } else { v6 }).powi(0));
            if false {
                let mut v10 = (if (n7 > (i as usize)) { (v9).powi(0) } else { ((i as u8) as f32) }).hypot((({ let t11 = y4[[i, j]]; v9 }) - (v9 / v6)));
            } else {
                let mut v12: [u32; 3] = [(n7 as u32), (n7 as u32), 94_u32];
            }
        }
    }
    y4[[i, j]] = (((if false { 78_isize } else { (j as isize) }).signum() >> (far::MASK & 7)) as f64);
    y5[[j, i]] |= ((y5[[j, i]] ^ y5[[j, i]]).saturating_sub((y5[[j, i]]).wrapping_sub((i as i8))).clamp(48, 76) ^ (if true { y5[[j, i]] } else { y5[[j, i]] }).rotate_right(7).wrapping_add((y5[[j, i]] << 2).wrapping_add(90)));
    *s = s.min((((y4[[i, j]]).mul_add((j as f64), y4[[i, j]]) / ((i as f64) - y4[[i, j]])) / ((y4[[i, j]]).round_ties_even() * (y4[[i, j]] % (y4[[i, j]] + 0.5)))));
}

fn run_k043(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<bool>(0);
    let a2 = n.value::<Cell>(1);
    let x3 = n.array::<i16, _>(2, [n.extent(2, 1), n.extent(2, 0)]);
    let mut y4 = n.array::<f64, _>(3, [n.extent(2, 0), n.extent(2, 1)]);
    let mut y5 = n.array::<i8, _>(4, [n.extent(2, 1), n.extent(2, 0)]);
    let mut s = Var::new(n.value::<f64>(5));
    rt.submit(k043(a1, a2, &x3, &mut y4, &mut y5, &mut s)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k044(a1: Cloud, x2: &[u8], #[out(partial)] y3: &mut [Real], y4: &mut [i8]) {
    let i = global_id(0);
    let mut v5 = [((i as f32).mul_add((i as f32), (i as f32)) * math::erf((i as f32))); N];
    {
        if ((if (i as f32).is_nan() { (i).clamp(40, 94) } else { (if false { i } else { i }) }) != (i & i).div_euclid((89_usize & 7) + 1)) {
            v5[(i) % N] = (((i as f32) - 17.658_f32) - (far::WEIGHTS[i % N]).max(39.179_f32)).powi(0);
            v5[(((i | i) & (i).wrapping_sub(i))) % N] = far::wave(((if true { 15.251_f32 } else { (i as f32) }) / (i as f32).mul_add((i as f32), (i as f32))), ((y3[i] % (y3[i] + 0.5)) as f32));
            for n6 in (2_isize..5).rev() {
                if ({ let t7 = (91_i32 % ((93_i32 & 7) + 1)); false }) {
                    continue;
                }
                for n8 in (0..6_i64).step_by(3) {
                    if ((x2[i]).abs_diff((n8 as u8)) <= (x2[(({ let t9 = n8; (n6 as usize) })) % x2.len()] % ((x2[i] & 7) + 1))) {
                        break;
                    }
                    y3[i] += ((((y3[i] / y3[i]) - (12.912_f64 - y3[i])) + (-(far::SCALE).mul_add(y3[i], y3[i]))) + (math::log2((Cell { rho: 26.996_f64, mass: 24.690_f32, id: 80_u32 }).rho)).mul_add((if ({ let t10 = (n6 as i16); false }) { (y3[i]).fract() } else { (y3[i] * y3[i]) }), ((y3[i]).powi(0) / (y3[i] + (i as f64)))));
                }
                let v11: f32 = ({ let t12 = ((n6 as u16) >> (21_u32 & 7)); (14.974_f32).powf(0.179_f32) }).max(((4.612_f32) as f32).min((n6 as f32).powi(2)));
            }
        }
    }
    y3[i] -= ((({ let t13 = (-y3[i]); far::scaled(y3[i]) }) % (((y3[i] - y3[i]) - (y3[i]).mul_add((i as f64), y3[i])) + 0.5)) / ((if ((i as i32) == (i as i32)) { (y3[i] * 7.529_f64) } else { math::atan((i as f64)) }) + (y3[i]).powi(-1)));
    y4[i + far::N] %= (((y4[i + far::N]).wrapping_sub(3).wrapping_sub((y4[i + far::N]).rotate_right(5)) | (if true { (i as i8) } else { y4[i + far::N] }).clamp(10, 84)) & 7) + 1;
    v5[(i) % N] = ([(if true { (i as f32) } else { (i as f32) }), (12.808_f32 - (i as f32)), (if false { 35.359_f32 } else { (i as f32) }), (far::WEIGHTS[i % N] % ((i as f32) + 0.5))])[((i % ((i & 7) + 1)).rotate_right(2)) % N];
}

fn run_k044(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cloud>(0);
    let x2 = n.array::<u8, _>(1, [n.extent(1, 0)]);
    let mut y3 = n.array::<f64, _>(2, [n.extent(1, 0)]);
    let mut y4 = n.array::<i8, _>(3, [n.extent(1, 0) + far::N]);
    rt.submit(k044(a1, &x2, &mut y3, &mut y4)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k045(a1: far::Body, a2: i32, x3: &[f32], x4: View<'_, i16, 2>, x5: &[i8], #[out] y6: &mut [i64], y7: ViewMut<'_, far::Real, 2>, #[scratch(2 * x3.len() + N)] t8: &mut [u16]) {
    let i = global_id(0);
    let v9: f32 = math::cos(math::erf(math::log10((a2 as f32))));
    let v10 = (if i + 1 < x3.len() { x3[i + 1] } else { 0.0_f32 }).is_nan();
    {
        let mut v11: u64 = (((121_u64 << 2) >> (((a2 as u32) ^ (i as u32)) & 7)) >> (((89_u32).wrapping_sub((i as u32)) >> ((68_u32 << 2) & 7)) & 7));
        let v12: u8 = (({ let t13 = ((i as i8) & (if i > 0 { x5[i - 1] } else { 0_i8 })); (t13 as u8) }) / ((102_u8 & 7) + 1));
        for n14 in (2..=5_u8).rev().step_by(2) {
            v11 ^= (if ((x4[[1, (((false) as usize)) % x4.extent(1)]]).wrapping_add(15) < ((if 1 > 0 { x4[[1 - 1, i]] } else { 0_i16 }) | x4[[1, i]])) { (v11).wrapping_sub(1).rotate_right(6) } else { (84_u64 % (((v11).rem_euclid((v11 & 7) + 1) & 7) + 1)) });
            if ({ let t15 = ((x4[[1, i]] != (if i > 0 { x4[[1, i - 1]] } else { 0_i16 })) as usize); (({ let t16 = y6[i]; x4[[((if v10 { (t16 as usize) } else { i })) % x4.extent(0), i]] }) == (t15 as i16).rotate_left(0)) }) {
                t8[i] %= ((t8[i] / ((((4_u16).saturating_sub((a2 as u16)) ^ (11_u16 % ((t8[i] & 7) + 1))) & 7) + 1)) & 7) + 1;
                {
                    y6[i] %= ((((y6[i]).clamp(6, 98) >> ((n14 as u32) & 7)) % (((v12 as i64).wrapping_sub(y6[i]).signum() & 7) + 1)) & 7) + 1;
                    let v17: Cloud = far::Cloud { cells: [a1, (far::Cloud { cells: [Cell { rho: 30.794_f64, mass: 47.747_f32, id: 114_u32 }, a1], at: [a2, (v11 as i32), a2, a2], mid: Cell { rho: 23.201_f64, mass: 19.294_f32, id: 96_u32 } }).mid], at: [a2, (a2 as i32), a2, (n14 as i32)], mid: a1 };
                }
                y7[[(i + 0) % 3, i]] = (if (if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }).mul_add((v12 as f32), x3[((i >> (9_u32 & 7))) % x3.len()]).is_nan() { ((n14 as f64).powi(2) - (y7[[(i + 1) % 3, i]]).powf((i as f64))) } else { (if (a2 == a2) { (y7[[(i + 2) % 3, i]] * (n14 as f64)) } else { math::atan((a2 as f64)) }) }).powi(3);
            } else {
                v11 %= (((if v10 { x3[((i).wrapping_sub(5)) % x3.len()] } else { (if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }) }) as u64) & 7) + 1;
            }
        }
    }
    y6[i] &= (y6[i] >> 3).rotate_right(3).rem_euclid((((y6[i]) as i64).saturating_sub((!y6[i])) & 7) + 1).saturating_add(((y6[i]).signum().clamp(13, 62) % ((((y7[[1, i]] + far::SCALE) as i64) & 7) + 1)));
    y7[[1, i]] *= (far::Cloud { cells: [Cell { rho: 27.31_f64, mass: 3.940_f32, id: 68_u32 }, Cell { rho: (y7[[(i + 2) % 3, i]]).powi(0), mass: (if i > 0 { x3[i - 1] } else { 0.0_f32 }).max(x3[i]), id: (i as u32).wrapping_mul((a2 as u32)) }], at: [(a2 as i32), a2, a2, a2], mid: a1 }).mid.rho;
    t8[i] = t8[i].wrapping_add((a2 as u16));
    let mut v18 = (x3[i] / v9).min((if v10 { x3[((i).max(N)) % x3.len()] } else { (if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 }) })).is_nan();
}

fn run_k045(rt: &Runtime, n: &Inputs) -> flash::Result<Outputs> {
    let a1 = n.value::<Cell>(0);
    let a2 = n.value::<i32>(1);
    let x3 = n.array::<f32, _>(2, [n.extent(1, 0)]);
    let x4 = n.array::<i16, _>(3, [2, n.extent(1, 0)]);
    let x5 = n.array::<i8, _>(4, [n.extent(1, 0)]);
    let mut y6 = n.array::<i64, _>(5, [n.extent(1, 0)]);
    let mut y7 = n.array::<f64, _>(6, [3, n.extent(1, 0)]);
    rt.submit(k045(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7)).exec([n.extent(1, 0)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(T = [f32], M = [2, 5])]
fn k046<T, const M: usize>(a1: i32, a2: T, x3: View<'_, f64, 3>, x4: View<'_, T, 3>, x5: View<'_, i8, 2>, y6: ViewMut<'_, T, 3>, y7: ViewMut<'_, far::Real, 3>, #[reduce(max, into)] s: &mut f32) {
    let p = global_id(2);
    let j = global_id(1);
    let i = global_id(0);
    let mut v8 = (((x4[[((i).abs_diff((p as usize))) % x4.extent(0), j, i]] * a2) % ((y6[[j, i, p]] % (x4[[p, j, ((if true { p } else { i })) % x4.extent(2)]] + 0.5)) + 0.5)) - (a2).ceil().trunc());
    let mut n9 = 2_u32;
    while n9 > 0 {
        n9 -= 1;
        if ((y6[[j, i, p]] <= x4[[p, j, i]]) == ((p as i32) >= a1)) {
            continue;
        }
        let mut v10 = (if ({ let t11 = v8; false }) { (a1 as i8).wrapping_mul(34) } else { (j as i8).wrapping_add(32) }).max((a1 as i8).clamp(49, 91).rotate_left(0));
        {
            let v12 = (((a1).wrapping_mul((i as i32)) as u16) << 0);
            v10 >>= 5;
            for n13 in 0..M {
                if ({ let t14 = (18.236 as T).mul_add(v8, (j as T)); (y6[[j, i, p]] != x4[[p, ((p).wrapping_mul(i)) % x4.extent(1), i]]) }) {
                    break;
                }
                let mut v15 = (if ((if false { (i as isize) } else { 70_isize }) != (if false { (j as isize) } else { (a1 as isize) })) { [(v12 as u32).rotate_left(0), (88_u32).clamp(41, 99), (v10 as u32)] } else { [(far::MASK).clamp(12, 69), 63_u32, (far::TABLE[i % 8] | (j as u32))] });
            }
        }
    }
    y6[[j, i, p]] = ((math::log2((14.142 as T)) % (((47.962 as T) * (if i > 0 { x4[[p, j, i - 1]] } else { (0.0 as T) })) + 0.5)).mul_add(((math::ln((a1 as f32))) as T), ((y6[[j, i, p]]).mul_add(y6[[j, i, p]], a2) as T)) * ((y6[[j, i, p]]).max(y6[[j, i, p]]).powi(0) / (if j > 0 { x4[[p, j - 1, i]] } else { (0.0 as T) }).powf(({ let t16 = 127_u16; y6[[j, i, p]] }))));
    y7[[p, j, i]] /= ((if (i as f32).is_nan() { y7[[p, j, i]] } else { ({ let t17 = (j as u64); (a1 as f64) }) }).round_ties_even() * ({ let t18 = (if ((a1 as f32) >= (a1 as f32)) { (j >> 0) } else { (j).div_euclid((j & 7) + 1) }); (y7[[p, j, i]] * (t18 as f64)).mul_add((y7[[p, j, i]]).mul_add(y7[[p, j, i]], (a1 as f64)), (-y7[[p, j, i]])) }));
    *s = s.max(5.494_f32);
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
    rt.submit(k046::<f32, 2>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
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
    rt.submit(k046::<f32, 5>(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([n.extent(3, 0), n.extent(3, 1), n.extent(3, 2)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k047(a1: i32, a2: u16, x3: &[u8], x4: View<'_, i8, 2>, x5: View<'_, f32, 2>, #[out(partial)] y6: ViewMut<'_, usize, 2>, #[out] y7: ViewMut<'_, u32, 2>, c: &[Atomic<u32>]) {
    let j = global_id(1);
    let i = global_id(0);
    let v8: f32 = math::cos(math::erf(math::log10((j as f32))));
    let v9 = (if i + 1 < x5.extent(1) { x5[[j, i + 1]] } else { 0.0_f32 }).is_nan();
    {
        let mut v10 = (((67_u64).clamp(13, 92) ^ (55_u64).div_euclid((90_u64 & 7) + 1)) >> (((if (x5[[j, ((y6[[j, i]]).wrapping_add(y6[[j, i]])) % x5.extent(1)]]).is_nan() { 7 } else { (x5[[j, ((y6[[j, i]]).wrapping_add(y6[[j, i]])) % x5.extent(1)]]).to_bits() }) >> ((y7[[j, i]] << 2) & 7)) & 7));
        {
            if ((if (!false) { (v10 as i16).wrapping_mul(34) } else { (v10 as i16).wrapping_add(32) }) <= (a1 as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v11 = (((v8 - x5[[((y6[[j, i]]).rem_euclid((i & 7) + 1)) % x5.extent(0), i]]) * (x5[[((if v9 { y6[[j, i]] } else { (i as usize) })) % x5.extent(0), i]]).powi(2)) / (-x5[[j, i]]).powi(3));
                    if ({ let t12 = ({ let t13 = ((false) as usize); (t13 as f64).max((t13 as f64)) }); (t12).powi(0).is_nan() }) {
                        v10 = v10;
                        let mut v8 = (i as i16).wrapping_add((!(a1 as i16))).rotate_left(0);
                        let v8 = (x3[i] | ((if i + 2 < x3.len() { x3[i + 2] } else { 0_u8 }).abs_diff(x3[i]) | (if i > 0 { x3[i - 1] } else { 0_u8 })));
                    }
                    let mut v14 = (((i as f64) - (v10 as f64)).powi(3) / (a2 as f64).sqrt().recip());
                }
            } else {
                v10 %= ((63_u64 | v10).wrapping_add(18) & 7) + 1;
            }
        }
    }
    y6[[j, i]] ^= ((((a1 as isize).wrapping_neg() as usize) ^ y6[[j, i]]) & (if ((a1 as f64).is_nan() != (false != v9)) { ({ let t15 = (-45.650_f64); ({ let t16 = t15; y6[[j, i]] }) }) } else { (y6[[j, i]]).wrapping_add(36).wrapping_add((if v9 { (a2 as usize) } else { y6[[j, i]] })) }));
    y7[[j, i]] <<= 3;
    c[((j).div_euclid((y6[[j, i]] & 7) + 1).wrapping_mul(65)) % c.len()].fetch_xor(((a2 as u32).wrapping_add(y7[[j, i]]) & (a1 as u32).wrapping_add(y7[[j, i]])));
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
    rt.submit(k047(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([n.extent(2, 0), n.extent(2, 1)])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

/// All kernels of this file.
pub(crate) const CASES: &[Case] = &[
    Case { name: "k000", rank: 1, descriptor: k000::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k000 },
    Case { name: "k001", rank: 1, descriptor: k001::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![2 * n.extent(1, 0) + N], vec![]], run: run_k001 },
    Case { name: "k002", rank: 1, descriptor: k002::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k002 },
    Case { name: "k003", rank: 2, descriptor: k003::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k003 },
    Case { name: "k004<f32, 3>", rank: 1, descriptor: <k004 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + N], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k004_f32__3 },
    Case { name: "k004<f64, 3>", rank: 1, descriptor: <k004 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + N], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k004_f64__3 },
    Case { name: "k005", rank: 1, descriptor: k005::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k005 },
    Case { name: "k006", rank: 3, descriptor: k006::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_k006 },
    Case { name: "k007", rank: 2, descriptor: k007::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![], vec![n.extent(2, 0)]], run: run_k007 },
    Case { name: "k008", rank: 4, descriptor: k008::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 1), n.extent(4, 0), n.extent(4, 3), n.extent(4, 2)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)]], run: run_k008 },
    Case { name: "k009", rank: 1, descriptor: k009::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![2 * n.extent(1, 0) + N]], run: run_k009 },
    Case { name: "k010<u8, 4>", rank: 1, descriptor: <k010 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k010_u8__4 },
    Case { name: "k010<u32, 4>", rank: 1, descriptor: <k010 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k010_u32__4 },
    Case { name: "k011", rank: 2, descriptor: k011::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k011 },
    Case { name: "k012", rank: 1, descriptor: k012::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k012 },
    Case { name: "k013", rank: 1, descriptor: k013::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k013 },
    Case { name: "k014", rank: 1, descriptor: k014::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)]], run: run_k014 },
    Case { name: "k015", rank: 3, descriptor: k015::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)]], run: run_k015 },
    Case { name: "k016<i16, 3>", rank: 1, descriptor: <k016 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k016_i16__3 },
    Case { name: "k016<i64, 3>", rank: 1, descriptor: <k016 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k016_i64__3 },
    Case { name: "k017", rank: 1, descriptor: k017::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k017 },
    Case { name: "k018", rank: 1, descriptor: k018::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k018 },
    Case { name: "k019", rank: 2, descriptor: k019::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_k019 },
    Case { name: "k020", rank: 1, descriptor: k020::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k020 },
    Case { name: "k021", rank: 1, descriptor: k021::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k021 },
    Case { name: "k022<f32, 2>", rank: 1, descriptor: <k022 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![], vec![n.extent(1, 0)]], run: run_k022_f32__2 },
    Case { name: "k022<f32, 5>", rank: 1, descriptor: <k022 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![], vec![n.extent(1, 0)]], run: run_k022_f32__5 },
    Case { name: "k023", rank: 2, descriptor: k023::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k023 },
    Case { name: "k024", rank: 1, descriptor: k024::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + far::N]], run: run_k024 },
    Case { name: "k025", rank: 1, descriptor: k025::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k025 },
    Case { name: "k026", rank: 3, descriptor: k026::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 0)], vec![n.extent(3, 0), n.extent(3, 2), n.extent(3, 1)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_k026 },
    Case { name: "k027", rank: 2, descriptor: k027::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0)]], run: run_k027 },
    Case { name: "k028<f32, 3>", rank: 4, descriptor: <k028 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![]], run: run_k028_f32__3 },
    Case { name: "k028<f64, 3>", rank: 4, descriptor: <k028 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![n.extent(4, 3), n.extent(4, 2), n.extent(4, 1), n.extent(4, 0)], vec![]], run: run_k028_f64__3 },
    Case { name: "k029", rank: 1, descriptor: k029::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0) + far::N]], run: run_k029 },
    Case { name: "k030", rank: 1, descriptor: k030::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k030 },
    Case { name: "k031", rank: 2, descriptor: k031::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_k031 },
    Case { name: "k032", rank: 1, descriptor: k032::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)]], run: run_k032 },
    Case { name: "k033", rank: 1, descriptor: k033::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![3, n.extent(1, 0)]], run: run_k033 },
    Case { name: "k034<u8, 4>", rank: 1, descriptor: <k034 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![n.extent(1, 0)], vec![]], run: run_k034_u8__4 },
    Case { name: "k034<u32, 4>", rank: 1, descriptor: <k034 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![n.extent(1, 0)], vec![]], run: run_k034_u32__4 },
    Case { name: "k035", rank: 3, descriptor: k035::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)]], run: run_k035 },
    Case { name: "k036", rank: 1, descriptor: k036::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0) + 2], vec![n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k036 },
    Case { name: "k037", rank: 1, descriptor: k037::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![], vec![n.extent(1, 0)]], run: run_k037 },
    Case { name: "k038", rank: 1, descriptor: k038::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k038 },
    Case { name: "k039", rank: 2, descriptor: k039::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)]], run: run_k039 },
    Case { name: "k040<i16, 3>", rank: 1, descriptor: <k040 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k040_i16__3 },
    Case { name: "k040<i64, 3>", rank: 1, descriptor: <k040 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![n.extent(1, 0)], vec![]], run: run_k040_i64__3 },
    Case { name: "k041", rank: 1, descriptor: k041::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)]], run: run_k041 },
    Case { name: "k042", rank: 1, descriptor: k042::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N], vec![n.extent(1, 0)]], run: run_k042 },
    Case { name: "k043", rank: 2, descriptor: k043::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0), n.extent(2, 1)], vec![n.extent(2, 1), n.extent(2, 0)], vec![]], run: run_k043 },
    Case { name: "k044", rank: 1, descriptor: k044::DESCRIPTOR, shapes: |n| vec![vec![], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0) + far::N]], run: run_k044 },
    Case { name: "k045", rank: 1, descriptor: k045::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(1, 0)], vec![2, n.extent(1, 0)], vec![n.extent(1, 0)], vec![n.extent(1, 0)], vec![3, n.extent(1, 0)], vec![2 * n.extent(1, 0) + N]], run: run_k045 },
    Case { name: "k046<f32, 2>", rank: 3, descriptor: <k046 as Kernel>::DESCRIPTORS[0], shapes: |n| vec![vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0), n.extent(3, 2)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![]], run: run_k046_f32__2 },
    Case { name: "k046<f32, 5>", rank: 3, descriptor: <k046 as Kernel>::DESCRIPTORS[1], shapes: |n| vec![vec![], vec![], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0)], vec![n.extent(3, 1), n.extent(3, 0), n.extent(3, 2)], vec![n.extent(3, 2), n.extent(3, 1), n.extent(3, 0)], vec![]], run: run_k046_f32__5 },
    Case { name: "k047", rank: 2, descriptor: k047::DESCRIPTOR, shapes: |n| vec![vec![], vec![], vec![n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 1), n.extent(2, 0)], vec![n.extent(2, 0)]], run: run_k047 },
];
