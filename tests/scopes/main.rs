//! What must compile, and run, in scopes where names are not what they seem.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]
#![allow(unreachable_pub, reason = "files are as a user would write them")]

mod called_names;
mod constant_field;
mod facade_elsewhere;
mod hostile_pipeline;
mod hostile_scope;

#[test]
fn called_functions_are_those_that_rust_would_find() {
    called_names::run().unwrap();
}

#[test]
fn fields_of_a_constant_structure_are_constants() {
    constant_field::run();
}

#[test]
fn the_facade_may_be_elsewhere() {
    facade_elsewhere::run();
}

#[test]
fn a_pipeline_neither_picks_up_nor_hides_names() {
    hostile_pipeline::run_all();
}

#[test]
fn expansions_pick_up_nothing_from_their_scope() {
    hostile_scope::run_all();
}
