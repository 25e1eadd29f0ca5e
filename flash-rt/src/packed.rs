//! A box of an array in few bytes, as the arguments of pipelines are kept: there may be millions of
//! them, and most are intervals.

use std::any::TypeId;
use std::mem::MaybeUninit;
use std::sync::Arc;

use crate::allocation::Allocation;
use crate::arg::{ArrayArg, BoundArg};
use crate::section::Section;

/// A box of an array as an argument.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Whose elements.
    pub(crate) allocation: Arc<Allocation>,
    form: Form,
}

/// Which of them. Inside the allocation: that is what makes slots of it true.
#[derive(Clone, Debug)]
enum Form {
    /// An interval.
    Line { start: usize, len: usize },
    /// Rows that are intervals, where nothing of them is large.
    Plane { start: usize, shape: [u32; 2], stride: u32 },
    /// Anything.
    Section(Box<Section>),
}

impl Form {
    /// One that is no interval.
    #[inline(never)]
    fn of(section: &Section) -> Self {
        if let (&[rows, columns], &[stride, 1]) = (section.shape(), section.stride())
            && let [Ok(rows), Ok(columns), Ok(stride)] = [rows, columns, stride].map(u32::try_from)
        {
            return Self::Plane { start: section.offset(), shape: [rows, columns], stride };
        }
        Self::Section(Box::new(*section))
    }
}

impl Packed {
    #[inline(always)]
    pub(crate) fn new(allocation: Arc<Allocation>, section: &Section) -> Self {
        let form = match (section.rank, section.stride[0]) {
            (1, 1) => Form::Line { start: section.offset, len: section.shape[0] },
            _ => Form::of(section),
        };
        Self { allocation, form }
    }

    /// Puts it somewhere as an argument: of most the words by themselves, as they were just written. Wider
    /// ones would wait for that.
    #[inline(always)]
    pub(crate) fn write_to(self, place: &mut MaybeUninit<BoundArg<'_>>) {
        match self {
            Self { allocation, form: Form::Line { start, len } } => {
                place.write(BoundArg::Array(Self { allocation, form: Form::Line { start, len } }))
            }
            other => place.write(BoundArg::Array(other)),
        };
    }

    /// Whose elements.
    pub fn allocation(&self) -> &Arc<Allocation> {
        &self.allocation
    }

    /// Which of them.
    #[inline]
    pub fn section(&self) -> Section {
        match &self.form {
            Form::Line { start, len } => Section::of_range(&(*start..start + len)),
            Form::Plane { start, shape, stride } => {
                Section::rows(*start, shape.map(|extent| extent as usize), *stride as usize)
            }
            Form::Section(section) => **section,
        }
    }

    /// Start and length, where they are an interval.
    #[inline]
    pub(crate) fn line(&self) -> Option<(usize, usize)> {
        match self.form {
            Form::Line { start, len } => Some((start, len)),
            _ => None,
        }
    }

    /// The number of dimensions.
    #[inline]
    pub(crate) fn rank(&self) -> usize {
        match &self.form {
            Form::Line { .. } => 1,
            Form::Plane { .. } => 2,
            Form::Section(section) => section.rank(),
        }
    }

    /// The element type as rustc knows it.
    #[inline]
    pub fn elem(&self) -> TypeId {
        self.allocation.elem().id
    }

    /// The same as it is bound.
    pub(crate) fn array(&self) -> ArrayArg {
        ArrayArg { allocation: Arc::clone(&self.allocation), section: self.section() }
    }

    /// Whether the two share an element.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        if !Arc::ptr_eq(&self.allocation, &other.allocation) {
            return false;
        }
        match (self.line(), other.line()) {
            (Some((a, n)), Some((b, m))) => n > 0 && m > 0 && a < b + m && b < a + n,
            _ => self.section().overlaps(&other.section()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::arg::{Arg, BoundArg};
    use crate::buffer::Buffer;
    use crate::view::View;

    #[test]
    fn boxes_come_out_as_they_went_in() {
        let x = Buffer::<f32, 3>::zeros([4, 5, 6]);
        let packed = |bound: BoundArg<'_>| match bound {
            BoundArg::Array(packed) => packed,
            other => panic!("{other:?}"),
        };
        let all = [
            (packed(Arg::<&[f32]>::bind(x.at(1).at(2))), x.at(1).at(2).section),
            (
                packed(Arg::<&[f32]>::bind(x.at(1).at(2).view(3..3))),
                x.at(1).at(2).view(3..3).section,
            ),
            (packed(Arg::<View<'_, f32, 2>>::bind(x.at(3))), x.at(3).section),
            (
                packed(Arg::<View<'_, f32, 2>>::bind(x.at(3).view((1..3, 2..4)))),
                x.at(3).view((1..3, 2..4)).section,
            ),
            (
                packed(Arg::<View<'_, f32, 3>>::bind(x.view((1..3, 2..4, ..)))),
                x.view((1..3, 2..4, ..)).section,
            ),
        ];
        // Rows that are further apart than a `u32` says.
        let wide = Buffer::<u8, 2>::zeros([3, 1 << 33]);
        let part = wide.view((1..3, 7..12));
        let far = packed(Arg::<View<'_, u8, 2>>::bind(&part));
        assert_eq!((far.section(), far.rank()), (part.section, 2));
        assert_eq!(far.section().stride(), [1 << 33, 1]);
        for (packed, section) in &all {
            assert_eq!((packed.section(), packed.rank()), (*section, section.rank()));
            for (other, there) in &all {
                assert_eq!(
                    packed.overlaps(other),
                    section.overlaps(there),
                    "{packed:?}, {other:?}"
                );
            }
        }
    }

    #[test]
    fn arguments_are_small() {
        assert!(size_of::<BoundArg<'_>>() <= 40, "{}", size_of::<BoundArg<'_>>());
    }
}
