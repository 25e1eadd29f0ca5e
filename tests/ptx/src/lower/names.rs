//! Names that PTX itself has: suffixes of instructions, and registers of the machine.
//!
//! Which suffixes an instruction may have is not checked here.

use crate::number::Rounding;
use crate::program::Special;
use crate::types::Type;

/// The name of an instruction in its parts.
#[derive(Debug)]
pub(super) struct Name<'a> {
    /// What comes before the first dot.
    pub(super) op: &'a str,
    /// What comes behind it, without what `::` adds.
    pub(super) suffixes: Vec<&'a str>,
    /// Those of them that are types.
    pub(super) types: Vec<Type>,
}

impl<'a> Name<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let mut parts = name.split('.');
        let op = parts.next().unwrap_or_default();
        let suffixes: Vec<&str> =
            parts.map(|part| part.split("::").next().unwrap_or(part)).collect();
        let types = suffixes.iter().filter_map(|suffix| Type::parse(suffix)).collect();
        Name { op, suffixes, types }
    }

    pub(super) fn has(&self, suffix: &str) -> bool {
        self.suffixes.contains(&suffix)
    }

    /// The first of these suffixes that it has.
    pub(super) fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> Option<T> {
        self.suffixes
            .iter()
            .find_map(|suffix| choices.iter().find(|(name, _)| name == suffix))
            .map(|(_, value)| *value)
    }

    /// How results are rounded, if the name says.
    pub(super) fn rounding(&self) -> Option<Rounding> {
        self.one_of(&[
            ("rn", Rounding::Nearest),
            ("rna", Rounding::NearestAway),
            ("rz", Rounding::Zero),
            ("rm", Rounding::Down),
            ("rp", Rounding::Up),
        ])
    }

    /// How numbers are rounded to integers, if the name says.
    pub(super) fn integral(&self) -> Option<Rounding> {
        self.one_of(&[
            ("rni", Rounding::Nearest),
            ("rzi", Rounding::Zero),
            ("rmi", Rounding::Down),
            ("rpi", Rounding::Up),
        ])
    }

    /// How many elements a vector has.
    pub(super) fn lanes(&self) -> usize {
        self.one_of(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1)
    }
}

/// A register of the machine that does not change under a thread; clocks are instructions.
pub(super) fn special(name: &str) -> Option<Result<Special, u64>> {
    let axis = |name: &str| match name {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    if let Some((register, component)) = name.split_once('.') {
        let axis = axis(component)?;
        return Some(match register {
            "%tid" => Ok(Special::Tid(axis)),
            "%ntid" => Ok(Special::Ntid(axis)),
            "%ctaid" | "%clusterid" => Ok(Special::Ctaid(axis)),
            "%nctaid" | "%nclusterid" => Ok(Special::Nctaid(axis)),
            "%cluster_ctaid" => Err(0),
            "%cluster_nctaid" => Err(1),
            _ => return None,
        });
    }
    Some(match name {
        "%laneid" => Ok(Special::LaneId),
        "%warpid" => Ok(Special::WarpId),
        "%nwarpid" => Ok(Special::WarpCount),
        "%lanemask_eq" => Ok(Special::LanesEq),
        "%lanemask_lt" => Ok(Special::LanesLt),
        "%lanemask_le" => Ok(Special::LanesLe),
        "%lanemask_gt" => Ok(Special::LanesGt),
        "%lanemask_ge" => Ok(Special::LanesGe),
        "%dynamic_smem_size" => Ok(Special::DynamicShared),
        "%total_smem_size" | "%aggr_smem_size" => Ok(Special::TotalShared),
        "%envreg1" => Ok(Special::GridHigh),
        "%envreg2" => Ok(Special::GridLow),
        "%smid" | "%gridid" | "%cluster_ctarank" | "%is_explicit_cluster" => Err(0),
        "%nsmid" | "%cluster_nctarank" => Err(1),
        "WARP_SZ" => Err(32),
        _ => return None,
    })
}

/// Whether it is a register that counts time.
pub(super) fn is_clock(name: &str) -> bool {
    matches!(
        name,
        "%clock"
            | "%clock64"
            | "%clock_hi"
            | "%globaltimer"
            | "%globaltimer_lo"
            | "%globaltimer_hi"
    )
}
