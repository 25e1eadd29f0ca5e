//! Arrays that two stages name and one may write: where they are borrowed slices, rustc would speak
//! of two borrows and not of `Bound`. It only finds the names; what they are is a matter of types.

use std::cell::Cell;
use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::cells::{is_punct, is_word, split_commas};
use super::model::{Arg, Args, Fragment, Stage, Stmt};

/// The names of a pipeline's arguments, with what its stages do to them.
#[derive(Debug, Default)]
pub(super) struct Again {
    names: BTreeMap<String, Use>,
}

#[derive(Debug, Default)]
struct Use {
    written: bool,
    /// Stages that were asked for.
    asked: Cell<usize>,
}

impl Again {
    /// Reads all stages.
    pub(super) fn new(stmts: &[Stmt]) -> Self {
        let mut again = Self::default();
        again.read(stmts);
        again
    }

    fn read(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Stage(stage) => {
                    for (name, written) in names(stage) {
                        let known = self.names.entry(name.to_string()).or_default();
                        known.written |= written;
                    }
                }
                Stmt::For(repeat) => self.read(&repeat.body),
                Stmt::While(repeat) => self.read(&repeat.body),
                Stmt::If(decision) => {
                    self.read(&decision.then);
                    self.read(&decision.other);
                }
                Stmt::Refused(refused) => self.read(&refused.body),
                Stmt::Let(_) | Stmt::Swap(_) => {}
            }
        }
    }

    /// The names of a stage that it is the second one to use, where any may write. Stages are asked
    /// for in program order.
    pub(super) fn of(&self, stage: &Stage) -> Vec<Ident> {
        let second = |name: &Ident| {
            self.names.get(&name.to_string()).is_some_and(|known| {
                let before = known.asked.replace(known.asked.get() + 1);
                before == 1 && known.written
            })
        };
        names(stage).into_iter().map(|(name, _)| name).filter(second).collect()
    }
}

/// The names that are arguments by themselves, each once, and whether the stage may write there.
fn names(stage: &Stage) -> Vec<(Ident, bool)> {
    let mut out: Vec<(Ident, bool)> = Vec::new();
    let mut add = |found: Option<(Ident, bool)>| {
        out.extend(found.filter(|(name, _)| out.iter().all(|(known, _)| known != name)));
    };
    for (_, args) in &stage.calls {
        match args {
            Args::Once(group) => {
                let trees: Vec<TokenTree> = group.stream().into_iter().collect();
                split_commas(&trees).into_iter().for_each(|arg| add(name(arg)));
            }
            Args::Each { args, .. } => {
                let once = args.iter().filter_map(|arg| match arg {
                    Arg::Fragment(Fragment::Once(tokens)) => Some(tokens.clone()),
                    _ => None,
                });
                once.for_each(|tokens| add(name(&tokens.into_iter().collect::<Vec<_>>())));
            }
        }
    }
    out
}

/// `&x`, `&mut x`, `&mut *x` or `x`.
fn name(trees: &[TokenTree]) -> Option<(Ident, bool)> {
    let borrowed = is_punct(trees.first(), '&');
    let rest = &trees[usize::from(borrowed)..];
    let mutable = borrowed && is_word(rest.first(), "mut");
    let rest = &rest[usize::from(mutable)..];
    let rest = &rest[usize::from(borrowed && is_punct(rest.first(), '*'))..];
    match rest {
        // What stands without `&` may itself be a `&mut`.
        [TokenTree::Ident(name)] => Some((name.clone(), mutable || !borrowed)),
        _ => None,
    }
}

/// Asks of a name whether what it names lasts for several stages.
pub(super) fn check(name: &Ident, rt: &TokenStream) -> TokenStream {
    let at = proc_macro2::Span::mixed_site().located_at(name.span());
    quote::quote_spanned! {at=> {
        #[allow(unused_imports)]
        use #rt::dsl::{Lasting as _, OneStage as _};
        #rt::dsl::lasts(&(&#rt::dsl::mention(&#name)).lasting());
    }}
}
