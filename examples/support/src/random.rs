//! Random numbers that any language can generate again, bit for bit. Not for secrets.

/// The SplitMix64 generator.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A seed that no run has used before, for tests that draw their inputs.
    pub fn fresh_seed() -> u64 {
        use std::hash::{BuildHasher, RandomState};
        RandomState::new().hash_one(std::process::id())
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0.0..1.0`, a multiple of 2^-24.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    /// A number in `-1.0..1.0`, a multiple of 2^-23.
    pub fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    /// An integer below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }
}

/// Two matrices of these extents that can be multiplied, `n * m` and `m * p` elements drawn from a seed.
pub fn factors([n, m, p]: [usize; 3], seed: u64) -> (Vec<f32>, Vec<f32>) {
    let mut random = SplitMix64::new(seed);
    let mut draw = |len| (0..len).map(|_| random.signed()).collect();
    (draw(n * m), draw(m * p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_streams() {
        let first = |seed| {
            let mut random = SplitMix64::new(seed);
            [random.bits(), random.bits(), random.bits()]
        };
        assert_eq!(first(0), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
        assert_eq!(
            first(42),
            [0xbdd7_3226_2feb_6e95, 0x28ef_e333_b266_f103, 0x4752_6757_130f_9f52]
        );
    }

    #[test]
    fn ranges() {
        let mut random = SplitMix64::new(7);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((-1.0..1.0).contains(&random.signed()));
            assert!(random.below(3) < 3);
        }
    }
}
