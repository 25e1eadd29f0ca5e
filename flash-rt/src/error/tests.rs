//! What errors say.

use std::panic::Location;

use super::*;

#[test]
fn debug_is_display_with_its_causes() {
    let source = std::io::Error::other(Error::Cancelled { at: None });
    let site = Location::caller();
    let error = Error::HostTask { task: "store", site, source: Arc::new(source) };
    let expected = format!("{error}\n  because: the run was cancelled");
    assert_eq!(format!("{error:?}"), expected);
    assert!(!expected.contains("HostTask"));
}

#[test]
fn an_index_below_zero_is_shown_as_such() {
    let error = Error::OutOfBounds {
        kernel: "blur",
        site: Location::caller(),
        item: vec![0, 3],
        param: "x",
        index: vec![3, 0_usize.wrapping_sub(1)],
        shape: vec![4, 4],
    };
    assert!(error.to_string().contains("used index [3, -1] of `x`"), "{error}");
}

#[test]
fn a_failure_of_a_device_names_its_stage_once() {
    let source =
        DriverError { api: "f", code: 2, text: "gone".into(), kind: DriverErrorKind::DeviceLost };
    let (device, copy) = ("sim:0".to_owned(), "upload of 8 bytes".to_owned());
    let error = Error::DeviceLost { device, what: copy, at: None, given_up: None, source };
    let what = "upload of 8 bytes failed because `sim:0` is lost";
    let remedy = "; write again what only it had and run once more, on another device of the runtime or \
                  on a runtime with another one";
    assert_eq!(error.to_string(), format!("{what}{remedy}"));
    let site = Location::caller();
    let error = error.within(At { node: Some(3), stage: "saxpy", site });
    let error = error.within(At { node: None, stage: "other", site });
    let expected = format!(
        "{what} (node 3, `saxpy`, called at {site}){remedy}\n  because: f returned 2: gone"
    );
    assert_eq!(format!("{error:?}"), expected);
}

#[test]
fn converts_to_io() {
    let error = std::io::Error::from(Error::Cancelled { at: None });
    assert_eq!(error.to_string(), "the run was cancelled");
    assert!(error.get_ref().is_some_and(|inner| inner.is::<Error>()));
}
