//! The table of enabled backends. A new backend is one line here and one feature.

use flash_rt::registry::{Backends, Registration};

/// The backends of this build, in the order of preference.
#[derive(Clone, Copy, Debug)]
pub struct Enabled;

impl Backends for Enabled {
    fn list() -> Vec<Registration> {
        vec![
            #[cfg(feature = "cpu")]
            flash_cpu::CpuBackend::registration(),
            #[cfg(feature = "cuda")]
            flash_cuda::Cuda::registration(),
            #[cfg(feature = "ocl")]
            flash_ocl::OpenCl::registration(),
            #[cfg(feature = "ocl")]
            flash_ocl::OpenCl::fpga_registration(),
        ]
    }
}
