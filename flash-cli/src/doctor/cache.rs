//! The folder of compiled kernels. It keeps none there.

use std::path::Path;

use flash_ocl::report::kept;
use flash_rt::Options;
use flash_rt::env_options::Variable;
use serde_json::json;

use super::{Section, State};
use crate::text;

pub(super) fn section(options: &Options, variables: &[Variable]) -> Section {
    let Some(dir) = &options.cache_dir else {
        let says_off = |known: &Variable| {
            known.name == "FLASH_CACHE" && known.value.trim().eq_ignore_ascii_case("off")
        };
        let is_off = variables.iter().any(says_off);
        let mut section = Section::new("cache", "kernel cache", json!({ "folder": null }));
        section.state = State::Absent;
        (section.summary, section.fix) = match is_off {
            true => ("off, as FLASH_CACHE says".to_owned(), Some("unset FLASH_CACHE".to_owned())),
            false => (
                "off, as nothing says where: neither HOME nor FLASH_CACHE_DIR is set".to_owned(),
                Some("export FLASH_CACHE_DIR=/tmp/flash".to_owned()),
            ),
        };
        return section;
    };
    let kept = kept(dir);
    let error = writable(&kept.folder).err().map(|error| error.to_string());
    let facts = json!({
        "folder": kept.folder,
        "programs": kept.programs,
        "bytes": kept.bytes,
        "limit": kept.limit,
        "writable": error.is_none(),
        "error": error,
    });
    let mut section = Section::new("cache", "kernel cache", facts);
    section.summary = kept.folder.display().to_string();
    let (bytes, limit) = (text::bytes(kept.bytes), text::bytes(kept.limit));
    section.row("holds", format!("{}, {bytes} of {limit}", text::count(kept.programs, "kernel")));
    match error {
        None => section.row("writable", "yes"),
        Some(error) => {
            section.row("writable", format!("no, so kernels are compiled in each run: {error}"));
            section.state = State::Wrong;
            section.fix = Some("export FLASH_CACHE_DIR=/tmp/flash".to_owned());
        }
    }
    section
}

/// Whether files can be made in a folder, or the folder itself.
fn writable(folder: &Path) -> std::io::Result<()> {
    let there = folder.ancestors().find(|path| path.exists());
    tempfile::tempfile_in(there.unwrap_or(folder)).map(drop)
}

#[cfg(test)]
#[test]
fn what_is_to_be_made_is_writable_where_its_parent_is() {
    let dir = tempfile::tempdir().unwrap();
    assert!(writable(&dir.path().join("a/b")).is_ok());
    assert!(!dir.path().join("a").exists(), "nothing is made");
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(writable(&file.join("below")).is_err());
}
