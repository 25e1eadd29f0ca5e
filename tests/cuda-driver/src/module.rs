//! Modules and their functions: PTX that is parsed, or the names of a cubin. Launches are elsewhere. Where a cubin
//! runs as PTX with the same kernels, that shows how it is found, loaded and launched, and nothing of its code.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use flash_test_ptx::Entry;

use crate::bytes::{self, place_of};
use crate::codes::{Code, Outcome};
use crate::context::Context;
use crate::driver::driver;
use crate::health::Health;
use crate::image::{self, Image};

/// A module that is loaded.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) handle: usize,
    pub(crate) health: Arc<Health>,
    pub(crate) ptx: Option<flash_test_ptx::Module>,
    /// The kernels of machine code, which is not run.
    kernels: Vec<String>,
    /// Where each of the variables of the PTX is.
    pub(crate) globals: Vec<u64>,
}

/// A kernel of a module.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) handle: usize,
    pub(crate) module: Arc<Module>,
    pub(crate) name: String,
    /// Nothing for machine code.
    pub(crate) entry: Option<Entry>,
    /// Bytes of dynamic shared memory that a launch may ask for.
    pub(crate) dynamic_shared: AtomicU32,
}

/// Dynamic and static shared memory that a block has without asking for more.
pub(crate) const SHARED: u32 = 48 << 10;
/// Shared memory of a block that asked for more.
pub(crate) const SHARED_MOST: u32 = 227 << 10;

impl Module {
    /// Loads an image; what is wrong with it is told in words too.
    pub(crate) fn load(context: &Context, bytes: &[u8]) -> Result<Arc<Self>, (Code, String)> {
        let driver = driver();
        let (device, health) = (context.device(), context.health.clone());
        let (capability, newest, is_run) =
            driver.setting(|settings| (settings.capability(device), settings.ptx(), settings.code));
        let image = image::read(bytes, capability, is_run)
            .map_err(|code| (code, "the image holds nothing for this device".to_owned()))?;
        let (ptx, kernels) = match image {
            Image::Cubin(cubin) => {
                let ptx = if is_run { driver.text_of(&cubin.kernels) } else { None };
                (ptx, cubin.kernels)
            }
            Image::Ptx(text) => {
                refuse_newer(&text, capability, newest)?;
                let ptx = flash_test_ptx::Module::parse(&text)
                    .map_err(|error| (Code::INVALID_PTX, error.to_string()))?;
                if is_run {
                    driver.keep_text(text);
                }
                (Some(ptx), Vec::new())
            }
        };
        let globals = ptx.as_ref().map_or(Ok(Vec::new()), |ptx| place(context, ptx));
        let globals = globals.map_err(|code| (code, "no room".to_owned()))?;
        Ok(driver.modules.insert(|handle| Self { handle, health, ptx, kernels, globals }))
    }

    /// Ends the module and its functions.
    pub(crate) fn unload(&self) -> Outcome {
        let driver = driver();
        driver.modules.remove(self.handle)?;
        drop(driver.functions.take(|function| function.module.handle != self.handle));
        for &global in &self.globals {
            // A reset of the context may have freed it already.
            let _ = driver.memories[self.health.device].free(global);
        }
        Ok(())
    }

    /// The names of all kernels.
    pub(crate) fn kernels(&self) -> Vec<String> {
        match &self.ptx {
            Some(ptx) => ptx.entries().iter().map(|entry| entry.name.clone()).collect(),
            None => self.kernels.clone(),
        }
    }

    /// A variable: its address and its bytes.
    pub(crate) fn global(&self, name: &str) -> Outcome<(u64, usize)> {
        let globals = self.ptx.as_ref().map_or(&[][..], |ptx| ptx.globals());
        let found = globals.iter().zip(&self.globals).find(|(global, _)| global.name == name);
        found.map(|(global, &address)| (address, global.size)).ok_or(Code::NOT_FOUND)
    }
}

fn refuse_newer(
    text: &str,
    capability: (u32, u32),
    newest: (u32, u32),
) -> Result<(), (Code, String)> {
    let after = |directive: &str| {
        let rest = &text[text.find(directive)? + directive.len()..];
        rest.split(|c: char| c.is_whitespace() || c == ',').find(|word| !word.is_empty())
    };
    let number = |word: &str| -> Option<(u32, u32)> {
        let (major, minor) = word.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    if let Some(version) = after(".version").and_then(number).filter(|&it| it > newest) {
        let why = format!(
            "Unsupported .version {}.{}; current version is '{}.{}'",
            version.0, version.1, newest.0, newest.1
        );
        return Err((Code::UNSUPPORTED_PTX_VERSION, why));
    }
    let arch = after(".target").and_then(|word| word.strip_prefix("sm_"));
    let digits = arch.map(|arch| arch.trim_end_matches(|c: char| !c.is_ascii_digit()));
    let arch = digits.and_then(|arch| arch.parse::<u32>().ok()).unwrap_or(0);
    if arch > capability.0 * 10 + capability.1 {
        let why = format!("PTX for sm_{arch} on a device of sm_{}{}", capability.0, capability.1);
        return Err((Code::NO_BINARY_FOR_GPU, why));
    }
    Ok(())
}

/// Allocates the variables of a module and writes what they hold at first.
fn place(context: &Context, ptx: &flash_test_ptx::Module) -> Outcome<Vec<u64>> {
    let driver = driver();
    let limit = driver.setting(|settings| settings.memory);
    let memory = &driver.memories[context.device()];
    let mut placed = Vec::new();
    for global in ptx.globals() {
        let allocation = memory.add(context.handle, global.size.max(1) as u64, limit, true)?;
        placed.push(allocation);
    }
    let addresses: Vec<u64> = placed.iter().map(|allocation| allocation.start).collect();
    for (global, allocation) in ptx.globals().iter().zip(&placed) {
        let image = global.image(&addresses);
        let len = image.len().min(allocation.bytes.len());
        bytes::copy(place_of(&image), allocation.bytes.place(0), len);
    }
    Ok(addresses)
}

impl Function {
    /// The kernel of a name.
    pub(crate) fn find(module: &Arc<Module>, name: &str) -> Outcome<Arc<Self>> {
        let entry = module.ptx.as_ref().and_then(|ptx| ptx.entry(name)).cloned();
        if entry.is_none() && !module.kernels.iter().any(|kernel| kernel == name) {
            return Err(Code::NOT_FOUND);
        }
        let driver = driver();
        let same = |it: &Arc<Self>| it.module.handle == module.handle && it.name == name;
        if let Some(function) = driver.functions.all().into_iter().find(same) {
            return Ok(function);
        }
        let static_shared = entry.as_ref().map_or(0, |entry| entry.static_shared);
        let dynamic_shared = AtomicU32::new(SHARED.saturating_sub(static_shared));
        let (module, name) = (module.clone(), name.to_owned());
        Ok(driver.functions.insert(|handle| Self { handle, module, name, entry, dynamic_shared }))
    }

    /// The most threads that a block may have.
    pub(crate) fn max_threads(&self) -> u32 {
        let bound =
            self.entry.as_ref().and_then(|entry| entry.required_threads.or(entry.max_threads));
        bound.map_or(1024, |[x, y, z]| x * y * z).min(1024)
    }

    pub(crate) fn static_shared(&self) -> u32 {
        self.entry.as_ref().map_or(0, |entry| entry.static_shared)
    }

    pub(crate) fn registers(&self) -> u32 {
        self.entry.as_ref().map_or(32, |entry| entry.registers.clamp(1, 255))
    }

    /// Blocks of a shape that one multiprocessor holds at once.
    pub(crate) fn resident(&self, threads: u32, dynamic_shared: u32) -> u32 {
        if threads == 0 || threads > self.max_threads() {
            return 0;
        }
        let warps = threads.div_ceil(32);
        let shared = self.static_shared() + dynamic_shared + 1024;
        let by_registers = 65536 / (self.registers().next_multiple_of(8) * 32 * warps);
        (64 / warps).min(by_registers).min(233_472 / shared).min(32)
    }

    pub(crate) fn most_dynamic(&self) -> u32 {
        self.dynamic_shared.load(Relaxed)
    }
}
