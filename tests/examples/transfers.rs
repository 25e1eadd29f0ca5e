//! The transfers that `faults` leaves out are all there are: for each array that a kernel is given,
//! whether a run without the copy of it, to the device or back, moves less. A workload runs in a process
//! of its own for each of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use flash_rt::descriptor::Role;
use flash_rt::witness::watch;

use super::faults::{CASES, run_again};
use super::*;

/// Brought to a device, as their kernel need not write all of them, although nothing reads what it does
/// not: nobody can notice that they are left out.
const REDUNDANT: &[&str] =
    &["accelerate.acceleration", "in_stages.acceleration", "heat_in_stages.next", "across.result"];

/// Runs a workload on one device; prints what was moved, and what its kernels are given.
fn tell(workload: fn(&Runtime) -> flash_examples::Result) {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().expect("it is always there");
    let (result, watched) = watch(|| workload(&rt));
    let counts = sim.counts();
    println!(
        "\nmoved {:?}",
        [counts.uploads, counts.uploaded, counts.downloads, counts.downloaded]
    );
    for kernel in watched.kernels {
        for param in kernel.params {
            let kind = match param.role {
                Role::Value | Role::Scratch(_) => continue,
                Role::Reduce { .. } => "reduced",
                role if role.writes() => "written",
                _ => "read",
            };
            println!("{kind} {}.{}", kernel.name, param.name);
        }
    }
    match std::env::var_os("FLASH_SABOTAGE") {
        Some(_) => println!("found {}", if result.is_ok() { "right" } else { "wrong" }),
        None => succeed(result),
    }
}

/// What a line of a workload that was run again says after a word.
fn said<'t>(printed: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    printed.lines().filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
}

fn check(name: &str) {
    let case = &CASES.iter().find(|(case, _)| *case == name).expect("it is in the list").1;
    let test = format!("transfers::tells::{name}");
    let (passed, printed) = run_again(&test, None);
    assert!(passed, "{printed}");
    let moved = said(&printed, "moved").next().expect("it says what was moved");
    let without =
        |way: &str, param: &str| run_again(&test, Some(&format!("stale:{way}:{param}"))).1;
    let matters =
        |way: &str, param: &str| said(&without(way, param), "moved").next() != Some(moved);
    let of = |kind| said(&printed, kind);
    let kernels: BTreeSet<&str> = ["read", "written", "reduced"]
        .into_iter()
        .flat_map(of)
        .filter_map(|p| p.split('.').next())
        .collect();
    assert_eq!(kernels, case.kernels.iter().copied().collect());

    let up = of("read").chain(of("written")).filter(|param| matters("up", param));
    let (redundant, up): (BTreeSet<_>, BTreeSet<_>) =
        up.partition(|param| REDUNDANT.contains(param));
    assert_eq!(up, case.up.iter().copied().collect(), "to the device");
    for param in redundant {
        assert_eq!(said(&without("up", param), "found").next(), Some("right"), "{param}");
    }
    // What is reduced is no copy: it comes with the end of the launch.
    let down = of("written").filter(|param| matters("down", param)).chain(of("reduced"));
    assert_eq!(down.collect::<BTreeSet<_>>(), case.down.iter().copied().collect(), "and back");
}

macro_rules! transfers {
    ($($name:ident),* $(,)?) => {
        mod tells {
            $(#[test]
            fn $name() {
                super::tell(super::small::$name);
            })*
        }

        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*
    };
}

portable_examples!(transfers);
