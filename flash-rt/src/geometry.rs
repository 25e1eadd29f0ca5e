//! The work-groups of a launch, where a call says what they are to be. It changes no result and
//! chooses nothing: what is not said is the backend's to choose.

use std::fmt;

use crate::backend::DeviceInfo;
use crate::error::{Error, Result};
use crate::space::Space;
use crate::stage::LaunchStage;

/// The most dimensions of a work-group.
pub const MAX_GROUP_RANK: usize = 3;

/// The largest extent of a grid in any interface.
const MAX_GRID: usize = i32::MAX as usize;

/// The largest number of items in a work-group that is worth a number of 32 bits.
const MAX_ITEMS: usize = u32::MAX as usize;

/// How large work-groups of a device may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The most work items of one.
    pub items: u32,
    /// The most along each of its dimensions.
    pub along: [u32; MAX_GROUP_RANK],
    /// The most bytes of memory that its items share.
    pub shared: u32,
}

/// What a call says of the work-groups of its launch, dimension 0 first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Geometry {
    grid: Option<Box<[usize]>>,
    block: Option<Box<[usize]>>,
    shared: usize,
}

impl Geometry {
    /// How many work-groups there are in each dimension, if that was said.
    pub fn grid(&self) -> Option<&[usize]> {
        self.grid.as_deref()
    }

    /// How many work items a work-group has in each dimension, if that was said.
    pub fn block(&self) -> Option<&[usize]> {
        self.block.as_deref()
    }

    /// The bytes that the items of a work-group share, beside what the kernel declares itself.
    pub fn shared(&self) -> usize {
        self.shared
    }

    pub(crate) fn set_grid(&mut self, extents: &[usize]) {
        self.grid = Some(extents.into());
    }

    pub(crate) fn set_block(&mut self, extents: &[usize]) {
        self.block = Some(extents.into());
    }

    pub(crate) fn set_shared(&mut self, bytes: usize) {
        self.shared = bytes;
    }

    /// The number of work-groups in each dimension of a space, where blocks say it or the grid does.
    pub fn groups(&self, space: &Space) -> Vec<usize> {
        let extents = space.extents().iter().enumerate();
        match (self.grid(), self.block()) {
            (Some(grid), _) => grid.to_vec(),
            (None, Some(block)) => extents
                .map(|(dim, extent)| extent.div_ceil(block.get(dim).copied().unwrap_or(1).max(1)))
                .collect(),
            (None, None) => Vec::new(),
        }
    }

    /// What is wrong with it over a space.
    fn fault(&self, space: &Space) -> Option<String> {
        let said = [("grid", self.grid()), ("block", self.block())];
        for (what, extents) in said.iter().filter_map(|&(what, extents)| Some((what, extents?))) {
            let n = extents.len();
            if n == 0 || n > space.rank().min(MAX_GROUP_RANK) {
                let (rank, most) = (space.rank(), MAX_GROUP_RANK);
                return Some(format!(
                    "`{what}` {extents:?} has {n} extents; it has 1 to {most}, and no more than \
                     the index space, which has {rank}"
                ));
            }
            if extents.contains(&0) {
                return Some(format!("`{what}` {extents:?} is empty; extents are 1 or more"));
            }
        }
        let product = |extents: &[usize]| {
            extents.iter().try_fold(1_usize, |product, &extent| product.checked_mul(extent))
        };
        if let Some(block) = self.block()
            && product(block).is_none_or(|items| items > MAX_ITEMS)
        {
            return Some(format!("`block` {block:?} has more than {MAX_ITEMS} items"));
        }
        let too_wide = |extents: &[usize]| extents.iter().any(|&extent| extent > MAX_GRID);
        if let Some(grid) = self.grid()
            && (too_wide(grid) || product(grid).is_none())
        {
            return Some(format!("`grid` {grid:?} is too large; an extent is at most {MAX_GRID}"));
        }
        if u32::try_from(self.shared).is_err() {
            let (shared, most) = (self.shared, u32::MAX);
            return Some(format!("`shared` is {shared} bytes; it is at most {most}"));
        }
        let (Some(grid), Some(block)) = (self.grid(), self.block()) else { return None };
        let at = |extents: &[usize], dim: usize| extents.get(dim).copied().unwrap_or(1);
        let missed = space.extents().iter().enumerate().find(|&(dim, &extent)| {
            // Where the product does not fit, every item has a group.
            at(grid, dim).checked_mul(at(block, dim)).is_some_and(|items| items < extent)
        });
        missed.map(|(dim, extent)| {
            let (groups, items) = (at(grid, dim), at(block, dim));
            format!(
                "{groups} groups of {items} items are {} in dimension {dim}, and the items \
                 of a phase take {extent} there; a grid of blocks covers them",
                groups * items
            )
        })
    }

    /// Whether it can be over this space, on some device.
    pub(crate) fn check(&self, stage: &LaunchStage<'_>, space: &Space) -> Result<()> {
        match self.fault(space) {
            None => Ok(()),
            Some(why) => Err(Error::Geometry { kernel: stage.kernel.name, site: stage.site, why }),
        }
    }

    /// Whether a device has work-groups of this size; where it has none it does not matter.
    pub(crate) fn fits(&self, stage: &LaunchStage<'_>, device: &DeviceInfo) -> Result<()> {
        let Some(groups) = device.groups else { return Ok(()) };
        let block = self.block().unwrap_or_default();
        let items: usize = block.iter().product();
        let mut along = block.iter().zip(groups.along).enumerate();
        let why = if items > groups.items as usize {
            format!("a work-group of {items} items is asked for, and it takes {}", groups.items)
        } else if let Some((dim, (items, most))) = along.find(|(_, (n, most))| **n > *most as usize)
        {
            format!(
                "{items} items of a work-group are asked for in dimension {dim}, and it takes {most}"
            )
        } else if self.shared > groups.shared as usize {
            let (asked, there) = (self.shared, groups.shared);
            format!("{asked} bytes of shared memory are asked for, and a work-group has {there}")
        } else {
            return Ok(());
        };
        let device = device.name.clone();
        Err(Error::NoImplementation {
            kernel: stage.kernel.name,
            node: None,
            site: stage.site,
            device,
            why,
        })
    }

    /// For `explain`: what it is over a space, and whether a device knows what that means.
    pub(crate) fn text(&self, space: &Space, device: &DeviceInfo) -> String {
        let mut text = "work-groups".to_owned();
        match self.block() {
            Some(block) => text += &format!(" of {block:?}"),
            None => text += " of a size the device chooses",
        }
        let groups = self.groups(space);
        if !groups.is_empty() {
            text += &format!(", {groups:?} of them");
        }
        if self.shared > 0 {
            text += &format!(", {} bytes shared", self.shared);
        }
        if device.groups.is_none() {
            text += ", of no effect: the device has none";
        }
        text
    }
}

impl fmt::Display for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "work-groups of up to {} items and {} bytes", self.items, self.shared)
    }
}
