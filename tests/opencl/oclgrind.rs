//! Tests of native code and of bodies once more, with Oclgrind as the driver: kernels touch what is theirs, and
//! items do not race. It rounds quotients of `f32` in its own way, so those that compare some are not here.

use flash_tests::oclgrind;

/// Each is one that needs nothing else of the machine.
const TESTS: [&str; 22] = [
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
    "native::items_are_those_asked_for",
    "native::a_structure_is_a_value",
    "native::groups_share_memory",
];

#[test]
fn kernels_touch_what_is_theirs() {
    oclgrind::clean(&TESTS);
}
