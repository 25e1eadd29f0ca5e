//! Kernels drawn by `generate.rs`; `FLASH_BLESS=1 cargo test --test random_bodies` writes
//! this file again.

use super::harness::{Case, Inputs, Outputs};
use flash::prelude::*;
use flash_test_devices as far;
use flash_test_devices::{Cell, N, Real, Word};

#[flash::kernel]
fn k000(a1: Cell, x2: &[i16], x3: &[u16], y4: &mut [i32], y5: &mut [usize], y6: &mut [u8]) {
    let i = global_id(0);
    let mut n7 = 5_u32;
    while n7 > 0 {
        n7 -= 1;
        if (((i as f32) * (i as f32)).signum() <= ({ let t8 = (28.195_f64 / (i as f64)); math::exp((i as f32)) })) {
            let v9: i32 = (((y4[i]).wrapping_add(y4[i]) & (73_i32).clamp(30, 90)) ^ (y4[i]).rotate_right(7).max((i as i32).signum()));
            let mut v10: u32 = (((v9 as u32) & (Cell { rho: 24.491_f64, mass: 12.124_f32, id: 108_u32 }).id) ^ ({ let t11 = ((v9 as u8) ^ y6[i]); (if true { (t11 as u32) } else { far::MASK }) }));
        }
    }
    let mut n12 = 3_u32;
    while n12 > 0 {
        n12 -= 1;
        let v13 = ((if true { 39.179_f32 } else { 2.840_f32 }).max(((i as f32) / far::WEIGHTS[i % N])) < math::ln((i as f32)));
        let v14: [f32; N] = (if ((x2[i]).wrapping_add(15) < (!(if i + 2 < x2.len() { x2[i + 2] } else { 0_i16 }))) { [(i as f32).floor(); N] } else { [4.864_f32, (i as f32).powi(-1), ([38.581_f32; N])[(y5[i]) % N], (-(i as f32))] });
    }
    let mut v15 = ({ let t16 = ((x2[i] != (i as i16)) as usize); ((t16 as i64).wrapping_sub(1) % (((i as i64).wrapping_add(1) & 7) + 1)) });
    let mut v17 = Cell { rho: (((i as f64) + 40.975_f64) % (math::log2((i as f64)) + 0.5)), mass: ((i as f32) - (v15 as f32)).round_ties_even(), id: 67_u32 };
    let mut v18: usize = (((y5[i]).clamp(6, 98) >> ((i as u32) & 7)) % (((y5[i] ^ y5[i]).abs_diff((y5[i]).wrapping_sub(i)) & 7) + 1));
    let v19 = [(63_u32 | (i as u32)).wrapping_sub((y4[i]).count_ones()), ((y5[i]).trailing_zeros() >> 5), ({ let t20 = x3[i]; (t20 as u32) }).clamp(26, 72)];
    if (!((y4[i]).div_euclid((8_i32 & 7) + 1) <= (y4[i] / ((y4[i] & 7) + 1)))) {
        if (((if true { 9.164_f64 } else { far::SCALE }) % (math::cos((v15 as f64)) + 0.5)) <= math::cos(math::tanh(12.392_f64))) {
            v18 >>= 4;
            let mut v15 = (((28.541_f32) as u8).wrapping_add((y6[i]).rotate_left(2)) >> 0);
            if (!((v15 >= y6[i]) || (i as f32).is_nan())) {
                v15 >>= 4;
            }
        }
    }
    y4[i] ^= (122_i32).signum();
    y5[i] = y5[i].wrapping_add((if (35.590_f64).trunc().is_finite() { (y5[i]).wrapping_mul((30_usize >> 5)) } else { (y5[i]).div_euclid(((v18 >> 2) & 7) + 1) }));
    y6[i] ^= (((y6[i]).rotate_left(0) % (((y6[i] ^ y6[i]) & 7) + 1)) & (i as u8)).wrapping_add(25);
    v17.id ^= ((!(54_i8 << 3)) as u32);
}

fn run_k000(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let x2 = inputs.array::<i16>(1);
    let x3 = inputs.array::<u16>(2);
    let mut y4 = inputs.array::<i32>(3);
    let mut y5 = inputs.array::<usize>(4);
    let mut y6 = inputs.array::<u8>(5);
    rt.submit(k000(a1, &x2, &x3, &mut y4, &mut y5, &mut y6)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k001(a1: i64, a2: isize, a3: i16, x4: &[f32], x5: &[i64], x6: &[usize], y7: &mut [u64], y8: &mut [i32], y9: &mut [f32], #[reduce(max)] s: &mut f64) {
    let i = global_id(0);
    *s = s.max(((-(i as f64)).mul_add(((a3 as f64) - (i as f64)), far::scaled(0.229_f64)) * (if (i > x6[i]) { (if true { (a3 as f64) } else { (a2 as f64) }) } else { math::cos((i as f64)) })));
    let mut v10: u16 = ((if true { (a2 as u16) } else { (a2 as u16) }).clamp(40, 94) >> ((((a3 as f32) as u32) >> ((a2 as u32) & 7)) & 7));
    let mut v11 = (-(-far::total([35.982_f32; N])));
    let v12 = [({ let t13 = ((a3 as i8) as isize); (55_u32 << 2) }), ((v10 as i8).wrapping_sub((a2 as i8)) as u32), ((v10 as u32).wrapping_mul(34) ^ (v10 as u32).wrapping_add(32))];
    {
        let v14: Real = ((if true { 39_i8 } else { (v10 as i8) }).rotate_right(3) as f64);
        v10 |= (v10 >> (((a2 as u32).min((i as u32)) >> ((i as u32).wrapping_sub((a1 as u32)) & 7)) & 7));
        v11 -= (math::rsqrt((x4[i]).hypot(x4[i])) - (y9[i] / (if i > 0 { x4[i - 1] } else { 0.0_f32 })).signum());
    }
    let v12: usize = (if false { x6[((if true { (if i + 2 < x6.len() { x6[i + 2] } else { 0_usize }) } else { x6[((x6[i] & x6[((if i + 2 < x6.len() { x6[i + 2] } else { 0_usize }).max(i)) % x6.len()])) % x6.len()] })) % x6.len()] } else { i }).abs_diff((if i + 2 < x6.len() { x6[i + 2] } else { 0_usize })).abs_diff(((if i + 2 < x6.len() { x6[i + 2] } else { 0_usize }).wrapping_add(94) & N));
    *s = s.max(({ let t15 = (!(a3 >> ((v12 as u32) & 7))); far::series((a2 as f64).mul_add((v12 as f64), (a3 as f64)), ((a3 as u32) << 4)) }));
    if true {
        return;
    }
    y7[i] = ((({ let t16 = (v12 as u16); y7[i] }).clamp(26, 72) % ((((8_u64).wrapping_mul(y7[i]) >> (far::MASK & 7)) & 7) + 1)) >> ((v10 >> 5).count_ones().wrapping_sub((y8[i]).max(y8[i]).count_ones()) & 7));
    y8[i] = (if ((y7[i] | (a1 as u64)) < (if true { (a1 as u64) } else { 101_u64 })) { ((101_u64) as i32).clamp(43, 78) } else { (if (v11 >= v11) { (v10 as i32).wrapping_add(y8[i]) } else { ((48.305_f64) as i32) }) }).wrapping_sub(({ let t17 = (if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f32 }); ((v11) as i32).signum() }));
    y9[i] = y9[i];
    *s = s.max((-(if (v10 < (a2 as u16)) { (v12 as f64).powi(0) } else { (6.592_f64).sqrt() })));
}

fn run_k001(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i64>(0);
    let a2 = inputs.value::<isize>(1);
    let a3 = inputs.value::<i16>(2);
    let x4 = inputs.array::<f32>(3);
    let x5 = inputs.array::<i64>(4);
    let x6 = inputs.array::<usize>(5);
    let mut y7 = inputs.array::<u64>(6);
    let mut y8 = inputs.array::<i32>(7);
    let mut y9 = inputs.array::<f32>(8);
    let mut s = Var::new(inputs.cell::<f64>(9));
    rt.submit(k001(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k002(a1: i16, a2: u16, x3: &[i32], x4: &[usize], x5: &[u8], y6: &mut [u8], y7: &mut [f64], c: &[Atomic<u32>]) {
    let i = global_id(0);
    let mut v8 = ((a1 as f32).powi(2).recip() - ((Cell { rho: 25.821_f64, mass: 0.229_f32, id: 61_u32 }).mass / ((a1 as f32) - 39.222_f32)));
    {
        let mut n9 = 3_u32;
        while n9 > 0 {
            n9 -= 1;
            if (false & (10_i8 <= (a1 as i8))) {
                break;
            }
            v8 -= math::rsqrt((if (v8).is_nan() { (v8 + v8) } else { (v8).round_ties_even() }));
        }
        if (-(Cell { rho: 35.982_f64, mass: 45.435_f32, id: 34_u32 }).rho).is_nan() {
            {
                v8 -= far::total([(i as f32).powi(2), ((i as f32) / v8), (a2 as f32).max(v8), math::tanh(v8)]);
                if ((y7[i]).max(y7[i]).is_nan() | ((true || false) ^ (if true { false } else { false }))) {
                    let mut n10 = 5_u32;
                    loop {
                        if n10 == 0 {
                            break;
                        }
                        n10 -= 1;
                        if (y7[i] + (a2 as f64)).is_nan() {
                            break;
                        }
                        let mut v8: bool = ((if ({ let t11 = 7_i32; false }) { (18.236_f32 % (v8 + 0.5)) } else { (v8).atan2(v8) }) == ((a1 as f32).powi(2) / (v8).signum()));
                    }
                } else {
                    v8 -= (if ({ let t12 = ({ let t13 = (if i + 2 < x3.len() { x3[i + 2] } else { 0_i32 }); y7[i] }); true }) { ((v8 - v8) - (v8 + v8)) } else { (v8 - v8).round_ties_even() });
                }
            }
        } else {
            v8 += (((if false { v8 } else { (a1 as f32) }) - (v8).mul_add(v8, v8)) * ((v8).powi(3) / (v8).powi(3)));
        }
    }
    y6[i] = (y6[i]).wrapping_mul(6).wrapping_mul((if i > 0 { x5[i - 1] } else { 0_u8 }).abs_diff((a2 as u8))).wrapping_mul(96).clamp(5, 94);
    y7[i] = ((far::scaled((y7[i]).powi(0))).powf(((12.221_f32) as f64).min((y7[i] * y7[i]))) / (y7[i] + y7[i]).powi(2).mul_add(y7[i], ({ let t14 = (-y7[i]); far::series(y7[i], (i as u32)) })));
    c[(((x4[((i).rem_euclid((x4[i] & 7) + 1)) % x4.len()]).wrapping_add(36) >> 0)) % c.len()].fetch_max(((a2 as u32) >> 0).wrapping_add(8));
    v8 = math::log10((-((a2 as f32) * 22.186_f32)));
}

fn run_k002(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i16>(0);
    let a2 = inputs.value::<u16>(1);
    let x3 = inputs.array::<i32>(2);
    let x4 = inputs.array::<usize>(3);
    let x5 = inputs.array::<u8>(4);
    let mut y6 = inputs.array::<u8>(5);
    let mut y7 = inputs.array::<f64>(6);
    let mut c = inputs.array::<u32>(7);
    rt.submit(k002(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k003(a1: i64, a2: f32, a3: i64, x4: View<'_, usize, 2>, x5: &[isize], x6: View<'_, isize, 2>, y7: ViewMut<'_, Word, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        let mut n9 = 2_u32;
        while n9 > 0 {
            n9 -= 1;
            if ((if true { (i as u64) } else { 26_u64 }) <= ((a3 as u64) % (((j as u64) & 7) + 1))) {
                continue;
            }
            let v10 = (a3).clamp(46, 63).wrapping_add(84).wrapping_neg();
            let v11 = ((j as i8).clamp(40, 94) & (if false { (a1 as i8) } else { (j as i8) })).wrapping_sub((if false { 123_i8 } else { 86_i8 }).rotate_right(2));
        }
        let mut n12 = 2_u32;
        while n12 > 0 {
            n12 -= 1;
            let v13 = ({ let t14 = ((j as u8).rotate_right(6) ^ ((i as i8) as u8)); ((x6[[(x4[[j, i]]) % x6.extent(0), i]]).rotate_right(0) << 2) });
        }
    }
    let mut n15 = 5_u32;
    loop {
        if n15 == 0 {
            break;
        }
        n15 -= 1;
        if ((15_i8 == (i as i8)) == (!false)) {
            break;
        }
        for n16 in (2..=5_u8).rev().step_by(2) {
            let v17: [f32; N] = ({ let t18 = 112_i64; [(a2 * a2); N] });
            if true {
                let v17: isize = (((!x5[i]) >> ((if false { y7[[j, i]] } else { 103_u32 }) & 7)) ^ ((!(if j > 0 { x6[[j - 1, i]] } else { 0_isize })) | (if false { x5[i] } else { x5[((x4[[((x4[[((j).wrapping_mul(12)) % x4.extent(0), i]]).min(x4[[j, i]])) % x4.extent(0), i]]).abs_diff((if j > 0 { x4[[j - 1, i]] } else { 0_usize }))) % x5.len()] })));
                let mut v19 = (a1 as i16).rem_euclid(((j as i16) & 7) + 1).div_euclid(((n16 as i16).wrapping_mul((a3 as i16)) & 7) + 1).clamp(24, 61);
            } else {
                let mut v20: i32 = (((n16).abs_diff(n16) % (((if false { n16 } else { (n16 as u8) }) & 7) + 1)) as i32);
            }
        }
    }
    if true {
        {
            let mut v21 = [(((a1 as u32) % ((y7[[j, i]] & 7) + 1)) ^ (a1).leading_zeros()), (y7[[j, i]]).wrapping_mul(y7[[j, i]]).wrapping_mul(96), (if true { (i as u32) } else { y7[[j, i]] }).rotate_right(7)];
            let mut v22 = [(a2).powi(2).mul_add((a2).max(a2), (a2).powf((a1 as f32))), ((a2 / a2) % ((-0.28_f32) + 0.5)), (if false { (a2 - a2) } else { (a2 - far::WEIGHTS[i % N]) }), ({ let t23 = (26.265_f64 + (a1 as f64)); (a2 % ((a3 as f32) + 0.5)) })];
        }
    } else {
        let mut v24 = (((if false { a2 } else { (j as f32) }) as u64) << 4);
    }
    y7[[j, i]] ^= (if (if (({ let t25 = (if j > 0 { x4[[j - 1, i]] } else { 0_usize }); (t25 as u8) }) >= (if true { (a3 as u8) } else { (a3 as u8) })) { (122_u8 >= ({ let t26 = (a3 as i8); (a1 as u8) })) } else { ((j as u8).wrapping_mul((a3 as u8)) > (a1 as u8)) }) { far::mix((y7[[j, i]]).max(y7[[j, i]]).rotate_left(5), y7[[j, i]]) } else { (if ((i as f32)).is_nan() { 7 } else { ((i as f32)).to_bits() }) });
    let mut v27 = ((((j as f64) + (i as f64)) / (-(a3 as f64))) * (((i as i16) as i32) as f64));
}

fn run_k003(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i64>(0);
    let a2 = inputs.value::<f32>(1);
    let a3 = inputs.value::<i64>(2);
    let x4 = inputs.matrix::<usize>(3);
    let x5 = inputs.array::<isize>(4);
    let x6 = inputs.matrix::<isize>(5);
    let mut y7 = inputs.matrix::<u32>(6);
    rt.submit(k003(a1, a2, a3, &x4, &x5, &x6, &mut y7)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k004(a1: isize, x2: &[i64], y3: &mut [usize], y4: &mut [u8], y5: &mut [u8], #[reduce(max)] s: &mut u32) {
    let i = global_id(0);
    let mut v6: f32 = math::log10(((a1 as f32) / (a1 as f32)).mul_add((far::WEIGHTS[i % N]).recip(), (22.391_f32).powi(0)));
    let mut v7: f32 = ((v6 * v6) - (v6 + 4.546_f32)).powf((({ let t8 = i; i }) as f32));
    v6 -= (({ let t9 = (if false { (i as i32) } else { (i as i32) }); ((a1 as f32) - v6) }) + ({ let t10 = ((i as u8) ^ y5[i]); (if true { v6 } else { (a1 as f32) }) }));
    for n11 in 2_u32..=4 {
        if (math::erf(v6) <= (v6).mul_add((i as f32), v7)) {
            break;
        }
        for n12 in (0..=3_u64).rev().step_by(2) {
            let mut v13: f32 = (v6).abs().powf(math::sin(v6)).max(([v6, v7, (n11 as f32), v6])[((i).wrapping_sub(y3[i])) % N]);
            let v14 = (if ({ let t15 = (109_i32 % ((55_i32 & 7) + 1)); (false == false) }) { a1 } else { (a1 as isize).signum().wrapping_add(89) });
        }
    }
    let v7 = (if false { y3[i] } else { y3[i] }).abs_diff(y3[i]).abs_diff((y3[i]).div_euclid(((i as usize) & 7) + 1).clamp(24, 61));
    if false {
        if ((i as f64) / (a1 as f64)).mul_add(((i as f64) % (far::SCALE + 0.5)), (a1 as f64)).is_finite() {
            let mut n16 = 3_u32;
            while n16 > 0 {
                n16 -= 1;
                if (!(!false)) {
                    continue;
                }
                let mut v17 = (((a1 as u16) % (((v7 as u16) & 7) + 1)) ^ (a1 as u16)).saturating_sub((i as u16).rotate_right(0).wrapping_mul((a1 as u16).wrapping_sub(123_u16)));
            }
        } else {
            let mut n18 = 5_u32;
            while n18 > 0 {
                n18 -= 1;
                if ((v6).mul_add((a1 as f32), (v7 as f32)) != (v6).powf((a1 as f32))) {
                    continue;
                }
                if (if (v7 as f32).mul_add((a1 as f32), v6).is_nan() { true } else { ({ let t19 = (47.409_f64 - (v7 as f64)); true }) }) {
                    let v20: i8 = (!((i as i8) << 4)).wrapping_mul((v7 as i8).wrapping_sub((a1 as i8)).rem_euclid(((i as i8).div_euclid((109_i8 & 7) + 1) & 7) + 1));
                    let mut n21 = 4_u32;
                    while n21 > 0 {
                        n21 -= 1;
                        if true {
                            break;
                        }
                        v6 = (if (({ let t22 = y3[i]; y4[i] }) >= (y5[i]).rem_euclid((y5[i] & 7) + 1)) { (v6).abs().powi(2) } else { (-(if false { 15.761_f32 } else { v6 })) });
                    }
                } else {
                    v6 = (((a1 as f32).mul_add(36.936_f32, (i as f32)) + (v6).powi(3)) + (math::exp((i as f32)) * (v6).powi(3)));
                }
            }
        }
    } else {
        v6 += ((v6 + (-v6)) / (((i as i16) as i32) as f32));
    }
    y3[i] ^= ((y3[i]).wrapping_sub(((v7 as usize) >> 3)).clamp(38, 84) >> ((i as u32) & 7));
    y4[i] = y4[i].wrapping_add((if ((i as f64) >= 15.334_f64) { (y5[i] >> 3) } else { ((a1 as u8) / ((y4[i] & 7) + 1)) }).rem_euclid((((v7 as u8).wrapping_sub(y4[i]) ^ (106_u8).max((a1 as u8))) & 7) + 1));
    y5[i] ^= (y5[i]).div_euclid(((if true { (92_u8).wrapping_add(y5[i]) } else { (y4[i]).saturating_sub(y4[i]) }).div_euclid((((v6) as u8).abs_diff(((v7 as u8) >> ((v7 as u32) & 7))) & 7) + 1) & 7) + 1);
    *s = s.max((a1 as u32));
}

fn run_k004(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<isize>(0);
    let x2 = inputs.array::<i64>(1);
    let mut y3 = inputs.array::<usize>(2);
    let mut y4 = inputs.array::<u8>(3);
    let mut y5 = inputs.array::<u8>(4);
    let mut s = Var::new(inputs.cell::<u32>(5));
    rt.submit(k004(a1, &x2, &mut y3, &mut y4, &mut y5, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k005(a1: u16, x2: &[i32], x3: &[usize], x4: &[u8], y5: &mut [u8], y6: &mut [f64]) {
    let i = global_id(0);
    if (((far::WEIGHTS[i % N]).recip() - (22.391_f32).powi(0)) != ((a1 as f32).powf((i as f32)) / (if true { (i as f32) } else { 9.525_f32 }))) {
        let mut v7: u16 = ({ let t8 = (if i > 0 { x3[i - 1] } else { 0_usize }).rotate_left(0); (if false { (i as u16) } else { a1 }) }).wrapping_add((a1 / (((a1 as u16) & 7) + 1)).rotate_left(1));
        for n9 in 1..6_i64 {
            if ((a1 & a1) != 50_u16) {
                continue;
            }
            v7 %= ((((i as i8) & (n9 as i8)) as u16) & 7) + 1;
            v7 >>= 5;
            let mut v7 = (a1 as u32);
        }
        let v10 = (((v7 as u16) >= (a1).rotate_left(5)) || (6.387_f32 / (a1 as f32)).is_nan());
    } else {
        let mut v11 = (i >> (((i as u32).min((i as u32)) >> ((i as u32).wrapping_sub((i as u32)) & 7)) & 7));
    }
    let v12: Real = y6[i];
    let mut v13 = (if ((i as f32) / (a1 as f32)).is_nan() { (({ let t14 = (a1 as i64); (a1 as i64) }) >> ((a1 as u32).wrapping_mul(12) & 7)) } else { ((a1 as i64) & (i as i64).rotate_left(0)) });
    v13 ^= (!(!(a1 as i64))).saturating_sub((!(v13 as i64)).wrapping_add(94));
    y6[i] += ((if ((!true) ^ (true || true)) { (if (28.762_f32).is_nan() { (v12 - y6[i]) } else { (y6[i] % (y6[i] + 0.5)) }) } else { (far::moved(Cell { rho: 40.680_f64, mass: 44.797_f32, id: 123_u32 }, (a1 as f32))).rho }) - (({ let t15 = (a1 >> (21_u32 & 7)); (y6[i]).powf(v12) }) % ((v12 - y6[i]).sqrt() + 0.5)));
    {
        let mut v16 = (if (v13 as f32).mul_add(43.469_f32, (i as f32)).is_nan() { ((70_i16).wrapping_add(105_i16) >> (((i as u32) | (i as u32)) & 7)) } else { ((i as i16).min((i as i16)) >> ((i as u32).wrapping_sub((a1 as u32)) & 7)) });
    }
    y5[i] = (if i + 2 < x4.len() { x4[i + 2] } else { 0_u8 }).rotate_right(1).rem_euclid(((y5[i]).abs_diff(x4[i]) & 7) + 1).clamp(24, 96).wrapping_sub(((y5[i]).wrapping_sub((i as u8)) | (y5[i]).div_euclid((y5[i] & 7) + 1)).wrapping_sub((y5[i] >> (106_u32 & 7)).wrapping_add(81)));
    y6[i] = math::rsqrt((((y6[i] - y6[i]) * (y6[i] - v12)) - (y6[i] + v12).trunc()));
    v13 %= ((v13 % ((v13 & 7) + 1)).rotate_right(2) & 7) + 1;
}

fn run_k005(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u16>(0);
    let x2 = inputs.array::<i32>(1);
    let x3 = inputs.array::<usize>(2);
    let x4 = inputs.array::<u8>(3);
    let mut y5 = inputs.array::<u8>(4);
    let mut y6 = inputs.array::<f64>(5);
    rt.submit(k005(a1, &x2, &x3, &x4, &mut y5, &mut y6)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k006(a1: f32, x2: &[i32], x3: &[usize], x4: &[u8], y5: &mut [u8], y6: &mut [f64]) {
    let i = global_id(0);
    if (((i as f32).recip() - ({ let t7 = (i as f64); a1 })) != ((a1).powf(a1) % ((if true { a1 } else { (i as f32) }) + 0.5))) {
        let v8 = (math::rsqrt(a1)).mul_add(math::cos(a1), ((i as f32) * a1)).max(((if false { (i as f32) } else { a1 }) + (if false { a1 } else { a1 })));
    } else {
        let mut v9 = (({ let t10 = ((i as u8) ^ y5[i]); (if true { a1 } else { (i as f32) }) }) + (if (55_i32 != x2[(x3[i]) % x2.len()]) { (-a1) } else { ((i as f32) / a1) }));
    }
    if (!(!((i as u16) <= 125_u16))) {
        if ({ let t11 = 104_i64; false }) {
            let mut v12 = ((i as f32).sqrt() as f32).powi(-1);
        } else {
            let v13 = (i as isize).wrapping_add(33);
            let v14 = ((({ let t15 = y6[i]; y6[i] }) / (far::SCALE).signum()) + (y6[i] / (v13 as f64)).max((v13 as f64).abs()));
        }
        if ((((i as i16) ^ (i as i16)) == ((i as i16) ^ (i as i16))) || ((!true) | (y5[i] < 4_u8))) {
            {
                let mut v16 = (-({ let t17 = 55_i64; a1 }).powi(-1));
                if ((i as i8).saturating_sub((i as i8)).rem_euclid((((i as i8) << 4) & 7) + 1) == (!(18_i8 / (((i as i8) & 7) + 1)))) {
                    {
                        let v18 = ({ let t19 = ((i as u16) >> (21_u32 & 7)); (far::WEIGHTS[i % N]).powf(a1) }).max(({ let t20 = (i as u16); (a1 * a1) }));
                    }
                }
            }
        } else {
            let v21: u32 = (({ let t22 = (-y6[i]); ((y6[i]) as u32) }) % ((((i as u32) >> 2).rotate_right(1) & 7) + 1));
        }
    }
    y5[i] = (((if ((i as i32) == x2[i]) { (101_u16).wrapping_add(8) } else { (if false { 109_u16 } else { (i as u16) }) }) as u8) | (((if false { a1 } else { (i as f32) }) as u8) << 4));
    y6[i] = (math::rsqrt((y6[i] - y6[i]))).mul_add((if true { y6[i] } else { y6[i] }).ceil(), ((y6[i] / y6[i]) + (y6[i]).min(y6[i]))).fract();
    let v23 = ((30_usize >> 5) | (if i > 0 { x3[i - 1] } else { 0_usize })).abs_diff((if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }).max(47_usize).rotate_left(1));
}

fn run_k006(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let x2 = inputs.array::<i32>(1);
    let x3 = inputs.array::<usize>(2);
    let x4 = inputs.array::<u8>(3);
    let mut y5 = inputs.array::<u8>(4);
    let mut y6 = inputs.array::<f64>(5);
    rt.submit(k006(a1, &x2, &x3, &x4, &mut y5, &mut y6)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k007(a1: i16, x2: &[f32], x3: View<'_, i64, 2>, x4: &[u8], y5: ViewMut<'_, i32, 2>, #[out(partial)] y6: ViewMut<'_, f32, 2>, #[out(partial)] y7: ViewMut<'_, f32, 2>, #[reduce(|)] s: &mut i64, c: &[Atomic<i64>]) {
    let (j, i) = (global_id(1), global_id(0));
    if (((a1 as i64) as i16).min((!a1)) <= (((j as i64) == (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0_i64 })) as i16)) {
        let mut v8: u16 = (((a1 as f32) as u16) >> ((a1 as u32) & 7)).wrapping_add(((a1 as u16) / ((102_u16 & 7) + 1)).rotate_left(6));
        let mut n9 = 4_u32;
        while n9 > 0 {
            n9 -= 1;
            let mut v10: u64 = (((121_u64 << 2) >> (((i as u32) ^ (v8 as u32)) & 7)) >> (((89_u32).wrapping_sub((v8 as u32)) >> ((68_u32 << 2) & 7)) & 7));
            let v11: u8 = (({ let t12 = ((v10 as i8) & (a1 as i8)); (x4[i]).saturating_sub((if i + 2 < x4.len() { x4[i + 2] } else { 0_u8 })) }) / ((((if true { x4[i] } else { (if i + 2 < x4.len() { x4[i + 2] } else { 0_u8 }) }) >> ((x4[((i % ((i & 7) + 1))) % x4.len()]).trailing_zeros() & 7)) & 7) + 1));
        }
        if ((y6[[j, i]]).sqrt() as f64).is_finite() {
            let v8 = [({ let t13 = 7_i32; (v8 as u32) }).wrapping_sub(1), ((j as u64).rem_euclid(((v8 as u64) & 7) + 1) as u32), (i as u32)];
            {
                y6[[j, i]] *= (((x4[i]).abs_diff(x4[i]) as f32) / far::wave(((a1) as f32), (y6[[j, i]]).round())).powi(0);
                let v14: Cell = Cell { rho: (((a1 as f64) + (a1 as f64)) / (j as f64).round_ties_even()), mass: ((67_isize >> ((i as u32) & 7)) as f32), id: (if false { (j as u32) } else { 50_u32 }).clamp(3, 79) };
                y7[[j, i]] = (v14).mass;
            }
        }
    } else {
        let mut v15 = [((-(i as f64)) as u32), ((18_u32).wrapping_mul(96) / (((121_u32).wrapping_add(18) & 7) + 1)), (87_u32).wrapping_sub((a1 as u32)).wrapping_mul(6)];
    }
    y5[[j, i]] = y5[[j, i]].wrapping_add((if (false ^ false) { (if false { (a1 as i32) } else { y5[[j, i]] }) } else { ({ let t16 = (i as u8); y5[[j, i]] }) }).clamp(22, 81));
    y6[[j, i]] *= y6[[j, i]];
    y7[[j, i]] *= (if (!(if true { ({ let t17 = (i as f64); true }) } else { ((j as i8) > (j as i8)) })) { (((if true { (a1 as f32) } else { 26.265_f32 }) + (-10.8_f32)) * ((if false { y6[[j, i]] } else { 5.481_f32 }) % (((114_isize) as f32) + 0.5))) } else { (if ((if j > 0 { x3[[j - 1, i]] } else { 0_i64 }).wrapping_add((if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0_i64 })) < (if j > 0 { x3[[j - 1, i]] } else { 0_i64 }).wrapping_add(9)) { (((y6[[j, i]]) as f32) + (y6[[j, i]] - x2[(((i as usize) | (a1 as usize))) % x2.len()])) } else { (math::rsqrt((a1 as f32))).trunc() }) });
    c[((30_usize >> 5).abs_diff(j)) % c.len()].fetch_xor((if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0_i64 }).max(38_i64).rotate_left(3));
    *s |= (x3[[j, i]] & (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0_i64 }).wrapping_sub(67).clamp(33, 97));
}

fn run_k007(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i16>(0);
    let x2 = inputs.array::<f32>(1);
    let x3 = inputs.matrix::<i64>(2);
    let x4 = inputs.array::<u8>(3);
    let mut y5 = inputs.matrix::<i32>(4);
    let mut y6 = inputs.matrix::<f32>(5);
    let mut y7 = inputs.matrix::<f32>(6);
    let mut s = Var::new(inputs.cell::<i64>(7));
    let mut c = inputs.array::<i64>(8);
    rt.submit(k007(a1, &x2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s, &mut c)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k008(a1: i64, x2: &[usize], x3: &[u8], x4: &[u8], y5: &mut [isize], y6: &mut [f32]) {
    let i = global_id(0);
    {
        let v7 = (!(({ let t8 = (a1 as f64); a1 }) < (a1).signum()));
        for n9 in (1_i8..4).rev() {
            if ((x2[((i).wrapping_add((if i + 2 < x2.len() { x2[i + 2] } else { 0_usize }))) % x2.len()]).rotate_right(6) > (i / ((x2[((x2[i]).abs_diff(x2[i])) % x2.len()] & 7) + 1))) {
                continue;
            }
            {
                for n10 in (2_i32..5).rev() {
                    if v7 {
                        break;
                    }
                    let mut v11 = (((if i + 2 < x3.len() { x3[i + 2] } else { 0_u8 }).div_euclid(((n10 as u8) & 7) + 1) & (x3[(((n9) as usize)) % x3.len()]).wrapping_sub(43)) >> 0);
                    y6[i] = ((y6[i]).powf(y6[i]).max(far::wave((i as f32), (i as f32))).mul_add((-(i as f32).powf(y6[i])), (far::wave(y6[i], y6[i]) / (y6[i]).hypot(y6[i]))) / ([(if v7 { y6[i] } else { y6[i] }), (y6[i] + (n10 as f32)), math::tan(y6[i]), (y6[i]).powi(-1)])[(({ let t12 = a1; (36_usize).abs_diff(x2[i]) })) % N]);
                    v11 |= (if ((if i > 0 { x2[i - 1] } else { 0_usize }).wrapping_mul(x2[((x2[((i).wrapping_mul(12)) % x2.len()]).min(x2[i])) % x2.len()]) > ({ let t13 = n10; x2[((x2[i] & x2[((if i + 2 < x2.len() { x2[i + 2] } else { 0_usize }).max(i)) % x2.len()])) % x2.len()] })) { (if i + 2 < x4.len() { x4[i + 2] } else { 0_u8 }) } else { (n9 as u8) });
                }
                let v7 = ((23.813_f64).mul_add((i as f64), (i as f64)) as f32).mul_add((y6[i] * y6[i]).abs(), (if (v7 ^ false) { y6[i] } else { (y6[i]).atan2(y6[i]) }));
                let v7: u16 = (((a1 as u16) % ((27_u16 & 7) + 1)) ^ (if false { (a1 as u16) } else { (i as u16) })).wrapping_sub((67_u16 ^ (i as u16)).abs_diff((i as u16).abs_diff((i as u16))));
            }
            let mut v7 = ((((43.469_f32) as f32) % (({ let t14 = (n9 as f64); y6[i] }) + 0.5)) * far::wave((if v7 { y6[i] } else { 47.409_f32 }), ({ let t15 = 22_u32; y6[i] })));
            if (((i as u16) >> 0).clamp(23, 62) >= (((i as u64) >> 0) as u16)) {
                if false {
                    let v16 = (if ((a1).wrapping_add(a1) < (a1).wrapping_add(9)) { ((n9 as u64).rotate_right(5) < (a1 as u64).abs_diff(20_u64)) } else { (if ({ let t17 = n9; false }) { false } else { true }) });
                    if (((!true) ^ (40_i16 == (a1 as i16))) == (((a1 as u32) ^ (n9 as u32)) != (if v16 { (i as u32) } else { (n9 as u32) }))) {
                        let v18: [f32; N] = [(y6[i] % (y6[i] + 0.5)).hypot((y6[i]).powi(-1)), (if (y6[i] == 42.18_f32) { (-y6[i]) } else { (y6[i]).mul_add(v7, y6[i]) }), ((y6[i] - y6[i]) * (if v16 { y6[i] } else { y6[i] })), (v7 * y6[i]).powi(3)];
                    }
                    let mut n19 = 5_u32;
                    while n19 > 0 {
                        n19 -= 1;
                        v7 *= math::ln(((v7 / v7) / ((n9 as f32) - y6[i])));
                    }
                } else {
                    v7 *= (math::exp(((i as f32) % (y6[i] + 0.5))) - ((a1 as i32) as f32).hypot(math::rsqrt(y6[i])));
                }
            } else {
                v7 = (far::wave(v7, y6[i])).powi(3).min(({ let t20 = n9; [45.158_f32; N] })[((x2[i]).wrapping_mul((if i + 2 < x2.len() { x2[i + 2] } else { 0_usize }))) % N]);
            }
        }
    }
    y5[i] ^= ((if (if true { (i as f64) } else { 14.431_f64 }).is_nan() { (y5[i]).clamp(5, 77).saturating_add((y5[i]).rotate_left(2)) } else { ((91_isize & y5[i]) % (((if true { y5[i] } else { y5[i] }) & 7) + 1)) }) >> 5);
    y6[i] *= ((if false { y6[i] } else { y6[i] }).fract() + math::cos((y6[i]).powi(3))).mul_add((far::moved(far::moved(Cell { rho: 34.292_f64, mass: 44.803_f32, id: 117_u32 }, (a1 as f32)), math::atan(y6[i]))).mass, (-(y6[i] * y6[i])).floor());
    let v21: Real = (((47.633_f64).mul_add((a1 as f64), (a1 as f64)) - ((i as f64) - (i as f64))) * (-(if true { (a1 as f64) } else { 31.291_f64 })));
}

fn run_k008(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i64>(0);
    let x2 = inputs.array::<usize>(1);
    let x3 = inputs.array::<u8>(2);
    let x4 = inputs.array::<u8>(3);
    let mut y5 = inputs.array::<isize>(4);
    let mut y6 = inputs.array::<f32>(5);
    rt.submit(k008(a1, &x2, &x3, &x4, &mut y5, &mut y6)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k009(a1: i32, a2: usize, a3: Cell, x4: &[usize], x5: &[isize], y6: &mut [i32], y7: &mut [f32], y8: &mut [f32]) {
    let i = global_id(0);
    let mut v9 = (((a1 as i64) as i32).min((!y6[i])) >> 0);
    let mut v9 = (if ((x4[((i).wrapping_add((if i + 2 < x4.len() { x4[i + 2] } else { 0_usize }))) % x4.len()]).rotate_right(6) > (a2 / ((x4[((x4[i]).abs_diff(x4[i])) % x4.len()] & 7) + 1))) { a3 } else { (if (i as f32).is_nan() { far::moved(a3, y7[i]) } else { a3 }) });
    v9.rho = (if (true == true) { (-(a1 as f64)) } else { far::SCALE }).round_ties_even();
    let mut n10 = 5_u32;
    while n10 > 0 {
        n10 -= 1;
        v9.id ^= (((a2 as i8) / (((a1 as i8) & 7) + 1)).leading_zeros() % ((((i as u32).wrapping_mul(34) ^ (i as u32).wrapping_add(32)) & 7) + 1));
        for n11 in (2..=5_u8).rev().step_by(2) {
            v9.mass += ({ let t12 = 104_i64; ((y8[i] * y8[i]) / (y8[i] % (y7[i] + 0.5))) });
            {
                {
                    {
                        let mut v9: bool = ((if ({ let t13 = 103_i32; true }) { (18.236_f32).powi(2) } else { (y8[i] / y8[i]) }) == (if (15.419_f32).is_nan() { (y7[i]).powi(0) } else { (-(n11 as f32)) }));
                    }
                }
            }
        }
    }
    y6[i] ^= ({ let t14 = ({ let t15 = (if false { y6[i] } else { a1 }); (a1 as f64).abs() }); (y6[i]).wrapping_add((!a1)) }).clamp(27, 51);
    y7[i] = (((y7[i] + (a2 as f32)) % (y8[i] + 0.5)) * (if (y8[i] <= y8[i]) { (y7[i]).mul_add(far::WEIGHTS[i % N], (a1 as f32)) } else { ((i as f32) - y8[i]) })).mul_add((((-y8[i]) - (11.842_f32 / y7[i])) % ((if ({ let t16 = (a2 as i16); false }) { (y8[i]).fract() } else { (y7[i] * y7[i]) }) + 0.5)), (((a1 as f32) - y8[i]).powi(3) / ((a3).mass).signum()));
    y8[i] = ((if (y8[i]).is_nan() { (y8[i] + y7[i]) } else { (y7[i] * (a1 as f32)) }).powi(2) + (if false { ((a2 as f32).powi(2) - (y8[i]).powf(y7[i])) } else { (y7[i]).max((y7[i] * y7[i])) }));
    v9.rho = (((if false { 40.48_f64 } else { 19.118_f64 }) % ((-(a1 as f64)) + 0.5)) % (((-48.305_f64) - (if true { (a2 as f64) } else { far::SCALE })) + 0.5));
}

fn run_k009(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i32>(0);
    let a2 = inputs.value::<usize>(1);
    let a3 = inputs.value::<Cell>(2);
    let x4 = inputs.array::<usize>(3);
    let x5 = inputs.array::<isize>(4);
    let mut y6 = inputs.array::<i32>(5);
    let mut y7 = inputs.array::<f32>(6);
    let mut y8 = inputs.array::<f32>(7);
    rt.submit(k009(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k010(a1: u32, x2: &[u8], y3: &mut [u8], y4: &mut [f64], #[reduce(|)] s: &mut u32) {
    let i = global_id(0);
    let mut v5 = ((a1 as f32).powi(2).recip() - ((Cell { rho: 25.821_f64, mass: 0.229_f32, id: 61_u32 }).mass / ((i as f32) - 39.222_f32)));
    {
        let mut n6 = 3_u32;
        while n6 > 0 {
            n6 -= 1;
            if (false & (10_i8 <= (i as i8))) {
                break;
            }
            v5 -= math::rsqrt((if (v5).is_nan() { (v5 + v5) } else { (v5).round_ties_even() }));
        }
        if (-(Cell { rho: 35.982_f64, mass: 45.435_f32, id: 34_u32 }).rho).is_nan() {
            {
                v5 -= far::total([(i as f32).powi(2), ((i as f32) / v5), (a1 as f32).max(v5), math::tanh(v5)]);
                if ((y4[i]).max(y4[i]).is_nan() | ((true || false) ^ (if true { false } else { false }))) {
                    let mut n7 = 5_u32;
                    loop {
                        if n7 == 0 {
                            break;
                        }
                        n7 -= 1;
                        if (y4[i] + (a1 as f64)).is_nan() {
                            break;
                        }
                        let mut v5: bool = ((if ({ let t8 = 7_i32; false }) { (18.236_f32 % (v5 + 0.5)) } else { (v5).atan2(v5) }) == ((a1 as f32).powi(2) / (v5).signum()));
                    }
                } else {
                    v5 -= (if ({ let t9 = ({ let t10 = (i as i32); y4[i] }); true }) { ((v5 - v5) - (v5 + v5)) } else { (v5 - v5).round_ties_even() });
                }
            }
        } else {
            v5 += (((if false { v5 } else { (a1 as f32) }) - (v5).mul_add(v5, v5)) * ((v5).powi(3) / (v5).powi(3)));
        }
    }
    y3[i] = (y3[i]).wrapping_mul(6).wrapping_mul((if i > 0 { x2[i - 1] } else { 0_u8 }).abs_diff((i as u8))).wrapping_mul(96).clamp(5, 94);
    y4[i] = ((far::scaled((y4[i]).powi(0))).powf(((12.221_f32) as f64).min((y4[i] * y4[i]))) / (y4[i] + y4[i]).powi(2).mul_add(y4[i], ({ let t11 = (-y4[i]); far::series(y4[i], a1) })));
    *s |= ((if true { a1 } else { (a1 as u32) }).wrapping_add(36) >> 0);
}

fn run_k010(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u32>(0);
    let x2 = inputs.array::<u8>(1);
    let mut y3 = inputs.array::<u8>(2);
    let mut y4 = inputs.array::<f64>(3);
    let mut s = Var::new(inputs.cell::<u32>(4));
    rt.submit(k010(a1, &x2, &mut y3, &mut y4, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k011(a1: f32, a2: bool, a3: Cell, x4: View<'_, usize, 2>, x5: &[u64], y6: ViewMut<'_, f32, 2>, #[out(partial)] y7: ViewMut<'_, u16, 2>, #[out(partial)] y8: ViewMut<'_, f64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    for n9 in (2..6_i32).step_by(2) {
        if ({ let t10 = (far::scaled(0.229_f64) / (-y8[[j, i]])); ((n9 as i64).wrapping_neg() == ((i as i64) | (j as i64))) }) {
            let mut v11: i8 = (i as i8).rem_euclid((84_i8 & 7) + 1).wrapping_sub(((n9 as i8) >> (47_u32 & 7))).rotate_left(2);
            let mut v12: u64 = ((((if i + 2 < x5.len() { x5[i + 2] } else { 0_u64 }) << 2) >> (((n9 as u32) ^ (v11 as u32)) & 7)) >> (((89_u32).wrapping_sub((v11 as u32)) >> ((68_u32 << 2) & 7)) & 7));
        } else {
            let mut v13 = (if ({ let t14 = x4[[j, i]]; true }) { ((n9 as u32) & (n9 as u32)) } else { ({ let t15 = (if j > 0 { x4[[j - 1, i]] } else { 0_usize }); (n9 as u32) }) }).max(((n9 as u32) | (j as u32)).clamp(49, 91));
            let mut v16: f32 = ((((y6[[j, i]]) as f32) - (y6[[j, i]] + y6[[j, i]])) * (math::erf(y6[[j, i]])).ceil());
        }
        let v17 = 91_i64;
    }
    let v18 = far::moved(Cell { rho: (y8[[j, i]] * y8[[j, i]]), mass: (i as f32).signum(), id: (i as u32) }, (-(y6[[j, i]]).powi(0)));
    if ({ let t19 = (({ let t20 = (j as i16); (t20 as i32) }) as i64); (!(y6[[j, i]]).is_finite()) }) {
        y8[[j, i]] *= (((11.842_f64 / y8[[j, i]]).mul_add((y8[[j, i]] % (y8[[j, i]] + 0.5)), (-y8[[j, i]])) - (if ({ let t21 = (i as i16); true }) { (j as f64).mul_add(y8[[j, i]], y8[[j, i]]) } else { (y8[[j, i]]).mul_add(y8[[j, i]], y8[[j, i]]) })) + (math::log2(y8[[j, i]]) * (y8[[j, i]] - (i as f64))).mul_add(((v18).rho).trunc(), (-(a3).rho)));
        {
            if (far::scaled((j as f64))).powf(({ let t22 = y7[[j, i]]; y8[[j, i]] })).is_finite() {
                y7[[j, i]] = y7[[j, i]].wrapping_add(y7[[j, i]]);
                let mut v23 = [103_u32, (17_u32).rotate_right(1).wrapping_sub(({ let t24 = (j as f32); (j as u32) })), ({ let t25 = ((j as u32) >> ((j as u32) & 7)); (j as u32).wrapping_add(88) })];
            }
        }
        let v26: [u32; 3] = [(((if i + 2 < x5.len() { x5[i + 2] } else { 0_u64 }) >> 0) as u32), (14_u32).wrapping_sub(((j as u32) >> (106_u32 & 7))), (if a2 { v18 } else { v18 }).id];
    }
    y6[[j, i]] += ((if a2 { ((y6[[j, i]]).min(y6[[j, i]]) - math::rsqrt(y6[[j, i]])) } else { y6[[j, i]] }) + (y6[[j, i]]).signum());
    y7[[j, i]] = y7[[j, i]].wrapping_add(y7[[j, i]]);
    y8[[j, i]] = (math::tanh(((-y8[[j, i]]) % (math::atan(y8[[j, i]]) + 0.5))) - (math::exp((y8[[j, i]] / y8[[j, i]])) * (if (y8[[j, i]]).is_nan() { (-(j as f64)) } else { (y8[[j, i]] * y8[[j, i]]) })));
    let v27: [f32; N] = [((y6[[j, i]]).powi(-1) * math::sin(9.92_f32)); N];
}

fn run_k011(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let a2 = inputs.value::<bool>(1);
    let a3 = inputs.value::<Cell>(2);
    let x4 = inputs.matrix::<usize>(3);
    let x5 = inputs.array::<u64>(4);
    let mut y6 = inputs.matrix::<f32>(5);
    let mut y7 = inputs.matrix::<u16>(6);
    let mut y8 = inputs.matrix::<f64>(7);
    rt.submit(k011(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k012(a1: usize, a2: Cell, a3: isize, x4: &[isize], x5: &[isize], y6: &mut [f32], y7: &mut [f32], c: &[Atomic<i64>]) {
    let i = global_id(0);
    let mut v8 = (!(26_i8).wrapping_add(74));
    for n9 in (2..=3_u8).rev().step_by(2) {
        let mut v8 = (!(((a3 as f64) * (v8 as f64)) != ((a1 as f64) + 35.954_f64)));
        v8 &= ((i as usize).abs_diff((i as usize)) != (a1).clamp(40, 94));
        for n10 in 0_u64..=3 {
            y6[i] = far::wave((-far::total([y7[i], 49.409_f32, y6[i], y6[i]])), y6[i]);
        }
    }
    for n11 in (0..=4_i32).rev().step_by(2) {
        if false {
            continue;
        }
        let mut n12 = 4_u32;
        while n12 > 0 {
            n12 -= 1;
            if ((if (!false) { ((n11 as i16) & (n11 as i16)) } else { (n11 as i16).wrapping_add(32) }) <= (a1 as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v13: f32 = ((((a1 as f32) - y6[i]) * (n11 as f32).hypot(y7[i])) / (math::erf(y7[i])).ceil());
                    let v14: i64 = (((v8 as i64).rem_euclid(((v8 as i64) & 7) + 1) / (((n11 as i64) & 7) + 1)) ^ (n11 as i64).signum().wrapping_mul(((v8 as i16) as i64)));
                    if ((({ let t15 = (n11 as i16); n11 }) as i64) <= ((v14 ^ v14) >> 0)) {
                        let mut v16: i16 = (((a3 as i16).wrapping_add(94) & 11_i16) | (({ let t17 = (a3 as i16); (t17 as i64) }) as i16));
                    } else {
                        v8 %= ((v8).saturating_sub(v8).clamp(48, 76) & 7) + 1;
                        let mut v18 = (80_u16).wrapping_mul(96).clamp(5, 94).rotate_right(2);
                    }
                }
                let mut v19 = [(a1 as u32).rotate_right(7), ((6_u32 ^ (i as u32)) >> 2), ({ let t20 = (i as u16); (far::MASK >> ((t20 as u32) & 7)) })];
            }
        }
    }
    y6[i] += ((y7[i]) as f32);
    y7[i] *= (if (!(if true { ({ let t21 = (a3 as f64); true }) } else { (v8 > v8) })) { (((if true { (a1 as f32) } else { 26.265_f32 }) + (-10.8_f32)) * ((if false { y7[i] } else { 5.481_f32 }) % (((x4[((if false { i } else { (i as usize) })) % x4.len()]) as f32) + 0.5))) } else { y7[i] });
    c[((a1).div_euclid(((a1).clamp(10, 84) & 7) + 1)) % c.len()].fetch_max((107_i64).rotate_right(1).rotate_right(6));
    v8 ^= (v8).signum().clamp(13, 62).wrapping_mul((!(v8 as i8)));
}

fn run_k012(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<usize>(0);
    let a2 = inputs.value::<Cell>(1);
    let a3 = inputs.value::<isize>(2);
    let x4 = inputs.array::<isize>(3);
    let x5 = inputs.array::<isize>(4);
    let mut y6 = inputs.array::<f32>(5);
    let mut y7 = inputs.array::<f32>(6);
    let mut c = inputs.array::<i64>(7);
    rt.submit(k012(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k013(a1: bool, a2: Cell, x3: &[usize], x4: &[isize], y5: &mut [i32], y6: &mut [f32], y7: &mut [f32], #[reduce(|)] s: &mut i64) {
    let i = global_id(0);
    let mut v8 = (!(26_i8).wrapping_add(74));
    for n9 in (2..=3_u8).rev().step_by(2) {
        let mut v8 = (!(((n9 as f64) * (n9 as f64)) != ((v8 as f64) + 35.954_f64)));
        v8 &= ((x3[((if i > 0 { x3[i - 1] } else { 0_usize }).wrapping_mul(17)) % x3.len()]).abs_diff(i) != ((if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }) & (if i + 2 < x3.len() { x3[i + 2] } else { 0_usize })));
        if (-(Cell { rho: 32.45_f64, mass: 35.186_f32, id: 22_u32 }).rho).is_nan() {
            let mut v10 = (((121_i8).rotate_left(7) & ((i as i8) as i8)) as i32);
            let mut v11: [f32; N] = (if (!((i as u64) < (v10 as u64))) { [({ let t12 = (if i > 0 { x3[i - 1] } else { 0_usize }); y7[i] }), (n9 as f32), far::wave((v10 as f32), (i as f32)), ([1.149_f32; N])[(x3[((i % ((x3[((if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }).wrapping_sub(x3[i])) % x3.len()] & 7) + 1))) % x3.len()]) % N]] } else { [math::exp2(y7[i]); N] });
        } else {
            let v13: i64 = ((n9 as i64).wrapping_sub(3).rem_euclid(((27_i64).wrapping_add(89) & 7) + 1) / ((((n9 as i64) & (n9 as i64)).signum() & 7) + 1));
            if ((({ let t14 = (n9 as i16); y5[i] }) as i64) <= (v13).rem_euclid((v13 & 7) + 1).div_euclid(((v13).wrapping_mul(v13) & 7) + 1)) {
                let v8 = ((v13 as u8) | ((n9).abs_diff((n9 as u8)) | (n9 >> ((v13 as u32) & 7))));
            }
        }
    }
    let mut v15 = (((i as f64) - (v8 as f64)).powi(3) / (i as f64).sqrt().recip());
    let v16 = (((if i + 2 < x4.len() { x4[i + 2] } else { 0_isize }).wrapping_mul(6) | (x4[i] & x4[i])) ^ ({ let t17 = 127_u16; x4[i] }).clamp(26, 72));
    if (!((y5[i]).div_euclid((8_i32 & 7) + 1) <= (y5[i] / ((y5[i] & 7) + 1)))) {
        if (((if true { (i as f64) } else { (v8 as f64) }) % ((v15 - far::SCALE) + 0.5)) <= ({ let t18 = ((v16 as f64) + v15); (t18 * (i as f64)) })) {
            v15 *= (((14_isize).wrapping_add((if i + 2 < x4.len() { x4[i + 2] } else { 0_isize })) as f64) - ((i as u8) as f64));
            let mut v19 = (x3[i]).clamp(34, 54);
        }
        v15 -= ((if a1 { (i as f64) } else { v15 }).round() * ((v15 + v15) - (v15 * v15)));
    }
    y5[i] ^= (y5[i]).div_euclid(((y5[i] >> 2) & 7) + 1);
    y6[i] = (y6[i]).mul_add((y7[i] * y7[i]).powi(0).powi(2), ((Cell { rho: v15, mass: y7[i], id: (i as u32) }).mass / math::ln((if a1 { y6[i] } else { y6[i] }))));
    y7[i] += (-far::wave((-33.750_f32).atan2((y7[i] - y7[i])), (if ({ let t20 = (v16 as i64); a1 }) { ((v16 as f32) * y6[i]) } else { (v16 as f32).abs() })));
    *s |= ((86_i64).clamp(11, 86).clamp(31, 71) ^ ((106_i64).max((i as i64)) ^ (if a1 { (v8 as i64) } else { (i as i64) })));
}

fn run_k013(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<bool>(0);
    let a2 = inputs.value::<Cell>(1);
    let x3 = inputs.array::<usize>(2);
    let x4 = inputs.array::<isize>(3);
    let mut y5 = inputs.array::<i32>(4);
    let mut y6 = inputs.array::<f32>(5);
    let mut y7 = inputs.array::<f32>(6);
    let mut s = Var::new(inputs.cell::<i64>(7));
    rt.submit(k013(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k014(a1: i64, a2: usize, a3: isize, x4: &[i32], x5: &[f32], x6: &[f32], y7: &mut [f32], y8: &mut [i8], y9: &mut [Cell]) {
    let i = global_id(0);
    let mut v10 = [(-math::log10(x5[i])); N];
    let mut n11 = 2_u32;
    loop {
        if n11 == 0 {
            break;
        }
        n11 -= 1;
        let mut v10 = (!(((a2 as f64) * (a2 as f64)) != ((a1 as f64) + 35.954_f64)));
    }
    v10[((if false { (a2 as usize) } else { a2 }).rotate_right(4)) % N] = (math::erf((if true { y7[i] } else { x6[i] })) - (41.962_f32 - x5[i]).fract());
    let mut v12: i32 = (if (far::SCALE).is_nan() { (!(a2 as i32)) } else { ((if i + 2 < x4.len() { x4[i + 2] } else { 0_i32 }) ^ x4[((i).wrapping_sub(i)) % x4.len()]) }).wrapping_sub(43);
    if (far::series((far::SCALE).hypot(14.656_f64), (a1 as u32).wrapping_mul((a2 as u32))) < math::sin(math::tanh(15.251_f64))) {
        let mut v13: f32 = ((x5[((a2 % ((a2 & 7) + 1))) % x5.len()] + (if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 })).floor() - (48.871_f32 / 36.720_f32).powi(0));
    }
    let mut n14 = 2_u32;
    loop {
        if n14 == 0 {
            break;
        }
        n14 -= 1;
        if ({ let t15 = ((false) as usize); ((i as i16) < (a2 as i16)) }) {
            break;
        }
        let mut n16 = 2_u32;
        while n16 > 0 {
            n16 -= 1;
            v12 |= ((if i > 0 { x4[i - 1] } else { 0_i32 }) & (v12).rotate_left(0)).wrapping_add(1);
        }
        v12 %= ((v12 as i32).saturating_sub((if i + 2 < x4.len() { x4[i + 2] } else { 0_i32 })).wrapping_mul(((if i > 0 { x4[i - 1] } else { 0_i32 }) % (((if i > 0 { x4[i - 1] } else { 0_i32 }) & 7) + 1))) & 7) + 1;
    }
    let v17 = math::erf(({ let t18 = ((v12 as i64) % ((a1 & 7) + 1)); (if true { (v12 as f32) } else { y7[i] }) }));
    v10[(i) % N] = (-(-(if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 })).powi(0));
    if ((63_isize | a3).wrapping_sub((a3).wrapping_neg()) > ((a3).signum() >> 5)) {
        if true {
            let v19 = y9[i];
        }
    }
    y7[i] = (if (if i + 2 < x6.len() { x6[i + 2] } else { 0.0_f32 }).mul_add((i as f32), y7[i]).is_nan() { ({ let t20 = (if i + 2 < x6.len() { x6[i + 2] } else { 0.0_f32 }); (y7[i] % (9.164_f32 + 0.5)) }) } else { (if ((a3 as u64) < (a2 as u64)) { (v17).max((if i > 0 { x5[i - 1] } else { 0.0_f32 })) } else { (y7[i]).mul_add(x6[i], (if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 })) }) }).powi(2);
    y8[i] ^= ((y8[i]).wrapping_sub(3).wrapping_sub((y8[i]).rotate_right(5)).wrapping_add((i as i8).wrapping_mul((a1 as i8)).rotate_left(5)) & (if false { (y8[i] >> 3) } else { ((a3 as i8) >> ((v12 as u32) & 7)) }).clamp(10, 84));
    y9[i].id = (far::TABLE[i % 8]).max((a1 as usize).leading_zeros().clamp(13, 62));
    v10[((i).rem_euclid((i & 7) + 1).clamp(36, 60)) % N] = (if (if (true ^ false) { ((a3 as f64) < (a1 as f64)) } else { (far::SCALE).is_nan() }) { math::exp2((v17 / y7[i])) } else { ((-x5[((a2).saturating_add(a2)) % x5.len()]) % ((v17).recip() + 0.5)) });
}

fn run_k014(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i64>(0);
    let a2 = inputs.value::<usize>(1);
    let a3 = inputs.value::<isize>(2);
    let x4 = inputs.array::<i32>(3);
    let x5 = inputs.array::<f32>(4);
    let x6 = inputs.array::<f32>(5);
    let mut y7 = inputs.array::<f32>(6);
    let mut y8 = inputs.array::<i8>(7);
    let mut y9 = inputs.array::<Cell>(8);
    rt.submit(k014(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8, &mut y9)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&y9.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k015(a1: Cell, x2: View<'_, usize, 2>, x3: &[u64], y4: ViewMut<'_, f32, 2>, #[out(partial)] y5: ViewMut<'_, u16, 2>, #[out(partial)] y6: ViewMut<'_, f64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    for n7 in (2..6_i32).step_by(2) {
        if ({ let t8 = (far::scaled(0.229_f64) / (-y6[[j, i]])); ((n7 as i64).wrapping_neg() == ((i as i64) | (j as i64))) }) {
            let mut v9: i8 = (i as i8).rem_euclid((84_i8 & 7) + 1).wrapping_sub(((n7 as i8) >> (47_u32 & 7))).rotate_left(2);
            let mut v10: u64 = ((((if i + 2 < x3.len() { x3[i + 2] } else { 0_u64 }) << 2) >> (((n7 as u32) ^ (v9 as u32)) & 7)) >> (((89_u32).wrapping_sub((v9 as u32)) >> ((68_u32 << 2) & 7)) & 7));
        } else {
            let mut v11 = (if ({ let t12 = x2[[j, i]]; true }) { (n7 as u32).wrapping_sub((n7 as u32)) } else { ({ let t13 = (if j > 0 { x2[[j - 1, i]] } else { 0_usize }); (n7 as u32) }) }).max(((n7 as u32) | (j as u32)).clamp(49, 91));
            let mut v14: f32 = ((((y4[[j, i]]) as f32) - (y4[[j, i]] + y4[[j, i]])) * (math::erf(y4[[j, i]])).ceil());
        }
        let v15 = 91_i64;
    }
    let v16: Cell = far::moved(Cell { rho: (y6[[j, i]] * y6[[j, i]]), mass: (far::WEIGHTS[i % N]).signum(), id: (i as i16).count_ones() }, ((27_u8).abs_diff(71_u8) as f32));
    let mut n17 = 4_u32;
    loop {
        if n17 == 0 {
            break;
        }
        n17 -= 1;
        let mut n18 = 5_u32;
        while n18 > 0 {
            n18 -= 1;
            if true {
                break;
            }
            let v19 = (i as i8).saturating_sub(77_i8).signum().rotate_right(4);
        }
    }
    let v20 = (if ((y6[[j, i]] / y6[[j, i]]) >= (if false { y6[[j, i]] } else { (i as f64) })) { ((if j > 0 { x2[[j - 1, i]] } else { 0_usize }).clamp(6, 98) >> ((j as u32) & 7)) } else { (if j + 1 < x2.extent(0) && i > 0 { x2[[j + 1, i - 1]] } else { 0_usize }).wrapping_sub((if j + 1 < x2.extent(0) && i > 0 { x2[[j + 1, i - 1]] } else { 0_usize })).abs_diff((x2[[(((j as isize) as usize)) % x2.extent(0), i]]).rotate_right(0)) });
    let v21 = [({ let t22 = y5[[j, i]]; (t22 as u32) }).max(((v20 as u32) >> 2)), ((16_u32).clamp(22, 81) / (((v20 as u32) & 7) + 1)), ((j as u32).wrapping_mul((j as u32)) >> (far::MASK & 7))];
    let v23 = (if true { ({ let t24 = (47.409_f64 - y6[[j, i]]); math::log10(t24) }) } else { ((y6[[j, i]] + y6[[j, i]]) * (y6[[j, i]]).trunc()) });
    {
        let mut v16: u8 = ((66_u8).wrapping_add((i as u8)).wrapping_add((v20 as u8).rotate_left(0)) >> 0);
    }
    y4[[j, i]] += y4[[j, i]];
    y5[[j, i]] ^= y5[[j, i]];
    y6[[j, i]] *= (if (((y5[[j, i]]).abs_diff(y5[[j, i]]) >> ((v20 as u32).rotate_right(1) & 7)) < (({ let t25 = (j as i8); y5[[j, i]] }) & (y5[[j, i]] % (((j as u16) & 7) + 1)))) { ((if true { (y6[[j, i]] + y6[[j, i]]) } else { (-y6[[j, i]]) }) - math::atan(((v20 as f64) / y6[[j, i]]))) } else { ((y6[[j, i]]).powi(0).powi(-1) / (((j as f32) * (v20 as f32)) as f64)) });
    let mut v26 = ((y4[[j, i]]).powi(-1) * math::sin(34.959_f32)).abs();
}

fn run_k015(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let x2 = inputs.matrix::<usize>(1);
    let x3 = inputs.array::<u64>(2);
    let mut y4 = inputs.matrix::<f32>(3);
    let mut y5 = inputs.matrix::<u16>(4);
    let mut y6 = inputs.matrix::<f64>(5);
    rt.submit(k015(a1, &x2, &x3, &mut y4, &mut y5, &mut y6)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k016(a1: isize, x2: &[isize], x3: &[isize], y4: &mut [f32], y5: &mut [f32], #[reduce(|)] s: &mut i64) {
    let i = global_id(0);
    let mut v6 = (!(26_i8).wrapping_add(74));
    for n7 in (2..=3_u8).rev().step_by(2) {
        let mut v6 = (!(((i as f64) * (i as f64)) != ((a1 as f64) + 35.954_f64)));
        v6 &= ((n7 as usize).abs_diff((a1 as usize)) != (i).clamp(40, 94));
        for n8 in 0_u64..=3 {
            y4[i] = far::wave((-far::total([y5[i], 49.409_f32, y4[i], y4[i]])), y4[i]);
        }
    }
    for n9 in (0..=4_i32).rev().step_by(2) {
        if false {
            continue;
        }
        let mut n10 = 4_u32;
        while n10 > 0 {
            n10 -= 1;
            if ((if (!false) { ((v6 as i16) & (a1 as i16)) } else { (v6 as i16).wrapping_add(32) }) <= (a1 as i16).clamp(49, 91).rotate_left(0)) {
                {
                    let v11: f32 = ((((v6 as f32) - y4[i]) * (a1 as f32).hypot(y5[i])) / (math::erf(y5[i])).ceil());
                    let v12: i64 = (((i as i64).rem_euclid(((n9 as i64) & 7) + 1) / (((v6 as i64) & 7) + 1)) ^ (i as i64).signum().wrapping_mul(((n9 as i16) as i64)));
                    if ((({ let t13 = (a1 as i16); n9 }) as i64) <= ((v12 ^ v12) >> 0)) {
                        let mut v14: i16 = (((v12 as i16).wrapping_add(94) & 11_i16) | (({ let t15 = (v12 as i16); (a1 as i64) }) as i16));
                    } else {
                        v6 %= ((v6).saturating_sub(v6).clamp(48, 76) & 7) + 1;
                        let mut v16 = (80_u16).wrapping_mul(96).clamp(5, 94).rotate_right(2);
                    }
                }
                let mut v17 = [(i as u32).rotate_right(7), ((6_u32 ^ (a1 as u32)) >> 2), ({ let t18 = (n9 as u16); (far::MASK >> ((i as u32) & 7)) })];
            }
        }
    }
    y4[i] += ((y5[i]) as f32);
    y5[i] *= (if (!(if true { ({ let t19 = (v6 as f64); true }) } else { (v6 > v6) })) { (((if true { (a1 as f32) } else { 26.265_f32 }) + (-10.8_f32)) * ((if false { y5[i] } else { 5.481_f32 }) % (((x2[((if false { i } else { (v6 as usize) })) % x2.len()]) as f32) + 0.5))) } else { y5[i] });
    *s |= (i as i64).div_euclid(((if true { (i as i64) } else { (v6 as i64) }).clamp(10, 84) & 7) + 1);
}

fn run_k016(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<isize>(0);
    let x2 = inputs.array::<isize>(1);
    let x3 = inputs.array::<isize>(2);
    let mut y4 = inputs.array::<f32>(3);
    let mut y5 = inputs.array::<f32>(4);
    let mut s = Var::new(inputs.cell::<i64>(5));
    rt.submit(k016(a1, &x2, &x3, &mut y4, &mut y5, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k017(a1: usize, a2: isize, x3: &[i32], x4: &[f32], x5: &[f32], y6: &mut [f32], y7: &mut [i8], y8: &mut [Cell], c: &[Atomic<u32>]) {
    let i = global_id(0);
    if (!(((i as u8) as i16) <= (a2 as i16).rem_euclid(((a2 as i16) & 7) + 1))) {
        let v9: [u32; 3] = [((a1 as u32).wrapping_add((a1 as u32)) & (98_u32 | 86_u32)), (((a1 as f32) as u32) >> ((a1 as u32) & 7)), (if true { (a1 as u32) } else { (i as u32) }).clamp(40, 94)];
        y6[i] = far::wave((-far::total([y6[i], 49.409_f32, y6[i], x4[i]])), (((i as f32) + (i as f32)) / y6[i]).mul_add((y6[i] - far::WEIGHTS[i % N]).fract(), ((if i > 0 { x5[i - 1] } else { 0.0_f32 }) / y6[i]).mul_add((-x4[i]), (-(a2 as f32)))));
    } else {
        let v10: [f32; N] = ({ let t11 = 104_i64; [(y6[i] / x5[i]), ((if i > 0 { x4[i - 1] } else { 0.0_f32 }) % (x5[((a1 as usize).wrapping_add(i)) % x5.len()] + 0.5)), math::exp2((if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 })), (36.720_f32).mul_add((t11 as f32), 48.871_f32)] });
    }
    let mut v12 = ({ let t13 = (((i as i16) != (i as i16)) as usize); ((t13 as i64).wrapping_sub(1) % (((a1 as i64).wrapping_add(1) & 7) + 1)) });
    let mut v14: Cell = Cell { rho: (((i as f64) + 40.975_f64) % (math::log2((a1 as f64)) + 0.5)), mass: ((i as f32) - y6[i]).round_ties_even(), id: ((107_i16).leading_zeros() % ((({ let t15 = (a2 as i16); 50_u32 }) & 7) + 1)) };
    if true {
        {
            let mut v16: [u32; 3] = [(v12 as u32).wrapping_sub(((a2 as u32) << 4)), (63_u32 | (a2 as u32)).wrapping_mul((i as u32).wrapping_sub(114_u32)), ((N).trailing_zeros() >> 5)];
            let v17 = i;
        }
        if (!((if i > 0 { x3[i - 1] } else { 0_i32 }).div_euclid(((v12 as i32) & 7) + 1) <= (9_i32).wrapping_sub((if i > 0 { x3[i - 1] } else { 0_i32 })))) {
            v14.mass += (((a2 as f32).powi(2) - (x5[((a1 as usize).wrapping_add(88)) % x5.len()]).powf(26.265_f32)) - (-((if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 }) % (far::WEIGHTS[i % N] + 0.5))));
        } else {
            v14.rho = (((14_isize).wrapping_add(a2) as f64) - ((a2 as u8) as f64));
            let mut v18 = (i).clamp(34, 54);
        }
        v14.mass += (far::wave(math::rsqrt((if i > 0 { x5[i - 1] } else { 0.0_f32 })), (if i > 0 { x5[i - 1] } else { 0.0_f32 }))).min(math::rsqrt(((if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 }) + (if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f32 }))));
    } else {
        v12 >>= 3;
    }
    y6[i] += (((-([3.199_f32; N])[((v12 as usize)) % N]) + ((y6[i] - y6[i]) * ((if i > 0 { x5[i - 1] } else { 0.0_f32 }) * (if i > 0 { x4[i - 1] } else { 0.0_f32 })))) + ((Cell { rho: (v12 as f64), mass: y6[i], id: (i as u32) }).mass / math::ln((if true { x5[((14_usize >> (60_u32 & 7))) % x5.len()] } else { (a1 as f32) }))));
    y7[i] ^= (((y7[i]).wrapping_mul(5) >> 2) >> 1).rotate_left(1);
    y8[i].id = (((a1 as u32).saturating_sub((v12 as u32)) | ((17_i16) as u32)) / (((116_u32).clamp(11, 86).clamp(31, 71) & 7) + 1));
    c[(((a1).rotate_left(5) / ((({ let t19 = x3[i]; i }) & 7) + 1))) % c.len()].fetch_max((if false { (i as u32) } else { (a2 as u32) }).min((92_u32).max((a1 as u32))));
    v14.mass += ((-(x4[(a1) % x4.len()] - y6[i])) + (([3.70_f32; N])[((i as usize)) % N] % ((30.150_f32 - (if i > 0 { x4[i - 1] } else { 0.0_f32 })) + 0.5)));
}

fn run_k017(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<usize>(0);
    let a2 = inputs.value::<isize>(1);
    let x3 = inputs.array::<i32>(2);
    let x4 = inputs.array::<f32>(3);
    let x5 = inputs.array::<f32>(4);
    let mut y6 = inputs.array::<f32>(5);
    let mut y7 = inputs.array::<i8>(6);
    let mut y8 = inputs.array::<Cell>(7);
    let mut c = inputs.array::<u32>(8);
    rt.submit(k017(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k018(a1: bool, a2: isize, a3: isize, x4: &[f32], x5: &[f32], y6: &mut [f32], y7: &mut [i8], y8: &mut [Cell]) {
    let i = global_id(0);
    let mut v9 = [(-math::log10(x4[i])); N];
    let mut n10 = 2_u32;
    loop {
        if n10 == 0 {
            break;
        }
        n10 -= 1;
        let mut v9 = (!(((i as f64) * (i as f64)) != ((a3 as f64) + 35.954_f64)));
    }
    v9[((if false { i } else { i }).rotate_right(4)) % N] = (math::erf((if true { (if i > 0 { x4[i - 1] } else { 0.0_f32 }) } else { y6[i] })) - (a2 as f32).ceil().trunc());
    v9[((i ^ i).wrapping_sub((i ^ i))) % N] = (((if true { far::WEIGHTS[i % N] } else { x4[i] }) - (-(a3 as f32))) - (far::wave(x5[((i | i)) % x5.len()], y6[i]) / y6[i]));
    let mut v11: bool = ({ let t12 = 104_i64; a1 });
    if ((x5[((i).abs_diff(i)) % x5.len()]).sqrt() as f64).is_finite() {
        {
            let mut v13 = ((!(a2 as i64)).wrapping_neg() % (((i as i64).wrapping_sub(3) & 7) + 1));
            {
                y7[i] ^= y7[i];
                y8[i].id = (({ let t14 = (i as f64); (v13 as u32) }).wrapping_sub(1) % (((((v13 as u32) & 67_u32) / (((v13 as u32).rotate_right(1) & 7) + 1)) & 7) + 1));
                let mut v15: i16 = (((a3 as i16).wrapping_add(94) & 11_i16) | (({ let t16 = (a3 as i16); (t16 as i64) }) as i16));
            }
        }
        y8[i].rho += far::series((-14.142_f64).mul_add(((i as f64) / (a2 as f64)), ((i as f64) + (i as f64))), (11_u32).rotate_right(6).wrapping_sub((a2 as i32).count_ones()));
        let mut n17 = 5_u32;
        while n17 > 0 {
            n17 -= 1;
            if ((y6[i]).mul_add(far::WEIGHTS[i % N], (a2 as f32)) != ((i as f32) - y6[i])) {
                break;
            }
            let mut v18 = (if (x5[i]).mul_add(43.469_f32, x4[((i >> (9_u32 & 7))) % x4.len()]).is_nan() { (if ((if i > 0 { x4[i - 1] } else { 0.0_f32 }) <= (a3 as f32)) { ((a3 as i16) >> ((a3 as u32) & 7)) } else { (a3 as i16).div_euclid(((a3 as i16) & 7) + 1) }) } else { (112_i16).rotate_right(5).wrapping_sub((115_i16).wrapping_add((a3 as i16))) });
        }
    } else {
        v9[(((14_usize).clamp(15, 78) | (i).div_euclid((i & 7) + 1))) % N] = (-(if ((i as u16) < 57_u16) { (y6[i] % (y6[i] + 0.5)) } else { ((if i > 0 { x5[i - 1] } else { 0.0_f32 }) * (i as f32)) }));
    }
    y6[i] *= ((((y6[i] + y6[i]) - (if false { 9.286_f32 } else { y6[i] })) * ((-x5[((i).rotate_right(5)) % x5.len()]) % ((x4[((i >> 3)) % x4.len()]).ceil() + 0.5))) - ((((a2 as f32) * (i as f32)) as f32) * ((y8[i]).mass).mul_add(((x4[i]) as f32), math::log10((a2 as f32)))));
    y7[i] ^= (a3 as i8);
    y8[i].rho += (((a2 as f64) / (i as f64)) / (32.101_f64 - (a3 as f64))).mul_add((if v11 { 29.648_f64 } else { (i as f64) }).mul_add(math::ln((a3 as f64)), (31.753_f64 * (i as f64))), (((a3 as f64) + 2.711_f64) + ((y6[i]) as f64)));
    v9[((i << 0).abs_diff((if false { i } else { i }))) % N] = (y6[i]).min(x4[i]).sqrt().trunc();
}

fn run_k018(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<bool>(0);
    let a2 = inputs.value::<isize>(1);
    let a3 = inputs.value::<isize>(2);
    let x4 = inputs.array::<f32>(3);
    let x5 = inputs.array::<f32>(4);
    let mut y6 = inputs.array::<f32>(5);
    let mut y7 = inputs.array::<i8>(6);
    let mut y8 = inputs.array::<Cell>(7);
    rt.submit(k018(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k019(a1: u8, a2: f64, x3: View<'_, f32, 2>, x4: View<'_, f32, 2>, x5: &[f32], y6: ViewMut<'_, u64, 2>, #[out(partial)] y7: ViewMut<'_, i64, 2>, #[out(partial)] y8: ViewMut<'_, u64, 2>, #[reduce(max)] s: &mut f32) {
    let (j, i) = (global_id(1), global_id(0));
    let mut n9 = 5_u32;
    while n9 > 0 {
        n9 -= 1;
        if (((94_isize <= (i as isize)) != (x5[((a1 as usize)) % x5.len()] > (if j > 0 { x4[[j - 1, i]] } else { 0.0_f32 }))) ^ ((x3[[(i) % x3.extent(0), i]] < (i as f32)) ^ ((j as u32) >= (j as u32)))) {
            for n10 in 1..6_i64 {
                if (((a1 as u16) & (a1 as u16)) != 22_u16) {
                    break;
                }
                let mut v11 = (((121_i8).rotate_left(7) & ((a1 as i8) as i8)) as i8);
                let mut v12: [f32; N] = (if (!(y6[[j, i]] < y6[[j, i]])) { [far::total([39.838_f32; N]), ((v11 as i32) as f32), (if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 }).max(x5[i]), (if true { x3[[j, i]] } else { (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }) })] } else { (if (j != j) { [(v11 as f32), (if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 }), x4[[j, i]], (if i > 0 { x5[i - 1] } else { 0.0_f32 })] } else { [(if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 }); N] }) });
            }
            let v13: i16 = (!(i as i16).wrapping_mul(53)).wrapping_neg();
            *s = s.max((((x4[[j, i]]).powi(2) % ((if j > 0 { x4[[j - 1, i]] } else { 0.0_f32 }).min((if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 })) + 0.5)) * ({ let t14 = y7[[j, i]]; x5[(({ let t15 = v13; j })) % x5.len()] }).powi(-1)));
        } else {
            if (a2 % (a2 + 0.5)).mul_add(math::atan((j as f64)), (a2).floor()).is_finite() {
                let mut v16 = [(((if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }) - (j as f32)) * math::cos(x5[i])), (if (!true) { (x4[[j, i]]).mul_add(x5[i], (j as f32)) } else { (x4[[j, i]]).trunc() }), (math::log2(14.142_f32) % ((47.962_f32 * x3[[((11_usize | i)) % x3.extent(0), i]]) + 0.5)), ((x5[i] / (a1 as f32)) / (a1 as f32).sqrt())];
                let mut v16 = false;
            }
            let mut v17 = [((j as u32) >> ((j as u32) & 7)).wrapping_sub(((j as u32) % (((i as u32) & 7) + 1))), ({ let t18 = (105_i8).rotate_left(5); ((a1 as u32) >> ((t18 as u32) & 7)) }), (Cell { rho: 12.392_f64, mass: 26.453_f32, id: 114_u32 }).id];
        }
    }
    {
        let mut v19 = ((if ((j as f32) >= (a1 as f32)) { (a1).wrapping_add(a1) } else { (a1).wrapping_sub(a1) }) >> 2);
    }
    y6[[j, i]] = (y6[[j, i]]).rotate_right(5).rem_euclid(((a1 as u64) & 7) + 1).saturating_add(122_u64).wrapping_add(9);
    y7[[j, i]] = y7[[j, i]].wrapping_add((if (i as f64).trunc().is_finite() { (a1 as i64).wrapping_mul(y7[[j, i]]).wrapping_mul((79_i64).wrapping_add(y7[[j, i]])) } else { y7[[j, i]] }));
    y8[[j, i]] = (y6[[j, i]] % ((((if false { y8[[j, i]] } else { y6[[j, i]] }) % ((y6[[j, i]] & 7) + 1)).div_euclid((((y8[[j, i]]).wrapping_mul((i as u64)) ^ (y6[[j, i]]).saturating_sub(y6[[j, i]])) & 7) + 1) & 7) + 1));
    *s = s.max((math::sin((x4[[((j & (a1 as usize))) % x4.extent(0), i]] + (if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 }))) * (((j as f32) / (if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 })) / ({ let t20 = (i as i64); (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }) }))));
}

fn run_k019(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u8>(0);
    let a2 = inputs.value::<f64>(1);
    let x3 = inputs.matrix::<f32>(2);
    let x4 = inputs.matrix::<f32>(3);
    let x5 = inputs.array::<f32>(4);
    let mut y6 = inputs.matrix::<u64>(5);
    let mut y7 = inputs.matrix::<i64>(6);
    let mut y8 = inputs.matrix::<u64>(7);
    let mut s = Var::new(inputs.cell::<f32>(8));
    rt.submit(k019(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut y8, &mut s)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k020(a1: isize, a2: isize, x3: &[f32], x4: &[f32], y5: &mut [f32], y6: &mut [i8], y7: &mut [Cell]) {
    let i = global_id(0);
    let mut v8 = [(-math::log10(x3[i])); N];
    let mut n9 = 2_u32;
    loop {
        if n9 == 0 {
            break;
        }
        n9 -= 1;
        let mut v8 = (!(((i as f64) * (i as f64)) != ((a2 as f64) + 35.954_f64)));
    }
    v8[((if false { (a1 as usize) } else { i }).rotate_right(4)) % N] = (math::erf((if true { y5[i] } else { x4[i] })) - (41.962_f32 - x3[i]).fract());
    let mut v10: i32 = (if (far::SCALE).is_nan() { (!(i as i32)) } else { ((a1 as i32) ^ 26_i32) }).wrapping_sub(43);
    for n11 in 1_i32..=3 {
        if ({ let t12 = (i ^ i); (true | false) }) {
            break;
        }
        let mut v13: [u32; 3] = [((a2 as u32) | (a2 as u32)).clamp(49, 91), ((a1 as u32) & (i as u32)).trailing_zeros(), (a2 as u32).min((v10 as u32)).wrapping_mul((v10 as u32).wrapping_sub((a1 as u32)))];
        let v14: i16 = ((v10 as u64).wrapping_sub(3).rem_euclid(((27_u64).wrapping_add(89) & 7) + 1) as i16);
        {
            y5[i] *= (-(v14 as f32).powi(2).abs().powi(-1));
            for n15 in (2..4_i32).step_by(1) {
                if true {
                    break;
                }
                let v16 = (y6[i]).saturating_sub(y6[i]).signum().rotate_right(4);
                v13[((i | (v16 as usize)).saturating_sub(((a2 as usize) | i))) % 3] |= 50_u32;
                if ((v16).saturating_sub(y6[i]).rem_euclid(((!v16) & 7) + 1) == ((n15 as i8) / ((y6[i] & 7) + 1)).wrapping_mul(13)) {
                    {
                        let v17 = ({ let t18 = ((v10 as u16) >> (21_u32 & 7)); (x3[((a1 as usize).clamp(22, 81)) % x3.len()]).powf(x3[i]) }).max(math::log10((y5[i] + (i as f32))));
                    }
                }
            }
        }
    }
    y5[i] += ((x4[i]) as f32);
    y6[i] = ((if (v10 == v10) { (101_u16).wrapping_add(8) } else { (if false { 109_u16 } else { (a2 as u16) }) }) as i8).wrapping_mul(({ let t19 = (47.409_f64 - (a1 as f64)); (y6[i]).saturating_add(y6[i]) }).rotate_left(3));
    y7[i] = y7[i];
    v10 %= (((48.305_f64) as i32).clamp(15, 78) & 7) + 1;
}

fn run_k020(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<isize>(0);
    let a2 = inputs.value::<isize>(1);
    let x3 = inputs.array::<f32>(2);
    let x4 = inputs.array::<f32>(3);
    let mut y5 = inputs.array::<f32>(4);
    let mut y6 = inputs.array::<i8>(5);
    let mut y7 = inputs.array::<Cell>(6);
    rt.submit(k020(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k021(a1: u64, a2: i32, a3: f32, x4: &[f64], x5: &[i32], y6: &mut [Cell], y7: &mut [i16], y8: &mut [Real]) {
    let i = global_id(0);
    for n9 in 2_isize..=5 {
        let mut v10: u8 = (if ((a2 as f32) / (a2 as f32)).is_nan() { ((a2 as u8).wrapping_add((a2 as u8)) & (10_u8 | (a2 as u8))) } else { (if false { 123_u8 } else { 86_u8 }).rotate_right(2) });
        v10 %= ((if true { v10 } else { v10 }).clamp(40, 94) & 7) + 1;
    }
    let v11 = (far::total([35.982_f32; N])).floor().ceil();
    let v12 = [({ let t13 = ((a1 as i8) as isize); (55_u32 << 2) }), ((a1 as i8).wrapping_sub((a2 as i8)) as u32), ((i as u32).wrapping_mul(34) ^ (i as u32).wrapping_add(32))];
    {
        let v14: Real = ((if true { 39_i8 } else { (a1 as i8) }).rotate_right(3) as f64);
        let mut v15: bool = (math::tan(v11) + (v11 + v11)).is_nan();
        let v16: i16 = ((a1).wrapping_sub(3).rem_euclid(((a2 as u64).wrapping_add(89) & 7) + 1) as i16);
    }
    if ((i as u8).clamp(27, 51).wrapping_mul(12) > ((i as u8) & (i as u8)).wrapping_add(1)) {
        let v17 = (i as i8).saturating_sub(77_i8).signum().rotate_right(4);
    }
    y6[i] = Cell { rho: (-(far::SCALE).mul_add(y8[i], y8[i])), mass: ((y6[i]).mass).mul_add((if false { far::WEIGHTS[i % N] } else { v11 }), (a3).fract()), id: ((a1 as u32) ^ 80_u32).saturating_sub((a1 as u32).wrapping_mul(13)) };
    y7[i] = y7[i].wrapping_add((63_i16).rotate_right(3).wrapping_mul((y7[i]).wrapping_neg()).wrapping_mul(96));
    y8[i] += y8[i];
    let mut v18: u16 = ((if false { (a1 as u16) } else { (a2 as u16) }).clamp(22, 81) / (((if (false != false) { (if false { (i as u16) } else { (a2 as u16) }) } else { (a1 as u16).saturating_sub(50_u16) }) & 7) + 1));
}

fn run_k021(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u64>(0);
    let a2 = inputs.value::<i32>(1);
    let a3 = inputs.value::<f32>(2);
    let x4 = inputs.array::<f64>(3);
    let x5 = inputs.array::<i32>(4);
    let mut y6 = inputs.array::<Cell>(5);
    let mut y7 = inputs.array::<i16>(6);
    let mut y8 = inputs.array::<f64>(7);
    rt.submit(k021(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut y8)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k022(a1: f64, a2: Word, x3: &[f64], x4: &[i32], y5: &mut [Cell], y6: &mut [i16], y7: &mut [Real], #[reduce(|)] s: &mut u32, c: &[Atomic<u32>]) {
    let i = global_id(0);
    let mut n8 = 5_u32;
    while n8 > 0 {
        n8 -= 1;
        if (((94_isize <= (i as isize)) != ((a2 as f32) > (i as f32))) ^ (((if i > 0 { x4[i - 1] } else { 0_i32 }) >= (a2 as i32)) != (i != (a2 as usize)))) {
            if (!((x4[i] | (if i + 2 < x4.len() { x4[i + 2] } else { 0_i32 })) > (!(i as i32)))) {
                let v9 = (if ((i != (a2 as usize)) == (a2 >= a2)) { Cell { rho: math::erf((if i > 0 { x3[i - 1] } else { 0.0_f64 })), mass: (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32), id: (a2).saturating_sub((a2 as u32)) } } else { y5[i] });
            } else {
                let mut v10: bool = ((y7[i]).hypot(y7[i]).is_nan() || (if (i != i) { (i as f32).is_nan() } else { ((a2 as i8) > (i as i8)) }));
                {
                    let v11: i64 = ((i as i64).wrapping_sub(3).rem_euclid(((27_i64).wrapping_add(89) & 7) + 1) / ((((i as i64) & (i as i64)).signum() & 7) + 1));
                }
            }
            if ((({ let t12 = y6[i]; (t12 as i32) }) as i64) <= (a2 as i64).rem_euclid(((a2 as i64) & 7) + 1).div_euclid(((a2 as i64).wrapping_mul((i as i64)) & 7) + 1)) {
                let v13 = (63_u8).wrapping_add(94);
            }
            let v14 = (if ({ let t15 = (!y6[i]); (!false) }) { (if (!true) { ((y7[i]) as i32) } else { (x4[i] ^ x4[((i).abs_diff((i as usize))) % x4.len()]) }) } else { (x4[((i).abs_diff(i)) % x4.len()]).rotate_right(3).wrapping_mul((if i > 0 { x4[i - 1] } else { 0_i32 }).wrapping_sub(123_i32)) });
        }
    }
    let v16: i16 = ({ let t17 = (i as u16); (y6[i] >> (a2 & 7)) }).clamp(26, 72);
    y5[i].id = ((10_u16) as u32).wrapping_add((if false { 21_u32 } else { a2 })).wrapping_sub((({ let t18 = a1; 74_u32 }) % ((({ let t19 = y7[i]; a2 }) & 7) + 1)));
    y5[i].rho += (math::erf(math::atan((if i > 0 { x3[i - 1] } else { 0.0_f64 })))).trunc();
    y6[i] ^= ((y6[i]).wrapping_sub(3).wrapping_sub((y6[i]).rotate_right(5)).wrapping_add((v16).wrapping_mul(v16).rotate_left(5)) & (if false { (y6[i] >> 3) } else { (v16 >> (a2 & 7)) }).clamp(10, 84));
    y7[i] *= ((((y7[i] + y7[i]) - (if false { x3[((i).clamp(36, 60)) % x3.len()] } else { (a2 as f64) })) * (if false { y7[i] } else { 31.753_f64 }).powi(2)) - ((y7[i]).powi(0).powi(-1) / (((a2 as f32) * (v16 as f32)) as f64)));
    c[(i) % c.len()].fetch_xor((a2).wrapping_sub(a2).saturating_sub((14_u32 >> ((i as u32) & 7))));
    *s |= (if false { a2 } else { (v16 as u32) }).rotate_right(0).wrapping_sub(((33.184_f32) as u32));
}

fn run_k022(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f64>(0);
    let a2 = inputs.value::<u32>(1);
    let x3 = inputs.array::<f64>(2);
    let x4 = inputs.array::<i32>(3);
    let mut y5 = inputs.array::<Cell>(4);
    let mut y6 = inputs.array::<i16>(5);
    let mut y7 = inputs.array::<f64>(6);
    let mut s = Var::new(inputs.cell::<u32>(7));
    let mut c = inputs.array::<u32>(8);
    rt.submit(k022(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut y7, &mut s, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k023(a1: isize, a2: f32, x3: View<'_, f32, 2>, y4: ViewMut<'_, f32, 2>, #[out(partial)] y5: ViewMut<'_, i8, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let v6 = [(if ((a1 as i16) <= 109_i16) { (if false { x3[[((j as usize).div_euclid(((i as usize) & 7) + 1)) % x3.extent(0), i]] } else { y4[[j, i]] }) } else { (x3[[((j).rotate_right(0)) % x3.extent(0), i]] + y4[[j, i]]) }), (((i) as f32) * (x3[[((j as usize).wrapping_mul(17)) % x3.extent(0), i]]).fract()), (if ((i as f64) >= (i as f64)) { ((a1 as f32) - (if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 })) } else { ({ let t7 = (i as u8); (j as f32) }) }), x3[[j, i]]];
    for n8 in (1_i64..4).rev() {
        if (((n8 as i32) % (((i as i32) & 7) + 1)) != (52_i32).max(4_i32)) {
            continue;
        }
        y4[[j, i]] = far::wave((y4[[j, i]]).max(y4[[j, i]]).hypot((a2).abs()).hypot(math::sin(math::tanh(y4[[j, i]]))), (if (j != j) { (x3[[((j % ((j & 7) + 1))) % x3.extent(0), i]] + y4[[j, i]]) } else { (if true { far::WEIGHTS[i % N] } else { (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }) }) }).signum());
        if (false && ((if false { 58_u64 } else { 123_u64 }) != ((n8 as i16) as u64))) {
            let mut v9 = ({ let t10 = (i as f64); y4[[j, i]] }).powi(0).abs();
        } else {
            {
                y4[[j, i]] = ((((y4[[j, i]] / y4[[j, i]]) - ((i as f32) - y4[[j, i]])) + (((i as isize) >> ((n8 as u32) & 7)) as f32)) + ((if (true ^ true) { (if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 }).mul_add(y4[[j, i]], (if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 })) } else { y4[[j, i]] }) - math::ln((a2 - y4[[j, i]]))));
            }
            let v11 = (((a1).wrapping_add(a1) | ({ let t12 = (i as u16); (i as isize) })) as i64);
        }
        if ((x3[[j, i]]).powi(0).is_nan() || (-12.221_f64).is_finite()) {
            if (if (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }).mul_add((n8 as f32), y4[[j, i]]).is_nan() { ({ let t13 = (if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }); false }) } else { (({ let t14 = 22_u32; x3[[j, i]] }) >= math::cos((if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0.0_f32 }))) }) {
                let v15: i32 = (!66_i32).wrapping_sub(((i as i32) >> (106_u32 & 7))).wrapping_sub(((j as i32) >> 0).wrapping_add(8));
                let mut v15: Cell = Cell { rho: ((if false { (v15 as f64) } else { (v15 as f64) }) - (if true { (i as f64) } else { (v15 as f64) })), mass: (if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 }).sqrt().abs(), id: (if ({ let t16 = (a1 as i8); false }) { ((a1 as u32) % (((n8 as u32) & 7) + 1)) } else { (j as u32) }) };
                let v17: usize = (i).div_euclid(((i % ((j & 7) + 1)) & 7) + 1).min((n8 as usize));
            } else {
                y4[[j, i]] += ((x3[[j, i]] + (-(y4[[j, i]]).abs())) / math::log10((math::sin(9.92_f32) * (a2).powi(-1))));
                let mut v18: f64 = (-(((j as f64) / (j as f64)) / ({ let t19 = n8; (a1 as f64) })));
            }
            let mut v20 = far::series((math::log2((j as f64)) * math::tanh((j as f64))), (((a1 as u32) ^ 106_u32) | ({ let t21 = (a1 as i8); (n8 as u32) })));
            v20 -= ((-v20).powi(2) - ((n8 as i32).saturating_sub((n8 as i32)) as f64));
        }
    }
    y4[[j, i]] *= ((far::wave((y4[[j, i]] - y4[[j, i]]), ((if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 }) % (a2 + 0.5)))).fract() - (((i as i64) as f32).min((x3[[j, i]] % (x3[[j, i]] + 0.5))) - (a2 * (if j > 0 { x3[[j - 1, i]] } else { 0.0_f32 })).floor()));
    y5[[j, i]] = y5[[j, i]].wrapping_add(y5[[j, i]]);
    let mut v22: f64 = ((a1 as f64).powi(3) + (a1 as f64).fract()).abs();
}

fn run_k023(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<isize>(0);
    let a2 = inputs.value::<f32>(1);
    let x3 = inputs.matrix::<f32>(2);
    let mut y4 = inputs.matrix::<f32>(3);
    let mut y5 = inputs.matrix::<i8>(4);
    rt.submit(k023(a1, a2, &x3, &mut y4, &mut y5)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k024(a1: i32, a2: f32, a3: f32, x4: &[f32], x5: &[i8], x6: &[Cell], y7: &mut [i64]) {
    let i = global_id(0);
    let mut v8 = Cell { rho: 43.476_f64, mass: 8.578_f32, id: 107_u32 };
    let mut n9 = 2_u32;
    loop {
        if n9 == 0 {
            break;
        }
        n9 -= 1;
        let mut v8 = (!(((i as f64) * (i as f64)) != ((a1 as f64) + 35.954_f64)));
    }
    v8.mass += (math::rsqrt((if true { (if i > 0 { x4[i - 1] } else { 0.0_f32 }) } else { a2 }))).floor();
    let mut v10 = (if ((a1 as f64).sqrt() >= (i as f64).ceil()) { (if false { (i as f64) } else { 49.409_f64 }).round_ties_even() } else { ({ let t11 = ((x5[i]) as isize); ((a1 as f64) - (i as f64)) }) });
    v10 = (-({ let t12 = i; (a1 as f64) })).atan2(far::series((a1 as f64).hypot(v10), (a1 as u32).rotate_left(5)));
    v10 += (if ((i as i16).wrapping_add(15) < (!21_i16)) { ((x4[((i).abs_diff(i)) % x4.len()]).sqrt() as f64) } else { math::exp2(({ let t13 = 103_i32; 48.871_f64 })) });
    let v14: [f32; N] = [(x4[(i) % x4.len()]).round().atan2((x4[i]).powi(0)); N];
    if ({ let t15 = y7[i]; v10 }).powi(-1).is_nan() {
        if (!true) {
            let v16 = (if i + 2 < x5.len() { x5[i + 2] } else { 0_i8 }).saturating_sub((if i + 2 < x5.len() { x5[i + 2] } else { 0_i8 })).signum().rotate_right(4);
            let v17 = (if ((v10 / v10) >= (if false { v10 } else { (a1 as f64) })) { (if true { i } else { i }).abs_diff((i).abs_diff(i)) } else { ((i).wrapping_mul(13) << 4) });
            if (((i as isize).wrapping_neg() >= ({ let t18 = (v16 as u16); 1_isize })) && (((v16 as u16) % ((27_u16 & 7) + 1)) != (if false { (v17 as u16) } else { (v17 as u16) }))) {
                v10 += (({ let t19 = (a1 as u8).div_euclid(((v17 as u8) & 7) + 1); ((v16 as f64) % (0.28_f64 + 0.5)) }) + (if false { (v10 - v10) } else { (v10 - far::SCALE) }));
                let v20 = (math::erf(math::atan(v10))).trunc();
                for n21 in (1_i64..4).rev() {
                    v10 = math::log10((-((v17 as f64) * 22.186_f64)));
                }
            }
        } else {
            v10 -= (-(i as f64)).sqrt().mul_add((if true { v10 } else { (a1 as f64) }).ceil(), ((x4[i]).powi(0) as f64));
        }
    }
    y7[i] = ((y7[i]).signum().clamp(13, 62) % (((((a1 as f64) + (i as f64)) as i64) & 7) + 1)).rotate_right(6);
    v8.mass += (if (if (true ^ false) { (v10 < v10) } else { (i as f64).is_nan() }) { ((x4[i] * a2) * (x4[((i).saturating_add(i)) % x4.len()]).abs()) } else { ((38.134_f64) as f32).recip() });
}

fn run_k024(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i32>(0);
    let a2 = inputs.value::<f32>(1);
    let a3 = inputs.value::<f32>(2);
    let x4 = inputs.array::<f32>(3);
    let x5 = inputs.array::<i8>(4);
    let x6 = inputs.array::<Cell>(5);
    let mut y7 = inputs.array::<i64>(6);
    rt.submit(k024(a1, a2, a3, &x4, &x5, &x6, &mut y7)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k025(a1: Word, x2: &[f64], x3: &[i32], y4: &mut [Cell], y5: &mut [i16], y6: &mut [Real], #[reduce(|)] s: &mut u32) {
    let i = global_id(0);
    if (i as f32).powi(2).is_nan() {
        return;
    }
    let mut v7: bool = (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t8 = i; (t8 as i8) })) } else { (((a1 as isize) as u32) >= (a1 % ((a1 & 7) + 1))) });
    for n9 in (0_u16..6).rev() {
        if ((a1 as u8).wrapping_add((n9 as u8)) == ((a1 as i8) as u8)) {
            continue;
        }
        v7 = (math::erf((a1 as f32)) <= (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32));
        v7 = (!(n9 as f64).is_nan());
        for n10 in (2..=5_u8).rev().step_by(2) {
            v7 |= ({ let t11 = 104_i64; v7 });
            let mut v12 = (((n9 as f32) + (n10 as f32)).floor() - (if v7 { (i as f32) } else { (n10 as f32) }).powi(0));
        }
    }
    let v13: f64 = (math::rsqrt((x2[i]).hypot(x2[i])) - (y6[i] / (if i > 0 { x2[i - 1] } else { 0.0_f64 })).signum());
    for n14 in 1..3_usize {
        if v7 {
            continue;
        }
        y4[i].id = a1;
        let mut v7: i16 = (y5[i]).wrapping_add((!(n14 as i16))).rotate_left(5);
    }
    y4[i] = far::moved(far::moved(y4[i], (far::WEIGHTS[i % N]).mul_add(41.698_f32, (a1 as f32))), ({ let t15 = (!y5[i]); (i as f32).fract() }));
    y5[i] = y5[i].wrapping_add((y5[i] ^ y5[i]).saturating_sub((y5[i]).wrapping_sub((i as i16))).clamp(48, 76));
    y6[i] += (v13).sqrt();
    *s |= (({ let t16 = (a1 as u16); (i as u32) }).clamp(40, 81) << 2);
}

fn run_k025(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u32>(0);
    let x2 = inputs.array::<f64>(1);
    let x3 = inputs.array::<i32>(2);
    let mut y4 = inputs.array::<Cell>(3);
    let mut y5 = inputs.array::<i16>(4);
    let mut y6 = inputs.array::<f64>(5);
    let mut s = Var::new(inputs.cell::<u32>(6));
    rt.submit(k025(a1, &x2, &x3, &mut y4, &mut y5, &mut y6, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k026(a1: f32, a2: u16, a3: f64, x4: &[i8], x5: &[Cell], x6: &[i16], y7: &mut [u64], y8: &mut [i32]) {
    let i = global_id(0);
    let v9: f64 = (if (a1).is_nan() { (a3).floor() } else { (a3).hypot(a3) }).powi(-1);
    let mut v10: f32 = math::erf(math::log10((a1 % ((i as f32) + 0.5))));
    v10 *= v10;
    for n11 in (2..5_u64).step_by(3) {
        for n12 in 1..6_i64 {
            if ((a2 & a2) != 50_u16) {
                continue;
            }
            v10 /= (n11 as f32);
            let mut v13 = (math::erf((n12 as f32).atan2(v10)) <= ((a1).sqrt() / (a2 as f32).hypot(a1)));
            if ((if true { (a2 as f64) } else { v9 }).max((a3).signum()) == (((a1) as f64) - ((v9) as f64))) {
                if (v13 != (55_u8 <= ((i as u8) | (a2 as u8)))) {
                    if ({ let t14 = ((x6[i] != (n12 as i16)) as usize); (v9).powi(0).is_nan() }) {
                        v10 = ((if i > 0 { x6[i - 1] } else { 0_i16 }).div_euclid(((i as i16) & 7) + 1).clamp(24, 61) as f32);
                        let mut v15: isize = ((a2 as isize) / (((((n11 as isize) % (((i as isize) & 7) + 1)) & 11_isize) & 7) + 1));
                        {
                            {
                                v10 *= v10;
                                {
                                    if ((n12 as i8).saturating_sub(x4[i]).rem_euclid((((if i + 2 < x4.len() { x4[i + 2] } else { 0_i8 }) << 4) & 7) + 1) == (!(18_i8 / (((if i > 0 { x4[i - 1] } else { 0_i8 }) & 7) + 1)))) {
                                        v13 = ((i).rotate_right(0) < (i >> (21_u32 & 7)));
                                    }
                                }
                            }
                        }
                    } else {
                        v10 += math::cos((v10 - a1).sqrt());
                    }
                }
            }
        }
    }
    y7[i] = (if false { (y7[i] >> 2) } else { (y7[i] << 6) }).wrapping_mul((y7[i]).saturating_sub((y7[i]).wrapping_mul(9_u64))).wrapping_sub(62);
    y8[i] = y8[i].wrapping_add((if (v10 >= v10) { (a2 as i32).wrapping_add(y8[i]) } else { ((5.805_f64) as i32) }).wrapping_sub((101_i32).wrapping_add(y8[i]).wrapping_mul((a2 as i32).rem_euclid((y8[i] & 7) + 1))));
    v10 += math::atan(({ let t16 = (a2 as usize).saturating_add((i as usize)); (v10).powi(0) }));
}

fn run_k026(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let a2 = inputs.value::<u16>(1);
    let a3 = inputs.value::<f64>(2);
    let x4 = inputs.array::<i8>(3);
    let x5 = inputs.array::<Cell>(4);
    let x6 = inputs.array::<i16>(5);
    let mut y7 = inputs.array::<u64>(6);
    let mut y8 = inputs.array::<i32>(7);
    rt.submit(k026(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k027(a1: f32, a2: f32, x3: &[f32], x4: View<'_, i16, 2>, x5: View<'_, i64, 2>, y6: ViewMut<'_, Cell, 2>, #[out(partial)] y7: ViewMut<'_, Cell, 2>, c: &[Atomic<u32>]) {
    let (j, i) = (global_id(1), global_id(0));
    let mut n8 = 5_u32;
    while n8 > 0 {
        n8 -= 1;
        if (((94_isize <= (i as isize)) != (x3[((i as usize)) % x3.len()] > (if i > 0 { x3[i - 1] } else { 0.0_f32 }))) ^ ((x3[(i) % x3.len()] < a1) ^ ((j as u32) >= (j as u32)))) {
            for n9 in 1..6_i64 {
                if (((j as u16) & (i as u16)) != 22_u16) {
                    break;
                }
                let mut v10 = (((121_i8).rotate_left(7) & ((j as i8) as i8)) as i8);
                let mut v11: [f32; N] = (if (!((n9 as u64) < (j as u64))) { [({ let t12 = j; x3[((i).clamp(49, 91)) % x3.len()] }), math::sin(a1), ([1.149_f32; N])[(j) % N], (a1 - x3[((i).wrapping_sub(i)) % x3.len()])] } else { [math::exp2((if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 })); N] });
            }
            let v13: i16 = (!(x4[[j, i]]).wrapping_mul(53)).wrapping_neg();
            let mut v14 = [(v13 as u8).leading_zeros(), (101_u32 | (v13 as u32)).trailing_zeros(), ((v13 as u32) & (v13 as u32)).wrapping_add(1)];
        } else {
            let mut v15: [u32; 3] = [((i as u32) / (((j as u32) & 7) + 1)).clamp(41, 99), (((j as u32) % (((i as u32) & 7) + 1)) & 67_u32), (if false { (i as u32) } else { 50_u32 }).clamp(3, 79)];
            y7[[j, i]].rho += far::series((-14.142_f64).mul_add(((j as f64) / (i as f64)), ((i as f64) + (i as f64))), (11_u32).rotate_right(6).wrapping_sub((j as i32).count_ones()));
        }
    }
    let mut v16: f32 = ((math::cos(x3[i])).max((if false { x3[i] } else { x3[i] })) + (if (false != false) { (if false { a1 } else { x3[i] }) } else { x3[i] }));
    v16 -= (((if i > 0 { x3[i - 1] } else { 0.0_f32 }) % (far::WEIGHTS[i % N] + 0.5)).abs() % (({ let t17 = ((j as u32) >> ((j as u32) & 7)); (x3[((j).rem_euclid((i & 7) + 1)) % x3.len()] + (if i + 2 < x3.len() { x3[i + 2] } else { 0.0_f32 })) }) + 0.5));
    {
        v16 += (-((if i > 0 { x3[i - 1] } else { 0.0_f32 }).recip() % ((-a2) + 0.5)));
    }
    y6[[j, i]].rho += (if ((if j > 0 { x5[[j - 1, i]] } else { 0_i64 }).wrapping_add((if j + 1 < x5.extent(0) && i > 0 { x5[[j + 1, i - 1]] } else { 0_i64 })) < (if j > 0 { x5[[j - 1, i]] } else { 0_i64 }).wrapping_add(9)) { (((if i > 0 { x3[i - 1] } else { 0.0_f32 }) as f64) + ((i as f64) / (i as f64))) } else { (if true { (i as f64) } else { (j as f64) }).floor() });
    y7[[j, i]].id = ((j as u32).wrapping_mul(92_u32).wrapping_mul((79_u32 >> 5)) << 3);
    c[((i % ((j & 7) + 1)).rotate_right(2)) % c.len()].fetch_xor(((j as u32).clamp(33, 97) >> 3));
    v16 *= math::exp2(((v16).signum() / (x3[((j).saturating_add(j)) % x3.len()]).abs()));
}

fn run_k027(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let a2 = inputs.value::<f32>(1);
    let x3 = inputs.array::<f32>(2);
    let x4 = inputs.matrix::<i16>(3);
    let x5 = inputs.matrix::<i64>(4);
    let mut y6 = inputs.matrix::<Cell>(5);
    let mut y7 = inputs.matrix::<Cell>(6);
    let mut c = inputs.array::<u32>(7);
    rt.submit(k027(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut c)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k028(a1: u16, a2: f64, x3: &[i8], x4: &[Cell], x5: &[i16], y6: &mut [u64], y7: &mut [i32], #[reduce(min)] s: &mut f64) {
    let i = global_id(0);
    let mut v8: u8 = (if (39.222_f32 / (i as f32)).is_nan() { ((i as u8).wrapping_add((i as u8)) & (10_u8 | (i as u8))) } else { (if false { 123_u8 } else { 86_u8 }).rotate_right(2) });
    v8 %= ((if true { v8 } else { v8 }).clamp(40, 94) & 7) + 1;
    let v9 = far::wave((-far::total([35.982_f32; N])), (-((i as f32) - 30.633_f32)));
    for n10 in (0..=4_i32).rev().step_by(2) {
        if false {
            continue;
        }
        let mut n11 = 4_u32;
        while n11 > 0 {
            n11 -= 1;
            if ((if (!false) { (x5[((i | i)) % x5.len()] & (if i > 0 { x5[i - 1] } else { 0_i16 })) } else { (a1 as i16).wrapping_mul((i as i16)) }) <= (if true { x5[i] } else { (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 }) }).wrapping_mul((if true { x5[i] } else { (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 }) }))) {
                v8 %= ((v8 >> ((i as u32) & 7)).wrapping_sub((v8).abs_diff(v8)) & 7) + 1;
            }
            let v12 = ((y6[i]).wrapping_mul(53) | (if (far::WEIGHTS[i % N]).is_nan() { (y6[i]).abs_diff(y6[i]) } else { (n10 as u64).abs_diff(y6[i]) }));
        }
        v8 ^= ({ let t13 = ({ let t14 = (if false { y7[i] } else { n10 }); (a2).abs() }); (v8).wrapping_add(v8) });
    }
    let mut n15 = 2_u32;
    while n15 > 0 {
        n15 -= 1;
        let v16 = (if ((a2 / a2) >= (if false { a2 } else { (a1 as f64) })) { (if true { i } else { i }).abs_diff((i).abs_diff(i)) } else { ((i).wrapping_mul(13) << 4) });
    }
    for n17 in 2_i8..=5 {
        {
            let v18 = ({ let t19 = (a1 >> (21_u32 & 7)); (far::WEIGHTS[i % N]).powf(v9) }).max(({ let t20 = a1; (v9 * v9) }));
        }
    }
    y6[i] = (y6[i]).saturating_sub((21_u64).rotate_right(1).wrapping_mul((y6[i]).rotate_left(2))).abs_diff(((101_u64 & y6[i]) >> ((1_u32 | (v8 as u32)) & 7)).wrapping_mul(29));
    y7[i] ^= (!(y7[i]).clamp(24, 96).wrapping_sub(3)).wrapping_add(((if (v9 >= v9) { (i as i32).wrapping_add(y7[i]) } else { ((5.805_f64) as i32) }) >> 2));
    *s = s.min((if false { (a2).abs().powi(2) } else { (-(if false { 15.761_f64 } else { a2 })) }));
}

fn run_k028(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u16>(0);
    let a2 = inputs.value::<f64>(1);
    let x3 = inputs.array::<i8>(2);
    let x4 = inputs.array::<Cell>(3);
    let x5 = inputs.array::<i16>(4);
    let mut y6 = inputs.array::<u64>(5);
    let mut y7 = inputs.array::<i32>(6);
    let mut s = Var::new(inputs.cell::<f64>(7));
    rt.submit(k028(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k029(a1: f32, x2: &[f32], x3: &[i8], x4: &[Cell], y5: &mut [i64]) {
    let i = global_id(0);
    let mut v6 = Cell { rho: 43.476_f64, mass: 8.578_f32, id: 107_u32 };
    let mut n7 = 2_u32;
    loop {
        if n7 == 0 {
            break;
        }
        n7 -= 1;
        let mut v6 = (!(((i as f64) * (i as f64)) != ((i as f64) + 35.954_f64)));
    }
    v6.mass += (math::rsqrt((if true { (if i > 0 { x2[i - 1] } else { 0.0_f32 }) } else { a1 }))).floor();
    let mut v8 = (if ((i as f64).sqrt() >= (i as f64).ceil()) { (if false { (i as f64) } else { 49.409_f64 }).round_ties_even() } else { ({ let t9 = ((x3[i]) as isize); ((t9 as f64) - (t9 as f64)) }) });
    v8 = (-({ let t10 = i; (i as f64) })).atan2(far::series((i as f64).hypot(v8), (i as u32).rotate_left(5)));
    v8 += (if ((i as i16).wrapping_add(15) < (!21_i16)) { ((x2[((i).abs_diff(i)) % x2.len()]).sqrt() as f64) } else { math::exp2(({ let t11 = 7_i32; v8 })) });
    v8 *= (-math::rsqrt((v8).hypot(v8)));
    y5[i] = y5[i].wrapping_add((y5[i]).signum());
    let v8 = (if false { i } else { (i as usize) }).abs_diff((i & i)).abs_diff((global_size(0)).wrapping_add((i as usize)).rotate_left(7));
    if (((i as isize) as f64).signum() > (math::erf((v8 as f64))).atan2((if false { (v8 as f64) } else { 44.231_f64 }))) {
        if (if (!(true == false)) { (((v8 as u8) << 4) <= (v8 as u8)) } else { ((i as i32).wrapping_mul((i as i32)) > (96_i32 | (i as i32))) }) {
            if (far::scaled((i as f64))).powf(({ let t12 = 127_u16; (t12 as f64) })).is_finite() {
                if (!((i as i32).div_euclid(((v8 as i32) & 7) + 1) <= (9_i32).wrapping_sub((i as i32)))) {
                    v6.mass += (((a1).powi(2) - (x2[((i as usize).wrapping_add(88)) % x2.len()]).powf((i as f32))) - (if i > 0 { x2[i - 1] } else { 0.0_f32 }).powi(0).mul_add(((if i + 2 < x2.len() { x2[i + 2] } else { 0.0_f32 }) * (v8 as f32)), math::atan(a1)));
                }
                {
                    v6.rho = ((i as f64).fract() + (i as f64).ceil()).sqrt();
                }
            } else {
                v6.rho = (((far::SCALE - (i as f64)) / (-far::SCALE)) + (((v8 as f64) * (i as f64)) - math::rsqrt((i as f64))));
            }
        } else {
            v6.id ^= (i as u32);
        }
    }
    y5[i] = (y5[i] >> 2).wrapping_add(y5[i]);
    v6.id ^= ((110_u32).wrapping_sub(67).clamp(33, 97) >> 3);
}

fn run_k029(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let x2 = inputs.array::<f32>(1);
    let x3 = inputs.array::<i8>(2);
    let x4 = inputs.array::<Cell>(3);
    let mut y5 = inputs.array::<i64>(4);
    rt.submit(k029(a1, &x2, &x3, &x4, &mut y5)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k030(a1: bool, a2: bool, x3: &[i8], x4: &[Cell], x5: &[i16], y6: &mut [u64], y7: &mut [i32]) {
    let i = global_id(0);
    let v8: f64 = (if (i as f32).is_nan() { (i as f64).floor() } else { (i as f64).hypot((i as f64)) }).powi(-1);
    let mut v9 = math::erf(math::log10(((i as f32) % (41.707_f32 + 0.5))));
    v9 *= ((-(i as f32)).mul_add(((i as f32) / v9), (v9).fract()) % ((49.409_f32 % (v9 + 0.5)).floor() + 0.5));
    let mut v10 = ((x3[(i) % x3.len()]).rotate_right(0).rotate_left(1) & (if ({ let t11 = i; true }) { ((i as i8) & (if i > 0 { x3[i - 1] } else { 0_i8 })) } else { ({ let t12 = i; x3[((i).clamp(49, 91)) % x3.len()] }) }));
    if (([v9, v9, (i as f32), v9])[((i).wrapping_sub(i)) % N]).is_nan() {
        for n13 in (2_isize..5).rev() {
            if ({ let t14 = (y7[i] % (((v10 as i32) & 7) + 1)); (v8 == v8) }) {
                continue;
            }
            v9 /= ((v9).powi(0) / ((v10 as u8) as f32)).signum();
        }
    }
    if ({ let t15 = (({ let t16 = x5[((i & global_size(0))) % x5.len()]; (t16 as i32) }) as i64); ((!a2) | (!true)) }) {
        if ((!11_isize) == (({ let t17 = (v10 as i16); 118_i64 }) as isize)) {
            if ((v10).saturating_sub(x3[i]).rem_euclid((((if i + 2 < x3.len() { x3[i + 2] } else { 0_i8 }) << 4) & 7) + 1) == (!((i as i8) / (((if i > 0 { x3[i - 1] } else { 0_i8 }) & 7) + 1)))) {
                for n18 in (0_isize..6).rev() {
                    if (({ let t19 = (v10 as u16); false }) || ((n18 as u16) != 6_u16)) {
                        break;
                    }
                    let v20 = i;
                    if (!((y7[i]).div_euclid((8_i32 & 7) + 1) <= (y7[i] / ((y7[i] & 7) + 1)))) {
                        if (((if true { (i as f64) } else { (v10 as f64) }) % ((v8 - far::SCALE) + 0.5)) <= ({ let t21 = ((n18 as f64) + v8); (t21 * (v10 as f64)) })) {
                            v10 >>= 2;
                            let v22: [f32; N] = [((if a1 { 22.186_f32 } else { v9 }) * (if a2 { v9 } else { v9 })), math::tanh((v9 + v9)), ((v9).min((i as f32)) - (if true { v9 } else { v9 })), math::rsqrt((v9 + v9))];
                        }
                        {
                            v10 %= ((if i > 0 { x3[i - 1] } else { 0_i8 }) & 7) + 1;
                        }
                    }
                }
            } else {
                v9 += ([(v9 % ((v10 as f32) + 0.5)), (v9).powi(3), (v9 * (i as f32)), (v9 * v9)])[(((if i + 2 < x3.len() { x3[i + 2] } else { 0_i8 }) as usize).rotate_right(7)) % N];
            }
        } else {
            v10 %= (((x3[(((33.750_f32) as usize)) % x3.len()]).clamp(38, 84) >> ((i as u32) & 7)) & 7) + 1;
        }
    } else {
        v10 >>= 1;
    }
    y6[i] ^= (if (((120_u8 | (i as u8)) / (((83_u8).wrapping_sub((i as u8)) & 7) + 1)) != ((i as u8) ^ 44_u8).wrapping_mul((i as u8).abs_diff(86_u8))) { y6[i] } else { (y6[i]).div_euclid(((if false { y6[i] } else { y6[i] }).div_euclid(((y6[i]).max(109_u64) & 7) + 1) & 7) + 1) });
    y7[i] ^= (5_i32).div_euclid((((y7[i]).wrapping_add(y7[i]) >> ((i as u32) & 7)) & 7) + 1).wrapping_neg();
    v9 *= ((i as i32).wrapping_neg() as f32).mul_add((-(v9).max(v9)), (((i as u32) << 4) as f32));
}

fn run_k030(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<bool>(0);
    let a2 = inputs.value::<bool>(1);
    let x3 = inputs.array::<i8>(2);
    let x4 = inputs.array::<Cell>(3);
    let x5 = inputs.array::<i16>(4);
    let mut y6 = inputs.array::<u64>(5);
    let mut y7 = inputs.array::<i32>(6);
    rt.submit(k030(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k031(a1: f64, a2: i32, a3: u64, x4: View<'_, u64, 2>, x5: View<'_, Cell, 2>, y6: ViewMut<'_, i16, 2>, #[reduce(min)] s: &mut f64) {
    let (j, i) = (global_id(1), global_id(0));
    {
        let mut v7 = (((a3 as i64).wrapping_neg() == ((j as i64) | (a3 as i64))) as usize);
        let mut v8: i8 = ((({ let t9 = j; v7 }) as f32) as i8);
    }
    let mut v10 = (((!(a3 as isize)) & (84_isize).div_euclid(((a2 as isize) & 7) + 1)) as u32);
    let v11 = (((90_u8).rotate_right(3) << 2) >> ((if true { v10 } else { (j as u32) }).rotate_right(3) & 7));
    y6[[j, i]] ^= (!({ let t12 = ((j).wrapping_mul(34) ^ (j).wrapping_add(32)); (i as i16).clamp(49, 91).rotate_left(0) }));
    if (([(j as f32), (a3 as f32), 10.617_f32, (v10 as f32)])[((i).rem_euclid((i & 7) + 1)) % N]).is_nan() {
        for n13 in (2_isize..5).rev() {
            if ({ let t14 = (91_i32 % ((93_i32 & 7) + 1)); false }) {
                continue;
            }
            for n15 in (0..6_i64).step_by(3) {
                if ((v11).abs_diff((i as u8)) <= ((n13 as u8) % ((v11 & 7) + 1))) {
                    continue;
                }
                v10 = v10;
                let mut v10: i16 = (y6[[j, i]]).wrapping_add((!(j as i16))).rotate_left(5);
                let v16: [f32; N] = [((v10 as f32) + ((j as f32) / (a3 as f32))); N];
            }
        }
    } else {
        v10 &= ((far::mix((v10 as u32), v10)).clamp(6, 98) >> (v10 & 7));
    }
    y6[[j, i]] = ((-(far::scaled(a1)).signum()) as i16);
    *s = s.min((((a1 + a1) % ((a1).powi(0) + 0.5)) * ((a1 / a1) / (a1).sqrt())));
}

fn run_k031(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f64>(0);
    let a2 = inputs.value::<i32>(1);
    let a3 = inputs.value::<u64>(2);
    let x4 = inputs.matrix::<u64>(3);
    let x5 = inputs.matrix::<Cell>(4);
    let mut y6 = inputs.matrix::<i16>(5);
    let mut s = Var::new(inputs.cell::<f64>(6));
    rt.submit(k031(a1, a2, a3, &x4, &x5, &mut y6, &mut s)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k032(a1: bool, a2: i32, a3: u64, x4: &[u64], x5: &[u64], y6: &mut [i16], c: &[Atomic<i64>]) {
    let i = global_id(0);
    {
        let mut v7 = (((i as i64).wrapping_neg() == ((a3 as i64) | (a2 as i64))) as usize);
        let mut v8: i8 = ((({ let t9 = v7; t9 }) as f32) as i8);
    }
    let mut v10 = (((!(i as isize)) & (84_isize).div_euclid(((a3 as isize) & 7) + 1)) as u32);
    let v11 = (((90_u8).rotate_right(3) << 2) >> ((if a1 { v10 } else { v10 }).rotate_right(3) & 7));
    y6[i] ^= (!({ let t12 = ((i).wrapping_mul(34) ^ (i).wrapping_add(32)); (v11 as i16).clamp(49, 91).rotate_left(0) }));
    if (([(a3 as f32), (v11 as f32), 10.617_f32, (i as f32)])[((i).rem_euclid((i & 7) + 1)) % N]).is_nan() {
        for n13 in (2_isize..5).rev() {
            if ({ let t14 = (91_i32 % ((93_i32 & 7) + 1)); a1 }) {
                continue;
            }
            v10 |= ({ let t15 = (a2 as i64); y6[i] }).leading_zeros().wrapping_sub((n13 as usize).min(i).leading_zeros());
            let mut v16: i16 = y6[i];
            let v17 = (i as i8).saturating_sub(77_i8).signum().rotate_right(4);
        }
    }
    {
        v10 >>= 1;
    }
    y6[i] = (11_i16).rotate_right(3);
    c[((if false { (i as usize) } else { (i as usize) }).clamp(3, 79)) % c.len()].fetch_max(((v10 as i64).clamp(48, 76) ^ (!(a2 as i64))));
    v10 |= ((v10).clamp(40, 81) << 2).wrapping_sub((a2 as i64).wrapping_add((a3 as i64)).leading_zeros());
}

fn run_k032(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<bool>(0);
    let a2 = inputs.value::<i32>(1);
    let a3 = inputs.value::<u64>(2);
    let x4 = inputs.array::<u64>(3);
    let x5 = inputs.array::<u64>(4);
    let mut y6 = inputs.array::<i16>(5);
    let mut c = inputs.array::<i64>(6);
    rt.submit(k032(a1, a2, a3, &x4, &x5, &mut y6, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k033(a1: f32, a2: i8, x3: &[i16], y4: &mut [u64], y5: &mut [i32]) {
    let i = global_id(0);
    let v6: f64 = (if (a1).is_nan() { (i as f64).floor() } else { (a2 as f64).hypot((a2 as f64)) }).powi(-1);
    let mut v7: f32 = math::erf(math::log10((a1 % ((i as f32) + 0.5))));
    v7 *= v7;
    for n8 in (2..5_u64).step_by(3) {
        for n9 in 1..6_i64 {
            if (((a2 as u16) & (a2 as u16)) != 22_u16) {
                break;
            }
            v7 -= far::total([(i as f32).powi(2), ((n9 as f32) / a1), (a2 as f32).max(v7), math::tanh(a1)]);
            if ((v6).max(v6).is_nan() | (!({ let t10 = n9; true }))) {
                let mut v11: f32 = ((((a1) as f32) - ((v6) as f32)) * (math::erf(v7)).ceil());
                v7 *= (((a1 - a1) % ((v11 * a1) + 0.5)) / ((a2 as f32).powi(2) % ((v11).signum() + 0.5)));
                v7 = (({ let t12 = ({ let t13 = y5[i]; v6 }); (i as f32).mul_add(v11, v7) }) - (a1 % (v7 + 0.5)).mul_add(math::atan((n9 as f32)), (v11).floor()));
            }
        }
        v7 *= (math::erf(({ let t14 = 55_i64; v7 }))).atan2(((i as u16) as f32).fract());
        let mut v15: [u32; 3] = [(a2 as u32).wrapping_sub(((n8 as u32) << 4)), (63_u32 | (a2 as u32)).wrapping_mul((n8 as u32).wrapping_sub(114_u32)), ((N).trailing_zeros() >> 5)];
    }
    for n16 in (2..6_i16).step_by(1) {
        let mut v17 = false;
    }
    v7 -= (((v7) as f32) % ((if (!true) { v7 } else { (a1 % (far::WEIGHTS[i % N] + 0.5)) }) + 0.5));
    if (if ((y4[i] | (a2 as u64)) < (if true { (a2 as u64) } else { 101_u64 })) { (!(true == false)) } else { ((i as f32).recip() != (i as f32)) }) {
        let mut n18 = 2_u32;
        while n18 > 0 {
            n18 -= 1;
            v7 -= ((i as u8) as f32);
        }
    }
    y4[i] = (if (((a2 as u16).abs_diff((a2 as u16)) >> ((i as u32).rotate_right(1) & 7)) < ((a2 as u16) % (((a2 as u16) & 7) + 1)).wrapping_mul((i as u16))) { y4[i] } else { ((((i as f64) + v6) + (if false { v6 } else { (i as f64) })) as u64) });
    y5[i] ^= (((y5[i]).rotate_left(0) % (((y5[i] ^ y5[i]) & 7) + 1)) & (!(y5[i] | y5[i]))).wrapping_add(25);
    v7 = ((a1).mul_add(42.18_f32, 38.134_f32) / ((33.750_f32) as f32)).powi(3);
}

fn run_k033(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let a2 = inputs.value::<i8>(1);
    let x3 = inputs.array::<i16>(2);
    let mut y4 = inputs.array::<u64>(3);
    let mut y5 = inputs.array::<i32>(4);
    rt.submit(k033(a1, a2, &x3, &mut y4, &mut y5)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k034(a1: i32, x2: &[Cell], x3: &[i16], x4: &[Real], y5: &mut [Cell], #[reduce(max)] s: &mut f32) {
    let i = global_id(0);
    let mut n6 = 5_u32;
    while n6 > 0 {
        n6 -= 1;
        if (((94_isize <= (i as isize)) != ((a1 as f32) > (i as f32))) ^ ((a1 >= a1) != (i != (a1 as usize)))) {
            if (!((a1 | a1) > (!a1))) {
                let v7 = (if ((i != (a1 as usize)) == ((i as u32) >= (i as u32))) { Cell { rho: math::erf((if i > 0 { x4[i - 1] } else { 0.0_f64 })), mass: (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32), id: (i as u32).saturating_sub(far::MASK) } } else { y5[i] });
            } else {
                let mut v8: bool = ((x4[i]).hypot(x4[(((true) as usize)) % x4.len()]).is_nan() || ((a1 as f32) + (i as f32)).is_nan());
                let v9: isize = (if ({ let t10 = (91_i32 % ((93_i32 & 7) + 1)); v8 }) { (i as isize) } else { (47_isize).signum().wrapping_add(89) });
            }
            let mut v11 = (({ let t12 = x4[(({ let t13 = x3[((i & global_size(0))) % x3.len()]; i })) % x4.len()]; (i as i8) }).wrapping_sub(1) % ((((a1 as i8) / ((((i as i8) & 4_i8) & 7) + 1)) & 7) + 1));
            {
                let mut v14: f32 = (((if false { (i as f32) } else { 44.231_f32 }) - 0.206_f32) * (-14.142_f32).mul_add(((v11 as f32) / (a1 as f32)), ((v11 as f32) + (v11 as f32))));
                let v15: i8 = (if true { v11 } else { v11 }).rotate_right(1).wrapping_neg();
                let mut v16: u16 = ((if false { (v15 as u16) } else { (v15 as u16) }).clamp(22, 81) / (((if (false != false) { (if false { (a1 as u16) } else { (v15 as u16) }) } else { (v11 as u16).saturating_sub(50_u16) }) & 7) + 1));
            }
        } else {
            {
                let mut v17 = ((if ((a1 as f32) <= (i as f32)) { (x4[i] - x4[((a1 as usize).wrapping_mul(i)) % x4.len()]) } else { (7.529_f64).mul_add((if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f64 }), (if i > 0 { x4[i - 1] } else { 0.0_f64 })) }) % (math::atan((x4[((i | i)) % x4.len()] - 22.186_f64)) + 0.5));
            }
        }
    }
    y5[i].rho += (if (if ((i as u8) >= (a1 as u8)) { (i as f32).is_nan() } else { (!false) }) { (if i > 0 { x4[i - 1] } else { 0.0_f64 }).sqrt().abs() } else { (if ({ let t18 = (i as i8); false }) { (x4[((i).wrapping_mul(i)) % x4.len()]).signum() } else { (x4[i]).trunc() }) });
    *s = s.max((far::WEIGHTS[i % N] - (if (true ^ false) { ((i as f32) * (i as f32)) } else { (if false { (a1 as f32) } else { far::WEIGHTS[i % N] }) })));
}

fn run_k034(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i32>(0);
    let x2 = inputs.array::<Cell>(1);
    let x3 = inputs.array::<i16>(2);
    let x4 = inputs.array::<f64>(3);
    let mut y5 = inputs.array::<Cell>(4);
    let mut s = Var::new(inputs.cell::<f32>(5));
    rt.submit(k034(a1, &x2, &x3, &x4, &mut y5, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k035(a1: i8, a2: Cell, a3: i16, x4: &[u64], x5: View<'_, i16, 2>, y6: ViewMut<'_, f64, 2>, #[out(partial)] y7: ViewMut<'_, i8, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if false {
        let v8: i32 = (((a3 as i32).wrapping_add((a3 as i32)) & (10_i32 | (a3 as i32))) ^ (if false { 123_i32 } else { 86_i32 }).rotate_right(2));
        let mut v9 = (((j as u32) & (Cell { rho: 24.491_f64, mass: 12.124_f32, id: 108_u32 }).id) ^ ({ let t10 = ((v8 as u8) ^ (j as u8)); ((v8 as u32) ^ (i as u32)) }));
    }
    let mut n11 = 3_u32;
    while n11 > 0 {
        n11 -= 1;
        let v12 = ((if true { 39.179_f32 } else { 2.840_f32 }).max(((i as f32) / far::WEIGHTS[i % N])) < math::ln((a1 as f32)));
        let v13: [f32; N] = (if ((x5[[j, i]]).wrapping_add(15) < (!(if j + 1 < x5.extent(0) && i > 0 { x5[[j + 1, i - 1]] } else { 0_i16 }))) { [(a1 as f32).floor(); N] } else { [4.864_f32, (a3 as f32).powi(-1), ([38.581_f32; N])[(93_usize) % N], math::rsqrt((i as f32))] });
    }
    let mut v14 = ((i as f32).max((i as f32)) / (i as f32).powi(3)).is_nan();
    for n15 in (1..=6_i16).rev().step_by(2) {
        for n16 in (2..4_i32).step_by(1) {
            if v14 {
                break;
            }
            if (y6[[j, i]] % (far::SCALE + 0.5)).mul_add(math::atan(far::SCALE), (y6[[j, i]] - y6[[j, i]])).is_finite() {
                {
                    let mut v17: f32 = (((if false { 37.366_f32 } else { (n16 as f32) }) - ((n15 as u16) as f32)) * (n16 as f32));
                    v14 |= v14;
                    let mut v18 = true;
                }
                let mut v19: [u32; 3] = [((i as u32).clamp(40, 81) << 2), (i as u32), ((N).trailing_zeros() >> 5)];
            }
        }
    }
    y6[[j, i]] *= (if (v14 ^ v14) { ({ let t20 = (a3 as u8).saturating_sub((j as u8)).div_euclid((((a3 as u8) >> (9_u32 & 7)) & 7) + 1); ((if true { far::SCALE } else { y6[[j, i]] }) % (math::log10((t20 as f64)) + 0.5)) }) } else { (((if v14 { y6[[j, i]] } else { 26.265_f64 }) + (-10.8_f64)) * ((if v14 { 48.205_f64 } else { (a3 as f64) }) % (y6[[j, i]] + 0.5))) });
    y7[[j, i]] ^= (if ((if v14 { (j as i64) } else { (j as i64) }).wrapping_add((if v14 { (i as i64) } else { 15_i64 })) < (107_i64 >> 3).rotate_right(1)) { (a1 as i8) } else { (if (y6[[j, i]]).trunc().is_finite() { (y7[[j, i]]).signum().clamp(13, 62) } else { ((y6[[j, i]] + y6[[j, i]]) as i8) }) });
    v14 ^= ((if v14 { 32.227_f32 } else { (a1 as f32) }) <= (17.605_f32 / (i as f32)));
}

fn run_k035(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i8>(0);
    let a2 = inputs.value::<Cell>(1);
    let a3 = inputs.value::<i16>(2);
    let x4 = inputs.array::<u64>(3);
    let x5 = inputs.matrix::<i16>(4);
    let mut y6 = inputs.matrix::<f64>(5);
    let mut y7 = inputs.matrix::<i8>(6);
    rt.submit(k035(a1, a2, a3, &x4, &x5, &mut y6, &mut y7)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k036(a1: i16, x2: &[i64], y3: &mut [u64]) {
    let i = global_id(0);
    if (i as f32).powi(2).is_nan() {
        return;
    }
    let mut v4: bool = (if ((i).rotate_right(4) > (i).clamp(46, 63)) { (((40.129_f32) as i8) <= ({ let t5 = i; (t5 as i8) })) } else { (((a1 as isize) as u32) >= ((i as u32) % (((a1 as u32) & 7) + 1))) });
    for n6 in (0_u16..6).rev() {
        if ((a1 as u8).wrapping_add((n6 as u8)) == ((a1 as i8) as u8)) {
            continue;
        }
        v4 = (math::erf((a1 as f32)) <= (2.840_f32).mul_add(far::WEIGHTS[i % N], 39.179_f32));
        v4 = (!(n6 as f64).is_nan());
        for n7 in (2..=5_u8).rev().step_by(2) {
            v4 |= ({ let t8 = (if i > 0 { x2[i - 1] } else { 0_i64 }); v4 });
            let mut v9 = (((n6 as f32) + (n7 as f32)).floor() - (if v4 { (i as f32) } else { (n7 as f32) }).powi(0));
        }
    }
    let v10: f64 = (math::rsqrt((i as f64).hypot((i as f64))) - (28.348_f64 / far::SCALE).signum());
    for n11 in 0..3_u8 {
        v4 |= (((n11 as i16) == a1) || (41_i8 != 125_i8));
        let mut v12 = (n11 as u8);
    }
    y3[i] = ((((a1 as u8).abs_diff((i as u8)) % (((if false { 78_u8 } else { (a1 as u8) }) & 7) + 1)) as u64) % (((if (!v4) { (y3[i]).rem_euclid((y3[i] & 7) + 1) } else { (y3[i] & y3[i]) }).abs_diff((18_u64 / ((y3[i] & 7) + 1)).wrapping_mul(13)) & 7) + 1));
    v4 = (!(!v4));
}

fn run_k036(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i16>(0);
    let x2 = inputs.array::<i64>(1);
    let mut y3 = inputs.array::<u64>(2);
    rt.submit(k036(a1, &x2, &mut y3)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k037(a1: u64, a2: i64, a3: bool, x4: &[Cell], y5: &mut [i16], #[reduce(min)] s: &mut f64, c: &[Atomic<u32>]) {
    let i = global_id(0);
    let mut v6 = (((a2).wrapping_neg() == (a2 | a2)) as usize);
    let mut v7: i8 = ((({ let t8 = v6; t8 }) as f32) as i8);
    v6 %= ((if true { i } else { i }).clamp(40, 94) & 7) + 1;
    let mut v9 = (-(-far::total([35.982_f32; N])));
    let v10 = [({ let t11 = ((v7) as isize); (55_u32 << 2) }), ((v7).wrapping_sub(v7) as u32), ((v7 as u32).wrapping_mul(34) ^ (v7 as u32).wrapping_add(32))];
    {
        let v12: Real = ((if true { v7 } else { v7 }).rotate_right(2) as f64);
        {
            v7 >>= 1;
            let mut n13 = 2_u32;
            while n13 > 0 {
                n13 -= 1;
                {
                    {
                        let mut v10: bool = ((if ({ let t14 = 7_i32; a3 }) { (36.720_f32).powi(0) } else { (v9).hypot(v9) }) == ((v6 as f32) / v9).signum());
                    }
                }
            }
        }
    }
    y5[i] = y5[i].wrapping_add((({ let t15 = (i as f64); y5[i] }).wrapping_sub(1) % (((y5[i] & (67_i16 | y5[i])) & 7) + 1)));
    c[((v6 / ((i & 7) + 1)).clamp(41, 99)) % c.len()].fetch_add((((v7 as u32) % (((v7 as u32) & 7) + 1)) & 67_u32));
    *s = s.min((((v7 as f64) % ((a1 as f64) + 0.5)) * (23.206_f64 / 37.69_f64)).mul_add((if ({ let t16 = (v7 as i16); true }) { (48.67_f64).mul_add((v7 as f64), 6.948_f64) } else { math::ln((v7 as f64)) }), ((-(v6 as f64)) + (-14.142_f64))));
}

fn run_k037(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u64>(0);
    let a2 = inputs.value::<i64>(1);
    let a3 = inputs.value::<bool>(2);
    let x4 = inputs.array::<Cell>(3);
    let mut y5 = inputs.array::<i16>(4);
    let mut s = Var::new(inputs.cell::<f64>(5));
    let mut c = inputs.array::<u32>(6);
    rt.submit(k037(a1, a2, a3, &x4, &mut y5, &mut s, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k038(a1: Cell, a2: i16, a3: Cell, x4: &[u64], y5: &mut [i16]) {
    let i = global_id(0);
    let v6: [u32; 3] = [({ let t7 = 2_i8; 121_u32 }), ((i as u32).wrapping_add((i as u32)) & (98_u32 | 86_u32)), (((a2 as f32) as u32) >> ((i as u32) & 7))];
    for n8 in (2..5_u64).step_by(3) {
        for n9 in 1..6_i64 {
            if (((a2 as u16) & (a2 as u16)) != 22_u16) {
                break;
            }
            let mut v10 = ((121_i8).rotate_left(7) & ((a2 as i8) as i8)).rotate_left(7);
            let v6: [f32; N] = [math::tanh((a1).mass), (if false { (i as f32) } else { (n8 as f32) }).trunc(), (((v10) as f32) - math::tanh(15.251_f32)), (((a2 as f32) - (n8 as f32)) * ((v10 as f32) + (n9 as f32)))];
        }
        let v11: isize = (if ({ let t12 = (109_i32 % ((55_i32 & 7) + 1)); (false == false) }) { (n8 as isize) } else { (47_isize).signum().wrapping_add(89) });
        let mut v13 = (if (({ let t14 = (n8 as i64); y5[i] }) == ({ let t15 = y5[i]; t15 })) { (a2 as i8).rem_euclid(((n8 as i8) & 7) + 1).div_euclid(((a2 as i8).wrapping_mul((v11 as i8)) & 7) + 1) } else { ((4_i8).saturating_sub((i as i8)) ^ (11_i8 % (((n8 as i8) & 7) + 1))) });
    }
    {
        let mut n16 = 3_u32;
        while n16 > 0 {
            n16 -= 1;
            let v17 = ((a2 as f32) - (i as f32)).mul_add((if (!true) { (i as f32).mul_add((i as f32), (a2 as f32)) } else { (i as f32).trunc() }), (math::log2(14.142_f32) % ((47.962_f32 * (a2 as f32)) + 0.5)));
            let mut v17: bool = (!(v17).min(4.612_f32).is_finite());
        }
    }
    let mut v18: i32 = (i as i32).signum();
    let mut v19 = ({ let t20 = (47.409_f64 - (v18 as f64)); (x4[((i).wrapping_sub(i)) % x4.len()]).saturating_add((if i > 0 { x4[i - 1] } else { 0_u64 })) }).rotate_left(0);
    if ((((v19 as f64) % (40.48_f64 + 0.5)) + (if true { (v18 as f64) } else { (v18 as f64) })) >= ((v18 as f64).sqrt() - (a2 as f64))) {
        let mut v18 = (i as u8).rotate_right(1).rem_euclid(((v18 as u8).abs_diff((a2 as u8)) & 7) + 1).saturating_add(((v18 as u8) % (((a2 as u8) & 7) + 1)).wrapping_mul((v19 as u8)));
    }
    let mut n21 = 2_u32;
    loop {
        if n21 == 0 {
            break;
        }
        n21 -= 1;
        let v22: usize = (i).div_euclid(((i % ((i & 7) + 1)) & 7) + 1).min((v19 as usize));
    }
    y5[i] = y5[i].wrapping_add(y5[i]);
    v19 = ((if i + 2 < x4.len() { x4[i + 2] } else { 0_u64 }).wrapping_mul((if i > 0 { x4[i - 1] } else { 0_u64 })) % ((((125_i8) as u64) & 7) + 1)).max((((if i > 0 { x4[i - 1] } else { 0_u64 }) >> (60_u32 & 7)) << 3));
}

fn run_k038(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let a2 = inputs.value::<i16>(1);
    let a3 = inputs.value::<Cell>(2);
    let x4 = inputs.array::<u64>(3);
    let mut y5 = inputs.array::<i16>(4);
    rt.submit(k038(a1, a2, a3, &x4, &mut y5)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k039(a1: i16, x2: &[u64], x3: View<'_, i16, 2>, y4: ViewMut<'_, f64, 2>, #[out(partial)] y5: ViewMut<'_, i8, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if false {
        let v6: i32 = (((a1 as i32).wrapping_add((a1 as i32)) & (10_i32 | (a1 as i32))) ^ (if false { 123_i32 } else { 86_i32 }).rotate_right(2));
        let mut v7 = (((j as u32) & (Cell { rho: 26.524_f64, mass: 41.962_f32, id: 68_u32 }).id) ^ ((i as u32) ^ (v6 as u32)).wrapping_sub(((j as u32) ^ (i as u32))));
    }
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        let v9 = ((if true { 39.179_f32 } else { 2.840_f32 }).max(((a1 as f32) / far::WEIGHTS[i % N])) < math::ln((j as f32)));
        let v10: [f32; N] = (if ((x3[[j, i]]).wrapping_add(15) < (!(if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0_i16 }))) { [(j as f32).floor(); N] } else { [4.864_f32, (i as f32).powi(-1), ([38.581_f32; N])[(93_usize) % N], math::rsqrt((j as f32))] });
    }
    let mut v11 = ((i as f32).max((i as f32)) / (j as f32).powi(3)).is_nan();
    for n12 in (1..=6_i16).rev().step_by(2) {
        for n13 in (2..4_i32).step_by(1) {
            if v11 {
                break;
            }
            if (y4[[j, i]] % (far::SCALE + 0.5)).mul_add(math::atan(far::SCALE), (y4[[j, i]] - y4[[j, i]])).is_finite() {
                {
                    let mut v14: f32 = (((if false { 37.366_f32 } else { (i as f32) }) - ((n12 as u16) as f32)) * (a1 as f32));
                    v11 |= v11;
                    let mut v15 = true;
                }
                let mut v16: [u32; 3] = [((n13 as u32).clamp(40, 81) << 2), (a1 as u32), ((N).trailing_zeros() >> 5)];
            }
        }
    }
    y4[[j, i]] *= (if (v11 ^ v11) { ({ let t17 = (j as u8).saturating_sub((j as u8)).div_euclid((((j as u8) >> (9_u32 & 7)) & 7) + 1); ((if true { far::SCALE } else { y4[[j, i]] }) % (math::log10((j as f64)) + 0.5)) }) } else { (((if v11 { y4[[j, i]] } else { 26.265_f64 }) + (-10.8_f64)) * ((if v11 { 48.205_f64 } else { (a1 as f64) }) % (y4[[j, i]] + 0.5))) });
    y5[[j, i]] ^= (if ((if v11 { (a1 as i64) } else { (i as i64) }).wrapping_add((if v11 { (j as i64) } else { 15_i64 })) < (107_i64 >> 3).rotate_right(1)) { 122_i8 } else { ({ let t18 = (!((35.590_f32) as i8)); (t18).wrapping_mul(y5[[j, i]]).wrapping_mul((79_i8 >> 5)) }) });
    v11 &= (((a1 as i32) != 108_i32) || (v11 && v11));
}

fn run_k039(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i16>(0);
    let x2 = inputs.array::<u64>(1);
    let x3 = inputs.matrix::<i16>(2);
    let mut y4 = inputs.matrix::<f64>(3);
    let mut y5 = inputs.matrix::<i8>(4);
    rt.submit(k039(a1, &x2, &x3, &mut y4, &mut y5)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k040(a1: i64, x2: &[u64], y3: &mut [i16], #[reduce(min)] s: &mut f64) {
    let i = global_id(0);
    {
        let mut v4 = (((a1).wrapping_neg() == (a1 | a1)) as usize);
        let mut v5: i8 = ((({ let t6 = v4; t6 }) as f32) as i8);
    }
    let mut v7 = (((!(i as isize)) & (84_isize).div_euclid(((a1 as isize) & 7) + 1)) as u32);
    let v8 = (((90_u8).rotate_right(3) << 2) >> ((if true { v7 } else { (a1 as u32) }).rotate_right(3) & 7));
    y3[i] ^= (!({ let t9 = ((i).wrapping_mul(34) ^ (i).wrapping_add(32)); (a1 as i16).clamp(49, 91).rotate_left(0) }));
    if (([(v7 as f32), (v8 as f32), 10.617_f32, (v7 as f32)])[((i).rem_euclid((i & 7) + 1)) % N]).is_nan() {
        for n10 in (2_isize..5).rev() {
            if ({ let t11 = (109_i32 % ((55_i32 & 7) + 1)); (false == false) }) {
                continue;
            }
            *s = s.min(({ let t12 = ((y3[i] != y3[i]) as usize); ((v8 as u8).abs_diff(v8) as f64) }));
            v7 = v7;
            let mut v7: i16 = (y3[i]).wrapping_add((!(a1 as i16))).rotate_left(5);
        }
    }
    v7 = ((v8 as u32) | ((i as u32) | v7)).saturating_sub((v7 as u32));
    y3[i] ^= (!(if (28.762_f32).is_nan() { ((a1 as i16) % ((y3[i] & 7) + 1)) } else { (v8 as i16).signum() }).rem_euclid(((y3[i]).max(y3[i]).wrapping_mul((y3[i]).wrapping_sub(123_i16)) & 7) + 1));
    *s = s.min(math::erf((v8 as f64)));
}

fn run_k040(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i64>(0);
    let x2 = inputs.array::<u64>(1);
    let mut y3 = inputs.array::<i16>(2);
    let mut s = Var::new(inputs.cell::<f64>(3));
    rt.submit(k040(a1, &x2, &mut y3, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k041(a1: u64, a2: u64, x3: &[i16], y4: &mut [f64], y5: &mut [i16]) {
    let i = global_id(0);
    let mut n6 = 3_u32;
    while n6 > 0 {
        n6 -= 1;
        if ((!y5[i]) == ((if i > 0 { x3[i - 1] } else { 0_i16 }) >> 0)) {
            continue;
        }
        {
            let mut v7: bool = (!(((i as isize) >> ((a1 as u32) & 7)) < (i as isize).signum()));
            v7 &= (!((a2 as i32) > (a1 as i32)));
            y4[i] = (Cell { rho: 14.795_f64, mass: 1.692_f32, id: 69_u32 }).rho;
        }
    }
    let mut n8 = 3_u32;
    while n8 > 0 {
        n8 -= 1;
        {
            let mut v9 = (((121_i8).rotate_left(7) & ((a1 as i8) as i8)) as i8);
            let mut v10 = (if (!(a1 < a1)) { [({ let t11 = i; (i as f32) }), (0.240_f32 - (a2 as f32)), math::tanh(15.251_f32), ((v9 as f32) * 10.617_f32)] } else { [((y4[i]) as f32), 4.864_f32, (a2 as f32).powi(-1), ([38.581_f32; N])[(93_usize) % N]] });
        }
    }
    let mut v12 = (({ let t13 = ((false) as usize); (a1 as f32).abs() }) * (a2 as f32).powi(3).signum());
    for n14 in (1..=6_i16).rev().step_by(2) {
        for n15 in (2..4_i32).step_by(1) {
            if true {
                break;
            }
            let v16 = (n14 as i8).saturating_sub(77_i8).signum().rotate_right(4);
            let v17: usize = (if ((y4[i] / y4[i]) >= (if false { y4[i] } else { (a2 as f64) })) { ((i as usize).clamp(6, 98) >> ((n15 as u32) & 7)) } else { i });
        }
    }
    y4[i] *= ((-(far::scaled((i as f64))).signum()) + (((y4[i] + (a2 as f64)) % (y4[i] + 0.5)) * (if (v12 <= (i as f32)) { math::cos(y4[i]) } else { ({ let t18 = 127_u16; y4[i] }) })));
    y5[i] = y5[i].wrapping_add(((if false { (if i > 0 { x3[i - 1] } else { 0_i16 }) } else { 9_i16 }).wrapping_mul((y5[i]).saturating_sub(y5[i])) >> (far::MASK & 7)));
    v12 *= (if false { ((v12).powi(2) - (v12).powf((a1 as f32))) } else { (if ((i as i32) == (a1 as i32)) { (v12 * (a1 as f32)) } else { math::atan(v12) }) });
}

fn run_k041(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u64>(0);
    let a2 = inputs.value::<u64>(1);
    let x3 = inputs.array::<i16>(2);
    let mut y4 = inputs.array::<f64>(3);
    let mut y5 = inputs.array::<i16>(4);
    rt.submit(k041(a1, a2, &x3, &mut y4, &mut y5)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k042(a1: Cell, a2: bool, x3: &[Cell], y4: &mut [i16], c: &[Atomic<i64>]) {
    let i = global_id(0);
    {
        let mut v5 = (((i as i64).wrapping_neg() == ((i as i64) | (i as i64))) as usize);
        let mut v6: i8 = ((({ let t7 = v5; t7 }) as f32) as i8);
    }
    let mut v8 = (((!(i as isize)) & (84_isize).div_euclid(((i as isize) & 7) + 1)) as u32);
    let v9 = (((90_u8).rotate_right(3) << 2) >> ((if a2 { v8 } else { v8 }).rotate_right(3) & 7));
    y4[i] ^= (!({ let t10 = ((i).wrapping_mul(34) ^ (i).wrapping_add(32)); (i as i16).clamp(49, 91).rotate_left(0) }));
    if (([(v9 as f32), (v8 as f32), 10.617_f32, (v8 as f32)])[((i).rem_euclid((i & 7) + 1)) % N]).is_nan() {
        for n11 in (2_isize..5).rev() {
            if ({ let t12 = (109_i32 % ((55_i32 & 7) + 1)); (a2 == a2) }) {
                continue;
            }
            v8 |= ({ let t13 = (v9 as i64); y4[i] }).leading_zeros().wrapping_mul(((y4[i] & (n11 as i16)) as u32));
        }
    } else {
        if (!a2) {
            if ((v9 as f64) + (i as f64)).mul_add(math::atan(far::SCALE), (38.892_f64 - (v8 as f64))).is_finite() {
                y4[i] ^= (if ((!false) ^ ((v8 as i8) == 124_i8)) { (y4[i] % (((i as i16) & 7) + 1)).signum() } else { (18_i16 / ((y4[i] & 7) + 1)).wrapping_mul(13) }).clamp(3, 79);
            }
        } else {
            v8 %= ((11_u32 | v8).wrapping_add(18) & 7) + 1;
        }
    }
    y4[i] = ((((i as isize).wrapping_neg() as i16) ^ y4[i]) & (if ((i as f64).is_nan() != (false != a2)) { ({ let t14 = (-45.650_f64); ({ let t15 = t14; y4[i] }) }) } else { (y4[i]).wrapping_sub(y4[i]).wrapping_add((if a2 { 22_i16 } else { y4[i] })) }));
    c[(((i >> 0) & ((101_u64) as usize))) % c.len()].fetch_max((if ((v8 as f32) >= (i as f32)) { (v8 as i64).wrapping_add((v8 as i64)) } else { (v8 as i64).wrapping_sub((v8 as i64)) }));
    v8 = (([77_u32; 3])[(i) % 3]).saturating_add((i as u32).rotate_right(6)).wrapping_add(9);
}

fn run_k042(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let a2 = inputs.value::<bool>(1);
    let x3 = inputs.array::<Cell>(2);
    let mut y4 = inputs.array::<i16>(3);
    let mut c = inputs.array::<i64>(4);
    rt.submit(k042(a1, a2, &x3, &mut y4, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k043(a1: bool, a2: Cell, x3: &[i32], x4: View<'_, f32, 2>, y5: ViewMut<'_, i16, 2>, #[reduce(*)] s: &mut u32) {
    let (j, i) = (global_id(1), global_id(0));
    let mut v6 = far::moved(Cell { rho: ((i as f64) / (j as f64)), mass: (x4[[((j / (((j as usize) & 7) + 1))) % x4.extent(0), i]]).mul_add((if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 }), x4[[j, i]]), id: ((j as u32) >> (47_u32 & 7)) }, ((if a1 { (j as f32) } else { (if j > 0 { x4[[j - 1, i]] } else { 0.0_f32 }) }) + (if a1 { x4[[(((i as usize) >> ((i as u32) & 7))) % x4.extent(0), i]] } else { (if j > 0 { x4[[j - 1, i]] } else { 0.0_f32 }) })));
    let mut v7: i32 = (if (far::SCALE).is_nan() { (!(i as i32)) } else { ((if i + 2 < x3.len() { x3[i + 2] } else { 0_i32 }) ^ x3[((i).wrapping_sub(i)) % x3.len()]) }).wrapping_sub(43);
    if (far::series((far::SCALE).hypot(14.656_f64), (i as u32).wrapping_mul((i as u32))) < math::sin(math::tanh(15.251_f64))) {
        let mut v8: f32 = ((x4[[((j % ((j & 7) + 1))) % x4.extent(0), i]] + (if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 })).floor() - (48.871_f32 / 36.720_f32).powi(0));
    }
    let mut n9 = 2_u32;
    loop {
        if n9 == 0 {
            break;
        }
        n9 -= 1;
        if ({ let t10 = ((false) as usize); a1 }) {
            continue;
        }
        let mut v11: f32 = ({ let t12 = (j as f64); x4[[j, i]] }).powi(3).abs();
        let mut v11: i16 = (y5[[j, i]]).wrapping_add((!(v7 as i16))).rotate_left(5);
    }
    let v13: [f32; N] = [(x4[[j, i]] + (x4[[(({ let t14 = 55_i64; i })) % x4.extent(0), i]] / x4[[j, i]])); N];
    if (if (!(a1 == false)) { (!a1) } else { (math::log2(14.142_f32) >= (47.962_f32 * x4[[((11_usize | i)) % x4.extent(0), i]])) }) {
        let mut v15: [f32; N] = [(x4[[((j).wrapping_sub(i)) % x4.extent(0), i]] * x4[[((if true { j } else { j })) % x4.extent(0), i]]).mul_add((v7 as f32).max((j as f32)), (if j > 0 { x4[[j - 1, i]] } else { 0.0_f32 }).powf(12.221_f32)), ({ let t16 = (105_i8).rotate_left(5); (x4[[j, i]] - x4[[((v7 as usize).wrapping_mul(j)) % x4.extent(0), i]]) }), (x4[[((if a1 { 14_usize } else { (i as usize) })) % x4.extent(0), i]]).mul_add(((if j + 1 < x4.extent(0) && i > 0 { x4[[j + 1, i - 1]] } else { 0.0_f32 }) * far::WEIGHTS[i % N]), (48.205_f32 % ((j as f32) + 0.5))), (if ((i as u8) >= (j as u8)) { ((if j > 0 { x4[[j - 1, i]] } else { 0.0_f32 }) + (i as f32)) } else { (x4[[j, i]]).powi(0) })];
    } else {
        let mut v17: isize = (if (35.590_f64).trunc().is_finite() { (j as isize).wrapping_mul((i as isize)).wrapping_mul((109_isize >> 5)) } else { (j as isize) });
    }
    v7 >>= 3;
    let mut n18 = 5_u32;
    while n18 > 0 {
        n18 -= 1;
        let mut v19 = v6;
    }
    if ((((v7 as f64) * (v7 as f64)) * (j as f64).abs()) != math::ln((if a1 { 24.294_f64 } else { 42.18_f64 }))) {
        v6.id ^= ((v7 as u32) >> 1).rotate_left(0).clamp(8, 52);
    } else {
        v7 >>= 2;
    }
    y5[[j, i]] = y5[[j, i]].wrapping_add((if ({ let t20 = ((v7 as i64) / (((i as i64) & 7) + 1)); a1 }) { (y5[[j, i]] ^ y5[[j, i]]).wrapping_add((y5[[j, i]]).saturating_sub(y5[[j, i]])) } else { ((126_i16).saturating_add((v7 as i16)) | (if a1 { y5[[j, i]] } else { y5[[j, i]] })) }));
    *s *= (((v7 as u32).wrapping_sub((j as u32)) >> 1) << 0);
}

fn run_k043(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<bool>(0);
    let a2 = inputs.value::<Cell>(1);
    let x3 = inputs.array::<i32>(2);
    let x4 = inputs.matrix::<f32>(3);
    let mut y5 = inputs.matrix::<i16>(4);
    let mut s = Var::new(inputs.cell::<u32>(5));
    rt.submit(k043(a1, a2, &x3, &x4, &mut y5, &mut s)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k044(a1: u64, x2: &[i16], y3: &mut [f64], y4: &mut [i16]) {
    let i = global_id(0);
    let mut n5 = 3_u32;
    while n5 > 0 {
        n5 -= 1;
        if ((!y4[i]) == ((if i > 0 { x2[i - 1] } else { 0_i16 }) >> 0)) {
            continue;
        }
        {
            let mut v6: bool = (!(((i as isize) >> ((i as u32) & 7)) < (a1 as isize).signum()));
            v6 &= (!((a1 as i32) > (a1 as i32)));
            y3[i] = (Cell { rho: 14.795_f64, mass: 1.692_f32, id: 69_u32 }).rho;
        }
    }
    let mut n7 = 3_u32;
    while n7 > 0 {
        n7 -= 1;
        {
            let mut v8 = (((121_i8).rotate_left(7) & ((a1 as i8) as i8)) as i8);
            let mut v9 = (if (!(a1 < a1)) { [({ let t10 = i; (v8 as f32) }), (0.240_f32 - (v8 as f32)), math::tanh(15.251_f32), ((i as f32) * 10.617_f32)] } else { [((y3[i]) as f32), 4.864_f32, (v8 as f32).powi(-1), ([38.581_f32; N])[(93_usize) % N]] });
        }
    }
    let mut v11 = (({ let t12 = ((false) as usize); (a1 as f32).abs() }) * (i as f32).powi(3).signum());
    for n13 in (1..=6_i16).rev().step_by(2) {
        for n14 in (2..4_i32).step_by(1) {
            if true {
                break;
            }
            let v15 = (i as i8).saturating_sub(77_i8).signum().rotate_right(4);
            let v16: usize = (if ((y3[i] / y3[i]) >= (if false { y3[i] } else { (v15 as f64) })) { ((n14 as usize).clamp(6, 98) >> ((v15 as u32) & 7)) } else { i });
        }
    }
    y3[i] *= ((-(far::scaled((a1 as f64))).signum()) + (((y3[i] + (i as f64)) % (y3[i] + 0.5)) * (if (v11 <= (i as f32)) { math::cos(y3[i]) } else { ({ let t17 = 127_u16; y3[i] }) })));
    y4[i] = y4[i].wrapping_add(((if false { (if i > 0 { x2[i - 1] } else { 0_i16 }) } else { 9_i16 }).wrapping_mul((y4[i]).saturating_sub(y4[i])) >> (far::MASK & 7)));
    v11 *= (if false { ((v11).powi(2) - (v11).powf((a1 as f32))) } else { (if ((a1 as i32) == (i as i32)) { (v11 * (i as f32)) } else { math::atan(v11) }) });
}

fn run_k044(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u64>(0);
    let x2 = inputs.array::<i16>(1);
    let mut y3 = inputs.array::<f64>(2);
    let mut y4 = inputs.array::<i16>(3);
    rt.submit(k044(a1, &x2, &mut y3, &mut y4)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k045(a1: Cell, a2: Cell, x3: &[i16], y4: &mut [f64], y5: &mut [i16]) {
    let i = global_id(0);
    let mut n6 = 3_u32;
    while n6 > 0 {
        n6 -= 1;
        if ((!y5[i]) == ((if i > 0 { x3[i - 1] } else { 0_i16 }) >> 0)) {
            continue;
        }
        {
            let mut v7: bool = (!(((i as isize) >> ((i as u32) & 7)) < (i as isize).signum()));
            v7 &= (!((i as i32) > (i as i32)));
            y4[i] = (a2).rho;
        }
    }
    let mut v8 = (((90_i32).rotate_right(3) << 2) >> ((if true { (i as u32) } else { far::MASK }).rotate_right(3) & 7));
    y4[i] *= (-({ let t9 = ((i).wrapping_mul(34) ^ (i).wrapping_add(32)); y4[i] }));
    let mut v10 = ({ let t11 = 104_i64; false });
    let mut v12 = (((i as f32) + (v8 as f32)).floor() - (if v10 { (v8 as f32) } else { (v8 as f32) }).powi(0));
    let v13: Real = (math::rsqrt((y4[i]).hypot(y4[i])) - (((v8 as f64) % (y4[i] + 0.5)) * ((v8 as f64) / (v8 as f64))));
    v12 /= ({ let t14 = (({ let t15 = y5[i]; v8 }) as i64); (v12 % (v12 + 0.5)).abs() });
    v12 /= (((v12).mul_add((i as f32), v12) - (v8 as f32).mul_add((v8 as f32), (i as f32))) + (if (v10 ^ false) { 6.948_f32 } else { v12 }));
    let mut v16 = ((-(y4[i]).signum()) as u8);
    for n17 in 2_i8..=5 {
        v12 = (Cell { rho: 23.201_f64, mass: 19.294_f32, id: 96_u32 }).mass;
    }
    y4[i] *= (((y4[i]).mul_add(v13, y4[i]) / (v13 - y4[i])) / ((y4[i]).round_ties_even() * (y4[i] % (y4[i] + 0.5)))).max(y4[i]);
    y5[i] = y5[i].wrapping_add((if (!(if true { v10 } else { v10 })) { ({ let t18 = (105_i8).rotate_left(5); ((if i > 0 { x3[i - 1] } else { 0_i16 }) >> ((t18 as u32) & 7)) }) } else { (101_i16).clamp(23, 62).div_euclid(((42_i16).clamp(43, 78) & 7) + 1) }));
    v12 *= ((if (v12 >= v12) { (i as f32) } else { (36.688_f32 - v12) }) % (v12 + 0.5));
}

fn run_k045(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let a2 = inputs.value::<Cell>(1);
    let x3 = inputs.array::<i16>(2);
    let mut y4 = inputs.array::<f64>(3);
    let mut y5 = inputs.array::<i16>(4);
    rt.submit(k045(a1, a2, &x3, &mut y4, &mut y5)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k046(a1: Cell, x2: &[i16], y3: &mut [f64], y4: &mut [i16], #[reduce(*)] s: &mut u32) {
    let i = global_id(0);
    let mut v5 = far::moved(Cell { rho: (y3[i] / y3[i]), mass: ((i as f32) + (i as f32)), id: (i as u32).rotate_left(2) }, math::log10(((i as f32) % (41.707_f32 + 0.5))));
    v5.id ^= ((if true { (i as u32) } else { (i as u32) }).clamp(40, 94) & (if (32.45_f32).is_nan() { 7 } else { (32.45_f32).to_bits() }).wrapping_add((i as u32)));
    let v6 = [({ let t7 = ((i as i8) as isize); (55_u32 << 2) }), ((i as i8).wrapping_sub((i as i8)) as u32), ((i as u32).wrapping_mul(34) ^ (i as u32).wrapping_add(32))];
    {
        let v8: Real = ((if true { 39_i8 } else { (i as i8) }).rotate_right(3) as f64);
        v5.mass += (((i as f32) + (i as f32)).floor() % ((if true { (i as f32) } else { (i as f32) }).powi(0) + 0.5));
        let v9: i64 = ((i as i64).wrapping_sub(3).rem_euclid(((27_i64).wrapping_add(89) & 7) + 1) / ((((i as i64) & (i as i64)).signum() & 7) + 1));
    }
    v5.mass += ({ let t10 = (({ let t11 = y4[i]; (t11 as i32) }) as i64); ((t10 as f32) % ((t10 as f32) + 0.5)).abs() });
    v5.rho = (((i as f64).mul_add(12.912_f64, y3[i]) - (far::SCALE).mul_add(y3[i], y3[i])) + ((i as u16) as f64).mul_add((if false { y3[i] } else { (i as f64) }), math::cos(y3[i])));
    let mut v12: [u32; 3] = [(i as u32).wrapping_sub(((i as u32) << 4)), (63_u32 | (i as u32)).wrapping_mul((i as u32).wrapping_sub(114_u32)), ((N).trailing_zeros() >> 5)];
    for n13 in (2..6_i16).step_by(1) {
        let mut v14 = false;
    }
    v5.id ^= ((if i > 0 { x2[i - 1] } else { 0_i16 }) >> 2).trailing_zeros().wrapping_mul((i as u32).saturating_sub(((i as u32) >> (9_u32 & 7))));
    let v15 = [(i as f32).max((i as f32)).trunc(), (-(i as f32)).mul_add((i as f32).mul_add(0.910_f32, 43.907_f32), (19.118_f32).recip()), ((-48.305_f32) - (if true { (i as f32) } else { far::WEIGHTS[i % N] })), (if ((i as u16) < 57_u16) { ((i as f32) % (far::WEIGHTS[i % N] + 0.5)) } else { math::tan(far::WEIGHTS[i % N]) })];
    v12[(i) % 3] |= ((i as usize).leading_zeros().clamp(13, 62) % (((i as u32) & 7) + 1));
    y3[i] *= (y3[i] - (if (if (true ^ false) { (y3[i] < (i as f64)) } else { (if false { false } else { true }) }) { ((y3[i] + (i as f64)) / (y3[i]).mul_add((i as f64), y3[i])) } else { math::log10((y3[i] * (i as f64))) }));
    y4[i] ^= (i as i16);
    *s *= (i as u32).wrapping_sub((21_u32 >> 3)).clamp(38, 84);
}

fn run_k046(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let x2 = inputs.array::<i16>(1);
    let mut y3 = inputs.array::<f64>(2);
    let mut y4 = inputs.array::<i16>(3);
    let mut s = Var::new(inputs.cell::<u32>(4));
    rt.submit(k046(a1, &x2, &mut y3, &mut y4, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&y4.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k047(a1: i32, a2: u16, x3: View<'_, u8, 2>, x4: View<'_, Cell, 2>, x5: View<'_, i8, 2>, y6: ViewMut<'_, i16, 2>, c: &[Atomic<u32>]) {
    let (j, i) = (global_id(1), global_id(0));
    let v7: [u32; 3] = [((a2 as u32).wrapping_add((a2 as u32)) & (98_u32 | 86_u32)), (((j as f32) as u32) >> ((a2 as u32) & 7)), (if true { (a2 as u32) } else { (a2 as u32) }).clamp(40, 94)];
    let mut v8 = (-(-far::total([35.982_f32; N])));
    let v9 = [({ let t10 = ((x5[[j, i]]) as isize); (55_u32 << 2) }), ((if j + 1 < x5.extent(0) && i > 0 { x5[[j + 1, i - 1]] } else { 0_i8 }).wrapping_sub((i as i8)) as u32), ((a1 as u32).wrapping_mul(34) ^ (j as u32).wrapping_add(32))];
    {
        let v11: Real = ((if true { x5[[j, i]] } else { (if j + 1 < x5.extent(0) && i > 0 { x5[[j + 1, i - 1]] } else { 0_i8 }) }).rotate_right(3) as f64);
        v8 /= ((v8 + v8).floor() % ((if true { v8 } else { v8 }).powi(0) + 0.5));
        let v12: i64 = ((i as i64).wrapping_sub(3).rem_euclid(((27_i64).wrapping_add(89) & 7) + 1) / ((((a2 as i64) & (a2 as i64)).signum() & 7) + 1));
    }
    v8 /= ({ let t13 = (({ let t14 = y6[[j, i]]; a1 }) as i64); (v8 % (v8 + 0.5)).abs() });
    v8 /= (((v8).mul_add((j as f32), v8) - (a2 as f32).mul_add((i as f32), (j as f32))) + (if (true ^ true) { (v8).mul_add(v8, (j as f32)) } else { (v8 / v8) }));
    {
        let mut v15: Cell = x4[[j, i]];
        let v16 = [(11_u32).rotate_right(6).wrapping_sub((a1).count_ones()), (if j + 1 < x5.extent(0) && i > 0 { x5[[j + 1, i - 1]] } else { 0_i8 }).leading_zeros().wrapping_sub(((i as u32) ^ far::MASK)), ((far::MASK >> ((a2 as u32) & 7)) >> 6)];
    }
    y6[[j, i]] = (!({ let t17 = (-45.650_f64); ({ let t18 = t17; y6[[j, i]] }) })).saturating_sub((y6[[j, i]] >> 0).wrapping_add(8).wrapping_add((if ((i as u64) < (a1 as u64)) { (j as i16).div_euclid((y6[[j, i]] & 7) + 1) } else { (y6[[j, i]] >> 0) })));
    v8 *= (if ((28.541_f64 * 22.186_f64) > (a1 as f64)) { math::atan(({ let t19 = j; v8 })) } else { (if false { (v8).powi(0) } else { (far::WEIGHTS[i % N]).sqrt() }) });
    let mut n20 = 5_u32;
    while n20 > 0 {
        n20 -= 1;
        let mut n21 = 3_u32;
        while n21 > 0 {
            n21 -= 1;
            v8 = (math::rsqrt(math::atan(v8)) * (far::WEIGHTS[i % N] + v8).trunc());
        }
    }
    y6[[j, i]] ^= (if (if ((!false) ^ false) { ((v8).powi(3) >= (-v8)) } else { (math::exp2(v8)).is_nan() }) { (j as i16).saturating_sub(14_i16).wrapping_sub((if true { y6[[j, i]] } else { (j as i16) })).saturating_sub((a2 as i16).wrapping_sub(((33.750_f32) as i16))) } else { (if (((if j > 0 { x3[[j - 1, i]] } else { 0_u8 }) / (((j as u8) & 7) + 1)) != ((if j + 1 < x3.extent(0) && i > 0 { x3[[j + 1, i - 1]] } else { 0_u8 }) >> ((a2 as u32) & 7))) { (y6[[j, i]]).wrapping_add(10).div_euclid(((y6[[j, i]]).clamp(11, 86) & 7) + 1) } else { (y6[[j, i]] >> (44_u32 & 7)).signum() }) });
    c[((if ({ let t22 = a1; false }) { (i & (j as usize)) } else { (i as usize).rotate_right(0) })) % c.len()].fetch_max(59_u32);
    v8 *= (a2 as f32).sqrt().powi(2).round_ties_even();
}

fn run_k047(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i32>(0);
    let a2 = inputs.value::<u16>(1);
    let x3 = inputs.matrix::<u8>(2);
    let x4 = inputs.matrix::<Cell>(3);
    let x5 = inputs.matrix::<i8>(4);
    let mut y6 = inputs.matrix::<i16>(5);
    let mut c = inputs.array::<u32>(6);
    rt.submit(k047(a1, a2, &x3, &x4, &x5, &mut y6, &mut c)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k048(a1: i16, x2: &[f64], x3: &[i16], y4: &mut [i8], y5: &mut [f32]) {
    let i = global_id(0);
    let v6: i32 = (((i as i32).wrapping_add((i as i32)) & (10_i32 | (i as i32))) ^ (if false { 123_i32 } else { 86_i32 }).rotate_right(2));
    let mut v7 = (((v6 as u32) & (Cell { rho: 26.524_f64, mass: 41.962_f32, id: 68_u32 }).id) ^ ((i as u32) ^ (a1 as u32)).wrapping_sub(((i as u32) ^ (v6 as u32))));
    let mut v8 = ((v6).wrapping_mul(34) ^ (v6).wrapping_add(32)).wrapping_add((!(v6 / ((v6 & 7) + 1))));
    {
        let v9 = ((if true { y4[i] } else { y4[i] }).rotate_right(3) as f64);
        let mut v10: f32 = ((y5[i] + y5[i]).floor() - (math::erf(y5[i])).ceil());
        let v11: i64 = (((v7 as i64).rem_euclid(((v7 as i64) & 7) + 1) / (((v8 as i64) & 7) + 1)) ^ (v8 as i64).signum().wrapping_mul(((x3[i]) as i64)));
    }
    v8 %= (({ let t12 = ((v8) as i64); (v6 / ((v8 & 7) + 1)) }) & 7) + 1;
    y4[i] = y4[i].wrapping_add((!(y4[i]).wrapping_sub(51)).max(((y4[i] & 4_i8) | (y4[i]).rotate_right(7))));
    let mut v13 = ({ let t14 = (((v8 as i64) >> (v7 & 7)) % (((124_i64).clamp(6, 98) & 7) + 1)); ((if i + 2 < x3.len() { x3[i + 2] } else { 0_i16 }) % (((if i + 2 < x3.len() { x3[i + 2] } else { 0_i16 }) & 7) + 1)).signum() });
    for n15 in (0..=4_u32).rev().step_by(2) {
        if ((n15 as isize).wrapping_sub(123_isize) > (v7 as isize).rotate_right(0)) {
            continue;
        }
        {
            if (far::scaled((n15 as f64))).powf(({ let t16 = 127_u16; x2[i] })).is_finite() {
                if (!((v6).div_euclid((v8 & 7) + 1) <= (i as i32).wrapping_sub(v6))) {
                    v8 %= ((v6 >> 2).rotate_right(1) & 7) + 1;
                } else {
                    v7 %= ((((10_u16) as u32) | far::mix(v7, n15)) & 7) + 1;
                }
            } else {
                v7 %= (((if false { 112_u32 } else { (v6 as u32) }) >> 2) & 7) + 1;
            }
        }
    }
    y4[i] = y4[i].wrapping_add((((if i > 0 { x2[i - 1] } else { 0.0_f64 }) as i8).clamp(15, 78) | (!(!y4[i]))));
    y5[i] = ({ let t17 = (i).rotate_right(1).rem_euclid(((i).abs_diff(i) & 7) + 1).saturating_add((i % ((i & 7) + 1)).wrapping_mul(i)); ((math::atan(y5[i])).mul_add(((v7 as f32) / (t17 as f32)), (-y5[i])) + (math::exp(y5[i]) * (y5[i] - y5[i]))) });
    v13 &= (a1 % (((if i + 2 < x3.len() { x3[i + 2] } else { 0_i16 }) & 7) + 1)).max((x3[i] | x3[(i) % x3.len()])).rotate_left(3);
}

fn run_k048(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i16>(0);
    let x2 = inputs.array::<f64>(1);
    let x3 = inputs.array::<i16>(2);
    let mut y4 = inputs.array::<i8>(3);
    let mut y5 = inputs.array::<f32>(4);
    rt.submit(k048(a1, &x2, &x3, &mut y4, &mut y5)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k049(a1: i64, a2: f64, a3: i16, x4: &[i8], x5: &[f32], y6: &mut [i64], y7: &mut [usize], #[reduce(*)] s: &mut u32) {
    let i = global_id(0);
    {
        if (false & (((x5[((y7[i]).abs_diff(i)) % x5.len()]) as i8) <= (if true { (if i > 0 { x4[i - 1] } else { 0_i8 }) } else { (a1 as i8) }))) {
            let mut n8 = 4_u32;
            while n8 > 0 {
                n8 -= 1;
                let mut v9 = (i as u64);
                let mut n10 = 2_u32;
                while n10 > 0 {
                    n10 -= 1;
                    let v11 = (if ((y7[i] != y7[i]) == (false && false)) { ((90_isize).rotate_right(3) << 2) } else { ((!a1) as isize) });
                }
            }
            let v12 = (((102_u64).div_euclid(((a3 as u64) & 7) + 1) | 125_u64) < ((39_u64).wrapping_mul(104_u64) | ((a3 as u64) << 0)));
        } else {
            let v13: f32 = (-(if i > 0 { x5[i - 1] } else { 0.0_f32 }).atan2(x5[(({ let t14 = y6[i]; (t14 as usize) })) % x5.len()])).hypot((((if i > 0 { x5[i - 1] } else { 0.0_f32 }) - (if i + 2 < x5.len() { x5[i + 2] } else { 0.0_f32 })) % ((x5[((y7[i]).wrapping_sub((a3 as usize))) % x5.len()] * (if i > 0 { x5[i - 1] } else { 0.0_f32 })) + 0.5)));
        }
    }
    let mut v15 = [((a3).leading_zeros() | ({ let t16 = (a1 as i32); (i as u32) })), ((far::TABLE[i % 8] | (i as u32)) & (a1).trailing_zeros()), 4_u32];
    let v17: usize = (if ((a2 / a2) >= (if false { a2 } else { (a1 as f64) })) { (if true { i } else { y7[i] }).abs_diff((i).saturating_sub(y7[i])) } else { i });
    let mut v17 = (Cell { rho: 46.424_f64, mass: 40.680_f32, id: 18_u32 }).mass;
    let mut v18 = [(a1 as u32).rotate_right(7), ((6_u32 ^ (a1 as u32)) >> 2), ({ let t19 = (i as u16); (far::MASK >> ((a3 as u32) & 7)) })];
    y6[i] = (!({ let t20 = (-0.28_f64); (if true { y6[i] } else { y6[i] }) })).saturating_sub((y6[i] >> 0).wrapping_add(8).wrapping_add((if ((a3 as u64) < (a3 as u64)) { (a1).div_euclid((y6[i] & 7) + 1) } else { (y6[i] >> 0) })));
    *s *= (a1 as u32);
    v18[(((if false { x5[i] } else { (i as f32) }) as usize)) % 3] |= (a1 as u32).rotate_right(1);
    y6[i] = (if (((i as u16).abs_diff((a1 as u16)) >> ((i as u32).rotate_right(1) & 7)) < ((i as u16) % (((i as u16) & 7) + 1)).wrapping_mul((a1 as u16))) { (!(if true { (a1).clamp(36, 60) } else { (y6[i]).div_euclid((a1 & 7) + 1) })) } else { (y6[i] >> 2) });
    y7[i] = y7[i];
    *s *= (i as u32);
}

fn run_k049(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i64>(0);
    let a2 = inputs.value::<f64>(1);
    let a3 = inputs.value::<i16>(2);
    let x4 = inputs.array::<i8>(3);
    let x5 = inputs.array::<f32>(4);
    let mut y6 = inputs.array::<i64>(5);
    let mut y7 = inputs.array::<usize>(6);
    let mut s = Var::new(inputs.cell::<u32>(7));
    rt.submit(k049(a1, a2, a3, &x4, &x5, &mut y6, &mut y7, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k050(a1: u16, x2: &[u8], x3: &[usize], x4: &[i8], y5: &mut [Cell], y6: &mut [i16]) {
    let i = global_id(0);
    let mut v7 = [((a1 as f32).mul_add((i as f32), (i as f32)) * math::erf((a1 as f32))); N];
    {
        if ((if (a1 as f32).is_nan() { (if i > 0 { x3[i - 1] } else { 0_usize }).clamp(40, 94) } else { (if false { (if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }) } else { (if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }) }) }) != ((if i > 0 { x3[i - 1] } else { 0_usize }) & i).div_euclid((x3[((x3[(((x4[i]) as usize)) % x3.len()]).rotate_right(5)) % x3.len()] & 7) + 1)) {
            v7[(((if false { x3[((if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }).wrapping_sub(i)) % x3.len()] } else { x3[i] }) ^ (x3[(((if i > 0 { x3[i - 1] } else { 0_usize }) | (if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }))) % x3.len()] & (if i > 0 { x3[i - 1] } else { 0_usize })))) % N] = (far::wave((i as f32), (a1 as f32))).abs().powf(([(a1 as f32), (i as f32), 10.617_f32, (a1 as f32)])[((x3[i]).rem_euclid(((if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }) & 7) + 1)) % N]);
            let v8: isize = (if ({ let t9 = (109_i32 % ((55_i32 & 7) + 1)); (false == false) }) { (i as isize) } else { (47_isize).signum().wrapping_add(89) });
            let mut v10: i8 = (if (({ let t11 = (a1 as i64); y6[i] }) == ({ let t12 = y6[i]; t12 })) { (if i > 0 { x4[i - 1] } else { 0_i8 }).rem_euclid((x4[((if i > 0 { x3[i - 1] } else { 0_usize }).wrapping_mul(x3[i])) % x4.len()] & 7) + 1).div_euclid((((if i > 0 { x4[i - 1] } else { 0_i8 }) ^ x4[i]) & 7) + 1) } else { (if (25.611_f64 >= (i as f64)) { (if false { x4[i] } else { x4[((x3[((i).clamp(48, 76)) % x3.len()]).wrapping_sub(55)) % x4.len()] }) } else { (!x4[i]) }) });
        } else {
            let mut v13 = [(i as u32), (63_u32 | (i as u32)).wrapping_mul((a1 as u32).wrapping_sub(114_u32)), ((x3[((x3[i]).clamp(22, 81)) % x3.len()]).trailing_zeros() >> 5)];
            let mut v7: usize = (({ let t15 = 121_i8; (if i > 0 { x3[i - 1] } else { 0_usize }) }).wrapping_sub(({ let t14 = 0.28_f32; (if i > 0 { x3[i - 1] } else { 0_usize }) })) >> ((i as u32).wrapping_mul((a1 as u32)).wrapping_sub(62) & 7));
        }
        let mut v7: f64 = (a1 as f64).max((43.907_f64).mul_add((i as f64), 0.910_f64)).trunc();
    }
    for n16 in (0..5_u32).step_by(2) {
        let mut n17 = 4_u32;
        while n17 > 0 {
            n17 -= 1;
            {
                v7[(((if i > 0 { x3[i - 1] } else { 0_usize }).wrapping_sub(i) | x3[i])) % N] = (if ((a1 >> ((i as u32) & 7)) < a1) { far::wave(math::rsqrt(33.765_f32), (35.590_f32).trunc()) } else { math::rsqrt(math::atan((n16 as f32))) });
            }
        }
    }
    y5[i].rho += (((-(a1 as f64)) + far::scaled((i as f64))) + (((i as f64) + 17.605_f64) % ((a1 as f64).powi(3) + 0.5)));
    y6[i] ^= ((y6[i]).wrapping_sub(y6[i]).wrapping_mul((y6[i]).saturating_sub(y6[i])) % (((if (90_u64 < 19_u64) { (i as i16).clamp(8, 52) } else { (30_i16 >> 3) }) & 7) + 1)).max((i as i16));
    v7[((if true { (if i > 0 { x3[i - 1] } else { 0_usize }) } else { (if i > 0 { x3[i - 1] } else { 0_usize }) }).rem_euclid((((if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }) >> ((a1 as u32) & 7)) & 7) + 1)) % N] = (((i as f32) as f32).powi(3) / ((i as f32) - math::erf(42.826_f32)));
}

fn run_k050(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u16>(0);
    let x2 = inputs.array::<u8>(1);
    let x3 = inputs.array::<usize>(2);
    let x4 = inputs.array::<i8>(3);
    let mut y5 = inputs.array::<Cell>(4);
    let mut y6 = inputs.array::<i16>(5);
    rt.submit(k050(a1, &x2, &x3, &x4, &mut y5, &mut y6)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k051(a1: f32, a2: f64, a3: i8, x4: View<'_, i8, 2>, x5: View<'_, Cell, 2>, x6: &[Cell], y7: ViewMut<'_, usize, 2>, #[out(partial)] y8: ViewMut<'_, Real, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    {
        if (false & (((a3 as f32) as i8) <= ((if j > 0 { x4[[j - 1, i]] } else { 0_i8 }) >> (47_u32 & 7)))) {
            let mut v9: isize = (if (y8[[j, i]] >= y8[[j, i]]) { (84_isize >> ((i as u32) & 7)) } else { ((j as isize) & 29_isize) }).clamp(40, 94);
            let mut v10 = (if (y8[[j, i]] * a2).is_nan() { ((if false { y7[[j, i]] } else { j }) ^ (y7[[j, i]]).max(y7[[j, i]])) } else { (y7[[j, i]]).rem_euclid((y7[[j, i]] & 7) + 1).abs_diff((y7[[j, i]] | j)) });
        } else {
            for n11 in (2..=5_u8).rev().step_by(2) {
                let v12 = ({ let t13 = 104_i64; [(a1 / (i as f32)), (a1 + (t13 as f32)), (t13 as f32).atan2(a1), (if false { a1 } else { (n11 as f32) })] });
                let v14: f64 = ((({ let t15 = y8[[j, i]]; y8[[j, i]] }) / (n11 as f64).signum()) + (y8[[j, i]] / a2).powi(3));
            }
        }
    }
    let mut v16 = ({ let t17 = ({ let t18 = (if false { (j as i32) } else { (i as i32) }); (y8[[j, i]] % ((j as f64) + 0.5)) }); (a1 % (a1 + 0.5)).mul_add(math::atan((j as f32)), (a1).floor()) });
    v16 *= (math::erf(({ let t19 = 55_i64; v16 }))).atan2(((j as u16) as f32).fract());
    let mut v20 = [(a3 as u32).wrapping_sub(((i as u32) << 4)), (63_u32 | (a3 as u32)).wrapping_mul((i as u32).wrapping_sub(114_u32)), ((y7[[j, i]]).trailing_zeros() >> 5)];
    if true {
        let v21 = x5[[j, i]];
        let mut v22 = (if (i as f32).mul_add((a3 as f32), a1).is_nan() { ((70_i16).wrapping_add(105_i16) >> (((j as u32) | (j as u32)) & 7)) } else { ((j as i16).min((j as i16)) >> ((j as u32).wrapping_sub((a3 as u32)) & 7)) });
    }
    {
        v20[(((i).wrapping_add(y7[[j, i]]) & (j).wrapping_add(y7[[j, i]]))) % 3] |= ((far::series((if false { y8[[j, i]] } else { y8[[j, i]] }), (j as u32))) as u32);
    }
    y7[[j, i]] = (y7[[j, i]]).clamp(34, 54);
    y8[[j, i]] *= ((far::scaled(math::rsqrt(y8[[j, i]]))).min(y8[[j, i]]) - (y8[[j, i]]).signum());
    v16 -= math::atan((((j as f32) + (a3 as f32)) * (v16).powi(3)));
}

fn run_k051(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f32>(0);
    let a2 = inputs.value::<f64>(1);
    let a3 = inputs.value::<i8>(2);
    let x4 = inputs.matrix::<i8>(3);
    let x5 = inputs.matrix::<Cell>(4);
    let x6 = inputs.array::<Cell>(5);
    let mut y7 = inputs.matrix::<usize>(6);
    let mut y8 = inputs.matrix::<f64>(7);
    rt.submit(k051(a1, a2, a3, &x4, &x5, &x6, &mut y7, &mut y8)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y7.to_vec()?);
    outputs.array(&y8.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k052(a1: f64, a2: i16, x3: &[i8], x4: &[f32], y5: &mut [i64], y6: &mut [usize], #[reduce(*)] s: &mut u32, c: &[Atomic<i64>]) {
    let i = global_id(0);
    let mut n7 = 2_u32;
    loop {
        if n7 == 0 {
            break;
        }
        n7 -= 1;
        if (!false) {
            break;
        }
        for n8 in (1..=4_i16).rev().step_by(2) {
            let v9 = (if ((a2 as f64) as f64).is_finite() { (if true { y6[i] } else { y6[i] }).clamp(40, 94) } else { ((y6[i]).div_euclid(((n8 as usize) & 7) + 1) >> ((19_u32 >> ((n8 as u32) & 7)) & 7)) });
            if (!({ let t10 = ((x3[i]) as isize); (55_i32 != 90_i32) })) {
                {
                    if ((if (!false) { (a2 & a2) } else { (a2).wrapping_add(32) }) <= (a2).clamp(49, 91).rotate_left(0)) {
                        {
                            let v11: f32 = ((((n8 as f32) - x4[((v9).wrapping_sub(y6[i])) % x4.len()]) * (x4[(({ let t12 = y5[i]; (v9 as usize) })) % x4.len()]).powi(2)) / (-(if i > 0 { x4[i - 1] } else { 0.0_f32 })).powi(0));
                            let mut v13: i64 = (if (x4[i] / (if i > 0 { x4[i - 1] } else { 0.0_f32 })).is_nan() { (({ let t14 = y5[i]; y5[i] }) >> ((n8 as u32).wrapping_mul(12) & 7)) } else { (!((v9 as i64) & y5[i])) });
                            let v15 = (if i + 2 < x3.len() { x3[i + 2] } else { 0_i8 }).saturating_sub((if i + 2 < x3.len() { x3[i + 2] } else { 0_i8 })).signum().rotate_right(4);
                        }
                        let v16: usize = (if ((a1 / a1) >= (if false { a1 } else { (n8 as f64) })) { (if true { i } else { y6[i] }).abs_diff((i).saturating_sub(y6[i])) } else { i });
                    }
                    let v17: i64 = (((i as isize).wrapping_add((a2 as isize)) | ({ let t18 = (n8 as u16); 1_isize })) as i64);
                }
                let mut v19: u16 = ((if false { (v9 as u16) } else { (v9 as u16) }).clamp(22, 81) / (((if (false != false) { (if false { (a2 as u16) } else { (v9 as u16) }) } else { (n8 as u16).saturating_sub(50_u16) }) & 7) + 1));
            } else {
                let mut v9: i8 = (({ let t20 = 22_u32; x3[i] }) >> 2).rotate_right(3);
            }
        }
    }
    y5[i] ^= ((a2 as i64).div_euclid((y5[i] & 7) + 1) >> 0).clamp(23, 62).div_euclid(((((if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f32 }) as i64).wrapping_add((y5[i]).rotate_left(2)) & (y5[i]).wrapping_add(y5[i]).wrapping_neg()) & 7) + 1);
    y6[i] = (y6[i]).rotate_right(5).rem_euclid((i & 7) + 1).clamp(24, 96).wrapping_sub(3);
    c[((a2 as usize)) % c.len()].fetch_xor((if (a1).is_finite() { (y5[i] % ((y5[i] & 7) + 1)) } else { (y5[i]).signum() }));
    *s *= ((((i as f64) + a1) + (if false { a1 } else { (i as f64) })) as u32);
}

fn run_k052(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f64>(0);
    let a2 = inputs.value::<i16>(1);
    let x3 = inputs.array::<i8>(2);
    let x4 = inputs.array::<f32>(3);
    let mut y5 = inputs.array::<i64>(4);
    let mut y6 = inputs.array::<usize>(5);
    let mut s = Var::new(inputs.cell::<u32>(6));
    let mut c = inputs.array::<i64>(7);
    rt.submit(k052(a1, a2, &x3, &x4, &mut y5, &mut y6, &mut s, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel(fast_math)]
fn k053(a1: f64, a2: i8, x3: &[i8], x4: &[f32], x5: &[Cell], y6: &mut [i32]) {
    let i = global_id(0);
    let mut v7: Real = (((i) as f64).mul_add(((if i > 0 { x4[i - 1] } else { 0.0_f32 }) as f64), (-4.546_f64)) * ((a2 as f64) as f64).fract());
    v7 /= (if ((a1).sqrt() >= (v7).ceil()) { (if false { v7 } else { (i as f64) }).round_ties_even() } else { v7 });
    v7 *= ((v7 - far::SCALE) - (v7).powf(v7)).fract();
    let v8: bool = ((102_u16 >= (i as u16).abs_diff(125_u16)) || ((if i > 0 { x4[i - 1] } else { 0.0_f32 }) / x4[i]).is_nan());
    {
        let mut v9: f32 = ((x4[((i % ((i & 7) + 1))) % x4.len()] + (if i + 2 < x4.len() { x4[i + 2] } else { 0.0_f32 })).floor() - (48.871_f32 / 36.720_f32).powi(0));
    }
    let mut v10 = (if (x4[i] / (if i > 0 { x4[i - 1] } else { 0.0_f32 })).is_nan() { (({ let t11 = (a2 as i64); (a2 as i64) }) >> ((a2 as u32).wrapping_mul(12) & 7)) } else { ((a2 as i64) & (i as i64).rotate_left(0)) });
    v10 ^= (!(!(a2 as i64))).saturating_sub((!(v10 as i64)).wrapping_add(94));
    y6[i] ^= (if ((!false) ^ ((if i > 0 { x3[i - 1] } else { 0_i8 }) == (if i > 0 { x3[i - 1] } else { 0_i8 }))) { (y6[i] % (((a2 as i32) & 7) + 1)).signum() } else { (18_i32 / ((y6[i] & 7) + 1)).wrapping_mul(13) }).signum();
    let mut n12 = 2_u32;
    while n12 > 0 {
        n12 -= 1;
        let mut n13 = 5_u32;
        while n13 > 0 {
            n13 -= 1;
            if (({ let t14 = (i as u16); false }) || ((v10 as u16) != 6_u16)) {
                break;
            }
            let v15 = i;
        }
    }
    if (!((y6[i]).div_euclid((8_i32 & 7) + 1) <= (y6[i] / ((y6[i] & 7) + 1)))) {
        if (((if true { (a2 as f64) } else { (i as f64) }) % ((v7 - far::SCALE) + 0.5)) <= ({ let t16 = ((v10 as f64) + v7); (v7 * (a2 as f64)) })) {
            v10 >>= 2;
        } else {
            v10 = (!v10).rotate_right(1).wrapping_mul((!14_i64).rotate_left(2));
        }
    } else {
        v10 = (if v8 { (a2 as i64).rotate_right(6) } else { ((v10 as i64) | (a2 as i64)) }).clamp(10, 84);
    }
    y6[i] = y6[i].wrapping_add((((i as f64) + (a2 as f64)) as i32).wrapping_mul((y6[i]).signum().clamp(13, 62)));
    v7 += far::scaled((-(a1 % ((i as f64) + 0.5))));
}

fn run_k053(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<f64>(0);
    let a2 = inputs.value::<i8>(1);
    let x3 = inputs.array::<i8>(2);
    let x4 = inputs.array::<f32>(3);
    let x5 = inputs.array::<Cell>(4);
    let mut y6 = inputs.array::<i32>(5);
    rt.submit(k053(a1, a2, &x3, &x4, &x5, &mut y6)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k054(a1: u8, a2: usize, a3: i8, x4: &[Cell], x5: &[i16], y6: &mut [usize], y7: &mut [Real]) {
    let i = global_id(0);
    {
        if (false & (((40.129_f32) as i8) <= ({ let t8 = i; a3 }))) {
            let mut v9 = (((!(a2 as isize)) & (84_isize).div_euclid(((a1 as isize) & 7) + 1)) as u32);
            let v10: u8 = (((a1 as u8).rotate_right(2) << 2) >> ((if true { v9 } else { (a3 as u32) }).rotate_right(3) & 7));
            if ((if (!false) { (x5[((y6[i] | a2)) % x5.len()] & (a3 as i16)) } else { (x5[((y6[i] % ((i & 7) + 1))) % x5.len()]).rotate_left(7) }) <= (if (false | false) { (if true { x5[i] } else { (if i + 2 < x5.len() { x5[i + 2] } else { 0_i16 }) }) } else { (x5[((y6[i]).wrapping_mul(y6[i])) % x5.len()] | (if i > 0 { x5[i - 1] } else { 0_i16 })) })) {
                {
                    let mut n11 = 3_u32;
                    while n11 > 0 {
                        n11 -= 1;
                        if (47.668_f64 % (y7[i] + 0.5)).is_finite() {
                            continue;
                        }
                        let mut n12 = 5_u32;
                        loop {
                            if n12 == 0 {
                                break;
                            }
                            n12 -= 1;
                            if ((y6[i]).wrapping_mul(y6[i]) > (i ^ i)) {
                                continue;
                            }
                            if ((({ let t13 = x5[((y6[i] & y6[i])) % x5.len()]; 67_i32 }) as i64) <= (88_i64).signum().rotate_right(7)) {
                                let mut v14: u16 = (63_u16 | (v9 as u16).abs_diff((i as u16))).clamp(12, 69);
                                v14 &= (i as u16);
                            }
                        }
                        v9 %= ((v9).saturating_sub(v9).clamp(48, 76) & 7) + 1;
                    }
                    let mut v15 = (80_u16).wrapping_mul(96).clamp(5, 94).rotate_right(2);
                }
                let mut v16 = [(v9).rotate_right(7), ((far::MASK ^ (a3 as u32)) >> 2), (if false { v9 } else { v9 }).wrapping_sub((60_u32 ^ v9))];
            }
        } else {
            let v17 = ({ let t18 = (a2 as f32); (if true { 17_u64 } else { (a1 as u64) }).abs_diff(((a3 as u64) << 6)) });
        }
    }
    y6[i] ^= ((if ((a3 as i32).wrapping_sub((a2 as i32)) == (i as i32).div_euclid((109_i32 & 7) + 1)) { (a2 as u16) } else { (a1 as u16).wrapping_add((a2 as u16)).wrapping_add((106_u16).clamp(15, 78)) }) as usize);
    y7[i] *= (-(if (((a2 as u16) >> (far::TABLE[i % 8] & 7)) < (a2 as u16)) { far::scaled(math::rsqrt(y7[i])) } else { y7[i] }));
    let mut v19: f32 = (math::rsqrt(math::atan((a3 as f32))) * (12.361_f32 + (i as f32)).trunc());
}

fn run_k054(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<u8>(0);
    let a2 = inputs.value::<usize>(1);
    let a3 = inputs.value::<i8>(2);
    let x4 = inputs.array::<Cell>(3);
    let x5 = inputs.array::<i16>(4);
    let mut y6 = inputs.array::<usize>(5);
    let mut y7 = inputs.array::<f64>(6);
    rt.submit(k054(a1, a2, a3, &x4, &x5, &mut y6, &mut y7)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k055(a1: i16, x2: View<'_, i8, 2>, x3: View<'_, Cell, 2>, y4: ViewMut<'_, i64, 2>, #[out(partial)] y5: ViewMut<'_, usize, 2>, #[reduce(*)] s: &mut u32) {
    let (j, i) = (global_id(1), global_id(0));
    {
        if (false & (((40.129_f32) as i8) <= ({ let t6 = i; (i as i8) }))) {
            let mut v7 = (((!(i as isize)) & (84_isize).div_euclid(((j as isize) & 7) + 1)) as u32);
            let v8 = (((90_u8).rotate_right(3) << 2) >> ((if true { v7 } else { (i as u32) }).rotate_right(3) & 7));
            let v9: i64 = (if ({ let t10 = (j ^ y5[[j, i]]); (29_u16 >= 102_u16) }) { (y4[[j, i]] | (a1 as i64)).signum() } else { (y4[[j, i]] & y4[[j, i]]).wrapping_mul((if true { y4[[j, i]] } else { y4[[j, i]] })) });
        }
    }
    let v11: f32 = (-(4.864_f32).atan2((j as f32))).hypot(({ let t12 = (109_i32 % ((55_i32 & 7) + 1)); (t12 as f32) }));
    let mut v13: i64 = (if (v11 / v11).is_nan() { (({ let t14 = y4[[j, i]]; y4[[j, i]] }) >> ((j as u32).wrapping_mul(12) & 7)) } else { (!((i as i64) & y4[[j, i]])) });
    v13 >>= 5;
    let v15 = false;
    let mut v16 = (!((y4[[j, i]]).wrapping_add(94) & (67_i64 % ((y4[[j, i]] & 7) + 1))));
    {
        let mut n17 = 3_u32;
        while n17 > 0 {
            n17 -= 1;
            let v18: f32 = ((x3[[j, i]]).mass).mul_add((if (!v15) { v11 } else { (v11).powi(3) }), (-v11).powi(0));
            {
                let v19 = ({ let t20 = ((a1 as u16) >> (21_u32 & 7)); (far::WEIGHTS[i % N]).powf(v11) }).max(({ let t21 = (i as u16); (v11 * v11) }));
            }
        }
    }
    y4[[j, i]] = (y4[[j, i]]).signum();
    y5[[j, i]] ^= ({ let t22 = (-((v16 as f64).abs() % ((if true { far::SCALE } else { (i as f64) }) + 0.5))); ((y5[[j, i]]).min(y5[[j, i]]) >> ((v16 as u32).wrapping_sub((j as u32)) & 7)).saturating_add((i).wrapping_add(y5[[j, i]]).wrapping_add((y5[[j, i]] >> 2))) });
    *s *= (if ((v13 as u8) >= (a1 as u8)) { (j as u32).clamp(34, 54) } else { (i as u16).trailing_zeros() }).wrapping_add(((48.305_f64) as u32).clamp(15, 78));
}

fn run_k055(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i16>(0);
    let x2 = inputs.matrix::<i8>(1);
    let x3 = inputs.matrix::<Cell>(2);
    let mut y4 = inputs.matrix::<i64>(3);
    let mut y5 = inputs.matrix::<usize>(4);
    let mut s = Var::new(inputs.cell::<u32>(5));
    rt.submit(k055(a1, &x2, &x3, &mut y4, &mut y5, &mut s)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k056(a1: i8, a2: bool, x3: &[usize], x4: &[i16], x5: &[i32], y6: &mut [Real], y7: &mut [f32]) {
    let i = global_id(0);
    let mut n8 = 2_u32;
    loop {
        if n8 == 0 {
            break;
        }
        n8 -= 1;
        if (!a2) {
            break;
        }
        if (((y7[i] % (y7[i] + 0.5)) % ((if true { (a1 as f32) } else { y7[i] }) + 0.5)) == (({ let t9 = (if i + 2 < x5.len() { x5[i + 2] } else { 0_i32 }); y7[i] }) + (y7[i]).fract())) {
            let mut v10 = (({ let t11 = ((i as u8) ^ (a1 as u8)); far::total([33.870_f32; N]) }) + (y7[i] - far::WEIGHTS[i % N]).powi(3));
        }
    }
    let mut n12 = 4_u32;
    loop {
        if n12 == 0 {
            break;
        }
        n12 -= 1;
        if (!({ let t13 = (i ^ x3[(((if i > 0 { x3[i - 1] } else { 0_usize }) | (if i + 2 < x3.len() { x3[i + 2] } else { 0_usize }))) % x3.len()]); ((i as u8) > (i as u8)) })) {
            let mut v14 = (((a1 as u64) & (a1 as u64)) % (((a1 as u64).wrapping_mul(82_u64) & 7) + 1)).rem_euclid(((i as u64) & 7) + 1);
        } else {
            {
                let mut v15 = ((!((a1 as i64) / (((i as i64) & 7) + 1))) % (((a1 as i64).div_euclid(((a1 as i64).wrapping_mul((a1 as i64)) & 7) + 1) & 7) + 1));
                y6[i] *= ({ let t16 = y6[i]; t16 }).powi(0).abs().powi(3);
            }
        }
    }
    y6[i] = (((y6[i] + (i as f64)) % (y6[i] + 0.5)) * (if (y7[i] <= y7[i]) { (y6[i]).mul_add(far::SCALE, (a1 as f64)) } else { ((i as f64) - y6[i]) })).mul_add((((i as f64).mul_add((i as f64), y6[i]) - (a1 as f64).floor()) - ((y6[i] / y6[i]) % ((11.842_f64 / y6[i]) + 0.5))), (if ({ let t17 = (!x4[((if i > 0 { x3[i - 1] } else { 0_usize })) % x4.len()]); a2 }) { (math::ln(y6[i]) / (y6[i]).trunc()) } else { math::log2(math::log2(14.142_f64)) }));
    {
        let mut v18: i16 = ({ let t19 = (i as u8).saturating_sub((a1 as u8)).div_euclid((((i as u8) >> (9_u32 & 7)) & 7) + 1); ((a1 as f32) as i16).signum() });
        for n20 in (1..3_u32).step_by(1) {
            if (!((v18 as u16) >= (a1 as u16))) {
                break;
            }
            v18 >>= 4;
        }
    }
    y6[i] *= ((-math::atan((i as f64))).trunc() * (y6[i]).powi(-1));
    y7[i] = ((-far::wave((if a2 { y7[i] } else { y7[i] }), ({ let t21 = (if i > 0 { x3[i - 1] } else { 0_usize }); y7[i] }))) - (((y7[i] - y7[i]) / far::wave((a1 as f32), y7[i])) + math::atan((y7[i]).trunc())));
    let v22 = (((!(a1 as i8)) >> 5) | (i as i8).rotate_left(3).rem_euclid(((a1 % ((a1 & 7) + 1)) & 7) + 1));
}

fn run_k056(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<i8>(0);
    let a2 = inputs.value::<bool>(1);
    let x3 = inputs.array::<usize>(2);
    let x4 = inputs.array::<i16>(3);
    let x5 = inputs.array::<i32>(4);
    let mut y6 = inputs.array::<f64>(5);
    let mut y7 = inputs.array::<f32>(6);
    rt.submit(k056(a1, a2, &x3, &x4, &x5, &mut y6, &mut y7)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y6.to_vec()?);
    outputs.array(&y7.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k057(a1: usize, x2: &[i8], y3: &mut [i16], c: &[Atomic<u32>]) {
    let i = global_id(0);
    let v4: [u32; 3] = [((i as u32).wrapping_add((i as u32)) & (98_u32 | 86_u32)), (((a1 as f32) as u32) >> ((i as u32) & 7)), (if true { (i as u32) } else { (i as u32) }).clamp(40, 94)];
    let mut v5 = (-(-far::total([35.982_f32; N])));
    let v6 = [({ let t7 = ((x2[i]) as isize); (55_u32 << 2) }), ((if i + 2 < x2.len() { x2[i + 2] } else { 0_i8 }).wrapping_sub((i as i8)) as u32), ((a1 as u32).wrapping_mul(34) ^ (a1 as u32).wrapping_add(32))];
    {
        let v8: Real = ((if true { x2[i] } else { (if i + 2 < x2.len() { x2[i + 2] } else { 0_i8 }) }).rotate_right(3) as f64);
        v5 /= ((v5 + v5).floor() % ((if true { v5 } else { v5 }).powi(0) + 0.5));
        let v9: i64 = ((i as i64).wrapping_sub(3).rem_euclid(((27_i64).wrapping_add(89) & 7) + 1) / ((((i as i64) & (i as i64)).signum() & 7) + 1));
    }
    v5 /= ({ let t10 = (({ let t11 = y3[i]; (t11 as i32) }) as i64); (v5 % (v5 + 0.5)).abs() });
    v5 /= (((v5).mul_add((a1 as f32), v5) - (i as f32).mul_add((i as f32), (a1 as f32))) + (if (true ^ true) { (v5).mul_add(v5, (a1 as f32)) } else { (v5 / v5) }));
    {
        let mut v12 = Cell { rho: 49.118_f64, mass: 5.794_f32, id: 90_u32 };
        let mut v13: [u32; 3] = [((i as u32).clamp(40, 81) << 2), (i as u32), ((N).trailing_zeros() >> 5)];
    }
    for n14 in (2..6_i16).step_by(1) {
        let mut v15 = false;
    }
    v5 -= (((v5) as f32) % ((if (!true) { v5 } else { (v5 % (far::WEIGHTS[i % N] + 0.5)) }) + 0.5));
    if (if ((26_u64 | (i as u64)) < (101_u64).clamp(23, 62)) { (!(true == false)) } else { ((i as f32).recip() != (i as f32)) }) {
        v5 *= (far::wave((if false { v5 } else { v5 }), (if false { v5 } else { v5 })) * (if false { (v5).powi(0) } else { (far::WEIGHTS[i % N]).sqrt() }));
    }
    y3[i] = y3[i].wrapping_add((y3[i]).max(((y3[i]).wrapping_mul(y3[i]) << 3)));
    c[(((i).div_euclid((i & 7) + 1) >> ((a1 as u32).clamp(36, 60) & 7))) % c.len()].fetch_max(((a1 as u32) % ((67_u32 & 7) + 1)));
    v5 *= (((v5 * v5) as f32) * ((Cell { rho: 24.294_f64, mass: 28.584_f32, id: 127_u32 }).mass).mul_add(((v5) as f32), math::log10(v5)));
}

fn run_k057(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<usize>(0);
    let x2 = inputs.array::<i8>(1);
    let mut y3 = inputs.array::<i16>(2);
    let mut c = inputs.array::<u32>(3);
    rt.submit(k057(a1, &x2, &mut y3, &mut c)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y3.to_vec()?);
    outputs.array(&c.to_vec()?);
    Ok(outputs)
}

#[flash::kernel]
fn k058(a1: Cell, a2: bool, a3: i8, x4: &[i16], y5: &mut [usize], y6: &mut [Real], #[reduce(*)] s: &mut i64) {
    let i = global_id(0);
    let mut n7 = 2_u32;
    loop {
        if n7 == 0 {
            break;
        }
        n7 -= 1;
        if (!a2) {
            break;
        }
        if (((41.707_f32 % (48.636_f32 + 0.5)) % ((44.3_f32 - far::WEIGHTS[i % N]) + 0.5)) == ((a3 as f32).fract() / (-24.764_f32))) {
            let mut v8 = (((90_i32).rotate_right(3) << 2) >> ((if a2 { (i as u32) } else { (a3 as u32) }).rotate_right(3) & 7));
        } else {
            let mut v9 = ({ let t10 = ((i).wrapping_mul(34) ^ (i).wrapping_add(32)); (i as i16).clamp(49, 91).rotate_left(0) });
        }
    }
    let v11 = (a3 as u16).wrapping_mul(50).abs_diff((a3 as u16).wrapping_mul(82_u16)).abs_diff((i as u16));
    if a2 {
        {
            let v12: i64 = ((v11 as i64).wrapping_sub(3).rem_euclid(((27_i64).wrapping_add(89) & 7) + 1) / ((((i as i64) & (a3 as i64)).signum() & 7) + 1));
        }
        if ((({ let t13 = x4[((y5[i] & y5[i])) % x4.len()]; 67_i32 }) as i64) <= (88_i64).signum().rotate_right(7)) {
            let mut v14 = ((v11 as u16) | ((a3 as u16) | v11)).clamp(12, 69);
            if (!(!(a3 == (a3 as i8)))) {
                y5[i] = y5[i].wrapping_add(((y5[i]).wrapping_mul(y5[i]).wrapping_sub((y5[i]).abs_diff(y5[i])) % ((((y5[i]).clamp(40, 81) << 2) & 7) + 1)));
            } else {
                for n15 in 2..5_usize {
                    v14 >>= 2;
                }
            }
        }
    }
    y5[i] = y5[i].wrapping_add((({ let t16 = (v11 as u16); y5[i] }).clamp(26, 72) % ((((a3 as usize).wrapping_mul(y5[i]) >> (far::MASK & 7)) & 7) + 1)));
    y6[i] = ({ let t17 = (-((y6[i]).abs() % (({ let t18 = (a3 as i8); y6[i] }) + 0.5))); ((t17).sqrt() - y6[i]).mul_add((t17).trunc().powf((if a2 { y6[i] } else { (v11 as f64) })), (y6[i]).mul_add((y6[i] * far::SCALE), (5.481_f64 % (y6[i] + 0.5)))) });
    *s *= (i as i64).div_euclid(((if a2 { (i as i64) } else { (v11 as i64) }).clamp(10, 84) & 7) + 1);
}

fn run_k058(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<Cell>(0);
    let a2 = inputs.value::<bool>(1);
    let a3 = inputs.value::<i8>(2);
    let x4 = inputs.array::<i16>(3);
    let mut y5 = inputs.array::<usize>(4);
    let mut y6 = inputs.array::<f64>(5);
    let mut s = Var::new(inputs.cell::<i64>(6));
    rt.submit(k058(a1, a2, a3, &x4, &mut y5, &mut y6, &mut s)).exec([inputs.items()])?;
    let mut outputs = Outputs::default();
    outputs.array(&y5.to_vec()?);
    outputs.array(&y6.to_vec()?);
    outputs.array(&[s.get()?]);
    Ok(outputs)
}

#[flash::kernel]
fn k059(a1: bool, a2: i8, x3: View<'_, i16, 2>, y4: ViewMut<'_, usize, 2>, #[out(partial)] y5: ViewMut<'_, Word, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut n6 = 2_u32;
    loop {
        if n6 == 0 {
            break;
        }
        n6 -= 1;
        let mut v7 = (y4[[j, i]]).wrapping_sub(y4[[j, i]]).rotate_left(7).min((y4[[j, i]] >> ((j as u32) & 7)).abs_diff((y4[[j, i]]).clamp(40, 94)));
    }
    let mut v8 = (((a2 as i32) & (j as i32)).div_euclid(((!22_i32) & 7) + 1) ^ (if a1 { (a2 as i32) } else { (a2 as i32) }).rotate_right(3));
    let mut v9 = ((v8).wrapping_mul(34) ^ (v8).wrapping_add(32)).wrapping_add((!(v8 / ((v8 & 7) + 1))));
    {
        let v10: Real = ((if true { a2 } else { a2 }).rotate_right(2) as f64);
        {
            v8 >>= 1;
            let mut n11 = 2_u32;
            while n11 > 0 {
                n11 -= 1;
                {
                    {
                        let mut v8: bool = ((if ({ let t12 = 103_i32; false }) { (j as f32).recip() } else { math::atan((v8 as f32)) }) == (15.419_f32).sqrt().round());
                    }
                }
            }
        }
    }
    y4[[j, i]] ^= (((i).wrapping_sub(1) % (((y4[[j, i]]).wrapping_add(1) & 7) + 1)).abs_diff((y4[[j, i]]).div_euclid(((v9 as usize) & 7) + 1).clamp(24, 61)) ^ ((v9 as usize).clamp(12, 69).wrapping_mul((y4[[j, i]] % ((j & 7) + 1))) / ((y4[[j, i]] & 7) + 1)));
    y5[[j, i]] = y5[[j, i]].wrapping_add((if false { x3[[((y4[[j, i]]).wrapping_sub(55)) % x3.extent(0), i]] } else { 30_i16 }).signum().leading_zeros());
    v8 = (!(v9 % ((v9 & 7) + 1))).rem_euclid(((i as i32).clamp(5, 94).rotate_right(2) & 7) + 1);
}

fn run_k059(rt: &Runtime, inputs: &Inputs) -> flash::Result<Outputs> {
    let a1 = inputs.value::<bool>(0);
    let a2 = inputs.value::<i8>(1);
    let x3 = inputs.matrix::<i16>(2);
    let mut y4 = inputs.matrix::<usize>(3);
    let mut y5 = inputs.matrix::<u32>(4);
    rt.submit(k059(a1, a2, &x3, &mut y4, &mut y5)).exec([inputs.width, inputs.height])?;
    let mut outputs = Outputs::default();
    outputs.array(&y4.to_vec()?);
    outputs.array(&y5.to_vec()?);
    Ok(outputs)
}

/// All kernels of this file.
pub(crate) const CASES: &[Case] = &[
    Case { name: "k000", rank: 1, descriptor: k000::DESCRIPTOR, run: run_k000 },
    Case { name: "k001", rank: 1, descriptor: k001::DESCRIPTOR, run: run_k001 },
    Case { name: "k002", rank: 1, descriptor: k002::DESCRIPTOR, run: run_k002 },
    Case { name: "k003", rank: 2, descriptor: k003::DESCRIPTOR, run: run_k003 },
    Case { name: "k004", rank: 1, descriptor: k004::DESCRIPTOR, run: run_k004 },
    Case { name: "k005", rank: 1, descriptor: k005::DESCRIPTOR, run: run_k005 },
    Case { name: "k006", rank: 1, descriptor: k006::DESCRIPTOR, run: run_k006 },
    Case { name: "k007", rank: 2, descriptor: k007::DESCRIPTOR, run: run_k007 },
    Case { name: "k008", rank: 1, descriptor: k008::DESCRIPTOR, run: run_k008 },
    Case { name: "k009", rank: 1, descriptor: k009::DESCRIPTOR, run: run_k009 },
    Case { name: "k010", rank: 1, descriptor: k010::DESCRIPTOR, run: run_k010 },
    Case { name: "k011", rank: 2, descriptor: k011::DESCRIPTOR, run: run_k011 },
    Case { name: "k012", rank: 1, descriptor: k012::DESCRIPTOR, run: run_k012 },
    Case { name: "k013", rank: 1, descriptor: k013::DESCRIPTOR, run: run_k013 },
    Case { name: "k014", rank: 1, descriptor: k014::DESCRIPTOR, run: run_k014 },
    Case { name: "k015", rank: 2, descriptor: k015::DESCRIPTOR, run: run_k015 },
    Case { name: "k016", rank: 1, descriptor: k016::DESCRIPTOR, run: run_k016 },
    Case { name: "k017", rank: 1, descriptor: k017::DESCRIPTOR, run: run_k017 },
    Case { name: "k018", rank: 1, descriptor: k018::DESCRIPTOR, run: run_k018 },
    Case { name: "k019", rank: 2, descriptor: k019::DESCRIPTOR, run: run_k019 },
    Case { name: "k020", rank: 1, descriptor: k020::DESCRIPTOR, run: run_k020 },
    Case { name: "k021", rank: 1, descriptor: k021::DESCRIPTOR, run: run_k021 },
    Case { name: "k022", rank: 1, descriptor: k022::DESCRIPTOR, run: run_k022 },
    Case { name: "k023", rank: 2, descriptor: k023::DESCRIPTOR, run: run_k023 },
    Case { name: "k024", rank: 1, descriptor: k024::DESCRIPTOR, run: run_k024 },
    Case { name: "k025", rank: 1, descriptor: k025::DESCRIPTOR, run: run_k025 },
    Case { name: "k026", rank: 1, descriptor: k026::DESCRIPTOR, run: run_k026 },
    Case { name: "k027", rank: 2, descriptor: k027::DESCRIPTOR, run: run_k027 },
    Case { name: "k028", rank: 1, descriptor: k028::DESCRIPTOR, run: run_k028 },
    Case { name: "k029", rank: 1, descriptor: k029::DESCRIPTOR, run: run_k029 },
    Case { name: "k030", rank: 1, descriptor: k030::DESCRIPTOR, run: run_k030 },
    Case { name: "k031", rank: 2, descriptor: k031::DESCRIPTOR, run: run_k031 },
    Case { name: "k032", rank: 1, descriptor: k032::DESCRIPTOR, run: run_k032 },
    Case { name: "k033", rank: 1, descriptor: k033::DESCRIPTOR, run: run_k033 },
    Case { name: "k034", rank: 1, descriptor: k034::DESCRIPTOR, run: run_k034 },
    Case { name: "k035", rank: 2, descriptor: k035::DESCRIPTOR, run: run_k035 },
    Case { name: "k036", rank: 1, descriptor: k036::DESCRIPTOR, run: run_k036 },
    Case { name: "k037", rank: 1, descriptor: k037::DESCRIPTOR, run: run_k037 },
    Case { name: "k038", rank: 1, descriptor: k038::DESCRIPTOR, run: run_k038 },
    Case { name: "k039", rank: 2, descriptor: k039::DESCRIPTOR, run: run_k039 },
    Case { name: "k040", rank: 1, descriptor: k040::DESCRIPTOR, run: run_k040 },
    Case { name: "k041", rank: 1, descriptor: k041::DESCRIPTOR, run: run_k041 },
    Case { name: "k042", rank: 1, descriptor: k042::DESCRIPTOR, run: run_k042 },
    Case { name: "k043", rank: 2, descriptor: k043::DESCRIPTOR, run: run_k043 },
    Case { name: "k044", rank: 1, descriptor: k044::DESCRIPTOR, run: run_k044 },
    Case { name: "k045", rank: 1, descriptor: k045::DESCRIPTOR, run: run_k045 },
    Case { name: "k046", rank: 1, descriptor: k046::DESCRIPTOR, run: run_k046 },
    Case { name: "k047", rank: 2, descriptor: k047::DESCRIPTOR, run: run_k047 },
    Case { name: "k048", rank: 1, descriptor: k048::DESCRIPTOR, run: run_k048 },
    Case { name: "k049", rank: 1, descriptor: k049::DESCRIPTOR, run: run_k049 },
    Case { name: "k050", rank: 1, descriptor: k050::DESCRIPTOR, run: run_k050 },
    Case { name: "k051", rank: 2, descriptor: k051::DESCRIPTOR, run: run_k051 },
    Case { name: "k052", rank: 1, descriptor: k052::DESCRIPTOR, run: run_k052 },
    Case { name: "k053", rank: 1, descriptor: k053::DESCRIPTOR, run: run_k053 },
    Case { name: "k054", rank: 1, descriptor: k054::DESCRIPTOR, run: run_k054 },
    Case { name: "k055", rank: 2, descriptor: k055::DESCRIPTOR, run: run_k055 },
    Case { name: "k056", rank: 1, descriptor: k056::DESCRIPTOR, run: run_k056 },
    Case { name: "k057", rank: 1, descriptor: k057::DESCRIPTOR, run: run_k057 },
    Case { name: "k058", rank: 1, descriptor: k058::DESCRIPTOR, run: run_k058 },
    Case { name: "k059", rank: 2, descriptor: k059::DESCRIPTOR, run: run_k059 },
];
