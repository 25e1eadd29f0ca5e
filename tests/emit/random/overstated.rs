//! What the analyses say of a drawn body, held against what the interpreter sees of it.

use flash_ir::analysis::{self, Held, Hull, Node, hulls, walk};
use flash_ir::interp::{Notes, Program, Recorder};

use super::kernel::Drawn;
use super::launch::Launch;

/// What the analysis says of the accesses of a launch that is not so, if there is anything.
pub(super) fn overstated(launch: &Launch<'_>, notes: &Notes) -> Option<String> {
    let Drawn { ir, extents, shapes, .. } = launch.drawn;
    let items: (&[usize], &[usize]) = (&vec![0; extents.len()], extents);
    let held = |param: usize| {
        let shape = &shapes[param];
        let ranges = shape.iter().map(|&extent| 0..extent).collect();
        Some(Held { ranges, own: vec![None; shape.len()] })
    };
    let inside = analysis::inside(ir, &held, launch, items);
    let mut is_outside = notes.violation.map(|violation| (violation, false));
    walk(&ir.body, &mut |node| {
        if let (Node::Access(access, _), Some((violation, found))) = (node, &mut is_outside) {
            *found |= access.param == violation.param && !inside[usize::from(access.site)];
        }
    });
    if let Some((violation, false)) = is_outside {
        return Some(format!("all accesses are said to be inside, and there is {violation:?}"));
    }
    let mut recorder = Recorder::new();
    let program = Program::new(ir).expect("it has types");
    launch.clone().record(&program, &mut recorder);
    let hulls: Vec<_> = (0..ir.params.len()).map(|param| hulls(ir, param, launch, items)).collect();
    recorder.elements().find_map(|seen| {
        let (read, written) = hulls[seen.param].as_ref()?;
        let mut rest = seen.element;
        (0..shapes[seen.param].len()).rev().find_map(|dim| {
            let at = rest % shapes[seen.param][dim];
            rest /= shapes[seen.param][dim];
            let is_in = |hull: &Hull| hull.ranges.as_ref().is_some_and(|of| of[dim].contains(&at));
            let is_missed = seen.read && !is_in(read) || seen.written && !is_in(written);
            is_missed.then(|| format!("{seen:?} is not in {read:?}, {written:?}"))
        })
    })
}
