//! Texts of the bodies of kernels on a device with a compiler: whether there can be one, worked out once for
//! each kernel, and those that launches took, each with what it relies on. It compiles nothing itself. Fenced:
//! it reads values of launches.
#![allow(unsafe_code, reason = "reads values that slots point to")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use flash_ir::emit::Options;
use flash_ir::resolve::{Unsaid, typed};

use super::facts::{self, How};
use super::form::{Form, Most};
use crate::backend::LaunchInfo;
use crate::descriptor::KernelDescriptor;
use crate::error::DriverError;

/// So many sorts of launches are remembered.
const RECENT: usize = 8;

/// The body of a kernel with its types, or why it cannot run on a device.
pub type Translated = Result<Arc<typed::Kernel>, Arc<str>>;

/// What is known of the bodies of kernels for a device.
#[derive(Debug, Default)]
pub struct Translations {
    /// By the address of the kernel.
    known: Mutex<HashMap<usize, Translated>>,
}

impl Translations {
    /// That of a kernel, which is translated if it was not yet.
    pub fn of(
        &self,
        kernel: &'static KernelDescriptor,
        translate: impl FnOnce() -> Result<typed::Kernel, String>,
    ) -> Translated {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || translate().map(Arc::new).map_err(|why| Arc::from(why.as_str()));
        known.entry(std::ptr::from_ref(kernel).addr()).or_insert_with(made).clone()
    }
}

/// What a text cannot say, in one line.
pub fn list(unsaid: Vec<Unsaid>) -> String {
    let all: Vec<String> = unsaid.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// The texts of a body that were compiled for a device.
#[derive(Debug)]
pub struct Texts<T> {
    /// With what they rely on; the last one used first.
    variants: Recent<Options, T>,
    /// What launches were like, and which text they took; the last one first.
    taken: Recent<Vec<u64>, T>,
}

/// Some that were found by a key, the last one used first.
#[derive(Debug)]
struct Recent<K, T>(Mutex<Vec<(K, Arc<T>)>>);

impl<K: PartialEq, T> Recent<K, T> {
    fn find(&self, key: &K) -> Option<Arc<T>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(known, _)| known == key)?;
        all[..=at].rotate_right(1);
        Some(Arc::clone(&all[0].1))
    }

    /// Keeps one, and no more than so many.
    fn keep(&self, key: K, found: &Arc<T>, most: usize) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.truncate(most - 1);
        all.insert(0, (key, Arc::clone(found)));
    }
}

impl<T> Default for Texts<T> {
    fn default() -> Self {
        Self { variants: Recent(Mutex::default()), taken: Recent(Mutex::default()) }
    }
}

impl<T> Texts<T> {
    /// The text that a launch takes, which is compiled if it was not yet, where groups have so many items
    /// at most, and work items may do several items or not.
    ///
    /// # Errors
    ///
    /// Those of compiling it.
    ///
    /// # Safety
    ///
    /// Slots of values point to values of the parameters' types.
    pub unsafe fn of<M>(
        &self,
        launch: &LaunchInfo<'_, M>,
        (form, most, together): (&Form, Most, bool),
        compile: impl FnOnce(&Options) -> Result<T, DriverError>,
    ) -> Result<Arc<T>, DriverError> {
        let how = How { table: form.table, exact: form.is_exact(launch, most), together };
        // SAFETY: as the caller says.
        let like = unsafe { facts::of(launch, how) };
        if let Some(text) = like.as_ref().and_then(|like| self.taken.find(like)) {
            return Ok(text);
        }
        let options = facts::options(launch, how);
        let text = match self.variants.find(&options) {
            Some(text) => text,
            None => {
                let text = Arc::new(compile(&options)?);
                self.variants.keep(options, &text, usize::MAX);
                text
            }
        };
        if let Some(like) = like {
            self.taken.keep(like, &text, RECENT);
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use super::*;
    use crate::backend::conformance::kernels::SAXPY;
    use crate::entry::{ArraySlot, Outcome, Slot, Tag};
    use crate::space::Space;

    #[test]
    fn the_last_one_used_is_kept_longest() {
        let recent = Recent(Mutex::default());
        for key in 0..3 {
            recent.keep(key, &Arc::new(10 * key), 3);
        }
        assert_eq!(recent.find(&0).as_deref(), Some(&0));
        recent.keep(3, &Arc::new(30), 3);
        assert_eq!([0, 1, 2, 3].map(|key| recent.find(&key).is_some()), [true, false, true, true]);
    }

    /// Whether launches of so many items take a text with wide addresses, on an array of so many rows of
    /// two elements that lies so far into its memory.
    fn wide(items: &[usize], rows: usize, distance: isize, before: usize) -> Vec<bool> {
        let mut array = ArraySlot { rank: 2, ..ArraySlot::empty() };
        array.base = std::ptr::without_provenance_mut(4 * before);
        (array.shape[0], array.shape[1]) = (rows, 2);
        (array.stride[0], array.stride[1]) = (distance, 1);
        array.held = array.shape;
        let a = 2.0_f32;
        let mut value = ArraySlot::empty();
        value.base = (&raw const a).cast_mut().cast();
        let of = TypeId::of::<f32>();
        let slot = |tag, array| Slot { tag, elem: of, array };
        let slots = [(Tag::Value, value), (Tag::Input, array), (Tag::Own, array)];
        let slots = slots.map(|(tag, array)| slot(tag, array));
        let texts = Texts::default();
        let of_items = |&n| {
            let (space, outcome) = (Space::new(&[n]).expect("a space"), Outcome::new());
            let launch = LaunchInfo::<()> {
                kernel: &SAXPY,
                space: &space,
                part: None,
                slots: &slots,
                geometry: None,
                memories: &[],
                outcome: &outcome,
                check_all: false,
            };
            let form = Form::of(&launch);
            // SAFETY: the value is of the parameter's type.
            let text =
                unsafe { texts.of(&launch, (&form, Most::ANY, false), |options| Ok(options.wide)) };
            *text.expect("nothing fails")
        };
        items.iter().map(of_items).collect()
    }

    #[test]
    fn addresses_of_a_text_are_wide_where_a_launch_needs_it() {
        const MOST: usize = i32::MAX as usize;
        // The same texts serve launches of any size, but never one of another width.
        let items = [8, MOST, MOST + 1, 8];
        assert_eq!(wide(&items, 8, 2, 0), [false, false, true, false]);
        assert_eq!(wide(&[8], 1 << 29, 2, 0), [false]);
        assert_eq!(wide(&[8], 1 << 30, 2, 0), [true]);
        assert_eq!(wide(&[8], 8, 1 << 27, 0), [false]);
        assert_eq!(wide(&[8], 16, 1 << 27, 0), [true]);
        assert_eq!(wide(&[8], 8, -(1 << 28), 0), [true]);
        assert_eq!(wide(&[8], 8, 2, MOST - 18), [false]);
        assert_eq!(wide(&[8], 8, 2, MOST - 17), [true]);
    }
}
