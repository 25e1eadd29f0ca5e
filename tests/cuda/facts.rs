//! What a kernel in CUDA C that takes `FLASH_BLOCK` knows of its items.

use flash::prelude::*;
use flash_tests::cuda::devices;

#[path = "../shared/items.rs"]
mod items;
#[path = "../shared/facts.rs"]
mod known;
#[path = "../shared/tables.rs"]
mod tables;

use items::{all_items_run_once, numbered};

#[test]
fn they_are_those_of_a_body() {
    let Some(test) = devices("devices=2") else { return };
    known::are_those_of_a_body(&test.rt, 40, &known::ALL);
}

#[test]
fn indices_of_a_part_are_those_of_the_whole() {
    for (there, parts) in [("devices=1", 1), ("devices=3", 3), ("devices=2", 7)] {
        let Some(test) = devices(there) else { return };
        known::are_those_of_the_whole(&test.rt, parts);
    }
}

#[test]
fn an_index_space_has_more_dimensions_than_a_grid() {
    let Some(test) = devices("devices=1") else { return };
    known::are_of_any_rank(&test.rt);
}

#[test]
fn rows_of_a_table_are_its_items() {
    let Some(test) = devices("devices=1") else { return };
    tables::are_those_of_a_table(&test.rt);
}

#[flash::kernel(unsafe(cuda(file = "cuda/kernels/facts.cu")))]
fn threads(#[out] x: &mut [u32]);

#[test]
fn blocks_and_grids_are_those_asked_for() {
    let Some(test) = devices("devices=1") else { return };
    let mut x = Buffer::<u32>::zeros(100);
    let call = |x: &mut Buffer<u32>, grid: usize| threads(x).grid([grid]).block([32]);
    test.rt.submit(call(&mut x, 5)).exec([100]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [5_032; 100]);
    let error = test.rt.submit(call(&mut x, 3)).exec([100]).unwrap_err().to_string();
    assert!(error.contains("3 groups of 32 items are 96"), "{error}");
}

#[flash::kernel(part_by = known::around, unsafe(cuda(file = "cuda/kernels/facts.cu", entry = "plain")))]
fn plain(x: &[u64], #[out] y: &mut [u64]);

#[flash::kernel(unsafe(cuda(file = "cuda/kernels/facts.cu", entry = "misplaced")))]
fn misplaced(x: &[u64], #[out] y: &mut [u64]);

#[test]
fn a_kernel_that_is_not_told_where_a_part_begins_has_none() {
    let Some(test) = devices("devices=2") else { return };
    let x = Buffer::from((0..64).collect::<Vec<u64>>());
    let mut y = Buffer::<u64>::zeros(64);
    test.rt.submit(plain(&x, &mut y)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), x.to_vec().unwrap());
    let error = test.rt.submit(plain(&x, &mut y).partitions(2)).exec([64]).unwrap_err();
    let error = format!("{error:?}");
    assert!(error.contains("begins at [32]") && error.contains("`FLASH_BLOCK`"), "{error}");
    let error = test.rt.submit(misplaced(&x, &mut y)).exec([64]).unwrap_err().to_string();
    assert!(error.contains("takes other arguments"), "{error}");
}

/// 64 threads are the most along the last dimension.
#[test]
fn blocks_are_no_longer_than_a_device_takes() {
    let Some(test) = devices("devices=1") else { return };
    for space in [[1, 1, 1000], [3, 1, 500]] {
        all_items_run_once(&test.rt, space);
    }
    let mut x = Buffer::<u32, 3>::zeros([256, 1, 1]);
    let error = test.rt.submit(numbered(&mut x).block([1, 1, 128])).exec([1, 1, 256]).unwrap_err();
    let words = "128 items of a work-group are asked for in dimension 2, and it takes 64";
    let is_it = matches!(error, flash::Error::NoImplementation { kernel: "numbered", .. });
    assert!(is_it && error.to_string().contains(words), "{error:?}");
}
