//! The types a device knows. Layouts are recorded, not computed: rustc decides them.

/// A scalar of the kernel language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarTy {
    /// `bool`, by value or in a local only; never an array element.
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `isize`, 64 bits on every device
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`, 64 bits on every device
    Usize,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

/// A type of the kernel language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `()`
    Unit,
    /// A scalar.
    Scalar(ScalarTy),
    /// A `#[repr(C)]` structure that derives `flash::Pod`.
    Struct(&'static StructTy),
    /// A small array in registers or private memory.
    Array(&'static Ty, usize),
}

/// The recorded layout of a structure.
#[derive(Debug, PartialEq, Eq)]
pub struct StructTy {
    /// The name as declared.
    pub name: &'static str,
    /// `size_of` in bytes.
    pub size: usize,
    /// `align_of` in bytes.
    pub align: usize,
    /// The fields in declaration order.
    pub fields: &'static [FieldTy],
}

/// One field of a [`StructTy`].
#[derive(Debug, PartialEq, Eq)]
pub struct FieldTy {
    /// The name as declared.
    pub name: &'static str,
    /// `offset_of!` in bytes.
    pub offset: usize,
    /// The type of the field.
    pub ty: Ty,
}

/// A Rust type that has a [`Ty`] on every device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot live on a device",
    label = "not a type of the kernel language",
    note = "scalars, arrays of them and `#[repr(C)]` structs deriving `flash::Pod` can"
)]
pub trait DevTy: Copy + 'static {
    /// The device type.
    const TY: Ty;
}

macro_rules! scalars {
    ($($rust:ty => $scalar:ident),* $(,)?) => {
        $(
            impl DevTy for $rust { const TY: Ty = Ty::Scalar(ScalarTy::$scalar); }
            impl crate::probe::Computes for $rust {}
        )*
    };
}
scalars!(bool => Bool, i8 => I8, i16 => I16, i32 => I32, i64 => I64, isize => Isize,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, usize => Usize, f32 => F32, f64 => F64);

impl DevTy for () {
    const TY: Ty = Ty::Unit;
}

impl<T: DevTy, const N: usize> DevTy for [T; N] {
    const TY: Ty = {
        assert!(N > 0, "an array without elements has no bytes, and devices have no such values");
        Ty::Array(&T::TY, N)
    };
}

impl ScalarTy {
    /// Size in bytes; `bool` counts as one.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::Isize | Self::Usize | Self::F64 => 8,
        }
    }

    /// The Rust name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Isize => "isize",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::Usize => "usize",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Whether the type is `f32` or `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Whether the type is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::Isize)
    }
}

impl Ty {
    /// Size in bytes.
    pub const fn size(&self) -> usize {
        match self {
            Self::Unit => 0,
            Self::Scalar(scalar) => scalar.size(),
            Self::Struct(layout) => layout.size,
            Self::Array(elem, len) => elem.size() * *len,
        }
    }

    /// Whether a scalar in it is one of these.
    ///
    /// ```
    /// use flash_ir::{DevTy, ScalarTy};
    ///
    /// assert!(<[f64; 3]>::TY.any(&|scalar| scalar == ScalarTy::F64));
    /// ```
    pub fn any(&self, of: &dyn Fn(ScalarTy) -> bool) -> bool {
        match self {
            Self::Unit => false,
            Self::Scalar(scalar) => of(*scalar),
            Self::Struct(layout) => layout.fields.iter().any(|field| field.ty.any(of)),
            Self::Array(elem, _) => elem.any(of),
        }
    }
}

/// The unsigned integer that holds the bits of a float.
pub trait Bits {
    /// Its type.
    const TY: Ty;
}

impl Bits for f32 {
    const TY: Ty = Ty::Scalar(ScalarTy::U32);
}

impl Bits for f64 {
    const TY: Ty = Ty::Scalar(ScalarTy::U64);
}
