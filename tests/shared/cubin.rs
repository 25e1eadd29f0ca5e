//! What code for an NVIDIA device takes: the registers, memories and parameters of its kernels, as the ELF
//! file says them. It reads no instruction.

use std::fmt;

use crate::nvrtc::{DEVICES, Nvrtc};

/// Attributes of a kernel, by their numbers in `.nv.info`.
const FRAME_SIZE: u8 = 0x11;
const KERNEL_PARAMETER: u8 = 0x17;
const REGISTERS: u8 = 0x2f;

/// A kernel of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The name of the function.
    pub name: String,
    /// Bytes of each parameter, in order.
    pub params: Vec<u32>,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared: u64,
    /// Bytes of local memory of a thread: arrays that are no registers, and registers that are spilled.
    pub frame: u32,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { registers, shared, frame, .. } = self;
        write!(f, "{registers} registers, {shared} bytes shared, {frame} bytes local")
    }
}

/// A section.
struct Section<'f> {
    name: String,
    bytes: &'f [u8],
    size: u64,
    info: u32,
}

/// A number of some bytes, low ones first.
fn number(bytes: &[u8], at: u64, size: usize) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    let mut all = [0; 8];
    all[..size].copy_from_slice(bytes.get(at..at + size)?);
    Some(u64::from_le_bytes(all))
}

/// The text at a place, up to the zero at its end.
fn text(bytes: &[u8], at: u64) -> Option<String> {
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&rest[..end]).into_owned())
}

fn range(file: &[u8], at: u64, size: u64) -> Option<&[u8]> {
    file.get(usize::try_from(at).ok()?..usize::try_from(at + size).ok()?)
}

fn sections(file: &[u8]) -> Option<Vec<Section<'_>>> {
    let (table, n) = (number(file, 0x28, 8)?, number(file, 0x3c, 2)?);
    let header = |k: u64| table + 0x40 * k;
    let names = number(file, header(number(file, 0x3e, 2)?) + 0x18, 8)?;
    (0..n)
        .map(|k| {
            let word = |at, size| number(file, header(k) + at, size);
            let (kind, at, size) = (word(4, 4)?, word(0x18, 8)?, word(0x20, 8)?);
            // Some take no room in the file.
            let bytes = if kind == 8 { &[] } else { range(file, at, size)? };
            let name = text(file, names + word(0, 4)?)?;
            Some(Section { name, bytes, size, info: word(0x2c, 4)? as u32 })
        })
        .collect()
}

/// Attributes with their values.
fn attributes(bytes: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(head) = bytes.get(at..at + 4) {
        let has_bytes = head[0] == 4;
        let size = if has_bytes { usize::from(head[2]) | usize::from(head[3]) << 8 } else { 0 };
        let value = if has_bytes { bytes.get(at + 4..at + 4 + size)? } else { &head[2..] };
        all.push((head[1], value));
        at += 4 + size;
    }
    Some(all)
}

/// The kernels of a file, in its order; `None` where it is not such a file.
pub fn kernels(file: &[u8]) -> Option<Vec<Kernel>> {
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let sections = sections(file)?;
    let named = |name: &str| sections.iter().find(|section| section.name == name);
    let of_file = attributes(named(".nv.info")?.bytes)?;
    let mut all = Vec::new();
    for section in &sections {
        let Some(name) = section.name.strip_prefix(".nv.info.") else { continue };
        // Symbols are numbered; that of a kernel stands in the header of its code.
        let symbol = u64::from(named(&format!(".text.{name}"))?.info & 0xff_ffff);
        let of_kernel = |what: u8| {
            let found = of_file.iter().find(|(attribute, value)| {
                *attribute == what && number(value, 0, 4) == Some(symbol)
            });
            found.and_then(|(_, value)| number(value, 4, 4)).unwrap_or(0) as u32
        };
        let mut params: Vec<(u64, u32)> = attributes(section.bytes)?
            .into_iter()
            .filter(|(attribute, _)| *attribute == KERNEL_PARAMETER)
            .filter_map(|(_, value)| {
                Some((number(value, 4, 2)?, (number(value, 8, 4)? >> 18) as u32))
            })
            .collect();
        params.sort_unstable();
        all.push(Kernel {
            name: name.to_owned(),
            params: params.into_iter().map(|(_, size)| size).collect(),
            registers: of_kernel(REGISTERS),
            shared: named(&format!(".nv.shared.{name}")).map_or(0, |section| section.size),
            frame: of_kernel(FRAME_SIZE),
        });
    }
    Some(all)
}

/// Bytes that a thread writes because it has too few registers, as the assembler says with `-v`; `None`
/// where it does not.
pub fn spilled(log: &str) -> Option<u64> {
    let before: Vec<&str> = log.split(" bytes spill stores").collect();
    let (_, before) = before.split_last()?;
    before.iter().map(|text| text.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

/// What the code of a kernel takes on each of [`DEVICES`], line by line.
///
/// # Panics
///
/// Where the text does not compile, or has other kernels than one of this name.
pub fn taken(nvrtc: &Nvrtc, entry: &str, text: &str, options: &[String]) -> String {
    let mut options = options.to_vec();
    options.push("--ptxas-options=-v".to_owned());
    let mut lines = String::new();
    for device in DEVICES {
        let compiled = nvrtc.compile(text, &options, device);
        let compiled = compiled.unwrap_or_else(|log| panic!("{log}\n{text}"));
        let all = kernels(&compiled.cubin).expect("it is code of a device");
        let [found] = &all[..] else { panic!("{all:?}") };
        assert_eq!(found.name, entry);
        if lines.is_empty() {
            lines += &format!("{entry}{:?}\n", found.params);
        }
        let spilled = spilled(&compiled.log).expect("the assembler says it");
        lines += &format!("    {device}: {found}, {spilled} spilled\n");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvrtc::nvrtc;

    #[test]
    fn kernels_are_read_from_code() {
        assert_eq!(kernels(b"\x7fELF\x02\x01"), None);
        assert_eq!(kernels(b"nothing"), None);
        let Some(nvrtc) = nvrtc() else { return };
        let text = "
            struct Three { float x, y, z; };
            extern \"C\" __global__ void turned(const float *x, Three by, char n, float *y)
            {
                __shared__ float s[48];
                float t[16];
                s[threadIdx.x] = x[threadIdx.x];
                __syncthreads();
                for (int k = 0; k < 16; k++) t[(int)x[k] & 15] = s[(threadIdx.x + k) % 48] * by.y;
                y[threadIdx.x] = t[(int)x[0] & 15] + t[(int)x[1] & 15];
            }
            extern \"C\" __global__ void nothing() {}
        ";
        for device in ["sm_75", "sm_90", "sm_100"] {
            let compiled = nvrtc.compile(text, &["--ptxas-options=-v".to_owned()], device).unwrap();
            let mut all = kernels(&compiled.cubin).unwrap();
            all.sort_by(|a, b| b.name.cmp(&a.name));
            let [turned, nothing] = &all[..] else { panic!("{all:?}") };
            assert_eq!((&*turned.name, &*nothing.name), ("turned", "nothing"));
            assert_eq!(turned.params, [8, 12, 1, 8]);
            // Newer ones keep 1024 bytes for the system.
            assert!([192, 192 + 1024].contains(&turned.shared), "{turned}");
            assert_eq!(turned.frame, 64, "{turned}");
            assert!(turned.registers > 8 && turned.registers > nothing.registers, "{all:?}");
            assert_eq!((nothing.shared, nothing.frame, nothing.params.len()), (0, 0, 0));
            assert_eq!(spilled(&compiled.log), Some(0), "{}", compiled.log);
        }
    }

    #[test]
    fn spills_are_summed() {
        let line =
            |n| format!("    8 bytes stack frame, {n} bytes spill stores, 4 bytes spill loads\n");
        assert_eq!(spilled(&(line(12) + &line(4))), Some(16));
        assert_eq!(spilled("nothing"), Some(0));
    }
}
