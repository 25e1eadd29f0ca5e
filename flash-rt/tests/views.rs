//! Boxes, rows, splits and other shapes of buffers against sets of indices.

use flash_rt::{Buffer, Error, Part, PartMut, View, ViewMut};
use proptest::prelude::*;

/// A part of any rank, beside the elements it should have and their shape.
#[derive(Clone, Debug)]
enum Any {
    One(Part<u32, 1>),
    Two(Part<u32, 2>),
    Three(Part<u32, 3>),
    Four(Part<u32, 4>),
}

#[derive(Clone, Debug)]
struct Model {
    shape: Vec<usize>,
    elements: Vec<u32>,
}

impl Model {
    /// The elements whose index `keep` maps to a new one.
    fn cut(&self, ranges: &[std::ops::Range<usize>]) -> Self {
        let mut elements = Vec::new();
        for (at, &element) in self.elements.iter().enumerate() {
            let mut rest = at;
            let inside = (0..self.shape.len()).rev().all(|d| {
                let index = rest % self.shape[d];
                rest /= self.shape[d];
                ranges[d].contains(&index)
            });
            if inside {
                elements.push(element);
            }
        }
        Self { shape: ranges.iter().map(ExactSizeIterator::len).collect(), elements }
    }

    fn at(&self, index: usize) -> Self {
        let n = self.shape[1..].iter().product::<usize>();
        Self {
            shape: self.shape[1..].to_vec(),
            elements: self.elements[index * n..(index + 1) * n].to_vec(),
        }
    }
}

macro_rules! on_any {
    ($any:expr, $part:ident => $body:expr) => {
        match $any {
            Any::One($part) => $body,
            Any::Two($part) => $body,
            Any::Three($part) => $body,
            Any::Four($part) => $body,
        }
    };
}

fn cut(any: &Any, r: &[std::ops::Range<usize>]) -> Any {
    match any {
        Any::One(part) => Any::One(part.view(r[0].clone())),
        Any::Two(part) => Any::Two(part.view((r[0].clone(), r[1].clone()))),
        Any::Three(part) => Any::Three(part.view((r[0].clone(), r[1].clone(), r[2].clone()))),
        Any::Four(part) => {
            Any::Four(part.view((r[0].clone(), r[1].clone(), r[2].clone(), r[3].clone())))
        }
    }
}

fn reshape(any: &Any, shape: &[usize]) -> Result<Any, Error> {
    on_any!(any, part => Ok(match *shape {
        [a] => Any::One(part.reshape(a)?),
        [a, b] => Any::Two(part.reshape([a, b])?),
        [a, b, c] => Any::Three(part.reshape([a, b, c])?),
        [a, b, c, d] => Any::Four(part.reshape([a, b, c, d])?),
        _ => unreachable!("ranks are 1 to 4"),
    }))
}

/// A step, in numbers that are reduced to what fits.
type Step = (u8, [usize; 8]);

/// One step on both; `None` where it cannot be made.
fn step(any: &Any, model: &Model, (kind, n): &Step) -> Option<(Any, Model)> {
    let rank = model.shape.len();
    match kind % 6 {
        0 | 1 => {
            let ranges: Vec<_> = (0..rank)
                .map(|d| {
                    let a = n[2 * d] % (model.shape[d] + 1);
                    let b = n[2 * d + 1] % (model.shape[d] + 1);
                    a.min(b)..a.max(b)
                })
                .collect();
            Some((cut(any, &ranges), model.cut(&ranges)))
        }
        2 => {
            if model.shape[0] == 0 {
                return None;
            }
            let index = n[0] % model.shape[0];
            let lower = match any {
                Any::One(_) => return None,
                Any::Two(part) => Any::One(part.row(index)),
                Any::Three(part) => Any::Two(part.at(index)),
                Any::Four(part) => Any::Three(part.at(index)),
            };
            Some((lower, model.at(index)))
        }
        3 => {
            // Merge two neighbouring dimensions, or part one, where the elements have no gaps.
            let mut shape = model.shape.clone();
            if rank > 1 && n[0] % 2 == 0 {
                let d = n[1] % (rank - 1);
                let merged = shape[d] * shape[d + 1];
                shape.splice(d..d + 2, [merged]);
            } else if rank < 4 {
                let d = n[1] % rank;
                let by = (1..=3).rev().find(|by| shape[d].is_multiple_of(*by)).unwrap_or(1);
                let parted = [shape[d] / by, by];
                shape.splice(d..=d, parted);
            }
            let reshaped = reshape(any, &shape).ok()?;
            Some((reshaped, Model { shape, elements: model.elements.clone() }))
        }
        4 => {
            let k = n[0] % (model.shape[0] + 1);
            let mut ranges: Vec<_> = model.shape.iter().map(|&extent| 0..extent).collect();
            ranges[0] = if n[1] % 2 == 0 { 0..k } else { k..model.shape[0] };
            let half = match any.clone() {
                Any::One(mut part) => Any::One(half(part.split_at_mut(k), n[1])),
                Any::Two(mut part) => Any::Two(half(part.split_at_mut(k), n[1])),
                Any::Three(mut part) => Any::Three(half(part.split_at_mut(k), n[1])),
                Any::Four(mut part) => Any::Four(half(part.split_at_mut(k), n[1])),
            };
            Some((half, model.cut(&ranges)))
        }
        _ => {
            let (k, extent) = (n[0] % 3 + 1, model.shape[0]);
            let count = extent.div_ceil(k);
            on_any!(any, part => assert_eq!(part.chunks(k).count(), count));
            if count == 0 {
                return None;
            }
            let which = n[1] % count;
            let mut ranges: Vec<_> = model.shape.iter().map(|&extent| 0..extent).collect();
            ranges[0] = which * k..extent.min((which + 1) * k);
            let chunk = match any {
                Any::One(part) => part.chunks(k).nth(which).map(Any::One),
                Any::Two(part) => part.chunks(k).nth(which).map(Any::Two),
                Any::Three(part) => part.chunks(k).nth(which).map(Any::Three),
                Any::Four(part) => part.chunks(k).nth(which).map(Any::Four),
            };
            Some((chunk?, model.cut(&ranges)))
        }
    }
}

fn half<const D: usize>(
    split: Result<(PartMut<u32, D>, PartMut<u32, D>), Error>,
    which: usize,
) -> Part<u32, D> {
    let (head, tail) = split.expect("`k` is at most the extent");
    if which.is_multiple_of(2) { head.into() } else { tail.into() }
}

fn cases() -> u32 {
    if cfg!(miri) { 12 } else { 256 }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn parts_are_sets_of_indices(
        shape in prop::array::uniform4(0_usize..5),
        steps in prop::collection::vec((any::<u8>(), prop::array::uniform8(any::<usize>())), 0..8),
        value in 1000_u32..2000,
    ) {
        let n: usize = shape.iter().product();
        let all: Vec<u32> = (0..n as u32).collect();
        let buffer = Buffer::from_shape(shape, &all).expect("as many as the shape says");
        let mut any = Any::Four(buffer.view(..));
        let mut model = Model { shape: shape.to_vec(), elements: all.clone() };
        for one in &steps {
            if let Some(next) = step(&any, &model, one) {
                (any, model) = next;
            }
            on_any!(&any, part => {
                prop_assert_eq!(part.shape().to_vec(), model.shape.clone());
                prop_assert_eq!(part.len(), model.elements.len());
                prop_assert_eq!(part.is_empty(), model.elements.is_empty());
                prop_assert_eq!(part.to_vec().expect("nobody holds it"), model.elements.clone());
            });
        }
        // What is written through the part is written there, and nowhere else.
        on_any!(&any, part => part.fill(value).expect("nobody holds it"));
        for (at, now) in buffer.to_vec().expect("nobody holds it").into_iter().enumerate() {
            let inside = model.elements.contains(&(at as u32));
            prop_assert_eq!(now, if inside { value } else { at as u32 });
        }
        on_any!(&any, part => {
            let back: Vec<u32> = model.elements.iter().map(|element| element + 7).collect();
            part.copy_from_slice(&back).expect("as many");
            prop_assert_eq!(part.to_vec().expect("nobody holds it"), back);
        });
    }

    #[test]
    fn borrowed_views_are_sets_of_indices(
        (h, w) in (0_usize..6, 0_usize..6),
        cuts in prop::array::uniform4(any::<usize>()),
    ) {
        let mut values: Vec<u32> = (0..(h * w) as u32).collect();
        let rows = { let (a, b) = (cuts[0] % (h + 1), cuts[1] % (h + 1)); a.min(b)..a.max(b) };
        let cols = { let (a, b) = (cuts[2] % (w + 1), cuts[3] % (w + 1)); a.min(b)..a.max(b) };
        let expected: Vec<Vec<u32>> = rows
            .clone()
            .map(|j| cols.clone().map(|i| (j * w + i) as u32).collect())
            .collect();
        let flat = expected.concat();
        let all = View::from_shape([h, w], &values).expect("as many");
        let view = all.view((rows.clone(), cols.clone()));
        prop_assert_eq!(view.shape(), [rows.len(), cols.len()]);
        prop_assert_eq!(view.to_vec(), flat.clone());
        prop_assert_eq!(view.iter().copied().collect::<Vec<_>>(), flat.clone());
        prop_assert_eq!(view.iter().len(), flat.len());
        if !cols.is_empty() {
            prop_assert_eq!(view.rows().map(<[u32]>::to_vec).collect::<Vec<_>>(), expected.clone());
        }
        for (j, row) in expected.iter().enumerate() {
            prop_assert_eq!(view.row(j), &row[..]);
            prop_assert_eq!(view.at(j).to_vec(), row.clone());
            for (i, &element) in row.iter().enumerate() {
                prop_assert_eq!(view[[j, i]], element);
                prop_assert_eq!(view.at(j)[i], element);
            }
        }
        prop_assert_eq!(view.get([rows.len(), 0]), None);
        prop_assert_eq!(view.get([0, cols.len()]), None);
        if let Some(slice) = view.as_slice() {
            prop_assert_eq!(slice, &flat[..]);
        }

        let mut all = ViewMut::from_shape([h, w], &mut values).expect("as many");
        let mut part = all.view_mut((rows.clone(), cols.clone()));
        part.fill(500);
        for (k, element) in part.iter_mut().enumerate() {
            *element += k as u32;
        }
        let split = rows.len() / 2;
        let (mut head, mut tail) = part.split_at_mut(split);
        head.rows_mut().for_each(|row| row.iter_mut().for_each(|x| *x += 1000));
        for j in 0..tail.extent(0) {
            tail.row_mut(j).iter_mut().for_each(|x| *x += 2000);
        }
        for j in 0..h {
            for i in 0..w {
                let inside = rows.contains(&j) && cols.contains(&i);
                let expected = if inside {
                    let (row, col) = (j - rows.start, i - cols.start);
                    let add = if row < split { 1000 } else { 2000 };
                    500 + (row * cols.len() + col) as u32 + add
                } else {
                    (j * w + i) as u32
                };
                prop_assert_eq!(all[[j, i]], expected);
            }
        }
    }
}

#[test]
fn boxes_outside_are_reported_where_they_are_used() {
    let m = Buffer::<f32, 2>::zeros([4, 6]);
    let outside = m.view((1..5, ..));
    let error = outside.to_vec().expect_err("four rows only");
    assert!(matches!(error, Error::Range { index: 5, len: 4, .. }), "{error}");
    assert!(error.to_string().contains("views.rs"), "names the place: {error}");
    let error = outside.row(0).get(0).expect_err("still outside");
    assert!(matches!(error, Error::Range { index: 5, len: 4, .. }), "{error}");
    assert!(matches!(m.row(4).get(0), Err(Error::Range { index: 4, len: 4, .. })));
    assert!(matches!(m.get([3, 6]), Err(Error::Range { index: 6, len: 6, .. })));
    assert!(matches!(m.set([4, 0], 1.0), Err(Error::Range { index: 4, len: 4, .. })));
    assert!(matches!(m.read((.., 3..=6)), Err(Error::Range { index: 7, len: 6, .. })));
    #[expect(clippy::reversed_empty_ranges, reason = "the mistake under test")]
    let reversed = m.view((3..1, ..));
    assert!(matches!(reversed.to_vec(), Err(Error::Range { .. })));
    assert!(matches!(m.clone().split_at_mut(5), Err(Error::Range { index: 5, len: 4, .. })));
    let chunks: Vec<_> = m.chunks(0).collect();
    assert_eq!(chunks.len(), 1);
    assert!(chunks[0].to_vec().is_err());
    let chunks: Vec<_> = outside.chunks(2).collect();
    assert_eq!(chunks.len(), 1);
    assert!(matches!(chunks[0].get([0, 0]), Err(Error::Range { index: 5, len: 4, .. })));
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let m = Buffer::<u8, 2>::zeros([4, 6]);
    assert!(matches!(m.reshape([5, 5]), Err(Error::Shape { .. })));
    assert!(matches!(m.reshape([usize::MAX, usize::MAX]), Err(Error::Shape { .. })));
    assert!(matches!(m.view((.., 0..3)).reshape(12), Err(Error::Shape { .. })));
    assert_eq!(m.view((1..3, ..)).reshape(12).expect("no gaps").shape(), [12]);
    assert_eq!(m.reshape([2, 3, 4]).expect("24 elements").space(), [4, 3, 2]);
    let wrong = Buffer::from_shape([2, 2], vec![1, 2, 3]);
    assert!(matches!(wrong, Err(Error::Shape { .. })));
    assert!(matches!(m.read((.., 0..3)), Err(Error::Shape { .. })));
    assert!(matches!(m.copy_from_slice(&[1, 2]), Err(Error::Shape { .. })));
}

#[test]
fn a_shape_too_large_is_reported_by_the_first_use() {
    let huge = Buffer::<f64, 2>::zeros([1 << 40, 1 << 40]);
    assert_eq!(huge.shape(), [1 << 40, 1 << 40]);
    for error in [
        huge.get([0, 0]).map(drop).expect_err("too large"),
        huge.to_vec().map(drop).expect_err("too large"),
        huge.read(..).map(drop).expect_err("too large"),
        huge.view((0..1, 0..1)).get([0, 0]).map(drop).expect_err("too large"),
        huge.reshape(1 << 60).map(drop).expect_err("too large"),
    ] {
        assert!(matches!(error, Error::TooLarge { what: "array", .. }), "{error}");
    }
    let error = Buffer::from_shape([usize::MAX, 3], vec![0_u8; 2]).expect_err("too large");
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
}

#[test]
fn nothing_is_an_array_too() {
    let empty = Buffer::<f32>::zeros(0);
    assert!(empty.is_empty());
    assert_eq!(empty.to_vec().expect("nothing to wait for"), []);
    assert_eq!(empty.read(..).expect("nothing to wait for").len(), 0);
    assert_eq!(empty.write(0..0).expect("nothing to wait for").len(), 0);
    assert!(matches!(empty.get(0), Err(Error::Range { index: 0, len: 0, .. })));
    let flat = Buffer::<f32, 3>::zeros([4, 0, usize::MAX]);
    assert_eq!(flat.len(), 0);
    assert_eq!(flat.at(3).to_vec().expect("nothing to wait for"), []);
    assert_eq!(Buffer::from(Vec::<u8>::new()).chunks(3).count(), 0);
}

#[test]
fn made_from_what_there_is() {
    let sevens = Buffer::filled([2, 3], 7_i16);
    assert_eq!(sevens.to_vec().expect("nobody holds it"), [7; 6]);
    let x = Buffer::from([1.0_f64, 2.0]);
    assert_eq!(x.shape(), [2]);
    let y: Buffer<u8> = (0..5).collect();
    assert_eq!(y.to_vec().expect("nobody holds it"), [0, 1, 2, 3, 4]);
    assert_eq!(Buffer::from(&[3_u64][..]).get(0).expect("inside"), 3);
    assert!(matches!(Buffer::filled(usize::MAX, 1_u8).get(0), Err(Error::TooLarge { .. })));
    let empty = Buffer::filled([3, 0], 1.5_f32);
    assert!(empty.is_empty());
}

#[test]
fn clones_are_the_same_array() {
    let x = Buffer::from(vec![1, 2, 3, 4]);
    let y = x.clone();
    x.set(2, 30).expect("inside");
    assert_eq!(y.get(2).expect("inside"), 30);
    y.reshape([2, 2]).expect("four elements").set([1, 1], 40).expect("inside");
    assert_eq!(x.to_vec().expect("nobody holds it"), [1, 2, 30, 40]);
}

#[test]
fn host_images_are_aligned_and_zero() {
    for n in [1, 3, 1000, if cfg!(miri) { 5000 } else { 3 << 20 }] {
        let x = Buffer::<u16>::zeros(n);
        let guard = x.read(..).expect("nobody holds it");
        assert_eq!(guard.as_ptr().align_offset(64), 0);
        assert!(guard.iter().all(|&element| element == 0));
    }
    #[derive(Clone, Copy)]
    #[repr(C, align(128))]
    struct Wide([f32; 32]);
    // SAFETY: an array of floats of exactly its alignment.
    unsafe impl flash_rt::Pod for Wide {}
    impl flash_ir::DevTy for Wide {
        const TY: flash_ir::Ty = <[f32; 32] as flash_ir::DevTy>::TY;
    }
    let wide = Buffer::from(vec![Wide([1.5; 32]); 3]);
    let guard = wide.read(..).expect("nobody holds it");
    assert_eq!(guard.as_ptr().align_offset(128), 0);
    assert!(guard.iter().all(|element| element.0 == [1.5; 32]));
}

#[test]
fn a_large_vector_is_used_where_it_is() {
    let n = 1 << 19;
    let numbers = |start: u32| -> Vec<u32> {
        // More memory than elements, as from a vector that grew.
        let mut values = Vec::with_capacity(n + 5);
        values.extend(start..start + n as u32);
        values
    };
    let (a, b) = (numbers(0), numbers(7));
    let (at, expected) = (a.as_ptr(), a.clone());
    let x = Buffer::from(a);
    let kept = x.clone();
    let copy = x.into_vec().unwrap();
    assert_ne!(copy.as_ptr(), at, "another handle still uses it");
    assert_eq!(kept.to_vec().unwrap(), expected);
    let back = kept.into_vec().unwrap();
    assert_eq!((back.as_ptr(), back.capacity()), (at, n + 5));
    assert_eq!(back, expected);

    // A box of two rows, written through a guard.
    let y = Buffer::<u32, 2>::from_shape([2, n / 2], back).unwrap();
    y.set([1, 0], 9).unwrap();
    let back = y.into_vec().unwrap();
    assert_eq!((back.as_ptr(), back[n / 2]), (at, 9));
    drop(Buffer::from(b));
}

#[test]
fn a_small_vector_is_copied_and_comes_back_equal() {
    for n in [0_u8, 1, 200] {
        let values: Vec<u8> = (0..n).collect();
        assert_eq!(Buffer::from(values.clone()).into_vec().unwrap(), values);
    }
    assert_eq!(Buffer::<u16>::zeros(3).into_vec().unwrap(), [0, 0, 0]);
}
