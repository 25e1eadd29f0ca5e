//! Bar 4: safe bodies with guards against loops without checks.

use flash::Result;
use flash::prelude::*;

use super::Context;
use crate::kernels::stencils::{sobel, stencil3, stencil5};
use crate::openmp::OpenMp;
use crate::row::Row;
use crate::stats::{self, Contender, Timing, Who};

const LEAST: f64 = 0.85;

/// 3-point, 5-point, and Sobel of a picture of 1080 lines.
pub(crate) fn stencils(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for name in [
        "3-point stencil 2^16",
        "3-point stencil 2^22",
        "5-point stencil 512 x 512",
        "5-point stencil 4096 x 4096",
        "Sobel 1080p",
    ] {
        if !context.wants(name) || (context.quick && name.contains("4096")) {
            continue;
        }
        match context.peers(4, name, ">= 85 %") {
            Err(row) => emit(*row),
            Ok(peers) => {
                let place = |time: Timing<'_>| one(&context.rt, &peers.plain, name, time);
                let pair = stats::pair_placed(context.effort, LEAST, place)?;
                emit(Row::against(4, name, pair, &peers.plain.name, LEAST));
            }
        }
    }
    Ok(())
}

fn one(rt: &Runtime, peer: &OpenMp, name: &str, time: Timing<'_>) -> Result<()> {
    let mut plan = rt.pipeline();
    let (w, h) = match name {
        "3-point stencil 2^16" => (1 << 16, 1),
        "3-point stencil 2^22" => (1 << 22, 1),
        "5-point stencil 512 x 512" => (512, 512),
        "5-point stencil 4096 x 4096" => (4096, 4096),
        _ => (1920, 1080),
    };
    let x: Vec<f32> = (0..w * h).map(|i| (i % 97) as f32).collect();
    let mut y = vec![0.0_f32; w * h];
    let picture: Vec<u8> = (0..w * h).map(|i| (i * 7 % 251) as u8).collect();
    let mut edges = vec![0_u8; w * h];
    let line = Buffer::from(x.clone());
    let mut line_out = Buffer::<f32>::zeros(w * h);
    let plane = line.reshape([h, w])?;
    let mut plane_out = line_out.reshape([h, w])?;
    let im = Buffer::from_shape([h, w], picture.clone())?;
    let mut im_out = Buffer::<u8, 2>::zeros([h, w]);
    let mut theirs: Contender<'_> = if h == 1 {
        plan.push(stencil3(&line, &mut line_out).over([w]));
        Box::new(|| peer.stencil3(&x, &mut y))
    } else if name.starts_with("Sobel") {
        plan.push(sobel(&im, &mut im_out).over([w, h]));
        Box::new(|| peer.sobel_of(&picture, &mut edges, w, h))
    } else {
        plan.push(stencil5(&plane, &mut plane_out).over([w, h]));
        Box::new(|| peer.stencil5_of(&x, &mut y, w, h))
    };
    plan.exec()?;
    let ours = || {
        let done = plan.exec();
        assert!(done.is_ok(), "{done:?}");
    };
    time(Who::Ours, &mut { ours });
    time(Who::Peer, &mut theirs);
    drop(theirs);
    // The peer computes the same picture, or its time means nothing.
    let same =
        if name.starts_with("Sobel") { im_out.to_vec()? == edges } else { line_out.to_vec()? == y };
    assert!(same, "{name}: the peer computes something else");
    Ok(())
}
