//! The launches whose instructions `tests/instructions.rs` counts: `instructions PATH TIMES`.
//! `node` and `first-node` are nodes of a pipeline with data dependencies, each of which changes
//! one element: in runs of a kept pipeline, and built, prepared and run once.

use flash::prelude::*;
use flash::{Error, Result};

const ITEMS: usize = 64;

#[flash::kernel(inputs = 2)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

/// A node that does nothing but change its element.
#[flash::kernel]
fn step(_x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

/// Nodes of one pipeline, in rows of a stencil that reads three elements of the row before.
const NODES: usize = 256;
const WIDTH: usize = 64;

fn push_stencil(pipeline: &mut Pipeline<'_>, rows: &mut [Buffer<u32>; 2]) {
    for k in 0..NODES {
        let i = k % WIDTH;
        let [a, b] = rows;
        let (from, to) = if k / WIDTH % 2 == 0 { (a, b) } else { (b, a) };
        let near = from.view(i.saturating_sub(1)..(i + 2).min(WIDTH));
        pipeline.push(step(near, to.view_mut(i..i + 1)).over([1]));
    }
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_default();
    let times: u64 = args.next().and_then(|times| times.parse().ok()).unwrap_or(1);
    let rt = Runtime::open("ALL_CPU")?;
    let x = Buffer::from(vec![1.0_f32; ITEMS]);
    let mut y = Buffer::from(vec![0.0_f32; ITEMS]);
    match path.as_str() {
        "written-out" => {
            for _ in 0..times {
                rt.submit(saxpy(0.5, &x, &mut y)).exec([ITEMS])?;
            }
        }
        "kept-plan" => {
            let mut plan = rt.pipeline();
            plan.push(saxpy(0.5, &x, &mut y).over([ITEMS]));
            for _ in 0..times {
                plan.exec()?;
            }
        }
        "loop" => {
            let n = times;
            flash_pipeline! { in rt;
                for _step in 0..n {
                    saxpy(0.5, &x, &mut y)[ITEMS];
                }
            }
            .exec()?;
        }
        "node" | "first-node" => {
            let mut rows = [(); 2].map(|()| Buffer::from(vec![0_u32; WIDTH]));
            let runs = times / NODES as u64;
            let mut plan = rt.pipeline();
            for run in 0..runs {
                if run == 0 || path == "first-node" {
                    plan = rt.pipeline();
                    push_stencil(&mut plan, &mut rows);
                }
                plan.exec()?;
            }
            let each = runs * (NODES / WIDTH / 2) as u64;
            assert!(rows[0].to_vec()?.iter().all(|&n| u64::from(n) == each), "every node ran");
            return Ok(());
        }
        "opencl-loop" => {
            let (rt, n) = (Runtime::open("OPENCL")?, times);
            flash_pipeline! { in rt;
                for _step in 0..n {
                    saxpy(0.5, &x, &mut y)[ITEMS];
                }
            }
            .exec()?;
        }
        "opencl-plan" => {
            let rt = Runtime::open("OPENCL")?;
            let mut plan = rt.pipeline();
            for _ in 0..NODES {
                plan.push(saxpy(0.5, &x, &mut y).over([ITEMS]));
            }
            for _ in 0..times / NODES as u64 {
                plan.exec()?;
            }
        }
        other => {
            let why = "expected `written-out`, `kept-plan`, `loop`, `node`, `first-node`, \
                       `opencl-loop` or `opencl-plan`"
                .to_owned();
            return Err(Error::Option { option: "PATH", value: other.to_owned(), why });
        }
    }
    assert_eq!(y.get(ITEMS - 1)?, times as f32 * 0.5, "every launch ran once");
    Ok(())
}
