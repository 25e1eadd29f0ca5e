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
}
