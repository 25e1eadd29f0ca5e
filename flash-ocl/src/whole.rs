//! Whether a binary of PoCL is whole, as its driver ends the process on one that is cut or says wrong
//! lengths. It says nothing of other drivers' binaries, nor of what is in the parts.

/// What a binary of PoCL begins with.
const MAGIC: &[u8] = b"poclbin\0";
/// The version of its form that is known; others are left to the driver.
const VERSION: u32 = 9;
/// Where the version and the number of kernels are.
const NUMBERS: usize = 16;
/// Where what follows the head begins: the length of the program's files, and these.
const FILES: usize = 77;
/// The least bytes of a kernel: the lengths of itself, of its files and of its arguments.
const KERNEL: usize = 20;

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    part.try_into().ok().map(u32::from_le_bytes)
}

fn len_at(bytes: &[u8], at: usize) -> Option<usize> {
    let part = bytes.get(at..at.checked_add(8)?)?;
    part.try_into().ok().and_then(|part| usize::try_from(u64::from_le_bytes(part)).ok())
}

/// A length and so many bytes, one or more; and what follows.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = usize::try_from(u32_at(bytes, 0)?).ok().filter(|len| *len > 0)?;
    bytes[4..].split_at_checked(len)
}

/// Whether bytes are files, each a name and contents with their lengths; names lead nowhere else.
fn are_files(mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let Some((name, rest)) = part(bytes) else { return false };
        let Some((_, rest)) = part(rest) else { return false };
        let leads_up = name.split(|byte| *byte == b'/').any(|part| part == b"..");
        if !name.starts_with(b"/") || leads_up || name.contains(&0) {
            return false;
        }
        bytes = rest;
    }
    true
}

/// The end of a kernel that begins at a byte, if it is whole.
fn kernel(bytes: &[u8], at: usize) -> Option<usize> {
    let (len, files) = (len_at(bytes, at)?, len_at(bytes, at.checked_add(8)?)?);
    let arguments = usize::try_from(u32_at(bytes, at.checked_add(16)?)?).ok()?;
    let end = at.checked_add(len).filter(|end| *end <= bytes.len())?;
    let (name, _) = part(bytes.get(at + KERNEL..end)?)?;
    let others = len.checked_sub(KERNEL + 4 + name.len())?.checked_sub(files)?;
    let is_whole = others >= arguments && are_files(&bytes[end - files..end]);
    is_whole.then_some(end)
}

fn is_whole(bytes: &[u8], n_kernels: u32) -> Option<()> {
    let len = len_at(bytes, FILES)?;
    let start = FILES + 8;
    let mut at = start.checked_add(len)?;
    bytes.get(start..at).filter(|files| !files.is_empty() && are_files(files))?;
    for _ in 0..n_kernels {
        at = kernel(bytes, at)?;
    }
    (at == bytes.len()).then_some(())
}

/// What is wrong with a binary, if it is one of PoCL that is not whole.
pub(crate) fn damage(bytes: &[u8]) -> Option<&'static str> {
    const CUT: &str = "it is a binary of PoCL that is cut or damaged; copy or make it again";
    if bytes.is_empty() || !bytes.starts_with(&MAGIC[..MAGIC.len().min(bytes.len())]) {
        return None;
    }
    let (Some(version), Some(n_kernels)) = (u32_at(bytes, NUMBERS), u32_at(bytes, NUMBERS + 4))
    else {
        return Some(CUT);
    };
    if version != VERSION {
        return None;
    }
    is_whole(bytes, n_kernels).is_none().then_some(CUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, contents: &[u8]) -> Vec<u8> {
        let len = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
        [&len(name.as_bytes()), name.as_bytes(), &len(contents), contents].concat()
    }

    fn binary(name: &str) -> Vec<u8> {
        let mut all = [MAGIC, &[7; 8], &VERSION.to_le_bytes(), &1_u32.to_le_bytes()].concat();
        all.resize(FILES, b'A');
        let program = file("/program.bc", b"code");
        all.extend((program.len() as u64).to_le_bytes());
        all.extend(program);
        let (files, rest) = (file(name, b"object"), [[4, 0, 0, 0, b'n', b'a', b'm', b'e'], [0; 8]]);
        let len = KERNEL + 16 + files.len();
        all.extend((len as u64).to_le_bytes());
        all.extend((files.len() as u64).to_le_bytes());
        all.extend(8_u32.to_le_bytes());
        all.extend(rest.concat());
        all.extend(files);
        all
    }

    #[test]
    fn a_binary_that_is_cut_anywhere_is_noticed() {
        let whole = binary("/kernel/a.so");
        assert_eq!(damage(&whole), None);
        for len in 1..whole.len() {
            assert!(damage(&whole[..len]).is_some(), "{len}");
        }
        assert!(damage(&[whole.as_slice(), &[0]].concat()).is_some(), "too long");
        assert!(damage(&binary("/../a.so")).is_some() && damage(&binary("a.so")).is_some());
    }

    #[test]
    fn lengths_that_are_wrong_are_noticed() {
        let whole = binary("/kernel/a.so");
        let mut wrong = whole.clone();
        wrong[FILES + 7] = 0xff;
        assert!(damage(&wrong).is_some());
        wrong = whole.clone();
        wrong[NUMBERS + 4] = 2;
        assert!(damage(&wrong).is_some());
    }

    #[test]
    fn what_others_have_made_is_left_to_their_drivers() {
        assert_eq!(damage(b""), None);
        assert_eq!(damage(b"AOCX and more"), None);
        let mut newer = binary("/a");
        newer[NUMBERS] = 200;
        assert_eq!(damage(&newer[..100]), None);
    }
}
