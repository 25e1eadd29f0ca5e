//! Another array in the place of one that a pipeline was built with. What was worked out is kept as
//! far as it says nothing of the arrays themselves; no array is touched.

use std::sync::Arc;

use super::bind::BoundParam;
use super::user::user;
use super::{plan, touched};
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::arg::{ArrayArg, BoundArg};
use crate::cond::Source;
use crate::descriptor::Role;
use crate::error::{Error, Result, Site};
use crate::pipeline::{LaunchNode, MoveNode, Pipeline, TaskNode, Work};
use crate::section::Section;

/// Puts `new` where `old` is; on an error nothing has changed.
pub(crate) fn rebind(
    pipeline: &mut Pipeline<'_>,
    old: &ArrayArg,
    new: &ArrayArg,
    site: Site,
) -> Result<()> {
    let Pipeline { nodes, plan, .. } = pipeline;
    let (from, to) = (old.allocation.id(), new.allocation.id());
    let Some((stage, at, param)) = user(nodes, from) else {
        return Err(Error::NotBound { site });
    };
    new.allocation.check()?;
    if old.section.shape() != new.section.shape() || old.allocation.len() != new.allocation.len() {
        return Err(Error::Shape {
            what: format!(
                "the array that is put at {site} in the place of `{param}` of `{stage}` (called at \
                 {at}) has another shape, which needs a pipeline of its own"
            ),
            expected: old.section.shape().to_vec(),
            found: new.section.shape().to_vec(),
        });
    }
    if from == to {
        return Ok(());
    }
    let is_written = |access: &Access| access.mode == Mode::Write && access.allocation.id() == from;
    if new.allocation.is_read_only() && plan.ready && plan.accesses.iter().any(is_written) {
        return Err(touched::read_only(&new.section));
    }
    // Where the pipeline uses both, what waits for what is another question from now on; so it is where the
    // contents of one of them can be exchanged without copying and those of the other one cannot.
    let both = user(nodes, to).is_some();
    let anew = both || old.allocation.stays() != new.allocation.stays();
    if both {
        nodes.iter_mut().try_for_each(|node| aliased(node.work(), from, to))?;
    }
    let mut replace = |allocation: &mut Arc<Allocation>| {
        if allocation.id() == from {
            *allocation = Arc::clone(&new.allocation);
        }
    };
    nodes.iter_mut().for_each(|node| each_array(node.work(), &mut replace));
    if let Some(graph) = &mut plan.graph {
        graph.each_array(&mut replace);
    }
    plan.rebind(from, &new.allocation, anew);
    Ok(())
}

/// Refuses a stage that writes a box of one array and touches the same elements of the other, as
/// they are about to be one.
fn aliased(work: &Work<'_>, from: u64, to: u64) -> Result<()> {
    let array = |arg: &BoundArg<'_>| match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => {
            Some((array.allocation.id(), array.section()))
        }
        // Boxes that depend on loop variables are compared at dispatch.
        _ => None,
    };
    type Param = (&'static str, bool, Option<(u64, Section)>);
    let (kernel, site, params): (_, _, Vec<Param>) = match work {
        Work::Launch(LaunchNode { stage, .. }) => {
            let passed = stage.kernel.params.iter().filter(|p| !matches!(p.role, Role::Scratch(_)));
            let params = passed.zip(stage.args.iter());
            let params = params.map(|(p, arg)| (p.name, p.role.writes(), array(arg))).collect();
            (stage.kernel.name, stage.site, params)
        }
        Work::Task(task) => {
            let TaskNode { name, site, args, .. } = &**task;
            let params = args.iter().map(|arg| (arg.name(), arg.writes(), array(arg.bound())));
            (*name, *site, params.collect())
        }
        _ => return Ok(()),
    };
    for &(written, _, touched) in params.iter().filter(|(_, writes, _)| *writes) {
        let Some((id, section)) = touched else { continue };
        for &(other, _, touched) in &params {
            let Some((other_id, other_section)) = touched else { continue };
            let meet = (id == from && other_id == to) || (id == to && other_id == from);
            if meet && section.overlaps(&other_section) {
                return Err(Error::Aliased { kernel, site, written, other });
            }
        }
    }
    Ok(())
}

/// Everything that a node names, and what it has been bound to.
pub(super) fn each_array(work: &mut Work<'_>, found: &mut dyn FnMut(&mut Arc<Allocation>)) {
    let arg = |arg: &mut BoundArg<'_>, found: &mut dyn FnMut(&mut Arc<Allocation>)| match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => found(&mut array.allocation),
        BoundArg::LazyArray(array) => found(&mut array.within_mut().allocation),
        BoundArg::Value(_)
        | BoundArg::LazyValue(_)
        | BoundArg::Variable(..)
        | BoundArg::Invalid(_) => {}
    };
    if let Work::Launch(LaunchNode { stage, .. }) = work {
        stage.args.iter_mut().for_each(|one| arg(one, found));
    }
    if let Work::Task(task) = work {
        task.args.iter_mut().for_each(|one| arg(one.bound_mut(), found));
    }
    let mut found = |array: &mut ArrayArg| found(&mut array.allocation);
    match work {
        Work::Launch(LaunchNode { stage, bound, .. }) => {
            let read = stage.space.sources_mut().filter_map(Source::cell_mut);
            read.chain(stage.special.as_mut().and_then(|special| special.chosen.as_mut()))
                .for_each(&mut found);
            for param in bound.iter_mut().flat_map(|bound| &mut bound.params) {
                if let BoundParam::Array { array, .. }
                | BoundParam::Cell(array)
                | BoundParam::Reduce { array, .. } = param
                {
                    found(array);
                }
            }
        }
        Work::Task(_) => {}
        Work::Swap { a, b, .. } => [a, b].into_iter().for_each(|array| found(array)),
        Work::Move(MoveNode { array, .. }) => found(array),
        Work::For { bounds, .. } => {
            bounds.sources_mut().iter_mut().filter_map(Source::cell_mut).for_each(found);
        }
        Work::If { cond, .. } => {
            cond.sources_mut().into_iter().filter_map(Source::cell_mut).for_each(found);
        }
        Work::While { cond, limit, .. } => {
            let all = cond.sources_mut().into_iter().chain([limit.source_mut()]);
            all.filter_map(Source::cell_mut).for_each(found);
        }
    }
}

impl plan::Plan {
    /// Holds another allocation, or forgets what was worked out, to be done `anew`.
    fn rebind(&mut self, from: u64, new: &Arc<Allocation>, anew: bool) {
        if anew {
            self.ready = false;
        }
        if !self.ready {
            return;
        }
        for access in self.accesses.iter_mut().filter(|access| access.allocation.id() == from) {
            access.allocation = Arc::clone(new);
        }
        if !self.ids.is_empty() {
            self.note_ids();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::backend::conformance::kernels;
    use crate::sim::{Config, Run, Sim};
    use crate::{Arg, Buffer, Call, Error, NoBackends, Runtime, Var};

    fn saxpy<'a>(a: &Var<f32>, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Call<'a, 1> {
        let y = Arg::<&'a mut [f32]>::bind(y);
        Call::new(&kernels::SAXPY, [Arg::<f32>::bind(a), Arg::<&'a [f32]>::bind(x), y])
    }

    #[test]
    fn another_array_in_every_place_or_none() {
        let sim = Sim::new(Config { run: Run::Entry, ..Config::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim)).build().unwrap();
        let filled = |value: f32| Buffer::from(vec![value; 8]);
        let (x, mut y, z) = (filled(1.0), filled(2.0), filled(100.0));
        let a = Var::new(3.0_f32);
        let mut p = rt.pipeline();
        p.begin_if(a.gt(0.0));
        p.push(saxpy(&a, &x, &mut y).over([8]));
        p.end_if();
        p.begin_for(0..2_u32);
        p.push(saxpy(&a, &x, &mut y).over([8]));
        p.end_for();
        p.exec().unwrap();
        assert_eq!(y.get(7).unwrap(), 11.0);
        p.rebind(&y, &z).unwrap();
        a.set(1.0).unwrap();
        p.exec().unwrap();
        assert_eq!((y.get(7).unwrap(), z.get(7).unwrap()), (11.0, 103.0));
        let b = Var::new(-1.0_f32);
        p.rebind(&a, &b).unwrap();
        p.exec().unwrap();
        assert_eq!(z.get(0).unwrap(), 101.0, "the condition has the new cell too");
        // Refused, and as it was.
        let error = p.rebind(&z, &x).unwrap_err();
        assert!(matches!(error, Error::Aliased { written: "y", .. }), "{error}");
        let error = p.rebind(&z, &Buffer::from(vec![0.0; 9])).unwrap_err();
        assert!(matches!(error, Error::Shape { .. }), "{error}");
        let error = p.rebind(&y, &x).unwrap_err();
        assert!(error.to_string().contains("no stage uses"), "{error}");
        p.exec().unwrap();
        assert_eq!((x.get(0).unwrap(), z.get(0).unwrap()), (1.0, 99.0));
    }
}
