//! CUDA C as PTX or machine code of a device, by NVRTC. It knows no kernels and no launches.

mod library;
mod program;

use std::path::PathBuf;

use flash_rt::Options;
use flash_rt::offload::block::HEADER;
use flash_rt::offload::cache::{Cache, Key};
use flash_rt::offload::includes;

use crate::image::Arch;
#[cfg(test)]
use crate::image::Metadata;
pub(crate) use library::{Nvrtc, nvrtc};
pub(crate) use program::{Refused, Source};

/// Where compiled texts are below the folder for them.
pub(crate) const KEPT_IN: &str = "cuda";

/// The version of what is kept on disk.
const VERSION: &str = concat!("flash-cuda ", env!("CARGO_PKG_VERSION"));

/// What a text is compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A text that the driver compiles.
    Ptx,
    /// Machine code.
    Cubin,
}

/// What a text is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) form: Form,
    pub(crate) arch: u32,
}

impl Target {
    /// What a device takes: machine code where NVRTC knows it, else PTX for the latest before it, unless
    /// somebody says which.
    pub(crate) fn of(nvrtc: &Nvrtc, device: Arch, said: Option<Form>) -> Result<Self, String> {
        Self::choose(&nvrtc.archs, nvrtc.version, device, said)
    }

    fn choose(
        archs: &[u32],
        (major, minor): (i32, i32),
        device: Arch,
        said: Option<Form>,
    ) -> Result<Self, String> {
        let is_known = archs.contains(&device.number);
        let form = said.unwrap_or(if is_known { Form::Cubin } else { Form::Ptx });
        let before = archs.iter().copied().filter(|arch| *arch <= device.number).max();
        match (form, before) {
            (Form::Cubin, _) if is_known => Ok(Self { form, arch: device.number }),
            (Form::Ptx, Some(arch)) => Ok(Self { form, arch }),
            (Form::Cubin, Some(_)) => Err(format!(
                "FLASH_CUDA_IMAGE asks for a cubin, and NVRTC {major}.{minor} makes none for {device}"
            )),
            (_, None) => Err(format!(
                "NVRTC {major}.{minor} compiles for sm_{} and later, and this device is {device}; install \
                 an earlier NVRTC, or give a cubin",
                archs.first().copied().unwrap_or(0)
            )),
        }
    }

    /// As an option of NVRTC.
    fn option(self) -> String {
        match self.form {
            Form::Ptx => format!("--gpu-architecture=compute_{}", self.arch),
            Form::Cubin => format!("--gpu-architecture=sm_{}", self.arch),
        }
    }
}

/// What a text was compiled to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiled {
    pub(crate) form: Form,
    /// The image; a text without the zero at its end.
    pub(crate) image: Vec<u8>,
    /// What the functions of the names that were asked for are called in it.
    pub(crate) lowered: Vec<String>,
}

/// How texts are compiled for the devices of a runtime.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    /// Where NVRTC is, if somebody says.
    path: Option<PathBuf>,
    /// What texts become, if somebody says.
    form: Option<Form>,
    cache: Option<Cache>,
}

impl Compiler {
    /// That of these options.
    pub(crate) fn new(options: &Options) -> Self {
        let form = |is_ptx| if is_ptx { Form::Ptx } else { Form::Cubin };
        Self {
            path: options.nvrtc.clone(),
            form: options.cuda_ptx.map(form),
            cache: options.cache_dir.as_ref().map(|dir| Cache::below(dir, KEPT_IN)),
        }
    }

    /// What texts for a device become; else why there are none.
    pub(crate) fn target(&self, device: Arch) -> Result<Target, String> {
        Target::of(nvrtc(self.path.as_deref())?, device, self.form)
    }

    /// A text for a device.
    pub(crate) fn compile(&self, device: Arch, source: &Source<'_>) -> Result<Compiled, Refused> {
        let nvrtc = nvrtc(self.path.as_deref()).map_err(Refused::Other)?;
        let target = Target::of(nvrtc, device, self.form).map_err(Refused::Other)?;
        compile(nvrtc, source, target, self.cache.as_ref())
    }

    /// The same as PTX, whatever is said, which is not kept.
    pub(crate) fn as_ptx(&self, device: Arch, source: &Source<'_>) -> Result<Compiled, Refused> {
        let nvrtc = nvrtc(self.path.as_deref()).map_err(Refused::Other)?;
        let target = Target::of(nvrtc, device, Some(Form::Ptx)).map_err(Refused::Other)?;
        compile(nvrtc, source, target, None)
    }
}

/// Compiles a text for a target, or takes what was compiled of it in an earlier run.
pub(crate) fn compile(
    nvrtc: &Nvrtc,
    source: &Source<'_>,
    target: Target,
    cache: Option<&Cache>,
) -> Result<Compiled, Refused> {
    let options = all_options(source, target);
    // Of a text that takes in other files only its own words are seen here.
    let has_folders = includes::have_includes(source.options.iter().map(String::as_str));
    // The one that we give is part of the key.
    let text = source.text.replace("#include \"flash.h\"", "");
    let is_alone = !has_folders && !includes::has_includes(&text);
    let cache = cache.filter(|_| is_alone);
    let key = key(nvrtc, source, &options);
    if let Some(cache) = cache
        && let Some(kept) = cache.get(key)
    {
        match unpacked(&kept, target.form, source.names.len()) {
            Some(compiled) => return Ok(compiled),
            None => cache.forget(key),
        }
    }
    let compiled = program::compile(nvrtc, source, &options, target.form)?;
    if let Some(cache) = cache {
        cache.put(key, &packed(&compiled));
    }
    Ok(compiled)
}

/// The options of a text, for a target.
fn all_options(source: &Source<'_>, target: Target) -> Vec<String> {
    std::iter::once(target.option()).chain(source.options.iter().cloned()).collect()
}

/// What a text with these options is kept under.
fn key(nvrtc: &Nvrtc, source: &Source<'_>, options: &[String]) -> Key {
    let version = format!("{VERSION} nvrtc {}.{}", nvrtc.version.0, nvrtc.version.1);
    let mut facts =
        vec![version.as_bytes(), HEADER.as_bytes(), source.file.as_bytes(), source.text.as_bytes()];
    facts.extend(options.iter().map(String::as_bytes));
    facts.push(b"names");
    facts.extend(source.names.iter().map(String::as_bytes));
    Key::of(&facts)
}

/// Names, each with its length, and the image.
fn packed(compiled: &Compiled) -> Vec<u8> {
    let mut all = Vec::with_capacity(compiled.image.len() + 64);
    for name in &compiled.lowered {
        all.extend_from_slice(&(name.len() as u32).to_le_bytes());
        all.extend_from_slice(name.as_bytes());
    }
    all.extend_from_slice(&compiled.image);
    all
}

fn unpacked(mut bytes: &[u8], form: Form, n_names: usize) -> Option<Compiled> {
    let mut lowered = Vec::with_capacity(n_names);
    for _ in 0..n_names {
        let (len, rest) = bytes.split_first_chunk::<4>()?;
        let (name, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        lowered.push(String::from_utf8(name.to_vec()).ok()?);
        bytes = rest;
    }
    (!bytes.is_empty()).then(|| Compiled { form, image: bytes.to_vec(), lowered })
}

#[cfg(test)]
mod tests;
