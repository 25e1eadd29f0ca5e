//! What is simulated: how many devices, how fast, with how much memory, on which clock, and what
//! goes wrong. It simulates nothing itself.

use std::ops::Range;
use std::time::Duration;

use super::fault::Fault;
use crate::capabilities::Capabilities;
use crate::descriptor::Need;
use crate::geometry::Groups;

/// How kernels are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Run {
    /// By interpreting the IR.
    #[default]
    Ir,
    /// By the baseline CPU entry.
    Entry,
}

/// Which clock the devices follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// Discrete events: time goes on only when all who could submit work wait, and is exact.
    /// Nothing takes effect before somebody waits for it.
    #[default]
    Virtual,
    /// The real one: a thread for each unit, which sleeps for as long as an operation takes.
    Real,
}

/// A way for copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What each copy costs beside its bytes.
    pub latency: Duration,
    /// Bytes in a second; 0 for any number in no time.
    pub bytes_per_second: u64,
}

impl Link {
    /// How long a copy takes, rounded up to nanoseconds.
    pub fn time(&self, bytes: u64) -> Duration {
        self.latency + quotient(bytes, self.bytes_per_second)
    }
}

/// How fast a device is. The default is infinitely fast.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// What each launch and fill costs beside its items.
    pub launch: Duration,
    /// Work items in a second; 0 for any number in no time.
    pub items_per_second: u64,
    /// Kernels by name that take a time of their own, whatever their items.
    pub kernels: Vec<(String, Duration)>,
    /// Kernels by name whose items do not all take the same time: the slowest dimension of their space
    /// in equal pieces, and as how many items one counts in each.
    pub weights: Vec<(String, Vec<f64>)>,
    /// Kernels by name that need the device set up in a way of their own, by number, as an FPGA needs a
    /// bitstream. It is set up in one way at a time.
    pub setups: Vec<(String, u64)>,
    /// How long changing that takes.
    pub setup: Duration,
    /// Copies to the device.
    pub up: Link,
    /// Copies to the host.
    pub down: Link,
    /// Whether copies of both directions take turns on one unit.
    pub shared_copies: bool,
    /// Compute queues, each with a unit of its own; at least 1.
    pub queues: u8,
    /// Everything takes this many times as long.
    pub factor: f64,
}

impl Default for Speed {
    fn default() -> Self {
        Self {
            launch: Duration::ZERO,
            items_per_second: 0,
            kernels: Vec::new(),
            weights: Vec::new(),
            setups: Vec::new(),
            setup: Duration::ZERO,
            up: Link::default(),
            down: Link::default(),
            shared_copies: false,
            queues: 1,
            factor: 1.0,
        }
    }
}

impl Speed {
    /// As how many items those of a launch count: of the indices `from..to` of the slowest dimension of
    /// so many in all, or of all of them.
    pub(super) fn counted(
        &self,
        kernel: &str,
        items: u64,
        of: Option<(Range<usize>, usize)>,
    ) -> u64 {
        let Some((_, weights)) = self.weights.iter().find(|(name, _)| name == kernel) else {
            return items;
        };
        let (range, n) = of.unwrap_or((0..1, 1));
        // How much of each piece lies in the range, in indices.
        let piece = n as f64 / weights.len().max(1) as f64;
        let within = |k: usize| {
            let (from, to) = (k as f64 * piece, (k + 1) as f64 * piece);
            (to.min(range.end as f64) - from.max(range.start as f64)).max(0.0)
        };
        let sum: f64 = weights.iter().enumerate().map(|(k, weight)| weight * within(k)).sum();
        (items as f64 * sum / range.len().max(1) as f64).round() as u64
    }

    /// How a device has to be set up for a kernel.
    pub(super) fn setup_of(&self, kernel: &str) -> Option<u64> {
        self.setups.iter().find(|(name, _)| name == kernel).map(|(_, setup)| *setup)
    }

    /// How long a launch takes, rounded up to nanoseconds.
    pub fn launch_time(&self, kernel: &str, items: u64) -> Duration {
        match self.kernels.iter().find(|(name, _)| name == kernel) {
            Some((_, time)) => *time,
            None => self.launch + quotient(items, self.items_per_second),
        }
    }
}

/// `n / rate` seconds, rounded up to nanoseconds; none at rate 0.
fn quotient(n: u64, rate: u64) -> Duration {
    if rate == 0 {
        return Duration::ZERO;
    }
    let nanos = (u128::from(n) * 1_000_000_000).div_ceil(u128::from(rate));
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

/// What is simulated. `FLASH_SIM` gives one as text, see [`Config::parse`].
///
/// ```
/// use std::time::Duration;
/// use flash_rt::sim::{Config, Link, Speed};
///
/// let link = Link { latency: Duration::from_micros(10), bytes_per_second: 12_000_000_000 };
/// let speed = Speed { items_per_second: 1_000_000_000, up: link, ..Speed::default() };
/// let config = Config { devices: 1, speed, ..Config::default() };
/// assert_eq!(config, Config::parse("devices=1, rate=1G, up=12G, up.latency=10us").unwrap());
/// assert_eq!(link.time(1_200_000), Duration::from_micros(110));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Number of devices.
    pub devices: usize,
    /// Bytes of memory of each,
    pub memory: u64,
    /// but for these, by number.
    pub memories: Vec<(usize, u64)>,
    /// What devices by number cannot do of what they else can.
    pub lacks: Vec<(usize, Need)>,
    /// How large they say that work-groups may be, of which they make no use.
    pub groups: Option<Groups>,
    /// How kernels are run.
    pub run: Run,
    /// Which clock the devices follow.
    pub time: Time,
    /// How fast each device is,
    pub speed: Speed,
    /// but for these, by number.
    pub others: Vec<(usize, Speed)>,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// On the virtual clock: operations take effect at their end, or, with a seed, some at their
    /// beginning and some at their end, by that seed. A program that orders everything that has to
    /// be ordered cannot tell.
    pub seed: Option<u64>,
    /// Whether devices copy to each other, without the host. It takes as long as the slower one of the
    /// two ways, on the unit for copies to the host of the first.
    pub peers: bool,
    /// Whether devices say how long operations take; else the runtime measures that.
    pub declares: bool,
    /// Whether calls are written down, which takes memory as long as the simulator lives.
    pub log: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            devices: 2,
            memory: 1 << 32,
            memories: Vec::new(),
            lacks: Vec::new(),
            groups: None,
            run: Run::default(),
            time: Time::default(),
            speed: Speed::default(),
            others: Vec::new(),
            faults: Vec::new(),
            seed: None,
            peers: false,
            declares: true,
            log: true,
        }
    }
}

impl Config {
    /// The speed of a device.
    pub fn speed_of(&self, device: usize) -> &Speed {
        let other = self.others.iter().rev().find(|(number, _)| *number == device);
        other.map_or(&self.speed, |(_, speed)| speed)
    }

    /// The bytes of memory of a device.
    pub fn memory_of(&self, device: usize) -> u64 {
        let other = self.memories.iter().rev().find(|(number, _)| *number == device);
        other.map_or(self.memory, |(_, bytes)| *bytes)
    }

    /// What a device can do.
    pub fn capabilities_of(&self, device: usize) -> Capabilities {
        let lacks = self.lacks.iter().filter(|(number, _)| *number == device);
        lacks.fold(Capabilities::OF_BODIES, |all, (_, need)| all.without(*need))
    }
}
