//! Tests of native code and of bodies once more, with Oclgrind as the driver: kernels touch what is theirs, and
//! items do not race. It rounds quotients of `f32` in its own way, so those that compare some are not here.

use flash_tests::oclgrind;

/// Each is one that needs nothing else of the machine, nor threads that call the driver at once.
const TESTS: [&str; 42] = [
    "elements::scalars_are_values_and_elements",
    "elements::a_truth_is_a_byte",
    "elements::elements_of_16_bits_are_those_of_half",
    "elements::complex_numbers_are_vectors_of_two_or_structures",
    "elements::arrays_are_vectors_of_any_length",
    "elements::structures_are_laid_out_as_they_are_declared",
    "elements::a_body_moves_them_and_reads_their_parts",
    "typedefs::names_of_scalars_and_vectors_are_what_they_stand_for",
    "typedefs::a_structure_under_a_condition_is_what_the_compiler_takes",
    "faults::an_index_outside_is_the_first_one",
    "faults::an_index_below_zero_is_one_outside",
    "faults::indices_of_what_wraps_are_compared",
    "faults::a_division_by_zero_names_its_item",
    "facts::they_are_those_of_a_body",
    "facts::indices_of_a_part_are_those_of_the_whole",
    "facts::an_index_space_has_more_dimensions_than_a_grid",
    "facts::rows_of_a_table_are_its_items",
    "facts::groups_and_grids_are_those_asked_for",
    "groups::groups_and_grids_are_those_asked_for",
    "adopted::devices_of_a_context_share_its_memory",
    "calls::a_launch_that_the_driver_refuses_is_named",
    "calls::launches_that_are_the_same_are_one",
    "calls::parts_that_come_again_set_nothing_anew",
    "calls::phases_of_scattered_ids_that_come_again_are_one_call_each",
    "calls::phases_that_reduce_and_come_again_set_nothing_anew",
    "calls::phases_with_the_value_of_a_cell_that_come_again_set_nothing_anew",
    "driver::the_cpu_runs_what_a_device_cannot",
    "elsewhere::groups_that_a_kernel_does_not_take",
    "elsewhere::groups_that_share_more_than_there_is",
    "elsewhere::launches_that_come_again_are_refused",
    "kept::what_is_kept_is_not_compiled_again",
    "limits::arguments_are_no_larger_than_a_device_takes",
    "limits::groups_are_no_longer_than_a_device_takes",
    "limits::groups_that_are_chosen_are_no_longer_than_a_device_takes",
    "limits::reductions_take_work_groups_that_a_device_has",
    "limits::work_groups_are_no_larger_than_a_kernel_takes",
    "lines::a_mistake_in_an_emitted_text_is_in_the_rust_source",
    "native::items_are_those_asked_for",
    "native::a_structure_is_a_value",
    "native::groups_share_memory",
    "registered::what_is_registered_is_found",
    "wide::texts_are_wide_for_those_launches_that_need_it",
];

#[test]
fn kernels_touch_what_is_theirs() {
    oclgrind::clean(&TESTS);
}
