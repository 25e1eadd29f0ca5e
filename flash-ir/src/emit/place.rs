//! Places: elements of arrays, parts of structures and small arrays, read and assigned. Addresses are
//! computed here, and indices compared with what is held; the operators of an update are not its business.

use super::body::{Body, Part, Scope};
use super::code::{Code, Level};
use super::layout::Word;
use super::{number, types};
use crate::ir::{AccessClass, AddressSpace, ParamKind, Span};
use crate::resolve::typed::{Access, Base, Expr, ExprKind, Place, Proj};
use crate::ty::{ScalarTy, Ty};

/// Where a place starts.
enum Start<'e> {
    Local(u16),
    Param(u16),
    /// A constant array.
    Table(&'e Expr),
    Elem(&'e Access),
    /// Anything else that has parts.
    Value(&'e Expr),
}

/// A step into a place.
enum Step<'e> {
    Field(String),
    Index(&'e Expr, usize),
}

/// A place whose indices are evaluated.
pub(super) struct Reached {
    /// As C.
    pub(super) text: String,
    /// The type of what is there.
    pub(super) ty: Ty,
    /// Where it may be outside: the condition under which it is not, and what notes that it is.
    pub(super) check: Option<(String, String)>,
    /// Whether nobody changes what is there.
    is_stable: bool,
}

impl Body<'_, '_> {
    /// The value of a local, parameter, constant array, element, or part of anything.
    pub(super) fn read(&mut self, expr: &Expr) -> Code {
        let (start, steps, span) = taken_apart(expr);
        let mut parts = Vec::new();
        if let Start::Value(value) = start {
            parts.push(Part::Whole(value));
        }
        let (codes, elements) = self.evaluate(parts, &start, &steps, span);
        let reached = self.reached(&start, &steps, &codes[codes.len() - elements..], &codes, expr);
        self.load(reached)
    }

    /// The value of a place that is reached.
    pub(super) fn load(&mut self, reached: Reached) -> Code {
        let mut code = Code::atom(reached.text, reached.ty);
        code.is_stable = reached.is_stable;
        let Some((inside, missed)) = reached.check else { return code };
        if let Ty::Scalar(ty) = reached.ty {
            let zero = number::literal(0, ty, self.to.dialect).text;
            code.text = chosen(&inside, &code.text, &missed, &zero);
            (code.has_effect, code.is_stable) = (true, false);
            return code;
        }
        let name = self.temporary();
        let ty = self.to.ty(&reached.ty, Span::default());
        self.writer.line(format!("{ty} {name} = {};", self.to.dialect.zeros()));
        self.guarded(&Some((inside, missed)), &format!("{name} = {};", code.text));
        Code::atom(name, reached.ty)
    }

    /// Does something with a place, where it is inside.
    pub(super) fn guarded(&mut self, check: &Option<(String, String)>, statement: &str) {
        let Some((inside, missed)) = check else {
            self.writer.line(statement);
            return;
        };
        self.writer.open(format!("if ({inside}) {{"));
        self.writer.line(statement);
        self.writer.turn("} else {");
        self.writer.line(format!("{missed};"));
        self.writer.close("}");
    }

    /// Evaluates values and then the indices of a place that is assigned.
    pub(super) fn place(
        &mut self,
        values: &[&Expr],
        place: &Place,
        span: Span,
    ) -> (Vec<Code>, Reached) {
        let start = match &place.base {
            Base::Local(id) => Start::Local(*id),
            Base::Elem(access) => Start::Elem(access),
        };
        let mut steps = Vec::new();
        let mut ty = match &place.base {
            Base::Local(id) => self.types.get(usize::from(*id)).copied().unwrap_or(Ty::Unit),
            Base::Elem(access) => self.element_ty(access),
        };
        for proj in &place.projs {
            steps.push(match (proj, ty) {
                (Proj::Field(field), Ty::Struct(layout)) => {
                    ty = field.ty;
                    Step::Field(types::member(layout, field))
                }
                (Proj::Field(field), _) => Step::Field(field.name.to_owned()),
                (Proj::Index(index, elem, len), _) => {
                    ty = **elem;
                    Step::Index(index, *len)
                }
            });
        }
        let parts = values.iter().map(|value| Part::Operand(value)).collect();
        let (mut codes, elements) = self.evaluate(parts, &start, &steps, span);
        let at = codes.len() - elements;
        let text = self.start(&start, &codes[at..]);
        let indices: Vec<Code> = codes.drain(at..).collect();
        let reached = self.finish(text, &start, &steps, &indices, place.ty);
        (codes, reached)
    }

    /// An element for an atomic operation, and the arguments of that.
    pub(super) fn cell(&mut self, access: &Access, args: &[Expr]) -> (Vec<Code>, Reached) {
        let mut parts: Vec<Part<'_>> = access.index.iter().map(Part::Operand).collect();
        parts.extend(args.iter().map(Part::Operand));
        let mut codes = self.in_order(&parts);
        let args = codes.split_off(access.index.len());
        for code in &mut codes {
            *code = self.keep_twice(code);
        }
        let start = Start::Elem(access);
        let text = self.start(&start, &codes);
        let ty = self.element_ty(access);
        (args, self.finish(text, &start, &[], &codes, ty))
    }

    pub(super) fn element_ty(&self, access: &Access) -> Ty {
        let param = self.to.kernel.ir.params.get(usize::from(access.param));
        param.map_or(Ty::Unit, |param| param.ty)
    }

    /// Evaluates what stands before a place, then its indices, which may be written twice; gives all
    /// and the number of indices.
    fn evaluate<'e>(
        &mut self,
        mut parts: Vec<Part<'e>>,
        start: &Start<'e>,
        steps: &[Step<'e>],
        span: Span,
    ) -> (Vec<Code>, usize) {
        let before = parts.len();
        if let Start::Elem(access) = start {
            parts.extend(access.index.iter().map(Part::Operand));
        }
        for step in steps {
            if let Step::Index(index, len) = step {
                parts.push(Part::Index(index, *len, span));
            }
        }
        let mut codes = self.in_order(&parts);
        if let Start::Elem(_) = start {
            for code in &mut codes[before..] {
                *code = self.keep_twice(code);
            }
        }
        let elements = codes.len() - before;
        (codes, elements)
    }

    fn reached(
        &mut self,
        start: &Start<'_>,
        steps: &[Step<'_>],
        indices: &[Code],
        codes: &[Code],
        expr: &Expr,
    ) -> Reached {
        let text = match start {
            Start::Value(_) => {
                codes.first().map(|code| code.under(Level::Atom)).unwrap_or_default()
            }
            _ => self.start(start, indices),
        };
        self.finish(text, start, steps, indices, expr.ty)
    }

    /// The text of where a place starts.
    fn start(&mut self, start: &Start<'_>, indices: &[Code]) -> String {
        match start {
            Start::Local(id) => self.locals.get(usize::from(*id)).cloned().unwrap_or_default(),
            Start::Param(id) => self.value(*id),
            Start::Table(expr) => match expr.kind {
                ExprKind::Const(value) => self.to.table(value, &expr.ty, expr.span),
                _ => String::new(),
            },
            Start::Elem(access) => self.element(access, indices),
            Start::Value(_) => String::new(),
        }
    }

    /// The constant of a scalar or structure that is a parameter.
    fn value(&mut self, id: u16) -> String {
        let Some(param) = self.to.kernel.ir.params.get(usize::from(id)) else {
            return String::new();
        };
        let n_words = param.ty.size().div_ceil(8);
        for word in (0..n_words).rev() {
            if word == 0 {
                return self.word(Word::Value(id, 0));
            }
            self.to.words.insert(Word::Value(id, word as u16));
        }
        String::new()
    }

    fn finish(
        &mut self,
        mut text: String,
        start: &Start<'_>,
        steps: &[Step<'_>],
        indices: &[Code],
        ty: Ty,
    ) -> Reached {
        let n_components = match start {
            Start::Elem(access) => access.index.len(),
            _ => 0,
        };
        let (components, mut rest) = indices.split_at(n_components.min(indices.len()));
        for step in steps {
            match step {
                Step::Field(name) => text += &format!(".{name}"),
                Step::Index(..) => {
                    if let [first, others @ ..] = rest {
                        text += &format!(".v[{}]", first.text);
                        rest = others;
                    }
                }
            }
        }
        let mut is_stable = indices.iter().all(|index| index.is_stable);
        is_stable &= match start {
            Start::Local(id) => !self.changed.get(usize::from(*id)).copied().unwrap_or(true),
            Start::Param(_) | Start::Table(_) | Start::Value(_) => true,
            Start::Elem(access) => {
                let param = self.to.kernel.ir.params.get(usize::from(access.param));
                param.is_some_and(|param| param.kind == ParamKind::In)
            }
        };
        let check = match start {
            Start::Elem(access) => self.check(access, components),
            _ => None,
        };
        Reached { text, ty, check, is_stable }
    }

    /// Whether an index has to be compared with what is held.
    fn is_checked(&self, access: &Access) -> bool {
        let options = self.to.options;
        let known = options.inside.get(usize::from(access.site)).copied().unwrap_or(false);
        let trusted = access.class == AccessClass::Unchecked && !options.check_all;
        !known && !trusted && self.scope == Scope::Item
    }

    /// The comparison of an index with what is held, where it has to be made, and what notes that it
    /// failed.
    fn check(&mut self, access: &Access, components: &[Code]) -> Option<(String, String)> {
        if !self.is_checked(access) {
            return None;
        }
        let mut text = String::new();
        for (dim, code) in components.iter().enumerate() {
            let origin = self.word(Word::Origin(access.param, dim as u8));
            let held = self.word(Word::Held(access.param, dim as u8));
            let one = format!("{} - {origin} < {held}", code.under(Level::Sum));
            if components.len() == 1 {
                text = one;
            } else {
                let and = if dim > 0 { " & " } else { "" };
                text += &format!("{and}({one})");
            }
        }
        let missed = self.missed(access.param, components);
        Some((text, missed))
    }

    /// An element by its index.
    fn element(&mut self, access: &Access, components: &[Code]) -> String {
        if access.space != AddressSpace::Global {
            self.complain(access.span, "an array that is not in the memory of the device");
        }
        let id = access.param;
        if let Some(items) = self.packs.get(&id) {
            return format!("{items}.v[flash_k]");
        }
        let name = self.params.get(usize::from(id)).cloned().unwrap_or_default();
        // Beside a comparison it saves nothing.
        let is_checked = self.is_checked(access);
        let follow = |index: &Expr| !is_checked && self.turns.follows(index);
        let follow: Vec<bool> = access.index.iter().map(follow).collect();
        let components: Vec<_> = components.iter().zip(follow).collect();
        let text = self.element_at(id, &components);
        format!("{name}[{text}]")
    }

    /// Where an element of an array is, by the components of its index, each with whether it follows a loop.
    pub(super) fn element_at(&mut self, id: u16, components: &[(&Code, bool)]) -> String {
        let is_unit = self.to.options.unit_stride.get(usize::from(id)).copied().unwrap_or(false);
        let mut text = self.word(Word::Shift(id));
        for (dim, (code, follows)) in components.iter().enumerate() {
            let is_last = dim + 1 == components.len();
            let (index, level) = self.narrowed(code, *follows);
            if is_last && is_unit {
                text += &format!(" + {}", super::code::bracketed(&index, level, Level::Product));
            } else {
                let stride = self.word(Word::Stride(id, dim as u8));
                let index = super::code::bracketed(&index, level, Level::Prefix);
                text += &format!(" + {index} * {stride}");
            }
        }
        text
    }

    /// An index component in the type that addresses are computed in. Where 31 bits are enough for the whole they
    /// are for each part, so that those of 64 bits among them change nothing.
    fn narrowed(&self, code: &Code, follows: bool) -> (String, Level) {
        if self.to.options.wide {
            return (code.text.clone(), code.level);
        }
        let digits = code.text.trim_end_matches(['u', 'l']);
        if digits.parse::<i32>().is_ok() {
            return (digits.to_owned(), Level::Atom);
        }
        let ty = self.scalar(if follows { ScalarTy::I64 } else { ScalarTy::I32 });
        (format!("({ty}){}", code.under(Level::Prefix)), Level::Prefix)
    }
}

/// A value where a comparison holds, else zero, which is noted.
pub(super) fn chosen(inside: &str, value: &str, missed: &str, zero: &str) -> String {
    let inside = if inside.contains('&') { format!("({inside})") } else { inside.to_owned() };
    format!("({inside} ? {value} : ({missed}, {zero}))")
}

/// Takes an expression apart into where it starts and the steps from there; the span is where an index
/// that is too large is noted.
fn taken_apart(expr: &Expr) -> (Start<'_>, Vec<Step<'_>>, Span) {
    let mut steps = Vec::new();
    let mut at = expr;
    let mut span = None;
    let start = loop {
        match &at.kind {
            ExprKind::Local(id) => break Start::Local(*id),
            ExprKind::Param(id) => break Start::Param(*id),
            ExprKind::Const(_) => break Start::Table(at),
            ExprKind::Load(access) => break Start::Elem(access),
            ExprKind::Field(inner, field) => {
                let name = match inner.ty {
                    Ty::Struct(layout) => types::member(layout, field),
                    _ => field.name.to_owned(),
                };
                steps.push(Step::Field(name));
                at = inner;
            }
            ExprKind::Index(inner, index) => {
                let Ty::Array(_, len) = inner.ty else { break Start::Value(inner) };
                span.get_or_insert(at.span);
                steps.push(Step::Index(index, len));
                at = inner;
            }
            _ => break Start::Value(at),
        }
    };
    steps.reverse();
    (start, steps, span.unwrap_or(expr.span))
}
