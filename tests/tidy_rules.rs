//! The compile-fail suite as a whole: nothing is missing, nothing said twice. That each rule of the
//! check table has a fixture of its name is asked in `flash-lang/tests/fixtures.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below `ui-tests/`.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-tests");
    let mut out = Vec::new();
    for topic in fs::read_dir(root).expect("ui-tests").map(|entry| entry.expect("a folder").path())
    {
        if topic.is_dir() {
            let entries = fs::read_dir(&topic).expect("a topic");
            out.extend(entries.map(|entry| entry.expect("a file").path()));
        }
    }
    out.sort();
    out
}

#[test]
fn each_fixture_has_its_message() {
    let files = files();
    let fixtures = files.iter().filter(|file| file.extension().is_some_and(|ext| ext == "rs"));
    for file in &files {
        let partner = match file.extension().and_then(|ext| ext.to_str()) {
            Some("rs") => file.with_extension("stderr"),
            Some("stderr") => file.with_extension("rs"),
            _ => panic!("neither a fixture nor its message: {}", file.display()),
        };
        assert!(partner.is_file(), "{} is missing", partner.display());
    }
    let count = fixtures.count();
    assert!(count >= 60, "only {count} fixtures");
}

/// The first line that rustc prints about a mistake.
#[test]
fn first_messages_are_unique() {
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in
        files().into_iter().filter(|file| file.extension().is_some_and(|ext| ext == "stderr"))
    {
        let text = fs::read_to_string(&file).expect("a message");
        let first = text.lines().find(|line| line.starts_with("error")).unwrap_or_default();
        assert!(!first.is_empty(), "{} has no error", file.display());
        assert!(!text.contains("panicked at"), "a macro panics: {}", file.display());
        // rustc's own words for two mistakes may agree where their notes and places do not.
        // What shows several mistakes at once repeats the fixtures that show one.
        let several = file
            .file_stem()
            .is_some_and(|name| name == "three_mistakes" || name == "doubled_commas");
        let ours = !several && (first.starts_with("error: ") || first.contains("E0277"));
        if ours && let Some(other) = seen.insert(first.to_owned(), file.clone()) {
            panic!("{} and {} both say: {first}", other.display(), file.display());
        }
    }
}
