//! `flash devices`: every device of every backend, as a runtime sees it. It opens none.

use flash::{Runtime, sim};
use flash_rt::backend::DeviceInfo;
use flash_rt::{Options, Registry};
use serde_json::{Value, json};

use crate::{Failure, Outcome, text};

/// Lists the devices of every backend.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON in place of a table.
    #[arg(long)]
    json: bool,
    /// Only the devices that a runtime has that is opened with this key: `ALL`, `ALL_ACCEL`, `ALL_CPU`,
    /// `OPENCL`, `INTEL_FPGA`, `NVIDIA_GPU`, `SIM`.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

/// A device of a backend.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) key: &'static str,
    /// Its number among those of the key.
    pub(crate) number: usize,
    pub(crate) info: DeviceInfo,
}

impl Listed {
    /// Whether `ALL` has it.
    pub(crate) fn is_in_all(&self) -> bool {
        self.key != sim::KEY && !self.info.duplicate
    }

    fn is_in_all_accel(&self) -> bool {
        self.is_in_all() && self.info.accelerator
    }

    fn answers_to(&self, key: &str) -> bool {
        match key {
            "ALL" => self.is_in_all(),
            "ALL_ACCEL" => self.is_in_all_accel(),
            key => self.key == key,
        }
    }

    /// `OPENCL:0`
    pub(crate) fn title(&self) -> String {
        format!("{}:{}", self.key, self.number)
    }

    fn row(&self, page: &mut String) {
        let DeviceInfo { name, memory, lanes, queues, groups, capabilities, .. } = &self.info;
        page.push_str(&format!("{}  {name}\n", self.title()));
        let memory = memory.map_or("the host's".to_owned(), text::bytes);
        let queues = match queues {
            0 => "none: a launch runs in the call".to_owned(),
            n => n.to_string(),
        };
        let groups = groups.map_or("none".to_owned(), |groups| {
            format!("up to {} items, {} shared", groups.items, text::bytes(groups.shared.into()))
        });
        let all = match (self.is_in_all(), self.is_in_all_accel(), self.key) {
            (true, true, _) => "yes, and of ALL_ACCEL".to_owned(),
            (true, false, _) => "yes".to_owned(),
            (false, _, key) if key == sim::KEY => "no: it is simulated, for tests".to_owned(),
            (false, _, key) => format!("no: `ALL` has the processor as ALL_CPU; open `{key}`"),
        };
        for (label, text) in [
            ("memory", memory),
            ("queues", queues),
            ("lanes", lanes.to_string()),
            ("work-groups", groups),
            ("can", capabilities.to_string()),
            ("part of ALL", all),
        ] {
            text::row(page, "", label, &text);
        }
    }

    fn json(&self) -> Value {
        let DeviceInfo { name, memory, lanes, queues, groups, capabilities, .. } = &self.info;
        json!({
            "key": self.key,
            "number": self.number,
            "name": name,
            "memory": memory,
            "queues": queues,
            "lanes": lanes,
            "work_groups": groups.map(|groups| json!({
                "items": groups.items,
                "along": groups.along,
                "shared": groups.shared,
            })),
            "capabilities": capabilities.iter().map(|need| need.name()).collect::<Vec<_>>(),
            "accelerator": self.info.accelerator,
            "in_all": self.is_in_all(),
            "in_all_accel": self.is_in_all_accel(),
        })
    }
}

/// The devices of all backends, in the order of preference.
pub(crate) fn list(options: &Options) -> flash::Result<Vec<Listed>> {
    let mut all = Vec::new();
    for backend in Registry::list::<flash::Enabled>() {
        let devices = (backend.open)(options)?.devices();
        let listed = |(number, info)| Listed { key: backend.key, number, info };
        all.extend(devices.into_iter().enumerate().map(listed));
    }
    Ok(all)
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut all = list(&Options::from_env()?)?;
    if let Some(key) = &args.key {
        all.retain(|device| device.answers_to(key));
        if all.is_empty() {
            // The runtime says which keys and devices there are.
            Runtime::open(key)?;
        }
    }
    let text = if args.json {
        let all: Vec<Value> = all.iter().map(Listed::json).collect();
        format!("{:#}", json!({ "devices": all }))
    } else {
        let mut page = String::new();
        for device in &all {
            device.row(&mut page);
            page.push('\n');
        }
        page
    };
    Ok(Outcome { text, is_well: true })
}
