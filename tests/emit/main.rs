//! Kernels as text for compilers of devices: what they look like. That they mean what the interpreter
//! says is tested where there is a device.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod cuda;
#[allow(
    clippy::assign_op_pattern,
    clippy::erasing_op,
    clippy::manual_range_contains,
    reason = "kernels are written as users may write them"
)]
mod kernels;
mod lines;
mod oclgrind;
mod random;

use flash_ir::emit::{self, Emitted, Options, TableIds, Word};
use flash_rt::KernelDescriptor;

/// What may be relied on where nothing is known.
fn nothing_known() -> Options {
    Options::default()
}

/// Where everything was proved: all accesses in range, arrays dense.
fn all_known() -> Options {
    Options { inside: vec![true; 64], unit_stride: vec![true; 16], ..Options::default() }
}

fn emitted(kernel: &KernelDescriptor, options: &Options) -> Emitted {
    let typed = flash_ir::resolve::kernel(kernel.ir.unwrap()).unwrap();
    emit::opencl(&typed, options).unwrap()
}

/// The text without the functions that are the same for all kernels.
fn without_the_same(text: &str) -> String {
    let fixed = ["FLASH_FN", "flash_wide", "flash_missed(volatile", "flash_fault(volatile"];
    let parts = text.split("\n\n");
    let parts: Vec<&str> = parts.filter(|part| !fixed.iter().any(|f| part.contains(f))).collect();
    parts.join("\n\n")
}

/// The text that is this kernel's own, and what is known of it.
fn shown(kernel: &KernelDescriptor, options: &Options) -> String {
    let emitted = emitted(kernel, options);
    let Emitted { may_fail, has_f64, has_atomics64, is_fast, .. } = &emitted;
    format!(
        "{}\n// may_fail {may_fail}, has_f64 {has_f64}, has_atomics64 {has_atomics64}, is_fast {is_fast}",
        without_the_same(&emitted.text),
    )
}

macro_rules! shows {
    ($($test:ident: $kernel:ident with $options:expr;)*) => {
        $(#[test]
        fn $test() {
            insta::assert_snapshot!(shown(kernels::$kernel::DESCRIPTOR, &$options));
        })*
    };
}

shows! {
    an_element_is_read_and_written: saxpy with all_known();
    indices_are_compared_where_nothing_is_known: saxpy with nothing_known();
    guards_stay_lazy: stencil with nothing_known();
    lanes_are_combined_in_a_tree: dot with all_known();
    blocks_come_from_a_table: dot with Options { table: Some(TableIds::U64), wide: true, ..all_known() };
    floats_are_added_by_exchange: histogram with nothing_known();
    structures_are_values: drift with all_known();
    functions_end_items: called with all_known();
    a_matrix_product_is_three_loops: product with Options { wide: true, ..all_known() };
    conversions_are_those_of_rust: casts with all_known();
    small_arrays_are_values: windows with all_known();
    what_ends_an_item_overtakes_nothing: faults with nothing_known();
    unsafe_accesses_are_trusted: scatter with nothing_known();
    unsafe_accesses_are_checked_on_demand: scatter with Options { check_all: true, ..nothing_known() };
    further_dimensions_are_folded: deep with nothing_known();
    ids_come_from_a_table: deep with Options { table: Some(TableIds::U32), ..all_known() };
    phases_have_numbers: turns with all_known();
    fast_math_fuses: fused with all_known();
    loops_count_without_overflow: counted with all_known();
    complex_numbers_are_structures: turned with all_known();
    names_of_the_language_are_left_to_it: length with all_known();
}

#[test]
fn words_are_those_that_are_read() {
    let words = emitted(kernels::saxpy::DESCRIPTOR, &all_known()).words;
    let want = [Word::Value(0, 0), Word::Shift(1), Word::Shift(2), Word::Lo(0), Word::Count(0)];
    assert_eq!(words, want);
    let words = emitted(kernels::drift::DESCRIPTOR, &all_known()).words;
    assert_eq!(words[..2], [Word::Value(0, 0), Word::Value(0, 1)]);
}

#[test]
fn what_cannot_fail_takes_no_record() {
    assert!(!emitted(kernels::saxpy::DESCRIPTOR, &all_known()).may_fail);
    assert!(emitted(kernels::saxpy::DESCRIPTOR, &nothing_known()).may_fail);
    assert!(emitted(kernels::faults::DESCRIPTOR, &all_known()).may_fail);
}

#[test]
fn divisions_of_floats_are_told_from_others() {
    for (kernel, divides) in [
        (kernels::saxpy::DESCRIPTOR, false),
        (kernels::called::DESCRIPTOR, false),
        (kernels::turns::DESCRIPTOR, false),
        (kernels::fused::DESCRIPTOR, true),
        (kernels::ratio::DESCRIPTOR, true),
        (kernels::tangent::DESCRIPTOR, true),
    ] {
        assert_eq!(emitted(kernel, &nothing_known()).divides_f32, divides, "{}", kernel.name);
    }
}

#[test]
fn the_same_kernel_is_the_same_text() {
    let all = [kernels::dot::DESCRIPTOR, kernels::drift::DESCRIPTOR, kernels::counted::DESCRIPTOR];
    for kernel in all {
        assert_eq!(emitted(kernel, &nothing_known()), emitted(kernel, &nothing_known()));
    }
}
