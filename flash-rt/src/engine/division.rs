//! How the phases of a launch are divided, kept for its next run: what its parts reach is looked for
//! once. It binds and runs nothing.

use super::bind::BoundLaunch;
use super::split::{self, Part, Piece, Shares};
use crate::descriptor::Parts;
use crate::error::Result;
use crate::space::Block;
use crate::stage::LaunchStage;

/// So many pieces are kept; of phases beyond they are worked out anew.
const KEPT: usize = 4_096;

/// The pieces of the first phases of a launch. They hold as long as its values and the shapes of its
/// arrays are the same.
#[derive(Debug)]
pub(crate) struct Division {
    shares: Shares,
    phases: Vec<Option<Box<[Piece]>>>,
    n_pieces: usize,
    is_checked: bool,
}

impl Division {
    /// The one of the last run, or a new one.
    pub(super) fn of(bound: &mut BoundLaunch, shares: &Shares) -> Box<Self> {
        let kept = bound.division.take().filter(|kept| kept.shares == *shares && !bound.cells);
        kept.unwrap_or_else(|| {
            let shares = shares.clone();
            Box::new(Self { shares, phases: Vec::new(), n_pieces: 0, is_checked: false })
        })
    }

    /// An error where the function of `part_by` gives what cannot be, in any phase.
    pub(super) fn check(&mut self, stage: &LaunchStage<'_>, bound: &BoundLaunch) -> Result<()> {
        if self.is_checked || !matches!(stage.kernel.parts, Parts::By(_)) {
            return Ok(());
        }
        let (natural, mut boxes) = ([bound.space.block()], Vec::new());
        for phase in self.phases.len()..bound.n_phases() {
            let of_phase = split::items(bound, &natural, (phase, &mut boxes));
            let pieces = split::divide(stage, bound, &of_phase, &self.shares)?;
            self.keep(phase, pieces);
        }
        self.is_checked = true;
        Ok(())
    }

    /// The parts of a phase; `None` where it cannot be split.
    pub(super) fn parts(
        &mut self,
        stage: &LaunchStage<'_>,
        bound: &BoundLaunch,
        (phase, boxes): (usize, &mut Vec<Block>),
    ) -> Result<Option<Vec<Part>>> {
        let natural = [bound.space.block()];
        let of_phase = split::items(bound, &natural, (phase, boxes));
        let bind = |pieces: &[Piece]| split::bind(stage, bound, &of_phase, pieces);
        if let Some(kept) = self.phases.get(phase) {
            return kept.as_deref().map(bind).transpose();
        }
        let pieces = split::divide(stage, bound, &of_phase, &self.shares)?;
        let parts = pieces.as_deref().map(bind).transpose();
        self.keep(phase, pieces);
        parts
    }

    fn keep(&mut self, phase: usize, pieces: Option<Box<[Piece]>>) {
        let n = self.n_pieces + pieces.as_deref().map_or(1, <[Piece]>::len);
        if phase == self.phases.len() && n <= KEPT {
            self.phases.push(pieces);
            self.n_pieces = n;
        }
    }
}
