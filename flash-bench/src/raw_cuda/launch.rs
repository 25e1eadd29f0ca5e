//! Launches of the raw peer's kernels, prepared so that starting one is a single call of the driver.
//! Each has a function of its own, whose assertions keep the kernel within its arrays.
#![allow(unsafe_code, reason = "launches of CUDA's driver")]

use std::ffi::c_void;

use cudarc::driver::sys;

use super::{Array, Kernel, RawCuda, done};

/// Threads of a block along a line, and of a square block along a side.
const LINE: u32 = 256;
const SIDE: u32 = 16;

/// A kernel with its arguments.
#[derive(Debug)]
pub(crate) struct Launch {
    function: sys::CUfunction,
    grid: [u32; 3],
    block: [u32; 3],
    /// The arguments, at places that stay, and where they are.
    _values: Box<[Value]>,
    pointers: Box<[*mut c_void]>,
}

/// An argument: the first bytes of 16.
type Value = [u64; 2];

/// Values as arguments.
fn word(value: u64) -> Value {
    [value, 0]
}

fn single(value: f32) -> Value {
    word(u64::from(value.to_bits()))
}

fn pointer(array: &Array) -> Value {
    word(array.at)
}

/// Two singles in the order of memory.
fn pair(low: f32, high: f32) -> u64 {
    u64::from(low.to_bits()) | (u64::from(high.to_bits()) << 32)
}

impl Launch {
    pub(super) fn start(&self, stream: sys::CUstream) {
        let ([gx, gy, gz], [bx, by, bz]) = (self.grid, self.block);
        let arguments = self.pointers.as_ptr().cast_mut();
        let extra = std::ptr::null_mut();
        // SAFETY: the function takes these arguments, whose places live as long as the launch does, and
        // they were seen to keep it within its arrays; the driver copies them before it returns.
        let run = unsafe {
            sys::cuLaunchKernel(self.function, gx, gy, gz, bx, by, bz, 0, stream, arguments, extra)
        };
        done(run.result());
    }
}

/// Blocks that cover a length.
fn blocks(len: usize, block: u32) -> u32 {
    u32::try_from(len.div_ceil(block as usize)).unwrap_or(u32::MAX)
}

impl RawCuda {
    fn prepare(
        &self,
        kernel: Kernel,
        grid: [u32; 3],
        block: [u32; 3],
        values: Vec<Value>,
    ) -> Launch {
        let mut values = values.into_boxed_slice();
        let pointers = values.iter_mut().map(|value| (&raw mut *value).cast()).collect();
        let function = self.functions[kernel as usize];
        Launch { function, grid, block, _values: values, pointers }
    }

    fn line(&self, kernel: Kernel, len: usize, values: Vec<Value>) -> Launch {
        self.prepare(kernel, [blocks(len, LINE), 1, 1], [LINE, 1, 1], values)
    }

    fn plane(&self, kernel: Kernel, [w, h]: [usize; 2], values: Vec<Value>) -> Launch {
        let grid = [blocks(w, SIDE), blocks(h, SIDE), 1];
        self.prepare(kernel, grid, [SIDE, SIDE, 1], values)
    }

    /// y += 1, of `n` numbers of 32 bits.
    pub(crate) fn step(&self, y: &Array, n: usize) -> Launch {
        assert!(n <= y.room::<u32>(), "an array of the length");
        self.line(Kernel::Step, n, vec![pointer(y), word(n as u64)])
    }

    /// y = a x + y, of `n` singles.
    pub(crate) fn saxpy(&self, a: f32, x: &Array, y: &Array, n: usize) -> Launch {
        assert!(n <= x.room::<f32>().min(y.room::<f32>()), "arrays of the length");
        self.line(Kernel::Saxpy, n, vec![single(a), pointer(x), pointer(y), word(n as u64)])
    }

    /// a = b + s c, of `n` doubles, an even number.
    pub(crate) fn triad(&self, s: f64, [a, b, c]: [&Array; 3], n: usize) -> Launch {
        assert!([a, b, c].iter().all(|it| n <= it.room::<f64>()), "arrays of the length");
        assert!(n.is_multiple_of(2), "pairs of numbers");
        let values =
            vec![word(s.to_bits()), pointer(b), pointer(c), pointer(a), word(n as u64 / 2)];
        self.line(Kernel::Triad, n / 2, values)
    }

    /// What all bodies pull each of them to.
    pub(crate) fn pull(
        &self,
        gravity: f32,
        [mass, place, pulled]: [&Array; 3],
        n: usize,
    ) -> Launch {
        assert!(n <= mass.room::<f32>(), "an array of masses");
        assert!(3 * n <= place.room::<f32>().min(pulled.room::<f32>()), "arrays of coordinates");
        let arrays = [pointer(mass), pointer(place), pointer(pulled)];
        let values = [single(gravity)].into_iter().chain(arrays).chain([word(n as u64)]);
        self.line(Kernel::Pull, n, values.collect())
    }

    /// Moves all bodies by a step, and adds their energy to a double.
    pub(crate) fn advance(
        &self,
        dt: f32,
        [mass, pulled, velocity, place, energy]: [&Array; 5],
        n: usize,
    ) -> Launch {
        assert!(n <= mass.room::<f32>() && 1 <= energy.room::<f64>(), "arrays of their lengths");
        let rows = [pulled, velocity, place];
        assert!(rows.iter().all(|it| 3 * n <= it.room::<f32>()), "arrays of coordinates");
        let arrays = [mass, pulled, velocity, place, energy].map(pointer);
        let values = [single(dt)].into_iter().chain(arrays).chain([word(n as u64)]);
        self.line(Kernel::Advance, n, values.collect())
    }

    /// One step of the temperature of a chip: step, along, down, out.
    pub(crate) fn hotspot(
        &self,
        [step, along, down, out]: [f32; 4],
        [power, old, next]: [&Array; 3],
        [w, h]: [usize; 2],
    ) -> Launch {
        assert!(
            [power, old, next].iter().all(|it| w * h <= it.room::<f32>()),
            "fields of the shape"
        );
        let chip = [pair(step, along), pair(down, out)];
        let arrays = [power, old, next].map(pointer);
        let sizes = [word(w as u64), word(h as u64)];
        let values = [chip].into_iter().chain(arrays).chain(sizes);
        self.plane(Kernel::Hotspot, [w, h], values.collect())
    }

    /// The edges of a picture; its rim stays.
    pub(crate) fn edges(&self, im: &Array, out: &Array, [w, h]: [usize; 2]) -> Launch {
        assert!(w * h <= im.room::<u8>().min(out.room::<u8>()), "pictures of the shape");
        let values = vec![pointer(im), pointer(out), word(w as u64), word(h as u64)];
        self.plane(Kernel::Edges, [w, h], values)
    }

    /// c = a b, square matrices.
    pub(crate) fn multiply(&self, [a, b, c]: [&Array; 3], n: usize) -> Launch {
        /// Sums of a block along a side, as the source has it.
        const TILE: u32 = 64;
        assert!([a, b, c].iter().all(|it| n * n <= it.room::<f32>()), "matrices of the side");
        let values = vec![pointer(a), pointer(b), pointer(c), word(n as u64)];
        let grid = [blocks(n, TILE), blocks(n, TILE), 1];
        self.prepare(Kernel::Multiply, grid, [LINE, 1, 1], values)
    }
}
