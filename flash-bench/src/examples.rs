//! The examples that are measured as whole programs, as modules, so that no kernel is there twice.
#![allow(dead_code, reason = "what an example does besides is not called here")]
#![allow(clippy::print_stdout, reason = "what examples print is not called here")]

#[path = "../../examples/16_attention.rs"]
pub(crate) mod attention;
#[path = "../../examples/05_black_scholes.rs"]
pub(crate) mod black_scholes;
#[path = "../../examples/14_convolution.rs"]
pub(crate) mod convolution;
#[path = "../../examples/15_dct.rs"]
pub(crate) mod dct;
#[path = "../../examples/18_diffusion.rs"]
pub(crate) mod diffusion;
#[path = "../../examples/19_euler/main.rs"]
pub(crate) mod euler;
#[path = "../../examples/12_hotspot.rs"]
pub(crate) mod hotspot;
#[path = "../../examples/03_mandelbrot.rs"]
pub(crate) mod mandelbrot;
#[path = "../../examples/17_matrix_power.rs"]
pub(crate) mod matrix_power;
#[allow(unsafe_code, reason = "the form in one launch reaches other bodies in `unsafe`")]
#[path = "../../examples/04_nbody.rs"]
pub(crate) mod nbody;
#[path = "../../examples/02_sobel_video.rs"]
pub(crate) mod video;
#[path = "../../examples/13_wave.rs"]
pub(crate) mod wave;
