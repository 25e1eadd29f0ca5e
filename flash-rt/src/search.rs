//! Implementations that were registered with their signature, and which of them a kernel takes that
//! is declared `searchable`. It opens and runs nothing.
//!
//! Fenced: whoever registers native code says `unsafe` here, as the signature is trusted.
#![allow(unsafe_code, reason = "registering native code is a promise")]

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use flash_ir::{ScalarTy, Ty};

use crate::descriptor::{Kernel, KernelDescriptor, ParamDescriptor, Role, Search};
use crate::stage::LaunchStage;

/// What a parameter is called, in the words of `flash.h`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Param {
    /// `value`, `in`, `io`, `out`, `scratch`, `reduce`, `atomic`
    role: String,
    /// The type of the value or of one element.
    ty: String,
    /// 0 for a value or a reduction, else the rank of the array.
    rank: u8,
}

impl Param {
    fn of(param: &ParamDescriptor) -> Self {
        let role = match param.role {
            Role::Value => "value",
            Role::In => "in",
            Role::InOut => "io",
            Role::Out | Role::OutPartial => "out",
            Role::Scratch(_) => "scratch",
            Role::Reduce { .. } => "reduce",
            Role::Atomic => "atomic",
        };
        let ty = match &param.ty {
            Ty::Unit => "()".to_owned(),
            Ty::Scalar(scalar) => scalar.name().to_owned(),
            Ty::Struct(structure) => structure.name.to_owned(),
            Ty::Array(..) => "array".to_owned(),
        };
        Self { role: role.to_owned(), ty, rank: param.rank }
    }

    /// One of a signature, `in f32[2]`.
    fn read(text: &str) -> Self {
        let (role, ty) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        let (ty, rank) = match ty.trim().strip_suffix(']').and_then(|ty| ty.rsplit_once('[')) {
            Some((ty, rank)) => (ty, rank.trim().parse().unwrap_or(0)),
            None => (ty.trim(), 0),
        };
        Self { role: role.to_owned(), ty: ty.trim().to_owned(), rank }
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.role, self.ty)?;
        if self.rank > 0 { write!(f, "[{}]", self.rank) } else { Ok(()) }
    }
}

/// The signature of a kernel, as `FLASH_KERNEL` of `flash.h` takes it.
pub fn signature(kernel: &KernelDescriptor) -> String {
    let params: Vec<String> = kernel.params.iter().map(|p| Param::of(p).to_string()).collect();
    params.join(", ")
}

/// One parameter in these words.
pub fn parameter(param: &ParamDescriptor) -> String {
    Param::of(param).to_string()
}

/// The parameters of a signature in the same words.
fn parameters(signature: &str) -> Vec<Param> {
    let all = signature.split(',').filter(|param| !param.trim().is_empty());
    all.map(Param::read).collect()
}

/// Where the code of a registered implementation is.
#[derive(Clone, Debug)]
pub enum Code {
    /// The body of another kernel, for every device that runs bodies.
    Body(&'static KernelDescriptor),
    /// A function that one backend loads.
    Native {
        /// The key of the backend.
        key: &'static str,
        /// The file.
        path: String,
        /// Whether it gets its arguments in the memory of the host, where a value and an array of one
        /// element may stand for each other.
        on_host: bool,
    },
}

/// A registered implementation.
#[derive(Debug)]
pub struct Registered {
    name: String,
    params: Vec<Param>,
    code: Code,
}

impl Registered {
    /// The name of the kernel or function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its code is.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Whether it is the same one again.
    fn is(&self, other: &Self) -> bool {
        let code = match (&self.code, &other.code) {
            (Code::Body(a), Code::Body(b)) => std::ptr::eq(*a, *b),
            (Code::Native { key: a, path: p, .. }, Code::Native { key: b, path: q, .. }) => {
                a == b && p == q
            }
            _ => false,
        };
        code && self.name == other.name
    }

    /// Whether a backend can run it.
    fn is_for(&self, key: &str) -> bool {
        match self.code {
            Code::Body(_) => true,
            Code::Native { key: of, .. } => of == key,
        }
    }

    /// Whether it goes by the name of a kernel. A function in C is one for all instances.
    fn is_called(&self, kernel: &KernelDescriptor) -> bool {
        self.name == kernel.name
            || (matches!(self.code, Code::Native { .. }) && self.name == base_name(kernel.name))
    }
}

impl fmt::Display for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Code::Body(kernel) => {
                write!(
                    f,
                    "body of `{}::{}` at {}:{}",
                    kernel.path, self.name, kernel.file, kernel.line
                )
            }
            Code::Native { path, .. } => write!(f, "`{}` of {path}", self.name),
        }
    }
}

/// `axpy` of `axpy<f32>`.
pub fn base_name(name: &str) -> &str {
    name.split('<').next().unwrap_or(name)
}

/// What is done to an argument so that an implementation can take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// Nothing.
    None,
    /// Nothing but to call it by another name: `usize` and `u64`, or an array that is only read.
    Name,
    /// A value becomes one of a wider type.
    Widen(ScalarTy, ScalarTy),
    /// A value is given as an array of one element.
    ToArray,
    /// An array of one element is given as a value.
    ToValue,
}

/// What was found for a kernel.
#[derive(Clone, Debug)]
pub struct Found {
    /// The implementation.
    pub code: Arc<Registered>,
    /// What is done to each argument.
    pub conversions: Vec<Conversion>,
}

impl Found {
    /// The number of arguments that are converted.
    fn cost(&self) -> usize {
        self.conversions.iter().filter(|conversion| **conversion != Conversion::None).count()
    }
}

/// A kernel with the body that was found for it.
struct Joined {
    declared: &'static KernelDescriptor,
    body: &'static KernelDescriptor,
    joined: &'static KernelDescriptor,
}

#[derive(Default)]
struct Known {
    registered: Vec<Arc<Registered>>,
    joined: Vec<Joined>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known { registered: Vec::new(), joined: Vec::new() });

fn known<R>(look: impl FnOnce(&mut Known) -> R) -> R {
    look(&mut KNOWN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Lets kernels that are declared `searchable` and without a body find the bodies of this one, each
/// of its instances by its name and signature. It holds for what is prepared from then on, in all
/// runtimes; what was registered first is taken first.
pub fn register<K: Kernel>() {
    for &kernel in K::DESCRIPTORS {
        if kernel.entries.is_some() || kernel.ir.is_some() {
            let params = kernel.params.iter().map(Param::of).collect();
            add(Registered { name: kernel.name.to_owned(), params, code: Code::Body(kernel) });
        }
    }
}

/// The same for a function that the backend with this key loads from `path`, by its signature in the
/// words of `flash.h`; `on_host` says that the function gets its arguments in the memory of the host, so
/// that a value may be given as an array of one element, and such an array as a value.
///
/// # Safety
///
/// The function has these parameters and keeps the rules of that backend's interface. Opening the
/// file runs its initialisers.
pub unsafe fn register_native(
    (key, on_host): (&'static str, bool),
    path: &str,
    name: &str,
    signature: &str,
) {
    add(Registered {
        name: name.to_owned(),
        params: parameters(signature),
        code: Code::Native { key, path: path.to_owned(), on_host },
    });
}

fn add(new: Registered) {
    known(|known| {
        if !known.registered.iter().any(|there| there.is(&new)) {
            known.registered.push(Arc::new(new));
        }
    });
}

/// What is done to the arguments of a kernel for an implementation, or why it cannot take them.
fn fit(kernel: &KernelDescriptor, of: &Registered, how: Search) -> Result<Vec<Conversion>, String> {
    if !of.is_called(kernel) {
        return Err("it has another name".to_owned());
    }
    let (ours, theirs) = (kernel.params.len(), of.params.len());
    if ours != theirs {
        return Err(format!("it takes {theirs} parameters, and the declaration has {ours}"));
    }
    if let Code::Body(body) = of.code
        && body.rank != kernel.rank
    {
        let (theirs, ours) = (body.rank, kernel.rank);
        return Err(format!(
            "its index space has rank {theirs}, and that of the declaration {ours}"
        ));
    }
    let mut all = Vec::with_capacity(ours);
    for (k, (param, theirs)) in kernel.params.iter().zip(&of.params).enumerate() {
        let ours = Param::of(param);
        let same = match of.code {
            Code::Body(body) => {
                let other = &body.params[k];
                ours == *theirs
                    && param.elem.id() == other.elem.id()
                    && roles_agree(param.role, other.role)
            }
            Code::Native { .. } => ours == *theirs,
        };
        let wrong = |why: &str| {
            format!(
                "its parameter `{}` is `{theirs}`, and the declaration says `{ours}`{why}",
                param.name
            )
        };
        all.push(match (same, how, &of.code) {
            (true, ..) => Conversion::None,
            (_, Search::Exact, _) => return Err(wrong("")),
            (_, _, Code::Body(_)) => return Err(wrong("; bodies are taken as they are")),
            (_, Search::Fuzzy, Code::Native { on_host, .. }) => {
                convert((&param.ty, &ours), theirs, *on_host).map_err(wrong)?
            }
        });
    }
    Ok(all)
}

/// Whether bodies do the same with what a parameter is bound to.
fn roles_agree(a: Role, b: Role) -> bool {
    match (a, b) {
        (Role::Reduce { op: a, into: c }, Role::Reduce { op: b, into: d }) => a == b && c == d,
        _ => std::mem::discriminant(&a) == std::mem::discriminant(&b),
    }
}

/// How `ours`, which has this type, becomes `theirs`.
fn convert(
    (ty, ours): (&Ty, &Param),
    theirs: &Param,
    on_host: bool,
) -> Result<Conversion, &'static str> {
    let same_type = ours.ty == theirs.ty;
    match (ours.role.as_str(), theirs.role.as_str()) {
        ("value", "in") | ("in", "value") if same_type && !on_host => {
            return Err("; a value is no array in the memory of a device, nor an array a value");
        }
        ("value", "in") if same_type && theirs.rank == 1 => return Ok(Conversion::ToArray),
        ("in", "value") if same_type => return Ok(Conversion::ToValue),
        ("value", "value") => {
            let Ty::Scalar(from) = ty else { return Err("; structures are not converted") };
            let to = scalar(&theirs.ty).filter(|to| is_wider(*from, *to));
            return to
                .map(|to| Conversion::Widen(*from, to))
                .ok_or("; a value goes into a wider type of its kind only");
        }
        _ => {}
    }
    if ours.rank != theirs.rank {
        return Err("; the shape of an array is not changed");
    }
    match (ours.role.as_str(), theirs.role.as_str()) {
        (a, b) if a == b => {}
        ("io", "in") => {}
        ("in", "io" | "out") => return Err("; what is only read is not given to be written"),
        _ => return Err("; it is used in another way"),
    }
    let bits = |ty: &str| match ty {
        "usize" => "u64".to_owned(),
        "isize" => "i64".to_owned(),
        ty => ty.to_owned(),
    };
    match bits(&ours.ty) == bits(&theirs.ty) {
        true => Ok(Conversion::Name),
        false => Err("; arrays are not converted"),
    }
}

/// The scalar of a name.
fn scalar(name: &str) -> Option<ScalarTy> {
    use ScalarTy::{Bool, F32, F64, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize};
    let all = [Bool, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize, F32, F64];
    all.into_iter().find(|scalar| scalar.name() == name)
}

/// Whether every value of a type is one of another, of the same kind.
fn is_wider(from: ScalarTy, to: ScalarTy) -> bool {
    use ScalarTy::{F32, F64, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize};
    let kind = |ty| match ty {
        I8 | I16 | I32 | I64 | Isize => 1,
        U8 | U16 | U32 | U64 | Usize => 2,
        F32 | F64 => 3,
        _ => 0,
    };
    kind(from) > 0 && kind(from) == kind(to) && from.size() <= to.size()
}

/// The best of those that `fits` says to ask: exact ones first, then those with the fewest
/// conversions; of equal ones the first that was registered.
fn best(
    kernel: &KernelDescriptor,
    registered: &[Arc<Registered>],
    fits: impl Fn(&Registered) -> bool,
) -> Option<Found> {
    let how = kernel.search?;
    let fitting = registered.iter().filter(|code| fits(code)).filter_map(|code| {
        let conversions = fit(kernel, code, how).ok()?;
        Some(Found { code: Arc::clone(code), conversions })
    });
    fitting.min_by_key(Found::cost)
}

/// The declaration of a kernel without a body of its own.
fn declared(known: &Known, kernel: &'static KernelDescriptor) -> Option<&'static KernelDescriptor> {
    if let Some(joined) = known.joined.iter().find(|joined| std::ptr::eq(joined.joined, kernel)) {
        return Some(joined.declared);
    }
    (kernel.entries.is_none() && kernel.ir.is_none()).then_some(kernel)
}

/// What a backend takes for a kernel that is searched, if that is code of its own and no body.
pub fn native(kernel: &'static KernelDescriptor, key: &str) -> Option<Found> {
    kernel.search?;
    known(|known| {
        let kernel = declared(known, kernel)?;
        let found = best(kernel, &known.registered, |code| code.is_for(key))?;
        matches!(found.code.code, Code::Native { .. }).then_some(found)
    })
}

/// Gives a launch of a kernel without a body the body that is found for it, if there is one: with
/// the attributes of the declaration.
#[inline]
pub(crate) fn settle(stage: &mut LaunchStage<'_>) {
    if stage.kernel.search.is_some() && stage.kernel.entries.is_none() && stage.kernel.ir.is_none()
    {
        stage.kernel = with_body(stage.kernel);
    }
}

#[cold]
fn with_body(declared: &'static KernelDescriptor) -> &'static KernelDescriptor {
    let (joined, found) = known(|known| joined(known, declared));
    if let Some(found) = found {
        let (kernel, how) = (declared.name, word(declared.search));
        tracing::debug!(kernel, search = how, found = %found, "implementation found");
    }
    joined
}

/// A declaration with the body that is found for it, and where that is if it is new.
fn joined(
    known: &mut Known,
    declared: &'static KernelDescriptor,
) -> (&'static KernelDescriptor, Option<Arc<Registered>>) {
    let is_body = |code: &Registered| matches!(code.code, Code::Body(_));
    let Some(Found { code, .. }) = best(declared, &known.registered, is_body) else {
        return (declared, None);
    };
    let Code::Body(body) = code.code else { return (declared, None) };
    let of =
        |there: &&Joined| std::ptr::eq(there.declared, declared) && std::ptr::eq(there.body, body);
    if let Some(there) = known.joined.iter().find(of) {
        return (there.joined, None);
    }
    // One for each pair, and kernels are as many as a program has.
    let joined: &'static KernelDescriptor = Box::leak(Box::new(KernelDescriptor {
        params: body.params,
        // What the declaration requires, beside what the body does.
        needs: Vec::leak([declared.needs, body.needs].concat()),
        entries: body.entries,
        ir: body.ir,
        slow: body.slow,
        unoptimised: body.unoptimised,
        ..*declared
    }));
    known.joined.push(Joined { declared, body, joined });
    (joined, Some(code))
}

/// `exact` or `fuzzy`.
pub(crate) fn word(how: Option<Search>) -> &'static str {
    match how {
        Some(Search::Fuzzy) => "fuzzy",
        _ => "exact",
    }
}

/// What was found for a kernel that a device with this key runs, for `explain`.
pub(crate) fn explained(kernel: &'static KernelDescriptor, key: &str) -> Option<String> {
    let how = word(Some(kernel.search?));
    if let Some(found) = native(kernel, key) {
        return Some(format!("searchable({how}) found {}, {}", found.code, converted(&found)));
    }
    known(|known| {
        let joined = known.joined.iter().find(|joined| std::ptr::eq(joined.joined, kernel))?;
        let Joined { body, .. } = joined;
        let at = format!("body of `{}::{}` at {}:{}", body.path, body.name, body.file, body.line);
        Some(format!("searchable({how}) found {at}"))
    })
}

/// `2 arguments converted`
fn converted(found: &Found) -> String {
    match found.cost() {
        0 => "as declared".to_owned(),
        1 => "1 argument converted".to_owned(),
        n => format!("{n} arguments converted"),
    }
}

/// An implementation that a kernel did not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss {
    /// Its name.
    pub name: String,
    /// What and where it is.
    pub of: String,
    /// Why it was not taken.
    pub why: String,
}

/// `; not taken: x, as ..`, or nothing.
pub(crate) fn listed(near: &[NearMiss]) -> String {
    let all: Vec<String> =
        near.iter().map(|NearMiss { of, why, .. }| format!("{of}, as {why}")).collect();
    if all.is_empty() { String::new() } else { format!("; not taken: {}", all.join("; ")) }
}

/// The most implementations that an error lists.
const NEAR: usize = 8;

/// What was registered under the name of a kernel or a similar one, and why a backend did not take
/// it; the nearest first.
pub(crate) fn near_misses(kernel: &'static KernelDescriptor, key: &str) -> Vec<NearMiss> {
    let how = kernel.search.unwrap_or(Search::Exact);
    let wanted = base_name(kernel.name);
    let far = wanted.len() / 3 + 1;
    let mut near: Vec<(usize, NearMiss)> = known(|known| {
        let kernel = declared(known, kernel).unwrap_or(kernel);
        let all = known.registered.iter().filter_map(|code| {
            let called = base_name(&code.name);
            let holds = called.contains(wanted) || wanted.contains(called);
            let distance = distance(wanted, called);
            if distance > far && !holds {
                return None;
            }
            let why = match fit(kernel, code, how) {
                Err(why) => why,
                Ok(_) => match code.code {
                    Code::Native { key: of, .. } if of != key => format!("it is for {of}"),
                    _ => "it was registered after the launch was prepared".to_owned(),
                },
            };
            let (name, of) = (code.name.clone(), code.to_string());
            let number = if code.is_called(kernel) { 0 } else { 1 + distance };
            Some((number, NearMiss { name, of, why }))
        });
        all.collect()
    });
    near.sort_by_key(|(distance, _)| *distance);
    near.truncate(NEAR);
    near.into_iter().map(|(_, miss)| miss).collect()
}

/// How many letters are put in, left out or changed between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, a) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in b.iter().enumerate() {
            let changed = before + usize::from(a != *b);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read_as_they_are_written() {
        for text in ["value f32", "in f64[2]", "io usize[1]", "reduce u64"] {
            assert_eq!(Param::read(text).to_string(), text);
        }
        assert_eq!(Param::read("  in   f32 [ 1 ] ").to_string(), "in f32[1]");
        assert_eq!(parameters(" ").len(), 0);
        assert_eq!(parameters("value f32,in f32[1]").len(), 2);
    }

    #[test]
    fn values_widen_within_their_kind() {
        use ScalarTy::*;
        for (from, to) in [(F32, F64), (I32, I64), (U8, Usize), (Usize, U64)] {
            assert!(is_wider(from, to), "{from:?} {to:?}");
        }
        for (from, to) in [(F64, F32), (U32, I64), (I32, F64), (I64, I32), (Bool, U8)] {
            assert!(!is_wider(from, to), "{from:?} {to:?}");
        }
    }

    #[test]
    fn words_are_as_far_as_their_letters() {
        let found = [("saxpy", "saxpy"), ("saxpy", "daxpy"), ("saxpy", "axpy"), ("", "ab")];
        assert_eq!(found.map(|(a, b)| distance(a, b)), [0, 1, 1, 2]);
    }
}
