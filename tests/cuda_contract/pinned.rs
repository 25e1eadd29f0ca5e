//! Arrays of the host that are pinned: when they are, up to which limit, and that they are let go.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flash::prelude::*;
use flash_rt::Options;
use flash_test_cuda::{Code, TestDriver};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::{driver, runtime, runtime_with};

/// Bytes of arrays that are pinned.
const LARGE: usize = 1 << 18;

/// How often a function of the driver was called since this was last asked.
fn count(driver: &TestDriver, call: &str) -> u64 {
    driver.counts().get(call).copied().unwrap_or(0)
}

#[test]
fn large_arrays_are_pinned_once_and_let_go_with_their_memory() {
    let driver = driver("devices=2");
    let rt = runtime();
    let x = Buffer::from(vec![1_u8; LARGE]);
    let y = Buffer::from(vec![2_u8; 1_000]);
    for device in 0..2 {
        x.prefetch(&rt, device).wait().unwrap();
        y.prefetch(&rt, device).wait().unwrap();
    }
    assert_eq!(driver.alive().registered, 1, "the same for both devices, and nothing small");
    x.write(..).unwrap().fill(7);
    x.prefetch(&rt, 1).wait().unwrap();
    assert_eq!(count(&driver, "cuMemHostRegister_v2"), 1);
    drop(x);
    assert_eq!(driver.alive().registered, 0);
    // What a vector was made an array of is a vector again, and nobody's but its owner's.
    let z = Buffer::from(vec![3_u8; LARGE]);
    z.prefetch(&rt, 0).wait().unwrap();
    assert_eq!(driver.alive().registered, 1);
    let values = z.into_vec().unwrap();
    assert_eq!((driver.alive().registered, values.len()), (0, LARGE));
    assert_eq!(driver.trouble(), "");
}

#[test]
fn arrays_are_pinned_from_a_length_on() {
    let driver = driver("devices=1");
    let rt = runtime();
    for (bytes, pinned) in [((64 << 10) - 1, 0), (64 << 10, 1)] {
        let x = Buffer::from(vec![5_u8; bytes]);
        x.prefetch(&rt, 0).wait().unwrap();
        assert_eq!(driver.alive().registered, pinned, "{bytes} bytes");
    }
}

/// How often the limit was said.
#[derive(Clone, Default)]
struct Said(Arc<AtomicUsize>);

impl Visit for Said {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let said = format!("{value:?}");
        if field.name() == "message" && said.contains("FLASH_PINNED_LIMIT") {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Subscriber for Said {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        if *event.metadata().level() == Level::WARN {
            event.record(&mut self.clone());
        }
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn beyond_the_limit_and_where_the_driver_refuses_copies_take_the_other_way() {
    let driver = driver("devices=1");
    let mut options = Options::default();
    options.pinned_limit = Some(LARGE as u64);
    let rt = runtime_with(&options);
    let (a, b) = (Buffer::from(vec![1_u8; LARGE]), Buffer::from(vec![2_u8; LARGE]));
    // No other test of this process comes to a limit, which is said once; by a thread of the runtime.
    let said = Said::default();
    tracing::subscriber::set_global_default(said.clone()).unwrap();
    a.prefetch(&rt, 0).wait().unwrap();
    assert_eq!(said.0.load(Ordering::Relaxed), 0, "there is room");
    b.prefetch(&rt, 0).wait().unwrap();
    assert_eq!(said.0.load(Ordering::Relaxed), 1);
    for rt in [&rt, &runtime_with(&options)] {
        Buffer::from(vec![3_u8; LARGE]).prefetch(rt, 0).wait().unwrap();
    }
    assert_eq!(said.0.load(Ordering::Relaxed), 1, "it is said already");
    assert_eq!(driver.alive().registered, 1);
    drop(a);
    driver.fail("cuMemHostRegister", 1, Code(712));
    let c = Buffer::from(vec![3_u8; LARGE]);
    c.prefetch(&rt, 0).wait().unwrap();
    assert_eq!((driver.alive().registered, driver.failures_left()), (0, 0));
    assert_eq!(b.to_vec().unwrap(), vec![2; LARGE]);
    drop((b, c));
    // What was refused counts for nothing.
    let d = Buffer::from(vec![4_u8; LARGE]);
    d.prefetch(&rt, 0).wait().unwrap();
    assert_eq!(driver.alive().registered, 1);
}
