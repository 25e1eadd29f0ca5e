//! Kernels in CUDA C++, as NVRTC 13.0 has compiled them, find what a plain loop finds.

mod basic;
mod language;
mod support;
