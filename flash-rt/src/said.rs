//! What is said through `tracing` on one thread, for tests. It knows no spans.

use std::fmt;
use std::sync::{Arc, Mutex};

use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps what is said that somebody should look at.
#[derive(Clone)]
pub(crate) struct Said {
    said: Arc<Mutex<Vec<String>>>,
    down_to: Level,
}

impl Default for Said {
    fn default() -> Self {
        Self::down_to(Level::WARN)
    }
}

impl Said {
    /// Keeps what is as important as this.
    pub(crate) fn down_to(down_to: Level) -> Self {
        Self { said: Arc::default(), down_to }
    }

    /// What `act` does, heard.
    pub(crate) fn hear<T>(&self, act: impl FnOnce() -> T) -> T {
        // Of one listener alone `tracing` asks the thread that says something first, and if that has
        // none, nobody ever hears it; of two it asks both.
        let _second = tracing::Dispatch::new(self.clone());
        with_default(self.clone(), act)
    }

    /// What was said since the last call: level, message, then fields in the order they were given.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.said.lock().unwrap())
    }
}

impl Subscriber for Said {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.down_to
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let (mut message, mut fields) = (String::new(), String::new());
        let mut visit = |field: &Field, value: &dyn fmt::Debug| match field.name() {
            "message" => message = format!("{value:?}"),
            name => fields += &format!(", {name} {value:?}"),
        };
        event.record(&mut visit);
        let level = event.metadata().level();
        self.said.lock().unwrap().push(format!("{level}: {message}{fields}"));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
