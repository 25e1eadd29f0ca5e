//! Copies and fills as they are submitted to a stream. Fenced: addresses are what the caller says.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ptr::{null, null_mut};

use cudarc::driver::sys::{CUDA_MEMCPY2D, CUDA_MEMCPY3D_PEER, CUmemorytype};

use super::functions;
use super::{Context, Failure, Stream};

/// Runs of bytes: so long, so many, so far apart on the device and on the host, or on another device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    pub(crate) row_bytes: usize,
    pub(crate) rows: usize,
    pub(crate) there: usize,
    pub(crate) here: usize,
}

impl Stream {
    /// Submits a copy to the device. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over the bytes from `from` on can be read and nobody writes them, and those from `to`
    /// on are memory of the device that nothing else under way uses.
    pub(crate) unsafe fn upload(
        &self,
        to: u64,
        from: *const u8,
        bytes: usize,
    ) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        let code = unsafe { functions::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, self.raw()) };
        Failure::check("cuMemcpyHtoDAsync_v2", code)
    }

    /// Submits a copy to the host. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over the bytes from `to` on can be written and nobody else uses them, and those from
    /// `from` on are memory of the device that nothing under way writes.
    pub(crate) unsafe fn download(
        &self,
        to: *mut u8,
        from: u64,
        bytes: usize,
    ) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        let code = unsafe { functions::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, self.raw()) };
        Failure::check("cuMemcpyDtoHAsync_v2", code)
    }

    /// As [`Stream::upload`] of runs.
    ///
    /// # Safety
    ///
    /// As there, for each run.
    pub(crate) unsafe fn upload_plane(
        &self,
        to: u64,
        from: *const u8,
        plane: &Plane,
    ) -> Result<(), Failure> {
        let copy = CUDA_MEMCPY2D {
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
            srcHost: from.cast(),
            srcPitch: plane.here,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstDevice: to,
            dstPitch: plane.there,
            ..Self::rows(plane)
        };
        // SAFETY: as the caller says; the description is read in the call.
        let code = unsafe { functions::cuMemcpy2DAsync_v2(&raw const copy, self.raw()) };
        Failure::check("cuMemcpy2DAsync_v2", code)
    }

    /// As [`Stream::download`] of runs.
    ///
    /// # Safety
    ///
    /// As there, for each run.
    pub(crate) unsafe fn download_plane(
        &self,
        to: *mut u8,
        from: u64,
        plane: &Plane,
    ) -> Result<(), Failure> {
        let copy = CUDA_MEMCPY2D {
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcDevice: from,
            srcPitch: plane.there,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
            dstHost: to.cast(),
            dstPitch: plane.here,
            ..Self::rows(plane)
        };
        // SAFETY: as the caller says; the description is read in the call.
        let code = unsafe { functions::cuMemcpy2DAsync_v2(&raw const copy, self.raw()) };
        Failure::check("cuMemcpy2DAsync_v2", code)
    }

    /// Submits a copy within the device. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over nothing else under way writes the bytes from `from` on, or uses those from `to` on,
    /// and both are memory of the device.
    pub(crate) unsafe fn copy(&self, to: u64, from: u64, bytes: usize) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        let code = unsafe { functions::cuMemcpyDtoDAsync_v2(to, from, bytes, self.raw()) };
        Failure::check("cuMemcpyDtoDAsync_v2", code)
    }

    /// Submits a copy from memory of the device to memory in the context of another one. The context of
    /// the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over nothing else under way writes the bytes from `from` on, or uses those from `to` on,
    /// and both are memory of their devices.
    pub(crate) unsafe fn peer_copy(
        &self,
        (other, to): (&Context, u64),
        from: u64,
        bytes: usize,
    ) -> Result<(), Failure> {
        let (own, other) = (self.context().raw(), other.raw());
        // SAFETY: as the caller says.
        let code = unsafe { functions::cuMemcpyPeerAsync(to, other, from, own, bytes, self.raw()) };
        Failure::check("cuMemcpyPeerAsync", code)
    }

    /// As [`Stream::peer_copy`] of runs.
    ///
    /// # Safety
    ///
    /// As there, for each run.
    pub(crate) unsafe fn peer_plane(
        &self,
        (other, to): (&Context, u64),
        from: u64,
        plane: &Plane,
    ) -> Result<(), Failure> {
        let copy = CUDA_MEMCPY3D_PEER {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcHost: null(),
            srcDevice: from,
            srcArray: null_mut(),
            srcContext: self.context().raw(),
            srcPitch: plane.there,
            srcHeight: plane.rows,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstHost: null_mut(),
            dstDevice: to,
            dstArray: null_mut(),
            dstContext: other.raw(),
            dstPitch: plane.here,
            dstHeight: plane.rows,
            WidthInBytes: plane.row_bytes,
            Height: plane.rows,
            Depth: 1,
        };
        // SAFETY: as the caller says; the description is read in the call.
        let code = unsafe { functions::cuMemcpy3DPeerAsync(&raw const copy, self.raw()) };
        Failure::check("cuMemcpy3DPeerAsync", code)
    }

    /// A copy of so many runs between nowhere and nowhere.
    fn rows(plane: &Plane) -> CUDA_MEMCPY2D {
        CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
            srcHost: null(),
            srcDevice: 0,
            srcArray: null_mut(),
            srcPitch: 0,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
            dstHost: null_mut(),
            dstDevice: 0,
            dstArray: null_mut(),
            dstPitch: 0,
            WidthInBytes: plane.row_bytes,
            Height: plane.rows,
        }
    }

    /// Submits zeros. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over, the bytes are memory of the device that nothing else under way uses.
    pub(crate) unsafe fn zero(&self, to: u64, bytes: usize) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        let code = unsafe { functions::cuMemsetD8Async(to, 0, bytes, self.raw()) };
        Failure::check("cuMemsetD8Async", code)
    }

    /// Submits zeros for runs; `here` of the plane is nothing. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// As [`Stream::zero`], for each run.
    pub(crate) unsafe fn zero_plane(&self, to: u64, plane: &Plane) -> Result<(), Failure> {
        let Plane { row_bytes, rows, there, .. } = *plane;
        // SAFETY: as the caller says.
        let code =
            unsafe { functions::cuMemsetD2D8Async(to, there, 0, row_bytes, rows, self.raw()) };
        Failure::check("cuMemsetD2D8Async", code)
    }
}
