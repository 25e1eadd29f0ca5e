//! What a pipeline is after `check`: statements whose fragments say when they are evaluated. From
//! it `expand` cannot fail.

use proc_macro2::{Group, Ident, Span, TokenStream};

/// A checked pipeline.
#[derive(Debug)]
pub(super) struct Pipeline {
    /// Path to the facade: `::flash`, or what `crate = path` says.
    pub(super) krate: syn::Path,
    /// The runtime; `None` after an error.
    pub(super) rt: Option<TokenStream>,
    /// In program order.
    pub(super) stmts: Vec<Stmt>,
    /// Names that depend on loop variables, where `macro_rules!` could give them another meaning.
    pub(super) names: Vec<Named>,
}

/// A name that is used.
#[derive(Debug)]
pub(super) struct Named {
    /// At its use.
    pub(super) name: Ident,
    /// What is visible of its text, innermost last: that is what it was taken for.
    pub(super) visible: Vec<Ident>,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Stmt {
    /// `k(..)[space];` or `task(..);`
    Stage(Stage),
    /// `for v in a..b { .. }`
    For(For),
    /// `let x = e;` that depends on no loop variable, with its semicolon.
    Let(TokenStream),
    /// `swap(a, b);`
    Swap(Swap),
    /// `if cond { .. } else { .. }`
    If(If),
    /// `while cond, max n { .. }`
    While(While),
    /// What was refused, so that editors go on in its body.
    Refused(Refused),
}

/// A stage.
#[derive(Debug)]
pub(super) struct Stage {
    /// What is called, and its arguments: `path::to.kernel` and `(..)`, `.sort_by` and `(..)`.
    pub(super) calls: Vec<(TokenStream, Args)>,
    /// The index space, of a kernel.
    pub(super) space: Option<Fragment>,
}

/// The arguments of a call.
#[derive(Debug)]
pub(super) enum Args {
    /// No argument depends on a loop variable: the parentheses as written.
    Once(Group),
    /// At least one does.
    Each {
        /// Of the parentheses.
        span: Span,
        /// In order.
        args: Vec<Arg>,
    },
}

/// An argument.
#[derive(Debug)]
pub(super) enum Arg {
    /// A value, or something that depends on no loop variable.
    Fragment(Fragment),
    /// `&x.at(v)` or `&mut x.at(v)`, where `v` depends on a loop variable.
    At {
        /// `&x.` or `&mut x.`
        base: TokenStream,
        /// Of `at`.
        at: Span,
        /// The offset.
        index: Fragment,
        /// What is known of it before the loop runs.
        moves: Option<Moves>,
    },
    /// `(a, b)`, the arrays of a closure.
    Tuple {
        /// Of the parentheses.
        span: Span,
        /// In order.
        args: Vec<Arg>,
    },
}

/// An index that follows a loop variable.
#[derive(Debug)]
pub(super) struct Moves {
    /// The variable of the expansion.
    pub(super) var: Ident,
    /// The index is so many times the variable,
    pub(super) times: usize,
    /// and so much more.
    pub(super) plus: isize,
}

/// Rust of the user's, and when it is evaluated.
#[derive(Debug)]
pub(super) enum Fragment {
    /// Once, when the pipeline is built.
    Once(TokenStream),
    /// At each dispatch.
    Each {
        /// The loop variables and `let`s it needs.
        needs: Vec<Need>,
        /// The expression.
        tokens: TokenStream,
    },
}

/// A name that is bound at each dispatch.
#[derive(Debug, Clone)]
pub(super) enum Need {
    /// A loop variable: the name as written, and the variable of the expansion.
    Var(Ident, Ident),
    /// `let x = e;` with its semicolon.
    Let(TokenStream),
    /// `let x = { needs; let x = e; x };`, where one scope would mix up two bindings of a name.
    Scoped {
        /// The name that is used.
        name: Ident,
        /// Bound inside.
        needs: Vec<Need>,
        /// `let x = e;` with its semicolon.
        whole: TokenStream,
    },
}

/// A loop.
#[derive(Debug)]
pub(super) struct For {
    /// Of `for`.
    pub(super) span: Span,
    /// The variable of the expansion.
    pub(super) var: Ident,
    /// What it runs over.
    pub(super) range: Range,
    /// What is repeated.
    pub(super) body: Vec<Stmt>,
}

/// What a loop runs over.
#[derive(Debug)]
pub(super) enum Range {
    /// `a..b` or `a..=b`, as a value.
    Value(Fragment),
    /// The same with a bound that is a cell.
    Cells {
        /// The first value.
        from: Fragment,
        /// The end.
        to: Fragment,
        /// Whether the end is a value too.
        inclusive: bool,
    },
}

/// A decision.
#[derive(Debug)]
pub(super) struct If {
    /// Of `if`.
    pub(super) span: Span,
    /// What it looks at.
    pub(super) cond: Cond,
    /// If it holds.
    pub(super) then: Vec<Stmt>,
    /// If it does not.
    pub(super) other: Vec<Stmt>,
}

/// A loop on a condition.
#[derive(Debug)]
pub(super) struct While {
    /// Of `while`.
    pub(super) span: Span,
    /// What it looks at before each trip.
    pub(super) cond: Cond,
    /// The most trips.
    pub(super) max: Fragment,
    /// What is repeated.
    pub(super) body: Vec<Stmt>,
}

/// A condition.
#[derive(Debug)]
pub(super) enum Cond {
    /// A `bool` or a cell of one.
    Leaf(Fragment),
    /// A comparison.
    Compare(Comparison, Fragment, Fragment),
    /// `!p`
    Not(Box<Self>),
    /// `p && q`
    And(Box<[Self; 2]>),
    /// `p || q`
    Or(Box<[Self; 2]>),
    /// `p ^ q`
    Xor(Box<[Self; 2]>),
}

/// An operator that compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

/// An exchange of contents.
#[derive(Debug)]
pub(super) struct Swap {
    /// Of `swap`.
    pub(super) span: Span,
    /// One handle.
    pub(super) a: TokenStream,
    /// The other.
    pub(super) b: TokenStream,
}

/// A construct that was refused, in the form that gives no further errors.
#[derive(Debug)]
pub(super) struct Refused {
    /// The variable and what it runs over, of a Rust loop.
    pub(super) head: Option<(Ident, TokenStream)>,
    /// What stood in it.
    pub(super) body: Vec<Stmt>,
}
