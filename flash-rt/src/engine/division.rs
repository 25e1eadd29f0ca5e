//! How the phases of a launch are divided, kept for its next run: what its parts reach is looked for
//! once. It binds and runs nothing.

use super::bind::BoundLaunch;
use super::ready::Home;
use super::split::{self, Part, Piece, Shares};
use crate::descriptor::{KernelDescriptor, Parts};
use crate::error::Result;
use crate::footprint;
use crate::pipeline::LaunchNode;
use crate::space::Block;
use crate::stage::LaunchStage;

/// So many pieces are kept, half a kilobyte each; of phases beyond they are worked out anew.
const KEPT: usize = 1 << 16;

/// Backends keep launches of so many of them: each for a few memories, with an object of a driver.
const READY: usize = 1 << 12;

/// The pieces of the first phases of a launch. They hold as long as its values and the shapes of its
/// arrays are the same.
#[derive(Debug)]
pub(crate) struct Division {
    shares: Shares,
    phases: Vec<Phase>,
    n_pieces: usize,
    is_checked: bool,
    /// The integers of the call, where some come from cells.
    values: Box<[Option<i128>]>,
}

/// How one phase is divided.
#[derive(Debug)]
enum Phase {
    Pieces(Box<[Piece]>),
    /// It cannot be split; what backends keep of it as it is.
    Whole(Option<Home>),
}

impl Division {
    /// The one of the last run, or a new one.
    pub(super) fn of(
        kernel: &'static KernelDescriptor,
        bound: &mut BoundLaunch,
        shares: &Shares,
    ) -> Box<Self> {
        let is_same = |kept: &Self, bound: &BoundLaunch| {
            let values = kept.values.iter().copied();
            kept.shares == *shares
                && (!bound.cells || footprint::integers(kernel, bound).eq(values))
        };
        let kept = bound.division.take();
        kept.filter(|kept| is_same(kept, bound)).unwrap_or_else(|| {
            let of_cells = bound.cells.then(|| footprint::integers(kernel, bound));
            Box::new(Self {
                shares: shares.clone(),
                phases: Vec::new(),
                n_pieces: 0,
                is_checked: false,
                values: of_cells.into_iter().flatten().collect(),
            })
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
            // What is not kept is worked out anew.
            let _ = self.keep(phase, Phase::of(pieces));
        }
        self.is_checked = true;
        Ok(())
    }

    /// The same for a launch of which all is known before the run, so that no stage has run then.
    pub(super) fn check_early(launch: &mut LaunchNode<'_>) -> Result<()> {
        let LaunchNode { stage, bound: Some(bound), lazy: false, .. } = launch else {
            return Ok(());
        };
        let split = stage.special.as_ref().and_then(|special| special.split.as_ref());
        let Some(shares) = split.filter(|_| !bound.cells && bound.space.n_items() > 0) else {
            return Ok(());
        };
        if matches!(stage.kernel.parts, Parts::By(_)) {
            let mut division = Self::of(stage.kernel, bound, shares);
            division.check(stage, bound)?;
            bound.division = Some(division);
        }
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
        let bind = |of: &Phase| match of {
            Phase::Pieces(pieces) => split::bind(stage, bound, &of_phase, pieces).map(Some),
            Phase::Whole(_) => Ok(None),
        };
        if phase < self.phases.len() {
            return bind(&self.phases[phase]);
        }
        let new = Phase::of(split::divide(stage, bound, &of_phase, &self.shares)?);
        match self.keep(phase, new) {
            Ok(kept) => bind(kept),
            Err(new) => bind(&new),
        }
    }

    /// A phase that cannot be split as one part, on the first device.
    pub(super) fn whole(
        &self,
        stage: &LaunchStage<'_>,
        bound: &BoundLaunch,
        (phase, boxes): (usize, &mut Vec<Block>),
    ) -> Result<Part> {
        let natural = [bound.space.block()];
        let of_phase = split::items(bound, &natural, (phase, boxes));
        let part = split::whole(stage, bound, &of_phase, self.shares.of[0].device)?;
        let home = match self.phases.get(phase) {
            Some(Phase::Whole(home)) => home.clone(),
            _ => None,
        };
        Ok(Part { home, ..part })
    }

    /// Keeps a phase, or gives it back where there is no room for it.
    fn keep(&mut self, phase: usize, mut new: Phase) -> std::result::Result<&Phase, Phase> {
        let n = self.n_pieces + new.homes().count();
        if phase != self.phases.len() || n > KEPT {
            return Err(new);
        }
        if n <= READY {
            new.homes().for_each(|home| *home = Some(Home::default()));
        }
        self.n_pieces = n;
        self.phases.push(new);
        Ok(&self.phases[phase])
    }
}

impl Phase {
    fn of(pieces: Option<Box<[Piece]>>) -> Self {
        pieces.map_or(Self::Whole(None), Self::Pieces)
    }

    fn homes(&mut self) -> impl Iterator<Item = &mut Option<Home>> {
        let (pieces, whole) = match self {
            Self::Pieces(pieces) => (&mut pieces[..], None),
            Self::Whole(home) => (&mut [][..], Some(home)),
        };
        pieces.iter_mut().map(|piece| &mut piece.home).chain(whole)
    }
}
