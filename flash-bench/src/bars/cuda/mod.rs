//! Bars 9, 10 and 14 on a GPU of NVIDIA: launches, copies, kernels and whole programs against the same
//! in raw calls of the driver. Where there is no GPU each row says so. Outputs are spoilt before each
//! timed run and looked at after it.

mod copies;
mod kernels;
mod launches;
mod overlap;
mod programs;
mod twins;

use flash::prelude::*;
use flash::{Error, Result};

use super::Context;
use crate::raw_cuda::RawCuda;
use crate::row::Row;

/// What the rows of this topic get.
struct Cuda<'a> {
    context: &'a Context,
    rt: Runtime,
    raw: RawCuda,
}

/// A row of this topic: its bar, its name and what is asked for.
type Head = (u32, &'static str, &'static str);

/// All rows.
pub(crate) fn cuda(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let heads: Vec<_> = heads().filter(|(_, name, _)| context.wants(name)).collect();
    if heads.is_empty() {
        return Ok(());
    }
    let mut leave_out = |why: &str| {
        for (bar, name, asked) in &heads {
            emit(Row::skipped(*bar, name, asked, why));
        }
        Ok(())
    };
    let rt = match Runtime::open("NVIDIA_GPU") {
        Ok(rt) => rt,
        Err(Error::NoDevice { .. }) => return leave_out("there is no device of `NVIDIA_GPU`"),
        Err(error) => return Err(error),
    };
    let raw = match RawCuda::new(&context.ptx) {
        Ok(raw) => raw,
        Err(why) => return leave_out(&why),
    };
    let (major, minor) = (raw.driver / 1000, raw.driver % 1000 / 10);
    let said = format!("{}, driver of CUDA {major}.{minor}", raw.name);
    let cuda = Cuda { context, rt, raw };
    let emit = &mut |row: Row| emit(row.note(said.clone()));
    launches::launches(&cuda, emit)?;
    copies::copies(&cuda, emit)?;
    kernels::kernels(&cuda, emit)?;
    programs::programs(&cuda, emit)?;
    overlap::overlap(&cuda, emit)
}

/// Every row, for those that are left out.
fn heads() -> impl Iterator<Item = Head> {
    let fixed = [launches::HEADS, copies::HEADS, kernels::HEADS, overlap::HEADS];
    fixed.into_iter().flatten().copied().chain(programs::heads())
}
