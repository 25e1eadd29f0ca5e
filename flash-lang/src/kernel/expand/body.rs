//! A body as Rust again, for one item: with every access checked (the rim), or with rows and known
//! guards (the interior). Literals, types, paths and operators keep the user's spans.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::BinOp;

use super::names::{self, Names, respan};
use super::plan::{Kind, Plan, Site, kind, own_dims};
use super::stretch::{Run, Sign, Stretch};
use super::{contract, math};
use crate::groups::standing;
use crate::kernel::model::{
    Access, AccessClass, Block, Expr, ExprKind, For, Kernel, Place, Proj, Stmt,
};

/// Which copy of the body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Every access checked. Arrays and values have the user's names.
    Rim,
    /// Rows and known guards. Values have the user's names.
    Fast,
    /// Rows that may lack elements, and guards that are asked. Values have the user's names.
    Edge,
    /// An expression over values and extents outside of the body.
    Uniform,
}

/// Writes one copy of a body.
pub(super) struct Writer<'p, 'k> {
    pub(super) plan: Option<&'p Plan<'k>>,
    pub(super) kernel: &'k Kernel,
    pub(super) mode: Mode,
    /// Inside of a loop whose reads along it were found to be in range.
    pub(super) along: bool,
    /// For items side by side: conditions are evaluated as a whole where that cannot fail.
    pub(super) abreast: bool,
}

/// An expression over values and extents, as written, where values are in variables.
pub(super) fn uniform(kernel: &Kernel, expr: &Expr) -> TokenStream {
    Writer { plan: None, kernel, mode: Mode::Uniform, along: false, abreast: false }.expr(expr)
}

/// The label of an item, which `return` leaves.
pub(super) fn label() -> syn::Lifetime {
    syn::Lifetime { apostrophe: Span::call_site(), ident: names::plain("__item") }
}

impl Writer<'_, '_> {
    /// The statements of a block and its value.
    pub(super) fn block(&self, block: &Block) -> TokenStream {
        let stmts = block.stmts.iter().map(|stmt| self.stmt(stmt));
        let tail = block.tail.as_ref().map(|tail| standing(self.expr(tail)));
        quote!(#(#stmts)* #tail)
    }

    pub(super) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(local, init) => {
                let Some(local) = self.plan.map(|plan| &plan.body.locals[*local]) else {
                    return TokenStream::new();
                };
                let name = &local.name;
                let mutable = local.mutable.then(|| quote!(mut));
                let ty = local.ty.as_ref().map(|ty| quote!(: #ty));
                let init = init.as_ref().map(|init| {
                    let init = self.expr(init);
                    quote!(= #init)
                });
                quote!(let #mutable #name #ty #init;)
            }
            Stmt::Assign(place, value, at) => {
                crate::ast::settle(self.assign(place, value, *at), value.span)
            }
            Stmt::Update(place, op, value, _) => {
                crate::ast::settle(self.update(place, op, value), value.span)
            }
            Stmt::Reduce(param, value, _) => {
                let elem = &self.kernel.params[*param].elem;
                let (value, at) = (self.expr(value), value.span);
                let (cell, new) = (self.array(*param, at), names::var("__new", at));
                let position = names::plain("__position");
                quote!({ let #new: #elem = #value; #cell.put(#position, #new); })
            }
            Stmt::Expr(expr) => {
                let expr = standing(self.expr(expr));
                quote!(#expr;)
            }
            Stmt::For(repeat) => {
                let Some(local) = self.plan.map(|plan| &plan.body.locals[repeat.local]) else {
                    return TokenStream::new();
                };
                let (name, core) = (&local.name, Names::new(self.kernel).core());
                let (lo, hi) = (self.expr(&repeat.lo), self.expr(&repeat.hi));
                if let Some(repeat) = self.stretched(repeat) {
                    return repeat;
                }
                let mutable = local.mutable.then(|| quote!(mut));
                let mut range = if repeat.inclusive { quote!(#lo..=#hi) } else { quote!(#lo..#hi) };
                if repeat.rev {
                    range = quote!(#core::iter::Iterator::rev(#range));
                }
                if let Some(step) = &repeat.step {
                    let step = self.expr(step);
                    range = quote!(#core::iter::Iterator::step_by(#range, #step));
                }
                let body = self.block(&repeat.body);
                quote_spanned!(repeat.span=> for #mutable #name in #range { #body })
            }
            Stmt::While(condition, body, at) => {
                let body = self.block(body);
                match condition {
                    Some(condition) => {
                        let condition = self.expr(condition);
                        quote_spanned!(*at=> while #condition { #body })
                    }
                    None => quote_spanned!(*at=> loop { #body }),
                }
            }
            Stmt::Break(at) => quote_spanned!(*at=> break;),
            Stmt::Continue(at) => quote_spanned!(*at=> continue;),
            Stmt::Return(..) => {
                let label = label();
                quote!(break #label;)
            }
            Stmt::Unsafe(token, block) => {
                let block = self.block(block);
                quote!(#token { #block })
            }
        }
    }

    /// A loop with reads along it: they are checked before the first trip, and where one is out of
    /// range, each at its place.
    fn stretched(&self, repeat: &For) -> Option<TokenStream> {
        // Few items are left over where the others go side by side, but their rows may be long.
        let few = |plan: &&Plan<'_>| plan.abreast && !plan.stretches.any_own();
        let plan = self.plan.filter(|plan| self.mode == Mode::Fast && !few(plan))?;
        let along = |s: &&Stretch<'_>| s.run == Run::Along && plan.site(s.access) == Site::Checked;
        let stretches: Vec<_> = plan.stretches.of(repeat)?.iter().filter(along).collect();
        if stretches.is_empty() {
            return None;
        }
        let (name, core) = (&plan.body.locals[repeat.local].name, Names::new(self.kernel).core());
        let (lo, hi) = (self.expr(&repeat.lo), self.expr(&repeat.hi));
        let (from, to) = (names::plain("__from"), names::plain("__to"));
        let (trips, trip) = (names::plain("__trips"), names::plain("__trip"));
        let slices: Vec<Ident> = stretches.iter().map(|s| names::stretch(s.access.site)).collect();
        let rows = stretches.iter().map(|stretch| {
            let array = self.array(stretch.access.param, stretch.access.span);
            let rest = stretch.access.index.iter().rev().skip(1).rev().map(|i| self.expr(i));
            // An offset that wraps leads out of range, and so to the checked loop.
            let last = match stretch.offset {
                None => quote!(#from),
                Some((Sign::Plus, offset)) => {
                    let offset = self.expr(offset);
                    quote!(#from.wrapping_add(#offset))
                }
                Some((Sign::Minus, offset)) => {
                    let offset = self.expr(offset);
                    quote!(#from.wrapping_sub(#offset))
                }
            };
            quote!(#array.row([#(#rest,)* #last], #trips))
        });
        let along = Writer { along: true, ..*self }.block(&repeat.body);
        let checked = self.block(&repeat.body);
        Some(quote_spanned! {repeat.span=> {
            let (#from, #to): (usize, usize) = (#lo, #hi);
            let #trips = #core::cmp::Ord::max(#to, #from) - #from;
            #(let #slices = #rows;)*
            if #(#slices.len() == #trips &&)* true {
                #(let #slices = &#slices[..#trips];)*
                for #trip in 0..#trips {
                    let #name = #from + #trip;
                    #along
                }
            } else {
                for #name in #from..#to { #checked }
            }
        }})
    }

    fn projs(&self, projs: &[Proj]) -> TokenStream {
        projs
            .iter()
            .map(|proj| match proj {
                Proj::Field(member) => quote!(.#member),
                Proj::Index(index) => {
                    let index = self.expr(index);
                    quote!([#index])
                }
            })
            .collect()
    }

    fn local(&self, local: usize, at: Span) -> TokenStream {
        match self.plan {
            Some(plan) => {
                let name = respan(&plan.body.locals[local].name, at);
                quote!(#name)
            }
            None => quote!(0),
        }
    }

    fn assign(&self, place: &Place, value: &Expr, at: Span) -> TokenStream {
        let k = names::plain("__k");
        let new = names::var("__new", value.span);
        let written = self.expr(value);
        let eq = quote_spanned!(at=> =);
        match place {
            Place::Local(local, span, projs) => {
                let (local, projs) = (self.local(*local, *span), self.projs(projs));
                quote!(#local #projs #eq #written;)
            }
            Place::Elem(access, projs) => {
                let elem = &self.kernel.params[access.param].elem;
                let path = self.projs(projs);
                match self.reach(access) {
                    Reach::Place(place) if projs.is_empty() => {
                        quote!({ let #new: #elem = #written; #place #eq #new; })
                    }
                    Reach::Place(place) => {
                        quote!({ let #new = #written; #place #path #eq #new; })
                    }
                    Reach::Cell(cell) if projs.is_empty() => {
                        quote!({ let #new: #elem = #written; #cell.set(#new); })
                    }
                    Reach::Checked { array, index, ids, bad }
                    | Reach::RawOwn { array, index, ids, bad }
                        if projs.is_empty() =>
                    {
                        quote!({
                            let #new: #elem = #written;
                            #array.set(#index, #ids, #k, #bad, #new);
                        })
                    }
                    reach => {
                        let change = quote!(#path #eq #new);
                        self.change(reach, &quote!(let #new = #written;), &change)
                    }
                }
            }
        }
    }

    fn update(&self, place: &Place, of: &BinOp, value: &Expr) -> TokenStream {
        let new = names::var("__new", value.span);
        let (op, written) = (super::compound::assigning(of), self.expr(value));
        match place {
            Place::Local(local, span, projs) => {
                let (local, projs) = (self.local(*local, *span), self.projs(projs));
                match contract::update(self, (place, of, value), &local) {
                    Some(sum) => quote!(#local = #sum;),
                    None => quote!(#local #projs #op #written;),
                }
            }
            Place::Elem(access, projs) => {
                let projs = self.projs(projs);
                match self.reach(access) {
                    Reach::Place(place) => {
                        quote!({ let #new = #written; #place #projs #op #new; })
                    }
                    reach => {
                        let change = quote!(#projs #op #new);
                        self.change(reach, &quote!(let #new = #written;), &change)
                    }
                }
            }
        }
    }

    /// Changes a part of a checked place after `before` has run.
    fn change(&self, reach: Reach, before: &TokenStream, change: &TokenStream) -> TokenStream {
        let k = names::plain("__k");
        match reach {
            Reach::Place(place) => quote!({ #before #place #change; }),
            Reach::Cell(cell) => {
                let element = names::plain("__element");
                quote!({
                    #before
                    let mut #element = #cell.get();
                    #element #change;
                    #cell.set(#element);
                })
            }
            Reach::Pointer { array, index, bad } => {
                quote!({ #before (*#array.ptr(#index, #k, #bad)) #change; })
            }
            Reach::Checked { array, index, ids, bad } => {
                quote!({ #before (*#array.place(#index, #ids, #k, #bad)) #change; })
            }
            Reach::RawOwn { array, index, ids, bad } => {
                let element = names::plain("__element");
                quote!({
                    #before
                    let mut #element = #array.get(#index, #ids, #k, #bad);
                    #element #change;
                    #array.set(#index, #ids, #k, #bad, #element);
                })
            }
        }
    }

    /// The variable of an array parameter.
    pub(super) fn array(&self, param: usize, at: Span) -> Ident {
        match self.mode {
            Mode::Rim => respan(&self.kernel.params[param].name, at),
            Mode::Fast | Mode::Edge | Mode::Uniform => names::param(param, at),
        }
    }

    /// How an access gets to its element.
    fn reach(&self, access: &Access) -> Reach {
        let index: Vec<TokenStream> = access.index.iter().map(|index| self.expr(index)).collect();
        let site = match (self.mode, self.plan) {
            (Mode::Fast | Mode::Edge, Some(plan)) => plan.site(access),
            _ => Site::Checked,
        };
        match site {
            Site::Row(row) => {
                let (row, item) = (names::row(row), names::plain("__r"));
                let row = respan(&row, access.span);
                if self.mode == Mode::Edge && kind(self.kernel, access.param) == Kind::Input {
                    return Reach::Place(super::edges::element(self.kernel, &row));
                }
                return match (kind(self.kernel, access.param), access.class) {
                    (Kind::Raw, AccessClass::Unchecked) => {
                        Reach::Place(quote_spanned!(access.span=> (*#row.ptr(#item))))
                    }
                    (Kind::Raw, _) => Reach::Cell(quote_spanned!(access.span=> #row[#item])),
                    _ => Reach::Place(quote_spanned!(access.span=> #row[#item])),
                };
            }
            Site::Dead => {
                let dead = names::dead(access.param);
                let entry = Names::new(self.kernel).entry();
                let dead = respan(&dead, access.span);
                let at = access.span;
                return Reach::Place(quote_spanned!(at=> #dead[#entry::nowhere([#(#index),*])]));
            }
            Site::Checked => {}
        }
        let grouped = self.plan.filter(|_| self.abreast && self.along);
        if let Some(group) = grouped.and_then(|plan| plan.stretches.group(access.site)) {
            return Reach::Place(group.element(access.site));
        }
        if self.along && self.plan.is_some_and(|plan| plan.stretches.has(access.site)) {
            let (stretch, trip) = (names::stretch(access.site), names::plain("__trip"));
            let own = self.abreast && self.plan.is_some_and(|p| p.stretches.is_own(access.site));
            let item = names::plain("__r");
            let row = if own { quote!(#stretch[#item]) } else { quote!(#stretch) };
            return Reach::Place(quote!(#row[#trip]));
        }
        let column = self.plan.filter(|_| self.abreast);
        if let Some(run) = column.and_then(|plan| plan.stretches.column(access.site)) {
            return Reach::Place(run.element(access.site));
        }
        let array = self.array(access.param, access.span);
        let bad = names::bad(access.param);
        let unchecked = access.class == AccessClass::Unchecked;
        let ids = self.ids(access);
        let index = quote!([#(#index),*]);
        match kind(self.kernel, access.param) {
            Kind::Raw if unchecked => Reach::Pointer { array, index, bad },
            Kind::Raw => Reach::RawOwn { array, index, ids, bad },
            _ => Reach::Checked { array, index, ids, bad },
        }
    }

    /// The ids that an own place is compared with; the index itself where a component is free.
    fn ids(&self, access: &Access) -> TokenStream {
        let own = own_dims(self.kernel, access);
        let ids =
            access.index.iter().enumerate().map(|(c, index)| match own.get(c).copied().flatten() {
                Some(dim) => {
                    let id = names::id(dim, access.span);
                    quote!(#id)
                }
                None => self.expr(index),
            });
        quote!([#(#ids),*])
    }

    fn load(&self, access: &Access) -> TokenStream {
        let (k, at) = (names::plain("__k"), access.span);
        match self.reach(access) {
            Reach::Place(place) => place,
            Reach::Cell(cell) => quote_spanned!(at=> #cell.get()),
            Reach::Pointer { array, index, bad } => {
                quote_spanned!(at=> (*#array.ptr(#index, #k, #bad)))
            }
            Reach::RawOwn { array, index, ids, bad } => {
                quote_spanned!(at=> #array.get(#index, #ids, #k, #bad))
            }
            Reach::Checked { array, index, ids, bad } => match kind(self.kernel, access.param) {
                Kind::Input if access.class == AccessClass::Unchecked => {
                    quote_spanned!(at=> #array.get_unchecked(#index, #k, #bad))
                }
                Kind::Input => quote_spanned!(at=> #array.get(#index, #k, #bad)),
                Kind::Atomic => quote_spanned!(at=> #array.at(#index, #k, #bad)),
                _ => quote_spanned!(at=> #array.get(#index, #ids, #k, #bad)),
            },
        }
    }

    pub(super) fn expr(&self, expr: &Expr) -> TokenStream {
        // What is ours in it is spoken of at the user's token.
        crate::ast::settle(self.bare(expr), expr.span)
    }

    fn bare(&self, expr: &Expr) -> TokenStream {
        let at = expr.span;
        match &expr.kind {
            ExprKind::Lit(lit) => quote_spanned!(at=> #lit),
            ExprKind::Const(path) => quote_spanned!(at=> #path),
            ExprKind::Local(local) => self.local(*local, at),
            ExprKind::Param(param) => {
                let value = match self.mode {
                    Mode::Uniform => names::param(*param, at),
                    Mode::Rim | Mode::Fast | Mode::Edge => {
                        respan(&self.kernel.params[*param].name, at)
                    }
                };
                quote_spanned!(at=> #value)
            }
            ExprKind::GlobalId(dim) => {
                let id = names::id(*dim, at);
                quote_spanned!(at=> #id)
            }
            ExprKind::Launch(word) => match self.mode {
                Mode::Uniform => {
                    crate::ast::at(names::launch_value(&names::plain("__uniforms"), *word), at)
                }
                Mode::Rim | Mode::Fast | Mode::Edge => {
                    let name = names::launch(*word, at);
                    quote_spanned!(at=> #name)
                }
            },
            ExprKind::Len(param) => match self.mode {
                Mode::Uniform => {
                    let uniforms = names::plain("__uniforms");
                    quote_spanned!(at=> #uniforms.len(#param))
                }
                Mode::Fast | Mode::Edge => {
                    let len = names::len(*param, at);
                    quote_spanned!(at=> #len)
                }
                Mode::Rim => {
                    let array = self.array(*param, at);
                    quote_spanned!(at=> #array.len())
                }
            },
            ExprKind::Extent(param, dim) => {
                let literal = usize::from(*dim);
                match self.mode {
                    Mode::Uniform => {
                        let uniforms = names::plain("__uniforms");
                        quote_spanned!(at=> #uniforms.extent(#param, #literal))
                    }
                    Mode::Fast | Mode::Edge => {
                        let extent = names::extent(*param, *dim, at);
                        quote_spanned!(at=> #extent)
                    }
                    Mode::Rim => {
                        let array = self.array(*param, at);
                        quote_spanned!(at=> #array.extent(#literal))
                    }
                }
            }
            ExprKind::Load(access) => self.load(access),
            ExprKind::Atomic(access, method, args) => {
                let (cell, args) = (self.load(access), self.all(args));
                quote_spanned!(at=> #cell.#method(#args))
            }
            ExprKind::Unary(op, a) => {
                let a = self.expr(a);
                quote_spanned!(at=> #op #a)
            }
            ExprKind::Binary(a, op, b) => {
                if let Some(sum) = contract::sum(self, (a, op, b), at) {
                    return sum;
                }
                let whole = self.abreast && super::total::is_total(self.plan, b);
                let (a, b) = (self.expr(a), self.expr(b));
                match op {
                    BinOp::And(_) if whole => quote_spanned!(at=> (#a) & (#b)),
                    BinOp::Or(_) if whole => quote_spanned!(at=> (#a) | (#b)),
                    _ => quote_spanned!(at=> #a #op #b),
                }
            }
            ExprKind::Cast(a, ty) => super::cast::cast(self, a, ty, at),
            ExprKind::Math(_, name, args) => {
                math::call(math::home(self, name), name, |k| args.get(k).map(|arg| self.expr(arg)))
            }
            ExprKind::Assoc(ty, name, args) => {
                let args = self.all(args);
                math::assoc(math::home(self, name), ty, name, &args)
            }
            ExprKind::Complex(path, name, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
                super::math::complex(&self.kernel.krate, path.as_ref(), name, &args)
            }
            ExprKind::Call(path, args) => {
                let (args, called) = (self.all(args), super::probe::called(path));
                quote_spanned!(at=> #called(#args))
            }
            ExprKind::If(condition, then, otherwise) => {
                let known = match (self.mode, self.plan) {
                    (Mode::Fast, Some(plan)) => plan.guard(condition),
                    _ => None,
                };
                let condition = match known {
                    Some(value) => quote_spanned!(at=> #value),
                    None => self.expr(condition),
                };
                let then = self.block(then);
                let otherwise = otherwise.as_ref().map(|otherwise| {
                    let otherwise = self.block(otherwise);
                    quote_spanned!(at=> else { #otherwise })
                });
                quote_spanned!(at=> if #condition { #then } #otherwise)
            }
            ExprKind::Block(block) => {
                let block = self.block(block);
                quote_spanned!(at=> { #block })
            }
            ExprKind::Unsafe(token, block) => {
                let block = self.block(block);
                quote_spanned!(at=> #token { #block })
            }
            ExprKind::Field(a, member) => {
                let a = self.expr(a);
                quote_spanned!(at=> #a.#member)
            }
            ExprKind::Index(a, index) => {
                let (a, index) = (self.expr(a), self.expr(index));
                quote_spanned!(at=> #a[#index])
            }
            ExprKind::Struct(path, fields) => {
                let fields = fields.iter().map(|(name, value)| {
                    let value = self.expr(value);
                    quote_spanned!(at=> #name: #value)
                });
                quote_spanned!(at=> #path { #(#fields),* })
            }
            ExprKind::Array(elems) => {
                let elems = self.all(elems);
                quote_spanned!(at=> [#elems])
            }
            ExprKind::Repeat(value, n) => {
                let (value, n) = (self.expr(value), self.expr(n));
                quote_spanned!(at=> [#value; #n])
            }
            ExprKind::Paren(a) => {
                let a = self.expr(a);
                quote_spanned!(at=> (#a))
            }
        }
    }

    fn all(&self, exprs: &[Expr]) -> TokenStream {
        let exprs = exprs.iter().map(|expr| self.expr(expr));
        quote!(#(#exprs),*)
    }
}

/// The way to an element.
enum Reach {
    /// A place expression.
    Place(TokenStream),
    /// A cell of the item's own.
    Cell(TokenStream),
    /// Methods that compare with the item's own place, or check.
    Checked { array: Ident, index: TokenStream, ids: TokenStream, bad: Ident },
    /// The same without references.
    RawOwn { array: Ident, index: TokenStream, ids: TokenStream, bad: Ident },
    /// A pointer, in the user's `unsafe`.
    Pointer { array: Ident, index: TokenStream, bad: Ident },
}
