//! The kernels of the raw peer, from `kernels/*.cu`: compiled to PTX by NVRTC, when the benchmark runs
//! or before that for a machine without NVRTC, and loaded. It launches nothing.
#![allow(unsafe_code, reason = "modules of CUDA's driver, and its compiler")]

use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Once;

use cudarc::driver::{result, sys};
use cudarc::nvrtc;

use super::said;

/// Sources by the names of their files.
const SOURCES: [(&str, &str); 5] = [
    ("launches", include_str!("../../kernels/launches.cu")),
    ("streams", include_str!("../../kernels/streams.cu")),
    ("nbody", include_str!("../../kernels/nbody.cu")),
    ("grids", include_str!("../../kernels/grids.cu")),
    ("products", include_str!("../../kernels/products.cu")),
];

/// What PTX for other machines is made for: every device that NVRTC 13 knows.
const EVERYWHERE: &str = "compute_75";

/// Every kernel, in the order of [`Kernel::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    Step,
    Saxpy,
    Triad,
    Pull,
    Advance,
    Hotspot,
    Edges,
    Multiply,
}

impl Kernel {
    pub(super) const ALL: [Self; 8] = [
        Self::Step,
        Self::Saxpy,
        Self::Triad,
        Self::Pull,
        Self::Advance,
        Self::Hotspot,
        Self::Edges,
        Self::Multiply,
    ];

    /// File and entry.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Step => ("launches", "step"),
            Self::Saxpy => ("streams", "saxpy"),
            Self::Triad => ("streams", "triad"),
            Self::Pull => ("nbody", "pull"),
            Self::Advance => ("nbody", "advance"),
            Self::Hotspot => ("grids", "hotspot"),
            Self::Edges => ("grids", "edges"),
            Self::Multiply => ("products", "multiply"),
        }
    }
}

/// Where PTX comes from.
#[derive(Clone, Debug)]
pub(crate) enum Ptx {
    /// NVRTC, for the device at hand.
    Compiled,
    /// Files in a folder, as [`write()`] leaves them.
    Folder(PathBuf),
}

impl Ptx {
    fn of(&self, name: &str, source: &str, arch: &str) -> Result<String, String> {
        match self {
            Self::Compiled => compile(name, source, arch),
            Self::Folder(folder) => {
                let path = folder.join(format!("{name}.ptx"));
                std::fs::read_to_string(&path)
                    .map_err(|error| format!("{}: {error}", path.display()))
            }
        }
    }
}

/// Opens NVRTC where `FLASH_NVRTC` says, or where `scripts/nvrtc` puts it, so that its name is enough after
/// that: what it opens itself comes first, as it looks for that by name alone.
fn open_nvrtc() {
    let home =
        std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/share/flash/nvrtc"));
    let Some(said) = std::env::var_os("FLASH_NVRTC").map(PathBuf::from).or(home) else { return };
    let folder = if said.is_dir() { Some(said.as_path()) } else { said.parent() };
    for name in ["libnvrtc-builtins.so.13.0", "libnvrtc.so.13"] {
        let path = folder.unwrap_or(Path::new("")).join(name);
        // SAFETY: the libraries are NVIDIA's, which do nothing when they are opened.
        if let Ok(library) = unsafe { libloading::Library::new(path) } {
            let _stays_open = ManuallyDrop::new(library);
        }
    }
}

/// The PTX of a source.
fn compile(name: &str, source: &str, arch: &str) -> Result<String, String> {
    static OPENED: Once = Once::new();
    OPENED.call_once(open_nvrtc);
    // SAFETY: it only looks for a library by its usual names.
    if !unsafe { nvrtc::sys::is_culib_present() } {
        return Err("there is no NVRTC to compile the peer's kernels".to_owned());
    }
    let options = nvrtc::CompileOptions {
        name: Some(format!("{name}.cu")),
        options: vec![format!("--gpu-architecture={arch}")],
        ..nvrtc::CompileOptions::default()
    };
    match nvrtc::compile_ptx_with_opts(source, options) {
        Ok(ptx) => Ok(ptx.to_src()),
        Err(nvrtc::CompileError::CompileError { log, .. }) => {
            Err(format!("NVRTC: {}", log.to_string_lossy().trim()))
        }
        Err(error) => Err(format!("NVRTC: {error}")),
    }
}

/// Writes the PTX of all kernels to a folder, for [`Ptx::Folder`].
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, source) in SOURCES {
        let ptx = compile(name, source, EVERYWHERE)?;
        std::fs::write(folder.join(format!("{name}.ptx")), ptx).map_err(failed)?;
    }
    Ok(())
}

/// The functions of all kernels. Their modules stay until the process ends.
pub(super) fn load(ptx: &Ptx, arch: &str) -> Result<Vec<sys::CUfunction>, String> {
    let mut modules = Vec::new();
    for (name, source) in SOURCES {
        let text = CString::new(ptx.of(name, source, arch)?.trim_end_matches('\0'))
            .map_err(|error| format!("{name}.ptx: {error}"))?;
        // SAFETY: the image is PTX that ends with a zero.
        let module = unsafe { result::module::load_data(text.as_ptr().cast()) }
            .map_err(|error| format!("cuModuleLoadData of {name}.ptx: {error:?}"))?;
        modules.push((name, module));
    }
    let function = |kernel: Kernel| {
        let (file, entry) = kernel.names();
        let module = modules.iter().find(|(name, _)| *name == file).map(|(_, module)| *module);
        let module = module.ok_or_else(|| format!("there is no {file}.cu"))?;
        let entry = CString::new(entry).map_err(|error| error.to_string())?;
        // SAFETY: the module was loaded above.
        unsafe { result::module::get_function(module, entry) }.map_err(said("cuModuleGetFunction"))
    };
    Kernel::ALL.into_iter().map(function).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kernel_is_in_its_file() {
        for kernel in Kernel::ALL {
            let (file, entry) = kernel.names();
            let source = SOURCES.iter().find(|(name, _)| *name == file).map(|(_, source)| source);
            let head = format!("extern \"C\" __global__ void {entry}(");
            assert!(source.is_some_and(|source| source.contains(&head)), "{file}.cu: {entry}");
        }
        assert!(Kernel::ALL.iter().enumerate().all(|(k, kernel)| *kernel as usize == k));
    }

    #[test]
    fn nvrtc_compiles_every_kernel_for_every_device() {
        let folder = tempfile::tempdir().expect("a folder");
        if let Err(why) = write(folder.path()) {
            assert!(why.starts_with("there is no NVRTC"), "{why}");
            let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
            assert!(!required.split(',').any(|it| it == "nvrtc"), "{why}");
            println!("left out: {why}");
            return;
        }
        let ptx = Ptx::Folder(folder.path().to_owned());
        for kernel in Kernel::ALL {
            let (file, entry) = kernel.names();
            let text = ptx.of(file, "", "").expect("a file");
            assert!(text.contains(&format!(".visible .entry {entry}(")), "{file}.ptx: {entry}");
            assert!(text.contains(".target sm_75"), "{file}.ptx");
        }
    }
}
