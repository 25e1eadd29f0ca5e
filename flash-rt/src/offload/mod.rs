//! What backends of devices with a compiler and a memory of their own have in common: compiled
//! programs on disk, what a text of a launch may rely on, the words it is given, how its items are cut
//! into commands, and what a plain pointer can say. It names no driver, and calls none.

pub mod cache;
pub mod code;
pub mod facts;
pub mod form;
pub mod plain;
pub mod registered;
pub mod words;
