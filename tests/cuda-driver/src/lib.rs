//! A CUDA driver that runs on the host, for tests of what talks to one. Kernels are PTX, which is
//! interpreted; machine code is not run, but as PTX with the same kernels where a test asks for that (`code`).
//!
//! The shared library has the functions of `libcuda.so.1` that programs call; this crate as a Rust
//! library has [`TestDriver`], which loads it before anybody looks for the real one:
//!
//! ```no_run
//! let driver = flash_test_cuda::TestDriver::load("devices=2,memory=64M")?;
//! driver.fail("cuMemAlloc", 3, flash_test_cuda::Code::OUT_OF_MEMORY);
//! // .. what is under test finds two devices, and the third allocation fails ..
//! assert_eq!(driver.alive().allocations, 0);
//! # Ok::<(), String>(())
//! ```
//!
//! Settings, in text or in `FLASH_TEST_CUDA`: `devices` (0 to 8), `memory` and `pinned` in bytes or
//! with K, M or G, `version` (such as 12080), `capability` (such as 7.5, or 9.0/7.5 for each device),
//! `peers`, `pools`, `races`, `hazards`, `code` and `poison` (0 or 1), `multiprocessors`, `block` (the most threads of the one that
//! it calls the best for a kernel), `threads` of the host that run the blocks of a launch, `steps` of a launch
//! before it is given up, and `delay=kind:microseconds` for each
//! `kernel`, `up`, `down`, `across`, `fill`, `host`, `graph`, `free`, `wait` and `record`.
//!
//! With `races`, unordered accesses of shared memory fail a launch; with `hazards`, operations of
//! different streams that touch the same bytes of a device with nothing that orders them are listed
//! ([`TestDriver::hazards`]), whether or not it went well this time.
//!
//! What it holds programs to: a context must be current; errors of kernels stay until the context is
//! reset; memory of a device has addresses that fault on the host, is filled with `0xfe` and never has
//! the same address twice; copies to pageable memory wait, those from it read at once, and only pinned
//! ones are left to the stream; waits bind to the record before them; and what a capture forbids spoils
//! it. Addresses, handles and objects that are gone are noticed.
#![deny(unsafe_code)]

mod bytes;
mod capture;
mod clock;
mod codes;
mod context;
mod control;
mod copies;
mod driver;
mod entry;
mod event;
mod faults;
mod graph;
mod hazards;
mod health;
mod host;
mod image;
mod launch;
mod load;
mod locks;
mod log;
mod memory;
mod module;
mod settings;
mod stream;
mod table;
mod task;

pub use codes::Code;
pub use load::{Alive, Call, TestDriver};
