//! Bar 12: N-body against a rayon loop, with OpenMP beside it.

use flash::Result;
use flash::prelude::*;
use rayon::prelude::*;

use super::Context;
use crate::kernels::programs::accelerate;
use crate::row::Row;
use crate::stats::{Contender, interleave};

/// Coordinates and masses of bodies, one vector each.
pub(crate) struct Bodies {
    pub(crate) mass: Vec<f32>,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) z: Vec<f32>,
}

impl Bodies {
    pub(crate) fn new(n: usize) -> Self {
        let along = |step: f32| (0..n).map(|i| (i as f32 * step).fract()).collect();
        Self { mass: vec![1e-3; n], x: along(0.37), y: along(0.73), z: along(0.19) }
    }
}

/// The loop a user of rayon writes.
fn rayon_loop(bodies: &Bodies, forces: &mut [[f32; 3]]) {
    let Bodies { mass, x, y, z } = bodies;
    forces.par_iter_mut().enumerate().for_each(|(i, force)| {
        let mut sum = [0.0_f32; 3];
        for j in 0..mass.len() {
            let (dx, dy, dz) = (x[j] - x[i], y[j] - y[i], z[j] - z[i]);
            let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + 1e-3).sqrt();
            let pull = mass[j] * inverse * inverse * inverse;
            sum[0] += dx * pull;
            sum[1] += dy * pull;
            sum[2] += dz * pull;
        }
        *force = sum;
    });
}

/// N-body of 16,384 bodies.
pub(crate) fn nbody(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let n = if context.quick { 4_096 } else { 16_384 };
    let name = "n-body, one step of 16,384 bodies";
    let name = if context.quick { "n-body, one step of 4,096 bodies" } else { name };
    if !context.wants(name) {
        return Ok(());
    }
    let bodies = Bodies::new(n);
    let buffers = [&bodies.mass, &bodies.x, &bodies.y, &bodies.z].map(|v| Buffer::from(v.clone()));
    let [mass, x, y, z] = &buffers;
    let [mut ax, mut ay, mut az] = [(); 3].map(|()| Buffer::<f32>::zeros(n));
    let mut plan = context.rt.pipeline();
    plan.push(accelerate(mass, x, y, z, &mut ax, &mut ay, &mut az).over([n]));
    plan.exec()?;
    let mut forces = vec![[0.0_f32; 3]; n];
    let mut theirs = [(); 3].map(|()| vec![0.0_f32; n]);
    let [px, py, pz] = &mut theirs;
    let mut contenders: Vec<Contender<'_>> = vec![
        Box::new(|| {
            let done = plan.exec();
            assert!(done.is_ok(), "{done:?}");
        }),
        Box::new(|| rayon_loop(&bodies, &mut forces)),
    ];
    if let Ok(peers) = &context.peers {
        contenders.push(Box::new(|| {
            let Bodies { mass, x, y, z } = &bodies;
            peers.fast.nbody_of(mass, x, y, z, px, py, pz, n);
        }));
    }
    let samples = interleave(context.effort, &mut contenders);
    drop(contenders);
    let row = Row::against(12, name, (samples[0], samples[1]), "a rayon loop", 1.0);
    let rate = (n * n) as f64 / samples[0].median / 1e9;
    let beside = samples.get(2).map_or_else(String::new, |fast| {
        format!("; {:.2}x OpenMP -ffast-math", fast.median / samples[0].median)
    });
    emit(row.note(format!("{rate:.2} G interactions/s{beside}")));
    let ours = ax.to_vec()?;
    let close =
        ours.iter().zip(&forces).all(|(a, b)| (a - b[0]).abs() <= 1e-3 * b[0].abs().max(1e-3));
    assert!(close, "the peer computes something else");
    Ok(())
}
