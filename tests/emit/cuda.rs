//! Kernels as CUDA C++: what they look like, that NVIDIA's compiler takes them for each device that they are
//! for, and what they take there. That they mean what the interpreter says is tested with those that
//! are drawn.

use flash_ir::emit::{self, Emitted, Options, TableIds, cuda};
use flash_rt::KernelDescriptor;
use flash_tests::cubin;
use flash_tests::nvrtc::{KNOWN, Nvrtc, nvrtc};

use crate::kernels::{self, ALL};
use crate::{all_known, nothing_known, without_the_same};

fn emitted(kernel: &KernelDescriptor, options: &Options) -> Emitted {
    let typed = flash_ir::resolve::kernel(kernel.ir.unwrap()).unwrap();
    emit::cuda(&typed, options).unwrap()
}

macro_rules! shows {
    ($($test:ident: $kernel:ident with $options:expr;)*) => {
        $(#[test]
        fn $test() {
            let emitted = emitted(kernels::$kernel::DESCRIPTOR, &$options);
            insta::assert_snapshot!(without_the_same(&emitted.text));
        })*
    };
}

shows! {
    an_element_is_read_and_written: saxpy with all_known();
    indices_are_compared_where_nothing_is_known: stencil with nothing_known();
    lanes_are_combined_by_shuffles: dot with all_known();
    blocks_come_from_a_table: dot with Options { table: Some(TableIds::U64), wide: true, ..all_known() };
    atomics_are_those_of_the_device: histogram with nothing_known();
    structures_are_values: drift with all_known();
    small_arrays_are_values: windows with all_known();
    further_dimensions_are_folded: deep with all_known();
    fast_math_fuses: fused with all_known();
    items_are_done_four_at_a_time: saxpy with Options { together: true, ..all_known() };
}

#[test]
fn four_items_are_one_access() {
    let Some(nvrtc) = nvrtc() else { return };
    for wide in [false, true] {
        let options = Options { together: true, wide, ..all_known() };
        let of = emitted(kernels::saxpy::DESCRIPTOR, &options);
        assert_eq!((of.together, of.may_fail), (4, false));
        let compiled = nvrtc.compile(&of.text, &cuda::options(false), "compute_90");
        let ptx = compiled.unwrap_or_else(|log| panic!("{log}")).ptx;
        for access in ["ld.global.nc.v4", "ld.global.v4", "st.global.v4"] {
            assert!(ptx.contains(access), "{access}: {ptx}");
        }
    }
    // Where items read neighbours, work items are neighbours.
    let options = Options { together: true, ..all_known() };
    assert_eq!(emitted(kernels::stencil::DESCRIPTOR, &options).together, 1);
    // What may go wrong is one item's.
    let options = Options { together: true, ..nothing_known() };
    let of = emitted(kernels::saxpy::DESCRIPTOR, &options);
    assert_eq!((of.together, of.may_fail), (1, true));
}

/// A compiler adds to a pointer in each turn, as nothing is cut to 32 bits and extended again.
#[test]
fn addresses_that_follow_a_loop_are_added_to() {
    let of = |options| emitted(kernels::product::DESCRIPTOR, &options);
    let (known, unknown) = (of(all_known()), of(nothing_known()));
    assert!(
        known.text.contains("+ (long long)k") && !known.text.contains("(int)k"),
        "{}",
        known.text
    );
    // Beside a comparison it would save nothing.
    assert!(unknown.text.contains("(int)k") && !unknown.text.contains("(long long)k"));
    let Some(nvrtc) = nvrtc() else { return };
    let compiled = nvrtc.compile(&known.text, &cuda::options(false), "compute_90");
    let ptx = compiled.unwrap_or_else(|log| panic!("{log}")).ptx;
    let turns = ptx.split("\n$L__BB").filter(|block| block.contains("mul.rn.f32"));
    let turns: Vec<&str> = turns.collect();
    assert!(!turns.is_empty() && turns.iter().all(|block| !block.contains("shr.s64")), "{ptx}");
}

#[test]
fn only_fast_kernels_round_quotients_in_their_own_way() {
    let has = |is_fast, option: &str| cuda::options(is_fast).iter().any(|it| it == option);
    for is_fast in [false, true] {
        assert!(has(is_fast, "--fmad=false") && has(is_fast, "--ftz=false"));
        assert_eq!(has(is_fast, "--prec-div=true"), !is_fast);
        assert_eq!(has(is_fast, "--prec-sqrt=true"), !is_fast);
    }
}

/// What the code of a kernel takes on each device.
fn taken(nvrtc: &Nvrtc, kernel: &KernelDescriptor, options: &Options) -> String {
    let emitted = emitted(kernel, options);
    cubin::taken(nvrtc, &emitted.entry, &emitted.text, &cuda::options(emitted.is_fast))
}

#[test]
fn kernels_compile_for_all_devices() {
    let Some(nvrtc) = nvrtc() else { return };
    let all = std::thread::scope(|scope| {
        let all = [("everything", all_known()), ("nothing", nothing_known())];
        let threads = all.map(|(name, options)| {
            scope.spawn(move || {
                let all = ALL.iter().map(|kernel| taken(nvrtc, kernel, &options));
                format!("{name} is known\n\n{}", all.collect::<String>())
            })
        });
        threads.map(|thread| thread.join().expect("they compile")).join("\n")
    });
    // Where a kernel may note what is wrong, registers that are spilled are those of its way.
    let (straight, _) = all.split_once("\nnothing").unwrap();
    assert_eq!(straight.lines().filter(|line| line.ends_with(" 0 spilled")).count(), 4 * ALL.len());
    if nvrtc.version() == KNOWN {
        insta::assert_snapshot!(all);
    }
}
