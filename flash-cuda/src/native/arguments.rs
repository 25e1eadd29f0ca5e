//! What is given to a native kernel, in its order, and whether its code takes so many bytes of each.

use flash_ir::{ScalarTy, Ty};
use flash_rt::descriptor::{Implementation, NativeArg};
use flash_rt::offload::block;
use flash_rt::offload::table::width;
use flash_rt::search::Conversion;
use flash_rt::{KernelDescriptor, ParamDescriptor};

use crate::image::Entry;

/// The bytes of a `flash_block`.
const BLOCK: usize = 8 * block::WORDS;

/// What an argument is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// The value of a parameter.
    Value(Ty),
    /// The elements of an array, as a pointer.
    Array(Ty),
    /// The length of an array; in so many bytes, where the code has been asked.
    Len(usize),
    /// The table of indices, of this type.
    Indices(Ty),
    /// The number of its rows; in so many bytes, where the code has been asked.
    Rows(usize),
    /// The box of items, a `flash_block`.
    Block,
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// The parameter that it is for.
    pub(super) param: usize,
    pub(super) said: Said,
    pub(super) is_written: bool,
    /// What a value becomes.
    pub(super) widened: Option<(ScalarTy, ScalarTy)>,
}

impl Given {
    /// What no parameter is for.
    fn of_launch(said: Said) -> Self {
        Self { param: 0, said, is_written: false, widened: None }
    }

    /// In words.
    pub(super) fn words(&self, kernel: &KernelDescriptor) -> String {
        let name = kernel.params.get(self.param).map_or("?", |param| param.name);
        match self.said {
            Said::Len(_) => format!("the length of `{name}`"),
            Said::Indices(_) => "the table of indices".to_owned(),
            Said::Rows(_) => "the number of its rows".to_owned(),
            Said::Block => "the box of items".to_owned(),
            _ => format!("`{name}`"),
        }
    }

    /// Its bytes, where there is one number of them.
    fn bytes(&self) -> Option<usize> {
        match self.said {
            Said::Value(ty) => Some(ty.size()),
            Said::Array(_) | Said::Indices(_) => Some(8),
            Said::Len(_) | Said::Rows(_) => None,
            Said::Block => Some(BLOCK),
        }
    }
}

/// A parameter as an implementation that was found for it takes it.
fn converted(param: &ParamDescriptor, conversion: Conversion, at: usize) -> Result<Given, String> {
    let given = Given {
        param: at,
        said: if param.rank == 0 { Said::Value(param.ty) } else { Said::Array(param.ty) },
        is_written: param.rank > 0 && param.role.writes(),
        widened: None,
    };
    match conversion {
        Conversion::None => Ok(given),
        Conversion::Name => Ok(Given { is_written: false, ..given }),
        Conversion::Widen(from, to) => {
            Ok(Given { said: Said::Value(Ty::Scalar(to)), widened: Some((from, to)), ..given })
        }
        Conversion::ToArray | Conversion::ToValue => Err(format!(
            "`{}` would be an array in place of a value, or a value in place of an array, which is not \
             done on a CUDA device; register it as it is declared",
            param.name
        )),
    }
}

/// The arguments that a declaration gives.
pub(super) fn given(
    kernel: &KernelDescriptor,
    implementation: &Implementation,
    conversions: &[Conversion],
) -> Result<Vec<Given>, String> {
    let in_order: Vec<NativeArg> =
        (0..kernel.params.len()).map(|k| NativeArg::Param(k as u16)).collect();
    let said =
        if implementation.args.is_empty() { in_order.as_slice() } else { implementation.args };
    let one = |argument: &NativeArg| {
        let (NativeArg::Param(at) | NativeArg::Len(at)) = *argument;
        let at = usize::from(at);
        let Some(param) = kernel.params.get(at) else {
            return Err(format!("`args` names parameter {at}, and there is none"));
        };
        match argument {
            NativeArg::Param(_) => {
                converted(param, conversions.get(at).copied().unwrap_or(Conversion::None), at)
            }
            NativeArg::Len(_) => {
                Ok(Given { param: at, said: Said::Len(8), is_written: false, widened: None })
            }
        }
    };
    let table = kernel.table.into_iter().flat_map(|table| {
        let scalar = if width(table) == 4 { ScalarTy::U32 } else { ScalarTy::U64 };
        [Said::Indices(Ty::Scalar(scalar)), Said::Rows(8)]
    });
    said.iter().map(one).chain(table.map(|said| Ok(Given::of_launch(said)))).collect()
}

/// The arguments, with lengths of as many bytes as a function takes, and with the box of items where it
/// takes one; else what its code differs in.
pub(super) fn fitted(
    kernel: &KernelDescriptor,
    mut given: Vec<Given>,
    sizes: &[usize],
) -> Result<Vec<Given>, String> {
    // Nothing else that a declaration does not give is so large.
    if given.len() + 1 == sizes.len() && sizes.last() == Some(&BLOCK) {
        given.push(Given::of_launch(Said::Block));
    }
    if given.len() != sizes.len() {
        let ours: Vec<String> = given.iter().map(|given| given.words(kernel)).collect();
        return Err(format!(
            "the kernel takes {} arguments, and the declaration gives {}: {}",
            sizes.len(),
            given.len(),
            ours.join(", ")
        ));
    }
    for (k, (given, &theirs)) in given.iter_mut().zip(sizes).enumerate() {
        match (given.bytes(), &mut given.said) {
            (None, Said::Len(bytes) | Said::Rows(bytes)) if matches!(theirs, 4 | 8) => {
                *bytes = theirs
            }
            (Some(ours), _) if ours == theirs => {}
            (ours, _) => {
                let ours = ours.map_or_else(|| "4 or 8".to_owned(), |ours| ours.to_string());
                return Err(format!(
                    "argument {k} is for {}, of {ours} bytes, and the kernel takes {theirs} bytes there",
                    given.words(kernel)
                ));
            }
        }
    }
    Ok(given)
}

/// Whether the box of its items is one of them, so that a command may have any: it is the last one.
pub(super) fn has_block(given: &[Given]) -> bool {
    given.last().is_some_and(|given| given.said == Said::Block)
}

/// The bytes of each parameter of a function.
pub(super) fn sizes(entry: &Entry) -> Vec<usize> {
    entry.params.iter().map(|param| param.bytes).collect()
}
