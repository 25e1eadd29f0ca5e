//! Says which case of a test does not come to its end, and ends the process, as nothing else would. How
//! fast a case is does not matter to it.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// What no case takes, on a machine however slow.
const LIMIT: Duration = Duration::from_secs(180);

/// Cases of a test, one after the other.
pub(crate) struct Watch(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    /// The case that runs, and since when.
    case: Option<(u64, Instant)>,
    is_over: bool,
}

impl Watch {
    pub(crate) fn over(test: &str) -> Self {
        let (shared, test) = (Arc::<Shared>::default(), test.to_owned());
        let looks = Arc::clone(&shared);
        std::thread::spawn(move || looks.look(&test));
        Self(shared)
    }

    /// The case of this seed begins, and that before has ended.
    pub(crate) fn begin(&self, seed: u64) {
        self.0.state.lock().unwrap().case = Some((seed, Instant::now()));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.state.lock().unwrap().is_over = true;
        self.0.ended.notify_one();
    }
}

impl Shared {
    fn look(&self, test: &str) {
        let mut state = self.state.lock().unwrap();
        while !state.is_over {
            state = self.ended.wait_timeout(state, LIMIT / 10).unwrap().0;
            if let Some((seed, _)) = state.case.filter(|(_, since)| since.elapsed() > LIMIT) {
                // Not what a test prints, which is lost with it.
                let _ = writeln!(
                    std::io::stderr(),
                    "{test}: seed {seed} has not ended after {LIMIT:?}\nagain: FLASH_SEED={seed} FLASH_CASES=1 \
                     cargo test -p flash-tests --test random_pipelines {test}"
                );
                std::process::abort();
            }
        }
    }
}
