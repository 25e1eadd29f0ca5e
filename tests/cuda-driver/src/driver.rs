//! The one driver of the process: settings, devices and all objects by handle. Entry points and the
//! controls of tests are its only callers; it copies and runs nothing.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, RwLock};
use std::time::Duration;

use crate::codes::{Code, Outcome};
use crate::context::{Context, Primary};
use crate::event::Event;
use crate::faults::Faults;
use crate::graph::{Condition, Exec, Graph};
use crate::hazards;
use crate::host::Host;
use crate::locks::{lock, read, write};
use crate::log::Log;
use crate::memory::Memory;
use crate::module::{Function, Module};
use crate::settings::Settings;
use crate::stream::{Kind, Stream};
use crate::table::Table;

/// The most devices there can be.
pub(crate) const DEVICES: usize = 8;

/// Everything.
#[derive(Debug)]
pub(crate) struct Driver {
    settings: RwLock<Settings>,
    started: AtomicBool,
    pub(crate) memories: [Memory; DEVICES],
    pub(crate) primaries: [Mutex<Primary>; DEVICES],
    /// The code that a lost device answers with; 0 where it is not lost.
    lost: [AtomicU32; DEVICES],
    pub(crate) host: Host,
    pub(crate) contexts: Table<Context>,
    pub(crate) streams: Table<Stream>,
    pub(crate) events: Table<Event>,
    pub(crate) modules: Table<Module>,
    pub(crate) functions: Table<Function>,
    pub(crate) graphs: Table<Graph>,
    pub(crate) execs: Table<Exec>,
    pub(crate) conditions: Table<Condition>,
    pub(crate) faults: Faults,
    pub(crate) log: Log,
    serial: AtomicU64,
    /// What failed last, in words.
    trouble: Mutex<String>,
    /// The PTX that was loaded, the newest last, where machine code runs as such.
    texts: Mutex<Vec<String>>,
}

static DRIVER: LazyLock<Driver> = LazyLock::new(|| Driver {
    settings: RwLock::default(),
    started: AtomicBool::new(false),
    memories: std::array::from_fn(Memory::new),
    primaries: Default::default(),
    lost: Default::default(),
    host: Host::default(),
    contexts: Table::new(1),
    streams: Table::new(2),
    events: Table::new(3),
    modules: Table::new(4),
    functions: Table::new(5),
    graphs: Table::new(6),
    execs: Table::new(7),
    conditions: Table::new(8),
    faults: Faults::default(),
    log: Log::default(),
    serial: AtomicU64::new(1),
    trouble: Mutex::default(),
    texts: Mutex::default(),
});

/// The driver.
pub(crate) fn driver() -> &'static Driver {
    &DRIVER
}

thread_local! {
    /// Whether this thread waited for a device during the present call.
    static WAITED: Cell<bool> = const { Cell::new(false) };
    /// Whether this thread runs a function of the host for a stream.
    static IN_HOST: Cell<bool> = const { Cell::new(false) };
}

/// Notes that a call makes its thread wait.
pub(crate) fn waits() {
    WAITED.set(true);
}

/// Whether the call before waited; it is asked once.
pub(crate) fn has_waited() -> bool {
    WAITED.replace(false)
}

/// Runs a function of the host, which may not call the driver.
pub(crate) fn in_host(run: impl FnOnce()) {
    IN_HOST.set(true);
    run();
    IN_HOST.set(false);
}

/// Whether the caller is a function of the host that a stream runs.
pub(crate) fn is_in_host() -> bool {
    IN_HOST.get()
}

impl Driver {
    /// The settings as they are now.
    pub(crate) fn settings(&self) -> Settings {
        read(&self.settings).clone()
    }

    /// Reads one of the settings without a copy of all.
    pub(crate) fn setting<T>(&self, get: impl FnOnce(&Settings) -> T) -> T {
        get(&read(&self.settings))
    }

    pub(crate) fn delay(&self, kind: Kind) -> Duration {
        self.setting(|settings| settings.delays[kind as usize])
    }

    /// Changes the settings at once.
    pub(crate) fn configure(&self, text: &str) -> Result<(), String> {
        let mut settings = self.settings();
        settings.apply(text)?;
        if settings.hazards != hazards::is_on() {
            hazards::switch(settings.hazards);
        }
        *write(&self.settings) = settings;
        Ok(())
    }

    /// The driver may be used from now on. The environment is read the first time only.
    pub(crate) fn start(&self, environment: Option<String>) -> Outcome {
        if !self.started.swap(true, Relaxed) {
            let text = environment.unwrap_or_default();
            self.configure(&text).map_err(|error| self.trouble(Code::SYSTEM_NOT_READY, error))?;
        }
        if self.setting(|settings| settings.devices) == 0 {
            return Err(Code::NO_DEVICE);
        }
        Ok(())
    }

    pub(crate) fn is_started(&self) -> bool {
        self.started.load(Relaxed)
    }

    /// A number for the log that is never given twice.
    pub(crate) fn serial(&self) -> u64 {
        self.serial.fetch_add(1, Relaxed)
    }

    /// Notes what failed, so that a test can show it.
    pub(crate) fn trouble(&self, code: Code, why: String) -> Code {
        *lock(&self.trouble) = why;
        code
    }

    /// What failed last.
    pub(crate) fn last_trouble(&self) -> String {
        lock(&self.trouble).clone()
    }

    /// The ordinal, if there is such a device.
    pub(crate) fn device(&self, device: i32) -> Outcome<usize> {
        let count = self.setting(|settings| settings.devices);
        usize::try_from(device).ok().filter(|&it| it < count).ok_or(Code::INVALID_DEVICE)
    }

    /// The code of a lost device, or success.
    pub(crate) fn present(&self, device: usize) -> Outcome {
        match self.lost[device].load(Relaxed) {
            0 => Ok(()),
            _ => Err(Code::DEVICE_UNAVAILABLE),
        }
    }

    /// The device answers with a code until it is found again, whatever is reset.
    pub(crate) fn lose(&self, device: usize, code: Code) {
        self.lost[device].store(code.0, Relaxed);
        for context in self.contexts.all() {
            if context.health.device == device {
                context.health.fall_ill(code, "the device was lost, as was asked for".to_owned());
            }
        }
    }

    pub(crate) fn find(&self, device: usize) {
        self.lost[device].store(0, Relaxed);
    }

    /// Ends all contexts, forgets what was asked for, and begins with the settings of a new process.
    pub(crate) fn reset(&self) {
        for context in self.contexts.all() {
            context.destroy();
        }
        for primary in &self.primaries {
            *lock(primary) = Primary::default();
        }
        for device in 0..DEVICES {
            self.find(device);
            self.memories[device].clear();
        }
        self.host.clear();
        drop(self.graphs.take(|_| false));
        drop(self.execs.take(|_| false));
        drop(self.conditions.take(|_| false));
        self.faults.clear();
        self.log.switch(false);
        self.log.clear();
        lock(&self.trouble).clear();
        lock(&self.texts).clear();
        hazards::switch(false);
        *write(&self.settings) = Settings::default();
    }

    /// Keeps PTX for machine code with the same kernels.
    pub(crate) fn keep_text(&self, text: String) {
        lock(&self.texts).push(text);
    }

    /// The newest PTX with these kernels and no other.
    pub(crate) fn text_of(&self, kernels: &[String]) -> Option<flash_test_ptx::Module> {
        let names: BTreeSet<&str> = kernels.iter().map(String::as_str).collect();
        let texts = lock(&self.texts);
        let parsed = texts.iter().rev().filter_map(|text| flash_test_ptx::Module::parse(text).ok());
        parsed.into_iter().find(|ptx| {
            ptx.entries().iter().map(|entry| &*entry.name).collect::<BTreeSet<_>>() == names
        })
    }

    /// How many objects of each kind are alive, a kind on each line.
    pub(crate) fn alive(&self) -> String {
        let memory: usize = self.memories.iter().map(Memory::count).sum();
        let bytes: u64 = self.memories.iter().map(|memory| memory.used().0).sum();
        let peak: u64 = self.memories.iter().map(|memory| memory.used().1).sum();
        let (pinned, registered) = self.host.count();
        [
            ("contexts", self.contexts.count() as u64),
            ("allocations", memory as u64),
            ("bytes", bytes),
            ("peak", peak),
            ("pinned", pinned as u64),
            ("registered", registered as u64),
            ("streams", self.streams.count() as u64),
            ("events", self.events.count() as u64),
            ("modules", self.modules.count() as u64),
            ("graphs", self.graphs.count() as u64),
            ("execs", self.execs.count() as u64),
        ]
        .map(|(name, count)| format!("{name}\t{count}\n"))
        .concat()
    }

    /// The streams of a context, the null stream first.
    pub(crate) fn streams_of(&self, context: &Context) -> Vec<Arc<Stream>> {
        let mut streams = vec![context.null.clone()];
        let all = self.streams.all().into_iter();
        streams.extend(all.filter(|it| it.health.context == context.handle));
        streams
    }
}
