//! The command that installs something, by the kind of system.

use std::fs;

/// A kind of system, by how it installs packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packages {
    Apt,
    Dnf,
    Pacman,
    Zypper,
    Brew,
    Unknown,
}

impl Packages {
    /// That of this machine.
    pub(super) fn here() -> Self {
        if cfg!(target_os = "macos") {
            return Self::Brew;
        }
        Self::of(&fs::read_to_string("/etc/os-release").unwrap_or_default())
    }

    /// By the text of `/etc/os-release`.
    fn of(release: &str) -> Self {
        let of = |name: &str| release.lines().find_map(|line| line.strip_prefix(name));
        let ids = format!("{} {}", of("ID=").unwrap_or(""), of("ID_LIKE=").unwrap_or(""));
        let mut words = ids.split([' ', '"']).filter(|word| !word.is_empty());
        let known = words.find_map(|word| match word {
            "debian" | "ubuntu" => Some(Self::Apt),
            "fedora" | "rhel" | "centos" => Some(Self::Dnf),
            "arch" => Some(Self::Pacman),
            _ if word.contains("suse") => Some(Self::Zypper),
            _ => None,
        });
        known.unwrap_or(Self::Unknown)
    }

    /// Installs the OpenCL library and PoCL, which runs kernels on the processor.
    pub(super) fn opencl(self) -> Option<&'static str> {
        match self {
            Self::Apt => Some("apt-get install ocl-icd-libopencl1 pocl-opencl-icd"),
            Self::Dnf => Some("dnf install ocl-icd pocl"),
            Self::Pacman => Some("pacman -S ocl-icd pocl"),
            Self::Zypper => Some("zypper install libOpenCL1 pocl"),
            Self::Brew => Some("brew install pocl"),
            Self::Unknown => None,
        }
    }

    /// Installs a compiler for C.
    pub(super) fn compiler(self) -> Option<&'static str> {
        match self {
            Self::Apt => Some("apt-get install gcc libc6-dev"),
            Self::Dnf => Some("dnf install gcc"),
            Self::Pacman => Some("pacman -S gcc"),
            Self::Zypper => Some("zypper install gcc"),
            Self::Brew => Some("xcode-select --install"),
            Self::Unknown => None,
        }
    }
}

#[cfg(test)]
#[test]
fn systems_are_known_by_what_they_are_like() {
    for (release, expected) in [
        ("NAME=x\nID=debian\n", Packages::Apt),
        ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", Packages::Apt),
        ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", Packages::Dnf),
        ("ID=\"opensuse-leap\"\n", Packages::Zypper),
        ("ID=alpine\n", Packages::Unknown),
        ("", Packages::Unknown),
    ] {
        assert_eq!(Packages::of(release), expected, "{release}");
    }
}
