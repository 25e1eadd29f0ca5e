//! One bound argument of a launch. It is plain data; only [`super::Args`] turns it into references.

use std::any::TypeId;

/// The largest rank of an array.
pub const MAX_ARRAY_RANK: usize = 4;

/// What a slot may be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// A value of the slot's type.
    Value,
    /// Shared elements.
    Input,
    /// Elements of which each item owns its own place.
    Own,
    /// Elements reached by unchecked code too, so that no reference to them may exist.
    Raw,
    /// Atomic cells.
    Atomic,
    /// Partial results, one for each reduction block.
    Partials,
}

/// A bound argument.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub(crate) tag: Tag,
    pub(crate) elem: TypeId,
    pub(crate) array: ArraySlot,
}

/// A box of an array in some memory. Indices are global: the element `index` is at
/// `base + Σ (index[d] - origin[d]) * stride[d]` elements.
#[derive(Clone, Copy, Debug)]
pub struct ArraySlot {
    /// The element at `origin`; for a value, the value itself; for device memory, an offset.
    pub base: *mut u8,
    /// The rank; 0 for a value.
    pub rank: u8,
    /// Global index of the first element that is held.
    pub origin: [usize; MAX_ARRAY_RANK],
    /// Number of elements held, from `origin`.
    pub held: [usize; MAX_ARRAY_RANK],
    /// Shape of the whole array, as `len` and `extent` report it.
    pub shape: [usize; MAX_ARRAY_RANK],
    /// Distance of neighbours in elements.
    pub stride: [isize; MAX_ARRAY_RANK],
    /// For `Tag::Own` and `Tag::Raw`: the own place.
    pub own: OwnMap,
}

impl ArraySlot {
    /// The number of elements of the whole array; 1 for a value.
    pub fn n_elems(&self) -> usize {
        self.shape[..usize::from(self.rank)].iter().product()
    }
}

/// The own place of an item: component `c` of its index is `global_id(dim[c]) + offset[c]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnMap {
    /// The launch dimension of each component; [`OwnMap::FREE`] where the item owns the extent.
    pub dim: [u8; MAX_ARRAY_RANK],
    /// The launch-uniform offset of each component.
    pub offset: [usize; MAX_ARRAY_RANK],
}

impl OwnMap {
    /// Marks a component that no launch dimension stands in.
    pub const FREE: u8 = u8::MAX;
    /// A place that depends on no dimension.
    pub const NONE: Self = Self { dim: [Self::FREE; MAX_ARRAY_RANK], offset: [0; MAX_ARRAY_RANK] };
}

impl Slot {
    /// The same array in other memory: with its element at `origin` there.
    #[must_use]
    pub fn at(&self, base: *mut u8) -> Self {
        Self { array: ArraySlot { base, ..self.array }, ..*self }
    }
}

impl ArraySlot {
    /// Nothing.
    pub const fn empty() -> Self {
        Self {
            base: std::ptr::null_mut(),
            rank: 0,
            origin: [0; MAX_ARRAY_RANK],
            held: [0; MAX_ARRAY_RANK],
            shape: [0; MAX_ARRAY_RANK],
            stride: [0; MAX_ARRAY_RANK],
            own: OwnMap::NONE,
        }
    }
}
