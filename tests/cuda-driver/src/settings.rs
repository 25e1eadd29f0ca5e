//! What the driver is to be like: text of `key=value` pairs. It changes nothing that runs.

use std::time::Duration;

use crate::stream::Kind;

/// The devices and their limits.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// How many devices there are, at most 8.
    pub(crate) devices: usize,
    /// Bytes of each device.
    pub(crate) memory: u64,
    /// Bytes that may be pinned on the host in all.
    pub(crate) pinned: u64,
    /// What `cuDriverGetVersion` says.
    pub(crate) version: i32,
    /// Compute capabilities of the devices; the last one is that of all further ones.
    pub(crate) capabilities: Vec<(u32, u32)>,
    /// Whether devices reach one another's memory.
    pub(crate) peers: bool,
    /// The most threads of a block that is called the best one for a kernel.
    pub(crate) block: u32,
    /// Multiprocessors of each device.
    pub(crate) multiprocessors: u32,
    /// Whether there is `cuMemAllocAsync`.
    pub(crate) pools: bool,
    /// How long operations take longer than they do.
    pub(crate) delays: [Duration; Kind::COUNT],
    /// Threads of the host that share the blocks of a launch.
    pub(crate) threads: usize,
    /// Instructions of a launch before it is given up.
    pub(crate) steps: u64,
    /// Whether races on shared memory are looked for.
    pub(crate) races: bool,
    /// Whether unordered operations on the same bytes are looked for.
    pub(crate) hazards: bool,
    /// Whether memory of a device is filled with the poison; else it is zero, and what nobody touches takes no
    /// memory of the host.
    pub(crate) poison: bool,
    /// Whether machine code runs as the PTX with the same kernels that was loaded before.
    pub(crate) code: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            devices: 1,
            memory: 256 << 20,
            pinned: 1 << 30,
            version: 13000,
            capabilities: vec![(9, 0)],
            peers: true,
            block: 1024,
            multiprocessors: 4,
            pools: true,
            delays: [Duration::ZERO; Kind::COUNT],
            threads: 1,
            steps: u64::MAX,
            races: false,
            hazards: false,
            poison: true,
            code: false,
        }
    }
}

impl Settings {
    /// Takes `devices=2,memory=64M,delay=kernel:500`, one pair after the other.
    pub(crate) fn apply(&mut self, text: &str) -> Result<(), String> {
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or(format!("`{pair}` is no `key=value`"))?;
            self.set(key, value).ok_or(format!("`{pair}` is no setting of the test driver"))?;
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "devices" => self.devices = value.parse().ok().filter(|&count| count <= 8)?,
            "memory" => self.memory = size(value)?,
            "pinned" => self.pinned = size(value)?,
            "version" => self.version = value.parse().ok()?,
            "capability" => {
                self.capabilities = value.split('/').map(capability).collect::<Option<_>>()?;
            }
            "peers" => self.peers = flag(value)?,
            "block" => self.block = value.parse().ok().filter(|&threads| threads > 0)?,
            "multiprocessors" => self.multiprocessors = value.parse().ok()?,
            "pools" => self.pools = flag(value)?,
            "threads" => self.threads = value.parse().ok().filter(|&count| count > 0)?,
            "steps" => self.steps = value.parse().ok()?,
            "races" => self.races = flag(value)?,
            "hazards" => self.hazards = flag(value)?,
            "poison" => self.poison = flag(value)?,
            "code" => self.code = flag(value)?,
            "delay" => {
                let (kind, micros) = value.split_once(':')?;
                let delay = Duration::from_micros(micros.parse().ok()?);
                *self.delays.get_mut(Kind::named(kind)? as usize)? = delay;
            }
            _ => return None,
        }
        Some(())
    }

    /// The compute capability of a device.
    pub(crate) fn capability(&self, device: usize) -> (u32, u32) {
        let last = self.capabilities.last().copied().unwrap_or((9, 0));
        self.capabilities.get(device).copied().unwrap_or(last)
    }

    /// The newest PTX ISA that a driver of this version takes.
    pub(crate) fn ptx(&self) -> (u32, u32) {
        match self.version {
            13010.. => (9, 1),
            13000.. => (9, 0),
            12090.. => (8, 8),
            12080.. => (8, 7),
            12000.. => (8, ((self.version - 12000) / 10) as u32),
            _ => (7, 8),
        }
    }
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn capability(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_taken_pair_by_pair() {
        let mut settings = Settings::default();
        let text = "devices=3, memory=64M,capability=7.5/9.0,peers=0,delay=kernel:250";
        assert_eq!(settings.apply(text), Ok(()));
        assert_eq!(settings.devices, 3);
        assert_eq!(settings.memory, 64 << 20);
        assert_eq!([0, 1, 2].map(|d| settings.capability(d)), [(7, 5), (9, 0), (9, 0)]);
        assert!(!settings.peers);
        assert_eq!(settings.delays[Kind::Kernel as usize], Duration::from_micros(250));
    }

    #[test]
    fn what_is_no_setting_is_named() {
        for text in ["devices=9", "memory=64T", "colour=red", "delay=lunch:1", "peers"] {
            let error = Settings::default().apply(text).expect_err(text);
            assert!(error.contains(text), "{error}");
        }
    }
}
