//! The record in which a kernel on a device notes the first thing that went wrong. It is plain words,
//! so that it moves as bytes.

use crate::interp::{Fault, FaultKind, MAX_ARRAY_RANK, Notes, Violation};
use crate::ir::Span;

/// Words of 32 bits of a record.
pub const WORDS: usize = 32;
/// Bytes of a record.
pub const BYTES: usize = 4 * WORDS;

/// Word 0: taken by who changes the record.
pub const LOCK: usize = 0;
/// Word 1: whether there is a violation, and how many were noted at all is not said.
pub const VIOLATED: usize = 1;
/// Words 2 and 3: number of the item of the violation, low word first.
pub const ITEM: usize = 2;
/// Word 4: its parameter.
pub const PARAM: usize = 4;
/// Words 6 to 13: its index, low words first, unused components zero.
pub const INDEX: usize = 6;
/// Word 16: the kind of the fault, 0 for none; see [`kind`].
pub const FAULT: usize = 16;
/// Words 18 and 19: number of the item of the fault, low word first.
pub const FAULT_ITEM: usize = 18;
/// Word 20: its line in the file of the kernel.
pub const LINE: usize = 20;
/// Word 21: its column.
pub const COLUMN: usize = 21;

/// The number of a kind of fault.
pub const fn kind(what: FaultKind) -> u32 {
    match what {
        FaultKind::DivideByZero => 1,
        FaultKind::Index => 2,
        FaultKind::Step => 3,
        FaultKind::DivideOverflow => 4,
        FaultKind::RestOfZero => 5,
        FaultKind::RestOverflow => 6,
    }
}

/// What a record says; a record of zeros says nothing.
pub fn read(words: &[u32; WORDS]) -> Notes {
    let wide = |at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
    let violation = (words[VIOLATED] != 0).then(|| {
        let mut index = [0; MAX_ARRAY_RANK];
        for (dim, component) in index.iter_mut().enumerate() {
            *component = wide(INDEX + 2 * dim) as usize;
        }
        Violation { item: wide(ITEM), param: words[PARAM] as u16, index }
    });
    let kinds = [
        FaultKind::DivideByZero,
        FaultKind::Index,
        FaultKind::Step,
        FaultKind::DivideOverflow,
        FaultKind::RestOfZero,
        FaultKind::RestOverflow,
    ];
    let what = kinds.into_iter().find(|what| kind(*what) == words[FAULT]);
    let span = Span { line: words[LINE], column: words[COLUMN] };
    Notes { violation, fault: what.map(|what| Fault { item: wide(FAULT_ITEM), span, what }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_say_nothing_and_words_come_low_first() {
        let mut words = [0; WORDS];
        assert_eq!(read(&words), Notes::default());
        (words[VIOLATED], words[ITEM], words[ITEM + 1], words[PARAM]) = (1, 7, 1, 3);
        (words[INDEX + 2], words[FAULT], words[FAULT_ITEM], words[LINE]) = (9, 2, 5, 40);
        let notes = read(&words);
        let index = [0, 9, 0, 0];
        assert_eq!(notes.violation, Some(Violation { item: 7 + (1 << 32), param: 3, index }));
        let span = Span { line: 40, column: 0 };
        assert_eq!(notes.fault, Some(Fault { item: 5, span, what: FaultKind::Index }));
    }
}
