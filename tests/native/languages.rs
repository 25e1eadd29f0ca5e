//! `flash.h` in OpenCL C and CUDA C, by compilers of C and C++ and stand-ins for the words of the two
//! languages: every item runs once and knows its index, threads beyond the last one do nothing. It
//! says nothing about a driver.

use std::process::Command;

use crate::compiler;

/// A kernel that counts how often it was there for an item, and notes what it knows.
const KERNEL: &str = r#"
KERNEL void facts(GLOBAL uint64_t *seen, GLOBAL uint64_t *known, FLASH_BLOCK) {
    FLASH_ITEMS {
        uint64_t at = 0;
        for (int d = 4; d >= 0; d--) at = at * global_size(d) + global_id(d);
        seen[at] += 1;
        known[at] = phase() * 1000 + partition() * 100 + global_id(3);
    }
}
"#;

/// Runs it for a box of five dimensions, by a grid that is larger than the box.
const MAIN: &str = r#"
#define N (6 * 5 * 4 * 3 * 2)
static uint64_t seen[N], known[N];
int main(void) {
    flash_block b = { 0 };
    const uint64_t size[5] = { 6, 5, 4, 3, 2 }, lo[5] = { 1, 0, 2, 1, 0 }, hi[5] = { 5, 5, 4, 3, 2 };
    b.rank = 5, b.phase = 7, b.partition = 3, b.n_items = 4 * 5 * 2 * 2 * 2;
    for (int d = 0; d < FLASH_MAX_RANK; d++) {
        b.size[d] = d < 5 ? size[d] : 1;
        b.lo[d] = d < 5 ? lo[d] : 0;
        b.hi[d] = d < 5 ? hi[d] : 1;
    }
    for (int z = 0; z < 12; z++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) {
                THREAD(x, y, z)
                facts(seen, known, b);
            }
    uint64_t n = 0;
    for (uint64_t at = 0; at < N; at++) {
        uint64_t id[5], rest = at, inside = 1;
        for (int d = 0; d < 5; d++) {
            id[d] = rest % size[d];
            rest /= size[d];
            inside = inside && lo[d] <= id[d] && id[d] < hi[d];
        }
        if (seen[at] != inside) return 1;
        if (inside && known[at] != 7300 + id[3]) return 2;
        n += seen[at];
    }
    return n == b.n_items ? 0 : 3;
}
"#;

fn runs(which: &str, name: &str, words: &str, args: &[&str]) {
    let source = format!("{words}\n{KERNEL}\n{MAIN}");
    let out = name.replace('.', "_");
    let Some(program) = compiler(which, name, &source, args, &out) else { return };
    let status = Command::new(program).status().unwrap();
    assert_eq!(status.code(), Some(0), "{name}");
}

#[test]
fn opencl_c() {
    let words = r#"
#define __OPENCL_VERSION__ 120
typedef unsigned int uint;
typedef unsigned long ulong;
static uint at[3];
static ulong get_global_id(uint d) { return at[d]; }
#define KERNEL static
#define GLOBAL
#define THREAD(x, y, z) at[0] = x; at[1] = y; at[2] = z;
#include "flash.h"
"#;
    runs("cc", "opencl.c", words, &["-std=c99"]);
}

#[test]
fn cuda_c() {
    let words = r#"
#define __CUDACC__
#define __device__
#define __forceinline__ inline
struct Index { unsigned x, y, z; };
static Index threadIdx, blockIdx, blockDim = { 4, 2, 3 };
#define KERNEL static
#define GLOBAL
#define THREAD(X, Y, Z)                                    \
    threadIdx = { X % 4u, Y % 2u, Z % 3u };                \
    blockIdx = { X / 4u, Y / 2u, Z / 3u };
#include "flash.h"
"#;
    runs("c++", "cuda.cc", words, &["-std=c++17", "-Wno-missing-field-initializers"]);
}

#[test]
fn the_header_is_c_and_cpp() {
    let source = r#"
#define FLASH_LONG_NAMES
#include "flash.h"
FLASH_MODULE
static int phase(void) { return 1; }
FLASH_KERNEL(k, "io u64[1]") {
    (void)n_args;
    uint64_t *x = FLASH_POINTER(0, uint64_t);
    FLASH_ITEMS { x[flash_global_id(0)] = flash_global_size(0) + flash_phase() + phase() + flash_partition(); }
}
"#;
    compiler("cc", "plain.c", source, &["-std=c99", "-pedantic", "-shared", "-fPIC"], "plain_c.so");
    compiler("c++", "plain.cc", source, &["-std=c++11", "-shared", "-fPIC"], "plain_cc.so");
}
