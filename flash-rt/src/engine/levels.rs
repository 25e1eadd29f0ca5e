//! Which loop a variable belongs to, once it is known which loops are around the place where it
//! stands. It evaluates nothing.

use crate::env::{INNERMOST, MAX_LOOPS, Unfit, Which};
use crate::error::{Error, Result, Site};
use crate::loops::unfit;
use crate::operand::Source;

/// A loop around a node: where it ends, and what its variable knows it by.
pub(super) struct Around {
    pub(super) end: usize,
    pub(super) name: u32,
}

/// Finds the loop whose variable is meant, by the names of those around.
pub(super) fn resolve(
    which: &mut Which,
    around: &[Around],
    site: Site,
    of: impl Fn() -> String,
) -> Result<()> {
    let n = around.len();
    if which.name != 0 {
        // Loops that were put around its own since have moved it.
        match around.iter().position(|one| one.name == which.name) {
            Some(level) => which.level = level,
            None => return Err(unfit(&of(), which.level, Unfit::NotAround, site)),
        }
    }
    if which.level == INNERMOST && n > 0 {
        which.level = n - 1;
    }
    if which.level < n.min(MAX_LOOPS) {
        return Ok(());
    }
    let of = of();
    let what = match which.level {
        level if level < n => format!(
            "{of} is the variable of a loop inside of {level} others, and only the outermost {MAX_LOOPS} \
             have one; count in a cell"
        ),
        INNERMOST => return Err(unfit(&of, INNERMOST, Unfit::NotAround, site)),
        level => format!(
            "{of} is the variable of the loop at level {level}, counted from 0 for the outermost, \
             and there are {n} around it"
        ),
    };
    Err(Error::Loops { what, site })
}

/// The same for operands that are read at dispatch.
pub(super) fn sources<'s, 'a: 's>(
    sources: impl IntoIterator<Item = &'s mut Source<'a>>,
    around: &[Around],
    site: Site,
    of: impl Fn() -> String,
) -> Result<()> {
    sources.into_iter().try_for_each(|source| match source {
        Source::Variable(variable) => {
            resolve(&mut variable.which, around, site, &of)?;
            variable.of = Some(Box::new((of(), site)));
            Ok(())
        }
        _ => Ok(()),
    })
}
