//! Cubins: machine code for one generation of devices, as ELF files with sections of NVIDIA's.

use super::bytes::Bytes;
use super::{Arch, Damage, Entry, Global, Metadata, Param};

/// How an ELF file begins.
pub(super) const MAGIC: &[u8] = b"\x7fELF";

const MACHINE: u16 = 190;
const SYMBOLS: u32 = 2;

/// Attributes of the sections `.nv.info`.
mod attribute {
    pub(super) const MAX_THREADS: u8 = 0x05;
    pub(super) const REQUIRED_THREADS: u8 = 0x10;
    pub(super) const PARAM: u8 = 0x17;
    pub(super) const REGISTERS: u8 = 0x2f;
    /// The format of an attribute that has bytes behind it.
    pub(super) const SIZED: u8 = 4;
}

/// A section.
#[derive(Clone, Copy, Debug)]
struct Section<'b> {
    name: &'b str,
    kind: u32,
    at: u64,
    bytes: u64,
    link: u32,
}

/// A symbol: its name, section, bytes and whether it is a function or an object.
#[derive(Clone, Copy, Debug)]
struct Symbol<'b> {
    name: &'b str,
    kind: u8,
    section: u16,
    bytes: u64,
}

/// What a cubin has.
pub(super) fn read(bytes: &[u8]) -> Result<Metadata, Damage> {
    let file = Bytes(bytes);
    if !bytes.starts_with(MAGIC) || file.u16(18).is_some_and(|machine| machine != MACHINE) {
        return Err(Damage::NotThat("cubin"));
    }
    let all = sections(file).ok_or(Damage::Short("table of sections"))?;
    segments(file).ok_or(Damage::Short("table of segments"))?;
    // Sections without bytes in the file (`SHT_NOBITS`, and what the tools use) say a size all the same.
    let body = |section: &Section<'_>| file.part(section.at, section.bytes);
    let is_cut = |section: &&Section<'_>| is_in_file(section.kind) && body(section).is_none();
    if all.iter().any(|section| is_cut(&section)) {
        return Err(Damage::Short("sections"));
    }
    let symbols = symbols(file, &all).ok_or(Damage::Short("symbols"))?;
    let mut entries = Vec::new();
    for section in &all {
        let Some(name) = section.name.strip_prefix(".nv.info.") else { continue };
        // Functions that are only called have such a section too, and no parameters of a launch.
        if !all.iter().any(|code| code.name.strip_prefix(".text.") == Some(name)) {
            continue;
        }
        let info = body(section).ok_or(Damage::Short("sections"))?;
        let mut entry = entry(name, info).ok_or(Damage::Odd("list of parameters"))?;
        entry.params.sort_by_key(|param| param.offset);
        entries.push(entry);
    }
    if let Some(info) = all.iter().find(|section| section.name == ".nv.info").and_then(body) {
        registers(info, &symbols, &mut entries).ok_or(Damage::Odd("list of registers"))?;
    }
    let globals = symbols.iter().filter(|symbol| {
        let section = all.get(usize::from(symbol.section)).map_or("", |section| section.name);
        let is_data = section.starts_with(".nv.global") || section.starts_with(".nv.constant3");
        symbol.kind == 1 && is_data && !symbol.name.is_empty()
    });
    let globals = globals
        .map(|symbol| Global { name: symbol.name.to_owned(), bytes: symbol.bytes })
        .collect();
    let arch = arch(file).ok_or(Damage::Odd("generation of devices"))?;
    Ok(Metadata { arch, ptx: None, entries, globals })
}

/// Whether a section of a kind has its bytes in the file.
fn is_in_file(kind: u32) -> bool {
    // Program, symbols, strings, relocations, notes, `.nv.info`.
    matches!(kind, 1..=4 | 7 | 9 | 0x7000_0000)
}

/// The device that it is for, which newer tools note in another place.
fn arch(file: Bytes<'_>) -> Option<Arch> {
    let (version, flags) = (file.u8(8)?, file.u32(48)?);
    let number = if version >= 8 { flags >> 8 & 0xff } else { flags & 0xff };
    (number >= 10).then_some(Arch { number, only: None })
}

/// The table of what is loaded, which only the driver reads.
fn segments(file: Bytes<'_>) -> Option<&[u8]> {
    let (table, each, n) = (file.u64(32)?, file.u16(54)?, file.u16(56)?);
    file.part(table, u64::from(each) * u64::from(n))
}

fn sections(file: Bytes<'_>) -> Option<Vec<Section<'_>>> {
    let (table, each) = (file.u64(40)?, u64::from(file.u16(58)?));
    let (n, names) = (u64::from(file.u16(60)?), u64::from(file.u16(62)?));
    let head = |index: u64| table.checked_add(each.checked_mul(index)?);
    let names = head(names)?.checked_add(24)?;
    let (names, len) = (file.u64(names)?, file.u64(names.checked_add(8)?)?);
    let names = Bytes(file.part(names, len)?);
    let section = |index| {
        let head = head(index)?;
        // The whole head is there if its last number is.
        file.u64(head.checked_add(56)?)?;
        Some(Section {
            name: names.text(u64::from(file.u32(head)?))?,
            kind: file.u32(head + 4)?,
            at: file.u64(head + 24)?,
            bytes: file.u64(head + 32)?,
            link: file.u32(head + 40)?,
        })
    };
    (0..n).map(section).collect()
}

fn symbols<'b>(file: Bytes<'b>, all: &[Section<'b>]) -> Option<Vec<Symbol<'b>>> {
    let Some(table) = all.iter().find(|section| section.kind == SYMBOLS) else {
        return Some(Vec::new());
    };
    let names = all.get(table.link as usize)?;
    let names = Bytes(file.part(names.at, names.bytes)?);
    let table = file.part(table.at, table.bytes)?;
    let symbol = |bytes: &'b [u8]| {
        let symbol = Bytes(bytes);
        Some(Symbol {
            name: names.text(u64::from(symbol.u32(0)?))?,
            kind: symbol.u8(4)? & 0xf,
            section: symbol.u16(6)?,
            bytes: symbol.u64(16)?,
        })
    };
    table.chunks_exact(24).map(symbol).collect()
}

/// The attributes of a section `.nv.info`, with their bytes.
fn attributes(info: &[u8]) -> impl Iterator<Item = Option<(u8, Bytes<'_>)>> {
    let (all, mut at) = (Bytes(info), 0_u64);
    std::iter::from_fn(move || {
        if at >= all.0.len() as u64 {
            return None;
        }
        let read = || {
            let (format, attribute, value) = (all.u8(at)?, all.u8(at + 1)?, all.u16(at + 2)?);
            let len = if format == attribute::SIZED { u64::from(value) } else { 0 };
            Some((attribute, all.part(at + 4, len)?, 4 + len))
        };
        let next = read();
        // Nothing is read behind what makes no sense.
        at = next.map_or(u64::MAX, |(_, _, len)| at + len);
        Some(next.map(|(attribute, bytes, _)| (attribute, Bytes(bytes))))
    })
}

fn entry(name: &str, info: &[u8]) -> Option<Entry> {
    let mut entry = Entry { name: name.to_owned(), ..Entry::default() };
    let three = |bytes: Bytes<'_>| Some([bytes.u32(0)?, bytes.u32(4)?, bytes.u32(8)?]);
    for attribute in attributes(info) {
        let (attribute, bytes) = attribute?;
        match attribute {
            attribute::PARAM => {
                let (offset, facts) = (bytes.u16(6)?, bytes.u32(8)?);
                let (bytes, offset) = ((facts >> 18) as usize, usize::from(offset));
                entry.params.push(Param { bytes, offset });
            }
            attribute::MAX_THREADS => entry.max_threads = Some(three(bytes)?),
            attribute::REQUIRED_THREADS => entry.required = Some(three(bytes)?),
            _ => {}
        }
    }
    Some(entry)
}

/// Notes the registers of each function, which are with its symbol.
fn registers(info: &[u8], symbols: &[Symbol<'_>], entries: &mut [Entry]) -> Option<()> {
    for attribute in attributes(info) {
        let (attribute, bytes) = attribute?;
        if attribute != attribute::REGISTERS {
            continue;
        }
        let (symbol, registers) = (bytes.u32(0)?, bytes.u32(4)?);
        let name = symbols.get(symbol as usize)?.name;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.name == name) {
            entry.registers = Some(registers);
        }
    }
    Some(())
}
