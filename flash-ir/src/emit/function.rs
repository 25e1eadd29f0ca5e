//! Device functions. Each is written once, callees before callers; one that can end the item takes the
//! record, the number of the item and a flag that its callers look at.

use super::body::{Body, Scope};
use super::module::{Known, Module};
use super::{changed, record};
use crate::ir::Span;
use crate::resolve::typed::{Function, Stmt};
use crate::ty::{ScalarTy, Ty};

/// Writes a function and makes it known.
pub(super) fn write<'k>(to: &mut Module<'k>, function: &'k Function) -> String {
    let name = to.names.function(function.ir.name);
    let dialect = to.dialect;
    let mut body = Body::new(to, Scope::Value(function.ret), &function.locals);
    body.name_locals(function.ir.locals.names, function.locals.len());
    body.changed = changed::locals(&function.ir.body, function.locals.len());
    body.writer.indent(1);
    body.stmts(&function.body.stmts);
    match &function.body.tail {
        Some(tail) if function.ret != Ty::Unit => {
            body.writer.from(tail.span.line);
            let code = body.expr(tail);
            if code.ty == Ty::Unit {
                let leave = body.leave();
                body.writer.line(leave);
            } else {
                body.writer.line(format!("return {};", code.text));
            }
        }
        Some(tail) => {
            body.writer.from(tail.span.line);
            body.effect(tail);
        }
        None if function.ret == Ty::Unit => {}
        None if matches!(function.body.stmts.last(), Some(Stmt::Return(..))) => {}
        None => {
            // Nothing comes here, which compilers cannot always see.
            let leave = body.leave();
            body.writer.line(leave);
        }
    }
    let (ends, none) = (body.ends, body.none);
    let locals = std::mem::take(&mut body.locals);
    let lines = std::mem::take(&mut body.writer).done();

    let span = Span::default();
    let mut params = Vec::new();
    for (ty, name) in function.locals.iter().zip(&locals).take(function.ir.params.len()) {
        if *ty != Ty::Unit {
            params.push(format!("{} {name}", to.ty(ty, span)));
        }
    }
    if ends {
        let number = dialect.scalar(ScalarTy::U64);
        params.push(format!("{}flash_record", record::pointer(dialect)));
        params.push(format!("{number} flash_item"));
        params.push("int *flash_ended".to_owned());
    }
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let ret = to.ty(&function.ret, span);
    let qualifiers = dialect.function();
    let none = if none {
        format!("    const {ret} flash_none = {};\n", dialect.zeros())
    } else {
        String::new()
    };
    to.functions.push(Known { name: name.clone(), ends });
    let text = lines.text(function.ir.file);
    format!(
        "// `{}::{}`\n{qualifiers}{ret} {name}({params})\n{{\n{none}{text}}}\n",
        function.ir.path, function.ir.name
    )
}
