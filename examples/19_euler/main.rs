//! Shows:  a mesh without structure: each cell reads the cells that its faces name; structures as
//!         elements and as values of device functions; loops in loops.
//! Run:    cargo run --release --example 19_euler
//! Prints: cells per second, after comparing with a plain loop in double precision; leaves
//!         out/euler.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

mod mesh;

use std::sync::{Mutex, PoisonError};

use flash::prelude::*;
use flash_examples::canvas::{Canvas, contact_sheet, heat};
use flash_examples::picture::write_png;
use flash_examples::{Options, Progress, Result, check};

pub(crate) use mesh::{FAR, Face, Mesh, WALL};

/// Ratio of the specific heats of air.
const GAMMA: f32 = 1.4;
/// How much neighbours are drawn to each other.
const SMOOTHING: f32 = 0.2;
/// What the air is far away: 1.2 times as fast as sound, along x.
pub(crate) const FAR_FIELD: State =
    State { density: 1.4, mx: 1.68, my: 0.0, mz: 0.0, energy: 3.508 };

/// What a cell holds: density, momentum and energy, each per volume.
#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
pub(crate) struct State {
    pub(crate) density: f32,
    pub(crate) mx: f32,
    pub(crate) my: f32,
    pub(crate) mz: f32,
    pub(crate) energy: f32,
}

/// The square of the momentum. A `mul_add` rounds once on every device, and takes the time of an
/// addition.
#[flash::device]
fn square(s: State) -> f32 {
    s.mx.mul_add(s.mx, s.my.mul_add(s.my, s.mz * s.mz))
}

/// The pressure of a state.
#[flash::device]
fn pressure(s: State) -> f32 {
    (GAMMA - 1.0) * (s.energy - 0.5 * square(s) / s.density)
}

/// The fastest wave in a state: speed of the flow plus speed of sound.
#[flash::device]
fn fastest(s: State) -> f32 {
    math::sqrt(square(s)) / s.density + math::sqrt(GAMMA * pressure(s) / s.density)
}

/// What flows through a face with normal `(nx, ny, nz)`.
#[flash::device]
fn through(s: State, nx: f32, ny: f32, nz: f32) -> State {
    let p = pressure(s);
    let mass = s.mx.mul_add(nx, s.my.mul_add(ny, s.mz * nz));
    let speed = mass / s.density;
    State {
        density: mass,
        mx: s.mx.mul_add(speed, p * nx),
        my: s.my.mul_add(speed, p * ny),
        mz: s.mz.mul_add(speed, p * nz),
        energy: speed * (s.energy + p),
    }
}

/// a + f b
#[flash::device]
fn plus(a: State, f: f32, b: State) -> State {
    State {
        density: f.mul_add(b.density, a.density),
        mx: f.mul_add(b.mx, a.mx),
        my: f.mul_add(b.my, a.my),
        mz: f.mul_add(b.mz, a.mz),
        energy: f.mul_add(b.energy, a.energy),
    }
}

/// How far each cell may go in time, and a copy of what it holds.
#[flash::kernel]
pub(crate) fn begin(
    area: &[f32],
    state: &[State],
    #[out] old: &mut [State],
    #[out] step: &mut [f32],
) {
    let i = global_id(0);
    let here = state[i];
    old[i] = here;
    step[i] = 0.5 / (math::sqrt(area[i]) * fastest(here));
}

/// What flows into each cell through its faces.
#[flash::kernel]
pub(crate) fn flux(
    far: State,
    faces: View<'_, Face, 2>,
    state: &[State],
    #[out] residual: &mut [State],
) {
    let i = global_id(0);
    let here = state[i];
    let mut sum = State { density: 0.0, mx: 0.0, my: 0.0, mz: 0.0, energy: 0.0 };
    for k in 0..faces.extent(0) {
        let face = faces[[k, i]];
        if face.neighbour == WALL {
            let p = pressure(here);
            sum.mx = face.nx.mul_add(p, sum.mx);
            sum.my = face.ny.mul_add(p, sum.my);
            sum.mz = face.nz.mul_add(p, sum.mz);
        } else {
            let mut other = far;
            if face.neighbour != FAR {
                other = state[face.neighbour as usize];
                let squares = face.nx * face.nx + face.ny * face.ny + face.nz * face.nz;
                let pull = 0.5 * SMOOTHING * math::sqrt(squares) * (fastest(here) + fastest(other));
                sum = plus(plus(sum, -pull, here), pull, other);
            }
            sum = plus(sum, 0.5, through(other, face.nx, face.ny, face.nz));
            sum = plus(sum, 0.5, through(here, face.nx, face.ny, face.nz));
        }
    }
    residual[i] = sum;
}

/// Goes a part of the step from the state before it.
#[flash::kernel]
pub(crate) fn advance(
    part: f32,
    step: &[f32],
    old: &[State],
    residual: &[State],
    #[out] state: &mut [State],
) {
    let i = global_id(0);
    state[i] = plus(old[i], step[i] * part, residual[i]);
}

/// Keeps a copy of the field.
#[flash::host_task]
fn keep(state: &[State], film: &Mutex<Vec<Vec<State>>>, progress: &Progress) {
    film.lock().unwrap_or_else(PoisonError::into_inner).push(state.to_vec());
    progress.tick();
}

/// Some shots, with some iterations before each of them.
pub(crate) fn simulate(
    rt: &Runtime,
    mesh: &Mesh,
    start: &[State],
    [shots, iterations]: [u32; 2],
    progress: &Progress,
) -> flash::Result<Vec<Vec<State>>> {
    let film = Mutex::new(Vec::new());
    let n = mesh.area.len();
    let (area, faces) = (Buffer::from(mesh.area.clone()), Buffer::from_shape([4, n], &mesh.faces)?);
    let (mut state, mut step) = (Buffer::from(start.to_vec()), Buffer::zeros(n));
    let (mut old, mut residual) = (Buffer::zeros(n), Buffer::zeros(n));
    flash_pipeline! { in rt;
        for iteration in 0..shots * iterations {
            begin(&area, &state, &mut old, &mut step)[n];
            for j in 0..3_u32 {
                flux(FAR_FIELD, &faces, &state, &mut residual)[n];
                advance(1.0 / (4 - j) as f32, &step, &old, &residual, &mut state)[n];
            }
            if (iteration + 1) % iterations == 0 {
                keep(&state, &film, progress);
            }
        }
    }
    .exec()?;
    Ok(film.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example: a plate in a supersonic wind, then a block of tetrahedra in a still one.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (shape @ [w, h], counts @ [shots, iterations]) =
        options.size.pick(([16, 16], [3, 2]), ([160, 128], [6, 50]), ([320, 304], [8, 250]));
    let mesh = Mesh::plate(shape, true);
    let start = vec![FAR_FIELD; w * h];
    let progress = Progress::new(u64::from(shots), "shots");
    let film = simulate(rt, &mesh, &start, counts, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    compare(&mesh, &start, counts, &film)?;
    let cells = (w * h) as f64 * f64::from(shots * iterations);
    println!(
        "{w}x{h} cells, {} iterations: {:.2} million cells/s",
        shots * iterations,
        cells / seconds * 1e-6
    );

    let side = options.size.pick(2, 8, 16);
    let block = Mesh::tetrahedra([side; 3]);
    let calm = vec![FAR_FIELD; block.area.len()];
    let progress = Progress::new(1, "shots");
    let last = simulate(rt, &block, &calm, [1, 8], &progress)?.pop().unwrap_or_default();
    progress.finish();
    let flat = |field: &[State]| field.iter().flat_map(values).collect::<Vec<_>>();
    let expected: Vec<f64> = flat(&calm).into_iter().map(f64::from).collect();
    check::all_within("wind through tetrahedra", &flat(&last), &expected, 1e-5)?;
    println!("{} tetrahedra without a wall leave the wind as it is", calm.len());

    let path = options.output("euler.png")?;
    write_png(&path, &draw(shape, iterations, &film))?;
    println!("all within 1e-3 of a plain loop in double precision; see {}", path.display());
    Ok(())
}

/// The five numbers of a state.
pub(crate) fn values(state: &State) -> [f32; 5] {
    [state.density, state.mx, state.my, state.mz, state.energy]
}

/// Computes all shots again, sequentially and in double precision.
pub(crate) fn compare(
    mesh: &Mesh,
    start: &[State],
    [shots, iterations]: [u32; 2],
    film: &[Vec<State>],
) -> Result {
    check::equal("number of shots", &[film.len()], &[shots as usize])?;
    let mut field: Vec<[f64; 5]> = start.iter().map(|s| values(s).map(f64::from)).collect();
    for (shot, found) in film.iter().enumerate() {
        for _ in 0..iterations {
            iterate(mesh, &mut field);
        }
        let found: Vec<f32> = found.iter().flat_map(values).collect();
        check::all_within(&format!("shot {shot}"), &found, field.as_flattened(), 1e-3)?;
    }
    Ok(())
}

/// One iteration, by the tensors of the equations.
fn iterate(mesh: &Mesh, field: &mut [[f64; 5]]) {
    let n = field.len();
    let old = field.to_vec();
    let step: Vec<f64> = old
        .iter()
        .zip(&mesh.area)
        .map(|(u, area)| 0.5 / (f64::from(*area).sqrt() * Flow::of(u).fastest))
        .collect();
    let far = Flow::of(&values(&FAR_FIELD).map(f64::from));
    for divisor in [4.0, 3.0, 2.0] {
        let flows: Vec<Flow> = field.iter().map(Flow::of).collect();
        for i in 0..n {
            let mut sum = [0.0; 5];
            for face in (0..4).map(|k| &mesh.faces[k * n + i]) {
                let normal = [face.nx, face.ny, face.nz].map(f64::from);
                let here = &flows[i];
                if face.neighbour == WALL {
                    (0..3).for_each(|b| sum[1 + b] += normal[b] * here.pressure);
                    continue;
                }
                let other = usize::try_from(face.neighbour).map_or(&far, |k| &flows[k]);
                if face.neighbour != FAR {
                    let area = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
                    let pull = 0.5 * f64::from(SMOOTHING) * area * (here.fastest + other.fastest);
                    (0..5).for_each(|v| sum[v] += pull * (other.state[v] - here.state[v]));
                }
                for (axis, part) in normal.iter().enumerate() {
                    let add = |v: usize| 0.5 * part * (here.flux[axis][v] + other.flux[axis][v]);
                    (0..5).for_each(|v| sum[v] += add(v));
                }
            }
            field[i] = std::array::from_fn(|v| old[i][v] + step[i] / divisor * sum[v]);
        }
    }
}

/// A state and what follows from it.
struct Flow {
    state: [f64; 5],
    pressure: f64,
    fastest: f64,
    /// Along each axis.
    flux: [[f64; 5]; 3],
}

impl Flow {
    fn of(state: &[f64; 5]) -> Self {
        let gamma = f64::from(GAMMA);
        let [density, mx, my, mz, energy] = *state;
        let velocity = [mx, my, mz].map(|m| m / density);
        let squares: f64 = velocity.iter().map(|v| v * v).sum();
        let pressure = (gamma - 1.0) * (energy - 0.5 * density * squares);
        let flux = std::array::from_fn(|axis| {
            let mut flux = state.map(|x| x * velocity[axis]);
            flux[1 + axis] += pressure;
            flux[4] += pressure * velocity[axis];
            flux
        });
        let fastest = squares.sqrt() + (gamma * pressure / density).sqrt();
        Self { state: *state, pressure, fastest, flux }
    }
}

/// The density of the air around the plate.
fn draw([w, h]: [usize; 2], iterations: u32, film: &[Vec<State>]) -> Canvas {
    let magnify = 320_usize.div_ceil(w).min(12);
    let cells: Vec<_> = film
        .iter()
        .zip(1..)
        .map(|(field, shot)| {
            let picture = Canvas::from_fn(w * magnify, h * magnify, |x, y| {
                heat((field[y / magnify * w + x / magnify].density - 0.4) / 2.4)
            });
            (format!("after {} iterations", shot * iterations), picture)
        })
        .collect();
    let caption = "Density of the air around a plate in a wind at 1.2 times the speed of sound";
    contact_sheet(3, &cells, caption)
}
