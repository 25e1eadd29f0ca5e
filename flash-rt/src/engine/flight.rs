//! A launch or move that was submitted and not seen the end of: what it was, and where in the program. It does not
//! wait.

use std::sync::Arc;
use std::time::Instant;

use super::bind::BoundLaunch;
use super::leaf::Did;
use crate::descriptor::KernelDescriptor;
use crate::device::Device;
use crate::entry::{Outcome, Slot};
use crate::env::Env;
use crate::error::{At, DriverError, Error, Site};
use crate::image::DeviceMemory;
use crate::progress::Sent;
use crate::space::Space;
use crate::stage::LaunchStage;

/// Where something is in the order of the program, trips of loops included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    len: usize,
    steps: [u64; Self::DEPTH],
}

impl Place {
    /// Steps beyond are not told apart.
    const DEPTH: usize = 24;

    pub(super) fn push(&mut self, step: u64) {
        if let Some(free) = self.steps.get_mut(self.len) {
            *free = step;
            self.len += 1;
        }
    }

    /// Nobody has said where it is.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Whether nobody has said where it is.
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its steps in reverse.
    pub(super) fn reverse(&mut self) {
        self.steps[..self.len].reverse();
    }

    pub(super) fn steps(&self) -> &[u64] {
        &self.steps[..self.len]
    }
}

/// Flights that nobody uses. Each is as large as some cache lines and goes to and fro, so it stays in its box.
pub(super) type Spares = Vec<Box<Flight>>;

/// A launch or move that was submitted.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) sent: Sent,
    pub(super) node: u32,
    /// The launch in parts that it is of, 0 for none.
    pub(super) owner: u64,
    /// Which arrays it worked on, where the node takes several in turn.
    pub(super) arrangement: u32,
    pub(super) env: Env,
    pub(super) place: Place,
    /// Its number among all of the run.
    pub(super) seq: u64,
    pub(super) outcome: Arc<Outcome>,
    pub(super) slots: Vec<Slot>,
    /// The space that gives each item its number.
    pub(super) numbering: Space,
    /// The number of items, where a launch is all of them.
    pub(super) items: Option<usize>,
    /// The memory that images have left for it, by parameter.
    pub(super) left: Vec<(usize, Arc<dyn DeviceMemory>)>,
    pub(super) kernel: Option<&'static KernelDescriptor>,
    pub(super) site: Site,
    /// Whether it read values on the host that others may have changed since.
    pub(super) is_fickle: bool,
    pub(super) did: Did,
    /// Whether another launch is about to be submitted to the device.
    pub(super) more: bool,
    /// When it was submitted, where the device may have had nothing to do then.
    pub(super) since: Option<Instant>,
}

impl Flight {
    pub(super) fn new(site: Site) -> Self {
        Self {
            sent: Sent::DONE,
            node: 0,
            owner: 0,
            arrangement: 0,
            env: Env::new(),
            place: Place::default(),
            seq: 0,
            outcome: Arc::new(Outcome::new()),
            slots: Vec::new(),
            numbering: Space::again([1]),
            items: None,
            left: Vec::new(),
            kernel: None,
            site,
            is_fickle: false,
            did: Did::Other,
            more: false,
            since: None,
        }
    }

    /// Notes which launch it is, and what its notes are read by if it may have any.
    pub(super) fn is_of(&mut self, stage: &LaunchStage<'_>, bound: &BoundLaunch, may_note: bool) {
        self.slots.clear();
        if may_note {
            self.slots.extend_from_slice(&bound.slots);
            self.numbering.clone_from(bound.numbering());
        }
        // What is known of the last phase says nothing about a launch.
        self.items = (bound.n_phases() == 1).then(|| bound.n_items());
        (self.kernel, self.site) = (Some(stage.kernel), stage.site);
        self.is_fickle = bound.cells || stage.space.cells().next().is_some();
    }

    /// Its stage.
    pub(super) fn at(&self) -> At {
        let stage = self.kernel.map_or("", |kernel| kernel.name);
        At { node: Some(self.node as usize), stage, site: self.site }
    }

    /// The error of a launch that did not come to its end.
    #[cold]
    pub(super) fn failed(&self, device: &Device, why: DriverError) -> Error {
        let at = self.at();
        device.driver_error(format!("launch of kernel `{}`", at.stage), why).within(at)
    }

    /// Notes how long a launch that is complete took, for those that are placed after it.
    pub(super) fn measure(&self, device: &Device) {
        if device.measures()
            && let (Some(kernel), Some(items)) = (self.kernel, self.items)
            && let Some(ran) = device.backend.timing(device.ordinal, self.sent.ticket)
        {
            device.note_time(kernel, items, ran.end.saturating_sub(ran.begin));
        }
    }
}
