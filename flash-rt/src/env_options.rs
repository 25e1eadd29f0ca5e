//! Options of a runtime and the environment variables that set them. Nothing else in the run time
//! reads the environment.
//!
//! | variable | accepted | meaning |
//! |---|---|---|
//! | `FLASH_THREADS` | 1 to 4096 | threads of the CPU team, the caller included; default: the cores this process may use |
//! | `FLASH_PIN` | `0` `1` | whether helpers are pinned to a core each; default `1` |
//! | `FLASH_SPIN` | microseconds, 0 to 1000000 | how long an idle helper spins before it sleeps; below 20 it does not stay up between the launches of a slow series either; default: chosen by the backend |
//! | `FLASH_DEVICES` | a key as for `Runtime::open` | the devices of `Runtime::new`; default `ALL` |
//! | `FLASH_ISA` | `baseline` `avx2` `avx512` | the highest instruction set used; never raises the detected one; by default the fastest for each kernel |
//! | `FLASH_CHECK` | `safe` `all` | `all` also checks accesses inside `unsafe`; default `safe` |
//! | `FLASH_CACHE` | `on` `off` | whether compiled kernels are kept on disk for later runs; default `on` |
//! | `FLASH_CACHE_DIR` | a folder | where they are kept; default: `flash` in the folder for caches of the user |
//! | `FLASH_ZERO_COPY` | `0` `1` | whether OpenCL devices that share the memory of the host use arrays where they are; default `0` |
//! | `FLASH_NVRTC` | a file or a folder | the library of NVRTC, which compiles CUDA C; default: `~/.local/share/flash/nvrtc`, else where the system finds one |
//! | `FLASH_CUDA_IMAGE` | `ptx` `cubin` | what CUDA C is compiled to; default: a cubin where NVRTC knows the device, else PTX |
//! | `FLASH_PINNED_LIMIT` | bytes, or a number of them with `K`, `M` or `G` | how much memory of arrays CUDA devices may copy themselves, which others cannot have meanwhile; default: half of the machine's |
//! | `FLASH_STAGING` | `off`, or bytes likewise | copies of so many bytes and more to and from OpenCL devices go through pinned memory; default: `64K` for devices with a memory of their own, and `off` for others |
//! | `FLASH_SIM` | `key=value,..` | what `SIM` simulates; see [`sim::Config::parse`](crate::sim::Config::parse) |
//! | `FLASH_SABOTAGE` | a fault | goes wrong on purpose, in builds with the feature `sabotage` only; see `sabotage.rs` |
//!
//! An option of the builder wins over its variable. A value that is not accepted is
//! [`Error::Option`]. A variable whose name is nearly one of these is a warning, once, through
//! `tracing`: other programs may use names that begin like ours.

use std::path::PathBuf;
use std::sync::Once;

use crate::engine::{Missing, Pick};
use crate::{Error, Result};

/// Every variable that some part of FLASH or its tests reads.
const KNOWN: [&str; 21] = [
    "FLASH_THREADS",
    "FLASH_PIN",
    "FLASH_SPIN",
    "FLASH_DEVICES",
    "FLASH_ISA",
    "FLASH_CHECK",
    "FLASH_CACHE",
    "FLASH_CACHE_DIR",
    "FLASH_SABOTAGE",
    "FLASH_SIM",
    "FLASH_REQUIRE",
    "FLASH_BLESS",
    "FLASH_CASES",
    "FLASH_COPIES",
    "FLASH_CUDA_IMAGE",
    "FLASH_NVRTC",
    "FLASH_SEED",
    "FLASH_SWEEP",
    "FLASH_ZERO_COPY",
    "FLASH_STAGING",
    "FLASH_PINNED_LIMIT",
];

/// An instruction set of the CPU, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// What every processor of the target has.
    Baseline,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, VL, DQ and BW.
    Avx512,
}

impl Isa {
    /// The name as `FLASH_ISA` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

/// What a runtime is opened with; backends read what concerns them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// `FLASH_THREADS`
    pub threads: Option<usize>,
    /// `FLASH_PIN`
    pub pin: Option<bool>,
    /// `FLASH_SPIN`, in microseconds.
    pub spin_us: Option<u32>,
    /// `FLASH_DEVICES`
    pub devices: Option<String>,
    /// `FLASH_ISA`
    pub isa: Option<Isa>,
    /// `FLASH_CHECK=all`
    pub check_all: bool,
    /// `FLASH_CACHE` and `FLASH_CACHE_DIR`: where compiled kernels are kept; `None` for nowhere.
    pub cache_dir: Option<PathBuf>,
    /// `FLASH_ZERO_COPY`; see [`Builder::zero_copy`](crate::Builder::zero_copy).
    pub zero_copy: bool,
    /// `FLASH_STAGING`: copies of so many bytes and more to and from OpenCL devices go through pinned memory,
    /// none for `u64::MAX`; `None` where that depends on the device.
    pub staging: Option<u64>,
    /// `FLASH_NVRTC`: the library, or its folder, that compiles CUDA C.
    pub nvrtc: Option<PathBuf>,
    /// `FLASH_CUDA_IMAGE`: whether CUDA C becomes PTX; `None` where that depends on the device.
    pub cuda_ptx: Option<bool>,
    /// `FLASH_PINNED_LIMIT`: bytes of arrays that are kept where they are, so that devices copy them
    /// themselves.
    pub pinned_limit: Option<u64>,
    /// Bytes of images that one device may hold.
    pub memory_limit: Option<u64>,
    /// How many memories an image may take turns in; see
    /// [`Builder::copies`](crate::Builder::copies).
    pub copies: Option<usize>,
    /// How many launches a device may be ahead; see [`Builder::look_ahead`](crate::Builder::look_ahead).
    pub look_ahead: Option<usize>,
    /// Refuse kernels whose results depend on the order of work items (float atomics).
    pub deterministic: bool,
    /// Complete each stage before the next one starts.
    pub sync: bool,
    /// Run host tasks at once where their data allow, instead of one after the other.
    pub dataflow: bool,
    /// Let launches take the devices in turn, whatever that costs.
    pub round_robin: bool,
    /// Split every launch that can be into so many parts.
    pub partitions: Option<usize>,
    /// The file of earlier times; see [`Builder::remember`](crate::Builder::remember).
    pub remember: Option<PathBuf>,
    /// Whether that file is one beside compiled kernels.
    pub remember_with_kernels: bool,
    /// Files of native code to load ahead; see [`Builder::preload`](crate::Builder::preload).
    pub preload: Vec<PathBuf>,
    /// In what order nodes that are ready are taken; for tests.
    pub pick: Pick,
    /// Order that is left out; for tests of tests.
    pub leave_out: Option<Missing>,
    /// Write down what runs when.
    pub trace: bool,
    /// How much of it is kept; see [`Builder::trace_limit`](crate::Builder::trace_limit).
    pub trace_limit: Option<usize>,
    /// `FLASH_SIM`
    pub sim: Option<crate::sim::Config>,
}

impl Options {
    /// The options of this process's environment.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for a value that is not accepted.
    pub fn from_env() -> Result<Self> {
        static WARNED: Once = Once::new();
        WARNED.call_once(|| {
            let names = std::env::vars_os().map(|(name, _)| name);
            warn_of_mistyped(names.filter_map(|name| name.into_string().ok()));
        });
        Self::parse(|name| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()))
    }

    /// The options of an environment given as a function; an empty value counts as unset.
    fn parse(var: impl Fn(&'static str) -> Option<String>) -> Result<Self> {
        let get = |name| var(name).filter(|value: &String| !value.is_empty());
        let mut options = Self::default();
        if let Some(value) = get("FLASH_THREADS") {
            options.threads = Some(number("FLASH_THREADS", &value, 1, MAX_THREADS)? as usize);
        }
        if let Some(value) = get("FLASH_PIN") {
            options.pin = Some(choice("FLASH_PIN", &value, &[("0", false), ("1", true)])?);
        }
        if let Some(value) = get("FLASH_SPIN") {
            options.spin_us = Some(number("FLASH_SPIN", &value, 0, 1_000_000)? as u32);
        }
        options.devices = get("FLASH_DEVICES");
        if let Some(value) = get("FLASH_ISA") {
            let known = [Isa::Baseline, Isa::Avx2, Isa::Avx512].map(|isa| (isa.name(), isa));
            options.isa = Some(choice("FLASH_ISA", &value, &known)?);
        }
        if let Some(value) = get("FLASH_CHECK") {
            options.check_all = choice("FLASH_CHECK", &value, &[("safe", false), ("all", true)])?;
        }
        let is_kept = match get("FLASH_CACHE") {
            Some(value) => choice("FLASH_CACHE", &value, &[("off", false), ("on", true)])?,
            None => true,
        };
        options.cache_dir = is_kept.then(|| cache_dir(get)).flatten();
        if let Some(value) = get("FLASH_ZERO_COPY") {
            options.zero_copy = choice("FLASH_ZERO_COPY", &value, &[("0", false), ("1", true)])?;
        }
        if let Some(value) = get("FLASH_STAGING") {
            let is_off = value.trim().eq_ignore_ascii_case("off");
            options.staging = Some(if is_off { u64::MAX } else { bytes("FLASH_STAGING", &value)? });
        }
        options.nvrtc = get("FLASH_NVRTC").map(PathBuf::from);
        if let Some(value) = get("FLASH_CUDA_IMAGE") {
            let known = [("ptx", true), ("cubin", false)];
            options.cuda_ptx = Some(choice("FLASH_CUDA_IMAGE", &value, &known)?);
        }
        if let Some(value) = get("FLASH_PINNED_LIMIT") {
            options.pinned_limit = Some(bytes("FLASH_PINNED_LIMIT", &value)?);
        }
        if let Some(value) = get("FLASH_SIM") {
            options.sim = Some(crate::sim::Config::parse(&value)?);
        }
        Ok(options)
    }
}

impl Options {
    /// How many memories an image may take turns in. Nothing overlaps under `sync`.
    pub(crate) fn n_copies(&self) -> usize {
        if self.sync { 1 } else { self.copies.unwrap_or(2) }
    }

    /// How many launches a device may be ahead: with 64 it goes on while the host is away for tens of
    /// microseconds, and what is given up can be run again in a moment.
    pub(crate) fn n_ahead(&self) -> usize {
        self.look_ahead.unwrap_or(64)
    }
}

/// The folder for compiled kernels: the one that is said, or one beside the user's other caches.
fn cache_dir(get: impl Fn(&'static str) -> Option<String>) -> Option<PathBuf> {
    if let Some(said) = get("FLASH_CACHE_DIR") {
        return Some(PathBuf::from(said));
    }
    // A relative path is none, as XDG has it.
    let absolute = |name| get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("LOCALAPPDATA"))
        .or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("flash"))
}

/// A variable of this process that is one of ours, or is probably meant to be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The name that was probably meant, where this one has no effect.
    pub meant: Option<&'static str>,
    /// Why its value is not accepted.
    pub error: Option<Error>,
}

/// What the environment says, for whoever has to put it right: all variables, by name, and the options
/// of those that are accepted.
pub fn survey() -> (Options, Vec<Variable>) {
    let mut set: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
        })
        .collect();
    set.sort_unstable();
    surveyed(&set)
}

fn surveyed(set: &[(String, String)]) -> (Options, Vec<Variable>) {
    let mut all = Vec::new();
    for (name, value) in set {
        let is_ours = KNOWN.contains(&&**name);
        let meant = nearest(name);
        if !is_ours && meant.is_none() {
            continue;
        }
        let alone = |asked: &str| (is_ours && asked == name).then(|| value.clone());
        let error = Options::parse(alone).err();
        all.push(Variable { name: name.clone(), value: value.clone(), meant, error });
    }
    let is_wrong = |name: &str| all.iter().any(|known| known.name == name && known.error.is_some());
    let accepted = |name: &str| {
        let found = set.iter().find(|(known, _)| known == name && !is_wrong(name));
        found.map(|(_, value)| value.clone())
    };
    (Options::parse(accepted).unwrap_or_default(), all)
}

/// A variable that other software goes by, of which a backend tells what it comes to.
pub fn of_others(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// Warns of names that are nearly those of variables.
fn warn_of_mistyped(names: impl Iterator<Item = String>) {
    for name in names {
        if let Some(nearest) = nearest(&name) {
            tracing::warn!("the environment variable `{name}` has no effect; is it `{nearest}`?");
        }
    }
}

/// The variable that a name is probably meant to be, if it is not one and begins like one.
fn nearest(name: &str) -> Option<&'static str> {
    if KNOWN.contains(&name) {
        return None;
    }
    let upper = name.to_ascii_uppercase();
    let word = upper.strip_prefix("FLASH_")?;
    let far = |known: &str| {
        let known = known.strip_prefix("FLASH_").unwrap_or(known);
        // `FLASH_NUM_THREADS` is as near as can be.
        let inside =
            word.split('_').any(|part| part == known || part == known.trim_end_matches('S'));
        if inside { 0 } else { distance(word, known) }
    };
    let nearest = KNOWN.into_iter().min_by_key(|known| far(known))?;
    // Two slips at most, and never most of either word.
    let shorter = word.len().min(nearest.len() - "FLASH_".len());
    (far(nearest) <= 2.min(shorter / 2)).then_some(nearest)
}

/// How many letters have to be put in, taken out or exchanged to make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The fault that tests of tests ask for.
#[cfg(feature = "sabotage")]
pub(crate) fn sabotage() -> Option<String> {
    std::env::var("FLASH_SABOTAGE").ok().filter(|fault| !fault.is_empty())
}

/// More threads than any machine has; a larger number is a typing mistake.
pub(crate) const MAX_THREADS: u64 = 4096;

fn number(option: &'static str, value: &str, lo: u64, hi: u64) -> Result<u64> {
    value.trim().parse().ok().filter(|n| (lo..=hi).contains(n)).ok_or_else(|| Error::Option {
        option,
        value: value.to_owned(),
        why: format!("expected a whole number from {lo} to {hi}"),
    })
}

/// A number of bytes: `4096`, `512M`, `2G`.
fn bytes(option: &'static str, value: &str) -> Result<u64> {
    let asked = value.trim();
    let units = [("K", 10), ("M", 20), ("G", 30)];
    let unit = |(unit, shift): (&str, u32)| {
        let digits =
            asked.strip_suffix(unit).or_else(|| asked.strip_suffix(&unit.to_lowercase()))?;
        digits.parse::<u64>().ok()?.checked_mul(1 << shift)
    };
    let plain = asked.parse().ok();
    plain.or_else(|| units.into_iter().find_map(unit)).ok_or_else(|| Error::Option {
        option,
        value: value.to_owned(),
        why: "expected a number of bytes, such as `4096`, `512M` or `2G`".to_owned(),
    })
}

fn choice<T: Copy>(option: &'static str, value: &str, known: &[(&str, T)]) -> Result<T> {
    let asked = value.trim();
    known.iter().find(|(name, _)| name.eq_ignore_ascii_case(asked)).map(|known| known.1).ok_or_else(
        || Error::Option {
            option,
            value: value.to_owned(),
            why: format!(
                "expected one of {}",
                known.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            ),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::said::Said;

    fn parse(vars: &[(&str, &str)]) -> Result<Options> {
        Options::parse(|name| {
            vars.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn every_variable_is_read() {
        let options = parse(&[
            ("FLASH_THREADS", "3"),
            ("FLASH_PIN", "0"),
            ("FLASH_SPIN", "25"),
            ("FLASH_PINNED_LIMIT", "3m"),
            ("FLASH_DEVICES", "SIM"),
            ("FLASH_ISA", "AVX2"),
            ("FLASH_CHECK", "all"),
            ("FLASH_ZERO_COPY", "1"),
            ("FLASH_STAGING", "16k"),
            ("FLASH_CACHE_DIR", "kept"),
            ("FLASH_NVRTC", "/n"),
            ("FLASH_CUDA_IMAGE", "ptx"),
            ("FLASH_SIM", "devices=3"),
        ])
        .unwrap();
        assert_eq!(options.threads, Some(3));
        assert_eq!(options.pin, Some(false));
        assert_eq!(options.spin_us, Some(25));
        assert_eq!(options.devices.as_deref(), Some("SIM"));
        assert_eq!(options.isa, Some(Isa::Avx2));
        assert!(options.check_all && options.zero_copy);
        assert_eq!(options.staging, Some(16 << 10));
        assert_eq!(parse(&[("FLASH_STAGING", "Off")]).unwrap().staging, Some(u64::MAX));
        assert_eq!(options.pinned_limit, Some(3 << 20));
        assert_eq!(options.cache_dir, Some(PathBuf::from("kept")));
        assert_eq!((options.nvrtc, options.cuda_ptx), (Some(PathBuf::from("/n")), Some(true)));
        assert_eq!(options.sim.map(|sim| sim.devices), Some(3));
    }

    #[test]
    fn compiled_kernels_are_kept_beside_other_caches() {
        let dir = |vars: &[(&str, &str)]| parse(vars).unwrap().cache_dir;
        assert_eq!(dir(&[]), None, "nobody says where");
        assert_eq!(dir(&[("HOME", "/h")]), Some(PathBuf::from("/h/.cache/flash")));
        let both = [("HOME", "/h"), ("XDG_CACHE_HOME", "/c")];
        assert_eq!(dir(&both), Some(PathBuf::from("/c/flash")));
        assert_eq!(dir(&[("HOME", "/h"), ("XDG_CACHE_HOME", "c")]), dir(&[("HOME", "/h")]));
        assert_eq!(dir(&[("FLASH_CACHE_DIR", "k"), ("FLASH_CACHE", "off")]), None);
        let error = parse(&[("FLASH_CACHE", "perhaps")]).unwrap_err();
        assert!(error.to_string().contains("`off`, `on`"), "{error}");
    }

    #[test]
    fn names_that_are_nearly_right_are_told_from_those_of_others() {
        for (name, expected) in [
            ("FLASH_TREADS", Some("FLASH_THREADS")),
            ("FLASH_THREAD", Some("FLASH_THREADS")),
            ("FLASH_NUM_THREADS", Some("FLASH_THREADS")),
            ("FLASH_DEVICE", Some("FLASH_DEVICES")),
            ("flash_isa", Some("FLASH_ISA")),
            ("FLASH_THREADS", None),
            ("FLASH_BLESS", None),
            ("FLASH_ATTENTION_FORCE_BUILD", None),
            ("FLASH_SIZE", None),
            ("FLASH_", None),
            ("THREADS", None),
        ] {
            assert_eq!(nearest(name), expected, "{name}");
        }
    }

    #[test]
    fn a_mistyped_name_is_a_warning_that_names_the_right_one() {
        let said = Said::default();
        let names = ["PATH", "FLASH_TREADS", "FLASH_PIN"].map(str::to_owned);
        said.hear(|| warn_of_mistyped(names.into_iter()));
        assert_eq!(
            said.take(),
            ["WARN: the environment variable `FLASH_TREADS` has no effect; is it `FLASH_THREADS`?"]
        );
    }

    #[test]
    fn a_survey_has_all_that_is_wrong_and_goes_by_the_rest() {
        let set = [("FLASH_ISA", "mmx"), ("FLASH_THREADS", "3"), ("FLASH_TREADS", "2")];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (options, variables) = surveyed(&set);
        assert_eq!((options.threads, options.isa), (Some(3), None));
        let wrong: Vec<bool> = variables.iter().map(|known| known.error.is_some()).collect();
        assert_eq!(wrong, [true, false, false]);
        assert_eq!(variables[2].meant, Some("FLASH_THREADS"));
    }

    #[test]
    fn nothing_set_is_the_default() {
        let options = parse(&[("FLASH_ISA", "")]).unwrap();
        assert_eq!(options.threads, None);
        assert_eq!(options.isa, None);
        assert!(!options.check_all);
    }

    #[test]
    fn bad_values_name_the_variable_and_what_is_accepted() {
        for (name, value, hint) in [
            ("FLASH_THREADS", "0", "from 1 to 4096"),
            ("FLASH_THREADS", "two", "from 1 to 4096"),
            ("FLASH_PIN", "maybe", "`0`, `1`"),
            ("FLASH_SPIN", "-1", "from 0 to 1000000"),
            ("FLASH_ISA", "avx1024", "`baseline`, `avx2`, `avx512`"),
            ("FLASH_CHECK", "none", "`safe`, `all`"),
            ("FLASH_SIM", "devices=0", "1 to 64"),
            ("FLASH_PINNED_LIMIT", "2T", "`512M`"),
            ("FLASH_STAGING", "on", "`4096`"),
        ] {
            let error = parse(&[(name, value)]).unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::Option { option, .. } if option == name), "{text}");
            assert!(text.contains(hint) && text.contains(value), "{text}");
        }
    }
}
