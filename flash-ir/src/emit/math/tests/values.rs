//! Arguments to compare functions on: the odd values of a type, their neighbours, and random ones. It
//! knows no function.
#![allow(clippy::approx_constant, clippy::excessive_precision, reason = "near values are meant")]

use super::width;
use crate::ty::ScalarTy;

const COUNT: usize = 160_000;

/// Where functions change their steps, or where numbers change their kind.
const ODD: &[f64] = &[
    0.0,
    1e-320,
    3e-310,
    2.2250738585072014e-308,
    1e-200,
    1e-140,
    1e-45,
    1e-40,
    1.17549435e-38,
    1e-20,
    1e-9,
    6e-8,
    0.25,
    0.41421357,
    0.5,
    0.625,
    0.66,
    0.7071067811865476,
    0.7853981633974483,
    0.925,
    1.0,
    1.2247448713915890,
    1.4142135623730951,
    1.5,
    1.5707963267948966,
    1.7320508075688772,
    2.0,
    2.414213562373095,
    2.5,
    3.0,
    3.141592653589793,
    4.0,
    4.71238898038469,
    6.0,
    6.283185307179586,
    7.0,
    16.0,
    87.0,
    88.37,
    88.7228,
    89.0,
    103.97,
    104.0,
    126.0,
    127.0,
    127.49,
    128.0,
    129.0,
    149.0,
    150.0,
    151.0,
    708.0,
    709.4,
    709.782712893384,
    710.0,
    745.133,
    746.0,
    1022.0,
    1023.0,
    1023.49,
    1024.0,
    1025.0,
    1074.0,
    1080.0,
    1100.0,
    1e5,
    1.6e6,
    8388607.5,
    8388608.0,
    16777216.0,
    16777217.0,
    4e8,
    1e9,
    1e10,
    2147483648.0,
    4503599627370495.5,
    4503599627370496.0,
    9007199254740992.0,
    9007199254740993.0,
    1.8446744073709552e19,
    1e30,
    3.4028234663852886e38,
    3.5e38,
    1e150,
    1e200,
    1.7976931348623157e308,
    f64::INFINITY,
    f64::NAN,
];

/// A stream of random words.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn float_word(ty: ScalarTy, value: f64) -> u64 {
    if ty == ScalarTy::F32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

/// The odd values of a type, their neighbours and their negatives, without repetition.
fn odd(ty: ScalarTy) -> Vec<u64> {
    let mask = u64::MAX >> (64 - width(ty));
    let sign = mask / 2 + 1;
    let mut odd = Vec::new();
    if ty.is_float() {
        for &value in ODD {
            let word = float_word(ty, value);
            for near in [word, word.saturating_sub(1), word + 1] {
                odd.extend([near, near | sign]);
            }
        }
        // A NaN that signals.
        odd.push(float_word(ty, f64::INFINITY) + 5);
    } else {
        for near in 0..=9 {
            odd.extend([near, mask - near, sign - near, sign + near]);
        }
        odd.extend((0..width(ty)).flat_map(|k| [1 << k, (1 << k) - 1, !(1 << k) & mask]));
    }
    odd.sort_unstable();
    odd.dedup();
    odd
}

fn any(ty: ScalarTy, random: &mut Random) -> u64 {
    let mask = u64::MAX >> (64 - width(ty));
    let word = random.word() & mask;
    if !ty.is_float() {
        return if random.below(3) == 0 { word >> random.below(width(ty) as usize) } else { word };
    }
    let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
    match random.below(6) {
        0 => word,
        1 => float_word(ty, sign * 2.0_f64.powf(random.unit() * 40.0 - 20.0)),
        2 => float_word(ty, sign * random.unit() * 4.0),
        3 => float_word(ty, sign * random.unit() * 120.0),
        4 => float_word(ty, sign * random.below(400) as f64 * 0.5),
        _ => float_word(ty, 1.0 + sign * random.unit() * 1e-3),
    }
}

/// First, second and third arguments, and second ones that are counts: words of 32 bits.
pub(super) fn inputs(ty: ScalarTy) -> [Vec<u64>; 4] {
    let mut random = Random(0x5eed);
    let odd = odd(ty);
    let mut inputs = [const { Vec::new() }; 4];
    for i in 0..COUNT {
        let mut args = [0; 3];
        for arg in &mut args {
            *arg = if i < COUNT / 2 { odd[random.below(odd.len())] } else { any(ty, &mut random) };
        }
        if let Some(&first) = odd.get(i) {
            args[0] = first;
        }
        match random.below(16) {
            0 => args[1] = args[0],
            1 => args[1] = args[0] ^ 1,
            _ => {}
        }
        let counts = match random.below(4) {
            0 => random.word(),
            1 => [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff][random.below(5)],
            _ => (random.below(81) as u64).wrapping_sub(40),
        };
        for (input, word) in inputs.iter_mut().zip(args.into_iter().chain([counts & 0xffff_ffff])) {
            input.push(word);
        }
    }
    inputs
}
