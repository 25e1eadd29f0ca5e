//! Native kernels in graphs and in loops that a device runs by itself: a structure by value, shared memory of a
//! size that the declaration says, blocks that it says. What comes of them is what launches one by one make.

use flash::prelude::*;
use flash_tests::cuda::{TestCuda, assert_orderly, cuda};

use crate::loops::{calls, counted};

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
struct Step {
    by: u32,
    add: u32,
}

const SOURCE: &str = r#"
struct Step { unsigned by; unsigned add; };
// Each block is turned around within itself, and each element is a step on.
extern "C" __global__ void turned(Step step, unsigned *x) {
    extern __shared__ unsigned block[];
    unsigned k = threadIdx.x, i = blockIdx.x * blockDim.x + k;
    block[k] = x[i] * step.by + step.add;
    __syncthreads();
    x[i] = block[blockDim.x - 1 - k];
}
"#;

#[flash::kernel(unsafe(cuda(source = SOURCE, block(32), shared = 128)))]
fn turned(step: Step, x: &mut [u32]);

const N: usize = 160;
const STEP: Step = Step { by: 5, add: 3 };

fn start() -> Vec<u32> {
    (0..N as u32).collect()
}

fn expected(steps: impl Iterator<Item = Step>) -> Vec<u32> {
    let mut x = start();
    for Step { by, add } in steps {
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(by).wrapping_add(add));
        x.chunks_mut(32).for_each(<[u32]>::reverse);
    }
    x
}

/// Asserts what nine runs of a kept pipeline of these steps make.
fn nine_runs(rt: &Runtime, steps: [Step; 15]) {
    let mut x = Buffer::from(start());
    let mut p = rt.pipeline();
    for step in steps {
        p.push(turned(step, &mut x).over([N]));
    }
    for _ in 0..9 {
        p.exec().unwrap();
    }
    drop(p);
    assert_eq!(x.to_vec().unwrap(), expected(steps.into_iter().cycle().take(135)));
}

#[test]
fn native_kernels_of_a_kept_pipeline_are_graphs() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    nine_runs(&rt, [STEP; 15]);
    let [launches, graphs] = ["cuLaunchKernel", "cuGraphLaunch"].map(|name| calls(&driver, name));
    assert!(launches < 100 && graphs >= 5, "{launches} launches and {graphs} graphs");
    // Others of the same kind: what the graph has of them is changed.
    nine_runs(&rt, std::array::from_fn(|k| Step { add: k as u32, ..STEP }));
    assert_orderly(&driver);
}

#[test]
fn native_kernels_are_in_loops_of_the_device() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    for trips in [3, 60, 300] {
        let (mut x, mut count) = (Buffer::from(start()), Var::new(0_u32));
        driver.clear();
        flash_pipeline! { in rt;
            while &count < trips, max 1_000 {
                turned(STEP, &mut x)[N];
                counted(&mut count)[1];
            }
        }
        .exec()
        .unwrap();
        assert_eq!(
            x.to_vec().unwrap(),
            expected(std::iter::repeat_n(STEP, trips as usize)),
            "{trips} trips"
        );
        if trips > 3 {
            let [loops, launches] =
                ["cuGraphLaunch", "cuLaunchKernel"].map(|name| calls(&driver, name));
            assert!(loops == 1 && launches <= 6, "{loops} loops and {launches} launches");
        }
    }
    assert_orderly(&driver);
}
