//! Copies and fills, between addresses of devices and of the host. When they run is not their business.

use std::sync::Arc;

use crate::bytes::{self, Place};
use crate::codes::{Code, Outcome};
use crate::driver::driver;
use crate::hazards::{self, Footprint, Touch};
use crate::host::Pinned;
use crate::memory::Memory;
use crate::stream::{Failure, Kind};

/// One end of a copy.
#[derive(Clone, Debug)]
pub(crate) enum Side {
    /// An address of a device.
    Device(u64),
    /// Pinned memory of the host.
    Pinned(Arc<Pinned>, usize),
    /// Any memory of the host, which the caller keeps.
    Pageable(Place),
    /// Bytes that were taken when the copy was asked for.
    Staged(Arc<Vec<u8>>),
}

/// Rows in planes; a plain copy is one row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
    /// Bytes from a row to the next one, and from a plane to the next one, where it is read.
    pub(crate) from: [usize; 2],
    /// The same where it is written.
    pub(crate) to: [usize; 2],
}

/// A copy.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    pub(crate) from: Side,
    pub(crate) to: Side,
    pub(crate) rows: Rows,
}

/// A fill.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    pub(crate) to: u64,
    /// 1, 2 or 4 bytes.
    pub(crate) pattern: Vec<u8>,
    /// Bytes of a row.
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pitch: usize,
}

impl Rows {
    pub(crate) fn line(width: usize) -> Self {
        Self { width, height: 1, depth: 1, from: [width; 2], to: [width; 2] }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.width * self.height * self.depth
    }

    /// From the first byte to behind the last one.
    fn extent(&self, pitches: [usize; 2]) -> usize {
        if self.bytes() == 0 {
            return 0;
        }
        (self.depth - 1) * pitches[1] + (self.height - 1) * pitches[0] + self.width
    }

    /// The bytes of all rows of one side, which begins at an offset.
    fn footprint(&self, start: usize, pitches: [usize; 2], touch: Touch) -> Footprint {
        let mut footprint = Footprint::default();
        for plane in 0..self.depth {
            for row in 0..self.height {
                let offset = plane * pitches[1] + row * pitches[0];
                footprint.add(start + offset, self.width, touch);
            }
        }
        footprint
    }

    pub(crate) fn reach(&self) -> (usize, usize) {
        (self.extent(self.from), self.extent(self.to))
    }
}

impl Side {
    /// Whatever an address is: a device's, pinned or pageable.
    pub(crate) fn of(address: u64) -> Self {
        if Memory::device_of(address).is_some() {
            return Self::Device(address);
        }
        Self::host(address as usize)
    }

    /// Memory of the host at an address.
    pub(crate) fn host(address: usize) -> Self {
        match driver().host.find(address) {
            Some(pinned) => Self::Pinned(pinned, address),
            None => Self::Pageable(Place::host(std::ptr::with_exposed_provenance_mut(address))),
        }
    }

    /// Memory that kernels reach: a device's, or pinned memory of the host.
    pub(crate) fn device(address: u64) -> Outcome<Self> {
        let side = Self::of(address);
        if side.is_pageable() { Err(Code::INVALID_VALUE) } else { Ok(side) }
    }

    pub(crate) fn is_pageable(&self) -> bool {
        matches!(self, Self::Pageable(_))
    }

    fn is_device(&self) -> bool {
        matches!(self, Self::Device(_))
    }

    /// Looks that there is memory, as a driver does before it takes a copy.
    fn check(&self, extent: usize) -> Outcome {
        let fits = match self {
            Self::Device(address) => find(*address, extent).is_some(),
            Self::Pinned(pinned, address) => pinned.place(*address, extent).is_some(),
            Self::Pageable(_) | Self::Staged(_) => true,
        };
        if fits || extent == 0 { Ok(()) } else { Err(Code::INVALID_VALUE) }
    }
}

/// Where the bytes of a device are, and what keeps them there.
fn find(address: u64, len: usize) -> Option<(Arc<crate::memory::Allocation>, Place)> {
    let memory = &driver().memories[Memory::device_of(address)?];
    let allocation = memory.find(address)?;
    let place = allocation.place(address, len as u64)?;
    Some((allocation, place))
}

fn missing(address: u64, len: usize) -> Failure {
    let why = format!("a copy of {len} bytes at {address:#x}, where nothing is allocated now");
    (Code::ILLEGAL_ADDRESS, why)
}

/// Runs something with the place of a side, which stays until then.
fn with<T>(
    side: &Side,
    extent: usize,
    marks: impl FnOnce(usize) -> Footprint,
    run: impl FnOnce(Place) -> T,
) -> Result<T, Failure> {
    match side {
        Side::Device(address) => {
            let (allocation, place) =
                find(*address, extent).ok_or_else(|| missing(*address, extent))?;
            let start = (address - allocation.start) as usize;
            if hazards::is_on() {
                hazards::check(&allocation, marks(start));
            }
            Ok(run(place))
        }
        Side::Pinned(pinned, address) => {
            let place = pinned.place(*address, extent);
            place.map(run).ok_or_else(|| missing(*address as u64, extent))
        }
        Side::Pageable(place) => Ok(run(*place)),
        Side::Staged(bytes) => Ok(run(bytes::place_of(bytes))),
    }
}

impl Copy {
    /// A copy that a driver would take. What comes from pageable memory is read now.
    pub(crate) fn new(from: Side, to: Side, rows: Rows) -> Outcome<Self> {
        let (read, written) = rows.reach();
        from.check(read)?;
        to.check(written)?;
        let from = match from {
            Side::Pageable(place) => Side::Staged(Arc::new(bytes::snapshot(place, read))),
            from => from,
        };
        Ok(Self { from, to, rows })
    }

    pub(crate) fn kind(&self) -> Kind {
        match (self.from.is_device(), self.to.is_device()) {
            (true, false) => Kind::Down,
            (false, true) => Kind::Up,
            _ => Kind::Across,
        }
    }

    /// Whether the caller has to wait for it.
    pub(crate) fn is_blocking(&self) -> bool {
        self.to.is_pageable()
    }

    /// Whether it can be done again later: both sides stay what they are.
    pub(crate) fn is_repeatable(&self) -> bool {
        !self.is_blocking() && !matches!(self.from, Side::Staged(_))
    }

    pub(crate) fn run(&self) -> Result<(), Failure> {
        let rows = &self.rows;
        if rows.bytes() == 0 {
            return Ok(());
        }
        let (read, written) = rows.reach();
        let reads = |start| rows.footprint(start, rows.from, Touch::Read);
        let writes = |start| rows.footprint(start, rows.to, Touch::Write);
        with(&self.from, read, reads, |from| {
            with(&self.to, written, writes, |to| {
                for plane in 0..rows.depth {
                    for row in 0..rows.height {
                        let from = from.plus(plane * rows.from[1] + row * rows.from[0]);
                        let to = to.plus(plane * rows.to[1] + row * rows.to[0]);
                        bytes::copy(from, to, rows.width);
                    }
                }
            })
        })?
    }
}

impl Fill {
    fn extent(&self) -> usize {
        if self.width == 0 || self.height == 0 {
            return 0;
        }
        (self.height - 1) * self.pitch + self.width
    }

    /// Looks that there is memory.
    pub(crate) fn check(&self) -> Outcome {
        if !self.to.is_multiple_of(self.pattern.len() as u64) {
            return Err(Code::INVALID_VALUE);
        }
        Side::device(self.to)?.check(self.extent())
    }

    pub(crate) fn run(&self) -> Result<(), Failure> {
        let rows = Rows {
            width: self.width,
            height: self.height,
            depth: 1,
            from: [0; 2],
            to: [self.pitch, 0],
        };
        let marks = |start| rows.footprint(start, rows.to, Touch::Write);
        with(&Side::of(self.to), self.extent(), marks, |to| {
            for row in 0..self.height {
                bytes::fill(to.plus(row * self.pitch), &self.pattern, self.width);
            }
        })
    }
}
