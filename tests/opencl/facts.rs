//! What a kernel in OpenCL C that takes `FLASH_BLOCK` knows of its items.

use flash::prelude::*;
use flash_tests::opencl;

#[path = "../shared/facts.rs"]
mod known;
#[path = "../shared/tables.rs"]
mod tables;

#[test]
fn they_are_those_of_a_body() {
    let Some(rt) = opencl() else { return };
    known::are_those_of_a_body(&rt, 40, &known::ALL);
}

#[test]
fn indices_of_a_part_are_those_of_the_whole() {
    let Some(rt) = opencl() else { return };
    for parts in [1, 3, 7] {
        known::are_those_of_the_whole(&rt, parts);
    }
}

#[test]
fn an_index_space_has_more_dimensions_than_a_grid() {
    let Some(rt) = opencl() else { return };
    known::are_of_any_rank(&rt);
}

#[test]
fn rows_of_a_table_are_its_items() {
    let Some(rt) = opencl() else { return };
    tables::are_those_of_a_table(&rt);
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/facts.cl")))]
fn sizes(#[out] x: &mut [u32]);

#[test]
fn groups_and_grids_are_those_asked_for() {
    let Some(rt) = opencl() else { return };
    let mut x = Buffer::<u32>::zeros(100);
    rt.submit(sizes(&mut x).grid([5]).block([32])).exec([100]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [5_032; 100]);
    rt.submit(sizes(&mut x).block([16])).exec([100]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [7_016; 100]);
}
