//! Shows:  two kernels in a loop of a pipeline, with a sum that one of them reduces to; the same in
//!         one launch, whose phases are the stages of each step.
//! Run:    cargo run --release --example 04_nbody
//! Prints: interactions per second in both forms and the kinetic energy, after comparing with a
//!         plain loop.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::prelude::*;
use flash_examples::{Options, Progress, Result, SplitMix64, check};

/// Keeps close bodies from infinite forces.
const SOFTENING: f32 = 1e-3;

/// What all other bodies pull a body to. A `mul_add` rounds once on every device, and takes the time
/// of an addition.
#[flash::kernel(inputs = 3)]
pub(crate) fn accelerate(
    gravity: f32,
    mass: &[f32],
    position: View<'_, f32, 2>,
    #[out] acceleration: ViewMut<'_, f32, 2>,
) {
    let i = global_id(0);
    let x = position[[0, i]];
    let y = position[[1, i]];
    let z = position[[2, i]];
    let mut ax = 0.0_f32;
    let mut ay = 0.0_f32;
    let mut az = 0.0_f32;
    for j in 0..mass.len() {
        let dx = position[[0, j]] - x;
        let dy = position[[1, j]] - y;
        let dz = position[[2, j]] - z;
        let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
        let inverse = 1.0 / math::sqrt(square);
        let pull = gravity * mass[j] * inverse * inverse * inverse;
        ax = dx.mul_add(pull, ax);
        ay = dy.mul_add(pull, ay);
        az = dz.mul_add(pull, az);
    }
    acceleration[[0, i]] = ax;
    acceleration[[1, i]] = ay;
    acceleration[[2, i]] = az;
}

/// Moves a body by one time step and adds its kinetic energy to the sum.
#[flash::kernel(inputs = 3)]
pub(crate) fn integrate(
    dt: f32,
    mass: &[f32],
    acceleration: View<'_, f32, 2>,
    velocity: ViewMut<'_, f32, 2>,
    position: ViewMut<'_, f32, 2>,
    #[reduce(+)] energy: &mut f64,
) {
    let i = global_id(0);
    let mut square = 0.0_f32;
    for c in 0..3 {
        let v = velocity[[c, i]] + acceleration[[c, i]] * dt;
        velocity[[c, i]] = v;
        position[[c, i]] = position[[c, i]] + v * dt;
        square += v * v;
    }
    *energy += 0.5 * mass[i] as f64 * square as f64;
}

/// Both of them in one launch over `[bodies, 2, steps]`, a phase for each stage of a step. The
/// energy is that of the last step. What is reached in `unsafe` along a loop is so one by one, and the
/// two kernels are faster.
#[flash::kernel(inputs = 3, rank = 3, group_by(y))]
pub(crate) fn in_stages(
    gravity: f32,
    dt: f32,
    mass: &[f32],
    acceleration: ViewMut<'_, f32, 2>,
    velocity: ViewMut<'_, f32, 2>,
    position: ViewMut<'_, f32, 2>,
    #[reduce(+)] energy: &mut f64,
) {
    let i = global_id(0);
    if phase() % 2 == 0 {
        let x = position[[0, i]];
        let y = position[[1, i]];
        let z = position[[2, i]];
        let mut ax = 0.0_f32;
        let mut ay = 0.0_f32;
        let mut az = 0.0_f32;
        for j in 0..mass.len() {
            // SAFETY: nobody moves in this stage, and there are as many positions as masses.
            let dx = unsafe { position[[0, j]] } - x;
            // SAFETY: as above.
            let dy = unsafe { position[[1, j]] } - y;
            // SAFETY: as above.
            let dz = unsafe { position[[2, j]] } - z;
            let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
            let inverse = 1.0 / math::sqrt(square);
            let pull = gravity * mass[j] * inverse * inverse * inverse;
            ax = dx.mul_add(pull, ax);
            ay = dy.mul_add(pull, ay);
            az = dz.mul_add(pull, az);
        }
        acceleration[[0, i]] = ax;
        acceleration[[1, i]] = ay;
        acceleration[[2, i]] = az;
    } else {
        let mut square = 0.0_f32;
        for c in 0..3 {
            let v = velocity[[c, i]] + acceleration[[c, i]] * dt;
            velocity[[c, i]] = v;
            position[[c, i]] = position[[c, i]] + v * dt;
            square += v * v;
        }
        if phase() + 1 == 2 * global_size(2) {
            *energy += 0.5 * mass[i] as f64 * square as f64;
        }
    }
}

/// Shows the progress of the run.
#[flash::host_task]
fn tick(progress: &Progress) -> std::io::Result<()> {
    progress.tick();
    Ok(())
}

/// Bodies: coordinates as three rows.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    pub(crate) position: Vec<f32>,
    pub(crate) velocity: Vec<f32>,
    pub(crate) mass: Vec<f32>,
}

impl Bodies {
    /// Bodies at rest but for a little, drawn from a seed.
    pub(crate) fn random(n: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut rows = |draw: &mut dyn FnMut(&mut SplitMix64) -> f32| {
            let mut rows = vec![0.0; 3 * n];
            for i in 0..n {
                for c in 0..3 {
                    rows[c * n + i] = draw(&mut random);
                }
            }
            rows
        };
        let position = rows(&mut SplitMix64::unit);
        let velocity = rows(&mut |random| random.signed() * 1e-3);
        let mass = (0..n).map(|_| n as f32 * random.unit()).collect();
        Self { position, velocity, mass }
    }

    /// The number of bodies.
    fn len(&self) -> usize {
        self.mass.len()
    }
}

/// Runs some steps; the bodies after them and the kinetic energy of the last.
pub(crate) fn simulate(
    rt: &Runtime,
    bodies: &Bodies,
    gravity: f32,
    dt: f32,
    steps: u32,
    progress: &Progress,
) -> flash::Result<(Bodies, f64)> {
    let n = bodies.len();
    let mass = Buffer::from(&bodies.mass[..]);
    let mut position = Buffer::from_shape([3, n], &bodies.position)?;
    let mut velocity = Buffer::from_shape([3, n], &bodies.velocity)?;
    let mut acceleration = Buffer::zeros([3, n]);
    let mut energy = Var::new(0.0);
    flash_pipeline! { in rt;
        for _step in 0..steps {
            accelerate(gravity, &mass, &position, &mut acceleration)[n];
            integrate(dt, &mass, &acceleration, &mut velocity, &mut position, &mut energy)[n];
            tick(progress);
        }
    }
    .exec()?;
    let (position, velocity) = (position.to_vec()?, velocity.to_vec()?);
    Ok((Bodies { position, velocity, mass: bodies.mass.clone() }, energy.get()?))
}

/// The same steps in one launch.
pub(crate) fn simulate_in_stages(
    rt: &Runtime,
    bodies: &Bodies,
    gravity: f32,
    dt: f32,
    steps: u32,
) -> flash::Result<(Bodies, f64)> {
    let n = bodies.len();
    let mass = Buffer::from(&bodies.mass[..]);
    let mut position = Buffer::from_shape([3, n], &bodies.position)?;
    let mut velocity = Buffer::from_shape([3, n], &bodies.velocity)?;
    let mut acceleration = Buffer::zeros([3, n]);
    let mut energy = 0.0;
    rt.submit(in_stages(
        gravity,
        dt,
        &mass,
        &mut acceleration,
        &mut velocity,
        &mut position,
        &mut energy,
    ))
    .exec([n, 2, steps as usize])?;
    let (position, velocity) = (position.to_vec()?, velocity.to_vec()?);
    Ok((Bodies { position, velocity, mass: bodies.mass.clone() }, energy))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (n, steps) = options.size.pick((60, 3), (4096, 10), (16_000, 10));
    let bodies = Bodies::random(n, 42);
    let progress = Progress::new(u64::from(steps), "steps");
    let (moved, energy) = simulate(rt, &bodies, 1e-6, 0.1, steps, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    compare(&bodies, 1e-6, 0.1, steps, &moved, energy)?;
    let start = Instant::now();
    let (staged, staged_energy) = simulate_in_stages(rt, &bodies, 1e-6, 0.1, steps)?;
    let in_one = start.elapsed().as_secs_f64();
    check::equal("position in one launch", &staged.position, &moved.position)?;
    check::equal("velocity in one launch", &staged.velocity, &moved.velocity)?;
    check::close("kinetic energy in one launch", staged_energy, energy, 1e-12)?;

    let interactions = n as f64 * n as f64 * f64::from(steps) * 1e-9;
    println!(
        "{n} bodies, {steps} steps: {:.2} billion interactions/s in launches, {:.2} in one; \
         kinetic energy {energy:.6e}",
        interactions / seconds,
        interactions / in_one
    );
    println!("positions and velocities equal those of a plain loop, bit for bit");
    Ok(())
}

/// Computes the steps again, sequentially, and compares: coordinates bit for bit, the energy to
/// what the order of a sum may change.
pub(crate) fn compare(
    bodies: &Bodies,
    gravity: f32,
    dt: f32,
    steps: u32,
    moved: &Bodies,
    energy: f64,
) -> Result {
    let n = bodies.len();
    let mut expected = bodies.clone();
    let mut expected_energy = 0.0;
    for _ in 0..steps {
        let pulls: Vec<[f32; 3]> = (0..n).map(|i| pull_on(i, &expected, gravity)).collect();
        expected_energy = 0.0;
        for (i, pull) in pulls.iter().enumerate() {
            let mut square = 0.0_f32;
            for (c, pull) in pull.iter().enumerate() {
                let velocity = &mut expected.velocity[c * n + i];
                *velocity += pull * dt;
                expected.position[c * n + i] += *velocity * dt;
                square += *velocity * *velocity;
            }
            expected_energy += 0.5 * f64::from(expected.mass[i]) * f64::from(square);
        }
    }
    check::equal("position", &moved.position, &expected.position)?;
    check::equal("velocity", &moved.velocity, &expected.velocity)?;
    Ok(check::close("kinetic energy", energy, expected_energy, 1e-12)?)
}

fn pull_on(i: usize, bodies: &Bodies, gravity: f32) -> [f32; 3] {
    let n = bodies.len();
    let (xs, rest) = bodies.position.split_at(n);
    let (ys, zs) = rest.split_at(n);
    let mut pull = [0.0_f32; 3];
    for (((x, y), z), mass) in xs.iter().zip(ys).zip(zs).zip(&bodies.mass) {
        let (dx, dy, dz) = (x - xs[i], y - ys[i], z - zs[i]);
        let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
        let inverse = 1.0 / square.sqrt();
        let strength = gravity * mass * inverse * inverse * inverse;
        pull[0] = dx.mul_add(strength, pull[0]);
        pull[1] = dy.mul_add(strength, pull[1]);
        pull[2] = dz.mul_add(strength, pull[2]);
    }
    pull
}
