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

/// The image of a file that a device takes; else what is wrong with it.
fn take(bytes: &[u8], facts: &DeviceFacts) -> Result<(Taken, Option<Metadata>), String> {
    match Kind::of(bytes) {
        Some(Kind::Ptx) => of_ptx(bytes, facts),
        Some(Kind::Cubin) => of_cubin(bytes, facts),
        Some(Kind::Fatbin) => of_fatbin(bytes, facts),
        None => {
            Err("it is neither PTX nor a cubin nor a fatbin: it begins as none of them".to_owned())
        }
    }
}

fn of_ptx(bytes: &[u8], facts: &DeviceFacts) -> Result<(Taken, Option<Metadata>), String> {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = std::str::from_utf8(&bytes[..end]).map_err(|_| "it is no text".to_owned())?;
    let metadata = Metadata::of_ptx(text).map_err(|damage| damage.to_string())?;
    if let Some(why) = metadata.ptx.and_then(|version| too_new(version, facts.driver)) {
        return Err(why);
    }
    let device = facts.arch();
    if !metadata.arch.ptx_runs_on(device) {
        return Err(format!(
            "it is PTX for {}, and `{}` is {device}; compile it for {device} or before",
            metadata.arch, facts.name
        ));
    }
    let text = CString::new(text).map_err(|_| "it has a zero in it".to_owned())?;
    Ok((Taken::Ptx(text), Some(metadata)))
}

fn of_cubin(bytes: &[u8], facts: &DeviceFacts) -> Result<(Taken, Option<Metadata>), String> {
    let metadata = Metadata::of_cubin(bytes).map_err(|damage| damage.to_string())?;
    let device = facts.arch();
    if !metadata.arch.machine_code_runs_on(device) {
        return Err(format!(
            "it is code for {}, and `{}` is {device}, which does not run that; give one for {device}, or \
             PTX, which runs on later devices too",
            metadata.arch, facts.name
        ));
    }
    Ok((Taken::Binary(bytes.to_vec()), Some(metadata)))
}

fn of_fatbin(bytes: &[u8], facts: &DeviceFacts) -> Result<(Taken, Option<Metadata>), String> {
    let fatbin = Fatbin::read(bytes).map_err(|damage| damage.to_string())?;
    let device = facts.arch();
    let Some(member) = fatbin.best(device) else {
        return Err(format!(
            "it has {}, and `{}` is {device}, which runs none of them",
            fatbin.list(),
            facts.name
        ));
    };
    match member.bytes {
        Some(text) if member.is_ptx => of_ptx(text, facts),
        Some(code) => of_cubin(code, facts),
        // The driver unpacks it, and takes the same one.
        None => Ok((Taken::Binary(bytes.to_vec()), None)),
    }
}

impl Code {
    /// The code in a file for a device, loaded.
    pub(crate) fn new(device: &CudaDevice, bytes: &[u8]) -> Result<Self, DriverError> {
        let (image, metadata) = take(bytes, &device.facts).map_err(unusable)?;
        let code = Self { image, metadata, loaded: Mutex::default() };
        let mut loaded = None;
        code.loaded(device, &mut loaded)?;
        Ok(Self { loaded: Mutex::new(loaded), ..code })
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
