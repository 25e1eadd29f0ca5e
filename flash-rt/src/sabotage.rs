//! Faults on purpose, so that tests of tests can see them fail. Only in builds with the feature
//! `sabotage`, and only where `FLASH_SABOTAGE` asks for one; it never makes an access unsafe.
//!
//! | `FLASH_SABOTAGE` | what goes wrong |
//! |---|---|
//! | `skip:<kernel>` | launches of the kernel do nothing |
//! | `stale:up:<kernel>.<parameter>` | what the parameter reads is not brought to the device |
//! | `stale:down:<kernel>.<parameter>` | what the parameter writes, or what it reduces to, is not brought back |
//! | `swap-args` | the first two arguments of the same type change places |
//! | `off-by-one` | the first array of a launch begins one element late |
//! | `inexact` | bodies run on devices that do not round their quotients and roots of `f32` correctly |
//! | `no-edges` | nothing waits for anything, and what comes last in the program runs first |
//! | `no-edges:<kind>` | as that, but only for one kind of order: `raw`, `war`, `waw`, `tasks` |
//! | `no-edges:<kind>:<from>:<to>` | .. and between certain nodes: `task`, `kernel`, `device<number>`, `control`, `data`, `any` |

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::backend::DynMemory;
use crate::descriptor::{KernelDescriptor, ParamDescriptor, Role};
use crate::engine::Missing;
use crate::entry::Slot;
use crate::env_options;
use crate::error::{Error, Result};

/// What goes wrong.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    Skip(String),
    StaleUp(String),
    StaleDown(String),
    SwapArgs,
    OffByOne,
    Inexact,
    NoEdges(Missing),
}

/// The fault of this process.
fn fault() -> Result<Option<&'static Fault>> {
    static FAULT: OnceLock<Result<Option<Fault>>> = OnceLock::new();
    let read = || env_options::sabotage().map(|text| parse(&text)).transpose();
    match FAULT.get_or_init(read) {
        Ok(fault) => Ok(fault.as_ref()),
        Err(error) => Err(error.clone()),
    }
}

fn parse(text: &str) -> Result<Fault> {
    let words: Vec<&str> = text.split(':').collect();
    match words[..] {
        ["skip", kernel] => Ok(Fault::Skip(kernel.to_owned())),
        ["stale", "up", param] if param.contains('.') => Ok(Fault::StaleUp(param.to_owned())),
        ["stale", "down", param] if param.contains('.') => Ok(Fault::StaleDown(param.to_owned())),
        ["swap-args"] => Ok(Fault::SwapArgs),
        ["off-by-one"] => Ok(Fault::OffByOne),
        ["inexact"] => Ok(Fault::Inexact),
        ["no-edges", ref which @ ..] if let Some(missing) = Missing::parse(which) => {
            Ok(Fault::NoEdges(missing))
        }
        _ => Err(Error::Option {
            option: "FLASH_SABOTAGE",
            value: text.to_owned(),
            why: "expected `skip:<kernel>`, `stale:up:<kernel>.<parameter>`, \
                  `stale:down:<kernel>.<parameter>`, `swap-args`, `off-by-one`, `inexact` or `no-edges[:<kind>[:<from>[:<to>]]]`"
                .to_owned(),
        }),
    }
}

/// Whether anything is to go wrong, or what was asked for makes no sense.
pub(crate) fn is_on() -> bool {
    !matches!(fault(), Ok(None))
}

/// Whether bodies run where their quotients are not those of other devices.
pub(crate) fn is_inexact() -> bool {
    matches!(fault(), Ok(Some(Fault::Inexact)))
}

/// Whether launches of a kernel do nothing.
pub(crate) fn skips(kernel: &KernelDescriptor) -> Result<bool> {
    Ok(matches!(fault()?, Some(Fault::Skip(name)) if name == kernel.name))
}

/// Whether what a parameter reads is not brought to the device.
pub(crate) fn keeps_stale_device(kernel: &KernelDescriptor, param: &ParamDescriptor) -> bool {
    matches!(fault(), Ok(Some(Fault::StaleUp(name))) if is_named(name, kernel, param))
}

/// Whether what a parameter writes is not brought back.
pub(crate) fn keeps_stale_host(kernel: &KernelDescriptor, param: &ParamDescriptor) -> bool {
    matches!(fault(), Ok(Some(Fault::StaleDown(name))) if is_named(name, kernel, param))
}

/// What does not wait for what.
pub(crate) fn missing_edges() -> Option<Missing> {
    match fault() {
        Ok(Some(Fault::NoEdges(missing))) => Some(*missing),
        _ => None,
    }
}

fn is_named(name: &str, kernel: &KernelDescriptor, param: &ParamDescriptor) -> bool {
    name.split_once('.') == Some((kernel.name, param.name))
}

/// The arguments of a launch with their fault, and the memories that belong to them.
pub(crate) fn arguments<'s>(
    kernel: &KernelDescriptor,
    slots: &'s [Slot],
    memories: &mut [Option<&DynMemory>],
) -> Cow<'s, [Slot]> {
    let mut slots = Cow::Borrowed(slots);
    match fault() {
        Ok(Some(Fault::SwapArgs)) => {
            if let Some((i, j)) = first_pair(kernel) {
                let slots = slots.to_mut();
                // Who owns what stays with the parameter.
                let (a, b) = (slots[i].array, slots[j].array);
                slots[i].array = crate::entry::ArraySlot { own: a.own, ..b };
                slots[j].array = crate::entry::ArraySlot { own: b.own, ..a };
                if i.max(j) < memories.len() {
                    memories.swap(i, j);
                }
            }
        }
        Ok(Some(Fault::OffByOne)) => {
            if let Some(k) = kernel.params.iter().position(is_array) {
                let slot = &mut slots.to_mut()[k];
                let last = usize::from(slot.array.rank).saturating_sub(1);
                let array = &mut slot.array;
                if array.shape[last] > 0 && array.held[last] > 0 {
                    // It ends where it did: nothing outside of it is reached.
                    let step = array.stride[last] * kernel.params[k].elem.size() as isize;
                    array.base = array.base.wrapping_offset(step);
                    array.shape[last] -= 1;
                    array.held[last] -= 1;
                }
            }
        }
        _ => {}
    }
    slots
}

fn is_array(param: &ParamDescriptor) -> bool {
    matches!(param.role, Role::In | Role::InOut | Role::Out | Role::OutPartial | Role::Atomic)
}

/// The first two parameters that could be confused.
fn first_pair(kernel: &KernelDescriptor) -> Option<(usize, usize)> {
    let params = kernel.params;
    let same = |a: &ParamDescriptor, b: &ParamDescriptor| {
        let value = |p: &ParamDescriptor| matches!(p.role, Role::Value);
        a.elem.id() == b.elem.id()
            && a.rank == b.rank
            && ((is_array(a) && is_array(b)) || (value(a) && value(b)))
    };
    let pairs = (0..params.len()).flat_map(|i| (i + 1..params.len()).map(move |j| (i, j)));
    pairs.into_iter().find(|&(i, j)| same(&params[i], &params[j]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Edge, Side};

    #[test]
    fn every_form_is_read_and_nothing_else() {
        assert_eq!(parse("skip:saxpy").unwrap(), Fault::Skip("saxpy".to_owned()));
        assert_eq!(parse("stale:up:saxpy.x").unwrap(), Fault::StaleUp("saxpy.x".to_owned()));
        assert_eq!(parse("stale:down:saxpy.y").unwrap(), Fault::StaleDown("saxpy.y".to_owned()));
        assert_eq!(parse("swap-args").unwrap(), Fault::SwapArgs);
        assert_eq!(parse("off-by-one").unwrap(), Fault::OffByOne);
        assert_eq!(parse("inexact").unwrap(), Fault::Inexact);
        assert_eq!(parse("no-edges").unwrap(), Fault::NoEdges(Edge::Any.into()));
        assert_eq!(parse("no-edges:war").unwrap(), Fault::NoEdges(Edge::WriteAfterRead.into()));
        let (edge, from, to) = (Edge::ReadAfterWrite, Side::Task, Side::On(2));
        let missing = Fault::NoEdges(Missing { edge, from, to });
        assert_eq!(parse("no-edges:raw:task:device2").unwrap(), missing);
        for text in [
            "",
            "skip",
            "stale:saxpy",
            "stale:up:saxpy",
            "off-by-two",
            "no-edges:wax",
            "no-edges:raw:dev",
        ] {
            assert!(matches!(parse(text), Err(Error::Option { .. })), "{text}");
        }
    }
}
