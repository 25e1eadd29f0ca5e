//! Shows:  structures as elements, device functions, `flash::math`; slices as arguments.
//! Run:    cargo run --release --example 05_black_scholes
//! Prints: options per second, and a few prices beside those of the double precision formula.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::f32::consts::FRAC_1_SQRT_2;
use std::time::Instant;

use flash::prelude::*;
use flash_examples::{Mismatch, Options, Result, SplitMix64, erf};

/// A European option on a share.
#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
pub(crate) struct Contract {
    /// 0 for a call, 1 for a put.
    pub(crate) put: i32,
    pub(crate) strike: f32,
    pub(crate) spot: f32,
    /// Dividend yield of the share, per year.
    pub(crate) dividend: f32,
    /// Rate without risk, per year.
    pub(crate) rate: f32,
    /// Years to go.
    pub(crate) years: f32,
    pub(crate) volatility: f32,
    /// The price in the table the contract is from, 0 if it is from none.
    pub(crate) value: f32,
    /// How far off that price may be.
    pub(crate) tolerance: f32,
}

/// Distribution function of the normal distribution.
#[flash::device]
fn normal(x: f32) -> f32 {
    0.5 * (1.0 + math::erf(x * FRAC_1_SQRT_2))
}

/// The price by the formula of Black and Scholes.
#[flash::kernel(inputs = 1)]
pub(crate) fn price(contracts: &[Contract], #[out] prices: &mut [f32]) {
    let i = global_id(0);
    let c = contracts[i];
    let forward = c.spot * math::exp((c.rate - c.dividend) * c.years);
    let discount = math::exp(-c.rate * c.years);
    let deviation = c.volatility * math::sqrt(c.years);
    let d1 = math::ln(forward / c.strike) / deviation + 0.5 * deviation;
    let d2 = d1 - deviation;
    let side = if c.put == 0 { 1.0_f32 } else { -1.0_f32 };
    prices[i] = discount * side * (forward * normal(side * d1) - c.strike * normal(side * d2));
}

/// Runs the kernel on the caller's memory, which devices that share it use in place.
pub(crate) fn price_all(rt: &Runtime, contracts: &[Contract]) -> flash::Result<Vec<f32>> {
    let mut prices = vec![0.0; contracts.len()];
    rt.submit(price(contracts, &mut prices)).exec([contracts.len()])?;
    Ok(prices)
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let n = options.size.pick(500, 1_000_000, 50_000_000);
    let contracts = random_contracts(n, 7);
    let start = Instant::now();
    let prices = price_all(rt, &contracts)?;
    let seconds = start.elapsed().as_secs_f64();
    compare(&contracts, &prices)?;

    println!("{n} options: {:.1} million/s", n as f64 / seconds * 1e-6);
    for (contract, price) in contracts.iter().zip(&prices).take(3) {
        println!(
            "  {} at {:.2}, share at {:.2}: {price:.4} (double precision: {:.4})",
            if contract.put == 0 { "call" } else { "put " },
            contract.strike,
            contract.spot,
            formula(contract)
        );
    }
    println!("all within 1e-4 of the double precision formula");
    Ok(())
}

/// Contracts drawn from a seed, in the ranges that are traded.
pub(crate) fn random_contracts(n: usize, seed: u64) -> Vec<Contract> {
    let mut random = SplitMix64::new(seed);
    let contract = |_| Contract {
        put: random.below(2) as i32,
        strike: 50.0 + 100.0 * random.unit(),
        spot: 50.0 + 100.0 * random.unit(),
        dividend: 0.1 * random.unit(),
        rate: 0.1 * random.unit(),
        years: 0.05 + 2.0 * random.unit(),
        volatility: 0.1 + 0.4 * random.unit(),
        value: 0.0,
        tolerance: 1e-4,
    };
    (0..n).map(contract).collect()
}

/// Every price is within its tolerance of the formula in double precision.
pub(crate) fn compare(contracts: &[Contract], prices: &[f32]) -> Result<(), Mismatch> {
    if contracts.len() != prices.len() {
        return Err(Mismatch::new("number of prices", contracts.len(), prices.len()));
    }
    for (k, (contract, &price)) in contracts.iter().zip(prices).enumerate() {
        let expected = formula(contract);
        let close = (f64::from(price) - expected).abs() <= f64::from(contract.tolerance);
        if !close {
            return Err(Mismatch::new(&format!("price {k} of {contract:?}"), expected, price));
        }
    }
    Ok(())
}

/// The same formula in double precision, with an error function of its own.
pub(crate) fn formula(contract: &Contract) -> f64 {
    let Contract { strike, spot, dividend, rate, years, volatility, .. } = *contract;
    let [strike, spot, dividend] = [strike, spot, dividend].map(f64::from);
    let [rate, years, volatility] = [rate, years, volatility].map(f64::from);
    let forward = spot * ((rate - dividend) * years).exp();
    let discount = (-rate * years).exp();
    let deviation = volatility * years.sqrt();
    let d1 = (forward / strike).ln() / deviation + 0.5 * deviation;
    let d2 = d1 - deviation;
    if contract.put == 0 {
        discount * (forward * erf::normal(d1) - strike * erf::normal(d2))
    } else {
        discount * (strike * erf::normal(-d2) - forward * erf::normal(-d1))
    }
}
