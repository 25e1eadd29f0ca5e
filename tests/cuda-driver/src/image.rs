//! Images of modules: what a pointer of a caller points at, and which part of it can be used. It
//! parses no PTX.

use crate::codes::{Code, Outcome};

/// What was found in an image.
#[derive(Debug)]
pub(crate) enum Image {
    /// PTX, as text.
    Ptx(String),
    /// Machine code, of which only names and the architecture are read.
    Cubin(Cubin),
}

/// What is known of machine code.
#[derive(Debug)]
pub(crate) struct Cubin {
    /// Such as 90 for `sm_90`.
    pub(crate) arch: u32,
    pub(crate) kernels: Vec<String>,
}

const ELF: &[u8] = b"\x7fELF";
const FATBIN: u32 = 0xba55_ed50;
pub(crate) const WRAPPER: u32 = 0x4662_43b1;
const CUDA_MACHINE: u16 = 190;

/// How many bytes an image begins with that say how long it is; text ends with a zero.
pub(crate) const HEAD: usize = 4;

/// The form of an image, by its first bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Form {
    Elf,
    Fatbin,
    Wrapper,
    Text,
}

impl Form {
    pub(crate) fn of(head: [u8; HEAD]) -> Self {
        match u32::from_le_bytes(head) {
            FATBIN => Self::Fatbin,
            WRAPPER => Self::Wrapper,
            _ if head == ELF => Self::Elf,
            _ => Self::Text,
        }
    }
}

fn int<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut word = [0; 8];
    word[..N].copy_from_slice(bytes.get(at..at.checked_add(N)?)?);
    Some(u64::from_le_bytes(word))
}

/// How long an ELF image is, by its header of 64 bytes.
pub(crate) fn elf_len(header: &[u8]) -> Option<usize> {
    let sections = int::<8>(header, 40)?;
    let segments = int::<8>(header, 32)?;
    let section = int::<2>(header, 58)? * int::<2>(header, 60)?;
    let segment = int::<2>(header, 54)? * int::<2>(header, 56)?;
    // Longer ones are none that a compiler has made.
    let end = sections.checked_add(section)?.max(segments.checked_add(segment)?);
    (end < 1 << 30).then_some(end as usize)
}

/// How long a fatbin is, by its header of 16 bytes.
pub(crate) fn fatbin_len(header: &[u8]) -> Option<usize> {
    let len = int::<2>(header, 6)?.checked_add(int::<8>(header, 8)?)?;
    (len < 1 << 30).then_some(len as usize)
}

/// Reads an image in whole for a device of a compute capability; of a fatbin its code `code_first`, as devices do,
/// or its PTX, which can be run here.
pub(crate) fn read(bytes: &[u8], capability: (u32, u32), code_first: bool) -> Outcome<Image> {
    let head = bytes.first_chunk::<HEAD>().copied().ok_or(Code::INVALID_IMAGE)?;
    match Form::of(head) {
        Form::Text => text(bytes).map(Image::Ptx),
        Form::Elf => cubin(bytes).ok_or(Code::INVALID_IMAGE)?.for_device(capability),
        Form::Fatbin => fatbin(bytes, capability, code_first),
        Form::Wrapper => Err(Code::INVALID_IMAGE),
    }
}

fn text(bytes: &[u8]) -> Outcome<String> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = std::str::from_utf8(&bytes[..end]).map_err(|_| Code::INVALID_IMAGE)?;
    // A driver takes whatever else is text for PTX with a mistake.
    if text.contains(".version") { Ok(text.to_owned()) } else { Err(Code::INVALID_IMAGE) }
}

fn cubin(bytes: &[u8]) -> Option<Cubin> {
    if int::<2>(bytes, 18)? as u16 != CUDA_MACHINE || elf_len(bytes)? > bytes.len() {
        return None;
    }
    let flags = int::<4>(bytes, 48)? as u32;
    // Newer images, by their ABI version, have it one byte further up.
    let arch = if bytes.get(8).is_some_and(|&abi| abi >= 8) { flags >> 8 } else { flags } & 0xff;
    let table = int::<8>(bytes, 40)? as usize;
    let (size, count) = (int::<2>(bytes, 58)? as usize, int::<2>(bytes, 60)? as usize);
    let names = int::<2>(bytes, 62)? as usize;
    let header = |section: usize, at: usize| table.checked_add(section * size + at);
    let strings = int::<8>(bytes, header(names, 24)?)? as usize;
    let mut kernels = Vec::new();
    for section in 0..count {
        let start = strings.checked_add(int::<4>(bytes, header(section, 0)?)? as usize)?;
        let name = bytes.get(start..)?;
        let name = &name[..name.iter().position(|&byte| byte == 0)?];
        let name = std::str::from_utf8(name).ok()?;
        kernels.extend(name.strip_prefix(".text.").map(str::to_owned));
    }
    Some(Cubin { arch, kernels })
}

impl Cubin {
    fn runs_on(&self, (major, minor): (u32, u32)) -> bool {
        self.arch / 10 == major && self.arch % 10 <= minor
    }

    fn for_device(self, capability: (u32, u32)) -> Outcome<Image> {
        if self.runs_on(capability) { Ok(Image::Cubin(self)) } else { Err(Code::NO_BINARY_FOR_GPU) }
    }
}

fn fatbin(bytes: &[u8], capability: (u32, u32), code_first: bool) -> Outcome<Image> {
    let end = fatbin_len(bytes).filter(|&len| len <= bytes.len()).ok_or(Code::INVALID_IMAGE)?;
    let mut at = int::<2>(bytes, 6).ok_or(Code::INVALID_IMAGE)? as usize;
    let (mut code, mut ptx) = (None, None);
    while at + 64 <= end {
        let entry = || {
            let kind = int::<2>(bytes, at)?;
            let header = int::<4>(bytes, at + 4)? as usize;
            let size = int::<8>(bytes, at + 8)? as usize;
            let arch = int::<4>(bytes, at + 28)? as u32;
            let flags = int::<8>(bytes, at + 40)?;
            let start = at.checked_add(header)?;
            let payload = bytes.get(start..start.checked_add(size)?)?;
            Some((kind, arch, flags, payload, header + size))
        };
        let (kind, arch, flags, payload, len) = entry().ok_or(Code::INVALID_IMAGE)?;
        let is_packed = flags & (0x2000 | 0x8000) != 0;
        let newest = capability.0 * 10 + capability.1;
        if kind == 1 && !is_packed && arch <= newest && ptx.is_none() {
            ptx = Some(text(payload)?);
        }
        if kind == 2 && !is_packed && code.is_none() {
            code = cubin(payload).filter(|cubin| cubin.runs_on(capability));
        }
        at += len;
    }
    let (code, ptx) = (code.map(Image::Cubin), ptx.map(Image::Ptx));
    if code_first { code.or(ptx) } else { ptx.or(code) }.ok_or(Code::NO_BINARY_FOR_GPU)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], capability: (u32, u32)) -> Outcome<Image> {
        super::read(bytes, capability, false)
    }

    const PTX: &[u8] = b".version 8.0\n.target sm_75\n\0\0\0\0\0";

    /// A fatbin with these entries: kind, architecture, flags, payload.
    fn fatbin_of(entries: &[(u16, u32, u64, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, arch, flags, payload) in entries {
            let start = body.len();
            body.extend_from_slice(&kind.to_le_bytes());
            body.extend_from_slice(&0x101u16.to_le_bytes());
            body.extend_from_slice(&64u32.to_le_bytes());
            body.extend_from_slice(&(payload.len() as u64).to_le_bytes());
            body.resize(start + 28, 0);
            body.extend_from_slice(&arch.to_le_bytes());
            body.resize(start + 40, 0);
            body.extend_from_slice(&flags.to_le_bytes());
            body.resize(start + 64, 0);
            body.extend_from_slice(payload);
        }
        let mut bytes = FATBIN.to_le_bytes().to_vec();
        bytes.extend_from_slice(&1u16.to_le_bytes());
        bytes.extend_from_slice(&16u16.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// An ELF header, two sections and their names: no code, but the name of a kernel.
    fn cubin_for(arch: u32) -> Vec<u8> {
        let names = b"\0.text.twice\0";
        let mut bytes = vec![0; 64];
        bytes[..4].copy_from_slice(ELF);
        bytes[8] = 8;
        bytes[18..20].copy_from_slice(&CUDA_MACHINE.to_le_bytes());
        bytes[48..52].copy_from_slice(&(arch << 8).to_le_bytes());
        bytes.extend_from_slice(names);
        let table = bytes.len() as u64;
        bytes[40..48].copy_from_slice(&table.to_le_bytes());
        for (at, value) in [(58, 64u16), (60, 2), (62, 0)] {
            bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
        }
        for (name, offset) in [(0u32, 64u64), (1, 0)] {
            let start = bytes.len();
            bytes.extend_from_slice(&name.to_le_bytes());
            bytes.resize(start + 24, 0);
            bytes.extend_from_slice(&offset.to_le_bytes());
            bytes.resize(start + 64, 0);
        }
        bytes
    }

    #[test]
    fn machine_code_has_an_architecture_and_names() {
        let bytes = cubin_for(86);
        assert_eq!(elf_len(&bytes), Some(bytes.len()));
        let Ok(Image::Cubin(cubin)) = read(&bytes, (8, 9)) else { panic!("it is for 8.x") };
        assert_eq!((cubin.arch, cubin.kernels), (86, vec!["twice".to_owned()]));
        assert_eq!(read(&bytes, (8, 0)).map(drop), Err(Code::NO_BINARY_FOR_GPU));
        assert_eq!(read(&bytes, (9, 0)).map(drop), Err(Code::NO_BINARY_FOR_GPU));
    }

    #[test]
    fn the_text_of_a_fatbin_is_taken_before_its_code() {
        let code = cubin_for(90);
        let bytes = fatbin_of(&[(2, 90, 0, &code), (1, 90, 0x2000, b"packed"), (1, 75, 0, PTX)]);
        assert_eq!(fatbin_len(&bytes), Some(bytes.len()));
        let Ok(Image::Ptx(text)) = read(&bytes, (9, 0)) else { panic!("there is text") };
        assert!(text.starts_with(".version") && text.ends_with('\n'));
        assert!(matches!(super::read(&bytes, (9, 0), true), Ok(Image::Cubin(_))));
        let bytes = fatbin_of(&[(1, 90, 0x2000, b"packed"), (2, 90, 0, &code)]);
        assert!(matches!(read(&bytes, (9, 0)), Ok(Image::Cubin(_))));
        assert_eq!(read(&bytes, (7, 5)).map(drop), Err(Code::NO_BINARY_FOR_GPU));
    }

    #[test]
    fn what_is_cut_off_is_no_image() {
        for whole in [fatbin_of(&[(2, 90, 0, &cubin_for(90)), (1, 75, 0, PTX)]), cubin_for(90)] {
            for len in 0..whole.len() {
                assert!(read(&whole[..len], (9, 0)).is_err(), "{len} of {} bytes", whole.len());
            }
        }
    }
}
