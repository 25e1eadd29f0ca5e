//! Options of a runtime and the environment variables that set them. Nothing else in the run time
//! reads the environment.
//!
//! | variable | accepted | meaning |
//! |---|---|---|
//! | `FLASH_THREADS` | 1 to 4096 | threads of the CPU team, the caller included; default: the cores this process may use |
//! | `FLASH_PIN` | `0` `1` | whether helpers are pinned to a core each; default `1` |
//! | `FLASH_SPIN` | microseconds, 0 to 1000000 | how long an idle helper spins before it sleeps; default: chosen by the backend |
//! | `FLASH_DEVICES` | a key as for `Runtime::open` | the devices of `Runtime::new`; default `ALL` |
//! | `FLASH_ISA` | `baseline` `avx2` `avx512` | the highest instruction set used; never raises the detected one |
//! | `FLASH_CHECK` | `safe` `all` | `all` also checks accesses inside `unsafe`; default `safe` |
//! | `FLASH_SABOTAGE` | a fault | goes wrong on purpose, in builds with the feature `sabotage` only; see `sabotage.rs` |
//!
//! An option of the builder wins over its variable. A value that is not accepted is
//! [`Error::Option`].

use crate::{Error, Result};

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
    /// Bytes of images that one device may hold.
    pub memory_limit: Option<u64>,
    /// Refuse kernels whose results depend on the order of work items (float atomics).
    pub deterministic: bool,
    /// Complete each stage before the next one starts.
    pub sync: bool,
}

impl Options {
    /// The options of this process's environment.
    ///
    /// # Errors
    ///
    /// [`Error::Option`] for a value that is not accepted.
    pub fn from_env() -> Result<Self> {
        Self::parse(|name| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()))
    }

    /// The options of an environment given as a function; an empty value counts as unset.
    fn parse(var: impl Fn(&'static str) -> Option<String>) -> Result<Self> {
        let get = |name| var(name).filter(|value| !value.is_empty());
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
        Ok(options)
    }
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
            ("FLASH_DEVICES", "SIM"),
            ("FLASH_ISA", "AVX2"),
            ("FLASH_CHECK", "all"),
        ])
        .unwrap();
        assert_eq!(options.threads, Some(3));
        assert_eq!(options.pin, Some(false));
        assert_eq!(options.spin_us, Some(25));
        assert_eq!(options.devices.as_deref(), Some("SIM"));
        assert_eq!(options.isa, Some(Isa::Avx2));
        assert!(options.check_all);
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
        ] {
            let error = parse(&[(name, value)]).unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::Option { option, .. } if option == name), "{text}");
            assert!(text.contains(hint) && text.contains(value), "{text}");
        }
    }
}
