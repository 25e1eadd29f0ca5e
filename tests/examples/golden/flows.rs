//! Values of the flow of air around a plate, from a program in double precision that shares nothing
//! with the example; and what no mesh may do to a steady wind.

use flash_examples::{Progress, SplitMix64, check};

use super::super::*;

/// The last state of every cell, as five numbers each.
fn after(
    rt: &Runtime,
    mesh: &euler::Mesh,
    start: &[euler::State],
    iterations: u32,
) -> Vec<[f64; 5]> {
    let progress = Progress::spinner("shots");
    let film = succeed(euler::simulate(rt, mesh, start, [1, iterations], &progress));
    film[0].iter().map(|state| euler::values(state).map(f64::from)).collect()
}

fn euler_values(rt: &Runtime) {
    let start = vec![euler::FAR_FIELD; 1024];
    let far = euler::values(&euler::FAR_FIELD).map(f64::from);
    for state in after(rt, &euler::Mesh::plate([9, 7], false), &start[..63], 8) {
        let off = state.iter().zip(far).map(|(found, far)| (found - far).abs());
        assert!(off.fold(0.0, f64::max) < 1e-5, "a steady wind changes to {state:?}");
    }

    let found = after(rt, &euler::Mesh::plate([32, 32], true), &start, 8);
    let sum = |v: usize| found.iter().map(|state| state[v]).sum::<f64>();
    for (what, found, expected) in [
        ("density before the plate", found[15 * 32 + 15][0], 2.879_990_304),
        ("density behind the plate", found[15 * 32 + 16][0], 0.441_642_736_1),
        ("highest", found.iter().fold(0.0, |most, u| u[0].max(most)), 2.879_990_304),
        ("lowest", found.iter().fold(9.0, |least, u| u[0].min(least)), 0.441_642_736_1),
        ("density", sum(0), 1_432.929_807),
        ("momentum", sum(1), 1_709.283_745),
        ("energy", sum(4), 3_590.024_903),
        ("sideways", found.iter().map(|u| u[2].abs()).sum(), 2.738_604_491),
    ] {
        succeed(check::close(what, found, expected, 1e-4));
    }
}

#[test]
fn euler_cpu() {
    policies(CPU).iter().for_each(euler_values);
}

#[test]
fn euler_opencl() {
    on_opencl().iter().for_each(euler_values);
}

#[test]
fn euler_sim() {
    policies(SIM).iter().for_each(euler_values);
    by_entries().iter().for_each(euler_values);
}

#[test]
fn euler_cuda() {
    on_cuda(euler_values);
}

/// A gust in a block of tetrahedra, some of whose outer faces are walls.
#[test]
fn euler_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let mut mesh = euler::Mesh::tetrahedra([(); 3].map(|()| 1 + random.below(2)));
        for face in mesh.faces.iter_mut().filter(|face| face.neighbour == euler::FAR) {
            if random.below(3) == 0 {
                face.neighbour = euler::WALL;
            }
        }
        let mut gust = || euler::State {
            density: 1.4 + 0.2 * random.signed(),
            mx: 1.68 + 0.2 * random.signed(),
            my: 0.2 * random.signed(),
            mz: 0.2 * random.signed(),
            energy: 3.508 + 0.2 * random.signed(),
        };
        let start: Vec<euler::State> = mesh.area.iter().map(|_| gust()).collect();
        let progress = Progress::spinner("shots");
        let film = succeed(euler::simulate(rt, &mesh, &start, [2, 2], &progress));
        succeed(euler::compare(&mesh, &start, [2, 2], &film));
    });
}
