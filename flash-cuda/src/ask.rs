//! The kernels of a loop that a device runs by itself, as PTX: one makes its words ready, one asks after each
//! trip whether another one follows, and others which launches of a trip run. They are short, and no compiler
//! but the driver's is needed for them, which knows the function that sets the condition of a graph. It submits
//! nothing.

use std::ffi::{CStr, CString};
use std::fmt::Write;
use std::ops::Range;

use flash_ir::ScalarTy;
use flash_ir::emit::status::{BYTES, FAULT, VIOLATED, WORDS};
use flash_rt::backend::{Cell, Decision, Term, Test};
use flash_rt::cond::{Comparison, Number};

/// The name of the kernel that runs first.
pub(crate) const BEGIN: &CStr = c"flash_begin";
/// The name of the kernel that asks.
pub(crate) const ASK: &CStr = c"flash_ask";

/// The text of the conditions of a loop, and what its kernels are given.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// The same for all loops whose conditions differ in cells and constants only.
    pub(crate) text: String,
    /// Addresses and constants, behind the parameters that all of them have.
    pub(crate) arguments: Vec<u64>,
    /// What decides on launches of a trip.
    pub(crate) decisions: Vec<Decides>,
}

/// A kernel that decides on launches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decides {
    /// As those of the question.
    pub(crate) arguments: Vec<u64>,
    /// The launches of both branches.
    pub(crate) branches: [Range<usize>; 2],
}

/// The name of the kernel that decides for the first time in a trip, for the second time, and so on.
pub(crate) fn decide(number: usize) -> CString {
    CString::new(format!("flash_decide{number}")).unwrap_or_default()
}

/// What both kernels begin with: the words of the loop are a record with the number of its trips and how many
/// there may be, and behind that those of its launches.
const HEAD: &str = "\
.version 6.0
.target sm_50
.address_size 64

.extern .func cudaGraphSetConditional
(
    .param .b64 condition,
    .param .b32 value
)
;

.visible .entry flash_begin(
    .param .u64 words,
    .param .u32 n,
    .param .u32 most
)
{
    .reg .pred %p<1>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [words];
    ld.param.u32 %r0, [n];
    ld.param.u32 %r1, [most];
    cvta.to.global.u64 %rd0, %rd0;
    mov.u32 %r2, 0;
    st.global.u32 [%rd0], %r2;
    st.global.u32 [%rd0+4], %r1;
    add.s64 %rd1, %rd0, RECORD;
ROUND:
    setp.eq.u32 %p0, %r0, 0;
    @%p0 bra DONE;
    st.global.u32 [%rd1], %r2;
    add.s64 %rd1, %rd1, 4;
    sub.u32 %r0, %r0, 1;
    bra ROUND;
DONE:
    ret;
}
";

/// What asks, up to the condition: whether there may be another trip, in `%p0`, and no launch has noted anything.
const COUNT: &str = "
    ld.param.u64 %rd0, [words];
    ld.param.u64 %rd1, [handle];
    ld.param.u32 %r0, [n];
    cvta.to.global.u64 %rd0, %rd0;
    ld.global.u32 %r1, [%rd0];
    ld.global.u32 %r2, [%rd0+4];
    add.u32 %r1, %r1, 1;
    st.global.u32 [%rd0], %r1;
    setp.lt.u32 %p0, %r1, %r2;
";

/// What decides, up to the condition.
const DECIDE: &str = "
    ld.param.u64 %rd0, [words];
    ld.param.u64 %rd1, [handle];
    ld.param.u32 %r0, [n];
    cvta.to.global.u64 %rd0, %rd0;
    setp.eq.u32 %p0, %r0, %r0;
";

/// In `%p0` whether it was set, and no launch has noted anything.
const NOTED: &str = "    add.s64 %rd2, %rd0, RECORD;
ROUND:
    setp.eq.u32 %p1, %r0, 0;
    @%p1 bra DONE;
    ld.global.u32 %r2, [%rd2+VIOLATED];
    ld.global.u32 %r3, [%rd2+FAULT];
    or.b32 %r2, %r2, %r3;
    setp.eq.u32 %p2, %r2, 0;
    and.pred %p0, %p0, %p2;
    add.s64 %rd2, %rd2, RECORD;
    sub.u32 %r0, %r0, 1;
    bra ROUND;
DONE:
";

/// What is done with an answer, in `%p0`; the handle is in `%rd1`.
const ANSWER: &str = "
    selp.u32 %r1, 1, 0, %p0;
    {
    .param .b64 param0;
    st.param.b64 [param0+0], %rd1;
    .param .b32 param1;
    st.param.b32 [param1+0], %r1;
    call.uni
    cudaGraphSetConditional,
    (
    param0,
    param1
    );
    }
";

/// Counts in a word of the record of a decision how often a branch was taken: the answer is in `%r1`.
const TAKEN: &str = "    ld.param.u64 %rd2, [record];
    cvta.to.global.u64 %rd2, %rd2;
    ld.global.u32 %r2, [%rd2+WORD];
    add.u32 %r2, %r2, %r1;
    st.global.u32 [%rd2+WORD], %r2;
";

/// How values of a type are loaded, kept and compared.
#[derive(Clone, Copy)]
struct Kind {
    /// The type of its bytes in memory.
    memory: &'static str,
    /// The type of a parameter, and of comparisons.
    ty: &'static str,
    /// What its registers begin with.
    register: &'static str,
}

impl Kind {
    fn of(ty: ScalarTy) -> Self {
        let (memory, ty, register) = match ty {
            ScalarTy::Bool => ("u8", "u32", "%r"),
            ScalarTy::I8 => ("s8", "s32", "%r"),
            ScalarTy::I16 => ("s16", "s32", "%r"),
            ScalarTy::I32 => ("s32", "s32", "%r"),
            ScalarTy::I64 | ScalarTy::Isize => ("s64", "s64", "%rd"),
            ScalarTy::U8 => ("u8", "u32", "%r"),
            ScalarTy::U16 => ("u16", "u32", "%r"),
            ScalarTy::U32 => ("u32", "u32", "%r"),
            ScalarTy::U64 | ScalarTy::Usize => ("u64", "u64", "%rd"),
            ScalarTy::F32 => ("f32", "f32", "%f"),
            ScalarTy::F64 => ("f64", "f64", "%fd"),
        };
        Self { memory, ty, register }
    }

    fn is_float(self) -> bool {
        self.ty.starts_with('f')
    }
}

/// The bits of a constant of a type.
fn bits(ty: ScalarTy, value: Number) -> Option<u64> {
    match (ty, value) {
        (ScalarTy::F32, Number::Float(value)) => Some((value as f32).to_bits().into()),
        (ScalarTy::F64, Number::Float(value)) => Some(value.to_bits()),
        (ScalarTy::Bool, Number::Bool(value)) => Some(value.into()),
        (ScalarTy::F32 | ScalarTy::F64 | ScalarTy::Bool, _) => None,
        // Sign-extended or not, the low bits are those of the type.
        (_, Number::Int(value)) => Some(value as u64),
        _ => None,
    }
}

#[derive(Default)]
struct Writer {
    params: String,
    body: String,
    arguments: Vec<u64>,
    n_registers: u32,
}

impl Writer {
    /// A register that nothing has used.
    fn register(&mut self, begins: &str) -> String {
        self.n_registers += 1;
        // The lowest ones belong to the counting.
        format!("{begins}{}", 3 + self.n_registers)
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a text does not fail.
        let _ = writeln!(self.body, "    {line};");
    }

    /// A parameter in a register.
    fn argument(&mut self, ty: &str, register: &str, bits: u64) -> String {
        let (k, to) = (self.arguments.len(), self.register(register));
        let _ = write!(self.params, ",\n    .param .{ty} a{k}");
        self.arguments.push(bits);
        self.line(format_args!("ld.param.{ty} {to}, [a{k}]"));
        to
    }

    /// A value in a register.
    fn cell(&mut self, cell: Cell, cells: &[u64]) -> Option<(String, Kind)> {
        let kind = Kind::of(cell.ty);
        let address = cells.get(cell.memory)? + cell.offset;
        let (place, to) = (self.argument("u64", "%rd", address), self.register(kind.register));
        self.line(format_args!("cvta.to.global.u64 {place}, {place}"));
        self.line(format_args!("ld.global.{} {to}, [{place}]", kind.memory));
        if cell.ty == ScalarTy::Bool {
            let is_set = self.register("%p");
            self.line(format_args!("setp.ne.u32 {is_set}, {to}, 0"));
            self.line(format_args!("selp.u32 {to}, 1, 0, {is_set}"));
        }
        Some((to, kind))
    }

    fn term(&mut self, term: Term, cells: &[u64]) -> Option<(String, Kind)> {
        match term {
            Term::Cell(cell) => self.cell(cell, cells),
            Term::Value(ty, value) => {
                let (kind, bits) = (Kind::of(ty), bits(ty, value)?);
                Some((self.argument(kind.ty, kind.register, bits), kind))
            }
            Term::Turn(of) => {
                let to = self.register("%r");
                self.line(format_args!("ld.global.u32 {to}, [%rd0]"));
                self.line(format_args!("rem.u32 {to}, {to}, {of}"));
                Some((to, Kind::of(ScalarTy::U32)))
            }
        }
    }

    /// Whether a condition holds, as a predicate.
    fn test(&mut self, test: &Test, cells: &[u64]) -> Option<String> {
        let two = |this: &mut Self, how: &str, [a, b]: &[Test; 2]| {
            let (a, b) = (this.test(a, cells)?, this.test(b, cells)?);
            let to = this.register("%p");
            this.line(format_args!("{how}.pred {to}, {a}, {b}"));
            Some(to)
        };
        match test {
            Test::And(both) => two(self, "and", both),
            Test::Or(both) => two(self, "or", both),
            Test::Xor(both) => two(self, "xor", both),
            Test::Not(inner) => {
                let (inner, to) = (self.test(inner, cells)?, self.register("%p"));
                self.line(format_args!("not.pred {to}, {inner}"));
                Some(to)
            }
            Test::Is(cell) => {
                let ((value, _), to) = (self.cell(*cell, cells)?, self.register("%p"));
                self.line(format_args!("setp.ne.u32 {to}, {value}, 0"));
                Some(to)
            }
            Test::Compare(how, a, b) => {
                let ((a, kind), (b, other)) = (self.term(*a, cells)?, self.term(*b, cells)?);
                if kind.ty != other.ty {
                    return None;
                }
                let how = match how {
                    Comparison::Lt => "lt",
                    Comparison::Le => "le",
                    Comparison::Gt => "gt",
                    Comparison::Ge => "ge",
                    Comparison::Eq => "eq",
                    // Of a NaN it holds.
                    Comparison::Ne if kind.is_float() => "neu",
                    Comparison::Ne => "ne",
                };
                let to = self.register("%p");
                self.line(format_args!("setp.{how}.{} {to}, {a}, {b}", kind.ty));
                Some(to)
            }
        }
    }
}

/// The registers of a kernel.
fn registers(n: u32) -> String {
    let n = 4 + n;
    format!(
        "    .reg .pred %p<{n}>;\n    .reg .b32 %r<{n}>;\n    .reg .b64 %rd<{n}>;\n    \
         .reg .f32 %f<{n}>;\n    .reg .f64 %fd<{n}>;"
    )
}

/// The kernel of a decision, and what it is given behind the parameters that all of them have.
fn decision(number: usize, decision: &Decision, cells: &[u64]) -> Option<(String, Decides)> {
    let mut writer = Writer::default();
    let holds = writer.test(&decision.test, cells)?;
    let Writer { params, body, arguments, n_registers } = writer;
    let mut text = format!(
        "\n.visible .entry flash_decide{number}(\n    .param .u64 words,\n    .param .u64 handle,\n    \
         .param .u64 other,\n    .param .u32 n,\n    .param .u64 record{params}\n)\n{{\n{}{DECIDE}{NOTED}{body}",
        registers(n_registers + 2),
    );
    // Whether it goes on at all, behind all other registers.
    let goes_on = 4 + n_registers;
    let _ = writeln!(text, "    mov.pred %p{goes_on}, %p0;");
    let is_there = |k: &usize| !decision.branches[*k].is_empty();
    for k in [0, 1].into_iter().filter(is_there) {
        let _ = match k {
            0 => writeln!(text, "    and.pred %p0, %p{goes_on}, {holds};"),
            _ => writeln!(
                text,
                "    ld.param.u64 %rd1, [other];\n    not.pred %p0, {holds};\n    \
                 and.pred %p0, %p{goes_on}, %p0;"
            ),
        };
        text += ANSWER;
        text += &TAKEN.replace("WORD", &(4 * k).to_string());
    }
    text += "    ret;\n}\n";
    Some((text, Decides { arguments, branches: decision.branches.clone() }))
}

/// The kernels for the conditions of a loop, of cells in memories with these addresses; nothing for one that
/// they cannot ask.
pub(crate) fn question(test: &Test, decisions: &[Decision], cells: &[u64]) -> Option<Question> {
    let mut writer = Writer::default();
    let holds = writer.test(test, cells)?;
    let Writer { params, body, arguments, n_registers } = writer;
    let registers = registers(n_registers);
    let mut text = format!(
        "{HEAD}\n.visible .entry flash_ask(\n    .param .u64 words,\n    .param .u64 handle,\n    \
         .param .u32 n{params}\n)\n{{\n{registers}{COUNT}{NOTED}{body}    \
         and.pred %p0, %p0, {holds};{ANSWER}    ret;\n}}\n"
    );
    let mut all = Vec::with_capacity(decisions.len());
    for (number, of) in decisions.iter().enumerate() {
        let (kernel, decides) = decision(number, of, cells)?;
        text += &kernel;
        all.push(decides);
    }
    let text = text.replace("VIOLATED", &(4 * VIOLATED).to_string());
    let text = text.replace("FAULT", &(4 * FAULT).to_string());
    let text = text.replace("RECORD", &BYTES.to_string());
    Some(Question { text, arguments, decisions: all })
}

/// How many words the first kernel makes zero for so many launches that may note something.
pub(crate) fn words(records: usize) -> u64 {
    (records * WORDS) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(memory: usize, ty: ScalarTy) -> Cell {
        Cell { memory, offset: 8, ty }
    }

    #[test]
    fn conditions_that_differ_in_constants_have_one_text() {
        let less = |limit| {
            let limit = Term::Value(ScalarTy::I16, Number::Int(limit));
            let test = Test::Compare(Comparison::Lt, Term::Cell(cell(0, ScalarTy::I16)), limit);
            question(&test, &[], &[0x1000]).unwrap()
        };
        let (a, b) = (less(-3), less(7));
        assert_eq!(a.text, b.text);
        assert_eq!((a.arguments, b.arguments), (vec![0x1008, -3_i64 as u64], vec![0x1008, 7]));
        assert!(a.text.contains("ld.global.s16 %r") && a.text.contains("setp.lt.s32 %p"));
    }

    #[test]
    fn a_nan_is_unequal_and_what_does_not_fit_is_refused() {
        let value = Term::Value(ScalarTy::F32, Number::Float(0.1_f32.into()));
        let test = |how, value| Test::Compare(how, Term::Cell(cell(0, ScalarTy::F32)), value);
        let asked = question(&test(Comparison::Ne, value), &[], &[0]).unwrap();
        assert!(asked.text.contains("setp.neu.f32"), "{}", asked.text);
        assert_eq!(asked.arguments, [8, u64::from(0.1_f32.to_bits())]);
        let whole = Term::Value(ScalarTy::F32, Number::Int(1));
        assert_eq!(question(&test(Comparison::Lt, whole), &[], &[0]), None);
        let other = Term::Value(ScalarTy::F64, Number::Float(1.0));
        assert_eq!(question(&test(Comparison::Lt, other), &[], &[0]), None);
        assert_eq!(question(&test(Comparison::Lt, value), &[], &[]), None, "no such memory");
    }
}
