//! The library of NVRTC: where it is looked for, and its functions. Fenced: it opens libraries. One that
//! was opened stays open.
#![allow(unsafe_code, reason = "dlopen and dlsym of NVRTC")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use flash_rt::env_options::of_others;
use libloading::Library;

/// A program of NVRTC.
pub(super) type Program = *mut c_void;
type Result = c_int;

macro_rules! table {
    ($($(#[$doc:meta])* $field:ident: $symbol:literal => fn($($arg:ty),*) $(-> $out:ty)?;)*) => {
        /// The functions that are called.
        #[derive(Debug)]
        pub(super) struct Table {
            $($(#[$doc])* pub(super) $field: unsafe extern "C" fn($($arg),*) -> table!(@ $($out)?),)*
        }

        impl Table {
            /// The functions of a library; else the name of one that it has not.
            fn of(library: &Library) -> std::result::Result<Self, &'static str> {
                Ok(Self {
                    $($field: {
                        // SAFETY: the function of this name has this type in every version of NVRTC.
                        let found = unsafe { library.get($symbol.as_bytes()) };
                        *found.map_err(|_| $symbol)?
                    },)*
                })
            }
        }
    };
    (@) => { Result };
    (@ $out:ty) => { $out };
}

table! {
    version: "nvrtcVersion" => fn(*mut c_int, *mut c_int);
    words: "nvrtcGetErrorString" => fn(Result) -> *const c_char;
    n_archs: "nvrtcGetNumSupportedArchs" => fn(*mut c_int);
    archs: "nvrtcGetSupportedArchs" => fn(*mut c_int);
    create: "nvrtcCreateProgram"
        => fn(*mut Program, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char);
    destroy: "nvrtcDestroyProgram" => fn(*mut Program);
    add_name: "nvrtcAddNameExpression" => fn(Program, *const c_char);
    compile: "nvrtcCompileProgram" => fn(Program, c_int, *const *const c_char);
    log_len: "nvrtcGetProgramLogSize" => fn(Program, *mut usize);
    log: "nvrtcGetProgramLog" => fn(Program, *mut c_char);
    ptx_len: "nvrtcGetPTXSize" => fn(Program, *mut usize);
    ptx: "nvrtcGetPTX" => fn(Program, *mut c_char);
    cubin_len: "nvrtcGetCUBINSize" => fn(Program, *mut usize);
    cubin: "nvrtcGetCUBIN" => fn(Program, *mut c_char);
    lowered: "nvrtcGetLoweredName" => fn(Program, *const c_char, *mut *const c_char);
}

/// NVRTC, which stays open.
#[derive(Debug)]
pub(crate) struct Nvrtc {
    pub(super) table: Table,
    /// What it was opened as.
    pub(crate) path: PathBuf,
    /// 13 and 0 of 13.0.
    pub(crate) version: (i32, i32),
    /// Generations of devices that it compiles for, the earliest first: 90 for 9.0.
    pub(crate) archs: Vec<u32>,
}

/// The major versions that may be there, the newest first.
const MAJORS: [u32; 3] = [13, 12, 11];

/// What the library is called.
fn names() -> Vec<String> {
    let of_major = |major: &u32| match cfg!(windows) {
        true => format!("nvrtc64_{major}0_0.dll"),
        false => format!("libnvrtc.so.{major}"),
    };
    let mut names: Vec<String> = MAJORS.iter().map(of_major).collect();
    if !cfg!(windows) {
        names.push("libnvrtc.so".to_owned());
    }
    names
}

/// Folders that it may be in, where nobody says: where it is put for FLASH, and where the toolkit is.
fn folders() -> Vec<PathBuf> {
    let folder = |name| of_others(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let mut all: Vec<PathBuf> =
        folder("HOME").map(|home| home.join(".local/share/flash/nvrtc")).into_iter().collect();
    for toolkit in ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(folder) {
        all.extend([toolkit.join("lib64"), toolkit.join("bin")]);
    }
    all.push(PathBuf::from("/usr/local/cuda/lib64"));
    all
}

/// The file of a folder that is the library.
fn file_in(folder: &Path) -> Option<PathBuf> {
    names().into_iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// What is tried in turn: a file or folder that somebody says and nothing else, else the usual places,
/// else what the system finds by name.
fn places(said: Option<&Path>) -> Vec<PathBuf> {
    match said {
        Some(path) if path.is_dir() => {
            vec![file_in(path).unwrap_or_else(|| path.join(&names()[0]))]
        }
        Some(path) => vec![path.to_owned()],
        None => {
            let mut all: Vec<PathBuf> =
                folders().iter().filter_map(|folder| file_in(folder)).collect();
            all.extend(names().into_iter().map(PathBuf::from));
            all
        }
    }
}

/// Opens what the library would look for beside itself and not find, as it does not know where it is.
fn open_builtins(path: &Path) {
    let Some(folder) = path.parent().filter(|folder| folder.is_absolute()) else { return };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with("libnvrtc-builtins.so.") {
            // SAFETY: it is NVIDIA's own, beside the library that was asked for, and runs nothing.
            if let Ok(library) = unsafe { Library::new(entry.path()) } {
                let _stays_open = ManuallyDrop::new(library);
            }
        }
    }
}

fn open(path: &Path) -> std::result::Result<Nvrtc, String> {
    open_builtins(path);
    // SAFETY: opening it runs the initialisers of NVRTC, which the user has installed for this.
    let library = unsafe { Library::new(path) }.map_err(|error| {
        let said = std::error::Error::source(&error).map(ToString::to_string);
        said.unwrap_or_else(|| error.to_string())
    })?;
    let library = ManuallyDrop::new(library);
    let table = Table::of(&library).map_err(|name| format!("it has no function `{name}`"))?;
    let (mut major, mut minor, mut n): (c_int, c_int, c_int) = (0, 0, 0);
    // SAFETY: it writes two numbers.
    let code = unsafe { (table.version)(&raw mut major, &raw mut minor) };
    if code != 0 {
        return Err(table.said(code));
    }
    // SAFETY: it writes a number.
    let code = unsafe { (table.n_archs)(&raw mut n) };
    if code != 0 {
        return Err(table.said(code));
    }
    let mut archs: Vec<c_int> = vec![0; usize::try_from(n).unwrap_or(0)];
    // SAFETY: it writes as many numbers as it has just said.
    let code = unsafe { (table.archs)(archs.as_mut_ptr()) };
    if code != 0 {
        return Err(table.said(code));
    }
    let mut archs: Vec<u32> = archs.into_iter().filter_map(|arch| arch.try_into().ok()).collect();
    archs.sort_unstable();
    Ok(Nvrtc { table, path: path.to_owned(), version: (major, minor), archs })
}

impl Table {
    /// What a status means, in the words of NVRTC.
    pub(super) fn said(&self, code: Result) -> String {
        // SAFETY: it gives a text of its own that stays, for any number.
        let text = unsafe { (self.words)(code) };
        if text.is_null() {
            return format!("status {code}");
        }
        // SAFETY: the text ends with 0.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

type Opened = std::result::Result<&'static Nvrtc, String>;

/// NVRTC, as it is found, opened once for each path that is said; else why it is not there, and what to do.
pub(crate) fn nvrtc(said: Option<&Path>) -> Opened {
    static KNOWN: Mutex<Vec<(Option<PathBuf>, &'static Nvrtc)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, nvrtc)) = known.iter().find(|(path, _)| path.as_deref() == said) {
        return Ok(*nvrtc);
    }
    let mut first = None;
    for path in places(said) {
        match open(&path) {
            Ok(nvrtc) => {
                tracing::debug!(path = %path.display(), version = ?nvrtc.version, "NVRTC is there");
                // There are as many as paths that somebody says.
                let nvrtc: &'static Nvrtc = Box::leak(Box::new(nvrtc));
                known.push((said.map(Path::to_owned), nvrtc));
                return Ok(nvrtc);
            }
            Err(error) => {
                first.get_or_insert(error);
            }
        }
    }
    Err(absent(said, first))
}

/// What is said where none opens; `why` the first one does not.
fn absent(said: Option<&Path>, why: Option<String>) -> String {
    match said {
        Some(path) => {
            let why = why.unwrap_or_default();
            format!("FLASH_NVRTC says `{}`, which is not NVRTC: {why}", path.display())
        }
        None => format!(
            "there is no NVRTC, which compiles CUDA C: neither in ~/.local/share/flash/nvrtc nor by the \
             name {}; install it (the package nvidia-cuda-nvrtc of PyPI, or the CUDA toolkit), say where \
             it is with FLASH_NVRTC, or give PTX or a cubin",
            names().join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_tried_alone() {
        let said = Path::new("/nowhere/libnvrtc.so");
        assert_eq!(places(Some(said)), [said]);
        let why = nvrtc(Some(said)).unwrap_err();
        assert!(why.contains("FLASH_NVRTC says `/nowhere/libnvrtc.so`"), "{why}");
        assert!(places(None).len() >= names().len());
        let absent = absent(None, None);
        assert!(absent.contains("FLASH_NVRTC") && absent.contains("nvidia-cuda-nvrtc"), "{absent}");
    }

    #[test]
    fn a_folder_is_looked_through() {
        let dir = tempfile::tempdir().unwrap();
        let first = places(Some(dir.path()));
        assert_eq!(first, [dir.path().join(&names()[0])]);
        std::fs::write(dir.path().join(&names()[1]), b"no library").unwrap();
        assert_eq!(places(Some(dir.path())), [dir.path().join(&names()[1])]);
        let why = nvrtc(Some(dir.path())).unwrap_err();
        assert!(why.contains("which is not NVRTC") && why.contains(&names()[1]), "{why}");
    }
}
