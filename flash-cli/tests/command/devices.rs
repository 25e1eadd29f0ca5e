//! `flash devices`, with and without a key.

use super::{flash, json};

#[test]
fn every_backend_is_listed_with_all_its_facts() {
    let said = flash(&["devices", "--json"], &[]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let all = json(&said);
    let all = all["devices"].as_array().expect("a list");
    for device in all {
        for name in [
            "key",
            "number",
            "name",
            "memory",
            "queues",
            "lanes",
            "work_groups",
            "capabilities",
            "accelerator",
            "in_all",
            "in_all_accel",
        ] {
            assert!(device.get(name).is_some(), "no {name} in {device}");
        }
    }
    let of = |key: &str| all.iter().find(|device| device["key"] == key).expect("it is there");
    assert_eq!((&of("ALL_CPU")["in_all"], &of("ALL_CPU")["memory"]), (&true.into(), &().into()));
    assert_eq!(of("SIM")["in_all"], false);
    let page = flash(&["devices"], &[]).out;
    for device in all {
        let (key, name) = (device["key"].as_str().unwrap(), device["name"].as_str().unwrap());
        assert!(page.contains(&format!("{key}:{}  {name}\n", device["number"])), "{page}");
    }
    assert!(page.lines().skip(1).any(|line| line.starts_with("    part of ALL     yes")), "{page}");
}

#[test]
fn a_key_leaves_the_devices_of_its_runtime() {
    let keys = |key: &str| -> Vec<String> {
        let all = json(&flash(&["devices", "--json", "--key", key], &[]));
        let all = all["devices"].as_array().expect("a list").clone();
        all.iter().map(|device| device["key"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(keys("ALL_CPU"), ["ALL_CPU"]);
    assert!(!keys("SIM").is_empty());
    let all = keys("ALL");
    assert!(all.contains(&"ALL_CPU".to_owned()) && !all.contains(&"SIM".to_owned()), "{all:?}");
}

#[test]
fn a_key_that_nobody_answers_to_is_an_error_with_those_there_are() {
    let said = flash(&["devices", "--key", "TOASTER"], &[]);
    assert_eq!((said.code, &*said.out), (Some(1), ""));
    assert!(said.err.contains("`TOASTER`") && said.err.contains("ALL_CPU ("), "{}", said.err);
}

#[test]
fn a_wrong_variable_is_the_error_of_the_library() {
    let said = flash(&["devices"], &[("FLASH_THREADS", "none".as_ref())]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.starts_with("error: FLASH_THREADS=none: expected"), "{}", said.err);
}
