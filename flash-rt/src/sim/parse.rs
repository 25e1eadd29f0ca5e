//! A simulator as text, for `FLASH_SIM`.

use std::time::Duration;

use super::config::{Config, Run, Speed, Time};
use super::fault::{Fault, Kind};
use crate::descriptor::Need;
use crate::error::{Error, Result};

/// What `FLASH_SIM` takes, for errors.
const KEYS: &str = "`devices`, `memory`, `lacks`, `run`, `clock`, `seed`, `log`, `declares`, `peers`, `rate`, `launch`, `up`, \
                    `down`, `latency`, `up.latency`, `down.latency`, `copies`, `queues`, `slow`, \
                    `time.KERNEL`, `fail`, `break`, `lose`, `corrupt`, `forget`";

impl Config {
    /// The configuration that a text describes: `key=value` with commas in between.
    ///
    /// | key | value | meaning |
    /// |---|---|---|
    /// | `devices` | a number | how many devices |
    /// | `memory` | bytes, as `4GiB` | memory of each |
    /// | `lacks` | `DEVICE:NAME`, as `1:f64` | what a device cannot do, by the words of `requires(..)` |
    /// | `run` | `ir` `entry` | how kernels are run |
    /// | `clock` | `virtual` `real` | which clock |
    /// | `seed` | a number | when operations take effect |
    /// | `log` | `0` `1` | whether calls are written down |
    /// | `declares` | `0` `1` | whether devices say how long operations take |
    /// | `peers` | `0` `1` | whether devices copy to each other, without the host |
    /// | `rate` | items a second, as `1G` | speed of kernels |
    /// | `launch` | a time, as `5us` | what each launch costs beside |
    /// | `time.KERNEL` | a time | what a launch of this kernel takes |
    /// | `up` `down` | bytes a second | speed of copies |
    /// | `latency` `up.latency` `down.latency` | a time | what each copy costs beside |
    /// | `copies` | `shared` `separate` | whether both directions take turns |
    /// | `queues` | 1 to 16 | kernels side by side |
    /// | `slow` | a factor | everything takes as many times as long |
    /// | `fail` `break` | `KIND:n` or `DEVICE/KIND:n` | the n-th call from 0 fails, at once or while it runs; kinds are `allocate` `upload` `download` `peer` `zero` `load` `launch` `wait` |
    /// | `lose` | `DEVICE:n` | the device is lost after n calls |
    /// | `corrupt` | n | the binary of the n-th load is corrupt |
    /// | `forget` | n | the n-th transfer moves nothing |
    ///
    /// A key of speed may start with the number of a device and a dot, as in `1.rate=5M`; it differs
    /// from the others then, by what the text says up to there. So may `memory`.
    ///
    /// # Errors
    ///
    /// [`Error::Option`], which names the part that makes no sense, or names a device that is not there.
    pub fn parse(text: &str) -> Result<Self> {
        let mut config = Self::default();
        // `devices` may come last.
        let mut named = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| refused(part, format!("expected `key=value`; keys are {KEYS}")))?;
            let device = config.set(key.trim(), value.trim(), part)?;
            named.extend(device.map(|device| (device, part)));
        }
        if let Some(&(device, part)) = named.iter().find(|(device, _)| *device >= config.devices) {
            let there = match config.devices {
                1 => "there is one, number 0".to_owned(),
                n => format!("there are {n}, from number 0 on"),
            };
            return Err(refused(part, format!("there is no device {device}: {there}")));
        }
        Ok(config)
    }

    /// Sets what a part says; the device that it names, if it does.
    fn set(&mut self, key: &str, value: &str, part: &str) -> Result<Option<usize>> {
        let mut named = None;
        let bad = |why: &str| refused(part, why.to_owned());
        match key {
            "devices" => {
                let n = number(value).filter(|n| (1..=64).contains(n));
                self.devices = n.ok_or_else(|| bad("expected 1 to 64"))? as usize;
            }
            "memory" => self.memory = number(value).ok_or_else(|| bad("expected bytes"))?,
            "run" => {
                self.run = match value {
                    "ir" => Run::Ir,
                    "entry" => Run::Entry,
                    _ => return Err(bad("expected `ir` or `entry`")),
                }
            }
            "clock" => {
                self.time = match value {
                    "virtual" => Time::Virtual,
                    "real" => Time::Real,
                    _ => return Err(bad("expected `virtual` or `real`")),
                }
            }
            "seed" => self.seed = Some(number(value).ok_or_else(|| bad("expected a number"))?),
            "log" | "declares" | "peers" => {
                let is_on = match value {
                    "0" => false,
                    "1" => true,
                    _ => return Err(bad("expected `0` or `1`")),
                };
                *(match key {
                    "log" => &mut self.log,
                    "declares" => &mut self.declares,
                    _ => &mut self.peers,
                }) = is_on;
            }
            "fail" | "break" => {
                let (device, call) = match value.split_once('/') {
                    Some((device, call)) => {
                        let device = number(device).ok_or_else(|| bad("expected a device"))?;
                        (Some(device as usize), call)
                    }
                    None => (None, value),
                };
                let (call, nth) = call
                    .split_once(':')
                    .and_then(|(kind, nth)| Some((Kind::named(kind)?, number(nth)?)))
                    .ok_or_else(|| bad("expected a call and its number, as `upload:3`"))?;
                named = device;
                self.faults.push(match key {
                    "fail" => Fault::Fail { call, nth, device },
                    _ => Fault::Break { call, nth, device },
                });
            }
            "lose" => {
                let (device, after) = value
                    .split_once(':')
                    .and_then(|(device, after)| Some((number(device)? as usize, number(after)?)))
                    .ok_or_else(|| bad("expected a device and a number of calls, as `0:17`"))?;
                named = Some(device);
                self.faults.push(Fault::Lose { device, after });
            }
            "lacks" => {
                let need = |name: &str| Need::ALL.into_iter().find(|need| need.name() == name);
                let lacks = value
                    .split_once(':')
                    .and_then(|(device, name)| Some((number(device)? as usize, need(name)?)))
                    .ok_or_else(|| {
                        bad("expected a device and what `requires` names, as `1:f64`")
                    })?;
                named = Some(lacks.0);
                self.lacks.push(lacks);
            }
            "corrupt" => {
                let nth = number(value).ok_or_else(|| bad("expected the number of a load"))?;
                self.faults.push(Fault::Corrupt { nth });
            }
            "forget" => {
                let nth = number(value).ok_or_else(|| bad("expected the number of a transfer"))?;
                self.faults.push(Fault::Forget { nth });
            }
            _ => return self.set_speed(key, value, part),
        }
        Ok(named)
    }

    /// Keys that concern the speed of all devices or of one; which one.
    fn set_speed(&mut self, key: &str, value: &str, part: &str) -> Result<Option<usize>> {
        let device = key.split_once('.').and_then(|(device, key)| Some((number(device)?, key)));
        let Some((device, key)) = device else {
            return set_speed(&mut self.speed, key, value, part).map(|()| None);
        };
        let device = device as usize;
        if key == "memory" {
            let bytes = number(value).ok_or_else(|| refused(part, "expected bytes".to_owned()))?;
            self.memories.push((device, bytes));
            return Ok(Some(device));
        }
        if self.others.iter().all(|(known, _)| *known != device) {
            self.others.push((device, self.speed.clone()));
        }
        if let Some((_, speed)) = self.others.iter_mut().find(|(known, _)| *known == device) {
            set_speed(speed, key, value, part)?;
        }
        Ok(Some(device))
    }
}

fn set_speed(speed: &mut Speed, key: &str, value: &str, part: &str) -> Result<()> {
    let bad = |why: &str| refused(part, why.to_owned());
    let rate = || number(value).ok_or_else(|| bad("expected a number for each second, as `12G`"));
    let time = || duration(value).ok_or_else(|| bad("expected a time, as `10us`"));
    match key {
        "rate" => speed.items_per_second = rate()?,
        "launch" => speed.launch = time()?,
        "up" => speed.up.bytes_per_second = rate()?,
        "down" => speed.down.bytes_per_second = rate()?,
        "up.latency" => speed.up.latency = time()?,
        "down.latency" => speed.down.latency = time()?,
        "latency" => (speed.up.latency, speed.down.latency) = (time()?, time()?),
        "copies" => {
            speed.shared_copies = match value {
                "shared" => true,
                "separate" => false,
                _ => return Err(bad("expected `shared` or `separate`")),
            }
        }
        "queues" => {
            let n = number(value).filter(|n| (1..=16).contains(n));
            speed.queues = n.ok_or_else(|| bad("expected 1 to 16"))? as u8;
        }
        "slow" => {
            let factor = value.parse().ok().filter(|f: &f64| f.is_finite() && *f >= 0.0);
            speed.factor = factor.ok_or_else(|| bad("expected a factor, as `2.5`"))?;
        }
        _ => match key.strip_prefix("time.") {
            Some(kernel) => speed.kernels.push((kernel.to_owned(), time()?)),
            None => return Err(refused(part, format!("unknown key; keys are {KEYS}"))),
        },
    }
    Ok(())
}

/// A whole number with an optional unit: `K` `M` `G` `T` of 1000, `KiB` `MiB` `GiB` `TiB` of 1024.
fn number(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "" => 1,
        "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(scale)
}

/// A whole number of `ns`, `us`, `ms` or `s`.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(scale).map(Duration::from_nanos)
}

fn refused(part: &str, why: String) -> Error {
    Error::Option { option: "FLASH_SIM", value: part.to_owned(), why }
}

#[cfg(test)]
mod tests {
    use super::super::config::Link;
    use super::*;

    #[test]
    fn every_key_is_read() {
        let config = Config::parse(
            "devices=3,memory=2GiB, run=entry ,clock=real,seed=7,log=0,declares=0,peers=1,rate=5M,launch=3us,up=12G,\
             down=6G,latency=10us,down.latency=2ms,copies=shared,queues=4,slow=1.5,time.blur=4s,\
             fail=upload:3,break=1/launch:0,lose=0:17,corrupt=2,forget=9,1.rate=7,1.slow=2,1.memory=3MiB,lacks=2:f64",
        )
        .unwrap();
        let us = Duration::from_micros;
        let speed = Speed {
            launch: us(3),
            items_per_second: 5_000_000,
            kernels: vec![("blur".to_owned(), Duration::from_secs(4))],
            weights: Vec::new(),
            setups: Vec::new(),
            setup: Duration::ZERO,
            up: Link { latency: us(10), bytes_per_second: 12_000_000_000 },
            down: Link { latency: us(2000), bytes_per_second: 6_000_000_000 },
            shared_copies: true,
            queues: 4,
            factor: 1.5,
        };
        let one = Speed { items_per_second: 7, factor: 2.0, ..speed.clone() };
        let faults = vec![
            Fault::Fail { call: Kind::Upload, nth: 3, device: None },
            Fault::Break { call: Kind::Launch, nth: 0, device: Some(1) },
            Fault::Lose { device: 0, after: 17 },
            Fault::Corrupt { nth: 2 },
            Fault::Forget { nth: 9 },
        ];
        let expected = Config {
            devices: 3,
            memory: 2 << 30,
            memories: vec![(1, 3 << 20)],
            lacks: vec![(2, Need::F64)],
            groups: None,
            run: Run::Entry,
            time: Time::Real,
            speed: speed.clone(),
            others: vec![(1, one.clone())],
            faults,
            seed: Some(7),
            peers: true,
            declares: false,
            log: false,
        };
        assert_eq!(config, expected);
        assert_eq!((config.speed_of(0), config.speed_of(1)), (&speed, &one));
        assert_eq!([0, 1].map(|k| config.memory_of(k)), [2 << 30, 3 << 20]);
        let has = |device| config.capabilities_of(device).has(Need::F64);
        assert_eq!([has(1), has(2)], [true, false]);
        assert_eq!(Config::parse("").unwrap(), Config::default());
    }

    #[test]
    fn mistakes_are_named() {
        for (text, hint) in [
            ("devices", "key=value"),
            ("devices=0", "1 to 64"),
            ("memory=4GB", "bytes"),
            ("speed=3", "`rate`"),
            ("up.latency=10", "10us"),
            ("rate=1e9", "12G"),
            ("fail=uplod:1", "upload:3"),
            ("lose=3", "0:17"),
            ("lacks=1:f65", "1:f64"),
            ("1.memory=4GB", "bytes"),
            ("slow=-1", "factor"),
            ("1.devices=3", "unknown key"),
            ("lose=2:1", "there are 2, from number 0 on"),
            ("break=7/launch:0", "no device 7"),
            ("fail=9/upload:0", "no device 9"),
            ("lacks=9:f64", "no device 9"),
            ("7.memory=1M", "no device 7"),
            ("4.rate=1M", "no device 4"),
        ] {
            let error = Config::parse(text).unwrap_err().to_string();
            assert!(error.contains(hint) && error.contains(text), "{error}");
        }
        // Which ones there are may be said later, and the part that names another one is named.
        assert!(Config::parse("lose=2:1,2.memory=1M,devices=3").is_ok());
        let error = Config::parse("1.rate=1M,lose=0:1,devices=1").unwrap_err();
        assert!(matches!(&error, Error::Option { value, .. } if value == "1.rate=1M"), "{error}");
        assert!(error.to_string().contains("there is one, number 0"), "{error}");
    }
}
