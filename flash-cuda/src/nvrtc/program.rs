//! One text through NVRTC. Fenced: it passes texts to the library, which writes its results.
#![allow(unsafe_code, reason = "calls functions of NVRTC")]

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

use flash_rt::offload::block::HEADER;

use super::library::{Nvrtc, Program, Table};
use super::{Compiled, Form};

/// A text and what it is compiled with.
#[derive(Clone, Debug)]
pub(crate) struct Source<'s> {
    /// What messages name it by.
    pub(crate) file: &'s str,
    pub(crate) text: &'s str,
    /// What the compiler is told, but for the target.
    pub(crate) options: &'s [String],
    /// Functions as C++ names them, `saxpy` or `ns::k<float>`, which are compiled and called otherwise.
    pub(crate) names: &'s [String],
}

/// Why a text is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// What the compiler says of the text.
    Text(String),
    /// Something else is wrong.
    Other(String),
}

/// A program, which goes with its owner.
struct Held<'t> {
    table: &'t Table,
    raw: Program,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is ours and is not used any more.
        unsafe { (self.table.destroy)(&raw mut self.raw) };
    }
}

impl Held<'_> {
    /// A text or bytes of the program, by the functions that say their length and write them.
    fn bytes(
        &self,
        len: unsafe extern "C" fn(Program, *mut usize) -> i32,
        get: unsafe extern "C" fn(Program, *mut c_char) -> i32,
    ) -> Result<Vec<u8>, Refused> {
        let mut n = 0;
        // SAFETY: the program is alive, and a number is written.
        let code = unsafe { len(self.raw, &raw mut n) };
        self.check(code)?;
        let mut bytes = vec![0_u8; n];
        // SAFETY: there is as much room as the library has just said that it needs.
        let code = unsafe { get(self.raw, bytes.as_mut_ptr().cast()) };
        self.check(code)?;
        Ok(bytes)
    }

    fn check(&self, code: i32) -> Result<(), Refused> {
        if code == 0 { Ok(()) } else { Err(Refused::Other(self.table.said(code))) }
    }

    fn log(&self) -> String {
        let log = self.bytes(self.table.log_len, self.table.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        text.trim_end_matches('\0').trim().to_owned()
    }
}

fn c_string(what: &str, text: &str) -> Result<CString, Refused> {
    CString::new(text).map_err(|_| Refused::Other(format!("its {what} has a zero in it")))
}

/// Compiles a text with these options and no others.
pub(super) fn compile(
    nvrtc: &Nvrtc,
    source: &Source<'_>,
    options: &[String],
    form: Form,
) -> Result<Compiled, Refused> {
    let table = &nvrtc.table;
    let (text, file) = (c_string("text", source.text)?, c_string("file name", source.file)?);
    let names: Vec<CString> =
        source.names.iter().map(|name| c_string("name", name)).collect::<Result<_, _>>()?;
    let options: Vec<CString> = options
        .iter()
        .map(|option| c_string("list of options", option))
        .collect::<Result<_, _>>()?;
    let mut raw = null_mut();
    // Any text may take in ours.
    let header = c_string("header", HEADER)?;
    let (headers, called) = ([header.as_ptr()], [c"flash.h".as_ptr()]);
    let (text, file) = (text.as_ptr(), file.as_ptr());
    // SAFETY: all texts end with 0 and are there during the call; there is one header.
    let code =
        unsafe { (table.create)(&raw mut raw, text, file, 1, headers.as_ptr(), called.as_ptr()) };
    if code != 0 {
        return Err(Refused::Other(table.said(code)));
    }
    let program = Held { table, raw };
    for name in &names {
        // SAFETY: the program is alive, and the name ends with 0 and is there longer than the program.
        let code = unsafe { (table.add_name)(program.raw, name.as_ptr()) };
        program.check(code)?;
    }
    let list: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    // SAFETY: the program is alive, and there are so many options, which end with 0.
    let code = unsafe { (table.compile)(program.raw, list.len() as i32, list.as_ptr()) };
    if code != 0 {
        let log = program.log();
        return Err(match log.is_empty() {
            true => Refused::Other(table.said(code)),
            false => Refused::Text(log),
        });
    }
    let log = program.log();
    if !log.is_empty() {
        tracing::debug!(file = source.file, log, "the compiler says something");
    }
    let lowered = names.iter().map(|name| lowered(&program, name)).collect::<Result<_, _>>()?;
    let mut image = match form {
        Form::Ptx => program.bytes(table.ptx_len, table.ptx)?,
        Form::Cubin => program.bytes(table.cubin_len, table.cubin)?,
    };
    if form == Form::Ptx {
        while image.last() == Some(&0) {
            image.pop();
        }
    }
    Ok(Compiled { form, image, lowered })
}

/// What a function is called in the image.
fn lowered(program: &Held<'_>, name: &CStr) -> Result<String, Refused> {
    let mut text = null();
    // SAFETY: the program is alive and compiled, and the name was added to it.
    let code = unsafe { (program.table.lowered)(program.raw, name.as_ptr(), &raw mut text) };
    program.check(code)?;
    if text.is_null() {
        return Err(Refused::Other("NVRTC gives no name of a function".to_owned()));
    }
    // SAFETY: the text is the program's, which is alive, and ends with 0.
    Ok(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
