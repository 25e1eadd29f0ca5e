//! What runs drawn kernels, on devices and in the interpreter, and their elements. Nothing here is part of
//! FLASH.
#![allow(missing_docs, missing_debug_implementations, reason = "for two tests")]
#![allow(clippy::missing_errors_doc, clippy::missing_panics_doc, reason = "for two tests")]
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

pub mod elements;
pub mod harness;
