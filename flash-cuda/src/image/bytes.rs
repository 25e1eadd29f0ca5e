//! Numbers and names at places that a file says, each looked for within its bytes.

/// The bytes of a file, or of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'b>(pub(super) &'b [u8]);

impl<'b> Bytes<'b> {
    /// So many bytes from a place on.
    pub(super) fn part(self, at: u64, len: u64) -> Option<&'b [u8]> {
        let (at, len) = (usize::try_from(at).ok()?, usize::try_from(len).ok()?);
        self.0.get(at..at.checked_add(len)?)
    }

    fn array<const N: usize>(self, at: u64) -> Option<[u8; N]> {
        self.part(at, N as u64)?.try_into().ok()
    }

    pub(super) fn u8(self, at: u64) -> Option<u8> {
        self.array(at).map(u8::from_le_bytes)
    }

    pub(super) fn u16(self, at: u64) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(super) fn u32(self, at: u64) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(super) fn u64(self, at: u64) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    /// A text from a place on, up to a zero.
    pub(super) fn text(self, at: u64) -> Option<&'b str> {
        let rest = self.0.get(usize::try_from(at).ok()?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }
}
