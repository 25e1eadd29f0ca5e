//! Whether the arguments of a native kernel are those of its declaration, as far as its compiler has
//! kept what they are. It sets none.

use flash_ir::elements::{BF16, COMPLEX32, COMPLEX64, F16};
use flash_ir::{ScalarTy, Ty};
use flash_rt::descriptor::{Implementation, NativeArg, Role};
use flash_rt::offload::block;
use flash_rt::offload::table::width;
use flash_rt::search::Conversion;
use flash_rt::{KernelDescriptor, ParamDescriptor};

use super::text::{self, Meaning, Text};
use super::{entry, structure};
use crate::cl::{AddressSpace, ArgInfo, Kernel};
use crate::facts::DeviceFacts;

/// What an argument of a native kernel is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The value of a parameter.
    Value(usize),
    /// The value of a parameter as one of a wider type.
    Widened(usize, ScalarTy, ScalarTy),
    /// The memory of an array parameter.
    Array(usize),
    /// The length of an array parameter.
    Len(usize, Number),
    /// The table of indices.
    Indices,
    /// The number of its rows.
    Rows(Number),
    /// Memory that a work-group shares, beside so many bytes that the kernel has itself.
    Shared(u64),
    /// The box of items, a `flash_block`.
    Block,
}

/// What a number of elements is taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) bytes: usize,
    pub(crate) is_signed: bool,
}

impl Argument {
    /// The bytes that it takes beside the others.
    fn bytes(self, kernel: &KernelDescriptor) -> usize {
        match self {
            Self::Value(at) => kernel.params[at].elem.size(),
            Self::Widened(_, _, to) => to.size(),
            Self::Array(_) | Self::Indices | Self::Shared(_) => size_of::<u64>(),
            Self::Len(_, number) | Self::Rows(number) => number.bytes,
            Self::Block => size_of::<u64>() * block::WORDS,
        }
    }
}

/// Whether the box of its items is one of the arguments, so that a command may have any: it is the last one.
pub(super) fn has_block(arguments: &[Argument]) -> bool {
    arguments.last() == Some(&Argument::Block)
}

/// The name of a type in OpenCL C.
pub(super) fn c_name(scalar: ScalarTy) -> &'static str {
    match scalar {
        ScalarTy::Bool | ScalarTy::U8 => "uchar",
        ScalarTy::I8 => "char",
        ScalarTy::I16 => "short",
        ScalarTy::U16 => "ushort",
        ScalarTy::I32 => "int",
        ScalarTy::U32 => "uint",
        ScalarTy::I64 | ScalarTy::Isize => "long",
        ScalarTy::U64 | ScalarTy::Usize => "ulong",
        ScalarTy::F32 => "float",
        ScalarTy::F64 => "double",
    }
}

const SCALARS: [&str; 11] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];

/// A type as a compiler has written it, in one spelling and without a star.
pub(super) fn spelling(ty: &str) -> String {
    let plain = ty.replace('*', " ");
    let words: Vec<&str> = plain
        .split_whitespace()
        .filter(|word| !["const", "restrict", "volatile", "__global", "global"].contains(word))
        .collect();
    match words.as_slice() {
        ["unsigned"] | ["unsigned", "int"] => "uint".to_owned(),
        ["unsigned", scalar] if SCALARS.contains(scalar) => format!("u{scalar}"),
        ["signed", scalar] => (*scalar).to_owned(),
        // Those of C are in `flash.h`.
        ["size_t" | "uintptr_t" | "uint64_t"] => "ulong".to_owned(),
        ["ptrdiff_t" | "intptr_t" | "int64_t"] => "long".to_owned(),
        ["uint32_t"] => "uint".to_owned(),
        ["int32_t"] => "int".to_owned(),
        words => words.join(" "),
    }
}

/// The number behind the name of a vector, and the name of its elements.
pub(super) fn vector(ty: &str) -> Option<(&str, &str)> {
    let at = ty.find(|c: char| c.is_ascii_digit())?;
    SCALARS.contains(&&ty[..at]).then(|| ty.split_at(at))
}

/// Whether values of a type of Rust are those of a scalar or vector of OpenCL C, or elements in memory are
/// what a pointer to such points to; else what is expected.
fn fits(ty: &Ty, theirs: &str, is_pointer: bool) -> Result<(), String> {
    match ty {
        Ty::Scalar(scalar) => {
            let expected = c_name(*scalar);
            if theirs == expected { Ok(()) } else { Err(format!("`{expected}`")) }
        }
        Ty::Array(elem, _) => match fits(elem, theirs, is_pointer) {
            // In memory one element follows the other.
            Ok(()) if is_pointer => Ok(()),
            _ => as_vector(ty, theirs, is_pointer),
        },
        Ty::Struct(structure) if **structure == F16 => match theirs {
            "half" | "ushort" => Ok(()),
            _ => Err("`half`".to_owned()),
        },
        Ty::Struct(structure) if **structure == BF16 => match theirs {
            "ushort" => Ok(()),
            _ => Err("`ushort`, the bits of a `bf16`, of which OpenCL C has no type".to_owned()),
        },
        Ty::Struct(structure) if **structure == COMPLEX32 && theirs == "float2" => Ok(()),
        Ty::Struct(structure) if **structure == COMPLEX64 && theirs == "double2" => Ok(()),
        Ty::Struct(structure) if **structure == COMPLEX32 => Err("`float2`".to_owned()),
        Ty::Struct(structure) if **structure == COMPLEX64 => Err("`double2`".to_owned()),
        Ty::Struct(_) => Err(like(ty)),
        Ty::Unit => Ok(()),
    }
}

/// What a type of Rust is expected to be where it is no vector.
fn like(ty: &Ty) -> String {
    match ty {
        Ty::Scalar(scalar) => format!("`{}`", c_name(*scalar)),
        _ => format!("a structure like `{}`", structure::name(ty)),
    }
}

/// Whether the values of a small array are those of a vector.
fn as_vector(ty: &Ty, theirs: &str, is_pointer: bool) -> Result<(), String> {
    let mut all = Vec::new();
    structure::parts(ty, 0, "", &mut all);
    let Some((_, one, _)) = all.first() else { return Err(like(ty)) };
    let size = ty.size() / all.len();
    let is_row = all.iter().enumerate().all(|(k, (at, name, _))| name == one && *at == k * size);
    if !is_row {
        return Err(like(ty));
    }
    match all.len() {
        1 if theirs == one => Ok(()),
        n @ (2 | 4 | 8 | 16) if theirs == format!("{one}{n}") => Ok(()),
        n @ (2 | 4 | 8 | 16) => Err(format!("`{one}{n}`")),
        3 if theirs == format!("{one}3") => {
            let own = structure::name(ty);
            Err(format!("`{one}`, as `{theirs}` takes the room of four and `{own}` that of three"))
        }
        _ if is_pointer => Err(format!("`{one}`")),
        _ => Err(like(ty)),
    }
}

/// Whether a type of OpenCL C is a scalar or a vector.
fn is_plain(theirs: &str) -> bool {
    SCALARS.contains(&theirs) || vector(theirs).is_some()
}

/// What the type of an argument is, as far as its name and the text tell.
fn meaning(theirs: &str, text: Option<&Text<'_>>) -> Option<Meaning> {
    match is_plain(theirs) {
        true => Some(Meaning::Plain(theirs.to_owned())),
        false => text.and_then(|text| text.meaning(theirs)),
    }
}

/// How the type of an argument is not that of a parameter: what is expected, or how their structures differ.
enum Unlike {
    Expected(String, String),
    Differs(String),
}

fn unlike(ty: &Ty, theirs: &str, is_pointer: bool, text: Option<&Text<'_>>) -> Option<Unlike> {
    match meaning(theirs, text) {
        Some(Meaning::Plain(plain)) => {
            let expected = fits(ty, &plain, is_pointer).err()?;
            let found = match plain == theirs {
                true => format!("`{theirs}`"),
                false => format!("`{theirs}`, which is `{plain}`"),
            };
            Some(Unlike::Expected(expected, found))
        }
        Some(Meaning::Structure(layout)) if !matches!(ty, Ty::Scalar(_)) => {
            let of_elements = |ty: &Ty| structure::difference(ty, &layout);
            let how = of_elements(ty)?;
            match ty {
                Ty::Array(elem, _) if is_pointer && of_elements(elem).is_none() => None,
                _ => Some(Unlike::Differs(format!("whose `{theirs}` is another structure: {how}"))),
            }
        }
        // Of a name that says nothing nothing is said.
        None if !theirs.starts_with("struct ") || !matches!(ty, Ty::Scalar(_)) => None,
        _ => Some(Unlike::Expected(like(ty), format!("`{theirs}`"))),
    }
}

/// What an argument is that no parameter can be.
fn foreign(theirs: &str) -> Option<&'static str> {
    let last = theirs.rsplit(' ').next()?;
    match last {
        "sampler_t" => Some("a sampler"),
        "event_t" | "queue_t" | "clk_event_t" | "reserve_id_t" => Some("an object of OpenCL"),
        _ if last.starts_with("image") && last.ends_with("_t") => Some("an image"),
        _ if theirs.starts_with("pipe ") => Some("a pipe"),
        _ => None,
    }
}

/// Whether an argument is no value.
fn is_pointer(info: &ArgInfo) -> bool {
    info.space != AddressSpace::Private || info.ty.contains('*')
}

/// What is wrong with an argument for a parameter.
fn fault(
    (ty, role): (&Ty, Role),
    rank: u8,
    info: &ArgInfo,
    text: Option<&Text<'_>>,
) -> Option<String> {
    let theirs = spelling(&info.ty);
    if let Some(what) = foreign(&theirs) {
        return Some(format!(
            "and the kernel takes {what}, `{theirs}`, which FLASH has none of; let it take a pointer to \
             `__global`, or call it from a native node (`Runtime::native`)"
        ));
    }
    if rank == 0 {
        if is_pointer(info) {
            return Some(format!("a value, and the kernel takes a pointer, `{}`", info.ty));
        }
        return Some(match unlike(ty, &theirs, false, text)? {
            Unlike::Expected(expected, found) => {
                format!("a value of type {expected}, and the kernel takes {found}")
            }
            Unlike::Differs(how) => how,
        });
    }
    if !is_pointer(info) {
        return Some(format!("an array, and the kernel takes a value of type `{}`", info.ty));
    }
    match info.space {
        AddressSpace::Local => {
            return Some(
                "an array in `__global` memory, and the kernel takes a pointer to `__local`"
                    .to_owned(),
            );
        }
        AddressSpace::Constant if role.writes() => {
            return Some("written, and the kernel takes a pointer to `__constant`".to_owned());
        }
        _ => {}
    }
    if info.is_const && role.writes() && !matches!(role, Role::Scratch(_)) {
        return Some(format!(
            "written, and the kernel takes a pointer to `const {theirs}`; declare it as an input"
        ));
    }
    Some(match unlike(ty, &theirs, true, text)? {
        Unlike::Expected(expected, found) => {
            format!("an array of {expected}, and the kernel takes a pointer to {found}")
        }
        Unlike::Differs(how) => how,
    })
}

/// The bytes whose multiples a compiler takes the address of an array for: those of what it points to; where
/// that is not known, of the largest vector that its elements may be.
fn alignment(ty: &Ty, info: Option<&ArgInfo>, text: Option<&Text<'_>>) -> usize {
    match info.and_then(|info| meaning(&spelling(&info.ty), text)) {
        Some(Meaning::Plain(plain)) => text::plain(&plain).map_or(1, |layout| layout.align),
        Some(Meaning::Structure(layout)) => layout.align,
        None => structure::widest(ty),
    }
}

/// The arguments of a kernel.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// In the order of the kernel.
    pub(crate) all: Vec<Argument>,
    /// By parameter what the addresses of arrays are multiples of.
    pub(crate) aligned: Vec<usize>,
}

/// The arguments that the declaration says, which are those that the kernel takes; else what differs.
pub(crate) fn check(
    kernel: &KernelDescriptor,
    (implementation, conversions): (&Implementation, &[Conversion]),
    (found, text): (&Kernel, Option<&str>),
    device: &DeviceFacts,
) -> Result<Arguments, String> {
    let n = found.n_args().map_err(|failure| crate::cl::name(failure.code).to_owned())? as usize;
    let infos: Vec<Option<ArgInfo>> = (0..n as u32).map(|k| found.arg(k)).collect();
    let text = text.map(|text| Text::new(text, implementation.options));
    let mut arguments = compare(kernel, (implementation, conversions), &infos, text.as_ref())?;
    let bytes = arguments.iter().map(|argument| argument.bytes(kernel) as u64).sum();
    device.too_large(kernel, bytes).map_or(Ok(()), Err)?;
    if let Some(Argument::Shared(own)) = arguments.last_mut() {
        *own = found.shared_bytes(device.id);
        shared(entry(kernel, implementation), *own, implementation.shared as usize, device)?;
    }
    let mut aligned = vec![1; kernel.params.len()];
    for (argument, info) in arguments.iter().zip(&infos) {
        if let Argument::Array(at) = *argument {
            let of = alignment(&kernel.params[at].ty, info.as_ref(), text.as_ref());
            aligned[at] = of.max(aligned[at]);
        }
    }
    Ok(Arguments { all: arguments, aligned })
}

/// Whether a device has what its work-groups would share. A driver may end the process over it.
pub(crate) fn shared(
    entry: &str,
    own: u64,
    bytes: usize,
    device: &DeviceFacts,
) -> Result<(), String> {
    let (all, most) = (own.saturating_add(bytes as u64), device.groups.shared);
    if all <= u64::from(most) {
        return Ok(());
    }
    Err(format!(
        "a work-group of `{entry}` would share {all} bytes, and it has {most} \
         (CL_DEVICE_LOCAL_MEM_SIZE)"
    ))
}

/// The type and role of a parameter as an implementation that was found for it takes it, and what is set
/// for it.
fn converted(
    param: &ParamDescriptor,
    conversion: Conversion,
    at: usize,
) -> Result<((Ty, Role), Argument), String> {
    let set = if param.rank == 0 { Argument::Value(at) } else { Argument::Array(at) };
    match conversion {
        Conversion::None => Ok(((param.ty, param.role), set)),
        // What it is called is all that differs, or that it is not written.
        Conversion::Name => {
            Ok(((param.ty, if param.rank > 0 { Role::In } else { param.role }), set))
        }
        Conversion::Widen(from, to) => {
            Ok(((Ty::Scalar(to), param.role), Argument::Widened(at, from, to)))
        }
        Conversion::ToArray | Conversion::ToValue => Err(format!(
            "`{}` would be an array in place of a value, or a value in place of an array, which is not \
             done on an OpenCL device; register it as it is declared",
            param.name
        )),
    }
}

fn compare(
    kernel: &KernelDescriptor,
    (implementation, conversions): (&Implementation, &[Conversion]),
    infos: &[Option<ArgInfo>],
    text: Option<&Text<'_>>,
) -> Result<Vec<Argument>, String> {
    let in_order: Vec<NativeArg> =
        (0..kernel.params.len()).map(|k| NativeArg::Param(k as u16)).collect();
    let said =
        if implementation.args.is_empty() { in_order.as_slice() } else { implementation.args };
    let mut arguments = Vec::with_capacity(said.len() + 1);
    for (k, argument) in said.iter().enumerate() {
        let info = infos.get(k).and_then(Option::as_ref);
        let (NativeArg::Param(at) | NativeArg::Len(at)) = *argument;
        let Some(param) = kernel.params.get(usize::from(at)) else {
            return Err(format!("`args` names parameter {at}, and there is none"));
        };
        let at = usize::from(at);
        arguments.push(match argument {
            NativeArg::Param(_) => {
                let conversion = conversions.get(at).copied().unwrap_or(Conversion::None);
                let ((ty, role), set) = converted(param, conversion, at)?;
                if let Some(why) = info.and_then(|info| fault((&ty, role), param.rank, info, text))
                {
                    let called = info.map_or_else(String::new, |info| called(k, info));
                    return Err(format!("argument {called} is for `{}`, {why}", param.name));
                }
                set
            }
            NativeArg::Len(_) => Argument::Len(
                at,
                number(k, &format!("the length of `{}`", param.name), info, text)?,
            ),
        });
    }
    if let Some(table) = kernel.table {
        let at = said.len();
        let info = |k: usize| infos.get(k).and_then(Option::as_ref);
        let scalar = if width(table) == 4 { ScalarTy::U32 } else { ScalarTy::U64 };
        let of = (&Ty::Scalar(scalar), Role::In);
        if let Some(why) = info(at).and_then(|info| fault(of, 1, info, text)) {
            let called = info(at).map_or_else(String::new, |info| called(at, info));
            return Err(format!("argument {called} is for the table of indices, {why}"));
        }
        arguments.push(Argument::Indices);
        arguments.push(Argument::Rows(number(
            at + 1,
            "the number of its rows",
            info(at + 1),
            text,
        )?));
    }
    let n_ours = arguments.len();
    let is_block = |info: &Option<ArgInfo>| {
        info.as_ref().is_some_and(|info| spelling(&info.ty).ends_with("flash_block"))
    };
    if infos.len() == n_ours + 1 && infos.last().is_some_and(is_block) {
        arguments.push(Argument::Block);
        return Ok(arguments);
    }
    let is_local =
        |info: &Option<ArgInfo>| info.as_ref().is_none_or(|info| info.space == AddressSpace::Local);
    if infos.len() == n_ours + 1 && infos.last().is_some_and(is_local) {
        arguments.push(Argument::Shared(0));
    }
    if arguments.len() != infos.len() {
        let table = kernel.table.iter().map(|_| "the table of indices and its rows".to_owned());
        let ours: Vec<String> = said
            .iter()
            .map(|argument| match argument {
                NativeArg::Param(at) => format!("`{}`", name(kernel, *at)),
                NativeArg::Len(at) => format!("the length of `{}`", name(kernel, *at)),
            })
            .chain(table)
            .collect();
        return Err(format!(
            "the kernel takes {} arguments, and the declaration gives {n_ours}: {}",
            infos.len(),
            ours.join(", ")
        ));
    }
    Ok(arguments)
}

/// What a kernel takes a number of elements in.
fn number(
    at: usize,
    what: &str,
    info: Option<&ArgInfo>,
    text: Option<&Text<'_>>,
) -> Result<Number, String> {
    if let Some(info) = info.filter(|info| is_pointer(info)) {
        return Err(format!(
            "argument {at} is {what}, and the kernel takes a pointer, `{}`; it is `ulong`, or `uint` \
             or `int`",
            info.ty
        ));
    }
    let theirs = info.map(|info| spelling(&info.ty));
    let meant = theirs.as_ref().map(|theirs| match meaning(theirs, text) {
        Some(Meaning::Plain(plain)) => plain,
        _ => theirs.clone(),
    });
    match meant.as_deref() {
        Some("long") => Ok(Number { bytes: 8, is_signed: true }),
        None | Some("ulong") => Ok(Number { bytes: 8, is_signed: false }),
        Some("int") => Ok(Number { bytes: 4, is_signed: true }),
        Some("uint") => Ok(Number { bytes: 4, is_signed: false }),
        Some(theirs) => Err(format!(
            "argument {at} is {what}, and the kernel takes `{theirs}`; it is `ulong`, or `uint` or `int`"
        )),
    }
}

fn name(kernel: &KernelDescriptor, at: u16) -> &'static str {
    kernel.params.get(usize::from(at)).map_or("?", |param| param.name)
}

/// An argument by its place and, where that is known, its name.
fn called(at: usize, info: &ArgInfo) -> String {
    if info.name.is_empty() { at.to_string() } else { format!("{at} (`{}`)", info.name) }
}

#[cfg(test)]
mod tests {
    use flash_ir::{FieldTy, StructTy};

    use super::*;

    const F32: Ty = Ty::Scalar(ScalarTy::F32);
    const FOUR: Ty = Ty::Array(&F32, 4);
    const PAIR: Ty = Ty::Array(&F32, 2);
    const BODY: Ty = Ty::Struct(&StructTy {
        name: "Body",
        size: 8,
        align: 4,
        fields: &[
            FieldTy { name: "at", offset: 0, ty: F32 },
            FieldTy { name: "id", offset: 4, ty: Ty::Scalar(ScalarTy::I32) },
        ],
    });

    #[test]
    fn types_have_one_spelling() {
        for (written, expected) in [
            ("float*", "float"),
            ("const unsigned int *", "uint"),
            ("unsigned char", "uchar"),
            ("signed char*", "char"),
            ("size_t", "ulong"),
            ("const uint32_t*", "uint"),
            ("struct particle*", "struct particle"),
            ("float4*", "float4"),
        ] {
            assert_eq!(spelling(written), expected, "{written}");
        }
    }

    #[test]
    fn a_scalar_is_one_type_of_opencl_c() {
        for (scalar, own) in [
            (ScalarTy::Bool, "uchar"),
            (ScalarTy::I8, "char"),
            (ScalarTy::U8, "uchar"),
            (ScalarTy::I16, "short"),
            (ScalarTy::U16, "ushort"),
            (ScalarTy::I32, "int"),
            (ScalarTy::U32, "uint"),
            (ScalarTy::I64, "long"),
            (ScalarTy::U64, "ulong"),
            (ScalarTy::Isize, "long"),
            (ScalarTy::Usize, "ulong"),
            (ScalarTy::F32, "float"),
            (ScalarTy::F64, "double"),
        ] {
            let fitting = |ty: &&str| fits(&Ty::Scalar(scalar), ty, false).is_ok();
            let all: Vec<&str> = SCALARS.into_iter().filter(fitting).collect();
            assert_eq!(all, [own], "{scalar:?}");
        }
    }

    #[test]
    fn elements_are_compared_with_what_a_pointer_points_to() {
        let pointer = |ty: &Ty, theirs| fits(ty, theirs, true);
        assert!(pointer(&F32, "float").is_ok());
        assert_eq!(pointer(&F32, "int").unwrap_err(), "`float`");
        assert_eq!(pointer(&Ty::Scalar(ScalarTy::Usize), "uint").unwrap_err(), "`ulong`");
        assert!(pointer(&FOUR, "float4").is_ok());
        assert!(pointer(&Ty::Array(&F32, 3), "float").is_ok());
        let three = pointer(&Ty::Array(&F32, 3), "float3").unwrap_err();
        assert!(three.contains("the room of four"), "{three}");
        assert!(pointer(&FOUR, "float8").is_err());
        // Arrays of others are as much as their scalars.
        let (pairs, bodies) = (Ty::Array(&PAIR, 2), Ty::Array(&BODY, 2));
        for theirs in ["float", "float2", "float4"] {
            assert!(pointer(&pairs, theirs).is_ok(), "{theirs}");
        }
        assert_eq!(pointer(&pairs, "int").unwrap_err(), "`float4`");
        assert_eq!(pointer(&Ty::Array(&PAIR, 3), "float3").unwrap_err(), "`float`");
        assert_eq!(pointer(&bodies, "int").unwrap_err(), "a structure like `[Body; 2]`");
    }

    #[test]
    fn a_value_is_no_more_than_its_type_holds() {
        let value = |ty: &Ty, theirs| fits(ty, theirs, false);
        assert!(value(&FOUR, "float4").is_ok());
        assert_eq!(value(&FOUR, "float").unwrap_err(), "`float4`");
        assert!(value(&Ty::Array(&F32, 1), "float").is_ok());
        assert_eq!(value(&Ty::Array(&F32, 5), "float").unwrap_err(), "a structure like `[f32; 5]`");
        assert!(value(&Ty::Array(&PAIR, 2), "float4").is_ok());
        assert!(value(&Ty::Array(&PAIR, 2), "float2").is_err());
    }
}
