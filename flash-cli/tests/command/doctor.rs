//! `flash doctor` on this machine, and where something is missing or wrong.

use std::path::Path;

use serde_json::Value;

use super::{Said, flash, has_opencl, json};

/// What is looked at, in this order: the title, and the key in JSON with what it has there.
const SECTIONS: [(&str, &str, &[&str]); 8] = [
    (
        "CPU",
        "cpu",
        &["name", "isa", "isa_detected", "cores_online", "cores_allowed", "quota", "threads"],
    ),
    ("environment", "environment", &["variables"]),
    ("OpenCL", "opencl", &["tried", "library", "drivers", "platforms", "error"]),
    ("FPGA", "fpga", &["key", "devices", "emulator"]),
    ("CUDA", "cuda", &["tried", "driver", "devices", "left_out", "error", "nvrtc"]),
    ("kernel cache", "cache", &["folder", "programs", "bytes", "limit", "writable", "error"]),
    ("C compiler", "compiler", &["command", "version"]),
    ("devices", "devices", &["asked", "opened", "error"]),
];

/// The doctor's words and facts under these variables, which agree on the exit code.
fn doctor(variables: &[(&str, &Path)]) -> (Said, Value) {
    let (said, facts) = (flash(&["doctor"], variables), flash(&["doctor", "--json"], variables));
    assert_eq!((said.code, &*said.err), (facts.code, ""), "{said:?}");
    let facts = json(&facts);
    assert_eq!(said.code, Some(if facts["ok"] == true { 0 } else { 1 }));
    (said, facts)
}

#[test]
fn this_machine_has_a_processor() {
    let (said, facts) = doctor(&[]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    assert_eq!(facts["cpu"]["state"], "ok");
    assert!(facts["cpu"]["threads"].as_u64().is_some_and(|n| n > 0));
    // Either devices, or why not.
    let cuda = &facts["cuda"];
    let n = cuda["devices"].as_array().map_or(0, Vec::len);
    assert_eq!(n == 0, cuda["state"] == "absent", "{cuda:?}");
    assert!(
        n > 0 || !cuda["error"].is_null() || cuda["left_out"] != Value::Array(vec![]),
        "{cuda:?}"
    );
    let opened = facts["devices"]["opened"].as_array().expect("a list");
    assert!(opened.iter().any(|device| device["key"] == "ALL_CPU"), "{opened:?}");
}

#[test]
fn the_table_has_its_shape() {
    let (said, _) = doctor(&[]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(lines[0].starts_with("flash ") && lines[1].is_empty(), "{}", said.out);
    let titles: Vec<&str> = lines
        .iter()
        .filter(|line| ["ok  ", "--  ", "!!  "].iter().any(|mark| line.starts_with(mark)))
        .map(|line| line[4..20].trim())
        .collect();
    assert_eq!(titles, SECTIONS.map(|(title, ..)| title), "{}", said.out);
    for line in lines.iter().filter(|line| line.chars().count() > 80) {
        // What is to be copied is in one line.
        assert!(!line.trim().contains(' ') || line.contains("export "), "{line}");
    }
    assert!(lines.iter().all(|line| line.trim_end() == *line), "{}", said.out);
}

#[test]
fn json_has_what_is_documented() {
    let (_, facts) = doctor(&[]);
    assert!(facts["version"].is_string() && facts["ok"].is_boolean());
    for (_, key, names) in SECTIONS {
        let section = facts[key].as_object().unwrap_or_else(|| panic!("no {key}"));
        let state = section["state"].as_str().expect("a word");
        assert!(["ok", "absent", "wrong"].contains(&state), "{key} is {state}");
        for name in ["summary", "fix"].iter().chain(names) {
            assert!(section.contains_key(*name), "{key} has no {name}");
        }
    }
}

/// Each device that `flash devices` lists, in the table and as JSON.
#[test]
fn devices_of_opencl_are_found() {
    if !has_opencl() {
        return;
    }
    let (said, facts) = doctor(&[]);
    let opencl = &facts["opencl"];
    assert_eq!((&opencl["state"], &opencl["error"]), (&"ok".into(), &Value::Null), "{opencl}");
    let platforms = opencl["platforms"].as_array().expect("a list");
    let found = |platform: &Value| platform["devices"].as_array().expect("a list").clone();
    let found: Vec<Value> = platforms.iter().flat_map(found).collect();
    assert!(found.iter().any(|device| device["key"] == "OPENCL"), "{opencl}");
    for device in &found {
        let text = |of: &str| device[of].as_str().expect("a text").to_owned();
        let row = format!("{}:{}", text("key"), device["number"]);
        assert!(said.out.contains(&row) && said.out.contains(&text("name")), "{}", said.out);
    }
}

/// How Intel's emulator is had: to install it, and where it is installed to have drivers looked for there.
#[test]
fn an_emulator_of_an_fpga_is_one_command_away() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return;
    }
    let (empty, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let variables = [("OCL_ICD_VENDORS", empty.path()), ("HOME", home.path())];
    let install = "scripts/fpga-emulator --accept-intel-eula".to_owned();
    let vendors = home.path().join(".local/share/flash/fpga-emulator/vendors");
    for (is_installed, fix) in
        [(false, install), (true, format!("export OCL_ICD_VENDORS={}", vendors.display()))]
    {
        if is_installed {
            std::fs::create_dir_all(&vendors).unwrap();
        }
        let (said, facts) = doctor(&variables);
        let fpga = &facts["fpga"];
        assert_eq!((&fpga["state"], &fpga["fix"]), (&"absent".into(), &fix.clone().into()));
        assert_eq!(fpga["emulator"].is_string(), is_installed, "{fpga}");
        assert!(said.out.contains(&fix), "{}", said.out);
    }
}

#[test]
fn a_folder_without_drivers_is_named_with_what_said_so() {
    let empty = tempfile::tempdir().unwrap();
    let (said, facts) = doctor(&[("OCL_ICD_VENDORS", empty.path())]);
    let opencl = &facts["opencl"];
    assert_eq!(said.code, Some(0), "the processor is left: {}", said.out);
    assert_eq!(opencl["state"], "absent", "{opencl}");
    assert_eq!(opencl["platforms"], Value::Array(Vec::new()));
    assert!(opencl["error"].is_string(), "{opencl}");
    if cfg!(target_os = "linux") {
        assert_eq!(opencl["drivers"]["variable"], "OCL_ICD_VENDORS");
        assert!(said.out.contains("as OCL_ICD_VENDORS says: 0 drivers"), "{}", said.out);
    }
    let has_library =
        opencl["tried"].as_array().unwrap().iter().any(|tried| tried["error"].is_null());
    if has_library {
        assert_eq!(opencl["fix"], "unset OCL_ICD_VENDORS");
        assert!(said.out.contains("to have it      unset OCL_ICD_VENDORS"), "{}", said.out);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_that_cannot_be_opened_is_named_with_what_the_system_says() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["libOpenCL.so.1", "libOpenCL.so"] {
        std::fs::write(dir.path().join(name), "this is no library of any system, but some text")
            .unwrap();
    }
    let (said, facts) = doctor(&[("LD_LIBRARY_PATH", dir.path())]);
    let opencl = &facts["opencl"];
    assert_eq!(
        (&opencl["state"], &opencl["library"]),
        (&"absent".into(), &Value::Null),
        "{opencl}"
    );
    let tried = opencl["tried"].as_array().unwrap();
    let names: Vec<&Value> = tried.iter().map(|tried| &tried["name"]).collect();
    assert_eq!(names, ["libOpenCL.so.1", "libOpenCL.so"]);
    assert!(tried.iter().all(|tried| tried["error"].is_string()), "{tried:?}");
    if Path::new("/etc/debian_version").exists() {
        let fix = "apt-get install ocl-icd-libopencl1 pocl-opencl-icd";
        assert_eq!(opencl["fix"], fix);
        assert!(said.out.contains(&format!("to have it      {fix}")), "{}", said.out);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_driver_whose_library_is_gone_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gone.icd");
    std::fs::write(&file, "/nowhere/libgone.so\n").unwrap();
    let (said, facts) = doctor(&[("OCL_ICD_VENDORS", dir.path())]);
    assert_eq!(facts["opencl"]["state"], "wrong");
    let icd = &facts["opencl"]["drivers"]["files"][0];
    assert_eq!(
        (&icd["library"], &icd["error"]),
        (&Value::from("/nowhere/libgone.so"), &Value::from("there is no such file"),)
    );
    assert_eq!(facts["opencl"]["fix"], format!("rm {}", file.display()));
    assert!(said.out.contains("!!  OpenCL") && said.out.contains("gone.icd"), "{}", said.out);
}

#[test]
fn variables_are_shown_with_what_is_wrong_with_them() {
    let set = [("FLASH_ISA", "mmx"), ("FLASH_TREADS", "3"), ("FLASH_SPIN", "25")];
    let (said, facts) = doctor(&set.map(|(name, value)| (name, Path::new(value))));
    assert_eq!(said.code, Some(1), "no runtime opens: {}", said.out);
    let variables = facts["environment"]["variables"].as_array().unwrap();
    assert_eq!(variables.len(), 3);
    assert!(variables[0]["error"].as_str().unwrap().contains("`avx2`"), "{variables:?}");
    assert_eq!((&variables[1]["value"], &variables[1]["error"]), (&"25".into(), &Value::Null));
    assert_eq!(variables[2]["meant"], "FLASH_THREADS");
    let fix = facts["environment"]["fix"].as_str().unwrap();
    assert!(fix.contains("unset FLASH_ISA") && fix.contains("export FLASH_THREADS="), "{fix}");
    assert!(
        said.out.contains("FLASH_TREADS    has no effect; is it FLASH_THREADS?"),
        "{}",
        said.out
    );
    assert_eq!(facts["cpu"]["state"], "ok", "it is looked at without what is wrong");
}

#[test]
fn no_device_is_exit_code_1() {
    let (said, facts) = doctor(&[("FLASH_DEVICES", Path::new("NVIDIA_GPU"))]);
    assert_eq!(said.code, Some(1));
    assert_eq!(facts["devices"]["fix"], "unset FLASH_DEVICES");
    assert!(said.out.contains("no device answers to `NVIDIA_GPU`"), "{}", said.out);
}

#[test]
fn a_cache_that_cannot_be_written_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let (_, facts) = doctor(&[("FLASH_CACHE_DIR", &dir.path().join("to be made"))]);
    let cache = &facts["cache"];
    assert_eq!((&cache["state"], &cache["programs"]), (&"ok".into(), &0.into()), "{cache}");
    assert!(!dir.path().join("to be made").exists(), "nothing is made");
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let (said, facts) = doctor(&[("FLASH_CACHE_DIR", &file)]);
    assert_eq!((&facts["cache"]["state"], said.code), (&"wrong".into(), Some(0)), "{}", said.out);
    let (_, facts) = doctor(&[("FLASH_CACHE", Path::new("off"))]);
    assert_eq!(facts["cache"]["fix"], "unset FLASH_CACHE");
}

/// What it tells a user to run asks for a flag, and does nothing without it.
#[test]
fn scripts_install_nothing_without_the_flag_that_accepts_a_licence() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("scripts");
    for (script, flag) in
        [("fpga-emulator", "--accept-intel-eula"), ("nvrtc", "--accept-nvidia-eula")]
    {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("folder");
        for others in [&[][..], &["--accept"], &["--accept-intel", "--accept-nvidia"]] {
            let run = std::process::Command::new("bash")
                .arg(scripts.join(script))
                .args(others)
                .arg(&folder)
                .env("HOME", home.path())
                .output()
                .expect("a shell");
            let said = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(2), "{script} {others:?}: {said}");
            assert!(said.contains(flag), "{script} {others:?}: {said}");
            assert_eq!(home.path().read_dir().expect("it is there").count(), 0, "{script}");
        }
    }
}
