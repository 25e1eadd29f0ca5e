//! Expressions of C as text, with what is needed to put them together: how tightly they bind, whether
//! they may be moved. It knows no kernel and writes no statement.

use crate::ty::Ty;

/// How tightly the outermost operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// A name, number, call, index or field.
    Atom,
    /// A cast or sign.
    Prefix,
    /// `* / %`
    Product,
    /// `+ -`
    Sum,
    /// A comparison.
    Comparison,
    /// `&&`
    Both,
    /// Anything else: compilers warn where it stands beside another operator without brackets.
    Loose,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// As C. Of an integer with fewer bits than `int` its C type may be `int`; its value is in range.
    pub(super) text: String,
    /// How tightly it binds.
    pub(super) level: Level,
    /// The type of its value.
    pub(super) ty: Ty,
    /// Whether it has the same value wherever it is evaluated later on.
    pub(super) is_stable: bool,
    /// Whether evaluating it does something.
    pub(super) has_effect: bool,
    /// Of a signed integer that was computed as an unsigned one, that.
    pub(super) unsigned: Option<(String, Level)>,
}

impl Code {
    /// An expression without effect whose value does not change.
    pub(super) fn stable(text: impl Into<String>, level: Level, ty: Ty) -> Self {
        let (is_stable, has_effect) = (true, false);
        Self { text: text.into(), level, ty, is_stable, has_effect, unsigned: None }
    }

    /// A name or the like.
    pub(super) fn atom(text: impl Into<String>, ty: Ty) -> Self {
        Self::stable(text, Level::Atom, ty)
    }

    /// Nothing.
    pub(super) fn unit() -> Self {
        Self::atom("", Ty::Unit)
    }

    /// The same, computed from these.
    pub(super) fn of(mut self, parts: &[&Self]) -> Self {
        self.is_stable &= parts.iter().all(|part| part.is_stable);
        self.has_effect |= parts.iter().any(|part| part.has_effect);
        self
    }

    /// Its text, in brackets unless it binds at least so tightly.
    pub(super) fn under(&self, level: Level) -> String {
        bracketed(&self.text, self.level, level)
    }

    /// As the argument of a function or the right side of an assignment.
    pub(super) fn plain(&self) -> &str {
        &self.text
    }

    /// Whether it is a name or number.
    pub(super) fn is_name(&self) -> bool {
        self.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    }

    /// Whether it may be written twice: a name, number or short sum of such.
    pub(super) fn is_cheap(&self) -> bool {
        let is_short = self.level <= Level::Sum
            && self.text.len() <= 24
            && !self.text.contains(['[', '/', '%', '?', '&', '|', '^', '<', '>', '~'])
            && !calls(&self.text);
        self.is_stable && !self.has_effect && (self.is_name() || is_short)
    }
}

/// Whether a name stands before a bracket.
fn calls(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .windows(2)
        .any(|pair| pair[1] == b'(' && (pair[0].is_ascii_alphanumeric() || pair[0] == b'_'))
}

/// A text, in brackets unless it binds at least as tightly as `at`.
pub(super) fn bracketed(text: &str, level: Level, at: Level) -> String {
    if level <= at { text.to_owned() } else { format!("({text})") }
}
