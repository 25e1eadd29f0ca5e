//! Every rule the front end can say broken, in one table. It holds no code: a rule is checked by
//! the one function that names it, and `ui-tests/<topic>/<name>.rs` shows its message.

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The folder of its fixture.
    pub topic: &'static str,
    /// Its name, and that of its fixture.
    pub name: &'static str,
    /// What it asks.
    pub asks: &'static str,
}

macro_rules! rules {
    ($($topic:ident { $($rule:ident = $name:ident: $asks:literal;)* })*) => {
        $($(
            #[doc = $asks]
            pub const $rule: Rule = Rule {
                topic: stringify!($topic),
                name: stringify!($name),
                asks: $asks,
            };
        )*)*

        /// All rules.
        pub const RULES: &[Rule] = &[$($($rule,)*)*];
    };
}

rules! {
    kernel {
        SYNTAX = syntax: "the item is a function whose tokens can be read";
    }
    pipeline {
        PIPELINE_RT = missing_rt: "a pipeline starts with `in rt;`";
        PIPELINE_OPTION = unknown_option: "the only option of a pipeline is `crate = path;`";
        STATEMENT = unknown_statement: "a statement is a stage, a loop, a `let` or a `swap`";
        SEMICOLON = missing_semicolon: "a stage and a `swap` end with `;`";
        IF_LATER = if_later: "`if` comes with conditions";
        WHILE_LATER = while_later: "`while` comes with conditions";
        ITERATOR = other_iterator: "a loop runs over a range";
        OPEN_RANGE = open_range: "the range of a loop has two bounds";
        LOOP_VARIABLE = loop_pattern: "a loop has one plain variable";
        LOOP_BODY = loop_without_body: "a loop has a body";
        LOOP_DEPTH = loops_too_deep: "loops nest at most eight deep";
        ARRAY_OF_LOOP = array_of_loop: "an array depends on a loop variable through `at` only";
        CLOSURE_OF_LOOP = closure_of_loop: "a closure does not use a loop variable";
        CALLEE_OF_LOOP = callee_of_loop: "what is called does not depend on a loop variable";
        SWAP_ARITY = swap_arity: "`swap` takes two handles";
        SWAP_OF_LOOP = swap_of_loop: "`swap` does not depend on a loop variable";
        EMPTY_SPACE = empty_space: "an index space has at least one extent";
        LET_SYNTAX = let_syntax: "a `let` can be read as Rust";
        LET_VALUE = let_without_value: "a `let` has a value";
    }
}
