//! The rules of `flash_pipeline!`, and when each fragment is evaluated. It does not look inside
//! the user's Rust but for names.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::visit::Visit;

use super::cells::{bare, find_range, is_punct, is_word, split_commas, stream};
use super::cond;
use super::model::{
    Arg, Args, Cond, For, Fragment, If, Pipeline, Range, Refused, Stage, Stmt, Swap, While,
};
use super::moves;
use super::parse::{Ast, AstStmt};
use super::scope::{Scope, Uses, text};
use crate::diag::Diagnostics;
use crate::names::default_krate;
use crate::rules;

/// How deep loops may nest; `MAX_LOOPS` of the run time.
const MAX_LOOPS: usize = 8;

/// `several` says that the tokens come from several scopes of `macro_rules!`.
pub(super) fn pipeline(ast: Ast, several: bool, diag: &mut Diagnostics) -> Pipeline {
    let Ast { krate, rt, stmts } = ast;
    let mut check = Check { scope: Scope::new(several), depth: 0, diag };
    let stmts = check.stmts(stmts);
    let names = check.scope.into_named();
    Pipeline { krate: krate.unwrap_or_else(default_krate), rt, stmts, names }
}

struct Check<'d> {
    scope: Scope,
    /// The number of loops around.
    depth: usize,
    diag: &'d mut Diagnostics,
}

impl Check<'_> {
    fn stmts(&mut self, stmts: Vec<AstStmt>) -> Vec<Stmt> {
        stmts.into_iter().filter_map(|stmt| self.stmt(stmt)).collect()
    }

    fn block(&mut self, stmts: Vec<AstStmt>) -> Vec<Stmt> {
        let mark = self.scope.mark();
        let stmts = self.stmts(stmts);
        self.scope.reset(mark);
        stmts
    }

    fn stmt(&mut self, stmt: AstStmt) -> Option<Stmt> {
        match stmt {
            AstStmt::Stage { calls, space } => self.stage(calls, space).map(Stmt::Stage),
            AstStmt::For { span, var, header, body } => {
                Some(self.for_loop(span, var, header, body))
            }
            AstStmt::Let { whole } => self.let_stmt(&whole),
            AstStmt::Swap { name, args } => self.swap(&name, &args),
            AstStmt::If { span, cond, then, other } => {
                let cond = self.cond(span, &cond);
                let (then, other) = (self.block(then), self.block(other));
                Some(match cond {
                    Some(cond) => Stmt::If(If { span, cond, then, other }),
                    None => refused([then, other]),
                })
            }
            AstStmt::While { span, cond, max, body } => {
                let cond = self.cond(span, &cond);
                let max = self.fragment(&max);
                let body = self.block(body);
                Some(match cond {
                    Some(cond) => Stmt::While(While { span, cond, max, body }),
                    None => refused([body, Vec::new()]),
                })
            }
            AstStmt::Block(body) => {
                Some(Stmt::Refused(Refused { head: None, body: self.block(body) }))
            }
        }
    }

    fn stage(
        &mut self,
        calls: Vec<(Vec<TokenTree>, Group)>,
        space: Option<Group>,
    ) -> Option<Stage> {
        let mut checked = Vec::with_capacity(calls.len());
        for (callee, args) in calls {
            if let Some(name) = self.scope.uses(&callee).first() {
                let message = format!(
                    "what is called may not depend on the loop variable (`{name}`): write \
                     `kernel(..)[space];` with the variable in the arguments or the space"
                );
                self.diag.error(rules::CALLEE_OF_LOOP, name.span(), message);
                return None;
            }
            checked.push((stream(&callee), self.args(args)));
        }
        let space = match space {
            Some(space) if space.stream().is_empty() => {
                let message =
                    "the index space is empty, expected extents: `[n]` or `[width, height]`";
                self.diag.error(rules::EMPTY_SPACE, space.span_open(), message);
                return None;
            }
            Some(space) => Some(self.fragment(&[TokenTree::Group(space)])),
            None => None,
        };
        let calls = checked.into_iter().map(|(callee, args)| Some((callee, args?)));
        Some(Stage { calls: calls.collect::<Option<_>>()?, space })
    }

    fn args(&mut self, group: Group) -> Option<Args> {
        let trees: Vec<TokenTree> = group.stream().into_iter().collect();
        if self.scope.uses(&trees).first().is_none() {
            return Some(Args::Once(group));
        }
        let args = self.arg_list(&trees)?;
        Some(Args::Each { span: group.span(), args })
    }

    /// The arguments, all of them looked at; `None` if one is wrong.
    fn arg_list(&mut self, trees: &[TokenTree]) -> Option<Vec<Arg>> {
        let args: Vec<Option<Arg>> =
            split_commas(trees).into_iter().map(|arg| self.arg(arg)).collect();
        args.into_iter().collect()
    }

    fn arg(&mut self, trees: &[TokenTree]) -> Option<Arg> {
        let uses = self.scope.uses(trees);
        let Some(name) = uses.first().cloned() else {
            return Some(Arg::Fragment(Fragment::Once(stream(trees))));
        };
        let trees = bare(trees);
        let trees = trees.as_slice();
        match trees {
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                if split_commas(&inner).len() > 1 || is_punct(inner.last(), ',') {
                    let args = self.arg_list(&inner)?;
                    return Some(Arg::Tuple { span: group.span(), args });
                }
            }
            _ => {}
        }
        if is_punct(trees.first(), '&') {
            return self.array(trees, &name);
        }
        if is_punct(trees.first(), '|')
            || (is_word(trees.first(), "move") && is_punct(trees.get(1), '|'))
        {
            let message = format!(
                "a closure may not use the loop variable (`{name}`); pass it as an argument to a \
                 `#[flash::host_task]` function"
            );
            self.diag.error(rules::CLOSURE_OF_LOOP, name.span(), message);
            return None;
        }
        Some(Arg::Fragment(self.each(&uses, stream(trees))))
    }

    /// `&x.at(v)` or `&mut x.at(v)`; any other array stays what it is through a loop.
    fn array(&mut self, trees: &[TokenTree], name: &Ident) -> Option<Arg> {
        if let [base @ .., TokenTree::Ident(at), TokenTree::Group(index)] = trees
            && at == "at"
            && index.delimiter() == Delimiter::Parenthesis
            && is_punct(base.last(), '.')
            && self.scope.uses(base).first().is_none()
        {
            let inner: Vec<TokenTree> = index.stream().into_iter().collect();
            let moves = moves::of(stream(&inner), &self.scope.uses(&inner), &self.scope);
            let index = self.fragment(&inner);
            return Some(Arg::At { base: stream(base), at: at.span(), index, moves });
        }
        let message = format!(
            "an array may not depend on the loop variable (`{name}`), except as `&x.at({name})` or \
             `&mut x.at({name})`"
        );
        self.diag.error(rules::ARRAY_OF_LOOP, name.span(), message);
        None
    }

    fn for_loop(
        &mut self,
        span: Span,
        var: Ident,
        header: Vec<TokenTree>,
        body: Vec<AstStmt>,
    ) -> Stmt {
        if !self.is_range(span, &header) {
            let mark = self.scope.mark();
            self.scope.bind_once(vec![var.clone()]);
            let body = self.stmts(body);
            self.scope.reset(mark);
            return Stmt::Refused(Refused { head: Some((var, stream(&header))), body });
        }
        if self.depth == MAX_LOOPS {
            let message =
                format!("loops of a pipeline nest at most {MAX_LOOPS} deep; merge two of them");
            self.diag.error(rules::LOOP_DEPTH, span, message);
        }
        let range = self.range(&header);
        let name = text(&var);
        // A name that no other loop has, even where a `let` keeps a shadowed variable alive.
        let own = Ident::new(
            &format!("__{}{}", name.trim_start_matches('_'), self.depth),
            Span::mixed_site(),
        );
        let mark = self.scope.mark();
        // `_` is a place without a name.
        if name != "_" {
            self.scope.bind_var(var, own.clone());
        }
        self.depth += 1;
        let body = self.stmts(body);
        self.depth -= 1;
        self.scope.reset(mark);
        Stmt::For(For { span, var: own, range, body })
    }

    /// The condition of a decision or loop.
    fn cond(&mut self, span: Span, trees: &[TokenTree]) -> Option<Cond> {
        if trees.is_empty() {
            let message = "the condition is missing: `if cond { .. }`, `while cond, max n { .. }`";
            self.diag.error(rules::CONDITION, span, message);
            return None;
        }
        let ast = cond::parse(trees, span, self.diag)?;
        Some(self.cond_of(ast))
    }

    fn cond_of(&self, ast: cond::Ast) -> Cond {
        match ast {
            cond::Ast::Leaf(trees) => Cond::Leaf(self.fragment(&trees)),
            cond::Ast::Compare(how, a, b) => {
                Cond::Compare(how, self.fragment(&a), self.fragment(&b))
            }
            cond::Ast::Not(inner) => Cond::Not(Box::new(self.cond_of(*inner))),
            cond::Ast::Both(how, two) => {
                let two = Box::new(two.map(|one| self.cond_of(one)));
                match how {
                    cond::Both::And => Cond::And(two),
                    cond::Both::Or => Cond::Or(two),
                    cond::Both::Xor => Cond::Xor(two),
                }
            }
        }
    }

    /// What a loop runs over, whose dots stand at these places.
    fn range(&self, header: &[TokenTree]) -> Range {
        let whole = || Range::Value(self.fragment(header));
        let Some((dots, after)) = find_range(header) else { return whole() };
        let (Some(from), Some(to)) = (header.get(..dots), header.get(after..)) else {
            return whole();
        };
        if is_punct(from.first(), '&') || is_punct(to.first(), '&') {
            let (from, to) = (self.fragment(from), self.fragment(to));
            return Range::Cells { from, to, inclusive: after == dots + 3 };
        }
        whole()
    }

    /// Whether a loop runs over `a..b` or `a..=b`.
    fn is_range(&mut self, span: Span, header: &[TokenTree]) -> bool {
        let Some((dots, after)) = find_range(header) else {
            let at = header.first().map_or(span, super::cells::anchor);
            let message = "a loop of a pipeline runs over `a..b` or `a..=b`; for other iterators \
                           write a Rust loop and `push` the stages";
            self.diag.error(rules::ITERATOR, at, message);
            return false;
        };
        if dots == 0 || after == header.len() {
            let at = header.get(dots).map_or(span, TokenTree::span);
            let message = "a loop of a pipeline has two bounds: `a..b` or `a..=b`";
            self.diag.error(rules::OPEN_RANGE, at, message);
            return false;
        }
        true
    }

    fn let_stmt(&mut self, trees: &[TokenTree]) -> Option<Stmt> {
        let mut whole = stream(trees);
        whole.extend(TokenStream::from(TokenTree::from(proc_macro2::Punct::new(
            ';',
            proc_macro2::Spacing::Alone,
        ))));
        let local = match syn::parse2::<syn::Stmt>(whole.clone()) {
            Ok(syn::Stmt::Local(local)) => local,
            Ok(_) => return None,
            Err(error) => {
                let message = format!("this `let` cannot be read: {error}");
                self.diag.error(rules::LET_SYNTAX, error.span(), message);
                return None;
            }
        };
        if local.init.is_none() {
            let message = "a `let` of a pipeline has a value: `let x = e;`";
            self.diag.error(rules::LET_VALUE, local.let_token.span, message);
            return None;
        }
        let mut names = Names(Vec::new());
        names.visit_pat(&local.pat);
        let Names(names) = names;
        // The pattern binds; only what follows it is used.
        let equals = trees.iter().position(|tree| is_punct(Some(tree), '=')).unwrap_or(0);
        let uses = self.scope.uses(trees.get(equals..).unwrap_or_default());
        if uses.first().is_some() {
            self.scope.bind_each(names, whole, uses);
            return None;
        }
        self.scope.bind_once(names);
        Some(Stmt::Let(whole))
    }

    fn swap(&mut self, name: &Ident, args: &Group) -> Option<Stmt> {
        let trees: Vec<TokenTree> = args.stream().into_iter().collect();
        let pieces = split_commas(&trees);
        let [a, b] = pieces.as_slice() else {
            let message =
                format!("`swap` exchanges two handles: `swap(a, b);`, found {}", pieces.len());
            self.diag.error(rules::SWAP_ARITY, name.span(), message);
            return None;
        };
        if let Some(used) = self.scope.uses(&trees).first() {
            let message = format!("`swap` may not depend on the loop variable (`{used}`)");
            self.diag.error(rules::SWAP_OF_LOOP, used.span(), message);
            return None;
        }
        Some(Stmt::Swap(Swap { span: name.span(), a: handle(a), b: handle(b) }))
    }

    fn fragment(&self, trees: &[TokenTree]) -> Fragment {
        let uses = self.scope.uses(trees);
        match uses.first() {
            None => Fragment::Once(stream(trees)),
            Some(_) => self.each(&uses, stream(trees)),
        }
    }

    fn each(&self, uses: &Uses, tokens: TokenStream) -> Fragment {
        Fragment::Each { needs: self.scope.needs(uses), tokens }
    }
}

/// What was refused, with what stood in it.
fn refused(blocks: [Vec<Stmt>; 2]) -> Stmt {
    Stmt::Refused(Refused { head: None, body: blocks.into_iter().flatten().collect() })
}

/// `a` of `a`, `&a` and `&mut a`.
fn handle(trees: &[TokenTree]) -> TokenStream {
    match trees {
        [amp, word, rest @ ..] if is_punct(Some(amp), '&') && is_word(Some(word), "mut") => {
            stream(rest)
        }
        [amp, rest @ ..] if is_punct(Some(amp), '&') => stream(rest),
        _ => stream(trees),
    }
}

/// The names a pattern binds.
struct Names(Vec<Ident>);

impl<'p> Visit<'p> for Names {
    fn visit_pat_ident(&mut self, pat: &'p syn::PatIdent) {
        self.0.push(pat.ident.clone());
        syn::visit::visit_pat_ident(self, pat);
    }
}
