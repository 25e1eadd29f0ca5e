//! What a grid must not do is a fault that says where, and a text that is no PTX is an error.

use crate::support::Device;
use flash_test_ptx::{Access, Arena, Fault, FaultKind, Launch, Memory, Module, OutOfBounds, Space};

/// A module with one entry `f` of one parameter.
fn module(body: &str) -> Module {
    let text = format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n
         .extern .func (.param .b32 r) twice(.param .b32 a);
         .visible .entry f(.param .u64 p) {{
             .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;
             .shared .align 4 .b8 tile[64];
             ld.param.u64 %rd1, [p];
             mov.u32 %r1, %tid.x;
             {body}
             ret;
         }}"
    );
    Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn fault(body: &str, launch: Launch<'_>) -> Box<Fault> {
    let device = Device::of(module(body));
    let params = device.put(&[1_u32, 2, 3, 4]).to_le_bytes();
    let launch = Launch { params: &params, ..launch };
    device.try_run("f", &launch).expect_err("it goes wrong")
}

fn threads(block: u32) -> Launch<'static> {
    Launch { block: [block, 1, 1], ..Launch::default() }
}

#[test]
fn addresses_are_checked() {
    let read = "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3];";
    let found = fault(read, threads(6));
    assert!(
        matches!(
            found.kind,
            FaultKind::IllegalAddress { bytes: 4, space: Space::Global, access: Access::Load, .. }
        ),
        "{found}"
    );
    assert_eq!((found.thread, found.entry.as_str()), ([4, 0, 0], "f"));
    assert_eq!(found.instruction, "ld.global.u32 %r2, [%rd3]");
    let found = fault("st.u32 [%rd1+2], %r1;", threads(1));
    assert!(matches!(found.kind, FaultKind::Misaligned { align: 4, .. }), "{found}");
    let found = fault("st.shared.u32 [tile+64], %r1;", threads(1));
    assert!(
        matches!(found.kind, FaultKind::IllegalAddress { address: 64, space: Space::Shared, .. }),
        "{found}"
    );
    let found = fault("mov.u64 %rd1, 0; atom.add.u32 %r2, [%rd1], 1;", threads(1));
    assert!(
        matches!(found.kind, FaultKind::IllegalAddress { address: 0, access: Access::Atomic, .. }),
        "{found}"
    );
}

#[test]
fn whoever_does_not_come_is_missed() {
    let found = fault(
        "setp.lt.u32 %p1, %r1, 16; @!%p1 bra L; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; L: bar.sync 0;",
        threads(32),
    );
    assert!(matches!(&found.kind, FaultKind::Deadlock { .. }), "{found}");
    let found = fault(
        "setp.lt.u32 %p1, %r1, 16; @%p1 bra L; bar.sync 1; bra M; L: bar.sync 2; M:",
        threads(32),
    );
    let FaultKind::Deadlock { waiting: 32, what } = &found.kind else { panic!("{found}") };
    assert!(what.contains("barrier"), "{found}");
}

#[test]
fn lanes_meet_in_barriers_of_different_places() {
    let body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra L; bar.warp.sync -1; bra M;
                L: bar.warp.sync -1; M: bar.sync 0;";
    let device = Device::of(module(body));
    device.run("f", &Launch { params: &[0; 8], ..threads(64) });
}

#[test]
fn what_goes_round_for_ever_is_ended() {
    let found = fault("L: bra L;", Launch { steps: 100_000, ..threads(32) });
    assert_eq!(found.kind, FaultKind::StepLimit);
}

#[test]
fn what_is_not_known_is_named_where_it_is_reached() {
    let device = Device::of(module("setp.eq.u32 %p1, %r1, 3; @%p1 wgmma.fence.sync.aligned;"));
    assert_eq!(device.module.unsupported().len(), 1);
    device.run("f", &Launch { params: &[0; 8], ..threads(2) });
    let fault = device.try_run("f", &Launch { params: &[0; 8], ..threads(4) });
    let fault = fault.expect_err("a thread comes there");
    assert_eq!(fault.thread, [3, 0, 0]);
    let FaultKind::Unsupported { what } = &fault.kind else { panic!("{fault}") };
    assert!(what.contains("wgmma"), "{what}");
}

#[test]
fn launches_are_checked() {
    for (launch, expected) in [
        (threads(1025), "1025 threads"),
        (threads(0), "threads"),
        (Launch { params: &[0; 4], ..threads(1) }, "4 bytes of parameters"),
    ] {
        let device = Device::of(module(""));
        let fault = device.try_run("f", &launch).expect_err("it is refused");
        assert!(fault.to_string().contains(expected), "{fault}");
    }
    let device = Device::of(module(""));
    assert!(device.try_run("g", &threads(1)).is_err());
}

#[test]
fn texts_are_checked() {
    for (body, line, expected) in [
        (".entry f() { add.s32 %r1, %r2, %r3; }", 1, "no `%r2`"),
        (".entry f()\n{ .reg .b32 %r<3>;\n bra L; }", 3, "no label `L`"),
        (".entry f() { .reg .b32 %r<3>; mov.u32 %r1, x; }", 1, "no `x`"),
        (".entry f() { .reg .b32 %r<3>; add.s32 %r1 %r2; }", 1, "`,` or `;`"),
        (".entry f() {", 1, "`}` at the end"),
        ("\n\nfunction f()", 3, "`function`"),
        (".global .u32 x = y;", 1, "`y`"),
        (".address_size 32", 1, "64 bits"),
    ] {
        let error = Module::parse(body).expect_err(body);
        assert_eq!(error.line, line, "{error}");
        assert!(error.what.contains(expected), "{error}");
    }
    let module =
        Module::parse(".version 8.7\n.target sm_100a, debug\n.address_size 64").expect("PTX");
    assert_eq!((module.version(), module.target()), ((8, 7), "sm_100a"));
}

/// Memory without regions, that has a function.
struct Plain(Arena);

impl Memory for Plain {
    fn load(&self, address: u64, into: &mut [u8]) -> Result<(), OutOfBounds> {
        self.0.load(address, into)
    }

    fn store(&self, address: u64, from: &[u8]) -> Result<(), OutOfBounds> {
        self.0.store(address, from)
    }

    fn atomic(
        &self,
        address: u64,
        width: usize,
        update: &mut dyn FnMut(u64) -> u64,
    ) -> Result<u64, OutOfBounds> {
        self.0.atomic(address, width, update)
    }

    fn external(&self, name: &str, arguments: &[u64]) -> Option<u64> {
        (name == "twice").then(|| arguments[0] * 2)
    }
}

#[test]
fn memory_may_have_no_regions_and_functions() {
    let module = module(
        "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 r; call.uni (r), twice, (a);
         ld.param.b32 %r2, [r]; }
         atom.global.add.u32 %r3, [%rd1], %r2; st.global.v2.u16 [%rd1+4], {1, 2};",
    );
    let memory = Plain(Arena::new());
    let at = memory.0.place(&[0; 8]);
    let params = at.to_le_bytes();
    let launch = Launch { params: &params, ..threads(10) };
    module.run("f", &launch, &[], &memory).expect("it runs");
    assert_eq!(memory.0.read(at, 8), [90, 0, 0, 0, 1, 0, 2, 0]);
}
