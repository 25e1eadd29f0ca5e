//! A launch that is split: its parts on their devices, phase by phase. Where the parts are cut is
//! decided elsewhere.

use super::bind::{BoundLaunch, BoundParam};
use super::dispatch;
use super::leaf::{Did, Ground, Turn, cannot_begin};
use super::split::{self, Part, Shares};
use crate::error::{Error, Result};
use crate::stage::LaunchStage;

impl Ground<'_> {
    /// Runs a launch in parts, to its end; `None` where it cannot be split, and nothing has run.
    pub(super) fn launch_in_parts(
        &self,
        (stage, bound, stat): (&LaunchStage<'_>, &mut BoundLaunch, usize),
        shares: &Shares,
        turn: &mut Turn<'_>,
    ) -> Result<Option<Did>> {
        if bound.space.n_items() == 0 {
            return Ok(None);
        }
        // Parts share what is in the host's memory on every device.
        dispatch::place_values(stage, bound)?;
        let mut boxes = Vec::new();
        let mut parts = split::parts(stage, bound, (0, &mut boxes), shares)?;
        if parts.is_none() && bound.n_phases() == 1 {
            return Ok(None);
        }
        // What fails here is to take nothing along that another node has under way.
        for (number, device) in self.rt.devices.iter().enumerate() {
            if device.space().is_some() {
                self.flights.retire((number, device), self.accesses, 0)?;
            }
        }
        for phase in 0..bound.n_phases() {
            if phase > 0 {
                parts = split::parts(stage, bound, (phase, &mut boxes), shares)?;
            }
            let first = usize::from(shares.of[0].0);
            let parts = parts
                .take()
                .unwrap_or_else(|| vec![split::whole(bound, (phase, &mut boxes), first)]);
            self.run_parts(stage, parts, turn)?;
        }
        dispatch::finish_reductions(bound)?;
        Ok(Some(Did::Launch(stat, bound.bytes)))
    }

    /// Runs the parts of a phase at once. One whose device is lost, or cannot run it, runs on another
    /// one, as far as what it reads is still there.
    fn run_parts(
        &self,
        stage: &LaunchStage<'_>,
        mut parts: Vec<Part>,
        turn: &Turn<'_>,
    ) -> Result<()> {
        let devices = &self.rt.devices;
        let mut asked = vec![Vec::new(); parts.len()];
        let mut left: Vec<usize> = (0..parts.len()).collect();
        while !left.is_empty() {
            for &k in &left {
                self.bring(&parts[k]);
            }
            let mut failed: Vec<(usize, Error)> = Vec::new();
            let mut flights = Vec::with_capacity(left.len());
            let how = (self.accesses, self.rt.options.check_all);
            for &k in &left {
                let Part { device: number, bound } = &mut parts[k];
                let device = &devices[*number];
                let Some(space) = device.space() else { continue };
                let mut flight = self.flights.spare(*number, stage.site);
                match dispatch::submit(stage, bound, (device, space), how, &mut flight) {
                    Ok(_) => flights.push((k, flight)),
                    Err(error) => {
                        self.flights.give_back(*number, flight);
                        failed.push((k, error));
                    }
                }
            }
            // Whoever runs in the call comes last.
            for &k in &left {
                let Part { device: number, bound } = &mut parts[k];
                let device = &devices[*number];
                if device.space().is_none()
                    && let Err(error) = dispatch::on_host(stage, bound, device, how.1)
                {
                    failed.push((k, error));
                }
            }
            for (k, mut flight) in flights {
                let Part { device: number, bound } = &mut parts[k];
                let on = (&devices[*number], self.accesses);
                if let Err(error) = dispatch::finish(stage, bound, on, &mut flight) {
                    failed.push((k, error));
                }
                self.flights.give_back(*number, flight);
            }
            // The error of the first part, as if they had run one after the other.
            failed.sort_by_key(|(k, _)| *k);
            left.clear();
            if failed.is_empty() {
                break;
            }
            let (_, overtaken) = dispatch::bury(self.accesses);
            for (k, error) in failed {
                let number = parts[k].device;
                asked[k].push(number);
                let lost = devices[number].is_lost() && !overtaken;
                let next = (1..devices.len()).map(|n| (number + n) % devices.len()).find(|next| {
                    !devices[*next].is_lost() && !asked[k].contains(next) && stage.allows(*next)
                });
                let Some(next) = next.filter(|_| lost || cannot_begin(&error)) else {
                    return Err(error);
                };
                let at = (turn.node as usize, stage.kernel.name);
                self.falls.note(at, (&devices[number], &devices[next]), error);
                parts[k].device = next;
                left.push(k);
            }
        }
        Ok(())
    }

    /// Brings what a part reads, so that no part waits for another one that overwrites its elements.
    /// What goes wrong is seen when the part is submitted.
    fn bring(&self, part: &Part) {
        let space = self.rt.devices[part.device].space();
        for param in &part.bound.params {
            let BoundParam::Array { array, use_ } = param else { continue };
            if !use_.reads || !array.allocation.has_images() {
                continue;
            }
            let brought = match space {
                Some(space) => array.allocation.to_memory(space, &array.section),
                None => array.allocation.to_host(&array.section),
            };
            let _ = brought;
        }
    }
}
