//! Blocks of bodies, which have as many threads as the driver says that fill a device best.

use flash::prelude::*;
use flash_tests::cuda::cuda;

#[flash::kernel]
fn halve(x: View<'_, u32, 2>, #[out] y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = x[[j, i]] / 2;
}

/// The grid and the block of a launch over so many items.
fn shape(settings: &str, items: [usize; 2]) -> Option<String> {
    let test = cuda(settings)?;
    let x = Buffer::<u32, 2>::filled([items[1], items[0]], 6);
    let mut y = Buffer::<u32, 2>::zeros([items[1], items[0]]);
    test.driver.log(true);
    test.rt.submit(halve(&x, &mut y)).exec(items).unwrap();
    let calls = test.driver.calls();
    let mut launches = calls.into_iter().filter(|call| call.name == "cuLaunchKernel");
    let launch = launches.next().unwrap();
    assert_eq!(launches.next(), None);
    assert_eq!(y.to_vec().unwrap(), vec![3; items[0] * items[1]]);
    Some(launch.detail.split_once(", ").unwrap().1.to_owned())
}

#[test]
fn a_block_has_as_many_threads_as_the_driver_calls_best() {
    // What it says, and what that comes to: powers of two, and no more than a text is compiled for.
    for (best, [width, blocks]) in
        [(1024, [256, 8]), (256, [256, 8]), (128, [128, 16]), (96, [64, 32]), (32, [32, 64])]
    {
        let settings = format!("devices=1,multiprocessors=1,block={best}");
        let Some(found) = shape(&settings, [2048, 1]) else { return };
        assert_eq!(found, format!("{blocks} x 1 x 1 blocks of {width} x 1 x 1"), "{best} are best");
    }
}

#[test]
fn a_launch_of_few_items_has_blocks_for_all_multiprocessors() {
    let Some(found) = shape("devices=1,multiprocessors=32", [4096, 1]) else { return };
    assert_eq!(found, "32 x 1 x 1 blocks of 128 x 1 x 1");
    // Of few items along the first dimension a block has several lines.
    let Some(found) = shape("devices=1,multiprocessors=1,block=128", [20, 50]) else { return };
    assert_eq!(found, "1 x 13 x 1 blocks of 32 x 4 x 1");
}
