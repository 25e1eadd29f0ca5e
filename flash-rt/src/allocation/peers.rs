//! Elements that go from one device to another without the host. Who waits for them, and whether they
//! could, is decided here; that they go by the host where they cannot, elsewhere.

use std::sync::Arc;

use super::Allocation;
use super::transfer::{Copies, Next};
use crate::device::Order;
use crate::error::Result;
use crate::image::{MemorySpace, Use};
use crate::progress::Clock;
use crate::section::Section;

impl Allocation {
    /// The next thing to do until those elements of a box are in a memory that only other devices have
    /// and that can come from there without the host; [`Next::Ready`] where there are no more. Where there
    /// are `copies`, those will be waited for later.
    ///
    /// They are current there when the copy is complete, not when it is submitted: a device that fails
    /// so takes nothing along of another one, and no driver waits for two devices at once.
    pub(super) fn step_between(
        &self,
        space: MemorySpace,
        section: &Section,
        copies: Option<&Copies>,
        moved: &mut u64,
    ) -> Result<Next> {
        let memories = self.memories_at_epochs();
        let mut images = self.images();
        images.check(section, false)?;
        if copies.is_none()
            && let Some((watch, sent)) = images.on_its_way(space, section)
        {
            return Ok(Next::Copy(watch, sent));
        }
        let missing = images.not_coming(space, section);
        let Some(mut memory) = images.find(space).map(|image| Arc::clone(&image.memory)) else {
            return Ok(Next::Ready);
        };
        let Some((image, range)) = images.peer_of((space, &memory), &missing) else {
            return Ok(Next::Ready);
        };
        if !self.is_in(&*memory, &range) {
            return Ok(Next::Ready);
        }
        let (from, src) = (image.space, Arc::clone(&image.memory));
        let part = Section::of_range(&range);
        // Whoever makes them says it first if it fails.
        if let Some(sent) = images.in_the_making(from, &part) {
            return Ok(Next::Wait(src.watch(), sent));
        }
        if part.len() == self.len() {
            // Nothing of what is there is current, so that whoever reads it may go on.
            images.go_on_elsewhere(space, &Clock::default());
            if let Some(image) = images.find(space) {
                memory = Arc::clone(&image.memory);
            }
        }
        if let Some((watch, sent)) = images.in_the_way_there(space, &part) {
            return Ok(Next::Wait(watch, sent));
        }
        let Some(epoch) = memories.epoch(from) else { return Ok(Next::Again) };
        let mut order = Order { epoch, after: Clock::default() };
        images.after(from, &part, false, &mut order.after);
        let (bytes, region, _) = self.regions(&range);
        let sent = match src.peer_copy(&*memory, region, &order) {
            Ok(Some(sent)) => sent,
            Ok(None) => return Ok(Next::Ready),
            Err(error) => {
                drop(images);
                let error = src.refused(error);
                let is_again = src.lost().is_some() || error.is_given_up();
                return if is_again { Ok(Next::Again) } else { Err(error) };
            }
        };
        images.add_use(Use::peer((from, &src), (space, &memory), sent, part));
        *moved += bytes as u64;
        Ok(Next::Copy(src.watch(), sent))
    }

    /// Submits the copies from other devices to a memory that has an image, of those elements of a box
    /// that neither it nor the host has: they are added to `copies`, and their bytes to `moved`. Whether
    /// all of these elements come so.
    ///
    /// # Errors
    ///
    /// As [`Allocation::to_memory`].
    pub(crate) fn begin_between(
        &self,
        space: MemorySpace,
        section: &Section,
        (copies, moved): (&mut Copies, &mut u64),
    ) -> Result<bool> {
        loop {
            match self.step_between(space, section, Some(copies), moved)? {
                Next::Ready => break,
                Next::Copy(watch, sent) => copies.push((watch, sent)),
                Next::Wait(watch, sent) => Self::await_sent(&*watch, &sent)?,
                Next::Again | Next::Task(_) => {}
            }
        }
        Ok(self.images().not_coming(space, section).is_empty())
    }
}
