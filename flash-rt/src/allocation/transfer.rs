//! Copies between the images of an array: what has to move, after what, and who waits for it. It does
//! not decide who needs an array where.
#![allow(unsafe_code, reason = "lends the host image to copies")]

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Arc, MutexGuard, PoisonError};

use smallvec::SmallVec;

use super::{Allocation, Foreign};
use crate::backend::Region;
use crate::device::{Errand, Lent, Order, Staying};
use crate::error::{Error, Result};
use crate::image::{DeviceMemory, Image, Images, MemorySpace, Usage, Use, Watch};
use crate::progress::{Clock, Sent};
use crate::ranges::Ranges;
use crate::section::Section;

/// The next thing to do until elements are current on the host, or on a device.
pub(super) enum Next {
    /// They are.
    Ready,
    /// To look again.
    Again,
    /// To wait for an operation.
    Wait(Arc<dyn Watch>, Sent),
    /// To wait for a copy, which makes some of them current.
    Copy(Arc<dyn Watch>, Sent),
    /// To wait for a host task that uses a box.
    Task(Section),
}

/// From this size on, devices are told that a host image stays where it is.
const STAYS_FROM: usize = 64 << 10;

/// Copies to the host that are under way.
pub(crate) type Copies = SmallVec<[(Arc<dyn Watch>, Sent); 2]>;

/// For each memory how often its device has given up.
#[derive(Default)]
pub(super) struct Epochs {
    few: [Option<(MemorySpace, u64)>; 4],
    more: Vec<(MemorySpace, u64)>,
}

impl Epochs {
    fn note(&mut self, space: MemorySpace, epoch: u64) {
        match self.few.iter_mut().find(|known| known.is_none()) {
            Some(free) => *free = Some((space, epoch)),
            None => self.more.push((space, epoch)),
        }
    }

    pub(super) fn epoch(&self, space: MemorySpace) -> Option<u64> {
        let all = self.few.iter().flatten().chain(&self.more);
        all.into_iter().find(|(known, _)| *known == space).map(|(_, epoch)| *epoch)
    }
}

impl Allocation {
    /// Brings what only one memory holds to the host and gives that memory back; what others hold
    /// stays with them. The caller holds `held` in the ledger, for reading at least.
    ///
    /// Returns whether it left: one that a launch or copy uses stays, one of which more would have to be
    /// brought, and unless the caller `waits` one that a host task uses.
    ///
    /// # Errors
    ///
    /// As [`Allocation::to_host`]; the image is kept then.
    pub(crate) fn evict(&self, space: MemorySpace, waits: bool, held: &Ranges) -> Result<bool> {
        let whole = Section::whole(&[self.len]);
        loop {
            let mut images = self.images();
            if images.find(space).is_some()
                && let Some((watch, sent)) = images.depends_on(space)
            {
                drop(images);
                match watch.wait(&sent) {
                    Err(error) if watch.lost().is_none() => return Err(error),
                    _ => continue,
                }
            }
            if waits && images.on_host.reads(&whole, self.here()) == Some(false) {
                self.await_reader(images);
                continue;
            }
            if !images.may_leave(space) {
                if images.may_leave_later(space) {
                    self.await_reader(images);
                    continue;
                }
                return Ok(false);
            }
            if let Some(range) = images.only_in(space).iter().next() {
                drop(images);
                let section = Section::of_range(&range);
                if !held.covers(&section) {
                    return Ok(false);
                }
                // Step by step, as somebody may begin to use it meanwhile, whom it then stays for.
                let next = self.step_to_host(&section, (None, Some(space)), &mut 0)?;
                self.is_ready_after(next)?;
                continue;
            }
            let evicted = images.remove(space);
            self.count(&images);
            drop(images);
            drop(evicted);
            return Ok(true);
        }
    }

    /// Makes the host's elements of a box current; the number of bytes that moved. The caller holds
    /// the box in the ledger, for reading at least.
    ///
    /// # Errors
    ///
    /// As [`Allocation::host`], and what a download says.
    #[inline]
    pub(crate) fn to_host(&self, section: &Section) -> Result<u64> {
        if self.has_images() { self.download(section) } else { Ok(0) }
    }

    #[cold]
    fn download(&self, section: &Section) -> Result<u64> {
        let mut moved = 0;
        loop {
            let next = self.step_to_host(section, (None, None), &mut moved)?;
            if self.is_ready_after(next)? {
                return Ok(moved);
            }
        }
    }

    /// Waits for what the next step is to wait for; whether there was none.
    fn is_ready_after(&self, next: Next) -> Result<bool> {
        match next {
            Next::Ready => return Ok(true),
            Next::Again => {}
            Next::Wait(watch, sent) | Next::Copy(watch, sent) => {
                Self::await_sent(&*watch, &sent)?;
            }
            Next::Task(part) => drop(self.await_begun(&part)),
        }
        Ok(false)
    }

    /// Returns when an operation is complete, or was given up so that another one may have what it
    /// was to make, or it can be done again; if not, the next step says so.
    pub(super) fn await_sent(watch: &dyn Watch, sent: &Sent) -> Result<()> {
        match watch.wait(sent) {
            Err(error) if watch.lost().is_none() && !error.is_given_up() => Err(error),
            _ => Ok(()),
        }
    }

    /// As [`Allocation::to_host`], but for the copies, which are submitted, and under way or not:
    /// they are added to `copies`. Nothing, and false, where a host task whose turn is still to
    /// come uses what they would overwrite.
    ///
    /// # Errors
    ///
    /// As [`Allocation::to_host`].
    pub(crate) fn begin_to_host(&self, section: &Section, copies: &mut Copies) -> Result<bool> {
        let mut moved = 0;
        while self.has_images() {
            match self.step_to_host(section, (Some(copies), None), &mut moved)? {
                Next::Ready => break,
                Next::Again => {}
                Next::Wait(watch, sent) => Self::await_sent(&*watch, &sent)?,
                Next::Copy(watch, sent) => copies.push((watch, sent)),
                Next::Task(part) if self.await_begun(&part) => {}
                Next::Task(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The start of the host image, null where it has no memory yet.
    pub(crate) fn start(&self) -> *mut u8 {
        self.host.get()
    }

    /// The address of the host image.
    pub(crate) fn here(&self) -> usize {
        self.start().addr()
    }

    /// The next thing to do until the elements of a box are current on the host. Where there are
    /// `copies`, those will be waited for later, and memory of the host is not taken beyond the limit. Where
    /// an image is `leaving`, nothing is done once it may not.
    fn step_to_host(
        &self,
        section: &Section,
        (copies, leaving): (Option<&Copies>, Option<MemorySpace>),
        moved: &mut u64,
    ) -> Result<Next> {
        self.host()?;
        let memories = self.memories_at_epochs();
        let mut images = self.images();
        images.check(section, false)?;
        if leaving.is_some_and(|space| !images.may_leave(space)) {
            return Ok(Next::Again);
        }
        if let Some((watch, sent)) =
            images.in_the_way_but(section, false, copies.map_or(&[], |c| c))
        {
            return Ok(Next::Copy(watch, sent));
        }
        let missing = images.missing_on_host(section);
        if missing.is_empty() {
            return Ok(Next::Ready);
        }
        let alive = |image: &&Image| {
            image.memory.lost().is_none() && !image.valid.common(&missing).is_empty()
        };
        let Some(image) = images.others().iter().find(alive) else {
            // The newest elements went with a device.
            let held = |image: &&Image| !image.valid.common(&missing).is_empty();
            let lost = images.others().iter().filter(held).find_map(|image| image.memory.lost());
            return lost.map_or(Ok(Next::Ready), |error| Err(error.of_elements(&missing)));
        };
        let Some(range) = image.valid.common(&missing).iter().next() else {
            return Ok(Next::Ready);
        };
        let (space, memory) = (image.space, Arc::clone(&image.memory));
        let part = Section::of_range(&range);
        // Whoever makes them says it first if it fails, and what it made is known to be there when
        // its old elements here are overwritten.
        if let Some(sent) = images.in_the_making(space, &part) {
            return Ok(Next::Wait(memory.watch(), sent));
        }
        if let Some((watch, sent)) = images.in_the_way_on_host(&part, true) {
            return Ok(Next::Wait(watch, sent));
        }
        if let Some(is_early) = images.on_host.reads(&part, self.here()) {
            let n = memory.copies();
            let leaves = n > 1 && part.len() == self.len;
            // Nobody waits for a task that may in turn wait for him.
            let must = is_early && copies.is_none() && !self.has_begun(&images, &part);
            if (leaves || must)
                && let Some((watch, sent)) =
                    images.in_the_way_on_host(&Section::whole(&[self.len]), true)
            {
                return Ok(Next::Wait(watch, sent));
            }
            if leaves && self.leave_host(&mut images, n) {
                return Ok(Next::Again);
            }
            if must {
                return match self.set_apart(&mut images, &part) {
                    true => Ok(Next::Again),
                    false => Err(Error::host_is_full(self.bytes() as u64)),
                };
            }
            return Ok(Next::Task(part));
        }
        let host = self.host()?;
        let Some(epoch) = memories.epoch(space) else { return Ok(Next::Again) };
        self.say_stays(&*memory, host);
        let (bytes, region, here) = self.regions(&range);
        // SAFETY: `range` lies in the array, whose bytes start at `host`.
        let start = unsafe { host.add(range.start * self.elem.size) };
        let dst = std::ptr::slice_from_raw_parts_mut(start.as_ptr(), bytes);
        // SAFETY: the elements of `range` are not current on the host, so nobody reads them, and
        // until the copy is complete everybody finds it among the uses; the allocation outlives it,
        // as it is waited for here.
        let dst = unsafe { Lent::new(dst) };
        let order = Order { epoch, after: Clock::default() };
        let sent = match memory.download(region, dst, here, &order) {
            Ok(sent) => sent,
            Err(error) => {
                drop(images);
                let error = memory.refused(error);
                let is_again = memory.lost().is_some() || error.is_given_up();
                return if is_again { Ok(Next::Again) } else { Err(error) };
            }
        };
        images.host_received(&part);
        images.add_use(Use::new((space, &memory), sent, part, Usage::Download));
        *moved += bytes as u64;
        Ok(Next::Copy(memory.watch(), sent))
    }

    /// Whether a host task uses the memory that the host image is in.
    pub(super) fn is_used(&self, images: &Images) -> bool {
        images.on_host.reads(&Section::whole(&[self.len]), self.here()).is_some()
    }

    /// Whether host tasks use a box whose end is to be waited for: none of them one whose turn is still
    /// to come, unless one that has begun still writes what that is to read.
    fn has_begun(&self, images: &Images, section: &Section) -> bool {
        let here = self.here();
        match images.on_host.reads(section, here) {
            Some(is_early) => !is_early || images.on_host.is_fed(section, here),
            None => false,
        }
    }

    /// Waits a little for those; whether they may have ended by now.
    fn await_begun(&self, section: &Section) -> bool {
        let images = self.images();
        if self.has_begun(&images, section) {
            self.await_reader(images);
            return true;
        }
        // The last one may have ended since somebody looked.
        images.on_host.reads(section, self.here()).is_none()
    }

    /// Returns when no host task uses the memory that the host image is in.
    ///
    /// # Errors
    ///
    /// Where there is no other memory, and what operations under way say.
    pub(crate) fn await_readers(&self) -> Result<()> {
        let whole = Section::whole(&[self.len]);
        while self.is_used(&self.images()) {
            self.await_uses(&whole)?;
        }
        Ok(())
    }

    /// Returns when a host task or launch no longer uses the host image, or a little earlier.
    fn await_reader(&self, mut images: MutexGuard<'_, Images>) {
        let number = images.on_host.waiting.join();
        while images.on_host.waiting.has(number) {
            images = self.left.wait(images).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns when no operation under way touches the host's elements of a box, which the caller
    /// holds for writing and is about to write.
    ///
    /// # Errors
    ///
    /// What those operations say.
    #[inline]
    pub(crate) fn await_host(&self, section: &Section) -> Result<()> {
        if self.counts.is_free() { Ok(()) } else { self.await_uses(section) }
    }

    #[cold]
    fn await_uses(&self, section: &Section) -> Result<()> {
        loop {
            let mut images = self.images();
            images.check(section, true)?;
            if self.has_begun(&images, section) {
                self.await_reader(images);
                continue;
            }
            let used = images.on_host.reads(section, self.here());
            let whole = Section::whole(&[self.len]);
            let whose = if used.is_some() { &whole } else { section };
            let Some((watch, sent)) = images.in_the_way_on_host(whose, true) else {
                // Nobody waits for a task that may in turn wait for him.
                if used.is_some() && !self.set_apart(&mut images, section) {
                    return Err(Error::host_is_full(self.bytes() as u64));
                }
                if images.on_host.reads(section, self.here()).is_none() {
                    return Ok(());
                }
                continue;
            };
            drop(images);
            Self::await_sent(&*watch, &sent)?;
        }
    }

    /// Makes the elements of a box current in a memory that has an image. Those that other devices alone
    /// have come from there where that can be, else through the host; the number of bytes that moved. The
    /// caller holds the box in the ledger, for reading at least.
    ///
    /// # Errors
    ///
    /// As [`Allocation::host`], and what downloads and uploads say.
    pub(crate) fn to_memory(&self, space: MemorySpace, section: &Section) -> Result<u64> {
        if self.images().is_valid(space, section) {
            return Ok(0);
        }
        self.host()?;
        let mut moved = 0;
        // Until what comes from another device has arrived.
        let mut errand = None;
        loop {
            let memories = self.memories_at_epochs();
            let mut images = self.images();
            let Some(image) = images.find(space) else { return Ok(moved) };
            let (missing, memory) = (image.valid.missing(section), Arc::clone(&image.memory));
            let Some(range) = missing.iter().next() else { return Ok(moved) };
            if !self.is_in(&*memory, &range) {
                // Whoever needs it there makes room for it first.
                return Ok(moved);
            }
            let (range, is_unwritten) = images.cut_unwritten(range);
            let part = Section::of_range(&range);
            if is_unwritten {
                drop((images, missing));
                self.zero_there((space, &memory), &memories, &range)?;
                continue;
            }
            let is_elsewhere = !images.host_is_valid(&part);
            if is_elsewhere || images.in_the_way_on_host(&part, false).is_some() {
                drop((images, memory));
                if is_elsewhere {
                    errand.get_or_insert_with(Errand::between_devices);
                    match self.step_between(space, &part, None, &mut moved)? {
                        Next::Copy(watch, sent) => {
                            Self::await_sent(&*watch, &sent)?;
                            errand = None;
                            continue;
                        }
                        Next::Wait(watch, sent) => {
                            Self::await_sent(&*watch, &sent)?;
                            continue;
                        }
                        Next::Again => continue,
                        Next::Ready | Next::Task(_) => {}
                    }
                }
                moved += self.to_host(&part)?;
                continue;
            }
            let Some(epoch) = memories.epoch(space) else { continue };
            let mut memory = memory;
            if part.len() == self.len() {
                // Nothing of what is there is current, so that whoever reads it may go on.
                images.go_on_elsewhere(space, &Clock::default());
                if let Some(image) = images.find(space) {
                    memory = Arc::clone(&image.memory);
                }
            }
            let mut order = Order { epoch, after: Clock::default() };
            images.after(space, &part, true, &mut order.after);
            let (bytes, region, here) = self.regions(&range);
            // It may have gone on in other memory when they were brought.
            let host = self.host()?;
            self.say_stays(&*memory, host);
            // SAFETY: `range` lies in the array, whose bytes start at `host`.
            let start = unsafe { host.add(range.start * self.elem.size) };
            let src = std::ptr::slice_from_raw_parts_mut(start.as_ptr(), bytes);
            // SAFETY: the elements are initialised and current. The caller's hold keeps others from
            // writing them; whoever does so in the same run finds the copy among the uses, and the
            // run waits for all of it before it lets go of the allocation.
            let src = unsafe { Lent::new(src) };
            let sent = match memory.upload(region, src, here, &order) {
                Ok(sent) => sent,
                Err(error) => {
                    drop(images);
                    match memory.refused(error) {
                        error if error.is_given_up() => continue,
                        error => return Err(error),
                    }
                }
            };
            images.received(space, &part);
            images.add_use(Use::new((space, &memory), sent, part, Usage::Upload));
            errand = None;
            moved += bytes as u64;
        }
    }

    /// The memories there are, and how often each of their devices has given up. Asked for before a
    /// look at what is under way, so that nothing is submitted on the strength of what was given up
    /// since.
    pub(super) fn memories_at_epochs(&self) -> Epochs {
        let images = self.images();
        let mut epochs = Epochs::default();
        for image in images.others() {
            epochs.note(image.space, image.memory.epoch());
        }
        epochs
    }

    /// Tells a device that the host image stays where it is, if that is ours and worth it.
    fn say_stays(&self, memory: &dyn DeviceMemory, host: NonNull<u8>) {
        if self.foreign == Foreign::Own && self.bytes() >= STAYS_FROM {
            let host = std::ptr::slice_from_raw_parts(host.as_ptr().cast_const(), self.bytes());
            // SAFETY: our own memory goes in `drop` and `take_vec` alone, which drop what is kept for it.
            memory.stays(unsafe { Staying::new(host) });
        }
    }

    /// Whether a memory has room for a range.
    pub(super) fn is_in(&self, memory: &dyn DeviceMemory, range: &Range<usize>) -> bool {
        let window = memory.window();
        let (start, end) = (range.start * self.elem.size, range.end * self.elem.size);
        window.start <= start as u64 && end as u64 <= window.end
    }

    /// The bytes of a range: how many, where in an image, and where in a slice of just these.
    pub(super) fn regions(&self, range: &Range<usize>) -> (usize, Region, Region) {
        let bytes = range.len() * self.elem.size;
        let offset = (range.start * self.elem.size) as u64;
        (bytes, Region::row(offset, bytes as u64), Region::row(0, bytes as u64))
    }
}
