//! The CUDA backend of FLASH: every NVIDIA device of the machine, through a driver that is loaded at run
//! time.
//!
//! Internal crate: users reach it through a runtime. It needs no CUDA to be built, and where there is no
//! driver it has no devices.
#![deny(unsafe_code)]

mod cu;
