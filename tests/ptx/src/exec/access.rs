//! Loads, stores and atomic operations of a warp, in any space.
//!
//! Lanes access one after the other, from the first on.

use super::block::Own;
use super::warp::{Fail, Warp};
use crate::fault::{Access, FaultKind, Space};
use crate::lanes::{Mask, Reg, lanes};
use crate::memory::Region;
use crate::program::{
    At, GRID_WINDOW, LOCAL_WINDOW, NONE, PARAM_WINDOW, SHARED_WINDOW, Update, WINDOWS,
};

/// Allocations that were reached lately, the last one first.
#[derive(Default)]
pub(super) struct Regions {
    known: Vec<Region>,
}

/// How many are kept.
const KEPT: usize = 8;

impl Regions {
    /// The allocation that holds these bytes, if it is memory of the host.
    #[inline]
    fn of(&mut self, own: &super::Grid<'_>, address: u64, bytes: u64) -> Option<&Region> {
        match self.known.iter().position(|region| region.holds(address, bytes)) {
            Some(0) => {}
            Some(at) => self.known.swap(0, at),
            None => {
                let region = own.memory.region(address).filter(|it| it.holds(address, bytes))?;
                self.known.truncate(KEPT - 1);
                self.known.insert(0, region);
            }
        }
        self.known.first()
    }
}

/// Where bytes are.
#[derive(Clone, Copy)]
struct Place {
    space: Space,
    /// The address as the space counts it.
    address: u64,
}

fn place(at: &At, address: u64) -> Place {
    let space = match at.space {
        Space::Generic => match address & WINDOWS {
            SHARED_WINDOW => Space::Shared,
            LOCAL_WINDOW => Space::Local,
            PARAM_WINDOW => Space::Param,
            _ => return Place { space: Space::Global, address },
        },
        space => return Place { space, address },
    };
    Place { space, address: address & !WINDOWS }
}

impl Own<'_> {
    fn read(&mut self, warp: &Warp, lane: usize, at: Place, bytes: u64) -> Option<u64> {
        let from = match at.space {
            Space::Shared => &self.shared[..],
            Space::Local => &warp.local[lane][..],
            Space::Param => self.grid.launch.params,
            _ => {
                if let Some(region) = self.regions.of(self.grid, at.address, bytes) {
                    return region.load(at.address, bytes);
                }
                let (memory, address) = self.memory(at.address);
                let mut word = [0; 8];
                memory.load(address, &mut word[..bytes as usize]).ok()?;
                return Some(u64::from_le_bytes(word));
            }
        };
        let start = usize::try_from(at.address).ok()?;
        let from = from.get(start..start.checked_add(bytes as usize)?)?;
        Some(match *from {
            [a] => a.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            _ => u64::from_le_bytes(from.try_into().ok()?),
        })
    }

    fn write(
        &mut self,
        warp: &mut Warp,
        lane: usize,
        at: Place,
        bytes: u64,
        value: u64,
    ) -> Option<()> {
        let to = match at.space {
            Space::Shared => &mut self.shared[..],
            Space::Local => &mut warp.local[lane][..],
            // Parameters and constants are only read.
            Space::Param | Space::Const => return None,
            _ => {
                if let Some(region) = self.regions.of(self.grid, at.address, bytes) {
                    return region.store(at.address, bytes, value);
                }
                let (memory, address) = self.memory(at.address);
                return memory.store(address, &value.to_le_bytes()[..bytes as usize]).ok();
            }
        };
        let start = usize::try_from(at.address).ok()?;
        let to = to.get_mut(start..start.checked_add(bytes as usize)?)?;
        to.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        Some(())
    }

    fn update(
        &mut self,
        warp: &mut Warp,
        lane: usize,
        at: Place,
        bytes: u64,
        f: &dyn Fn(u64) -> u64,
    ) -> Option<u64> {
        if matches!(at.space, Space::Shared | Space::Local | Space::Param | Space::Const) {
            let old = self.read(warp, lane, at, bytes)?;
            self.write(warp, lane, at, bytes, f(old))?;
            return Some(old);
        }
        if let Some(region) = self.regions.of(self.grid, at.address, bytes) {
            return region.atomic(at.address, bytes as usize, &mut |old| f(old));
        }
        let (memory, address) = self.memory(at.address);
        memory.atomic(address, bytes as usize, &mut |old| f(old)).ok()
    }

    /// The caller's memory, or what the blocks of a grid share.
    fn memory(&self, address: u64) -> (&dyn crate::Memory, u64) {
        match address & WINDOWS {
            GRID_WINDOW => (&self.grid.together, address & !WINDOWS),
            _ => (self.grid.memory, address),
        }
    }

    /// Bytes up to a zero, of global memory.
    pub(super) fn text(&self, address: u64) -> String {
        let mut text = Vec::new();
        let mut byte = [0];
        while text.len() < 1000 {
            let at = address.wrapping_add(text.len() as u64);
            if self.grid.memory.load(at, &mut byte).is_err() || byte[0] == 0 {
                break;
            }
            text.push(byte[0]);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Why an access failed.
fn failed(at: Place, bytes: u64, access: Access, lane: usize) -> Fail {
    let Place { space, address } = at;
    let kind = if address.is_multiple_of(bytes) {
        FaultKind::IllegalAddress { address, bytes: bytes as u32, space, access }
    } else {
        FaultKind::Misaligned { address, align: bytes as u32, space, access }
    };
    (kind, lane)
}

impl Warp {
    #[inline]
    fn address(&self, at: &At, lane: usize) -> u64 {
        self.get(at.base, lane).wrapping_add(at.offset)
    }

    pub(super) fn load(
        &mut self,
        own: &mut Own<'_>,
        at: &At,
        bytes: u8,
        signed: bool,
        d: &[Reg],
        active: Mask,
    ) -> Result<(), Fail> {
        let bytes = u64::from(bytes);
        let whole = bytes * d.len() as u64;
        let cut = 64 - 8 * bytes as u32;
        for lane in lanes(active) {
            let at = place(at, self.address(at, lane));
            if !at.address.is_multiple_of(whole) {
                return Err(failed(at, whole, Access::Load, lane));
            }
            for (&d, number) in d.iter().zip(0..) {
                let part = Place { address: at.address + number * bytes, ..at };
                let value = own.read(self, lane, part, bytes);
                let value = value.ok_or_else(|| failed(at, whole, Access::Load, lane))?;
                let value = if signed { ((value << cut) as i64 >> cut) as u64 } else { value };
                self.file[d as usize][lane] = value;
            }
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        own: &mut Own<'_>,
        at: &At,
        bytes: u8,
        s: &[Reg],
        active: Mask,
    ) -> Result<(), Fail> {
        let bytes = u64::from(bytes);
        let whole = bytes * s.len() as u64;
        for lane in lanes(active) {
            let at = place(at, self.address(at, lane));
            if !at.address.is_multiple_of(whole) {
                return Err(failed(at, whole, Access::Store, lane));
            }
            for (&s, number) in s.iter().zip(0..) {
                let part = Place { address: at.address + number * bytes, ..at };
                let value = self.get(s, lane);
                let done = own.write(self, lane, part, bytes, value);
                done.ok_or_else(|| failed(at, whole, Access::Store, lane))?;
            }
        }
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        own: &mut Own<'_>,
        at: &At,
        bytes: u8,
        f: &Update,
        [d, b, c]: [Reg; 3],
        active: Mask,
    ) -> Result<(), Fail> {
        let bytes = u64::from(bytes);
        for lane in lanes(active) {
            let at = place(at, self.address(at, lane));
            if !at.address.is_multiple_of(bytes) {
                return Err(failed(at, bytes, Access::Atomic, lane));
            }
            let b = self.get(b, lane);
            let c = if c == NONE { 0 } else { self.get(c, lane) };
            let old = own.update(self, lane, at, bytes, &|old| f(old, b, c));
            let old = old.ok_or_else(|| failed(at, bytes, Access::Atomic, lane))?;
            if d != NONE {
                self.file[d as usize][lane] = old;
            }
        }
        Ok(())
    }

    pub(super) fn copy(
        &mut self,
        own: &mut Own<'_>,
        to: &At,
        from: &At,
        bytes: u32,
        present: Reg,
        active: Mask,
    ) -> Result<(), Fail> {
        for lane in lanes(active) {
            let present = self.get(present, lane) & 0xffff_ffff;
            let (to, from) = (place(to, self.address(to, lane)), self.address(from, lane));
            for word in (0..u64::from(bytes)).step_by(4) {
                let from = Place { space: Space::Global, address: from + word };
                let to = Place { address: to.address + word, ..to };
                let value = if word < present {
                    let value = own.read(self, lane, from, 4);
                    value.ok_or_else(|| failed(from, 4, Access::Load, lane))?
                } else {
                    0
                };
                let done = own.write(self, lane, to, 4, value);
                done.ok_or_else(|| failed(to, 4, Access::Store, lane))?;
            }
        }
        Ok(())
    }

    /// The parameters of a failed `assert`.
    pub(super) fn assertion(&self, own: &Own<'_>, params: [u32; 4], active: Mask) -> Fail {
        let lane = active.trailing_zeros() as usize;
        let word = |param: u32| {
            let start = self.get(0, lane) as usize + param as usize;
            let bytes = self.local[lane].get(start..start + 8);
            bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
        };
        let [condition, file, line, function] = params.map(word);
        let kind = FaultKind::Assert {
            condition: own.text(condition),
            file: own.text(file),
            source_line: line as u32,
            function: own.text(function),
        };
        (kind, lane)
    }
}
