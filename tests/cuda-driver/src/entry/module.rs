//! Modules: loaded from images, asked for kernels and variables, unloaded.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::pointers::{put_text, result_at};
use super::{In, Out, Text, entries};
use crate::capture;
use crate::codes::{Code, Outcome};
use crate::context::usable;
use crate::driver::driver;
use crate::module::{Function, Module};

/// Where the messages about an image go.
#[derive(Default)]
struct Logs {
    error: usize,
    error_room: usize,
    /// The place of the room, which becomes the length of what was written.
    error_slot: Option<Out<usize>>,
    info: usize,
    info_slot: Option<Out<usize>>,
}

impl Logs {
    fn of(count: u32, options: In<u32>, values: In<usize>) -> Outcome<Self> {
        let mut logs = Self::default();
        let values_at = values;
        let options = options.list(count as usize)?;
        for (number, (option, value)) in
            options.into_iter().zip(values.list(count as usize)?).enumerate()
        {
            let slot = values_at.slot(number);
            match option {
                3 => logs.info = value,
                4 => logs.info_slot = Some(slot),
                5 => logs.error = value,
                6 => (logs.error_room, logs.error_slot) = (value & 0xffff_ffff, Some(slot)),
                _ => {}
            }
        }
        Ok(logs)
    }

    fn tell(&self, text: &str) -> Outcome {
        let buffer = result_at(std::ptr::with_exposed_provenance_mut(self.error));
        let written = put_text(buffer, self.error_room, text)?;
        if let Some(slot) = self.error_slot {
            slot.put(written)?;
        }
        if let Some(slot) = self.info_slot.filter(|_| self.info != 0) {
            slot.put(0)?;
        }
        Ok(())
    }
}

fn load(out: Out<usize>, image: In<u8>, logs: &Logs) -> Outcome {
    let context = usable()?;
    capture::forbid_unsafe()?;
    let bytes = image.image().map_err(|code| {
        driver().trouble(code, "the image is neither PTX, nor a cubin, nor a fatbin".to_owned())
    })?;
    match Module::load(&context, &bytes) {
        Ok(module) => {
            logs.tell("")?;
            out.put(module.handle)
        }
        Err((code, why)) => {
            logs.tell(&why)?;
            Err(driver().trouble(code, why))
        }
    }
}

entries! {
    fn cuModuleLoadData(out: Out<usize>, image: In<u8>) |_record| {
        load(out, image, &Logs::default())
    }

    fn cuModuleLoadDataEx(
        out: Out<usize>,
        image: In<u8>,
        count: u32,
        options: In<u32>,
        values: In<usize>,
    ) |_record| {
        load(out, image, &Logs::of(count, options, values)?)
    }

    fn cuModuleLoadFatBinary(out: Out<usize>, image: In<u8>) |_record| {
        load(out, image, &Logs::default())
    }

    fn cuModuleLoad(out: Out<usize>, path: Text) |record| {
        let context = usable()?;
        capture::forbid_unsafe()?;
        record.detail = path.get()?;
        let bytes = std::fs::read(&record.detail).map_err(|_| Code::FILE_NOT_FOUND)?;
        match Module::load(&context, &bytes) {
            Ok(module) => out.put(module.handle),
            Err((code, why)) => Err(driver().trouble(code, why)),
        }
    }

    fn cuModuleUnload(handle: usize) |_record| {
        let context = usable()?;
        capture::forbid_unsafe()?;
        let module = driver().modules.get(handle)?;
        context.drain();
        module.unload()
    }

    fn cuModuleGetFunction(out: Out<usize>, module: usize, name: Text) |record| {
        usable()?;
        record.detail = name.get()?;
        let module = driver().modules.get(module)?;
        out.put(Function::find(&module, &record.detail)?.handle)
    }

    fn cuModuleGetFunctionCount(out: Out<u32>, module: usize) |_record| {
        usable()?;
        out.put(driver().modules.get(module)?.kernels().len() as u32)
    }

    fn cuModuleEnumerateFunctions(out: Out<usize>, room: u32, module: usize) |_record| {
        usable()?;
        let module = driver().modules.get(module)?;
        let handles: Outcome<Vec<usize>> = module
            .kernels()
            .iter()
            .map(|name| Function::find(&module, name).map(|function| function.handle))
            .collect();
        out.put_all(&handles?, room as usize)
    }

    fn cuModuleGetGlobal_v2(
        address: Out<u64>,
        bytes: Out<usize>,
        module: usize,
        name: Text,
    ) |record| {
        usable()?;
        record.detail = name.get()?;
        let (at, size) = driver().modules.get(module)?.global(&record.detail)?;
        address.offer(at);
        bytes.offer(size);
        Ok(())
    }

    fn cuModuleGetLoadingMode(out: Out<u32>) |_record| {
        out.put(1)
    }
}
