//! Code for the driver: the image of a file that a device takes, seen to be whole and for it, and loaded
//! in the device's context. Fenced: it vouches that images are whole.
#![allow(unsafe_code, reason = "hands images that were read to the driver")]

use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex, PoisonError};

use flash_rt::DriverError;

use crate::cu::{Failure, Function, Image, Module};
use crate::device::CudaDevice;
use crate::facts::DeviceFacts;
use crate::image::{Arch, Fatbin, Kind, Metadata, too_new};
use crate::module::unusable;

/// What the driver says of code that its device does not run (`CUDA_ERROR_NO_BINARY_FOR_GPU`).
const NO_BINARY: i64 = 209;

/// An image in the form that the driver takes it.
#[derive(Clone, Debug)]
enum Taken {
    Ptx(CString),
    Binary(Vec<u8>),
}

/// Code for a device.
#[derive(Debug)]
pub(crate) struct Code {
    image: Taken,
    /// What it has; `None` for an image that only the driver can unpack.
    pub(crate) metadata: Option<Metadata>,
    /// What was made of it last, in the context that the device had then.
    loaded: Mutex<Option<Loaded>>,
}

/// A module, and the functions and variables that it was asked for: a launch asks for them.
#[derive(Debug)]
struct Loaded {
    module: Arc<Module>,
    functions: Vec<(CString, Arc<Function>)>,
    variables: Vec<(CString, Variable)>,
}

/// A variable of code in a context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) address: u64,
    pub(crate) bytes: usize,
}

impl DeviceFacts {
    /// Its generation.
    pub(crate) fn arch(&self) -> Arch {
        Arch::of(self.capability.0, self.capability.1)
    }
}

/// What takes an image: a device by its name, and the version of CUDA that its driver is for.
#[derive(Clone, Copy, Debug)]
struct Taker<'d> {
    name: &'d str,
    arch: Arch,
    driver: i32,
}

impl<'d> Taker<'d> {
    fn of(facts: &'d DeviceFacts) -> Self {
        Self { name: &facts.name, arch: facts.arch(), driver: facts.driver }
    }
}

/// The images of a file that a device takes, best first; else what is wrong with it.
fn take(bytes: &[u8], by: Taker<'_>) -> Result<Vec<(Taken, Option<Metadata>)>, String> {
    match Kind::of(bytes) {
        Some(Kind::Ptx) => of_ptx(bytes, by).map(|image| vec![image]),
        Some(Kind::Cubin) => of_cubin(bytes, by).map(|image| vec![image]),
        Some(Kind::Fatbin) => of_fatbin(bytes, by),
        None => {
            Err("it is neither PTX nor a cubin nor a fatbin: it begins as none of them".to_owned())
        }
    }
}

fn of_ptx(bytes: &[u8], by: Taker<'_>) -> Result<(Taken, Option<Metadata>), String> {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = std::str::from_utf8(&bytes[..end]).map_err(|_| "it is no text".to_owned())?;
    let metadata = Metadata::of_ptx(text).map_err(|damage| damage.to_string())?;
    if let Some(why) = metadata.ptx.and_then(|version| too_new(version, by.driver)) {
        return Err(why);
    }
    let device = by.arch;
    if !metadata.arch.ptx_runs_on(device) {
        return Err(format!(
            "it is PTX for {}, and `{}` is {device}; compile it for {device} or before",
            metadata.arch, by.name
        ));
    }
    let text = CString::new(text).map_err(|_| "it has a zero in it".to_owned())?;
    Ok((Taken::Ptx(text), Some(metadata)))
}

fn of_cubin(bytes: &[u8], by: Taker<'_>) -> Result<(Taken, Option<Metadata>), String> {
    let metadata = Metadata::of_cubin(bytes).map_err(|damage| damage.to_string())?;
    let device = by.arch;
    if !metadata.arch.machine_code_runs_on(device) {
        return Err(format!(
            "it is code for {}, and `{}` is {device}, which does not run that; give one for {device}, or \
             PTX, which runs on later devices too",
            metadata.arch, by.name
        ));
    }
    Ok((Taken::Binary(bytes.to_vec()), Some(metadata)))
}

fn of_fatbin(bytes: &[u8], by: Taker<'_>) -> Result<Vec<(Taken, Option<Metadata>)>, String> {
    let fatbin = Fatbin::read(bytes).map_err(|damage| damage.to_string())?;
    let device = by.arch;
    let (mut all, mut refused) = (Vec::new(), None);
    for member in fatbin.for_device(device) {
        let taken = match member.bytes {
            Some(text) if member.is_ptx => of_ptx(text, by),
            Some(code) => of_cubin(code, by),
            // The driver unpacks it, and takes the same one.
            None => Ok((Taken::Binary(bytes.to_vec()), None)),
        };
        match taken {
            Ok(taken) => all.push(taken),
            // Another one may do: PTX of before, or PTX where code is for one device of a generation only.
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    if !all.is_empty() {
        return Ok(all);
    }
    Err(refused.unwrap_or_else(|| {
        format!("it has {}, and `{}` is {device}, which runs none of them", fatbin.list(), by.name)
    }))
}

impl Code {
    /// The code in a file for a device, loaded.
    pub(crate) fn new(device: &CudaDevice, bytes: &[u8]) -> Result<Self, DriverError> {
        let mut refused = None;
        for (image, metadata) in take(bytes, Taker::of(&device.facts)).map_err(unusable)? {
            let code = Self { image, metadata, loaded: Mutex::default() };
            let mut loaded = None;
            match code.loaded(device, &mut loaded) {
                Ok(_) => return Ok(Self { loaded: Mutex::new(loaded), ..code }),
                // Of code for one device of a generation alone only the driver knows that it is.
                Err(error) if error.code == NO_BINARY => refused = refused.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        Err(refused.unwrap_or_else(|| unusable("it has no image".to_owned())))
    }

    /// The code in the context that the device has now.
    fn loaded<'l>(
        &self,
        device: &CudaDevice,
        loaded: &'l mut Option<Loaded>,
    ) -> Result<&'l mut Loaded, DriverError> {
        let context = device.context()?;
        let known = loaded.take().filter(|known| Arc::ptr_eq(known.module.context(), &context));
        if let Some(known) = known {
            return Ok(loaded.insert(known));
        }
        let image = match &self.image {
            Taken::Ptx(text) => Image::Ptx(text),
            Taken::Binary(bytes) => Image::Binary(bytes),
        };
        // SAFETY: a binary was read, and what its own headers say is within its bytes.
        let module = unsafe { Module::load(&context, image) };
        let (module, said) = module.map_err(|(failure, log)| not_loaded(device, failure, &log))?;
        if !said.is_empty() {
            tracing::debug!(device = device.facts.name, said, "the driver says something of code");
        }
        Ok(loaded.insert(Loaded { module, functions: Vec::new(), variables: Vec::new() }))
    }

    /// A function of it; `None` where it has none of the name.
    pub(crate) fn function(
        &self,
        device: &CudaDevice,
        name: &CStr,
    ) -> Result<Option<Arc<Function>>, DriverError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = self.loaded(device, &mut loaded)?;
        if let Some((_, known)) = loaded.functions.iter().find(|(known, _)| **known == *name) {
            return Ok(Some(Arc::clone(known)));
        }
        let found = loaded.module.function(name).map_err(|failure| device.error(failure))?;
        Ok(found.map(|function| {
            let function = Arc::new(function);
            loaded.functions.push((name.to_owned(), Arc::clone(&function)));
            function
        }))
    }

    /// A variable of it; `None` where it has none of the name.
    pub(crate) fn variable(
        &self,
        device: &CudaDevice,
        name: &CStr,
    ) -> Result<Option<Variable>, DriverError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = self.loaded(device, &mut loaded)?;
        if let Some((_, known)) = loaded.variables.iter().find(|(known, _)| **known == *name) {
            return Ok(Some(*known));
        }
        let found = loaded.module.variable(name).map_err(|failure| device.error(failure))?;
        Ok(found.map(|(address, bytes)| {
            let variable = Variable { address, bytes };
            loaded.variables.push((name.to_owned(), variable));
            variable
        }))
    }
}

/// What the driver said of code that it does not take.
#[cold]
fn not_loaded(device: &CudaDevice, failure: Failure, log: &str) -> DriverError {
    let error = device.error(failure);
    if log.is_empty() {
        return error;
    }
    DriverError { text: format!("{}\n{log}", error.text).into(), ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = include_str!("../fixtures/saxpy.ptx");

    /// A fatbin of PTX, each with the number of its architecture.
    fn fatbin(texts: &[(u32, &str)]) -> Vec<u8> {
        let mut all = Vec::new();
        for (arch, text) in texts {
            let mut head = [0; 64];
            head[..2].copy_from_slice(&1_u16.to_le_bytes());
            head[4..8].copy_from_slice(&64_u32.to_le_bytes());
            head[8..16].copy_from_slice(&(text.len() as u64).to_le_bytes());
            head[28..32].copy_from_slice(&arch.to_le_bytes());
            all.extend(head);
            all.extend(text.as_bytes());
        }
        let mut file = 0xba55_ed50_u32.to_le_bytes().to_vec();
        file.extend(1_u16.to_le_bytes());
        file.extend(16_u16.to_le_bytes());
        file.extend((all.len() as u64).to_le_bytes());
        file.extend(all);
        file
    }

    #[test]
    fn an_image_that_will_not_do_hides_none_that_does() {
        let by = Taker { name: "a GPU", arch: Arch::of(9, 0), driver: 13_000 };
        let line = PTX.lines().find(|line| line.starts_with(".version")).unwrap();
        let new = PTX.replace(line, ".version 99.9");
        let taken = take(&fatbin(&[(75, PTX), (90, &new)]), by).unwrap();
        let is_it = |taken: &Taken| matches!(taken, Taken::Ptx(text) if text.to_str() == Ok(PTX.trim_end_matches('\0')));
        assert!(matches!(&taken[..], [(taken, _)] if is_it(taken)), "{taken:?}");
        // Where none will do, the best one says why.
        let why = take(&fatbin(&[(90, &new)]), by).unwrap_err();
        assert!(why.contains("it is PTX 99.9"), "{why}");
        let why = take(&fatbin(&[(100, PTX)]), by).unwrap_err();
        assert!(why.contains("runs none of them"), "{why}");
    }
}
