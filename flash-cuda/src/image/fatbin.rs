//! Fatbins: several images of the same code, of which a device takes one.

use std::cmp::Reverse;

use super::bytes::Bytes;
use super::{Arch, Damage};

/// How a fatbin begins.
pub(super) const MAGIC: [u8; 4] = 0xba55_ed50_u32.to_le_bytes();

/// Flags of an image that is compressed, in one way or the other.
const COMPRESSED: u64 = 0x2000 | 0x8000;

/// One image of a fatbin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member<'b> {
    pub(crate) arch: Arch,
    pub(crate) is_ptx: bool,
    /// Its bytes; `None` where they are compressed.
    pub(crate) bytes: Option<&'b [u8]>,
}

/// The images of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fatbin<'b> {
    pub(crate) members: Vec<Member<'b>>,
}

impl<'b> Fatbin<'b> {
    /// The images in these bytes.
    pub(crate) fn read(bytes: &'b [u8]) -> Result<Self, Damage> {
        let file = Bytes(bytes);
        if !bytes.starts_with(&MAGIC) {
            return Err(Damage::NotThat("fatbin"));
        }
        let head = |at| file.u16(at).ok_or(Damage::Short("head"));
        let start = u64::from(head(6)?);
        let len = file.u64(8).ok_or(Damage::Short("head"))?;
        let Some(all) = file.part(start, len) else { return Err(Damage::Short("images")) };
        let (mut members, mut at) = (Vec::new(), 0);
        while at < all.len() as u64 {
            let (member, len) = member(Bytes(all), at).ok_or(Damage::Odd("list of images"))?;
            members.extend(member);
            at += len;
        }
        if members.is_empty() { Err(Damage::Odd("list of images")) } else { Ok(Self { members }) }
    }

    /// The images that a device may take, best first: machine code for it and of what its generation has
    /// before it, the latest first, then PTX, the latest first.
    pub(crate) fn for_device(&self, device: Arch) -> Vec<&Member<'b>> {
        let code =
            |member: &&Member<'_>| !member.is_ptx && member.arch.machine_code_runs_on(device);
        let text = |member: &&Member<'_>| member.is_ptx && member.arch.ptx_runs_on(device);
        let may_do = self.members.iter().filter(|member| code(member) || text(member));
        let mut all: Vec<_> = may_do.collect();
        all.sort_by_key(|member| (member.is_ptx, Reverse(member.arch)));
        all
    }

    /// What there is, for a person.
    pub(crate) fn list(&self) -> String {
        let one = |member: &Member<'_>| match member.is_ptx {
            true => format!("PTX for {}", member.arch),
            false => format!("code for {}", member.arch),
        };
        self.members.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The image at a place, if it is of a kind that is known, and where the next one is from there.
fn member(all: Bytes<'_>, at: u64) -> Option<(Option<Member<'_>>, u64)> {
    let head = u64::from(all.u32(at.checked_add(4)?)?);
    let padded = all.u64(at + 8)?;
    let next = head.checked_add(padded).filter(|_| head >= 64)?;
    let bytes = all.part(at.checked_add(head)?, padded)?;
    let (number, flags) = (all.u32(at + 28)?, all.u64(at + 40)?);
    let arch = Arch { number: number & 0xffff, only: None };
    let bytes = (flags & COMPRESSED == 0).then_some(bytes);
    let member = |is_ptx| Member { arch, is_ptx, bytes };
    let member = match all.u16(at)? {
        1 => Some(member(true)),
        2 => Some(member(false)),
        // Intermediate code of linkers.
        _ => None,
    };
    Some((member, next))
}
