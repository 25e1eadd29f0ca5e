//! How fast kernels were on devices in earlier runs of a program: a small file, read when a runtime
//! is built and written when it is asked to. It measures nothing.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The first line of such a file.
const HEADER: &str = "flash items per second 1";

/// Items a second, by device, kernel and the hash of its signature.
pub(crate) type Rates = BTreeMap<(String, String, u64), f64>;

#[cold]
fn refused(path: &Path, why: impl Into<String>) -> Error {
    Error::Remembered { path: path.to_owned(), why: why.into() }
}

/// The file beside compiled kernels, in their folder, which is made.
pub(crate) fn beside_kernels(folder: Option<&Path>) -> Result<PathBuf> {
    let Some(folder) = folder else {
        return Err(Error::Option {
            option: "remember_with_kernels",
            value: "true".to_owned(),
            why: "no kernels are kept: `FLASH_CACHE` is `off`, or the user has no folder for caches; \
                  say a file with `remember`, or a folder with `FLASH_CACHE_DIR`"
                .to_owned(),
        });
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| refused(folder, format!("it cannot be made: {error}")))?;
    Ok(folder.join("times"))
}

/// What a file says; nothing where there is none.
pub(crate) fn load(path: &Path) -> Result<Rates> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Rates::new()),
        Err(error) => return Err(refused(path, format!("it cannot be read: {error}"))),
    };
    let mut lines = text.lines();
    let is_complete = text.is_empty() || text.ends_with('\n');
    if lines.next() != Some(HEADER) || !is_complete {
        return Err(refused(
            path,
            format!("it does not begin with `{HEADER}`, or is cut off; delete it to begin anew"),
        ));
    }
    let line = |line: &str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().filter(|field| !field.is_empty());
        let (device, kernel) = (next()?.to_owned(), next()?.to_owned());
        let signature = u64::from_str_radix(next()?, 16).ok()?;
        let rate = next()?.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0)?;
        fields.next().is_none().then_some(((device, kernel, signature), rate))
    };
    let mut rates = Rates::new();
    for (number, text) in lines.enumerate() {
        let Some((key, rate)) = line(text) else {
            let why = format!(
                "line {} is not device, kernel, signature and items a second with tabs between; \
                 delete it to begin anew",
                number + 2
            );
            return Err(refused(path, why));
        };
        rates.insert(key, rate);
    }
    Ok(rates)
}

/// Writes a file, in one step.
pub(crate) fn store(path: &Path, rates: &Rates) -> Result<()> {
    let mut text = format!("{HEADER}\n");
    for ((device, kernel, signature), rate) in rates {
        text.push_str(&format!("{device}\t{kernel}\t{signature:016x}\t{rate:e}\n"));
    }
    let mut fresh = path.to_owned().into_os_string();
    fresh.push(format!(".{}", std::process::id()));
    let written = std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, path));
    written.map_err(|error| {
        // It may never have been there.
        let _ = std::fs::remove_file(&fresh);
        refused(path, format!("it cannot be written: {error}"))
    })
}

/// A name as a field of a line.
pub(crate) fn field(name: &str) -> String {
    name.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_kernels_is_made_for_it() {
        let folder = std::env::temp_dir().join(format!("flash-beside-{}", std::process::id()));
        let path = beside_kernels(Some(&folder)).unwrap();
        assert_eq!(path, folder.join("times"));
        store(&path, &Rates::new()).unwrap();
        assert_eq!(load(&path).unwrap(), Rates::new());
        let below = beside_kernels(Some(&path)).unwrap_err();
        assert!(below.to_string().contains("cannot be made"), "{below}");
        std::fs::remove_dir_all(&folder).unwrap();
        let none = beside_kernels(None).unwrap_err();
        assert!(none.to_string().contains("FLASH_CACHE_DIR"), "{none}");
    }

    #[test]
    fn what_was_written_is_read_and_else_refused() {
        let folder = std::env::temp_dir().join(format!("flash-remembered-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("rates");
        assert_eq!(load(&path).unwrap(), Rates::new());
        let mut rates = Rates::new();
        rates.insert(("sim:0".to_owned(), "saxpy".to_owned(), 7), 1.5e9);
        rates.insert((field("a\tb"), "saxpy".to_owned(), u64::MAX), 0.1);
        store(&path, &rates).unwrap();
        assert_eq!(load(&path).unwrap(), rates);
        let good = std::fs::read_to_string(&path).unwrap();
        for bad in [
            "nothing of ours\n".to_owned(),
            String::new(),
            good[..good.len() - 1].to_owned(),
            format!("{good}sim:0\tsaxpy\t7\n"),
            format!("{good}sim:0\tsaxpy\t7\t-1\n"),
            format!("{good}sim:0\tsaxpy\t7\tNaN\n"),
            format!("{good}sim:0\tsaxpy\tx\t1\n"),
            format!("{good}sim:0\tsaxpy\t7\t1\t1\n"),
        ] {
            std::fs::write(&path, &bad).unwrap();
            let error = load(&path).unwrap_err();
            assert!(matches!(error, Error::Remembered { .. }), "{bad}: {error}");
        }
        let nowhere = folder.join("none/rates");
        assert!(matches!(store(&nowhere, &rates), Err(Error::Remembered { .. })));
        assert!(matches!(load(&folder), Err(Error::Remembered { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
