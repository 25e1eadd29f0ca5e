//! Generations of devices, which code is compiled for, and which versions of PTX a driver takes.

use std::fmt;

/// A compute capability: `sm_90`, or `sm_90a` for code that uses what only that one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arch {
    /// 90 for 9.0.
    pub(crate) number: u32,
    /// `a` for this one alone, `f` for its family.
    pub(crate) only: Option<char>,
}

impl Arch {
    /// That of a device.
    pub(crate) const fn of(major: u32, minor: u32) -> Self {
        Self { number: 10 * major + minor, only: None }
    }

    /// What stands behind `sm_` or `compute_`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let only = match &text[digits.len()..] {
            "" => None,
            "a" => Some('a'),
            "f" => Some('f'),
            _ => return None,
        };
        let number = digits.parse().ok().filter(|number| (10..1000).contains(number))?;
        Some(Self { number, only })
    }

    /// 9 of 9.0.
    pub(crate) fn major(self) -> u32 {
        self.number / 10
    }

    /// Whether machine code for it runs on a device: a later one of the same generation does, unless the
    /// code is for one alone.
    pub(crate) fn machine_code_runs_on(self, device: Self) -> bool {
        match self.only {
            Some('a') => self.number == device.number,
            _ => self.major() == device.major() && self.number <= device.number,
        }
    }

    /// Whether PTX for it can be compiled for a device: any later one, unless it is for some alone.
    pub(crate) fn ptx_runs_on(self, device: Self) -> bool {
        match self.only {
            None => self.number <= device.number,
            Some(_) => self.machine_code_runs_on(device),
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number)?;
        self.only.map_or(Ok(()), |only| write!(f, "{only}"))
    }
}

/// Versions of CUDA and the newest PTX that a driver of each takes.
const PTX: &[(i32, (u32, u32))] = &[
    (11_000, (7, 0)),
    (11_010, (7, 1)),
    (11_020, (7, 2)),
    (11_030, (7, 3)),
    (11_040, (7, 4)),
    (11_050, (7, 5)),
    (11_060, (7, 6)),
    (11_070, (7, 7)),
    (11_080, (7, 8)),
    (12_000, (8, 0)),
    (12_010, (8, 1)),
    (12_020, (8, 2)),
    (12_030, (8, 3)),
    (12_040, (8, 4)),
    (12_050, (8, 5)),
    (12_060, (8, 5)),
    (12_080, (8, 7)),
    (12_090, (8, 8)),
    (13_000, (9, 0)),
    (13_010, (9, 1)),
];

/// The newest PTX that a driver for a version of CUDA takes; `None` for one that is newer than what is
/// known here.
pub(crate) fn newest_ptx(driver: i32) -> Option<(u32, u32)> {
    let known = PTX.last().map_or(0, |(version, _)| *version);
    if driver > known {
        return None;
    }
    PTX.iter().rev().find(|(version, _)| *version <= driver).map(|(_, ptx)| *ptx)
}

/// Why a driver does not take PTX of a version, if it does not.
pub(crate) fn too_new(ptx: (u32, u32), driver: i32) -> Option<String> {
    let newest = newest_ptx(driver)?;
    (ptx > newest).then(|| {
        let (cuda, minor) = (driver / 1000, driver % 1000 / 10);
        let needed = PTX.iter().find(|(_, takes)| *takes >= ptx);
        let needed = needed.map_or_else(
            || "a newer driver".to_owned(),
            |(version, _)| format!("a driver for CUDA {}.{}", version / 1000, version % 1000 / 10),
        );
        format!(
            "it is PTX {}.{}, and this driver, for CUDA {cuda}.{minor}, takes {}.{} at most; install \
             {needed}, or give a cubin for this device",
            ptx.0, ptx.1, newest.0, newest.1
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_generations_are_read() {
        assert_eq!(Arch::parse("90"), Some(Arch::of(9, 0)));
        assert_eq!(Arch::parse("90a").map(|arch| arch.to_string()).as_deref(), Some("sm_90a"));
        assert_eq!(Arch::parse("100f").map(Arch::major), Some(10));
        for odd in ["", "a", "9", "90b", "90aa", "9a0", "99999999999"] {
            assert_eq!(Arch::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn machine_code_runs_on_its_generation_and_ptx_on_later_ones() {
        let arch = |text| Arch::parse(text).unwrap();
        for (code, device, machine, ptx) in [
            ("80", "86", true, true),
            ("86", "80", false, false),
            ("80", "90", false, true),
            ("90a", "90", true, true),
            ("90a", "100", false, false),
            ("100f", "103", true, true),
            ("100f", "120", false, false),
        ] {
            let (code, device) = (arch(code), arch(device));
            assert_eq!(code.machine_code_runs_on(device), machine, "{code} on {device}");
            assert_eq!(code.ptx_runs_on(device), ptx, "{code} on {device}");
        }
    }

    #[test]
    fn ptx_that_is_too_new_is_said_with_what_to_do() {
        assert_eq!(newest_ptx(13_000), Some((9, 0)));
        assert_eq!(newest_ptx(12_070), Some((8, 5)));
        assert_eq!(newest_ptx(99_000), None);
        assert_eq!(too_new((9, 0), 13_000), None);
        assert_eq!(too_new((9, 9), 99_000), None);
        let said = too_new((9, 1), 13_000).unwrap();
        assert!(said.contains("PTX 9.1") && said.contains("takes 9.0"), "{said}");
        assert!(said.contains("a driver for CUDA 13.1"), "{said}");
    }
}
