//! Instructions one by one, as hand-written PTX, against what Rust or the manual of PTX says.

use crate::support::Device;
use flash_test_ptx::{Launch, Module};

/// What `%rd1` holds in lane 5 of 32 at the end of these instructions. `%r1` is the lane, `%r2` is
/// 0x8765_4321, `%r3` is -7, `%rd2` is 0x8000_0000_0000_00ff, `%f1` is -2.5, `%f2` is no number.
fn last(body: &str) -> u64 {
    let text = format!(
        ".version 9.0\n.target sm_90\n.address_size 64\n
         .visible .entry f(.param .u64 p) {{
             .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>;
             .reg .f64 %d<9>; .reg .pred %p<9>; .shared .align 8 .b8 tile[64];
             .local .align 8 .b8 own[16];
             mov.u32 %r1, %laneid; mov.b32 %r2, 0x87654321; mov.b32 %r3, -7;
             mov.b64 %rd2, 0x80000000000000ff; mov.f32 %f1, 0fC0200000; mov.f32 %f2, 0f7FC00000;
             mov.u64 %rd1, 0;
             {body}
             ld.param.u64 %rd18, [p]; mul.wide.u32 %rd19, %r1, 8; add.s64 %rd19, %rd18, %rd19;
             st.global.u64 [%rd19], %rd1; ret;
         }}"
    );
    let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{body}"));
    let device = Device::of(module);
    let out = device.put(&[0_u64; 32]);
    let params = out.to_le_bytes();
    device.run("f", &Launch { block: [32, 1, 1], params: &params, ..Launch::default() });
    device.get(out, 32)[5]
}

/// Likewise `%r4`.
fn word(body: &str) -> u32 {
    last(&format!("{body} cvt.u64.u32 %rd1, %r4;")) as u32
}

/// Likewise `%p1`.
fn holds(body: &str) -> bool {
    word(&format!("{body} selp.u32 %r4, 1, 0, %p1;")) == 1
}

/// Likewise `%f3`.
fn single(body: &str) -> f32 {
    f32::from_bits(word(&format!("{body} mov.b32 %r4, %f3;")))
}

#[test]
fn bits() {
    for (body, expected) in [
        ("bfe.u32 %r4, %r2, 4, 8;", 0x32),
        ("bfe.s32 %r4, %r2, 24, 8;", 0xffff_ff87),
        ("bfe.s32 %r4, %r2, 28, 16;", 0xffff_fff8),
        ("bfe.u32 %r4, %r2, 0, 0;", 0),
        ("bfi.b32 %r4, 0xff, %r2, 8, 4;", 0x8765_4f21),
        ("bfi.b32 %r4, 1, %r2, 40, 4;", 0x8765_4321),
        ("bfind.u32 %r4, 0x100;", 8),
        ("bfind.s32 %r4, -1;", u32::MAX),
        ("bfind.shiftamt.u32 %r4, 0x100;", 23),
        ("prmt.b32 %r4, %r2, 0xaabbccdd, 0x7b30;", 0xaaff_8721),
        ("prmt.b32.f4e %r4, %r2, 0xaabbccdd, 1;", 0xdd87_6543),
        ("prmt.b32.rc16 %r4, %r2, 0, 1;", 0x8765_8765),
        ("shf.l.wrap.b32 %r4, %r2, 1, 36;", 0x18),
        ("shf.r.clamp.b32 %r4, %r2, 1, 40;", 1),
        ("lop3.b32 %r4, 0xf0, 0xcc, 0xaa, 0x96;", 0xf0 ^ 0xcc ^ 0xaa),
        ("lop3.b32 %r4, 0xf0, 0xcc, 0xaa, 0x80;", 0x80),
        ("shl.b32 %r4, %r2, 32;", 0),
        ("shr.s32 %r4, %r2, 99;", u32::MAX),
        ("shr.u32 %r4, %r2, 99;", 0),
        ("cnot.b32 %r4, 0;", 1),
        ("not.b32 %r4, %r2;", !0x8765_4321),
        ("fns.b32 %r4, 0b10110, 0, 2;", 2),
        ("fns.b32 %r4, 0b10110, 4, -2;", 2),
        ("bmsk.clamp.b32 %r4, 4, 8;", 0xff0),
        ("szext.clamp.s32 %r4, 0x80, 8;", 0xffff_ff80),
        ("clz.b64 %r4, 255;", 56),
        ("popc.b64 %r4, %rd2;", 9),
        ("mov.b32 {%h1, %h2}, %r2; mov.b32 %r4, {%h2, %h1};", 0x4321_8765),
    ] {
        assert_eq!(word(body), expected, "{body}");
    }
    assert_eq!(last("brev.b64 %rd1, %rd2;"), 0x8000_0000_0000_00ff_u64.reverse_bits());
    assert_eq!(last("bfe.s64 %rd1, %rd2, 60, 4;"), -8_i64 as u64);
    assert_eq!(last("bfi.b64 %rd1, %rd2, 0, 56, 8;"), 0xff << 56);
    assert_eq!(last("mov.b64 %rd1, {%r2, %r3};"), 0xffff_fff9_8765_4321);
    assert_eq!(last("mov.b64 {%r4, %r5}, %rd2; cvt.u64.u32 %rd1, %r5;"), 0x8000_0000);
}

#[test]
fn integers() {
    for (body, expected) in [
        ("mad.lo.s32 %r4, %r3, 3, 1;", -20_i32 as u32),
        ("mad.hi.u32 %r4, %r2, 0x100, 1;", 0x88),
        ("mul.hi.s32 %r4, %r3, 0x40000000;", -2_i32 as u32),
        ("mul24.lo.s32 %r4, 0xfffffe, 3;", -6_i32 as u32),
        ("mul24.hi.u32 %r4, 0xffffff, 0x10000;", 0xff_ffff),
        ("sad.s32 %r4, %r3, 5, 1;", 13),
        ("add.sat.s32 %r4, 0x7fffffff, 5;", 0x7fff_ffff),
        ("sub.sat.s32 %r4, 0x80000000, 5;", 0x8000_0000),
        ("div.s32 %r4, %r3, 2;", -3_i32 as u32),
        ("rem.s32 %r4, %r3, 2;", -1_i32 as u32),
        ("abs.s32 %r4, %r3;", 7),
        ("min.s32 %r4, %r3, 1;", -7_i32 as u32),
        ("min.u32 %r4, %r3, 1;", 1),
        ("dp4a.u32.s32 %r4, 0x01020304, 0xff01ff01, 10;", (10 + 4 - 3 + 2 - 1) as u32),
        ("dp2a.lo.s32.u32 %r4, 0x00020003, 0x0501, 0;", 2 * 5 + 3),
        ("slct.s32.s32 %r4, 1, 2, %r3;", 2),
        ("slct.u32.f32 %r4, 1, 2, 0f00000000;", 1),
        ("add.cc.u32 %r5, %r3, 8; addc.u32 %r4, 0, 0;", 1),
        ("sub.cc.u32 %r5, 1, 2; subc.u32 %r4, 5, 0;", 4),
        ("mad.lo.cc.u32 %r5, %r2, 2, %r3; madc.hi.u32 %r4, %r2, 2, 0;", 2),
    ] {
        assert_eq!(word(body), expected, "{body}");
    }
    assert_eq!(last("mul.wide.s32 %rd1, %r3, 3;"), -21_i64 as u64);
    assert_eq!(last("mad.wide.u32 %rd1, %r3, 2, 1;"), 2 * 0xffff_fff9 + 1);
    assert_eq!(last("mul.hi.u64 %rd1, %rd2, 4;"), 2);
    assert_eq!(last("mul.hi.s64 %rd1, %rd2, 4;"), -2_i64 as u64);
    assert_eq!(last("mov.b16 %h1, -3; mul.wide.s16 %r4, %h1, %h1; cvt.u64.u32 %rd1, %r4;"), 9);
}

#[test]
fn conversions() {
    for (body, expected) in [
        ("cvt.u32.u8 %r4, %r2;", 0x21),
        ("cvt.s32.s8 %r4, 0x80;", 0xffff_ff80),
        ("cvt.sat.u8.s32 %r4, %r3;", 0),
        ("cvt.sat.s8.s32 %r4, 1000;", 127),
        ("cvt.rzi.s32.f32 %r4, %f1;", -2_i32 as u32),
        ("cvt.rni.s32.f32 %r4, %f1;", -2_i32 as u32),
        ("cvt.rmi.s32.f32 %r4, %f1;", -3_i32 as u32),
        ("cvt.rzi.u32.f32 %r4, %f1;", 0),
        ("cvt.rzi.s32.f32 %r4, %f2;", 0),
        ("mov.f64 %d1, 0d7FF8000000000000; cvt.rzi.s32.f64 %r4, %d1;", 0x8000_0000),
        ("cvt.rzi.s32.f32 %r4, 0f7F800000;", i32::MAX as u32),
        ("cvt.rn.f16x2.f32 %r4, %f1, 0f3F800000;", 0xc100_3c00),
        ("cvt.rn.bf16x2.f32 %r4, %f1, 0f3F800000;", 0xc020_3f80),
        ("cvt.rn.satfinite.e4m3x2.f32 %h1, 0f447A0000, %f1; cvt.u32.u16 %r4, %h1;", 0x7ec2),
        ("cvt.pack.sat.u8.s32.b32 %r4, 300, -5, 7;", 0x07_ff00),
        ("cvt.rna.tf32.f32 %r4, 0f3F801000;", 0x3f80_2000),
    ] {
        assert_eq!(word(body), expected, "{body}");
    }
    assert_eq!(last("cvt.rzi.s64.f32 %rd1, %f2;"), 1 << 63);
    assert_eq!(last("cvt.s64.s32 %rd1, %r3;"), -7_i64 as u64);
    assert_eq!(last("cvt.f64.f32 %d1, %f1; mov.b64 %rd1, %d1;"), (-2.5_f64).to_bits());
    assert_eq!(single("cvt.rz.f32.u32 %f3, 0xffffffff;"), 4_294_967_040.0);
    assert_eq!(single("cvt.rp.f32.s32 %f3, 0x1000001;"), 16_777_218.0);
    assert_eq!(single("cvt.sat.f32.f32 %f3, %f1;"), 0.0);
    assert_eq!(single("cvt.rpi.f32.f32 %f3, %f1;"), -2.0);
    assert_eq!(single("mov.f64 %d1, 0d3FF0000010000001; cvt.rm.f32.f64 %f3, %d1;"), 1.0);
}

#[test]
fn floats() {
    for (body, expected) in [
        ("min.f32 %f3, %f1, %f2;", -2.5),
        ("max.f32 %f3, %f2, 1.0;", 1.0),
        ("copysign.f32 %f3, %f1, 0f40400000;", -3.0),
        ("abs.f32 %f3, %f1;", 2.5),
        ("neg.f32 %f3, %f1;", 2.5),
        ("add.sat.f32 %f3, %f1, 0f41000000;", 1.0),
        ("fma.rn.f32 %f3, %f1, %f1, %f1;", 3.75),
        ("add.ftz.f32 %f3, 0f00000001, 0f00000001;", 0.0),
        ("add.f32 %f3, 0f00000001, 0f00000001;", f32::from_bits(2)),
        ("mul.rp.f32 %f3, 0f3F800001, 0f3F800001;", f32::from_bits(0x3f80_0003)),
        ("div.full.f32 %f3, %f1, 0f40000000;", -1.25),
        ("ex2.approx.f32 %f3, 0f40400000;", 8.0),
        ("lg2.approx.f32 %f3, 0f41000000;", 3.0),
        ("rcp.approx.ftz.f32 %f3, 0f40800000;", 0.25),
        ("sqrt.approx.f32 %f3, 0f41100000;", 3.0),
        ("rsqrt.approx.f32 %f3, 0f40800000;", 0.5),
        ("sin.approx.f32 %f3, 0f00000000;", 0.0),
    ] {
        assert_eq!(single(body), expected, "{body}");
    }
    assert!(single("min.NaN.f32 %f3, %f1, %f2;").is_nan());
    assert_eq!(word("add.f32 %f3, %f1, %f2; mov.b32 %r4, %f3;"), 0x7fff_ffff);
    assert_eq!(word("add.f16x2 %r4, 0x3c00c000, 0x3c003c00;"), 0x4000_bc00);
    assert_eq!(word("fma.rn.f16x2 %r4, 0x40004000, 0x3c004200, 0x3c003c00;"), 0x4200_4700);
    assert_eq!(word("max.f16x2 %r4, 0x3c00c000, 0x7e003c00;"), 0x3c00_3c00);
    assert_eq!(word("set.gt.f16x2.f16x2 %r4, 0x3c00c000, 0x00003c00;"), 0x3c00_0000);
    assert_eq!(
        last("rcp.approx.ftz.f64 %d1, 0d4008000000000000; mov.b64 %rd1, %d1;"),
        0x3fd5_5555 << 32
    );
}

#[test]
fn comparisons() {
    for (body, expected) in [
        ("setp.lt.s32 %p1, %r3, 0;", true),
        ("setp.lo.u32 %p1, %r3, 0;", false),
        ("setp.eq.f32 %p1, %f2, %f2;", false),
        ("setp.neu.f32 %p1, %f2, %f2;", true),
        ("setp.nan.f32 %p1, %f1, %f2;", true),
        ("setp.num.f32 %p1, %f1, %f1;", true),
        ("setp.lt.s32 %p2|%p1, %r3, 0;", false),
        ("setp.eq.u32 %p2, 1, 1; setp.eq.and.u32 %p1, 1, 2, %p2;", false),
        ("setp.eq.u32 %p2, 1, 2; setp.eq.or.u32 %p1, 1, 2, !%p2;", true),
        ("setp.gt.s64 %p1, %rd2, 0;", false),
        ("testp.finite.f32 %p1, %f1;", true),
        ("testp.notanumber.f32 %p1, %f2;", true),
        ("testp.subnormal.f32 %p1, 0f00000001;", true),
        ("setp.eq.u32 %p2, 1, 1; xor.pred %p1, %p2, %p2;", false),
        ("setp.eq.u32 %p2, 1, 1; not.pred %p1, %p2;", false),
        ("mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; isspacep.shared %p1, %rd3;", true),
        ("mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3; isspacep.global %p1, %rd3;", false),
    ] {
        assert_eq!(holds(body), expected, "{body}");
    }
    assert_eq!(word("set.lt.u32.s32 %r4, %r3, 0;"), u32::MAX);
    assert_eq!(word("set.lt.f32.s32 %r4, %r3, 0;"), 1.0_f32.to_bits());
}

#[test]
fn lanes() {
    for (body, expected) in [
        ("shfl.sync.up.b32 %r4, %r1, 2, 0, -1;", 3),
        ("shfl.sync.up.b32 %r4, %r1, 6, 0, -1;", 5),
        ("shfl.sync.down.b32 %r4, %r1, 3, 31, -1;", 8),
        ("shfl.sync.down.b32 %r4, %r1, 3, 0x1807, -1;", 5),
        ("shfl.sync.bfly.b32 %r4, %r1, 16, 31, -1;", 21),
        ("shfl.sync.idx.b32 %r4, %r1, 9, 31, -1;", 9),
        ("shfl.sync.idx.b32 %r4, %r1, 9, 0x181f, -1;", 1),
        ("shfl.sync.up.b32 %r5|%p1, %r1, 6, 0, -1; selp.u32 %r4, 1, 0, %p1;", 0),
        ("setp.lt.u32 %p1, %r1, 6; vote.sync.ballot.b32 %r4, %p1, -1;", 0x3f),
        ("setp.lt.u32 %p1, %r1, 6; vote.sync.uni.pred %p2, !%p1, -1; selp.u32 %r4, 1, 0, %p2;", 0),
        ("and.b32 %r5, %r1, 7; match.any.sync.b32 %r4, %r5, -1;", 0x2020_2020),
        ("redux.sync.max.u32 %r4, %r1, -1;", 31),
        ("redux.sync.min.s32 %r4, %r3, -1;", -7_i32 as u32),
        ("elect.sync %r4|%p1, -1;", 0),
        ("activemask.b32 %r4;", u32::MAX),
        ("setp.lt.u32 %p1, %r1, 6; @%p1 activemask.b32 %r4;", 0x3f),
        ("mov.u32 %r4, %lanemask_lt;", 0x1f),
        ("mov.u32 %r4, %ntid.x;", 32),
        ("setp.gt.u32 %p1, %r1, 3; bar.red.popc.u32 %r4, 0, %p1;", 28),
        ("setp.gt.u32 %p1, %r1, 3; bar.red.and.pred %p2, 0, %p1; selp.u32 %r4, 1, 0, %p2;", 0),
        ("bar.arrive 1, 64; bar.sync 1, 64; mov.u32 %r4, 7;", 7),
    ] {
        assert_eq!(word(body), expected, "{body}");
    }
}

#[test]
fn memory() {
    for (body, expected) in [
        ("st.local.u32 [own+4], %r1; ld.local.u32 %r4, [own+4];", 5),
        (
            "mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3; st.u8 [%rd3], -2; ld.s8 %r4, [%rd3];",
            -2_i32 as u32,
        ),
        (
            "st.shared.u32 [tile], 3; bar.sync 0; atom.shared.add.u32 %r5, [tile], 2; bar.sync 0; ld.shared.u32 %r4, [tile];",
            67,
        ),
        (
            "st.shared.u32 [tile], 3; bar.sync 0; red.shared.max.s32 [tile], %r1; bar.sync 0; ld.volatile.shared.u32 %r4, [tile];",
            31,
        ),
        (
            "st.shared.v2.u32 [tile+8], {%r2, %r3}; ld.shared.v2.u32 {_, %r4}, [tile+8];",
            -7_i32 as u32,
        ),
        (
            "st.shared.u32 [tile], 0; bar.sync 0; atom.shared.cas.b32 %r5, [tile], 4, 9; atom.shared.exch.b32 %r5, [tile], 4; ld.shared.u32 %r4, [tile];",
            4,
        ),
        (
            "ld.param.u64 %rd3, [p]; cp.async.ca.shared.global [tile], [%rd3], 8, 4; cp.async.wait_all; st.shared.u8 [tile], 1; ld.shared.u32 %r4, [tile];",
            1,
        ),
    ] {
        assert_eq!(word(body), expected, "{body}");
    }
}

#[test]
fn jumps() {
    let table = "T: .branchtargets A, B, C; and.b32 %r5, %r1, 3; brx.idx %r5, T;
        A: mov.u32 %r4, 10; bra D; B: mov.u32 %r4, 20; bra D; C: mov.u32 %r4, 30; D:";
    assert_eq!(word(table), 20);
    // Scopes have labels and registers of their own.
    let scopes =
        "mov.u32 %r4, 0; { .reg .b32 x; mov.u32 x, 4; L: sub.u32 x, x, 1; add.u32 %r4, %r4, 1;
        setp.ne.u32 %p1, x, 0; @%p1 bra L; } { .reg.b32 x; mov.u32 x, 2; L: add.u32 %r4, %r4, 10;
        sub.u32 x, x, 1; setp.ne.u32 %p1, x, 0; @%p1 bra L; }";
    assert_eq!(word(scopes), 24);
    assert_eq!(word("mov.u32 %r4, 1; setp.ne.u32 %p1, %r1, 5; @%p1 exit; mov.u32 %r4, 2;"), 2);
}

/// The words that the threads of a block write by `f` of a module, one each.
fn words(text: &str, threads: u32) -> Vec<u32> {
    let device = Device::of(Module::parse(text).expect("PTX"));
    let n = threads as usize;
    let out = device.put(&vec![0_u32; n]);
    let params = out.to_le_bytes();
    device.run("f", &Launch { block: [threads, 1, 1], params: &params, ..Launch::default() });
    device.get::<u32>(out, n)
}

#[test]
fn functions_may_call_themselves() {
    let text = ".version 9.0 .target sm_75 .address_size 64
        .func (.param .b32 r) fact(.param .b32 n) {
            .reg .b32 %r<6>; .reg .pred %p<2>;
            ld.param.b32 %r1, [n];
            setp.lt.u32 %p1, %r1, 2;
            @%p1 bra ONE;
            sub.u32 %r2, %r1, 1;
            { .param .b32 a; st.param.b32 [a], %r2; .param .b32 b; call.uni (b), fact, (a);
              ld.param.b32 %r3, [b]; }
            mul.lo.u32 %r4, %r3, %r1;
            st.param.b32 [r], %r4;
            ret;
            ONE: st.param.b32 [r], 1; ret;
        }
        .visible .entry f(.param .u64 p) {
            .reg .b32 %r<4>; .reg .b64 %rd<4>;
            mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];
            { .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call.uni (b), fact, (a);
              ld.param.b32 %r2, [b]; }
            mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r2; ret;
        }";
    let expected: Vec<u32> = (0..12).map(|n| (1..=n).product()).collect();
    assert_eq!(words(text, 12), expected);
}

/// In each call, though another predicate is in its place in the end of the one before.
#[test]
fn predicates_have_the_constants_that_they_are_given() {
    let text = ".version 9.0 .target sm_75 .address_size 64
        .func (.param .b32 r) known(.param .b32 n) {
            .reg .b32 %r<4>; .reg .pred %p<5>;
            ld.param.b32 %r1, [n];
            mov.pred %p1, -1;
            xor.pred %p2, %p1, 0;
            selp.u32 %r2, 1, 2, %p2;
            setp.ge.u32 %p3, %r1, 0;
            selp.u32 %r3, 10, 20, %p3;
            add.u32 %r2, %r2, %r3;
            st.param.b32 [r], %r2; ret;
        }
        .visible .entry f(.param .u64 p) {
            .reg .b32 %r<4>; .reg .b64 %rd<4>;
            mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p]; mov.u32 %r2, 0;
            { .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call.uni (b), known, (a);
              ld.param.b32 %r2, [b]; }
            { .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call.uni (b), known, (a);
              ld.param.b32 %r3, [b]; }
            mad.lo.u32 %r2, %r2, 100, %r3;
            mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r2; ret;
        }";
    assert_eq!(words(text, 4), [1111; 4]);
}
