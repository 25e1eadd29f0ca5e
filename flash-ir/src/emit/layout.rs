//! The structure that an emitted kernel takes by value: which numbers of a launch it has, word by
//! word. It holds no numbers.

/// What a word of the structure is, as eight bytes in the order of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// Eight bytes of the value of a parameter, this number of them, zeros beyond its end.
    Value(u16, u16),
    /// Of an array, the number of elements from the start of its memory to where the element of index
    /// zero would be: `base - sum of origin * stride`, a signed number.
    Shift(u16),
    /// First index that is held of an array, in a dimension.
    Origin(u16, u8),
    /// How many indices are held of an array, in a dimension.
    Held(u16, u8),
    /// Extent of an array in a dimension.
    Extent(u16, u8),
    /// Elements from one index to the next in a dimension, a signed number.
    Stride(u16, u8),
    /// Extent of the index space in a dimension; with a reduction, of what is cut into its blocks.
    Size(u8),
    /// First id of the box in a dimension.
    Lo(u8),
    /// How many ids the box has in a dimension; of a table, in dimension 0, its rows.
    Count(u8),
    /// Extent, in a dimension but the last, of the space that gives each item its number.
    Numbering(u8),
    /// Extent of a whole reduction block in a dimension, as [`crate::reduction::chunk`] has it.
    Chunk(u8),
    /// Number of the first reduction block of the launch.
    FirstBlock,
    /// `phase()`
    Phase,
    /// `partition()`
    Partition,
}
