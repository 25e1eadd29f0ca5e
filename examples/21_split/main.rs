//! Shows:  launches that are split over a processor and two devices of unlike speed: the kernels of
//!         other examples, with `part_by` and nothing else; a product of matrices in blocks of two
//!         dimensions, which the devices take in turn.
//! Run:    cargo run --release --example 21_split
//! Prints: the share of each device and what was copied to it and from it, after comparing every bit
//!         with the processor alone; why the shares are what they are; leaves out/split.png.
#![allow(dead_code, reason = "the other examples do more than is shown here")]

#[path = "../14_convolution.rs"]
mod convolution;
#[path = "../12_hotspot.rs"]
mod hotspot;
#[path = "../03_mandelbrot.rs"]
mod mandelbrot;
#[path = "../08_matrix_product.rs"]
mod matrix_product;
mod split;
#[path = "../13_wave.rs"]
mod wave;

fn main() -> std::process::ExitCode {
    flash_examples::run(split::run)
}
