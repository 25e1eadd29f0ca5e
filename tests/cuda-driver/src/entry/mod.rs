//! The functions that programs call, by topic. They translate arguments and results, count the call
//! and let it fail where a test wants that; what they do is written elsewhere.
#![allow(non_snake_case, reason = "the names are those of the CUDA driver")]

mod context;
mod copy;
mod device;
mod event;
mod function;
mod graph;
mod graph_exec;
mod graph_nodes;
mod init;
mod launch;
mod layouts;
mod library;
mod memory;
mod module;
mod pinned;
mod pointers;
mod set;
mod stream;
mod stream_capture;

pub(crate) use pointers::{In, Out, Text};

use crate::codes::{Code, Outcome};
use crate::context::{current, current_device};
use crate::driver::{driver, has_waited, is_in_host};
use crate::faults::How;
use crate::log::{Record, code_of};
use crate::stream::fail_later;

/// Runs a call of the driver: with its failures on demand, and its place in the log.
fn call(name: &'static str, run: impl FnOnce(&mut Record) -> Outcome) -> u32 {
    let mut record = Record { name, device: current_device(), ..Record::default() };
    let outcome = checked(name, &mut record, run);
    fail_later(None);
    record.waited = has_waited();
    record.code = code_of(outcome);
    let code = record.code;
    driver().log.add(record);
    code
}

fn checked(
    name: &'static str,
    record: &mut Record,
    run: impl FnOnce(&mut Record) -> Outcome,
) -> Outcome {
    let driver = driver();
    match driver.faults.count(name) {
        Some((How::Now, code)) => return Err(code),
        Some((How::Sticky, code)) => {
            let why = format!("{name} failed for good, as was asked for");
            if let Ok(context) = current() {
                context.health.fall_ill(code, why);
            }
            return Err(code);
        }
        Some((How::Later, code)) => fail_later(Some(code)),
        None => {}
    }
    if is_in_host() {
        return Err(Code::NOT_PERMITTED);
    }
    if !driver.is_started() && name != "cuInit" && name != "cuDriverGetVersion" {
        return Err(Code::NOT_INITIALIZED);
    }
    run(record)
}

/// Declares functions of the driver, each with the record of its call.
macro_rules! entries {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) |$record:ident| $body:block)*) => {
        $($(#[$doc])*
        #[unsafe(no_mangle)]
        extern "C" fn $name($($arg: $ty),*) -> u32 {
            crate::entry::call(stringify!($name), |$record: &mut crate::log::Record| $body)
        })*
    };
}
pub(crate) use entries;
