//! Shows:  a layer of a neural network as one kernel: products and sums, scale, bias, rectifier.
//! Run:    cargo run --release --example 14_convolution
//! Prints: GFlop/s, after comparing with a plain loop.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::prelude::*;
use flash_examples::{Options, Result, SplitMix64, check};

/// A convolution whose window is one pixel: all channels of a pixel go in, and one comes out for
/// each column of the weights.
#[flash::kernel(part_by)]
pub(crate) fn convolution(
    image: View<'_, f32, 2>,
    weights: View<'_, f32, 2>,
    scale: &[f32],
    bias: &[f32],
    #[out] result: ViewMut<'_, f32, 2>,
) {
    let (pixel, channel) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for k in 0..image.extent(1) {
        sum += image[[pixel, k]] * weights[[k, channel]];
    }
    let value = scale[channel] * sum + bias[channel];
    result[[pixel, channel]] = if value > 0.0 { value } else { 0.0 };
}

/// A layer and what goes in: `[pixels, channels in, channels out]`.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) shape: [usize; 3],
    pub(crate) image: Vec<f32>,
    pub(crate) weights: Vec<f32>,
    pub(crate) scale: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Layer {
    /// Everything drawn from a seed, in the order of the fields.
    pub(crate) fn random(shape @ [pixels, inputs, outputs]: [usize; 3], seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let image = (0..pixels * inputs).map(|_| random.signed()).collect();
        let weights = (0..inputs * outputs).map(|_| random.signed()).collect();
        let scale = (0..outputs).map(|_| random.unit()).collect();
        let bias = (0..outputs).map(|_| random.signed()).collect();
        Self { shape, image, weights, scale, bias }
    }
}

/// What comes out.
pub(crate) fn apply(rt: &Runtime, layer: &Layer) -> flash::Result<Vec<f32>> {
    let [pixels, inputs, outputs] = layer.shape;
    let image = Buffer::from_shape([pixels, inputs], layer.image.clone())?;
    let weights = Buffer::from_shape([inputs, outputs], layer.weights.clone())?;
    let (scale, bias) = (&layer.scale, &layer.bias);
    let mut result = Buffer::zeros([pixels, outputs]);
    rt.submit(convolution(&image, &weights, scale, bias, &mut result)).exec(result.space())?;
    result.to_vec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let shape = options.size.pick([9, 21, 14], [28 * 28, 512, 128], [14 * 14, 512, 128]);
    let layer = Layer::random(shape, 14);
    let start = Instant::now();
    let result = apply(rt, &layer)?;
    let seconds = start.elapsed().as_secs_f64();
    compare(&layer, &result)?;

    let [pixels, inputs, outputs] = shape;
    let rate = 2e-9 * (pixels * inputs * outputs) as f64 / seconds;
    let silent = result.iter().filter(|&&value| value == 0.0).count();
    println!("{pixels} pixels, {inputs} to {outputs} channels: {rate:.1} GFlop/s");
    println!(
        "{silent} of {} values are zero; all equal to a plain loop, bit for bit",
        result.len()
    );
    Ok(())
}

/// Computes the layer again, sequentially; sums run over the same index in the same order.
pub(crate) fn compare(layer: &Layer, result: &[f32]) -> Result {
    let [pixels, inputs, outputs] = layer.shape;
    let mut expected = vec![0.0_f32; pixels * outputs];
    for (pixel, expected) in layer.image.chunks(inputs).zip(expected.chunks_mut(outputs)) {
        for (value, weights) in pixel.iter().zip(layer.weights.chunks(outputs)) {
            for (sum, weight) in expected.iter_mut().zip(weights) {
                *sum += value * weight;
            }
        }
        for ((sum, scale), bias) in expected.iter_mut().zip(&layer.scale).zip(&layer.bias) {
            *sum = (scale * *sum + bias).max(0.0);
        }
    }
    Ok(check::equal("channels", result, &expected)?)
}
