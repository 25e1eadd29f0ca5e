//! What a kernel is, as constant data made by `#[flash::kernel]`. Nothing here runs anything.

use std::any::TypeId;
use std::ops::Range;

use flash_ir::ir::ReduceOp;
use flash_ir::{KernelIr, Ty};

use crate::arg_range::ArgRange;
use crate::entry::Uniforms;
pub use crate::entry::{Entries, Entry, IsaEntry, KernelBody};
use crate::pod::ElemType;

/// Version of the layout and meaning of [`KernelDescriptor`].
pub const DESCRIPTOR_VERSION: u32 = 3;

/// The facts of a kernel.
#[derive(Debug)]
pub struct KernelDescriptor {
    /// [`DESCRIPTOR_VERSION`] at the time of expansion.
    pub version: u32,
    /// Stable name: `saxpy`, or `axpy<f32>` for an instance.
    pub name: &'static str,
    /// `module_path!()` of the declaration.
    pub path: &'static str,
    /// FNV-1a-64 of the signature as normalised tokens, the instance included.
    pub signature: u64,
    /// Rank of the index space: one more than the highest `global_id` in the body, or as declared.
    pub rank: u8,
    /// The parameters in declaration order.
    pub params: &'static [ParamDescriptor],
    /// `inputs = n`, where written.
    pub inputs: Option<u32>,
    /// `idempotent`, `fast_math`, `deterministic`.
    pub flags: Flags,
    /// `sort_by(..)` and `group_by(..)`.
    pub order: Order,
    /// `part_by`.
    pub parts: Parts,
    /// `searchable(..)`, where written.
    pub search: Option<Search>,
    /// `index_table`, where written.
    pub table: Option<Table>,
    /// `requires(..)`.
    pub needs: &'static [Need],
    /// Entries for the CPU; `None` for a bodiless declaration.
    pub entries: Option<Entries>,
    /// The body; `None` for a bodiless declaration.
    pub ir: Option<&'static KernelIr>,
    /// Why the CPU lowering could not take the fast path at a site, for `explain()`.
    pub slow: &'static [SlowSite],
    /// Native implementations in declaration order.
    pub implementations: &'static [Implementation],
    /// File, line and column of the kernel's name.
    pub file: &'static str,
    /// Line of the kernel's name, from 1.
    pub line: u32,
    /// Column of the kernel's name, from 1.
    pub column: u32,
    /// Whether the crate of the kernel was compiled without optimisation.
    pub unoptimised: bool,
}

impl KernelDescriptor {
    /// A kernel of which only name, rank and parameters are known: it has no body, no attribute and no
    /// place in a file.
    pub const fn bare(name: &'static str, rank: u8, params: &'static [ParamDescriptor]) -> Self {
        Self {
            version: DESCRIPTOR_VERSION,
            name,
            path: "",
            signature: 0,
            rank,
            params,
            inputs: None,
            flags: Flags { idempotent: false, fast_math: false, deterministic: false },
            order: Order::NATURAL,
            parts: Parts::Whole,
            search: None,
            table: None,
            needs: &[],
            entries: None,
            ir: None,
            slow: &[],
            implementations: &[],
            file: "",
            line: 0,
            column: 0,
            unoptimised: false,
        }
    }
}

/// The type beside a kernel's constructor: its instances.
pub trait Kernel {
    /// One descriptor for each instance, in declaration order.
    const DESCRIPTORS: &'static [&'static KernelDescriptor];
}

/// One parameter.
#[derive(Debug)]
pub struct ParamDescriptor {
    /// The name as written.
    pub name: &'static str,
    /// How it is used.
    pub role: Role,
    /// Type of the value or of one element.
    pub ty: Ty,
    /// The same type as rustc knows it.
    pub elem: Elem,
    /// 0 for a value or reduction, else the rank of the array.
    pub rank: u8,
    /// For a written array: where each component of its own place comes from. Empty if `raw`.
    pub own: &'static [Component],
    /// Whether the body reaches it inside `unsafe`, so that no reference to it may exist.
    pub raw: bool,
    /// Whether every path of the body writes the own place, so that a full `OUT` needs no upload
    /// where the space covers the array.
    pub always_written: bool,
}

/// A type of an instance list, as the code of that instance names it. `CHECK` is a constant of the
/// expansion that asks [`instance`] about the type, and an error where it is none for a kernel.
pub trait Instance<const CHECK: usize> {
    /// The type itself.
    type Type;
}

impl<T, const CHECK: usize> Instance<CHECK> for T {
    type Type = T;
}

/// Asks of a type in an instance list what is asked of every element.
pub const fn instance<T: crate::Pod>() -> usize {
    0
}

/// A type as rustc knows it. Made from a type only, so that memory can be laid out by it.
#[derive(Clone, Copy, Debug)]
pub struct Elem {
    id: TypeId,
    size: usize,
    align: usize,
}

impl Elem {
    /// The type `T`.
    pub const fn of<T: Copy + 'static>() -> Self {
        Self { id: TypeId::of::<T>(), size: size_of::<T>(), align: align_of::<T>() }
    }

    /// That of an array.
    pub(crate) fn of_array(elem: &ElemType) -> Self {
        Self { id: elem.id, size: elem.size, align: elem.align }
    }

    /// Its identity.
    #[inline]
    pub fn id(&self) -> TypeId {
        self.id
    }

    /// Its size in bytes.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Its alignment in bytes.
    #[inline]
    pub fn align(&self) -> usize {
        self.align
    }
}

/// How a parameter is used; Controllers' roles, with the FLASH additions.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// `INVAL`: by value.
    Value,
    /// `IN`
    In,
    /// `IO`
    InOut,
    /// `OUT`
    Out,
    /// `OUT(partial)`
    OutPartial,
    /// Device-only temporary; the number of elements from the values and extents of the call.
    Scratch(for<'u> fn(&Uniforms<'u>) -> Option<usize>),
    /// A reduction; `into` adds to what is there.
    Reduce {
        /// The operation.
        op: ReduceOp,
        /// Whether the cell's value takes part.
        into: bool,
    },
    /// Shared cells.
    Atomic,
}

impl Role {
    /// Whether a launch reads what was there before.
    pub fn reads(self) -> bool {
        match self {
            Self::In | Self::InOut | Self::OutPartial | Self::Atomic => true,
            Self::Reduce { into, .. } => into,
            Self::Value | Self::Out | Self::Scratch(_) => false,
        }
    }

    /// Whether a launch changes it.
    pub fn writes(self) -> bool {
        !matches!(self, Self::Value | Self::In)
    }
}

/// Where one component of an own place comes from.
#[derive(Clone, Copy, Debug)]
pub enum Component {
    /// `global_id(dim)` plus a launch-uniform offset; `None` from the function is an overflow.
    Id {
        /// The launch dimension.
        dim: u8,
        /// The offset, evaluated once at launch.
        offset: for<'u> fn(&Uniforms<'u>) -> Option<usize>,
    },
    /// Any index: the item owns the whole extent.
    Free,
}

/// The offset of a place that is the id itself: a launch does not ask this one, which it knows by its address.
#[inline(never)]
pub fn no_offset(_: &Uniforms<'_>) -> Option<usize> {
    Some(0)
}

/// Flags of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// An item may run again after an attempt has ended, or in another memory than one that is late.
    pub idempotent: bool,
    /// Float operations may be contracted and reassociated.
    pub fast_math: bool,
    /// Float atomics are refused, reductions merge in the fixed order.
    pub deterministic: bool,
}

/// The phases that a kernel asks for. Dimensions count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// `sort_by(..)`: the dimensions of the key, most significant first.
    pub sort_by: &'static [u8],
    /// Every `group_by(..)`, as written.
    pub group_by: &'static [Group],
}

impl Order {
    /// All items in one phase.
    pub const NATURAL: Self = Self { sort_by: &[], group_by: &[] };

    /// Whether all items are in one phase.
    #[inline]
    pub const fn is_natural(&self) -> bool {
        self.sort_by.is_empty() && self.group_by.is_empty()
    }
}

/// Where phases begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `group_by(d)`: a phase for each index of this dimension and those above it.
    From(u8),
    /// `group_by(d, value)`: items with this index in the dimension are phases of their own.
    Value(u8, u64),
}

/// How a launch may be split.
#[derive(Clone, Copy, Debug)]
pub enum Parts {
    /// It is not: there is no `part_by`.
    Whole,
    /// `part_by` without a function: by what the body reaches.
    Inferred,
    /// `part_by = f`
    By(PartFn),
}

/// What each array argument needs of a block of items, which is a range for each dimension of the
/// index space, dimension 0 first.
pub type PartFn = fn(&[Range<u64>]) -> Vec<ArgRange>;

/// How far an implementation may differ from the declaration it is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Not at all: name, arity, element types and roles agree.
    Exact,
    /// By lossless conversions.
    Fuzzy,
}

/// The table of indices that a kernel without a body asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Whether all indices of an item stand together; else all of a dimension do.
    pub by_item: bool,
    /// The bytes of an index, 4 or 8; `None` for 4 where all ids of a launch fit.
    pub bytes: Option<u8>,
}

impl Table {
    /// The bytes of an index where ids are below these; `None` where they do not fit.
    pub fn bytes_for(&self, ends: &[usize]) -> Option<usize> {
        let fits = ends.iter().all(|&end| end as u64 <= 1 << 32);
        match self.bytes {
            Some(4) => fits.then_some(4),
            Some(_) => Some(8),
            None => Some(if fits { 4 } else { 8 }),
        }
    }
}

/// A capability that `requires(..)` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// 64-bit floats.
    F64,
    /// 16-bit floats.
    F16,
    /// Integer atomics of 32 bits.
    Atomics,
    /// Atomics of 64 bits.
    Atomics64,
    /// 8-bit and 16-bit stores.
    ByteStores,
    /// Work-group barriers.
    Barrier,
    /// Sub-groups.
    SubGroups,
}

impl Need {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::F64,
        Self::F16,
        Self::Atomics,
        Self::Atomics64,
        Self::ByteStores,
        Self::Barrier,
        Self::SubGroups,
    ];

    /// As `requires(..)` names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F16 => "f16",
            Self::Atomics => "atomics",
            Self::Atomics64 => "atomics64",
            Self::ByteStores => "byte_stores",
            Self::Barrier => "barrier",
            Self::SubGroups => "sub_groups",
        }
    }
}

/// A site that keeps a kernel from the fast path of the CPU.
#[derive(Clone, Copy, Debug)]
pub struct SlowSite {
    /// The parameter.
    pub param: &'static str,
    /// Line of the access, from 1.
    pub line: u32,
    /// Why, and what would help.
    pub why: &'static str,
}

/// A native implementation, as declared.
#[derive(Clone, Copy, Debug)]
pub struct Implementation {
    /// `cuda`, `opencl`, `fpga` or `cpu`.
    pub backend: &'static str,
    /// Where its code is.
    pub code: Code,
    /// The function in it.
    pub entry: &'static str,
    /// `family = ".."`, empty for the backend's default.
    pub family: &'static str,
    /// `block(..)`, empty where the run time chooses.
    pub block: &'static [u32],
    /// `grid(..)`, empty where it follows from the space.
    pub grid: &'static [u32],
    /// `shared = bytes`.
    pub shared: u32,
    /// `args(..)` as indices of parameters; empty for declared order.
    pub args: &'static [NativeArg],
    /// `guarded`: the kernel tests its own index against the extents.
    pub guarded: bool,
    /// `options = ".."` for a compiler.
    pub options: &'static str,
    /// `cooperative`: all blocks of a launch run at once, so that they may wait for each other.
    pub cooperative: bool,
    /// `globals(..)`: variables of the code that are filled before each launch.
    pub globals: &'static [Global],
}

impl Implementation {
    /// One of which nothing more is said.
    pub const fn bare(backend: &'static str, code: Code, entry: &'static str) -> Self {
        Self {
            backend,
            code,
            entry,
            family: "",
            block: &[],
            grid: &[],
            shared: 0,
            args: &[],
            guarded: false,
            options: "",
            cooperative: false,
            globals: &[],
        }
    }
}

/// A variable of native code that launches fill.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    /// Its name in the code.
    pub name: &'static str,
    /// What it gets a copy of.
    pub value: NativeArg,
}

/// Where native code is.
#[derive(Clone, Copy, Debug)]
pub enum Code {
    /// Embedded at compile time: name and bytes.
    Embedded(&'static str, &'static [u8]),
    /// Opened at run time.
    Path(&'static str),
}

/// One argument of a native implementation.
#[derive(Clone, Copy, Debug)]
pub enum NativeArg {
    /// A parameter of the kernel.
    Param(u16),
    /// The length of an array parameter, as `u64`.
    Len(u16),
}
