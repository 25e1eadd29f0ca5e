//! The driver as a test sees it: found, loaded before any other, and steered. It contains no part of
//! the driver.
#![allow(unsafe_code, reason = "a library is loaded and its functions are called")]

use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::codes::Code;
use crate::locks::lock;

type Command = unsafe extern "C" fn(*const c_char) -> usize;
type Answer = unsafe extern "C" fn(*mut u8, usize);

/// The library and its two functions, loaded for good.
#[derive(Debug)]
struct Loaded {
    command: Command,
    answer: Answer,
}

/// The driver, for one test at a time. It begins with the settings of a new process, and is reset
/// when it is dropped; whatever has contexts has to be dropped before, as it would release those of
/// the next test.
#[derive(Debug)]
pub struct TestDriver {
    _turn: MutexGuard<'static, ()>,
    loaded: &'static Loaded,
}

/// One call, as the log has it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Call {
    /// The entry point, such as `cuMemcpyHtoDAsync_v2`.
    pub name: String,
    /// The device of the context that was current.
    pub device: Option<usize>,
    /// The number of the stream, 0 being the null stream.
    pub stream: Option<u64>,
    /// How many bytes it was about.
    pub bytes: u64,
    /// Whether the thread waited for work of a device.
    pub waited: bool,
    /// What it returned.
    pub code: Code,
    /// The kernel that was asked for, or launched and with how many blocks of how many threads, `pageable` of a copy
    /// of host memory that is not pinned, `timed` of an event that notes when it was, or what else there is to say.
    pub detail: String,
}

/// How many objects of each kind are alive.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Alive {
    /// Contexts, primary ones included.
    pub contexts: u64,
    /// Allocations of devices, without the variables of modules.
    pub allocations: u64,
    /// Bytes of devices that are in use.
    pub bytes: u64,
    /// The most bytes that were in use at once on each device, in sum.
    pub peak: u64,
    /// Pinned allocations of the host.
    pub pinned: u64,
    /// Registered ranges of the host.
    pub registered: u64,
    /// Streams, without null streams.
    pub streams: u64,
    /// Events.
    pub events: u64,
    /// Modules.
    pub modules: u64,
    /// Graphs.
    pub graphs: u64,
    /// Graphs that can be launched.
    pub execs: u64,
}

static TURN: Mutex<()> = Mutex::new(());
static LOADED: OnceLock<Result<Loaded, String>> = OnceLock::new();

impl TestDriver {
    /// Where cargo has put the library: beside the test, or one folder further up.
    ///
    /// # Errors
    ///
    /// Where it is not there.
    pub fn library() -> Result<PathBuf, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let folders = program.ancestors().skip(1).take(3);
        let places = folders.flat_map(|it| [it.join(NAME), it.join("deps").join(NAME)]);
        // Cargo copies it up only in some builds, so the newest one is that of this build.
        let age = |place: &PathBuf| place.metadata().and_then(|it| it.modified()).ok();
        let found = places.filter(|place| place.exists()).max_by_key(age);
        found.ok_or(format!("there is no {NAME} near {}", program.display()))
    }

    /// Fills a folder with links under which programs look for a driver, for `LD_LIBRARY_PATH`.
    ///
    /// # Errors
    ///
    /// Where the library is not there, or the folder cannot be written.
    pub fn link_into(folder: &Path) -> Result<(), String> {
        let library = Self::library()?;
        for name in ["libcuda.so", "libcuda.so.1"] {
            std::os::unix::fs::symlink(&library, folder.join(name))
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        Ok(())
    }

    /// Loads the driver, so that whoever in this process looks for one finds it, waits until no other
    /// test uses it, and changes its settings.
    ///
    /// # Errors
    ///
    /// Where the library cannot be loaded, the settings are none, or the real driver was loaded before.
    pub fn load(settings: &str) -> Result<Self, String> {
        let turn = lock(&TURN);
        let loaded = LOADED.get_or_init(open).as_ref().map_err(Clone::clone)?;
        let driver = Self { _turn: turn, loaded };
        driver.command("reset")?;
        driver.set(settings)?;
        Ok(driver)
    }

    /// Changes settings at once, such as `devices=2,memory=64M`.
    ///
    /// # Errors
    ///
    /// Names the pair that is no setting.
    pub fn set(&self, settings: &str) -> Result<(), String> {
        self.command(&format!("set {settings}")).map(drop)
    }

    /// Makes the `nth` call of an entry point from now on return a code. `*` is any entry point; names
    /// may leave out their version.
    pub fn fail(&self, call: &str, nth: u64, code: Code) {
        self.tell(&format!("fail {call}:{nth}:{}", code.0));
    }

    /// Makes the operation of the `nth` call fail when its turn comes, which its context keeps.
    pub fn fail_later(&self, call: &str, nth: u64, code: Code) {
        self.tell(&format!("later {call}:{nth}:{}", code.0));
    }

    /// Makes the `nth` call return a code that its context keeps.
    pub fn fail_for_good(&self, call: &str, nth: u64, code: Code) {
        self.tell(&format!("sticky {call}:{nth}:{}", code.0));
    }

    /// Takes back all failures that are still to come.
    pub fn forgive(&self) {
        self.tell("forgive");
    }

    /// How many failures are still to come.
    pub fn failures_left(&self) -> usize {
        self.tell("faults").parse().unwrap_or(0)
    }

    /// Makes a device answer with a code until it is found again, whatever is reset.
    pub fn lose(&self, device: usize, code: Code) {
        self.tell(&format!("lose {device}:{}", code.0));
    }

    /// A lost device can be used by new contexts.
    pub fn find(&self, device: usize) {
        self.tell(&format!("find {device}"));
    }

    /// Begins to list calls, or ends it.
    pub fn log(&self, on: bool) {
        self.tell(if on { "log on" } else { "log off" });
    }

    /// The calls since they were last drained.
    pub fn calls(&self) -> Vec<Call> {
        self.tell("drain").lines().filter_map(Call::parse).collect()
    }

    /// How often each entry point was called since it was last cleared.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let text = self.tell("counts");
        text.lines().filter_map(pair).map(|(name, count)| (name.to_owned(), count)).collect()
    }

    /// Begins counts and the list anew.
    pub fn clear(&self) {
        self.tell("clear");
    }

    /// What is alive.
    pub fn alive(&self) -> Alive {
        let text = self.tell("alive");
        let of = |name: &str| {
            text.lines().filter_map(pair).find(|it| it.0 == name).map_or(0, |(_, count)| count)
        };
        Alive {
            contexts: of("contexts"),
            allocations: of("allocations"),
            bytes: of("bytes"),
            peak: of("peak"),
            pinned: of("pinned"),
            registered: of("registered"),
            streams: of("streams"),
            events: of("events"),
            modules: of("modules"),
            graphs: of("graphs"),
            execs: of("execs"),
        }
    }

    /// Where `hazards=1` is set, the pairs of operations that touch the same bytes of a device with
    /// nothing that orders them, since they were last asked for; a sentence for each.
    pub fn hazards(&self) -> Vec<String> {
        self.tell("hazards").lines().map(str::to_owned).collect()
    }

    /// What a call failed with last, in words.
    pub fn trouble(&self) -> String {
        self.tell("trouble")
    }

    /// What the context of a device has kept as its error, in words; empty where it is well.
    pub fn why(&self, device: usize) -> String {
        self.tell(&format!("why {device}"))
    }

    /// Bytes of a device, without a call of the driver; none where nothing is allocated.
    pub fn peek(&self, address: u64, bytes: usize) -> Vec<u8> {
        let digits = self.command(&format!("read {address}:{bytes}")).unwrap_or_default();
        let pairs = (0..digits.len() / 2).map(|at| digits.get(2 * at..2 * at + 2));
        pairs.filter_map(|pair| u8::from_str_radix(pair?, 16).ok()).collect()
    }

    fn tell(&self, line: &str) -> String {
        // What is written here is understood there, so an answer is no error.
        self.command(line).unwrap_or_else(|error| error)
    }

    fn command(&self, line: &str) -> Result<String, String> {
        let line = CString::new(line).map_err(|_| "a zero in a command".to_owned())?;
        // SAFETY: the function is that of the library, and the line ends with a zero.
        let len = unsafe { (self.loaded.command)(line.as_ptr()) };
        let mut answer = vec![0; len];
        // SAFETY: the function is that of the library, and the buffer has as many bytes.
        unsafe { (self.loaded.answer)(answer.as_mut_ptr(), len) };
        let answer = String::from_utf8_lossy(&answer).into_owned();
        match answer.strip_prefix("error:") {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer),
        }
    }
}

impl Drop for TestDriver {
    fn drop(&mut self) {
        self.tell("reset");
    }
}

/// What cargo calls the library.
const NAME: &str = "libflash_test_cuda.so";

fn open() -> Result<Loaded, String> {
    let path = TestDriver::library()?;
    // SAFETY: the library has no code that runs when it is loaded.
    let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_GLOBAL) };
    let library = library.map_err(|error| error.to_string())?;
    // SAFETY: the function has this type in `control.rs`.
    let command = unsafe { library.get::<Command>(b"flash_test_cuda_command") };
    // SAFETY: the function has this type in `control.rs`.
    let answer = unsafe { library.get::<Answer>(b"flash_test_cuda_answer") };
    let missing = |error: libloading::Error| error.to_string();
    let (command, answer) = (*command.map_err(missing)?, *answer.map_err(missing)?);
    // Threads of its streams may run until the process ends.
    std::mem::forget(library);
    is_found_by_name(command)?;
    Ok(Loaded { command, answer })
}

/// Whether whoever looks for a driver by name finds the one that was loaded.
fn is_found_by_name(command: Command) -> Result<(), String> {
    for name in ["libcuda.so", "libcuda.so.1"] {
        // SAFETY: loading a driver for CUDA runs no code but its own start.
        let Ok(library) = (unsafe { Library::open(Some(name), RTLD_NOW) }) else { continue };
        // SAFETY: the function has this type in `control.rs`.
        let found = unsafe { library.get::<Command>(b"flash_test_cuda_command") };
        if !found.is_ok_and(|found| std::ptr::fn_addr_eq(*found, command)) {
            return Err(format!(
                "this machine has a {name}, which is found in place of the test driver"
            ));
        }
    }
    Ok(())
}

fn pair(line: &str) -> Option<(&str, u64)> {
    let (name, count) = line.split_once('\t')?;
    Some((name, count.parse().ok()?))
}

impl Call {
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(7, '\t');
        let name = parts.next()?.to_owned();
        let device = parts.next()?.parse().ok();
        let stream = parts.next()?.parse().ok();
        let bytes = parts.next()?.parse().ok()?;
        let waited = parts.next()? == "waited";
        let code = Code(parts.next()?.parse().ok()?);
        let detail = parts.next()?.to_owned();
        Some(Self { name, device, stream, bytes, waited, code, detail })
    }
}
