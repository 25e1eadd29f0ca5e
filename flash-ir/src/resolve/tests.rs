//! What cannot be written as a kernel of this repository: it takes two versions of a crate.

use crate::interp::{MAX_ARRAY_RANK, Memory, Notes, Program, Run};
use crate::ir::{
    Access, AccessClass, AddressSpace, BinOp, Block, Expr, ExprKind, FloatMode, FnIr, KernelIr,
    Locals, Param, ParamKind, Place, Span, Stmt,
};
use crate::ty::{ScalarTy, Ty};

const U32: Ty = Ty::Scalar(ScalarTy::U32);

const fn expr(kind: ExprKind) -> Expr {
    Expr::at(1, 1, true, kind)
}

/// A function of one name and path, which adds a number.
macro_rules! plus {
    ($number:literal) => {
        FnIr {
            name: "advance",
            path: "physics",
            file: "",
            params: &[("x", U32)],
            ret: U32,
            locals: Locals { names: &["x"], types: || vec![U32] },
            body: Block {
                stmts: &[],
                tail: Some(&expr(ExprKind::Binary(
                    BinOp::Add,
                    &expr(ExprKind::Local(0)),
                    &expr(ExprKind::Int($number, None)),
                    FloatMode::Strict,
                ))),
            },
            float: FloatMode::Strict,
        }
    };
}

static FIRST: FnIr = plus!(1);
static SECOND: FnIr = plus!(10);

/// `y[i] = first(second(first(0)))`
static KERNEL: KernelIr = KernelIr {
    name: "steps",
    file: "",
    rank: 1,
    params: &[Param { name: "y", kind: ParamKind::Out, ty: U32, rank: 1 }],
    locals: Locals { names: &[], types: Vec::new },
    body: Block {
        stmts: &[Stmt::Assign(
            Place::Elem(
                Access {
                    param: 0,
                    site: 0,
                    space: AddressSpace::Global,
                    index: &[expr(ExprKind::GlobalId(0))],
                    affine: &[None],
                    class: AccessClass::Checked,
                    span: Span::at(1, 1),
                },
                &[],
            ),
            expr(ExprKind::Call(
                &FIRST,
                &[expr(ExprKind::Call(
                    &SECOND,
                    &[expr(ExprKind::Call(&FIRST, &[expr(ExprKind::Int(0, None))]))],
                ))],
            )),
            Span::at(1, 1),
        )],
        tail: None,
    },
    float: FloatMode::Strict,
};

struct One([u8; 4]);

impl Memory for One {
    fn value(&mut self, _: usize, _: &mut [u8]) {}
    fn shape(&mut self, _: usize) -> [usize; MAX_ARRAY_RANK] {
        [1; MAX_ARRAY_RANK]
    }
    fn read(&mut self, _: usize, _: &[usize], _: usize, _: &mut [u8]) -> bool {
        false
    }
    fn write(&mut self, _: usize, _: &[usize], _: usize, bytes: &[u8]) -> bool {
        self.0.copy_from_slice(bytes);
        true
    }
    fn partial(&mut self, _: usize, _: usize, _: &[u8]) {}
}

#[test]
fn functions_of_one_path_and_name_are_two() {
    let mut y = One([0; 4]);
    let notes = Program::new(&KERNEL).unwrap().run(&mut y, &[1], Run::default());
    assert_eq!((notes, u32::from_le_bytes(y.0)), (Notes::default(), 12));
    let typed = super::kernel(&KERNEL).unwrap();
    assert_eq!(typed.functions.len(), 2);
    let text = crate::emit::opencl(&typed, &crate::emit::Options::default()).unwrap().text;
    assert!(text.contains("advance(advance_1(advance(0u)))"), "{text}");
}
