//! The examples on CUDA devices, which run what NVRTC made of their bodies. On those of the driver for tests
//! how long anything takes says nothing.

use flash_tests::cuda::devices_with;

use crate::{small, succeed};

/// An example under both policies, on one device, on two that do not reach each other's memory and on three whose
/// memory is small.
macro_rules! on_devices {
    ($($name:ident,)*) => {
        $(
            #[test]
            fn $name() {
                for settings in ["devices=1", "devices=2,peers=0", "devices=3,memory=16M"] {
                    for sync in [true, false] {
                        let Some(cuda) = devices_with(settings, |builder| builder.sync(sync)) else { return };
                        succeed(small::$name(&cuda.rt));
                    }
                }
            }
        )*
    };
}

portable_examples!(on_devices);
