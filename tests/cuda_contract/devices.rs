//! Devices: how many there are, what is said of them, why there are none.

use flash_cuda::{Cuda, report};
use flash_rt::Options;
use flash_rt::backend::Backend;
use flash_rt::descriptor::Need;
use flash_test_cuda::Code;

use crate::driver;

fn devices() -> Vec<flash_rt::backend::DeviceInfo> {
    Cuda::new(&Options::default()).devices()
}

#[test]
fn devices_say_what_they_can_do() {
    let _driver = driver("devices=3,memory=64M,capability=9.0/5.2");
    let all = devices();
    let names: std::collections::BTreeSet<&str> = all.iter().map(|device| &*device.name).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for device in &all {
        assert!(device.accelerator && !device.host_memory && !device.duplicate);
        assert_eq!(device.memory, Some(64 << 20));
        assert!(device.queues > 1 && device.lanes > 32);
        assert!(device.groups.is_some_and(|groups| groups.items >= 256));
        assert!(device.capabilities.has(Need::Atomics64));
    }
    assert!(all[0].capabilities.has(Need::F16) && !all[1].capabilities.has(Need::F16));
    let report = report::report();
    assert_eq!((report.driver.as_deref(), report.devices.len()), (Some("13.0"), 3));
    assert_eq!(report.devices[0].architecture, "sm_90");
    assert!(report.said.is_none());
}

#[test]
fn a_driver_without_devices_says_so() {
    let _driver = driver("devices=0");
    assert!(devices().is_empty());
    let said = report::report().said.unwrap();
    assert!(said.contains("shows no device") || said.contains("NO_DEVICE"), "{said}");
}

#[test]
fn a_driver_that_refuses_is_a_reason_and_no_end() {
    let driver = driver("devices=1");
    driver.fail("cuDeviceGetCount", 1, Code(999));
    assert!(devices().is_empty());
    assert_eq!(devices().len(), 1, "it refused once");
    driver.fail("cuDeviceTotalMem", 1, Code(101));
    let report = report::report();
    assert!(report.devices.is_empty() && report.left_out.len() == 1, "{report:?}");
    assert!(report.left_out[0].1.contains("cuDeviceTotalMem_v2"), "{report:?}");
}

#[test]
fn devices_that_nobody_uses_have_no_context() {
    let driver = driver("devices=2");
    let all = devices();
    assert_eq!((all.len(), driver.alive().contexts), (2, 0));
}
