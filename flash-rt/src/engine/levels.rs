//! Which loop a variable belongs to, once it is known which loops are around the place where it
//! stands. It evaluates nothing.

use crate::env::MAX_LOOPS;
use crate::error::{Error, Result, Site};
use crate::loops::INNERMOST;
use crate::operand::Source;

/// Finds the loop whose variable is meant.
pub(super) fn resolve(
    level: &mut usize,
    around: usize,
    site: Site,
    of: impl Fn() -> String,
) -> Result<()> {
    if *level == INNERMOST && around > 0 {
        *level = around - 1;
    }
    if *level < around.min(MAX_LOOPS) {
        return Ok(());
    }
    let of = of();
    let what = match *level {
        level if level < around => format!(
            "{of} is the variable of a loop inside of {level} others, and only the outermost {MAX_LOOPS} \
             have one; count in a cell"
        ),
        INNERMOST => format!("{of} is the trip of a loop, and there is none around it"),
        level => format!(
            "{of} is the variable of the loop at level {level}, counted from 0 for the outermost, \
             and there are {around} around it"
        ),
    };
    Err(Error::Loops { what, site })
}

/// The same for operands that are read at dispatch.
pub(super) fn sources<'s, 'a: 's>(
    sources: impl IntoIterator<Item = &'s mut Source<'a>>,
    around: usize,
    site: Site,
    of: impl Fn() -> String,
) -> Result<()> {
    sources.into_iter().try_for_each(|source| match source {
        Source::Variable(variable) => {
            resolve(&mut variable.level, around, site, &of)?;
            variable.of = Some(Box::new((of(), site)));
            Ok(())
        }
        _ => Ok(()),
    })
}
