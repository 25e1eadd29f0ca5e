//! The examples on CUDA devices: those of the driver for tests, which runs what NVRTC made of their bodies.
//! How long anything takes there says nothing.

use flash_tests::cuda::built;

use crate::{small, succeed};

/// An example under both policies, on one device and on three whose memory is small.
macro_rules! on_devices {
    ($($name:ident,)*) => {
        $(
            #[test]
            fn $name() {
                for settings in ["devices=1", "devices=3,memory=16M"] {
                    for sync in [true, false] {
                        let Some(cuda) = built(settings, |builder| builder.sync(sync)) else { return };
                        succeed(small::$name(&cuda.rt));
                    }
                }
            }
        )*
    };
}

portable_examples!(on_devices);
