//! What a run did: per kernel how often, how long, how many bytes. It measures nothing itself.

use std::fmt;
use std::time::Duration;

use crate::trace::{Part, Trace};
use crate::var::{CellValue, Var};
use crate::{Error, Result};

/// What a run did.
///
/// ```
/// # use flash_rt::{Buffer, NoBackends, Runtime, Task};
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let x = Buffer::from(vec![1_u32, 2]);
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("look", (&x,), |(x,)| assert_eq!(x[[1]], 2)));
/// let report = pipeline.exec()?;
/// let look = &report.tasks()[0];
/// assert_eq!((look.name, look.count, look.bytes), ("look", 1, 8));
/// assert!(look.time <= report.total() && report.kernels().is_empty());
/// assert_eq!(report.transfers().uploads, 0); // a host task uses the host's memory
/// println!("{report}"); // a table for a person
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(crate) total: Duration,
    pub(crate) kernels: Vec<StageReport>,
    pub(crate) tasks: Vec<StageReport>,
    pub(crate) transfers: Transfers,
    pub(crate) fallbacks: Vec<Fallback>,
    pub(crate) devices: Vec<DeviceReport>,
    pub(crate) copies: Copies,
    pub(crate) trace: Option<Box<Part>>,
}

/// A launch that ran on another device than the one it was placed on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fallback {
    /// Its number in the pipeline, counted from 0 in program order.
    pub node: usize,
    /// Its kernel.
    pub kernel: &'static str,
    /// The device it was placed on.
    pub from: String,
    /// The device that ran it.
    pub to: String,
    /// How often.
    pub count: u64,
    /// Why, the first time.
    pub error: Error,
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, kernel, from, to, count, error } = self;
        let times = if *count == 1 { String::new() } else { format!(" {count} times") };
        write!(f, "node {node}, `{kernel}`, ran{times} on {to} in place of {from}: {error}")
    }
}

/// What a device had of a launch that was split.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceReport {
    /// The number of the launch in the pipeline, counted from 0 in program order.
    pub node: usize,
    /// Its kernel.
    pub kernel: &'static str,
    /// The device.
    pub device: String,
    /// How many parts ended there, in all phases and trips of loops.
    pub parts: u64,
    /// Their items. A part that had to run again elsewhere counts wherever it ended.
    pub items: u64,
    /// Bytes that were copied to the device for the launch, from wherever they came.
    pub uploaded: u64,
    /// Bytes that were copied from it, to wherever they went: what other devices read, and what made room. What the launch
    /// wrote stays there until somebody reads it, and is not among them.
    pub downloaded: u64,
}

impl fmt::Display for DeviceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, kernel, device, parts, items, uploaded, downloaded } = self;
        let s = if *parts == 1 { "" } else { "s" };
        let (up, down) = (bytes(*uploaded), bytes(*downloaded));
        write!(
            f,
            "node {node}, `{kernel}`: {items} items in {parts} part{s} on {device}, {up} up, {down} down"
        )
    }
}

/// How many memories an array took turns in; see [`Builder::copies`](crate::Builder::copies).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copies {
    /// How many each array may take on each device: [`Builder::copies`](crate::Builder::copies).
    pub allowed: usize,
    /// The most that one of the run had taken by its end.
    pub most: usize,
}

impl Default for Copies {
    /// One, whatever runs.
    fn default() -> Self {
        Self { allowed: 1, most: 1 }
    }
}

/// One kernel or host task of a run.
#[derive(Clone, Copy, Debug)]
pub struct StageReport {
    /// Its name.
    pub name: &'static str,
    /// How often it ran.
    pub count: u64,
    /// How long, summed.
    pub time: Duration,
    /// Bytes of the arrays it was given, summed: what it reads once plus what it writes once.
    pub bytes: u64,
    /// Its time by the time of the whole run.
    pub share: f64,
}

impl StageReport {
    /// A row of which nothing is counted yet.
    pub(crate) const fn of(name: &'static str) -> Self {
        Self { name, count: 0, time: Duration::ZERO, bytes: 0, share: 0.0 }
    }
}

/// How far a run has come; see [`Handle::progress`](crate::Handle::progress).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Launches, host tasks, swaps and moves that have ended, each as often as it ran.
    pub nodes: u64,
    /// Trips of loops whose first stage has ended, of all loops together.
    pub trips: u64,
}

/// Copies between the host and devices, and between devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transfers {
    /// Copies to devices.
    pub uploads: u64,
    /// Their bytes.
    pub uploaded: u64,
    /// Copies to the host.
    pub downloads: u64,
    /// Their bytes.
    pub downloaded: u64,
    /// Copies from one device to another, without the host.
    pub peer_copies: u64,
    /// Their bytes.
    pub peer_copied: u64,
    /// Copies to devices that were not made, as the kernel overwrites all of it.
    pub elided: u64,
}

impl Transfers {
    /// None at all.
    pub const NONE: Self = Self {
        uploads: 0,
        uploaded: 0,
        downloads: 0,
        downloaded: 0,
        peer_copies: 0,
        peer_copied: 0,
        elided: 0,
    };
}

impl std::ops::AddAssign for Transfers {
    fn add_assign(&mut self, other: Self) {
        self.uploads += other.uploads;
        self.uploaded += other.uploaded;
        self.downloads += other.downloads;
        self.downloaded += other.downloaded;
        self.peer_copies += other.peer_copies;
        self.peer_copied += other.peer_copied;
        self.elided += other.elided;
    }
}

impl Drop for Report {
    /// Rows serve the next report of the thread.
    fn drop(&mut self) {
        let (kernels, tasks) = (&mut self.kernels, &mut self.tasks);
        crate::engine::keep_report(std::mem::take(kernels), std::mem::take(tasks));
    }
}

impl Report {
    /// From the first launch to the end of the last stage.
    pub fn total(&self) -> Duration {
        self.total
    }

    /// The kernels, in the order of their first appearance.
    pub fn kernels(&self) -> &[StageReport] {
        &self.kernels
    }

    /// A kernel by name.
    pub fn kernel(&self, name: &str) -> Option<&StageReport> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The host tasks, in the order of their first appearance.
    pub fn tasks(&self) -> &[StageReport] {
        &self.tasks
    }

    /// Copies between the host and devices, and between devices.
    pub fn transfers(&self) -> Transfers {
        self.transfers
    }

    /// The launches that ran on another device than the one of the plan, as that one had no memory or
    /// no code for them or was lost; by node.
    pub fn fallbacks(&self) -> &[Fallback] {
        &self.fallbacks
    }

    /// What each device had of the launches that were split over several, by node and then in the order
    /// of the devices; nothing of a device that had no part.
    ///
    /// ```
    /// # use flash_rt::Report;
    /// /// The share of the items of a launch that each device had.
    /// fn shares(report: &Report, node: usize) -> Vec<(&str, f64)> {
    ///     let had = || report.devices().iter().filter(move |had| had.node == node);
    ///     let all: u64 = had().map(|had| had.items).sum();
    ///     had().map(|had| (&had.device[..], had.items as f64 / all as f64)).collect()
    /// }
    /// # assert!(shares(&Report::default(), 0).is_empty());
    /// ```
    pub fn devices(&self) -> &[DeviceReport] {
        &self.devices
    }

    /// How many memories arrays may take turns in on a device, and took.
    pub fn copies(&self) -> Copies {
        self.copies
    }

    /// What ran while the run did, with other runs of the runtime at the same time; `None` unless
    /// the runtime was built with [`Builder::trace`](crate::Builder::trace).
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref().map(|part| part.trace())
    }

    /// The value of a cell that the run reduced into.
    ///
    /// # Errors
    ///
    /// As [`Var::get`].
    pub fn value<T: CellValue>(&self, cell: &Var<T>) -> Result<T> {
        cell.get()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<32} {:>8} {:>12} {:>12} {:>7}",
            "stage", "count", "time", "bytes", "share"
        )?;
        for stage in self.kernels.iter().chain(&self.tasks) {
            writeln!(
                f,
                "{:<32} {:>8} {:>12} {:>12} {:>6.1}%",
                stage.name,
                stage.count,
                format!("{:.3?}", stage.time),
                bytes(stage.bytes),
                100.0 * stage.share,
            )?;
        }
        let Transfers {
            uploads, uploaded, downloads, downloaded, peer_copies, peer_copied, ..
        } = self.transfers;
        if uploads + downloads + peer_copies > 0 {
            write!(
                f,
                "transfers: {uploads} up ({}), {downloads} down ({})",
                bytes(uploaded),
                bytes(downloaded)
            )?;
            if peer_copies > 0 {
                write!(f, ", {peer_copies} between devices ({})", bytes(peer_copied))?;
            }
            writeln!(f)?;
        }
        let Copies { allowed, most } = self.copies;
        if most > 1 {
            writeln!(f, "copies: up to {most} memories for an array, of {allowed} allowed")?;
        }
        for fallback in &self.fallbacks {
            writeln!(f, "{fallback}")?;
        }
        for device in &self.devices {
            writeln!(f, "{device}")?;
        }
        write!(f, "total {:.3?}", self.total)
    }
}

/// `1.5 MiB`
pub(crate) fn bytes(n: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", units[unit]) }
}
