//! Pointers that callers of the driver pass: results, arguments, lists and names. It keeps none of
//! them.
#![allow(unsafe_code, reason = "pointers come from callers in any language")]

use std::ffi::{CStr, c_char};

use crate::bytes::Place;
use crate::codes::{Code, Outcome};
use crate::image::{Form, HEAD, elf_len, fatbin_len};

/// Where a result goes. The C interface promises that it is writable, or null.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

/// Where an argument is. The C interface promises that it is readable, or null.
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

/// A name that ends with a zero.
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Out<T> {}

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for In<T> {}

impl<T: Copy> Out<T> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Gives a result.
    pub(crate) fn put(self, value: T) -> Outcome {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: it is not null, and the caller of the driver promised that a `T` fits there.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// Gives a result that the caller may have no interest in.
    pub(crate) fn offer(self, value: T) {
        // Null says that it has none.
        let _ = self.put(value);
    }

    /// The place of one of a list.
    pub(crate) fn slot(self, number: usize) -> Self {
        Out(self.0.wrapping_add(number))
    }

    /// What is there before.
    pub(crate) fn get(self) -> Outcome<T> {
        In(self.0.cast_const()).get()
    }

    /// Gives results in a row, as many as there is room for.
    pub(crate) fn put_all(self, values: &[T], room: usize) -> Outcome {
        for (number, &value) in values.iter().take(room).enumerate() {
            Out(self.0.wrapping_add(number)).put(value)?;
        }
        Ok(())
    }
}

impl<T> In<T> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// What follows some bytes further on.
    pub(crate) fn behind(self, bytes: usize) -> *const u8 {
        self.0.cast::<u8>().wrapping_add(bytes)
    }

    /// The address, where only that is asked for.
    pub(crate) fn address(self) -> usize {
        self.0.addr()
    }

    /// The place of bytes of the host that a copy is to reach.
    pub(crate) fn expose(self) -> usize {
        self.0.expose_provenance()
    }
}

impl<T: Copy> In<T> {
    /// The argument.
    pub(crate) fn get(self) -> Outcome<T> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: it is not null, and the caller of the driver promised that a `T` is there.
        Ok(unsafe { self.0.read_unaligned() })
    }

    /// One argument of a list.
    pub(crate) fn nth(self, number: usize) -> Outcome<T> {
        In(self.0.wrapping_add(number)).get()
    }

    /// The place of one of a list, where a result goes too.
    pub(crate) fn slot(self, number: usize) -> Out<T> {
        Out(self.0.wrapping_add(number).cast_mut())
    }

    /// A list of arguments, none of them where there is no list.
    pub(crate) fn list(self, count: usize) -> Outcome<Vec<T>> {
        (0..count).map(|number| In(self.0.wrapping_add(number)).get()).collect()
    }
}

impl In<u8> {
    /// Bytes, as many as the caller says there are.
    pub(crate) fn bytes(self, count: usize) -> Outcome<Vec<u8>> {
        if self.0.is_null() && count > 0 {
            return Err(Code::INVALID_VALUE);
        }
        Ok(crate::bytes::snapshot(Place::host(self.0.cast_mut()), count))
    }

    /// An image of a module, which says itself how long it is.
    pub(crate) fn image(self) -> Outcome<Vec<u8>> {
        let text = || Text(self.0.cast()).get().map(String::into_bytes);
        let first = In(self.0).get()?;
        if first.is_ascii_whitespace() || first == b'/' || first == b'.' || first == 0 {
            return text();
        }
        let head: [u8; HEAD] = In::<[u8; HEAD]>(self.0.cast()).get()?;
        let len = match Form::of(head) {
            Form::Text => return text(),
            Form::Elf => elf_len(&self.bytes(64)?),
            Form::Fatbin => fatbin_len(&self.bytes(16)?),
            // The pointer to the fatbin stands behind two words.
            Form::Wrapper => {
                let inner = In::<*const u8>(self.0.wrapping_add(8).cast()).get()?;
                return In(inner).image();
            }
        };
        self.bytes(len.ok_or(Code::INVALID_IMAGE)?)
    }
}

/// A pointer found in a struct that a caller passed.
pub(crate) fn pointed_at<T>(pointer: *const T) -> In<T> {
    In(pointer)
}

/// A pointer for a result, found in a struct that a caller passed.
pub(crate) fn result_at<T>(pointer: *mut T) -> Out<T> {
    Out(pointer)
}

impl Text {
    pub(crate) fn get(self) -> Outcome<String> {
        if self.0.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        // SAFETY: it is not null, and the caller of the driver promised that it ends with a zero.
        let text = unsafe { CStr::from_ptr(self.0) };
        Ok(String::from_utf8_lossy(text.to_bytes()).into_owned())
    }
}

/// A function of the host, with what it is called with.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct HostCall(pub(crate) Option<unsafe extern "C" fn(*mut std::ffi::c_void)>);

impl HostCall {
    /// What a stream calls. Whoever submitted it promised that it may be called from any thread.
    pub(crate) fn with(self, user: usize) -> Outcome<crate::task::HostFunction> {
        let function = self.0.ok_or(Code::INVALID_VALUE)?;
        Ok(std::sync::Arc::new(move || {
            let user = std::ptr::with_exposed_provenance_mut(user);
            // SAFETY: the caller of the driver promised that the function may be called with it.
            unsafe { function(user) };
        }))
    }
}

/// Writes text to a buffer of a caller, cut to its length and ended with a zero.
pub(crate) fn put_text(out: Out<u8>, room: usize, text: &str) -> Outcome<usize> {
    if out.is_null() || room == 0 {
        return Ok(0);
    }
    let mut bytes = text.as_bytes()[..text.len().min(room - 1)].to_vec();
    bytes.push(0);
    out.put_all(&bytes, room)?;
    Ok(bytes.len())
}
