//! Says which case of a test does not come to its end, and ends the process, as nothing else would. How
//! fast a case is does not matter to it.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::check::again;

/// What no case takes, on a machine however slow.
const LIMIT: Duration = Duration::from_secs(180);

/// Tells of the cases of a test, until it is dropped.
pub(crate) struct Watch(Sender<u64>);

impl Watch {
    pub(crate) fn over(test: &str) -> Self {
        let ((begun, begins), test) = (channel(), test.to_owned());
        std::thread::spawn(move || {
            let mut case = None;
            loop {
                match (begins.recv_timeout(LIMIT), case) {
                    (Ok(seed), _) => case = Some(seed),
                    (Err(RecvTimeoutError::Timeout), Some(seed)) => stop(&test, seed),
                    (Err(RecvTimeoutError::Timeout), None) => {}
                    (Err(RecvTimeoutError::Disconnected), _) => return,
                }
            }
        });
        Self(begun)
    }

    /// The case of this seed begins, and that before has ended.
    pub(crate) fn begin(&self, seed: u64) {
        self.0.send(seed).unwrap();
    }
}

fn stop(test: &str, seed: u64) -> ! {
    let again = again(test, seed);
    // What a test prints is lost with it, and this is not.
    let _ =
        writeln!(std::io::stderr(), "{test}: seed {seed} has not ended after {LIMIT:?}\n{again}");
    std::process::abort();
}
