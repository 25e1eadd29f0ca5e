//! Bar 5: elementary functions.

use flash::prelude::*;
use flash::{Call, Result};

use super::Context;
use crate::kernels::maps::{erf, erf_fast, exp, exp_fast, ln, ln_fast, sin, sin_fast};
use crate::openmp::OpenMp;
use crate::row::Row;
use crate::stats;

type Kernel = fn(&Buffer<f32>, &mut Buffer<f32>) -> Call<'static, 1>;
type Peer = fn(&OpenMp, &[f32], &mut [f32]);

/// A function with its kernels, its peer and where its arguments lie.
struct Map {
    name: &'static str,
    strict: Kernel,
    fast: Kernel,
    peer: Peer,
    range: (f32, f32),
}

const MAPS: [Map; 4] = [
    Map {
        name: "exp",
        strict: |x, y| exp(x, y),
        fast: |x, y| exp_fast(x, y),
        peer: OpenMp::exp,
        range: (-20.0, 20.0),
    },
    Map {
        name: "ln",
        strict: |x, y| ln(x, y),
        fast: |x, y| ln_fast(x, y),
        peer: OpenMp::ln,
        range: (1e-3, 1e3),
    },
    Map {
        name: "sin",
        strict: |x, y| sin(x, y),
        fast: |x, y| sin_fast(x, y),
        peer: OpenMp::sin,
        range: (-30.0, 30.0),
    },
    Map {
        name: "erf",
        strict: |x, y| erf(x, y),
        fast: |x, y| erf_fast(x, y),
        peer: OpenMp::erf,
        range: (-4.0, 4.0),
    },
];

/// Each function of 65,536 numbers.
pub(crate) fn maps(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let n = 1 << 16;
    for map in &MAPS {
        let (lo, hi) = map.range;
        let x: Vec<f32> = (0..n).map(|i| lo + (hi - lo) * i as f32 / n as f32).collect();
        let input = Buffer::from(x.clone());
        for (fast, least) in [(true, 0.9), (false, 2.5)] {
            let kind = if fast { "fast_math" } else { "default" };
            let name = format!("{} f32, {kind}", map.name);
            if !context.wants(&name) {
                continue;
            }
            let asked = if fast { ">= 90 %" } else { ">= 2.5x" };
            let peers = match context.peers(5, &name, asked) {
                Ok(peers) => peers,
                Err(row) => {
                    emit(*row);
                    continue;
                }
            };
            let peer = if fast { &peers.fast } else { &peers.plain };
            let mut output = Buffer::<f32>::zeros(n);
            let kernel = if fast { map.fast } else { map.strict };
            let mut plan = context.rt.pipeline();
            plan.push(kernel(&input, &mut output).over([n]));
            plan.exec()?;
            let mut y = vec![0.0_f32; n];
            let run = || {
                let done = plan.exec();
                assert!(done.is_ok(), "{done:?}");
            };
            let pair = stats::pair(context.effort, least, run, || (map.peer)(peer, &x, &mut y));
            let what = if fast { "" } else { ", scalar libm" };
            let peer_name = format!("{}{what}", peer.name);
            emit(Row::against(5, &name, pair, &peer_name, least));
            let ours = output.to_vec()?;
            let close = ours.iter().zip(&y).all(|(a, b)| (a - b).abs() <= 1e-4 * b.abs().max(1e-3));
            assert!(close, "{name}: the peer computes something else");
        }
    }
    Ok(())
}
