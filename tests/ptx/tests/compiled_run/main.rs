//! The same kernels as NVRTC compiles them now, for several architectures, and without optimisation.
//! Where there is no NVRTC it is those that are kept; what includes headers is so anyway.

#[path = "../kernels_run/basic.rs"]
mod basic;
#[path = "../kernels_run/language.rs"]
mod language;
#[path = "../kernels_run/numbers.rs"]
mod numbers;
#[allow(dead_code, unreachable_pub, reason = "other tests use the rest")]
#[path = "../../../shared/nvrtc.rs"]
mod nvrtc;
#[allow(unreachable_pub, reason = "other tests use it from outside")]
#[path = "../../../shared/required.rs"]
mod required;
#[path = "../kernels_run/support.rs"]
mod support;

use std::cell::Cell;

use required::required;

thread_local! {
    /// What the kernels of this test are compiled for, and how.
    static HOW: Cell<(&'static str, &'static [&'static str])> = const { Cell::new(("compute_90", &[])) };
}

/// The PTX of a file of `tests/kernels`.
fn text(name: &str) -> String {
    let kept = || support::read(&format!("{name}.ptx"));
    let source = support::read(&format!("{name}.cu"));
    let (architecture, options) = HOW.get();
    match nvrtc::nvrtc() {
        Some(nvrtc) if !source.contains("#include") => {
            let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
            let compiled = nvrtc.compile(&source, &options, architecture);
            compiled.unwrap_or_else(|error| panic!("{name}: {error}")).ptx
        }
        _ => kept(),
    }
}

/// Everything but what needs its own options.
const ALL: &[fn()] = &[
    basic::saxpy_leaves_what_is_behind_the_end,
    basic::lanes_and_warps_add_up,
    basic::tiles_of_matrices_are_multiplied,
    basic::bytes_are_counted_in_dynamic_shared_memory,
    language::structures_go_by_value_and_functions_are_called,
    language::variables_hold_addresses_of_others,
    language::functions_are_called_by_address,
    language::ways_part_and_meet_again,
    language::threads_have_arrays_of_their_own,
    language::vectors_are_loaded_and_stored,
    language::a_trap_says_where,
    language::lanes_vote,
    language::a_lock_goes_round,
    numbers::singles_are_rounded_once,
    numbers::functions_of_singles_are_near,
    numbers::doubles_are_rounded_once_and_functions_near,
    numbers::integers_of_all_widths,
    numbers::atomic_operations_meet,
];

fn all(architecture: &'static str, options: &'static [&'static str]) {
    HOW.set((architecture, options));
    ALL.iter().for_each(|test| test());
}

#[test]
fn for_a_later_architecture() {
    all("compute_100", &["--generate-line-info"]);
}

#[test]
fn for_an_earlier_architecture() {
    all("compute_80", &[]);
}

#[test]
fn without_optimisation() {
    all("compute_90", &["--device-debug"]);
}
