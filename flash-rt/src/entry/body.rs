//! The body of a kernel as CPU entries, one for each instruction set. Fenced: what is compiled for
//! which instructions is decided here alone, so that no kernel can say it of a function of its own.
//!
//! It detects nothing: a backend asks for the instruction set that it found.
#![allow(unsafe_code, reason = "compiles bodies for instructions that a processor may lack")]

use super::Args;
use crate::env_options::Isa;
use crate::space::Block;

/// An entry that needs nothing but what every processor of the target has.
pub type Entry = for<'s> fn(&mut Args<'s>, &Block);
/// An entry compiled for an instruction set; only who has detected that may call it.
pub type IsaEntry = for<'s> unsafe fn(&mut Args<'s>, &Block);

/// What a kernel does with a block. It is compiled once for each instruction set, in the crate of
/// the kernel; `run` must be `#[inline(always)]` to be more than code for the baseline.
pub trait KernelBody {
    /// Whether vectors of 512 bits gain over those of 256 on any processor that has them. Where little
    /// is computed from what is read they do only where the paths to the cache are as wide: each load
    /// that is not aligned straddles two cache lines, and of neighbours along a line most do.
    const WIDE: bool = true;

    /// Whether it is compiled for AVX-512, which takes longer than both others. A debug build does without:
    /// it is for those who change kernels, and the bits are the same.
    const AVX512: bool = true;

    /// Runs the items of a block. `FUSED` says whether the processor multiplies and adds in one
    /// instruction, so that `fast_math` gains by it, `DEEP` whether it has 32 vectors of 512 bits.
    fn run<const FUSED: bool, const DEEP: bool>(args: &mut Args<'_>, block: &Block);

    /// Whether there is a [`KernelBody::brief`].
    const BRIEF: bool = false;

    /// What `run` does, for a few items: each as if there were no others. It is the same code for
    /// every processor.
    fn brief(args: &mut Args<'_>, block: &Block) {
        let _ = (args, block);
    }
}

/// Whether every processor of the target has fused multiply-adds; elsewhere they are calls.
const BASELINE_FUSES: bool = cfg!(any(
    target_feature = "fma",
    target_arch = "aarch64",
    target_arch = "loongarch64",
    target_arch = "powerpc64",
    target_arch = "riscv64",
    target_arch = "s390x",
));

/// The CPU entries of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    baseline: Entry,
    avx2: Option<IsaEntry>,
    avx512: Option<IsaEntry>,
    wide: bool,
    brief: Option<Entry>,
}

impl Entries {
    /// A body compiled for the instruction sets of the target.
    pub const fn of<B: KernelBody>() -> Self {
        Self {
            baseline: B::baseline,
            #[cfg(target_arch = "x86_64")]
            avx2: Some(B::avx2),
            #[cfg(not(target_arch = "x86_64"))]
            avx2: None,
            #[cfg(target_arch = "x86_64")]
            avx512: if B::AVX512 { Some(B::avx512) } else { None },
            #[cfg(not(target_arch = "x86_64"))]
            avx512: None,
            wide: B::WIDE,
            brief: if B::BRIEF { Some(B::brief) } else { None },
        }
    }

    /// One function for all of them.
    pub const fn portable(entry: Entry) -> Self {
        Self { baseline: entry, avx2: None, avx512: None, wide: true, brief: None }
    }

    /// The entry for blocks of a few items, where the kernel has one.
    pub const fn brief(&self) -> Option<Entry> {
        self.brief
    }

    /// The fastest entry for a processor with this instruction set, and the one it is compiled for.
    pub fn fastest(&self, isa: Isa) -> (IsaEntry, Isa) {
        self.highest(if self.wide { isa } else { isa.min(Isa::Avx2) })
    }

    /// The entry for the highest set up to this one, and the one it is compiled for.
    pub fn highest(&self, isa: Isa) -> (IsaEntry, Isa) {
        let baseline = (self.baseline as IsaEntry, Isa::Baseline);
        let avx2 = self.avx2.map(|entry| (entry, Isa::Avx2));
        let avx512 = self.avx512.map(|entry| (entry, Isa::Avx512));
        match isa {
            Isa::Baseline => baseline,
            Isa::Avx2 => avx2.unwrap_or(baseline),
            Isa::Avx512 => avx512.or(avx2).unwrap_or(baseline),
        }
    }
}

/// The copies of a body. Methods of the body's own type, as rustc compiles those in the codegen
/// unit of the type's module: each kernel is one of its own.
trait Compiled {
    fn baseline(args: &mut Args<'_>, block: &Block);

    /// # Safety
    ///
    /// The processor has AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    unsafe fn avx2(args: &mut Args<'_>, block: &Block);

    /// # Safety
    ///
    /// The processor has AVX-512 F, VL, DQ and BW, AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    unsafe fn avx512(args: &mut Args<'_>, block: &Block);
}

impl<B: KernelBody> Compiled for B {
    fn baseline(args: &mut Args<'_>, block: &Block) {
        B::run::<BASELINE_FUSES, false>(args, block);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2(args: &mut Args<'_>, block: &Block) {
        B::run::<true, false>(args, block);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
    unsafe fn avx512(args: &mut Args<'_>, block: &Block) {
        B::run::<true, true>(args, block);
    }
}
