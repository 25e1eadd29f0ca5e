//! Which instruction set is used: the best one detected, or a lower one that was asked for. It
//! never raises what was detected, as entries of a missing set are undefined behaviour.

use flash_rt::{Error, Isa, Result};

/// The best instruction set that this processor has entries for.
pub fn detected() -> Isa {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("fma");
        let avx512 = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
        if avx2 && avx512 {
            return Isa::Avx512;
        }
        if avx2 {
            return Isa::Avx2;
        }
    }
    Isa::Baseline
}

/// The instruction set to use where `asked` was asked for.
///
/// # Errors
///
/// [`Error::Option`] for one that this processor does not have.
pub fn choose(asked: Option<Isa>) -> Result<Isa> {
    choose_from(detected(), asked)
}

fn choose_from(detected: Isa, asked: Option<Isa>) -> Result<Isa> {
    match asked {
        Some(asked) if asked > detected => {
            let there = [Isa::Baseline, Isa::Avx2, Isa::Avx512];
            let there: Vec<_> = there.iter().filter(|isa| **isa <= detected).collect();
            let names: Vec<_> = there.iter().map(|isa| format!("`{}`", isa.name())).collect();
            Err(Error::Option {
                option: "FLASH_ISA",
                value: asked.name().to_owned(),
                why: format!("this processor has {}", names.join(", ")),
            })
        }
        Some(asked) => Ok(asked),
        None => Ok(detected),
    }
}

/// Whether the widest vectors are the fastest for bodies that do little but read and write, though
/// their loads cross cache lines: so it is where the paths to the cache are as wide, by 13 % in a
/// five-point stencil on Zen 5 and by 30 % on Emerald Rapids, and taken to be so on all of Intel's. On
/// Zen 4 that is slower by 30 %, and `a = b + s * c` of 2^25 elements by 7 %.
pub(crate) fn is_wide_for_moves() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        /// Zen 5.
        const FROM: u32 = 26;
        // The name of the maker, as leaf 0 spells it.
        let leaf = std::arch::x86_64::__cpuid(0);
        let name = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes);
        name.as_flattened() != b"AuthenticAMD" || family(std::arch::x86_64::__cpuid(1).eax) >= FROM
    }
    #[cfg(not(target_arch = "x86_64"))]
    true
}

/// The family of a processor by what leaf 1 says in `eax`; in the large ones two fields are added up
/// (AMD64 Architecture Programmer's Manual, volume 3, appendix E.3.2).
#[cfg(target_arch = "x86_64")]
fn family(eax: u32) -> u32 {
    match eax >> 8 & 0xf {
        0xf => 0xf + (eax >> 20 & 0xff),
        base => base,
    }
}

/// The name a person knows it by.
pub(crate) fn title(isa: Isa) -> &'static str {
    match isa {
        Isa::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
        Isa::Baseline => "baseline",
        Isa::Avx2 => "AVX2+FMA",
        Isa::Avx512 => "AVX-512",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn families_as_the_makers_count() {
        // An EPYC 9124 (Zen 4), an EPYC 9555 (Zen 5), a Xeon 8480.
        assert_eq!([0x00a1_0f11, 0x00b0_0f21, 0x0008_06f8].map(family), [25, 26, 6]);
    }

    #[test]
    fn a_lower_set_is_taken_and_a_higher_one_refused() {
        assert_eq!(choose_from(Isa::Avx2, None).ok(), Some(Isa::Avx2));
        assert_eq!(choose_from(Isa::Avx2, Some(Isa::Baseline)).ok(), Some(Isa::Baseline));
        let error = choose_from(Isa::Avx2, Some(Isa::Avx512)).expect_err("no AVX-512 there");
        let text = error.to_string();
        assert!(text.contains("FLASH_ISA=avx512"), "{text}");
        assert!(text.ends_with("has `baseline`, `avx2`"), "{text}");
    }
}
