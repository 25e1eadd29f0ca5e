//! Called functions under every name that Rust would find them by, beside macros of the same
//! name, with the same result on the processor and interpreted.
pub(crate) mod shapes {
    #[flash::device]
    pub fn half(x: f32) -> f32 {
        0.5 * x
    }

    pub mod inner {
        pub use super::half as part;
    }
}

mod math_by_name {
    use flash::math as m;
    use flash::math::*;

    #[flash::kernel]
    pub fn bare(x: &[f32], y: &mut [f32]) {
        let i = global_id(0);
        y[i] = sqrt(max(x[i], 4.0)) + m::abs(x[i]) + powi(x[i], 2);
    }
}

/// The name of a macro of std.
#[flash::device]
fn vec(x: f32) -> f32 {
    x + 1.0
}

/// The name of a function of `flash::math`, which does something else.
#[flash::device]
fn exp(x: f32) -> f32 {
    x + 4.0
}

use shapes::inner::part;

#[flash::kernel]
fn all(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = vec(x[i])
        + exp(x[i])
        + part(x[i])
        + shapes::half(x[i])
        + self::shapes::inner::part(x[i])
        + crate::called_names::shapes::half(x[i]);
}

pub(crate) fn run() -> flash::Result<()> {
    #[flash::device]
    fn within(x: f32) -> f32 {
        3.0 * x
    }

    #[flash::kernel]
    fn here(x: &[f32], y: &mut [f32]) {
        let i = global_id(0);
        y[i] = within(x[i]);
    }

    for devices in ["ALL_CPU", "SIM"] {
        let rt = flash::Runtime::open(devices)?;
        let x = flash::Buffer::from(vec![9.0_f32; 3]);
        let mut y = flash::Buffer::from(vec![0.0_f32; 3]);
        rt.submit(math_by_name::bare(&x, &mut y)).exec([3])?;
        assert_eq!(y.get(1)?, 3.0 + 9.0 + 81.0);
        rt.submit(all(&x, &mut y)).exec([3])?;
        assert_eq!(y.get(1)?, 10.0 + 13.0 + 4.0 * 4.5);
        rt.submit(here(&x, &mut y)).exec([3])?;
        assert_eq!(y.get(1)?, 27.0);
    }
    Ok(())
}
