//! The AVX2 and AVX-512 entries of the kernels we promise speed for hold packed instructions, and
//! their inner loops neither calls nor panic edges. Builds a small release library and reads what
//! `objdump` says of it.

use std::process::Command;

/// One function of a disassembly.
struct Function {
    lines: Vec<Line>,
}

struct Line {
    address: u64,
    instruction: String,
    operands: String,
}

/// Builds the kernels as a shared library and returns its disassembly.
fn disassembly() -> Option<String> {
    if cfg!(not(target_arch = "x86_64"))
        || Command::new("objdump").arg("--version").output().is_err()
    {
        return None;
    }
    let built = flash_tests::release::built("disassembly", env!("CARGO_TARGET_TMPDIR"));
    let library = built.join("libdisassembly.so");
    let out = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn", "-M", "intel"])
        .arg(library)
        .output()
        .expect("objdump runs");
    Some(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// An entry of a kernel: a method of its type, in the unit of the kernel.
fn entry(text: &str, kernel: &str, isa: &str) -> Function {
    let (unit, method) = (format!("__flash_{kernel}_unit"), format!("{}{isa}", isa.len()));
    let header = text
        .lines()
        .position(|line| line.ends_with(">:") && line.contains(&unit) && line.contains(&method))
        .unwrap_or_else(|| panic!("no entry of `{kernel}` for {isa}"));
    let lines = text
        .lines()
        .skip(header + 1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| {
            let (address, rest) = line.trim().split_once(':')?;
            let address = u64::from_str_radix(address, 16).ok()?;
            let rest = rest.trim();
            let (instruction, operands) = rest.split_once(' ').unwrap_or((rest, ""));
            Some(Line {
                address,
                instruction: instruction.to_owned(),
                operands: operands.trim().to_owned(),
            })
        })
        .collect();
    Function { lines }
}

impl Function {
    /// The innermost loops: from the target of a backward jump to the jump, no other loop inside.
    fn loops(&self) -> Vec<&[Line]> {
        let mut all: Vec<(usize, usize)> = Vec::new();
        for (end, line) in self.lines.iter().enumerate() {
            let target = line.operands.split(' ').next().unwrap_or_default();
            if let (true, Ok(target)) =
                (line.instruction.starts_with('j'), u64::from_str_radix(target, 16))
                && let Some(start) = self.lines[..=end].iter().position(|l| l.address == target)
            {
                all.push((start, end));
            }
        }
        let inner = |one: &(usize, usize)| {
            !all.iter().any(|other| other != one && one.0 <= other.0 && other.1 <= one.1)
        };
        all.iter().filter(|one| inner(one)).map(|&(start, end)| &self.lines[start..=end]).collect()
    }

    /// Those of the innermost loops that compute with packed floats in `register`s.
    fn packed(&self, register: &str) -> Vec<&[Line]> {
        let computes = |line: &Line| {
            let packed = ["vaddp", "vmulp", "vsubp", "vfmadd"];
            packed.iter().any(|name| line.instruction.starts_with(name))
                && line.operands.contains(register)
        };
        self.loops().into_iter().filter(|lines| lines.iter().any(computes)).collect()
    }
}

#[test]
fn entries_are_packed_and_have_no_calls_in_their_loops() {
    let Some(text) = disassembly() else {
        // Nothing to read the code with.
        assert!(!flash_tests::required("objdump"), "`objdump` is not installed");
        return;
    };
    for kernel in ["saxpy", "stencil3", "stencil5", "sobel", "dot"] {
        for (isa, registers) in [("avx2", ["ymm", "ymm"]), ("avx512", ["ymm", "zmm"])] {
            let name = format!("{kernel}, {isa}");
            let function = entry(&text, kernel, isa);
            let loops: Vec<&[Line]> =
                registers.iter().flat_map(|register| function.packed(register)).collect();
            assert!(!loops.is_empty(), "{name} has no packed loop");
            for lines in loops {
                for line in lines {
                    // Nor a conversion of one number.
                    let alone = ["call", "vcvttss", "vcvttsd"];
                    assert!(
                        !alone.iter().any(|what| line.instruction.starts_with(what)),
                        "{name}: {} {} in a packed loop",
                        line.instruction,
                        line.operands,
                    );
                }
                // The only jumps of an inner loop go to its own start, or out when it is done.
                let (first, last) = (lines[0].address, lines[lines.len() - 1].address);
                let leaves = lines.iter().filter(|line| {
                    let target = line.operands.split(' ').next().unwrap_or_default();
                    line.instruction.starts_with('j')
                        && u64::from_str_radix(target, 16)
                            .is_ok_and(|target| !(first..=last).contains(&target))
                });
                assert_eq!(leaves.count(), 0, "{name}: a way out of a packed loop");
            }
        }
    }
}

#[test]
fn loops_of_items_side_by_side_are_packed() {
    let Some(text) = disassembly() else { return };
    for (isa, register) in [("avx2", "ymm"), ("avx512", "zmm")] {
        // What remains of an unrolled loop stands beside it, and jumps about.
        let straight = |lines: &&[Line]| {
            let jumps = lines.iter().filter(|line| line.instruction.starts_with('j')).count();
            jumps == 1 && !lines.iter().any(|line| line.instruction.starts_with("call"))
        };
        let packed = entry(&text, "forces", isa).packed(register).iter().any(straight);
        assert!(packed, "{isa}: no packed loop");
    }
}

/// Also where an argument is a structure, of which each item reads the same fields.
#[test]
fn so_are_loops_that_each_item_leaves_by_itself() {
    let Some(text) = disassembly() else { return };
    for (isa, register) in [("avx2", "ymm"), ("avx512", "zmm")] {
        let function = entry(&text, "escape", isa);
        assert!(!function.packed(register).is_empty(), "{isa}: no packed loop");
    }
}

#[test]
fn sums_of_several_lines_stay_in_registers() {
    let Some(text) = disassembly() else { return };
    for (isa, register, sums) in [("avx2", "ymm", 8), ("avx512", "zmm", 4)] {
        let function = entry(&text, "matrix", isa);
        let is_tile = |lines: &&[Line]| {
            let adds =
                |line: &&Line| line.instruction == "vaddps" && line.operands.starts_with(register);
            let stores =
                |line: &Line| line.instruction.starts_with("vmov") && line.operands.contains("],");
            let calls = |line: &Line| line.instruction.starts_with("call");
            lines.iter().filter(adds).count() >= sums
                && !lines.iter().any(|line| stores(line) || calls(line))
        };
        let found = function.packed(register).iter().any(is_tile);
        assert!(found, "{isa}: no loop over {sums} sums without a store");
    }
}
