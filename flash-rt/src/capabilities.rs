//! What a device can do beyond what every one can, and a kernel may require. It decides nothing.

use std::fmt;

use crate::descriptor::Need;

/// A set of what `requires(..)` can name.
///
/// ```
/// use flash_rt::Capabilities;
/// use flash_rt::descriptor::Need;
///
/// let all = Capabilities::of(&[Need::F64, Need::Atomics]);
/// assert!(all.has(Need::F64) && !all.without(Need::F64).has(Need::F64));
/// assert_eq!(all.missing(Capabilities::of(&[Need::F16, Need::F64])).to_string(), "f16");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Capabilities(u8);

impl Capabilities {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// What whoever runs bodies as the CPU does has: all that a body can say so far.
    pub const OF_BODIES: Self =
        Self::of(&[Need::F64, Need::Atomics, Need::Atomics64, Need::ByteStores]);

    /// These.
    pub const fn of(needs: &[Need]) -> Self {
        let (mut all, mut k) = (Self::NONE, 0);
        while k < needs.len() {
            all = all.with(needs[k]);
            k += 1;
        }
        all
    }

    /// The same with one more.
    #[must_use]
    pub const fn with(self, need: Need) -> Self {
        Self(self.0 | 1 << need as u8)
    }

    /// The same without one.
    #[must_use]
    pub const fn without(self, need: Need) -> Self {
        Self(self.0 & !(1 << need as u8))
    }

    /// Whether it is there.
    pub const fn has(self, need: Need) -> bool {
        self.0 & 1 << need as u8 != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is not there of these.
    #[must_use]
    pub const fn missing(self, required: Self) -> Self {
        Self(required.0 & !self.0)
    }

    /// All of them, in the order of [`Need::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Need> {
        Need::ALL.into_iter().filter(move |need| self.has(*need))
    }
}

impl fmt::Display for Capabilities {
    /// As `requires(..)` names them: `f64, atomics`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, need) in self.iter().enumerate() {
            write!(f, "{}{}", if k > 0 { ", " } else { "" }, need.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}
