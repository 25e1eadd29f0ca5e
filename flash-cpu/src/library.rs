//! Kernels from shared libraries, by the interface of `flash.h`.
//!
//! Fenced: opens libraries and calls their functions. A library is never closed, as kernels of it
//! may be loaded in any runtime. It trusts what a kernel does with its arguments: whoever declares
//! or registers one says `unsafe`.
#![allow(unsafe_code, reason = "dlopen, dlsym and calls of native functions")]

use std::ffi::{CStr, c_char};
use std::fmt;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use flash_ir::ScalarTy;
use flash_rt::descriptor::Code;
use flash_rt::entry::{MAX_ARRAY_RANK, Shared, Slot, Tag};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::block::MAX_RANK;
use flash_rt::search::{self, Conversion, base_name};
use flash_rt::{Block, DriverError, Error, KernelDescriptor};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

pub use flash_rt::search::signature;

use crate::backend::CpuBackend;

/// The version of `flash.h` that this crate calls.
pub const ABI_VERSION: u32 = 2;

/// `flash.h`, for build scripts and tests.
pub const HEADER: &str = flash_rt::offload::block::HEADER;

/// `flash_block`
#[repr(C)]
struct CBlock {
    rank: u32,
    index_bytes: u32,
    by_item: u32,
    reserved: u32,
    partial: u64,
    phase: u64,
    partition: u64,
    n_items: u64,
    table: *const u8,
    lo: [u64; MAX_RANK],
    hi: [u64; MAX_RANK],
    size: [u64; MAX_RANK],
}

const _: () = assert!(size_of::<CBlock>() == 8 * flash_rt::offload::block::WORDS);

/// `flash_array`, which also has the room of a `flash_scalar`.
#[repr(C)]
#[derive(Clone, Copy)]
struct CArray {
    /// For a scalar: its address.
    base: *mut u8,
    shape: [u64; MAX_ARRAY_RANK],
    stride: [i64; MAX_ARRAY_RANK],
    origin: [u64; MAX_ARRAY_RANK],
    held: [u64; MAX_ARRAY_RANK],
    rank: u32,
    reserved: u32,
}

/// `flash_arg`
#[repr(C)]
#[derive(Clone, Copy)]
struct CArg {
    kind: u32,
    reserved: u32,
    array: CArray,
}

type CKernel = unsafe extern "C" fn(*const CBlock, *const CArg, u64);

/// `flash_kernel_entry`
#[repr(C)]
struct CEntry {
    name: *const c_char,
    signature: *const c_char,
    next: *const CEntry,
}

/// A function of a library that was opened and checked.
#[derive(Clone, Copy)]
pub(crate) struct LibraryKernel {
    function: CKernel,
    /// What is done to each argument; empty for nothing.
    conversions: &'static [Conversion],
}

impl fmt::Debug for LibraryKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LibraryKernel").finish_non_exhaustive()
    }
}

/// A registration at run time.
struct Registered {
    kernel: String,
    path: String,
    entry: String,
}

static REGISTERED: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

/// Makes the function `entry` of the shared library `path` the CPU implementation of a kernel, by
/// its name (`saxpy`) or its path (`my_crate::kernels::saxpy`). It holds for runtimes that have not
/// launched the kernel yet; a second registration replaces the first.
///
/// Nothing is opened here: a launch reports what is wrong with the library.
///
/// ```
/// // SAFETY: no kernel of this program is called `horner`.
/// unsafe { flash_cpu::library::register("horner", "kernels/libhorner.so", "horner") };
/// ```
///
/// # Safety
///
/// The function has the interface of `flash.h`, the parameters of the kernel in the order of its
/// declaration, and keeps the rules that the header states. Opening the library runs its
/// initialisers.
pub unsafe fn register(kernel: &str, path: impl AsRef<Path>, entry: &str) {
    let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|known| known.kernel != kernel);
    all.push(Registered {
        kernel: kernel.to_owned(),
        path: path.as_ref().to_string_lossy().into_owned(),
        entry: entry.to_owned(),
    });
}

/// Path and entry of the library that implements a kernel, where one was named: the registered one
/// first, then the first declared one.
pub(crate) fn named(kernel: &KernelDescriptor) -> Option<(String, String)> {
    let all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let full = format!("{}::{}", kernel.path, kernel.name);
    let registered = all.iter().find(|r| r.kernel == full || r.kernel == kernel.name);
    if let Some(registered) = registered {
        return Some((registered.path.clone(), registered.entry.clone()));
    }
    kernel.implementations.iter().find(|i| i.backend == "cpu").and_then(|i| match i.code {
        Code::Path(path) => Some((path.to_owned(), i.entry.to_owned())),
        Code::Embedded(..) => None,
    })
}

/// The library kernel that implements a kernel, where one was named.
///
/// # Errors
///
/// Of kind `Library`, as `path: why`.
pub(crate) fn find(kernel: &KernelDescriptor) -> Result<Option<LibraryKernel>, DriverError> {
    let Some((path, entry)) = named(kernel) else { return Ok(None) };
    let entry = if entry.is_empty() { base_name(kernel.name) } else { &entry };
    load(&path, entry, kernel).map(Some).map_err(|why| refused(&path, &why))
}

/// What is wrong with a library.
fn refused(path: &str, why: &str) -> DriverError {
    DriverError {
        api: "dlopen",
        code: -1,
        text: format!("{path}: {why}").into(),
        kind: DriverErrorKind::Library,
    }
}

/// The library kernel that a `searchable` kernel finds among those that were registered.
///
/// # Errors
///
/// Of kind `Library`, as `path: why`.
pub(crate) fn searched(
    kernel: &'static KernelDescriptor,
) -> Result<Option<LibraryKernel>, DriverError> {
    let Some(found) = search::native(kernel, CpuBackend::KEY) else { return Ok(None) };
    let search::Code::Native { path, .. } = found.code.code() else { return Ok(None) };
    let name = found.code.name();
    tracing::debug!(kernel = kernel.name, found = %found.code, "implementation found");
    let library = open(path).map_err(|why| refused(path, &why))?;
    let function = function(&library, name).ok_or_else(|| {
        refused(path, &format!("it has no symbol `{name}` any more; it was registered with one"))
    })?;
    // One list for each kernel and runtime, which are few.
    let conversions = Vec::leak(found.conversions);
    Ok(Some(LibraryKernel { function, conversions }))
}

/// Registers every kernel of a shared library for kernels that are declared `searchable`, by the
/// name and signature that `FLASH_KERNEL` of `flash.h` gives it; gives the names in their order.
///
/// # Errors
///
/// [`Error::Library`] for a file that is not a library with the header of this version.
///
/// ```no_run
/// // SAFETY: its kernels do what their signatures say, and keep the rules of `flash.h`.
/// let names = unsafe { flash_cpu::library::register_library("kernels/libhorner.so") }?;
/// assert_eq!(names, ["horner"]);
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// # Safety
///
/// Each kernel has the parameters of its signature and keeps the rules that the header states.
/// Opening the library runs its initialisers.
pub unsafe fn register_library(path: impl AsRef<Path>) -> Result<Vec<String>, Error> {
    let file = path.as_ref();
    let named = file.to_string_lossy().into_owned();
    let refused = |why| {
        let (kernel, path) = ("*".to_owned(), named.clone());
        Error::Library { kernel, device: None, at: None, path, why }
    };
    let library = open(&named).map_err(refused)?;
    let list = address(&library, "flash_kernel_list").ok_or_else(|| {
        refused("it does not export `flash_kernel_list`; build it with `FLASH_MODULE`".to_owned())
    })?;
    // SAFETY: the symbol of this name is a function of this type, as `flash.h` defines it.
    let list =
        unsafe { std::mem::transmute::<*mut u8, unsafe extern "C" fn() -> *const CEntry>(list) };
    // SAFETY: it has no arguments and gives the first of a list that ends and stays as it is.
    let mut at = unsafe { list() };
    let mut kernels = Vec::new();
    // SAFETY: the entries of the list are static, and end with a null pointer.
    while let Some(entry) = unsafe { at.as_ref() } {
        // SAFETY: both are string constants, as `flash.h` defines them.
        let [name, signature] = [entry.name, entry.signature]
            .map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
        kernels.push((name, signature));
        at = entry.next;
    }
    kernels.sort_unstable();
    let path = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let path = path.to_string_lossy();
    for (name, signature) in &kernels {
        // SAFETY: whoever registers the library vouches for its kernels.
        unsafe { search::register_native((CpuBackend::KEY, true), &path, name, signature) };
    }
    Ok(kernels.into_iter().map(|(name, _)| name).collect())
}

/// Opens a library of this version of the header.
fn open(path: &str) -> Result<ManuallyDrop<Library>, String> {
    // A bare name would be searched in the system's folders; a path is what was meant.
    let file = Path::new(path);
    if !file.is_file() {
        let here =
            std::env::current_dir().map_or_else(|_| String::new(), |d| d.display().to_string());
        return Err(format!(
            "there is no such file (working directory `{here}`); build the library, or give its \
             absolute path"
        ));
    }
    let absolute = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    // SAFETY: whoever named the library vouched for its initialisers (`unsafe` at the declaration
    // or where it was registered).
    let library = unsafe { Library::open(Some(&absolute), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|error| format!("it is not a library of this system: {}", words(&error)))?;
    // Kernels point into it for the rest of the process.
    let library = ManuallyDrop::new(library);

    let version = address(&library, "flash_abi_version").ok_or(
        "it does not export `flash_abi_version`; write `FLASH_MODULE` of `flash.h` once in it",
    )?;
    // SAFETY: the symbol of this name is a `uint32_t`, as `flash.h` defines it.
    let version = unsafe { version.cast::<u32>().read_unaligned() };
    if version != ABI_VERSION {
        return Err(format!(
            "it was built for version {version} of `flash.h`, and this program calls version \
             {ABI_VERSION}; build it again with the header of this program"
        ));
    }
    Ok(library)
}

/// A kernel of a library by its name.
fn function(library: &Library, entry: &str) -> Option<CKernel> {
    // SAFETY: the symbol is a function of type `flash_kernel`, as whoever named it vouched.
    address(library, entry).map(|at| unsafe { std::mem::transmute::<*mut u8, CKernel>(at) })
}

/// The kernel that was named for a declaration.
fn load(path: &str, entry: &str, kernel: &KernelDescriptor) -> Result<LibraryKernel, String> {
    let library = open(path)?;
    let function = function(&library, entry).ok_or_else(|| {
        format!(
            "it has no symbol `{entry}`; write `FLASH_KERNEL({entry}, \"{}\")`, or name another \
             `entry`",
            signature(kernel)
        )
    })?;
    if let Some(declared) = address(&library, &format!("{entry}_flash_signature")) {
        // SAFETY: the symbol of this name is a string constant, as `flash.h` defines it.
        let declared = unsafe { CStr::from_ptr(declared.cast()) };
        compare(&declared.to_string_lossy(), kernel)?;
    }
    Ok(LibraryKernel { function, conversions: &[] })
}

/// The address of a symbol.
fn address(library: &Library, name: &str) -> Option<*mut u8> {
    // SAFETY: the symbol is not used as a value of the type here; callers say what it is.
    let symbol = unsafe { library.get::<*mut u8>(name) }.ok()?;
    let address = symbol.into_raw();
    (!address.is_null()).then_some(address.cast())
}

/// What the system says about a failed call, which libloading keeps in the source.
fn words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

/// Compares what a library says about a kernel with the declaration.
fn compare(library: &str, kernel: &KernelDescriptor) -> Result<(), String> {
    let theirs: Vec<_> = if library.trim().is_empty() {
        Vec::new()
    } else {
        library.split(',').map(|p| p.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    for (ours, theirs) in kernel.params.iter().zip(&theirs) {
        let expected = search::parameter(ours);
        if expected != *theirs {
            return Err(format!(
                "its parameter `{}` is `{theirs}`, and the kernel declares `{expected}`",
                ours.name
            ));
        }
    }
    if kernel.params.len() != theirs.len() {
        return Err(format!(
            "it takes {} parameters, and the kernel declares {}: `{}`",
            theirs.len(),
            kernel.params.len(),
            signature(kernel)
        ));
    }
    Ok(())
}

/// Arguments that fit without a heap allocation.
const INLINE: usize = 12;

impl LibraryKernel {
    /// Calls the function for a block.
    pub(crate) fn run(self, shared: &Shared<'_>, block: &Block, partial: usize) {
        self.call(shared, (block, block.n_items()), partial, None);
    }

    /// Calls the function for the items of a table; `around` is the smallest box with all of them.
    pub(crate) fn run_table(
        self,
        shared: &Shared<'_>,
        around: &Block,
        partial: usize,
        table: &Rows<'_>,
    ) {
        self.call(shared, (around, table.n_items), partial, Some(table));
    }

    /// Whether it can be called with these arguments.
    ///
    /// # Errors
    ///
    /// For an array that is given as a value and has not one element.
    pub(crate) fn takes(
        self,
        kernel: &KernelDescriptor,
        slots: &[Slot],
    ) -> Result<(), DriverError> {
        for ((how, slot), param) in self.conversions.iter().zip(slots).zip(kernel.params) {
            let n = slot.array_slot().n_elems();
            if *how == Conversion::ToValue && n != 1 {
                let name = param.name;
                return Err(DriverError {
                    api: "launch",
                    code: -1,
                    text: format!(
                        "the implementation that was found takes one element for `{name}`, and the \
                         array has {n}"
                    )
                    .into(),
                    kind: DriverErrorKind::Failed,
                });
            }
        }
        Ok(())
    }

    fn call(
        self,
        shared: &Shared<'_>,
        (block, n_items): (&Block, usize),
        partial: usize,
        table: Option<&Rows<'_>>,
    ) {
        let (slots, space) = (shared.slots, shared.space);
        let columns = table.map_or([std::ptr::null(); MAX_RANK], Rows::columns);
        let wide = |of: &dyn Fn(usize) -> usize| std::array::from_fn(|dim| of(dim) as u64);
        let inside = |dim: usize| dim < block.rank();
        let block = CBlock {
            rank: space.rank() as u32,
            index_bytes: table.map_or(0, Rows::bytes),
            by_item: u32::from(table.is_some_and(|table| table.by_item)),
            reserved: 0,
            partial: partial as u64,
            phase: shared.phase as u64,
            partition: shared.partition as u64,
            n_items: n_items as u64,
            table: match table {
                None => std::ptr::null(),
                Some(table) if table.by_item => table.address(),
                Some(_) => columns.as_ptr().cast(),
            },
            lo: wide(&|dim| if inside(dim) { block.lo(dim) } else { 0 }),
            hi: wide(&|dim| if inside(dim) { block.hi(dim) } else { 1 }),
            size: wide(&|dim| space.extent(dim)),
        };
        let mut inline = [EMPTY; INLINE];
        let mut spilled = Vec::new();
        let args = match inline.get_mut(..slots.len()) {
            Some(inline) => inline,
            None => {
                spilled.resize(slots.len(), EMPTY);
                spilled.as_mut_slice()
            }
        };
        for (arg, slot) in args.iter_mut().zip(slots) {
            *arg = CArg::of(slot);
        }
        let mut wide = Vec::new();
        if !self.conversions.is_empty() {
            wide.resize(args.len(), [0_u8; 8]);
            for ((arg, how), wide) in args.iter_mut().zip(self.conversions).zip(&mut wide) {
                arg.convert(*how, wide);
            }
        }
        // SAFETY: the function has the interface of `flash.h` and keeps its rules, as whoever named
        // it vouched; block and arguments live for the call and describe a validated launch.
        unsafe { (self.function)(&block, args.as_ptr(), args.len() as u64) }
    }
}

/// The rows of a table of indices, each an item.
#[derive(Debug)]
pub(crate) struct Rows<'t> {
    pub(crate) n_items: usize,
    pub(crate) by_item: bool,
    pub(crate) indices: Indices<'t>,
}

/// All indices of a table: those of an item together, or those of a dimension.
#[derive(Debug)]
pub(crate) enum Indices<'t> {
    Narrow(&'t [u32]),
    Wide(&'t [u64]),
}

impl Rows<'_> {
    /// The bytes of an index.
    fn bytes(&self) -> u32 {
        match self.indices {
            Indices::Narrow(_) => 4,
            Indices::Wide(_) => 8,
        }
    }

    /// Where the first index is.
    fn address(&self) -> *const u8 {
        match self.indices {
            Indices::Narrow(all) => all.as_ptr().cast(),
            Indices::Wide(all) => all.as_ptr().cast(),
        }
    }

    /// Where the indices of each dimension begin, which is of use where they stand together.
    fn columns(&self) -> [*const u8; MAX_RANK] {
        let column = self.n_items * self.bytes() as usize;
        std::array::from_fn(|dim| self.address().wrapping_add(dim * column))
    }
}

const EMPTY: CArg = CArg {
    kind: 0,
    reserved: 0,
    array: CArray {
        base: std::ptr::null_mut(),
        shape: [0; MAX_ARRAY_RANK],
        stride: [0; MAX_ARRAY_RANK],
        origin: [0; MAX_ARRAY_RANK],
        held: [0; MAX_ARRAY_RANK],
        rank: 0,
        reserved: 0,
    },
};

/// The bytes of a value in a wider type of its kind.
///
/// # Safety
///
/// A value of type `from` is there.
unsafe fn widened(at: *const u8, from: ScalarTy, to: ScalarTy) -> [u8; 8] {
    macro_rules! read {
        ($ty:ty) => {
            // SAFETY: a value of this type is there, as the caller says.
            unsafe { at.cast::<$ty>().read_unaligned() }
        };
    }
    let mut out = [0; 8];
    if from == ScalarTy::F32 {
        return f64::from(read!(f32)).to_ne_bytes();
    }
    let whole: i128 = match from {
        ScalarTy::I8 => read!(i8).into(),
        ScalarTy::I16 => read!(i16).into(),
        ScalarTy::I32 => read!(i32).into(),
        ScalarTy::I64 | ScalarTy::Isize => read!(i64).into(),
        ScalarTy::U8 | ScalarTy::Bool => read!(u8).into(),
        ScalarTy::U16 => read!(u16).into(),
        ScalarTy::U32 => read!(u32).into(),
        ScalarTy::U64 | ScalarTy::Usize | ScalarTy::F32 | ScalarTy::F64 => read!(u64).into(),
    };
    // The same bits for signed and unsigned ones of a size.
    match to.size() {
        1 => out[..1].copy_from_slice(&(whole as u8).to_ne_bytes()),
        2 => out[..2].copy_from_slice(&(whole as u16).to_ne_bytes()),
        4 => out[..4].copy_from_slice(&(whole as u32).to_ne_bytes()),
        _ => out = (whole as u64).to_ne_bytes(),
    }
    out
}

impl CArg {
    /// Becomes what another signature has in its place; `wide` has the room of a value.
    fn convert(&mut self, how: Conversion, wide: &mut [u8; 8]) {
        match how {
            Conversion::None | Conversion::Name => {}
            Conversion::Widen(from, to) => {
                // SAFETY: the argument is a value of type `from`, as the search compared it.
                *wide = unsafe { widened(self.array.base, from, to) };
                self.array.base = wide.as_mut_ptr();
            }
            Conversion::ToArray => {
                self.kind = 1;
                let one = [1; MAX_ARRAY_RANK];
                (self.array.rank, self.array.shape, self.array.held) = (1, one, one);
                self.array.stride = std::array::from_fn(|d| i64::from(d == 0));
            }
            // Its first element is where a value would be.
            Conversion::ToValue => self.kind = 0,
        }
    }

    fn of(slot: &Slot) -> Self {
        let array = slot.array_slot();
        let rank = usize::from(array.rank);
        let wide = |of: &[usize; MAX_ARRAY_RANK], beyond: u64| {
            std::array::from_fn(|d| if d < rank { of[d] as u64 } else { beyond })
        };
        Self {
            kind: u32::from(slot.tag() != Tag::Value),
            reserved: 0,
            array: CArray {
                base: array.base,
                shape: wide(&array.shape, 1),
                stride: std::array::from_fn(|d| if d < rank { array.stride[d] as i64 } else { 0 }),
                origin: wide(&array.origin, 0),
                held: wide(&array.held, 1),
                rank: u32::from(array.rank),
                reserved: 0,
            },
        }
    }
}
