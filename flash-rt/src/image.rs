//! The images of an array in other memories, and which of them is current. It moves nothing by
//! itself: it says what has to move.

use std::sync::Arc;

use crate::backend::Ticket;
use crate::error::Result;
use crate::progress::{self, Clock, Sent, Verdict};
use crate::ranges::Ranges;
use crate::section::Section;

mod leaving;
mod memory;
mod on_host;
mod peers;
mod unwritten;
mod usage;
mod watch;

pub use memory::DeviceMemory;
pub(crate) use on_host::{HostMemory, OnHost};
use usage::Stale;
pub(crate) use usage::{Usage, Use};
pub(crate) use watch::Watch;

/// A memory other than the host's: a number that the registry gives to each device with its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemorySpace(pub u32);

/// An image.
#[derive(Clone, Debug)]
pub struct Image {
    /// Which memory.
    pub space: MemorySpace,
    /// The memory itself, for the whole array or [as much as there is room for](DeviceMemory::window).
    pub memory: Arc<dyn DeviceMemory>,
    /// Which of its elements are current.
    pub valid: Ranges,
    /// Memory that it was in before and will be in again, while what uses it may be under way; the
    /// one that was left first comes first.
    spares: Vec<Arc<dyn DeviceMemory>>,
    /// How many launches and copies that are under way use it, so that it stays.
    pins: usize,
}

/// All images of an array. Each element is current in at least one of them, or will be when what is
/// under way is complete.
#[derive(Debug, Default)]
pub struct Images {
    /// Which elements of the host image are current. All of them while there is no other image,
    /// whatever this says.
    host: Ranges,
    others: Vec<Image>,
    /// Which elements nobody has written: zeros, which need no copy.
    unwritten: Ranges,
    /// What host tasks use of the host's image, and what it was in before.
    pub(crate) on_host: OnHost,
    /// What may be under way, in the order of submission.
    uses: Vec<Use>,
    /// How many launches and host tasks that are under way use the host image while there are
    /// others, so that nothing is brought to it behind their back.
    host_pins: usize,
}

impl Images {
    /// Whether the host's elements of a box are current.
    pub fn host_is_valid(&self, section: &Section) -> bool {
        self.others.is_empty() || self.host.covers(section)
    }

    /// Whether the elements of a box are current in a memory.
    pub fn is_valid(&self, space: MemorySpace, section: &Section) -> bool {
        self.find(space).is_some_and(|image| image.valid.covers(section))
    }

    /// The image in a memory.
    pub fn find(&self, space: MemorySpace) -> Option<&Image> {
        self.others.iter().find(|image| image.space == space)
    }

    /// The images beside the host's.
    pub fn others(&self) -> &[Image] {
        &self.others
    }

    /// The elements of a box that neither a memory, if one is named, nor the host has.
    pub(crate) fn only_elsewhere(&self, space: Option<MemorySpace>, section: &Section) -> Ranges {
        let missing = self.missing_on_host(section);
        match space.and_then(|space| self.find(space)) {
            Some(image) => image.valid.missing(section).common(&missing),
            None => missing,
        }
    }

    /// Whether elements of a box are current in another memory than this one, the host's included.
    pub(crate) fn is_elsewhere(&self, space: MemorySpace, section: &Section) -> bool {
        let has =
            |valid: &Ranges| !valid.is_empty() && !valid.common(&Ranges::of(section)).is_empty();
        let mut others = self.others.iter().filter(|image| image.space != space);
        has(&self.host) || others.any(|image| has(&image.valid))
    }

    /// The elements of a box that no memory has which can be read.
    pub(crate) fn lost(&self, section: &Section) -> Ranges {
        let mut lost = self.missing_on_host(section);
        for image in self.others.iter().filter(|image| image.memory.lost().is_none()) {
            image.valid.iter().for_each(|range| lost.remove(&Section::of_range(&range)));
        }
        lost
    }

    /// The elements of a box that the host lacks.
    pub(crate) fn missing_on_host(&self, section: &Section) -> Ranges {
        if self.others.is_empty() { Ranges::default() } else { self.host.missing(section) }
    }

    pub(crate) fn add(&mut self, len: usize, space: MemorySpace, memory: Arc<dyn DeviceMemory>) {
        if self.others.is_empty() {
            self.host = Ranges::all(len);
        }
        self.others.push(Image {
            space,
            memory,
            valid: Ranges::default(),
            spares: Vec::new(),
            pins: 0,
        });
    }

    /// Notes an operation that was submitted, unless it is complete already.
    pub(crate) fn add_use(&mut self, new: Use) {
        if new.memory.verdict(&new.sent) == Verdict::Done && new.outcome.is_none() {
            return self.arrived(&new);
        }
        // Of those that do the same on one queue the last one says it for all of them.
        let same = self.uses.iter_mut().rev().find(|known| {
            known.usage == new.usage
                && known.owner == new.owner
                && known.to.is_none()
                && !known.is_gone
                && !known.is_left
                && (new.usage != Usage::Write || known.is_plain() && new.is_plain())
                && known.space == new.space
                && Arc::ptr_eq(&known.memory, &new.memory)
                && known.section == new.section
                && known.sent.ticket.queue == new.sent.ticket.queue
        });
        match same {
            Some(known) => known.sent = new.sent,
            None => self.uses.push(new),
        }
    }

    /// Forgets what is complete and takes back what was given up.
    pub(crate) fn settle(&mut self) {
        if self.uses.is_empty() {
            return;
        }
        let (mut k, mut failed) = (0, false);
        while k < self.uses.len() {
            let known = &self.uses[k];
            match known.memory.verdict(&known.sent) {
                Verdict::UnderWay => k += 1,
                Verdict::Done => {
                    let done = self.uses.remove(k);
                    self.arrived(&done);
                    if done.has_panicked() {
                        self.spoiled_by(&done);
                    }
                }
                Verdict::Failed => {
                    failed |= !known.is_gone;
                    k += 1;
                }
            }
        }
        if failed {
            self.take_back();
        }
    }

    /// Takes back what was given up, the last one first.
    #[cold]
    fn take_back(&mut self) {
        for k in (0..self.uses.len()).rev() {
            let known = &mut self.uses[k];
            if known.is_gone || known.memory.verdict(&known.sent) != Verdict::Failed {
                continue;
            }
            known.is_gone = true;
            if known.is_left {
                continue;
            }
            let (space, section, usage) = (known.space, known.section, known.usage);
            let was = std::mem::take(&mut known.was);
            let moved_from = known.moved_from.take();
            match usage {
                Usage::Read | Usage::Peer => {}
                Usage::Download => {
                    self.host.remove(&section);
                    self.kept(space, &section);
                }
                Usage::Upload => self.unreceived(space, &section),
                Usage::Write => {
                    self.move_back(space, moved_from);
                    self.restore(&was);
                    self.gave_up(space, &section);
                }
            }
        }
        // A copy is made again by whoever needs it, and nobody asks for what was left to itself.
        let is_kernel = |known: &Use| matches!(known.usage, Usage::Read | Usage::Write);
        self.uses.retain(|known| !known.is_gone || (is_kernel(known) && !known.is_left));
    }

    /// An error where something that was given up, and has not run again, comes before an access.
    pub(crate) fn check(&self, section: &Section, writes: bool) -> Result<()> {
        let stands = |known: &&Use| {
            known.is_gone && (writes || known.usage.writes()) && known.section.overlaps(section)
        };
        match self.uses.iter().find(stands) {
            None => Ok(()),
            // It says so itself.
            Some(known) => known.memory.watch().wait(&known.sent),
        }
    }

    /// Forgets what was given up, for the one that has dealt with it, else for the whole run: whether
    /// there was anything, and whether some of it cannot run again.
    pub(crate) fn bury(&mut self, owner: Option<u64>) -> (bool, bool) {
        let (mut found, mut overtaken) = (false, false);
        self.uses.retain(|known| {
            let is_gone = known.is_gone && owner.is_none_or(|owner| known.owner == owner);
            found |= is_gone;
            overtaken |= is_gone && known.is_overtaken;
            !is_gone
        });
        (found, overtaken)
    }

    /// Lets an image that is about to be overwritten entirely go on in other memory, where what uses
    /// it may be under way, so that nobody waits for that, unless he comes `after` it anyway; it has at
    /// most as many copies as its memory says, and memory of somebody else's has one. The memory it was
    /// in.
    pub(crate) fn go_on_elsewhere(
        &mut self,
        space: MemorySpace,
        after: &Clock,
    ) -> Option<Arc<dyn DeviceMemory>> {
        let is_waited_for = |known: &Use| {
            let Ticket { queue, number } = known.sent.ticket;
            known.space == space && number <= after[queue.index()]
        };
        let is_used = |memory: &Arc<dyn DeviceMemory>| {
            self.live().any(|known| known.touches(memory) && !is_waited_for(known))
        };
        let image = self.find(space)?;
        let copies = image.memory.copies();
        if copies < 2 || !is_used(&image.memory) {
            return None;
        }
        let free = image.spares.iter().position(|memory| !is_used(memory));
        let n = image.spares.len();
        // What was left first is free first.
        let at = free.or((n + 1 >= copies).then_some(0));
        let image = self.others.iter_mut().find(|image| image.space == space)?;
        let next = match at {
            Some(at) => image.spares.remove(at),
            None => image.memory.another().ok()?,
        };
        let before = std::mem::replace(&mut image.memory, next);
        image.spares.push(Arc::clone(&before));
        Some(before)
    }

    /// An image is where it was before it was overwritten elsewhere, which did not happen.
    pub(crate) fn move_back(&mut self, space: MemorySpace, before: Option<Arc<dyn DeviceMemory>>) {
        let Some(before) = before else { return };
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            image.spares.retain(|memory| !Arc::ptr_eq(memory, &before));
            let left = std::mem::replace(&mut image.memory, before);
            image.spares.push(left);
        }
    }

    /// Gives back memory that an image is no longer in and nobody uses; whether there was any.
    pub(crate) fn drop_spares(&mut self, space: MemorySpace) -> bool {
        let Self { others, uses, .. } = self;
        let Some(image) = others.iter_mut().find(|image| image.space == space) else {
            return false;
        };
        let n = image.spares.len();
        image.spares.retain(|memory| uses.iter().any(|known| known.touches(memory)));
        image.spares.len() < n
    }

    /// What may be under way.
    fn live(&self) -> impl DoubleEndedIterator<Item = &Use> {
        self.uses.iter().filter(|known| !known.is_gone)
    }

    /// Adds what an access to an image of a device comes after.
    pub(crate) fn after(
        &self,
        space: MemorySpace,
        section: &Section,
        writes: bool,
        clock: &mut Clock,
    ) {
        let Some(image) = self.find(space) else { return };
        let here = |known: &&Use| known.space == space && Arc::ptr_eq(&known.memory, &image.memory);
        for known in self.live().filter(here) {
            if (writes || known.usage.writes()) && known.section.overlaps(section) {
                progress::join(clock, &known.sent.clock);
            }
        }
    }

    /// An operation under way that an access of the host has to wait for.
    pub(crate) fn in_the_way_on_host(
        &self,
        section: &Section,
        writes: bool,
    ) -> Option<(Arc<dyn Watch>, Sent)> {
        self.in_the_way_but(section, writes, &[])
    }

    /// As [`Images::in_the_way_on_host`], but for those that will be waited for later.
    pub(crate) fn in_the_way_but(
        &self,
        section: &Section,
        writes: bool,
        later: &[(Arc<dyn Watch>, Sent)],
    ) -> Option<(Arc<dyn Watch>, Sent)> {
        let stands = |known: &&Use| match known.usage {
            Usage::Download => {
                known.section.overlaps(section)
                    && !later.iter().any(|(watch, sent)| {
                        *sent == known.sent && Arc::ptr_eq(watch, &known.memory.watch())
                    })
            }
            Usage::Upload => writes && known.section.overlaps(section),
            Usage::Peer | Usage::Read | Usage::Write => false,
        };
        self.live().find(stands).map(|known| (known.memory.watch(), known.sent))
    }

    /// An operation under way that makes elements of an image what they will be.
    pub(crate) fn in_the_making(&self, space: MemorySpace, section: &Section) -> Option<Sent> {
        let image = self.find(space)?;
        let makes = |known: &&Use| {
            known.space == space
                && Arc::ptr_eq(&known.memory, &image.memory)
                && known.usage.writes()
                && known.section.overlaps(section)
        };
        self.live().rev().find(makes).map(|known| known.sent)
    }

    /// Elements that did not arrive are where they came from, as far as nobody else has them: what was
    /// to overwrite them there, counting on that, was given up too.
    fn kept(&mut self, space: MemorySpace, section: &Section) {
        let mut only = Ranges::of(section);
        for valid in std::iter::once(&self.host).chain(self.others.iter().map(|i| &i.valid)) {
            valid.iter().for_each(|range| only.remove(&Section::of_range(&range)));
        }
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            image.valid.extend(&only);
        }
    }

    /// Elements of an image are not current after all.
    fn unreceived(&mut self, space: MemorySpace, section: &Section) {
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            image.valid.remove(section);
        }
    }

    /// Elements are current again where they were.
    fn restore(&mut self, was: &[(Option<MemorySpace>, Ranges)]) {
        for (space, ranges) in was {
            match space {
                None => self.host.extend(ranges),
                Some(space) => {
                    if let Some(image) = self.others.iter_mut().find(|i| i.space == *space) {
                        image.valid.extend(ranges);
                    }
                }
            }
        }
    }

    /// A launch that was to write a box of a memory failed there. Elements that are current elsewhere
    /// are so there only; others are what the launch left.
    fn gave_up(&mut self, space: MemorySpace, section: &Section) {
        let part = Ranges::of(section);
        let mut elsewhere = self.host.common(&part);
        for image in self.others.iter().filter(|image| image.space != space) {
            if image.memory.lost().is_none() {
                elsewhere.extend(&image.valid.common(&part));
            }
        }
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            for range in elsewhere.iter() {
                image.valid.remove(&Section::of_range(&range));
            }
        }
    }

    /// A launch that was to overwrite a box panicked half way. Elements that were current there
    /// before are so there alone, the others where they were.
    fn spoiled_by(&mut self, done: &Use) {
        if let Some(before) = &done.moved_from {
            // What was there is as it was.
            self.move_back(done.space, Some(Arc::clone(before)));
            self.restore(&done.was);
            return;
        }
        for (space, ranges) in &done.was {
            let kept = done.had.iter().fold(ranges.clone(), |mut kept, range| {
                kept.remove(&Section::of_range(&range));
                kept
            });
            self.restore(&[(*space, kept)]);
        }
        let whole = Ranges::of(&done.section);
        let lost = done.had.iter().fold(whole, |mut lost, range| {
            lost.remove(&Section::of_range(&range));
            lost
        });
        for range in lost.iter() {
            self.unreceived(done.space, &Section::of_range(&range));
        }
    }

    /// What was made stale before is not to be restored where somebody writes anew, and what was
    /// read cannot be read again.
    fn overtake(&mut self, by: Option<MemorySpace>, section: &Section) {
        for known in self.uses.iter_mut().filter(|known| Some(known.space) != by) {
            if known.section.overlaps(section) {
                known.is_overtaken |= !matches!(known.usage, Usage::Download | Usage::Peer);
                known.was.iter_mut().for_each(|(_, ranges)| ranges.remove(section));
            }
        }
    }

    /// Exchanges what is current where with another array's. Who uses the memory of the host goes on
    /// with that of his array.
    pub(crate) fn swap(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.host, &mut other.host);
        std::mem::swap(&mut self.others, &mut other.others);
        std::mem::swap(&mut self.uses, &mut other.uses);
        std::mem::swap(&mut self.unwritten, &mut other.unwritten);
    }

    pub(crate) fn remove(&mut self, space: MemorySpace) -> Option<Image> {
        let at = self.others.iter().position(|image| image.space == space)?;
        Some(self.others.swap_remove(at))
    }

    /// The host now holds the current elements of a box, as others may too.
    pub fn host_received(&mut self, section: &Section) {
        self.host.add(section);
    }

    /// A memory now holds the current elements of a box, as others may too.
    pub fn received(&mut self, space: MemorySpace, section: &Section) {
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            image.valid.add(section);
        }
    }

    /// The host alone now holds the current elements of a box.
    pub fn host_wrote(&mut self, section: &Section) {
        self.overtake(None, section);
        self.unwritten.remove(section);
        self.host.add(section);
        for image in &mut self.others {
            image.valid.remove(section);
        }
    }

    /// A memory, or the host for `None`, holds the elements of a box partly overwritten. Where they
    /// were current before, they are so there alone; elsewhere nothing has happened.
    pub fn spoiled(&mut self, space: Option<MemorySpace>, section: &Section) {
        let valid = match space {
            None => Some(&self.host),
            Some(space) => self.find(space).map(|image| &image.valid),
        };
        let Some(valid) = valid else { return };
        let kept = valid.common(&Ranges::of(section));
        for range in kept.iter() {
            let part = Section::of_range(&range);
            match space {
                None => self.host_wrote(&part),
                Some(space) => self.wrote(space, &part),
            }
        }
    }

    /// A memory alone now holds the current elements of a box.
    pub fn wrote(&mut self, space: MemorySpace, section: &Section) {
        if self.find(space).is_none() {
            return;
        }
        self.overtake(Some(space), section);
        self.unwritten.remove(section);
        self.host.remove(section);
        for image in &mut self.others {
            if image.space == space {
                image.valid.add(section);
            } else {
                image.valid.remove(section);
            }
        }
    }

    /// As [`Images::wrote`], by an operation that may be under way.
    /// Where the image has left other memory for it, that is `moved_from`.
    pub(crate) fn will_write(&mut self, mut new: Use, moved_from: Option<Arc<dyn DeviceMemory>>) {
        new.moved_from = moved_from;
        let current = |ranges: &Ranges| match ranges.is_empty() {
            true => Ranges::default(),
            false => ranges.common(&Ranges::of(&new.section)),
        };
        let mut was = Stale::new();
        let stale = current(&self.host);
        if !stale.is_empty() {
            was.push((None, stale));
        }
        let mut had = Ranges::default();
        for image in &self.others {
            if image.space != new.space {
                let stale = current(&image.valid);
                if !stale.is_empty() {
                    was.push((Some(image.space), stale));
                }
            } else if new.outcome.is_some() {
                had = current(&image.valid);
            }
        }
        (new.was, new.had) = (was, had);
        self.wrote(new.space, &new.section);
        self.add_use(new);
    }
}

#[cfg(test)]
mod tests;
