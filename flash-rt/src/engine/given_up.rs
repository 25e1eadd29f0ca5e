//! What is lost where launches are given up that cannot run again. It runs nothing.

use super::flight::Flight;
use super::leaf::Ground;
use crate::descriptor::KernelDescriptor;
use crate::error::{GivenUp, Lost};
use crate::mutex::lock;
use crate::pipeline::{LaunchNode, Node, Work};

impl Ground<'_> {
    /// Does something with a node while it names the arrays that a flight of it worked on.
    pub(super) fn as_flown<'n, R>(
        &self,
        flight: &Flight,
        work: &mut Work<'n>,
        does: impl FnOnce(&mut Work<'n>) -> R,
    ) -> R {
        let Some(names) = self.graph.map(|graph| &graph.names) else { return does(work) };
        let now = names.now(flight.node);
        names.rename(flight.node, work, flight.arrangement);
        let done = does(work);
        names.rename(flight.node, work, now);
        done
    }

    /// What was given up and cannot run again, but for the launch of this number, which the error is of.
    #[cold]
    pub(super) fn given_up(
        &self,
        nodes: &[Node<'_>],
        failed: &[(usize, Box<Flight>)],
        of: usize,
    ) -> GivenUp {
        let left = failed.get(of..).unwrap_or_default();
        let launches = left.iter().skip(1).filter(|(_, flight)| flight.kernel.is_some());
        let mut all = GivenUp::default();
        all.launches.extend(launches.map(|(_, flight)| flight.at()));
        let mut seen = Vec::new();
        let mut look = |kernel: &'static KernelDescriptor, work: &mut Work<'_>| {
            let Work::Launch(LaunchNode { bound: Some(bound), .. }) = work else { return };
            for (param, desc) in bound.params.iter().zip(kernel.params) {
                let Some((array, _)) = param.array() else { continue };
                let lost = array.allocation.images().lost(&array.section);
                let which = (array.allocation.id(), array.section);
                if lost.is_empty() || seen.contains(&which) {
                    continue;
                }
                seen.push(which);
                let elements = lost.iter().collect();
                all.lost.push(Lost { kernel: kernel.name, param: desc.name, elements });
            }
        };
        for (_, flight) in left {
            if let (Some(kernel), Some(node)) = (flight.kernel, nodes.get(flight.node as usize)) {
                self.as_flown(flight, &mut lock(&node.work), |work| look(kernel, work));
            }
        }
        all
    }
}
