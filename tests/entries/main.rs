//! The CPU entries of every form of kernel, against plain loops: all instruction sets, whole spaces
//! and blocks, in and out of range.

mod abreast;
mod by_macro;
mod edges;
mod forms;
mod harness;
mod phases;
mod raw;
mod reductions;
mod sides;
mod sweeps;
mod ways;
