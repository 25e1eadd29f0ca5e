//! Built programs on disk, for later runs. A program is found by all that it depends on; what cannot
//! be read is as good as absent, and what cannot be written is no error. Several processes may use a
//! folder at once, as files appear under their names only when they are whole.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The bytes of a folder, beyond which the oldest files are removed.
const LIMIT: u64 = 256 << 20;
/// What is left of somebody who did not end writing is removed when it is so old.
const STALE: Duration = Duration::from_secs(3600);

/// Begins each file; the last byte is the version of what follows.
const MAGIC: &[u8; 8] = b"flashpr\x01";
/// Bytes before a program: the above, its key, its length, a sum over it.
const HEADER: usize = 8 + 16 + 8 + 8;

/// A folder of programs.
#[derive(Clone, Debug)]
pub struct Cache {
    dir: PathBuf,
    limit: u64,
}

/// What is kept of compiled kernels.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Kept {
    /// Where they are.
    pub folder: PathBuf,
    /// How many there are.
    pub programs: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The most bytes there may be.
    pub limit: u64,
}

/// What a program is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u128);

impl Key {
    /// The key of these facts.
    pub fn of(facts: &[&[u8]]) -> Self {
        // FNV-1a of 128 bits; with its length each fact ends where it does.
        const PRIME: u128 = (1 << 88) + 0x13b;
        let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        let mut add = |bytes: &[u8]| {
            for &byte in bytes {
                hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
            }
        };
        for fact in facts {
            add(&(fact.len() as u64).to_le_bytes());
            add(fact);
        }
        Self(hash)
    }

    /// As much of it as tells a few apart.
    pub fn low(self) -> u64 {
        self.0 as u64
    }
}

/// A sum that tells damaged bytes.
fn sum(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

impl Cache {
    /// What is in it.
    pub fn kept(&self) -> Kept {
        let all = files(&self.dir);
        let programs = all.iter().filter(|file| file.is_whole);
        Kept {
            folder: self.dir.clone(),
            programs: programs.clone().count(),
            bytes: programs.map(|file| file.len).sum(),
            limit: self.limit,
        }
    }

    /// The programs in a folder, which is made when there is one to keep.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir, limit: LIMIT }
    }

    /// Those of a backend, below the folder of all compiled kernels.
    pub fn below(dir: &Path, backend: &str) -> Self {
        Self::new(dir.join(backend))
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        &self.dir
    }

    fn path(&self, key: Key) -> PathBuf {
        self.dir.join(format!("{:032x}.bin", key.0))
    }

    /// A program, if it is there and whole.
    pub fn get(&self, key: Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut bytes = fs::read(&path).ok()?;
        let is_whole = bytes.len() >= HEADER && bytes[..HEADER] == header(key, &bytes[HEADER..]);
        if !is_whole {
            tracing::debug!(path = %path.display(), "a damaged file of the kernel cache is removed");
            let _ = fs::remove_file(&path);
            return None;
        }
        // What is used is not old.
        if let Ok(file) = fs::File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(bytes.split_off(HEADER))
    }

    /// Removes a program.
    pub fn forget(&self, key: Key) {
        let _ = fs::remove_file(self.path(key));
    }

    /// Keeps a program.
    pub fn put(&self, key: Key, program: &[u8]) {
        if let Err(error) = self.write(key, program) {
            let path = self.dir.display();
            tracing::debug!(%path, %error, "a compiled kernel cannot be kept on disk");
        }
        self.trim();
    }

    fn write(&self, key: Key, program: &[u8]) -> std::io::Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(&self.dir)?;
        // Relaxed: only uniqueness matters.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let unfinished = self.dir.join(format!(".{:032x}-{process}-{number}", key.0));
        let written = fs::File::create(&unfinished).and_then(|mut file| {
            file.write_all(&header(key, program))?;
            file.write_all(program)
        });
        let moved = written.and_then(|()| fs::rename(&unfinished, self.path(key)));
        if moved.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        moved
    }

    /// Removes the oldest programs beyond the limit, and what somebody has left unfinished.
    fn trim(&self) {
        let mut all = files(&self.dir);
        let now = SystemTime::now();
        all.retain(|file| {
            let is_stale = now.duration_since(file.modified).is_ok_and(|age| age > STALE);
            if !file.is_whole && is_stale {
                let _ = fs::remove_file(&file.path);
            }
            file.is_whole
        });
        all.sort_by_key(|file| file.modified);
        let mut total: u64 = all.iter().map(|file| file.len).sum();
        for file in all {
            if total <= self.limit {
                break;
            }
            // Another process may have removed it.
            let _ = fs::remove_file(file.path);
            total -= file.len;
        }
    }
}

/// A file that was written here.
struct File {
    path: PathBuf,
    /// Whether it is a program, and none that somebody is about to write.
    is_whole: bool,
    modified: SystemTime,
    len: u64,
}

/// Whether a file of this name is a program, or one that is not whole; `None` where it is somebody's own.
fn is_whole(name: &str) -> Option<bool> {
    let is_key = |text: &str| {
        text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    match name.strip_prefix('.') {
        Some(rest) => is_key(rest.split('-').next()?).then_some(false),
        None => is_key(name.strip_suffix(".bin")?).then_some(true),
    }
}

/// The files of ours in a folder.
fn files(dir: &Path) -> Vec<File> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let file = |entry: fs::DirEntry| {
        let is_whole = is_whole(entry.file_name().to_str()?)?;
        let facts = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let (path, modified, len) = (entry.path(), facts.modified().ok()?, facts.len());
        Some(File { path, is_whole, modified, len })
    };
    entries.filter_map(|entry| file(entry.ok()?)).collect()
}

fn header(key: Key, program: &[u8]) -> [u8; HEADER] {
    let mut all = [0; HEADER];
    all[..8].copy_from_slice(MAGIC);
    all[8..24].copy_from_slice(&key.0.to_le_bytes());
    all[24..32].copy_from_slice(&(program.len() as u64).to_le_bytes());
    all[32..].copy_from_slice(&sum(program).to_le_bytes());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_do_not_run_into_each_other() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
        assert_eq!(Key::of(&[b"ab", b"c"]), Key::of(&[b"ab", b"c"]));
        assert_ne!(Key::of(&[]), Key::of(&[b""]));
    }

    #[test]
    fn what_is_damaged_is_absent() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().join("deep/er"));
        let key = Key::of(&[b"a"]);
        assert_eq!(cache.get(key), None);
        cache.put(key, b"program");
        assert_eq!(cache.get(key).as_deref(), Some(b"program".as_slice()));
        for damage in [0, 20, HEADER, HEADER + 6] {
            let mut bytes = fs::read(cache.path(key)).unwrap();
            bytes[damage] ^= 1;
            fs::write(cache.path(key), &bytes).unwrap();
            assert_eq!(cache.get(key), None, "byte {damage}");
            assert!(!cache.path(key).exists(), "it is made again");
            cache.put(key, b"program");
        }
        let bytes = fs::read(cache.path(key)).unwrap();
        for len in [0, 7, HEADER - 1, HEADER, bytes.len() - 1] {
            fs::write(cache.path(key), &bytes[..len]).unwrap();
            assert_eq!(cache.get(key), None, "{len} bytes");
        }
        fs::write(cache.path(Key::of(&[b"b"])), &bytes).unwrap();
        assert_eq!(cache.get(Key::of(&[b"b"])), None, "of another program");
        cache.put(key, b"program");
        cache.forget(key);
        assert_eq!(cache.get(key), None);
    }

    #[test]
    fn the_oldest_leave_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache { dir: dir.path().to_owned(), limit: 3 * (1000 + HEADER as u64) };
        let keys: Vec<Key> = (0..5_u8).map(|k| Key::of(&[&[k]])).collect();
        for (age, key) in keys.iter().enumerate().take(4) {
            cache.put(*key, &[age as u8; 1000]);
            if let Ok(file) = fs::File::options().append(true).open(cache.path(*key)) {
                let old = SystemTime::now() - Duration::from_secs(1000 - age as u64);
                file.set_modified(old).unwrap();
            }
        }
        assert!(cache.get(keys[0]).is_none(), "it was the oldest");
        assert!(cache.get(keys[1]).is_some(), "which makes it the newest");
        cache.put(keys[4], &[4; 1000]);
        let left: Vec<bool> = keys.iter().map(|key| cache.get(*key).is_some()).collect();
        assert_eq!(left, [false, true, false, true, true]);
    }

    #[test]
    fn what_others_keep_in_the_folder_stays() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache { dir: dir.path().to_owned(), limit: 1000 };
        let old = SystemTime::now() - 2 * STALE;
        let write = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, [0; 2000]).unwrap();
            fs::File::options().append(true).open(&path).unwrap().set_modified(old).unwrap();
            path
        };
        let theirs = ["notes.txt", ".hidden", "other.bin", ".0123-1-1", "0123.bin"].map(write);
        let stale = write(".0123456789abcdef0123456789abcdef-17-3");
        let first = write("0123456789abcdef0123456789abcdef.bin");
        let key = Key::of(&[b"a"]);
        cache.put(key, &[1; 900]);
        assert!(theirs.iter().all(|path| path.exists()));
        assert!(!stale.exists() && !first.exists());
        assert!(cache.get(key).is_some());
        let kept = cache.kept();
        assert_eq!((kept.programs, kept.bytes), (1, 900 + HEADER as u64));
    }

    #[test]
    fn several_at_once_never_see_half_a_program() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::new(dir.path().to_owned());
        let key = Key::of(&[b"shared"]);
        std::thread::scope(|scope| {
            for writer in 0..4_u8 {
                let cache = &cache;
                scope.spawn(move || {
                    for _ in 0..50 {
                        cache.put(key, &[writer; 10_000]);
                        let seen = cache.get(key).unwrap();
                        assert!(seen.iter().all(|byte| *byte == seen[0]));
                    }
                });
            }
        });
        assert_eq!(files(dir.path()).len(), 1, "nothing unfinished is left");
    }
}
