//! Kernels in CUDA C++, as NVRTC 13.0 has compiled them, find what a plain loop finds.

mod basic;
mod faults;
mod instructions;
mod language;
mod numbers;
mod support;
mod waiting;

/// The PTX of a file of `tests/kernels`, as it is kept there.
fn text(name: &str) -> String {
    support::read(&format!("{name}.ptx"))
}
