//! Arrays that a kernel is given, and what they hold before and after. It launches nothing.

use std::fmt;

use flash::Buffer;
use flash_ir::Ty;
use flash_rt::descriptor::Elem;
use flash_rt::{Arg, BoundArg, ParamDescriptor, Role, Value, View};

use super::argument::{Argument, Fill, Use, What};
use super::element::{Element, ForType, Number, Plain};
use crate::Failure;

/// Something that a kernel is given.
#[derive(Debug)]
pub(super) enum Given {
    /// The bytes of a value.
    Value(Element, Vec<u8>),
    Array(Array),
}

/// An array.
pub(super) struct Array {
    pub(super) name: String,
    pub(super) element: Element,
    pub(super) role: Use,
    pub(super) shape: Vec<usize>,
    /// What it holds before a launch.
    before: Vec<u8>,
    held: Box<dyn Held>,
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("name", &self.name).field("shape", &self.shape).finish()
    }
}

/// A buffer of some type.
trait Held {
    fn bind(&self, shape: &[usize]) -> flash::Result<BoundArg<'static>>;
    fn fill(&self, bytes: &[u8]) -> flash::Result<()>;
    fn bytes(&self) -> flash::Result<Vec<u8>>;
}

struct Of<T>(Buffer<T>);

fn elements<T: Plain>(bytes: &[u8]) -> impl ExactSizeIterator<Item = T> {
    bytes.chunks_exact(size_of::<T>()).map(T::from_bytes)
}

/// Room for so many, if there is memory for them.
fn room<T>(n: usize) -> Option<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(n).ok()?;
    Some(room)
}

fn bound<'a, T: Plain, const D: usize>(
    buffer: &Buffer<T>,
    shape: [usize; D],
) -> flash::Result<BoundArg<'a>> {
    // Roles are those of the parameter.
    Ok(Arg::<View<'a, T, D>>::bind(&buffer.reshape(shape)?))
}

impl<T: Plain> Held for Of<T> {
    fn bind(&self, shape: &[usize]) -> flash::Result<BoundArg<'static>> {
        match *shape {
            [a, b] => bound(&self.0, [a, b]),
            [a, b, c] => bound(&self.0, [a, b, c]),
            [a, b, c, d] => bound(&self.0, [a, b, c, d]),
            _ => bound(&self.0, [self.0.len()]),
        }
    }

    fn fill(&self, bytes: &[u8]) -> flash::Result<()> {
        let mut all = self.0.write(..)?;
        all.iter_mut().zip(elements(bytes)).for_each(|(to, from)| *to = from);
        Ok(())
    }

    fn bytes(&self) -> flash::Result<Vec<u8>> {
        let values = self.0.to_vec()?;
        let mut bytes = Vec::with_capacity(size_of_val(&*values));
        values.into_iter().for_each(|value| value.add_to(&mut bytes));
        Ok(bytes)
    }
}

struct Make<'b>(&'b [u8]);

impl ForType for Make<'_> {
    type Result = Option<Box<dyn Held>>;

    fn of<T: Plain>(self) -> Option<Box<dyn Held>> {
        let elements = elements::<T>(self.0);
        let mut all = room(elements.len())?;
        all.extend(elements);
        Some(Box::new(Of(Buffer::from(all))))
    }
}

impl Given {
    /// What an argument says, made.
    pub(super) fn new(argument: &Argument, number: usize) -> Result<Self, Failure> {
        let Argument { name, element, what } = argument;
        let (role, shape, fill) = match what {
            What::Value(bytes) => return Ok(Self::Value(*element, bytes.clone())),
            What::Array(role, shape, fill) => (*role, shape, fill),
        };
        let usage = |why: String| Failure::Usage(format!("--arg {name}: {why}"));
        let n = shape.iter().try_fold(1_usize, |n, &extent| n.checked_mul(extent));
        let bytes = n.and_then(|n| n.checked_mul(element.size())).filter(|n| *n < 1 << 40);
        let Some((n, bytes)) = n.zip(bytes) else {
            return Err(usage(format!("{shape:?} elements of {element} are more than 1 TiB")));
        };
        // That ends the command, and not the process.
        let no_memory =
            || Failure::Failed(format!("--arg {name}: there is no memory for {bytes} bytes"));
        let before = match fill {
            Fill::File(path) => {
                let at = path.display();
                let read = std::fs::read(path).map_err(|error| {
                    Failure::Failed(format!("{at}: it cannot be read: {error}"))
                })?;
                if read.len() != bytes {
                    let there = read.len();
                    return Err(usage(format!(
                        "{at} has {there} bytes, and {n} elements of {element} are {bytes}"
                    )));
                }
                read
            }
            fill => filled(fill, *element, n, number).ok_or_else(no_memory)?,
        };
        let held = element.visit(Make(&before)).ok_or_else(no_memory)?;
        let (name, shape) = (name.clone(), shape.clone());
        Ok(Self::Array(Array { name, element: *element, role, shape, before, held }))
    }

    /// The argument of a call.
    pub(super) fn bind(&self) -> flash::Result<BoundArg<'static>> {
        struct OfBytes<'b>(&'b [u8]);
        impl ForType for OfBytes<'_> {
            type Result = Value;
            fn of<T: Plain>(self) -> Value {
                Value::new(T::from_bytes(self.0))
            }
        }
        match self {
            Self::Value(element, bytes) => Ok(BoundArg::Value(element.visit(OfBytes(bytes)))),
            Self::Array(array) => array.held.bind(&array.shape),
        }
    }

    /// The parameter that it is for, with a name that stays.
    pub(super) fn parameter(&self, name: &'static str) -> ParamDescriptor {
        struct Types;
        impl ForType for Types {
            type Result = (Ty, Elem);
            fn of<T: Plain>(self) -> (Ty, Elem) {
                (T::TY, Elem::of::<T>())
            }
        }
        let (element, role, rank) = match self {
            Self::Value(element, _) => (element, Role::Value, 0),
            Self::Array(array) => {
                let role = match array.role {
                    Use::In => Role::In,
                    Use::InOut => Role::InOut,
                    Use::Out => Role::Out,
                };
                (&array.element, role, array.shape.len() as u8)
            }
        };
        let (ty, elem) = element.visit(Types);
        let (own, raw, always_written) = (&[], false, false);
        ParamDescriptor { name, role, ty, elem, rank, own, raw, always_written }
    }
}

impl Array {
    /// Whether the kernel writes it.
    pub(super) fn is_written(&self) -> bool {
        self.role != Use::In
    }

    /// The bytes that a launch reads and writes of it.
    pub(super) fn moved(&self) -> u64 {
        let times = if self.role == Use::InOut { 2 } else { 1 };
        times * self.before.len() as u64
    }

    /// Makes it hold again what it held before a launch.
    pub(super) fn reset(&self) -> flash::Result<()> {
        if self.role == Use::InOut { self.held.fill(&self.before) } else { Ok(()) }
    }

    /// What it holds.
    pub(super) fn bytes(&self) -> flash::Result<Vec<u8>> {
        self.held.bytes()
    }
}

/// The bytes of `n` elements, if there is memory for them; random ones are the same in each run, and others
/// for each argument.
fn filled(fill: &Fill, element: Element, n: usize, argument: usize) -> Option<Vec<u8>> {
    let scalar = element.scalar;
    let mut bytes = room(n * element.size())?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(argument as u64 + 1);
    for k in 0..n * element.lanes {
        let number = match fill {
            Fill::Ones => Number::Int(1),
            Fill::Iota => Number::Int(k as i128),
            Fill::Random => {
                let bits = next(&mut state);
                match scalar.is_float() {
                    true => Number::Float((bits >> 40) as f64 / (1_u64 << 24) as f64),
                    false => Number::Int(i128::from(bits % 100)),
                }
            }
            Fill::Zeros | Fill::File(_) => Number::Int(0),
        };
        bytes.extend(number.write(scalar));
    }
    Some(bytes)
}

/// SplitMix64, by G. L. Steele, D. Lea and C. H. Flood.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(fill: &Fill, name: &str, n: usize) -> Vec<Number> {
        let element = Element::parse(name).unwrap();
        let bytes = filled(fill, element, n, 0).unwrap();
        assert_eq!(bytes.len(), n * element.size());
        bytes.chunks(element.scalar.size()).map(|b| Number::read(b, element.scalar)).collect()
    }

    #[test]
    fn arrays_hold_what_is_said() {
        assert_eq!(numbers(&Fill::Ones, "f32", 2), [Number::Float(1.0); 2]);
        assert_eq!(numbers(&Fill::Iota, "u8", 3), [0, 1, 2].map(Number::Int));
        // Bytes are the low ones of numbers that are too large.
        assert_eq!(numbers(&Fill::Iota, "u8", 257)[256], Number::Int(0));
        assert_eq!(numbers(&Fill::Iota, "f32x2", 2), [0.0, 1.0, 2.0, 3.0].map(Number::Float));
        let random = numbers(&Fill::Random, "f64", 100);
        let is_in = |number: &Number| matches!(number, Number::Float(x) if (0.0..1.0).contains(x));
        assert!(random.iter().all(is_in) && random[0] != random[1]);
        assert_eq!(random, numbers(&Fill::Random, "f64", 100), "in each run the same");
    }

    #[test]
    fn what_was_there_comes_back() {
        let argument = Argument::parse("io:y=i16[3]:iota").unwrap();
        let Given::Array(array) = Given::new(&argument, 0).ok().unwrap() else {
            panic!("an array")
        };
        array.held.fill(&[7; 6]).unwrap();
        assert_eq!(array.bytes().unwrap(), [7; 6]);
        array.reset().unwrap();
        assert_eq!(array.bytes().unwrap(), [0, 0, 1, 0, 2, 0]);
        assert_eq!(array.moved(), 12);
    }
}
