//! The OpenMP peers: compiled from `peers/openmp.c` and `peers/programs.c` when the benchmark starts, and loaded. Fenced:
//! the calls of the library. Slices carry the lengths, so that callers stay safe.
#![allow(unsafe_code, reason = "dlopen and calls of C functions")]
#![allow(clippy::too_many_arguments, reason = "those of the C functions")]

use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use libloading::Library;

use crate::examples::black_scholes::Contract;
use crate::examples::euler::{Face, Mesh, State};
use crate::examples::hotspot::Chip;
use crate::examples::mandelbrot::Window;
use crate::stats;

const LOOPS: &str = include_str!("../peers/openmp.c");
const PROGRAMS: &str = include_str!("../peers/programs.c");

/// One compiled library.
#[derive(Debug)]
pub(crate) struct OpenMp {
    /// Never unloaded: threads of its team outlive its calls.
    library: ManuallyDrop<Library>,
    /// `-O3 -march=native`, and perhaps `-ffast-math`.
    pub(crate) name: String,
}

/// All libraries, or why there are none.
#[derive(Debug)]
pub(crate) struct Peers {
    pub(crate) plain: OpenMp,
    pub(crate) fast: OpenMp,
    /// What the programs with host tasks need.
    pub(crate) hosted: OpenMp,
    /// Speed on two threads over speed on one, the best that was measured so far.
    scaling: Cell<f64>,
    _folder: tempfile::TempDir,
}

/// Speed-up from one to two threads below which the machine is not giving two cores.
pub(crate) const LEAST_SCALING: f64 = 1.7;

impl Peers {
    /// Compiles and loads the peers.
    pub(crate) fn new() -> Result<Self, String> {
        let folder =
            tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let plain = OpenMp::compile(folder.path(), "plain", LOOPS, &[])?;
        let fast = OpenMp::compile(folder.path(), "fast", LOOPS, &["-ffast-math"])?;
        let hosted = OpenMp::compile(folder.path(), "hosted", PROGRAMS, &["-fno-math-errno"])?;
        let peers = Self { plain, fast, hosted, scaling: Cell::new(0.0), _folder: folder };
        peers.measure_scaling();
        Ok(peers)
    }

    /// The best of a few tries: other programs only ever lower it.
    fn measure_scaling(&self) {
        let time = |threads: i32| {
            self.plain.threads(threads);
            let mut times = stats::each(12, || {
                std::hint::black_box(self.plain.scale(1 << 16));
            });
            stats::quantile(&mut times, 0.25)
        };
        let mut best = self.scaling.get();
        for _ in 0..5 {
            let one = time(1);
            let two = time(2);
            best = best.max(one / two);
            std::thread::sleep(Duration::from_millis(20));
            if best >= LEAST_SCALING {
                break;
            }
        }
        self.plain.threads(threads());
        self.fast.threads(threads());
        self.scaling.set(best);
    }

    /// Speed on two threads over speed on one.
    pub(crate) fn scaling(&self) -> f64 {
        self.scaling.get()
    }

    /// Why no ratio may be printed, if so. A machine whose other core was busy until now is asked again.
    pub(crate) fn unfit(&self) -> Option<String> {
        let is_unfit = || threads() > 1 && self.scaling() < LEAST_SCALING;
        if is_unfit() {
            self.measure_scaling();
        }
        is_unfit().then(|| {
            format!(
                "OpenMP is only {:.2}x as fast on two threads as on one; {LEAST_SCALING}x is asked for",
                self.scaling()
            )
        })
    }
}

/// The threads of every contender.
pub(crate) fn threads() -> i32 {
    std::thread::available_parallelism().map_or(1, |n| i32::try_from(n.get()).unwrap_or(i32::MAX))
}

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident = $symbol:literal [$fits:expr]
        ($($arg:ident: $ty:ty => $($c:expr => $cty:ty),+);* $(;)?) $(-> $ret:ty)?;)*) => {
        impl OpenMp {
            $($(#[$doc])*
            pub(crate) fn $name(&self, $($arg: $ty),*) $(-> $ret)? {
                assert!($fits, "slices of the lengths that {} takes", $symbol);
                type Call = unsafe extern "C" fn($($($cty),+),*) $(-> $ret)?;
                // SAFETY: the source defines the symbol with these parameters.
                let call = unsafe { self.library.get::<Call>($symbol) };
                let Ok(call) = call else { missing($symbol) };
                // SAFETY: pointers and lengths are those of live slices, whose lengths were
                // compared above.
                unsafe { call($($($c),+),*) }
            })*
        }
    };
}
calls! {
    /// Threads of the regions from now on.
    threads = "peer_threads" [n > 0]
        (n: i32 => n => i32);
    scale = "peer_scale" [true]
        (n: usize => n => usize) -> f64;
    saxpy = "peer_saxpy" [true]
        (a: f32 => a => f32;
        x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32, y.len().min(x.len()) => usize);
    dot = "peer_dot" [true]
        (x: &[f64] => x.as_ptr() => *const f64;
        y: &[f64] => y.as_ptr() => *const f64, y.len().min(x.len()) => usize) -> f64;
    stencil3 = "peer_stencil3" [!y.is_empty()]
        (x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32, y.len().min(x.len()) => usize);
    exp = "peer_exp" [true]
        (x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32, y.len().min(x.len()) => usize);
    ln = "peer_ln" [true]
        (x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32, y.len().min(x.len()) => usize);
    sin = "peer_sin" [true]
        (x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32, y.len().min(x.len()) => usize);
    erf = "peer_erf" [true]
        (x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32, y.len().min(x.len()) => usize);
    triad_of = "peer_triad" [n <= a.len() && n <= b.len() && n <= c.len()]
        (a: &mut [f64] => a.as_mut_ptr() => *mut f64;
        b: &[f64] => b.as_ptr() => *const f64; c: &[f64] => c.as_ptr() => *const f64;
        s: f64 => s => f64; n: usize => n => usize);
    stencil5_of = "peer_stencil5" [w * h > 0 && w * h <= x.len().min(y.len())]
        (x: &[f32] => x.as_ptr() => *const f32;
        y: &mut [f32] => y.as_mut_ptr() => *mut f32; w: usize => w => usize; h: usize => h => usize);
    sobel_of = "peer_sobel" [w * h > 0 && w * h <= x.len().min(y.len())]
        (x: &[u8] => x.as_ptr() => *const u8;
        y: &mut [u8] => y.as_mut_ptr() => *mut u8; w: usize => w => usize; h: usize => h => usize);
    heat_of = "peer_heat" [w * h > 0 && w * h <= a.len().min(b.len())]
        (a: &mut [f32] => a.as_mut_ptr() => *mut f32;
        b: &mut [f32] => b.as_mut_ptr() => *mut f32; w: usize => w => usize; h: usize => h => usize;
        steps: usize => steps => usize);
    rod_of = "peer_rod" [n > 1 && n <= a.len().min(b.len())]
        (a: &mut [f32] => a.as_mut_ptr() => *mut f32; b: &mut [f32] => b.as_mut_ptr() => *mut f32;
        n: usize => n => usize; steps: usize => steps => usize);
    nbody_of = "peer_nbody" [[m, x, y, z, &*ax, &*ay, &*az].iter().all(|s| n <= s.len())]
        (m: &[f32] => m.as_ptr() => *const f32;
        x: &[f32] => x.as_ptr() => *const f32; y: &[f32] => y.as_ptr() => *const f32;
        z: &[f32] => z.as_ptr() => *const f32; ax: &mut [f32] => ax.as_mut_ptr() => *mut f32;
        ay: &mut [f32] => ay.as_mut_ptr() => *mut f32; az: &mut [f32] => az.as_mut_ptr() => *mut f32;
        n: usize => n => usize);
    black_scholes_of = "peer_black_scholes" [[spot, strike, time, &*call].iter().all(|s| n <= s.len())]
        (spot: &[f32] => spot.as_ptr() => *const f32;
        strike: &[f32] => strike.as_ptr() => *const f32; time: &[f32] => time.as_ptr() => *const f32;
        rate: f32 => rate => f32; volatility: f32 => volatility => f32;
        call: &mut [f32] => call.as_mut_ptr() => *mut f32; n: usize => n => usize);
    contracts_of = "peer_contracts" [contracts.len() == prices.len()]
        (contracts: &[Contract] => contracts.as_ptr() => *const Contract;
        prices: &mut [f32] => prices.as_mut_ptr() => *mut f32, prices.len() => usize);
    hotspot_of = "peer_hotspot" [w * h > 0 && w * h <= power.len().min(a.len()).min(b.len())]
        (power: &[f32] => power.as_ptr() => *const f32;
        a: &mut [f32] => a.as_mut_ptr() => *mut f32; b: &mut [f32] => b.as_mut_ptr() => *mut f32;
        chip: Chip => chip.step => f32, chip.along => f32, chip.down => f32, chip.out => f32;
        w: usize => w => usize; h: usize => h => usize; steps: usize => steps => usize);
    wave_of = "peer_wave" [w * h > 0 && w * h <= speed.len().min(a.len()).min(b.len())]
        (speed: &[f32] => speed.as_ptr() => *const f32;
        a: &mut [f32] => a.as_mut_ptr() => *mut f32; b: &mut [f32] => b.as_mut_ptr() => *mut f32;
        scale: f32 => scale => f32; w: usize => w => usize; h: usize => h => usize;
        steps: usize => steps => usize);
    convolution_of = "peer_convolution" [image.len() == pixels * inputs
        && weights.len() == inputs * outputs && result.len() == pixels * outputs
        && scale.len().min(bias.len()) >= outputs]
        (image: &[f32] => image.as_ptr() => *const f32;
        weights: &[f32] => weights.as_ptr() => *const f32;
        scale: &[f32] => scale.as_ptr() => *const f32; bias: &[f32] => bias.as_ptr() => *const f32;
        result: &mut [f32] => result.as_mut_ptr() => *mut f32;
        pixels: usize => pixels => usize; inputs: usize => inputs => usize;
        outputs: usize => outputs => usize);
    attention_of = "peer_attention" [key.len().min(value.len()) >= n * d && weight.len() >= n
        && query.len().min(result.len()) >= d]
        (key: &[f32] => key.as_ptr() => *const f32; value: &[f32] => value.as_ptr() => *const f32;
        query: &[f32] => query.as_ptr() => *const f32;
        weight: &mut [f32] => weight.as_mut_ptr() => *mut f32;
        result: &mut [f32] => result.as_mut_ptr() => *mut f32;
        n: usize => n => usize; d: usize => d => usize);
    walk_of = "peer_walk" [dx.len().min(dy.len()) >= n * steps.end && x.len().min(y.len()) >= n
        && cell.len() >= n && counts.len() >= 3 * side * side]
        (dx: &[f32] => dx.as_ptr() => *const f32; dy: &[f32] => dy.as_ptr() => *const f32;
        x: &mut [f32] => x.as_mut_ptr() => *mut f32; y: &mut [f32] => y.as_mut_ptr() => *mut f32;
        cell: &mut [u32] => cell.as_mut_ptr() => *mut u32;
        counts: &mut [u64] => counts.as_mut_ptr() => *mut u64; n: usize => n => usize;
        steps: Range<usize> => steps.start => usize, steps.end => usize;
        side: usize => side => usize);
    dct_of = "peer_dct" [basis.len() == 64
        && w * h <= image.len().min(half.len()).min(result.len())]
        (basis: &[f32] => basis.as_ptr() => *const f32; image: &[f32] => image.as_ptr() => *const f32;
        half: &mut [f32] => half.as_mut_ptr() => *mut f32;
        result: &mut [f32] => result.as_mut_ptr() => *mut f32; w: usize => w => usize;
        h: usize => h => usize; repeats: usize => repeats => usize);
    euler_of = "peer_euler" [mesh.faces.len() == 4 * now.len() && mesh.area.len() == now.len()
        && old.len().min(residual.len()).min(step.len()) >= now.len()
        && mesh.faces.iter().all(|face| face.neighbour < now.len() as i32)]
        (mesh: &Mesh => mesh.area.as_ptr() => *const f32, mesh.faces.as_ptr() => *const Face;
        now: &mut [State] => now.as_mut_ptr() => *mut State;
        old: &mut [State] => old.as_mut_ptr() => *mut State;
        residual: &mut [State] => residual.as_mut_ptr() => *mut State;
        step: &mut [f32] => step.as_mut_ptr() => *mut f32, now.len() => usize;
        iterations: usize => iterations => usize);
    pull_of = "peer_pull" [place.len().min(pull.len()) >= 3 * mass.len()]
        (gravity: f32 => gravity => f32; mass: &[f32] => mass.as_ptr() => *const f32;
        place: &[f32] => place.as_ptr() => *const f32;
        pull: &mut [f32] => pull.as_mut_ptr() => *mut f32, mass.len() => usize);
    move_of = "peer_move" [pull.len().min(velocity.len()).min(place.len()) >= 3 * mass.len()]
        (dt: f32 => dt => f32; mass: &[f32] => mass.as_ptr() => *const f32;
        pull: &[f32] => pull.as_ptr() => *const f32;
        velocity: &mut [f32] => velocity.as_mut_ptr() => *mut f32;
        place: &mut [f32] => place.as_mut_ptr() => *mut f32, mass.len() => usize) -> f64;
    zoom_of = "peer_zoom" [w * h <= image.len()]
        (image: &mut [i32] => image.as_mut_ptr() => *mut i32; w: usize => w => usize;
        h: usize => h => usize; window: Window => window.x1 => f32, window.x2 => f32,
        window.y1 => f32, window.y2 => f32; limit: i32 => limit => i32);
    multiply_of = "peer_multiply" [n * n <= a.len().min(b.len()).min(c.len())]
        (a: &[f32] => a.as_ptr() => *const f32;
        b: &[f32] => b.as_ptr() => *const f32; c: &mut [f32] => c.as_mut_ptr() => *mut f32;
        n: usize => n => usize);
    edges_of = "peer_edges" [h > 1 && w > 1 && w * h <= im.len().min(out.len())]
        (im: &[u8] => im.as_ptr() => *const u8;
        out: &mut [u8] => out.as_mut_ptr() => *mut u8; w: usize => w => usize; h: usize => h => usize);
}

fn missing(symbol: &str) -> ! {
    panic!("no source of a peer in this library defines {symbol}")
}

impl OpenMp {
    fn compile(folder: &Path, name: &str, text: &str, more: &[&str]) -> Result<Self, String> {
        let source = folder.join(format!("{name}.c"));
        std::fs::write(&source, text).map_err(|error| error.to_string())?;
        let object = folder.join(format!("{name}.so"));
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let flags = ["-O3", "-march=native"];
        let output = Command::new(&compiler)
            .args(flags)
            .args(more)
            .args(["-fopenmp", "-shared", "-fPIC", "-o"])
            .arg(&object)
            .arg(&source)
            .arg("-lm")
            .output()
            .map_err(|error| format!("no C compiler `{compiler}`: {error}"))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{compiler}` failed: {}", words.lines().next().unwrap_or("")));
        }
        // SAFETY: the library was compiled from our own source and has no initialisers.
        let library = unsafe { Library::new(&object) }.map_err(|error| error.to_string())?;
        let flags: Vec<_> = flags.iter().chain(more).copied().collect();
        let library = ManuallyDrop::new(library);
        Ok(Self { library, name: format!("OpenMP {}", flags.join(" ")) })
    }
}
