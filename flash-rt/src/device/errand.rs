//! What the copies of this thread are for, which is what traces call them. It copies nothing.

use std::borrow::Cow;
use std::cell::Cell;

/// What copies are for, from when it is made until it is dropped.
#[must_use = "it ends where it is dropped"]
#[derive(Debug)]
pub(crate) struct Errand {
    before: Purpose,
}

#[derive(Clone, Copy, Debug)]
struct Purpose {
    /// What it is if it is not just an upload or a download, else nothing.
    what: &'static str,
    /// The argument of a kernel or task that it is for, if it is for one.
    argument: &'static str,
}

thread_local! {
    static PURPOSE: Cell<Purpose> = const { Cell::new(Purpose { what: "", argument: "" }) };
}

impl Errand {
    fn new(change: impl FnOnce(&mut Purpose)) -> Self {
        let before = PURPOSE.get();
        let mut purpose = before;
        change(&mut purpose);
        PURPOSE.set(purpose);
        Self { before }
    }

    /// Copies bring an argument.
    pub(crate) fn argument(name: &'static str) -> Self {
        Self::new(|purpose| purpose.argument = name)
    }

    /// Copies go from one device to another one, maybe by way of the host.
    pub(crate) fn between_devices() -> Self {
        Self::new(|purpose| purpose.what = "move")
    }

    /// Copies make room: `what` they are called, of an array that need not be an argument here.
    pub(crate) fn room(what: &'static str) -> Self {
        Self::new(|purpose| *purpose = Purpose { what, argument: "" })
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        PURPOSE.set(self.before);
    }
}

/// What copies are for, for an error: `` of `x` `` where the word is `of`, or nothing.
#[cold]
pub(super) fn whose(word: &str) -> String {
    match PURPOSE.get().argument {
        "" => String::new(),
        argument => format!(" {word} `{argument}`"),
    }
}

/// The name of a copy, by its direction if there is nothing more to say.
#[cold]
pub(super) fn name(direction: &'static str) -> Cow<'static, str> {
    let Purpose { what, argument } = PURPOSE.get();
    let what = if what.is_empty() { direction } else { what };
    match argument {
        "" => what.into(),
        argument => format!("{what} {argument}").into(),
    }
}
