//! What a pipeline is after `check`: statements whose fragments say when they are evaluated. From
//! it `expand` cannot fail.

use proc_macro2::{Group, Ident, Span, TokenStream};

/// A checked pipeline.
#[derive(Debug)]
pub struct Pipeline {
    /// Path to the facade: `::flash`, or what `crate = path` says.
    pub krate: syn::Path,
    /// The runtime; `None` after an error.
    pub rt: Option<TokenStream>,
    /// In program order.
    pub stmts: Vec<Stmt>,
    /// Names that depend on loop variables, where `macro_rules!` could give them another meaning.
    pub names: Vec<Named>,
}

/// A name that is used.
#[derive(Debug)]
pub struct Named {
    /// At its use.
    pub name: Ident,
    /// What is visible of its text, innermost last: that is what it was taken for.
    pub visible: Vec<Ident>,
}

/// A statement.
#[derive(Debug)]
pub enum Stmt {
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
pub struct Stage {
    /// Everything before the arguments.
    pub callee: TokenStream,
    /// The arguments.
    pub args: Args,
    /// The index space, of a kernel.
    pub space: Option<Fragment>,
}

/// The arguments of a call.
#[derive(Debug)]
pub enum Args {
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
pub enum Arg {
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
pub struct Moves {
    /// The variable of the expansion.
    pub var: Ident,
    /// The index is so many times the variable,
    pub times: usize,
    /// and so much more.
    pub plus: isize,
}

/// Rust of the user's, and when it is evaluated.
#[derive(Debug)]
pub enum Fragment {
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
pub enum Need {
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
pub struct For {
    /// Of `for`.
    pub span: Span,
    /// The variable of the expansion.
    pub var: Ident,
    /// What it runs over.
    pub range: Range,
    /// What is repeated.
    pub body: Vec<Stmt>,
}

/// What a loop runs over.
#[derive(Debug)]
pub enum Range {
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
pub struct If {
    /// Of `if`.
    pub span: Span,
    /// What it looks at.
    pub cond: Cond,
    /// If it holds.
    pub then: Vec<Stmt>,
    /// If it does not.
    pub other: Vec<Stmt>,
}

/// A loop on a condition.
#[derive(Debug)]
pub struct While {
    /// Of `while`.
    pub span: Span,
    /// What it looks at before each trip.
    pub cond: Cond,
    /// The most trips.
    pub max: Fragment,
    /// What is repeated.
    pub body: Vec<Stmt>,
}

/// A condition.
#[derive(Debug)]
pub enum Cond {
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
pub enum Comparison {
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
pub struct Swap {
    /// Of `swap`.
    pub span: Span,
    /// One handle.
    pub a: TokenStream,
    /// The other.
    pub b: TokenStream,
}

/// A construct that was refused, in the form that gives no further errors.
#[derive(Debug)]
pub struct Refused {
    /// The variable and what it runs over, of a Rust loop.
    pub head: Option<(Ident, TokenStream)>,
    /// What stood in it.
    pub body: Vec<Stmt>,
}
