//! The examples on CUDA devices, which run what NVRTC made of their bodies. On those of the driver for tests
//! how long anything takes says nothing.

use flash_tests::cuda::{assert_orderly, devices_with};

use crate::{small, succeed};

/// One device, two that do not reach each other's memory, and three whose memory is small.
const SETTINGS: [&str; 3] =
    ["devices=1,hazards=1", "devices=2,peers=0,hazards=1", "devices=3,memory=16M,hazards=1"];

/// An example under both policies, on these devices.
macro_rules! on_devices {
    ($($name:ident,)*) => {
        $(
            #[test]
            fn $name() {
                for settings in SETTINGS {
                    for sync in [true, false] {
                        let Some(cuda) = devices_with(settings, |builder| builder.sync(sync)) else { return };
                        succeed(small::$name(&cuda.rt));
                        assert_orderly(cuda.driver.as_ref());
                    }
                }
            }
        )*
    };
}

portable_examples!(on_devices);
