//! A launch of a drawn kernel: its memory, as bytes, the interpreter over it, and the numbers that its
//! text takes. It knows no device.

use flash_ir::analysis::Facts;
use flash_ir::emit::{Emitted, Options, TableIds, Word};
use flash_ir::interp::{MAX_ARRAY_RANK, Memory, Notes, Order, Program, Recorder, Run};
use flash_ir::ir::{Param, ParamKind};
use flash_ir::{ScalarTy, Ty, reduction};

use super::draw::Random;
use super::kernel::Drawn;
use flash_test_bodies::elements;

/// What `phase()` and `partition()` are, where nobody says.
const NUMBERS: (usize, usize) = (3, 1);

/// The arrays and values of a launch.
#[derive(Clone, Debug)]
pub(super) struct Launch<'d> {
    pub(super) drawn: &'d Drawn,
    /// By parameter; of a reduction, partial results.
    pub(super) bytes: Vec<Vec<u8>>,
    /// The elements before the first one, by parameter.
    pub(super) shift: Vec<usize>,
    /// What `phase()` and `partition()` are.
    pub(super) numbers: (usize, usize),
}

/// The work items of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) rank: usize,
    pub(super) global: [usize; 3],
    pub(super) local: [usize; 3],
}

impl<'d> Launch<'d> {
    pub(super) fn new(drawn: &'d Drawn) -> Self {
        let mut random = Random::new(drawn.seed ^ 0xda7a);
        let (mut bytes, mut shift) = (Vec::new(), Vec::new());
        let blocks = reduction::n_blocks(&drawn.extents);
        for (at, param) in drawn.ir.params.iter().enumerate() {
            let first = random.below(5);
            let n = drawn.shapes[at].iter().product::<usize>() * drawn.spacing[at] + first;
            bytes.push(match param.kind {
                ParamKind::Value => {
                    shift.push(0);
                    bytes.push(elements::draw(&param.ty, 1, false, || random.next()));
                    continue;
                }
                ParamKind::Reduce(_) => vec![0; blocks * param.ty.size()],
                ParamKind::Scratch => vec![0; n * param.ty.size()],
                kind => elements::draw(&param.ty, n, kind == ParamKind::Atomic, || random.next()),
            });
            shift.push(first);
        }
        for (at, given) in &drawn.given {
            let start = shift[*at] * drawn.ir.params[*at].ty.size();
            bytes[*at][start..][..given.len()].copy_from_slice(given);
        }
        Self { drawn, bytes, shift, numbers: NUMBERS }
    }

    /// Runs it in the interpreter.
    pub(super) fn interpret(&mut self, program: &Program, order: Order) -> Notes {
        let (phase, partition) = self.numbers;
        let drawn = self.drawn;
        program.run(self, &drawn.extents, Run { order, phase, partition, ..Run::default() })
    }

    /// Likewise, and tells of every access.
    pub(super) fn record(&mut self, program: &Program, recorder: &mut Recorder) {
        let (phase, partition) = self.numbers;
        let drawn = self.drawn;
        let recorder = Some(recorder);
        program.run(self, &drawn.extents, Run { phase, partition, recorder, ..Run::default() });
    }

    /// Where two differ, if they do: parameter and byte.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        let params = self.drawn.ir.params.iter().enumerate();
        params.filter(|(_, param)| param.kind != ParamKind::Scratch).find_map(|(at, param)| {
            let [a, b] = [self, other].map(|launch| {
                let mut bytes = launch.bytes[at].clone();
                elements::canonical(&param.ty, &mut bytes);
                bytes
            });
            let byte = a.iter().zip(&b).position(|(a, b)| a != b)?;
            let element = byte / param.ty.size() * param.ty.size();
            let part = |x: &[u8]| format!("{:02x?}", &x[element..element + param.ty.size()]);
            let name = param.name;
            Some(format!("`{name}` at byte {byte}: {} and not {}", part(&b), part(&a)))
        })
    }

    fn stride(&self, param: usize, dim: usize) -> usize {
        let inner = self.drawn.shapes[param][dim + 1..].iter().product::<usize>();
        inner * self.drawn.spacing[param]
    }

    fn at(&self, param: usize, index: &[usize], offset: usize) -> usize {
        let rank = self.drawn.shapes[param].len();
        let sum: usize = (0..rank).map(|dim| index[dim] * self.stride(param, dim)).sum();
        (self.shift[param] + sum) * self.drawn.ir.params[param].ty.size() + offset
    }

    fn has_reductions(&self) -> bool {
        self.drawn.ir.params.iter().any(|param| matches!(param.kind, ParamKind::Reduce(_)))
    }

    /// The grid, and whether no work item of it is too many.
    pub(super) fn grid(&self) -> (Grid, bool) {
        let extents = &self.drawn.extents;
        let items: usize = extents.iter().product();
        if self.has_reductions() {
            let global = reduction::n_blocks(extents) * reduction::LANES;
            let grid = Grid { rank: 1, global: [global, 1, 1], local: [reduction::LANES, 1, 1] };
            return (grid, false);
        }
        let (rank, counts, local) = if self.drawn.options.table.is_some() || extents.len() == 1 {
            (1, [items, 1, 1], [4, 1, 1])
        } else {
            let further = extents[2..].iter().product();
            (extents.len().min(3), [extents[0], extents[1], further], [4, 2, 1])
        };
        let global = std::array::from_fn(|dim| counts[dim].next_multiple_of(local[dim]));
        (Grid { rank, global, local }, global == counts)
    }

    /// What its text may rely on.
    pub(super) fn options(&self) -> Options {
        let exact = !self.drawn.seed.is_multiple_of(4) && self.grid().1;
        Options { exact, ..self.drawn.options.clone() }
    }

    /// The table of ids, or of blocks.
    pub(super) fn table(&self) -> Vec<u8> {
        let extents = &self.drawn.extents;
        let mut table: Vec<u64> = Vec::new();
        if self.has_reductions() {
            for number in 0..reduction::n_blocks(extents) {
                let (lo, hi) = reduction::bounds(extents, number);
                table.extend(lo.iter().chain(&hi).map(|&at| at as u64));
            }
        } else {
            let items: usize = extents.iter().product();
            let mut inner = 1;
            for extent in extents {
                table.extend((0..items).map(|item| (item / inner % extent) as u64));
                inner *= extent;
            }
        }
        match self.drawn.options.table {
            Some(TableIds::U32) => table.iter().flat_map(|id| (*id as u32).to_le_bytes()).collect(),
            _ => table.iter().flat_map(|id| id.to_le_bytes()).collect(),
        }
    }

    /// The words of its text.
    pub(super) fn words(&self, emitted: &Emitted) -> Vec<u8> {
        emitted.words.iter().flat_map(|word| self.word(*word).to_le_bytes()).collect()
    }

    fn word(&self, word: Word) -> u64 {
        let extents = &self.drawn.extents;
        let shape = |param: u16, dim: u8| self.drawn.shapes[usize::from(param)][usize::from(dim)];
        let extent = |dim: u8| extents.get(usize::from(dim)).copied().unwrap_or(1);
        let value = match word {
            Word::Value(param, part) => {
                let mut eight = [0; 8];
                let bytes = self.bytes[usize::from(param)].iter().skip(8 * usize::from(part));
                eight.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                return u64::from_le_bytes(eight);
            }
            Word::Shift(param) => self.shift[usize::from(param)],
            Word::Origin(..) | Word::Lo(_) | Word::FirstBlock => 0,
            Word::Held(param, dim) | Word::Extent(param, dim) => shape(param, dim),
            Word::Stride(param, dim) => self.stride(usize::from(param), usize::from(dim)),
            Word::Count(0) if self.drawn.options.table.is_some() => extents.iter().product(),
            Word::Size(dim) | Word::Numbering(dim) | Word::Count(dim) => extent(dim),
            Word::Chunk(dim) => reduction::chunk(extents)[usize::from(dim)],
            Word::Phase => self.numbers.0,
            Word::Partition => self.numbers.1,
        };
        value as u64
    }
}

impl Facts for Launch<'_> {
    fn value(&self, param: usize) -> Option<i128> {
        let Param { kind: ParamKind::Value, ty: Ty::Scalar(ty), .. } = self.drawn.ir.params[param]
        else {
            return None;
        };
        let mut word = [0; 8];
        word[..ty.size()].copy_from_slice(&self.bytes[param][..ty.size()]);
        let (word, unused) = (u64::from_le_bytes(word), 64 - 8 * ty.size());
        let is_integer = !ty.is_float() && ty != ScalarTy::Bool;
        is_integer.then(|| match ty.is_signed() {
            true => i128::from((word << unused).cast_signed() >> unused),
            false => i128::from(word),
        })
    }

    fn extent(&self, param: usize, dim: usize) -> Option<usize> {
        self.drawn.shapes[param].get(dim).copied()
    }

    fn size(&self, dim: usize) -> Option<usize> {
        self.drawn.extents.get(dim).copied()
    }

    fn phase(&self) -> Option<usize> {
        Some(self.numbers.0)
    }

    fn partition(&self) -> Option<usize> {
        Some(self.numbers.1)
    }
}

impl Memory for Launch<'_> {
    fn value(&mut self, param: usize, out: &mut [u8]) {
        out.copy_from_slice(&self.bytes[param][..out.len()]);
    }

    fn shape(&mut self, param: usize) -> [usize; MAX_ARRAY_RANK] {
        let mut shape = [1; MAX_ARRAY_RANK];
        let known = &self.drawn.shapes[param];
        shape[..known.len()].copy_from_slice(known);
        shape
    }

    fn read(&mut self, param: usize, index: &[usize], offset: usize, out: &mut [u8]) -> bool {
        let at = self.at(param, index, offset);
        out.copy_from_slice(&self.bytes[param][at..at + out.len()]);
        true
    }

    fn write(&mut self, param: usize, index: &[usize], offset: usize, bytes: &[u8]) -> bool {
        let at = self.at(param, index, offset);
        self.bytes[param][at..at + bytes.len()].copy_from_slice(bytes);
        true
    }

    fn partial(&mut self, param: usize, block: usize, bytes: &[u8]) {
        self.bytes[param][block * bytes.len()..][..bytes.len()].copy_from_slice(bytes);
    }
}
