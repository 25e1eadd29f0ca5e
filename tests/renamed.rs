//! A crate that renames its dependency on us builds with `crate = path`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const MANIFEST: &str = r#"
[package]
name = "renames-us"
edition = "2024"
version = "0.0.0"

[workspace]

[dependencies]
lightning = { package = "flash-hpc", path = "FLASH" }
"#;

const SOURCE: &str = r#"
#![deny(warnings)]
#![forbid(unsafe_code)]

use lightning::prelude::*;

#[lightning::device(crate = ::lightning)]
fn twice(x: f32) -> f32 {
    2.0 * x
}

#[lightning::kernel(crate = ::lightning, T = [f32, f64])]
fn scale<T>(a: T, x: &[T], #[out] y: &mut [T]) {
    let i = global_id(0);
    y[i] = a * x[i];
}

#[lightning::kernel(crate = lightning)]
fn double(x: View<'_, f32, 2>, y: ViewMut<'_, f32, 2>, #[reduce(+)] s: &mut f32) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = twice(x[[j, i]]) + math::exp(x[[j, i]]);
    *s += x[[j, i]];
}

#[derive(Clone, Copy, lightning::Pod)]
#[flash(crate = ::lightning)]
#[repr(C)]
struct Cell {
    rho: f32,
}

#[lightning::host_task(crate = ::lightning)]
fn look(cells: &[Cell], n: &std::sync::atomic::AtomicUsize, step: usize) {
    n.fetch_add(cells.len() + step, std::sync::atomic::Ordering::Relaxed);
}

fn main() -> lightning::Result<()> {
    let rt = Runtime::new()?;
    let x = Buffer::from(vec![1.0_f32; 64]);
    let mut y = Buffer::from(vec![0.0_f32; 64]);
    let cells = Buffer::from(vec![Cell { rho: 1.0 }]);
    let m = Buffer::<f32, 2>::zeros([8, 8]);
    let mut w = Buffer::<f32, 2>::zeros([8, 8]);
    let mut s = Var::new(0.0_f32);
    let n = std::sync::atomic::AtomicUsize::new(0);
    flash_pipeline! { crate = lightning; in rt;
        for step in 0..3 {
            scale(step as f32, &x, &mut y)[64];
            look(&cells, &n, step);
        }
        double(&m, &mut w, &mut s)[8, 8];
    }
    .exec()
    .map(drop)
}
"#;

#[test]
fn a_crate_that_renames_us_builds() {
    let flash = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("renamed");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = MANIFEST.replace("FLASH", &flash.display().to_string().replace('\\', "/"));
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    fs::write(folder.join("src/main.rs"), SOURCE).expect("a source");
    // The same versions as here, so that nothing is fetched.
    fs::copy(flash.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args(["check", "--offline", "--quiet"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .expect("cargo runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}
