//! What the items of a box touch, as the interpreter records it, lies in the hulls that are read off
//! the indices; the hulls are no larger than all values of affine indices, found one by one; and
//! they keep boxes of items apart where the race rule does. It reads the IR and evaluates it itself.

use std::collections::HashMap;
use std::ops::Range;

use flash_ir::Dims;
use flash_ir::analysis::{Facts, Hull, Mode, Node, hulls, walk};
use flash_ir::interp::{MAX_ARRAY_RANK, Memory, Part, Program, Recorder, Run};
use flash_ir::ir::{
    Access, BinOp, ConstValue, Expr, ExprKind, KernelIr, ParamKind, Place, Stmt, UnOp,
};
use flash_ir::ty::{ScalarTy, Ty};
use flash_rt::descriptor::{Component, Role};

use flash_test_bodies::harness::{Bytes, Case, Inputs};
use flash_test_drawn::CASES;

/// A launch of a drawn kernel, in one of its phases.
struct Launch {
    ir: &'static KernelIr,
    values: Vec<Option<i128>>,
    shapes: Vec<[usize; MAX_ARRAY_RANK]>,
    extents: Vec<usize>,
    phase: usize,
}

/// The number of the part that all of them are.
const PARTITION: usize = 5;

impl Facts for Launch {
    fn value(&self, param: usize) -> Option<i128> {
        self.values[param]
    }
    fn extent(&self, param: usize, dim: usize) -> Option<usize> {
        Some(self.shapes[param][dim])
    }
    fn size(&self, dim: usize) -> Option<usize> {
        Some(self.extents[dim])
    }
    fn phase(&self) -> Option<usize> {
        Some(self.phase)
    }
    fn partition(&self) -> Option<usize> {
        Some(PARTITION)
    }
}

/// First index and end of a box of items.
type Items = (Dims, Dims);

impl Launch {
    fn new(case: &Case, inputs: &Inputs, phase: usize) -> Self {
        let ir = case.descriptor.ir.unwrap();
        let mut bytes = Bytes::new(case, inputs);
        let mut extents: Vec<usize> = (0..case.rank).map(|d| inputs.extent(case.rank, d)).collect();
        if case.phases > 1 {
            extents.push(case.phases);
        }
        let values = ir.params.iter().enumerate().map(|(k, param)| {
            let Ty::Scalar(ty) = param.ty else { return None };
            let mut word = [0; 8];
            if param.kind != ParamKind::Value || ty.is_float() || ty == ScalarTy::Bool {
                return None;
            }
            bytes.value(k, &mut word[..ty.size()]);
            let unused = 64 - 8 * ty.size() as u32;
            let word = u64::from_le_bytes(word);
            Some(match ty.is_signed() {
                true => i128::from((word << unused) as i64 >> unused),
                false => i128::from(word),
            })
        });
        let values = values.collect();
        let shapes = (0..ir.params.len()).map(|k| bytes.shape(k)).collect();
        Self { ir, values, shapes, extents, phase }
    }

    /// All items of the phase, and both sides of a cut in each dimension.
    fn boxes(&self, case: &Case, seed: u64) -> Vec<Items> {
        let mut lo = Dims::from_elem(0, self.extents.len());
        let mut hi = Dims::from_slice(&self.extents);
        if case.phases > 1 {
            (lo[case.rank], hi[case.rank]) = (self.phase, self.phase + 1);
        }
        let mut all = vec![(lo.clone(), hi.clone())];
        for dim in (0..case.rank).filter(|&dim| hi[dim] > 1) {
            let (mut end, mut start) = (hi.clone(), lo.clone());
            end[dim] = 1 + seed as usize % (hi[dim] - 1);
            start[dim] = end[dim];
            all.extend([(lo.clone(), end), (start, hi.clone())]);
        }
        all
    }

    fn hulls(&self, param: usize, items: &Items) -> [Hull; 2] {
        hulls(self.ir, param, self, (&items.0, &items.1))
            .map(|(read, written)| [read, written])
            .unwrap()
    }
}

/// A condition, and whether it has to hold.
type Condition = (&'static Expr, bool);

/// Where the locals of a body come from, and its accesses with the conditions they stand under.
#[derive(Default)]
struct Body {
    lets: HashMap<u16, &'static Expr>,
    loops: HashMap<u16, (&'static Expr, &'static Expr, bool)>,
    changed: Vec<u16>,
    accesses: Vec<(&'static Access, Mode, Vec<Condition>)>,
}

impl Body {
    fn of(ir: &'static KernelIr) -> Self {
        let (mut body, mut around) = (Self::default(), Vec::new());
        walk(&ir.body, &mut |node| match node {
            Node::Stmt(Stmt::Let(id, Some(init), _)) => {
                body.lets.insert(*id, init);
            }
            Node::Stmt(Stmt::For { local, lo, hi, inclusive, .. }) => {
                body.loops.insert(*local, (lo, hi, *inclusive));
            }
            Node::Stmt(
                Stmt::Assign(Place::Local(id, _), ..) | Stmt::Update(Place::Local(id, _), ..),
            ) => body.changed.push(*id),
            Node::Branch(cond, taken) => around.push((cond, taken)),
            Node::Joined => {
                around.pop();
            }
            Node::Access(access, mode) => body.accesses.push((access, mode, around.clone())),
            _ => {}
        });
        body
    }
}

/// The ids and variables that an index is made of, for one item and trip.
struct Env<'l> {
    launch: &'l Launch,
    body: &'l Body,
    ids: Dims,
    trips: HashMap<u16, i128>,
}

impl Env<'_> {
    /// A number, if it is of ids, loop variables and what is uniform, by `+`, `-` and `*`.
    fn number(&self, expr: &Expr) -> Option<i128> {
        let size = |param: u16, dims: Range<usize>| {
            let shape = self.launch.shapes[usize::from(param)];
            shape[dims].iter().map(|&extent| extent as i128).product::<i128>()
        };
        Some(match &expr.kind {
            ExprKind::Int(value, _) => *value as i128,
            ExprKind::Const(ConstValue::Int(value, _)) => *value,
            ExprKind::Param(id) => self.launch.values[usize::from(*id)]?,
            ExprKind::GlobalId(dim) => self.ids[usize::from(*dim)] as i128,
            ExprKind::GlobalSize(dim) => self.launch.extents[usize::from(*dim)] as i128,
            ExprKind::Phase => self.launch.phase as i128,
            ExprKind::Partition => PARTITION as i128,
            ExprKind::Len(param) => size(*param, 0..MAX_ARRAY_RANK),
            ExprKind::Extent(param, dim) => size(*param, usize::from(*dim)..usize::from(*dim) + 1),
            ExprKind::Local(id) if !self.body.changed.contains(id) => match self.trips.get(id) {
                Some(value) => *value,
                None => self.number(self.body.lets.get(id)?)?,
            },
            ExprKind::Binary(op, a, b, _) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a * b,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// A condition between such numbers.
    fn holds(&self, cond: &Expr) -> Option<bool> {
        Some(match &cond.kind {
            ExprKind::Bool(value) => *value,
            ExprKind::Unary(UnOp::Not, a, _) => !self.holds(a)?,
            ExprKind::Binary(BinOp::LazyAnd, a, b, _) => self.holds(a)? && self.holds(b)?,
            ExprKind::Binary(BinOp::LazyOr, a, b, _) => self.holds(a)? || self.holds(b)?,
            ExprKind::Binary(op, a, b, _) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    BinOp::Lt => a < b,
                    BinOp::Le => a <= b,
                    BinOp::Gt => a > b,
                    BinOp::Ge => a >= b,
                    BinOp::Eq => a == b,
                    BinOp::Ne => a != b,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Notes the ids and loop variables of an expression, each as often as it stands there.
    fn variables(&self, expr: &Expr, found: &mut Vec<(bool, u16)>) {
        match &expr.kind {
            ExprKind::GlobalId(dim) => found.push((true, u16::from(*dim))),
            ExprKind::Local(id) if self.body.loops.contains_key(id) => found.push((false, *id)),
            ExprKind::Local(id) => {
                if let Some(init) = self.body.lets.get(id) {
                    self.variables(init, found);
                }
            }
            ExprKind::Binary(_, a, b, _) => {
                self.variables(a, found);
                self.variables(b, found);
            }
            _ => {}
        }
    }
}

/// Calls `f` for each item of a box.
fn each_item(env: &mut Env<'_>, (lo, hi): &Items, f: &mut dyn FnMut(&mut Env<'_>)) {
    let n: usize = hi.iter().zip(lo).map(|(hi, lo)| hi - lo).product();
    for mut number in 0..n {
        for dim in 0..lo.len() {
            env.ids[dim] = lo[dim] + number % (hi[dim] - lo[dim]);
            number /= hi[dim] - lo[dim];
        }
        f(env);
    }
}

/// The least and the greatest value of an affine component of an index, by trying all.
fn all_values(env: &mut Env<'_>, expr: &Expr, items: &Items) -> Option<(i128, i128)> {
    let mut variables = Vec::new();
    env.variables(expr, &mut variables);
    let n = variables.len();
    variables.sort_unstable();
    variables.dedup();
    if variables.len() < n {
        return None;
    }
    let loops: Vec<u16> = variables.iter().filter(|(is_id, _)| !is_id).map(|v| v.1).collect();
    let mut found: Option<(i128, i128)> = None;
    let mut is_plain = true;
    env.ids = items.0.clone();
    let mut trips: Vec<(u16, Range<i128>)> = Vec::new();
    for id in loops {
        let (lo, hi, inclusive) = env.body.loops[&id];
        // Only loops whose trips are the same for all items.
        let mut inner = Vec::new();
        env.variables(lo, &mut inner);
        env.variables(hi, &mut inner);
        let (lo, hi) = (env.number(lo)?, env.number(hi)? + i128::from(inclusive));
        if !inner.is_empty() || env.body.changed.contains(&id) {
            return None;
        }
        trips.push((id, lo..hi.max(lo + 1)));
    }
    each_item(env, items, &mut |env| {
        each_trip(env, &trips, &mut |env| match env.number(expr) {
            Some(value) => {
                let (lo, hi) = found.unwrap_or((value, value));
                found = Some((lo.min(value), hi.max(value)));
            }
            None => is_plain = false,
        });
    });
    found.filter(|_| is_plain)
}

fn each_trip(env: &mut Env<'_>, trips: &[(u16, Range<i128>)], f: &mut dyn FnMut(&Env<'_>)) {
    let Some(((id, range), rest)) = trips.split_first() else { return f(env) };
    for value in range.clone() {
        env.trips.insert(*id, value);
        each_trip(env, rest, f);
    }
    env.trips.remove(id);
}

/// What all accesses of a kind reach of an array along a dimension; `None` where an index is not
/// affine. Those that no item comes to are left out if asked for.
fn reference(
    env: &mut Env<'_>,
    (param, writes, dim): (usize, bool, usize),
    items: &Items,
    without_dead: bool,
) -> Option<Option<Range<usize>>> {
    let extent = env.launch.shapes[param][dim] as i128;
    let mut hull: Option<Range<usize>> = None;
    for (access, mode, around) in &env.body.accesses {
        let is_of_kind = if writes { mode.writes() } else { *mode != Mode::Write };
        if usize::from(access.param) != param || !is_of_kind {
            continue;
        }
        let mut is_dead = false;
        for (cond, taken) in around.iter().filter(|_| without_dead) {
            let mut comes = false;
            each_item(env, items, &mut |env| comes |= env.holds(cond) != Some(!taken));
            is_dead |= !comes;
        }
        if is_dead {
            continue;
        }
        let (first, last) = all_values(env, &access.index[dim], items)?;
        let first = first.clamp(0, extent);
        let range = first as usize..(last + 1).clamp(first, extent) as usize;
        hull = Some(match hull {
            None => range,
            Some(hull) => hull.start.min(range.start)..hull.end.max(range.end),
        });
    }
    Some(hull)
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.is_empty() || outer.start <= inner.start && inner.end <= outer.end
}

/// An element that the items of a box touch and that is not in the hulls of another box.
fn outside(
    case: &Case,
    inputs: &Inputs,
    launch: &Launch,
    (items, of): (&Items, &Items),
) -> Option<String> {
    let mut recorder = Recorder::new();
    let run = Run {
        part: Part::Block(items.0.clone(), items.1.clone(), 0),
        phase: launch.phase,
        partition: PARTITION,
        recorder: Some(&mut recorder),
        ..Run::default()
    };
    Program::new(launch.ir).unwrap().run(&mut Bytes::new(case, inputs), &launch.extents, run);
    let all: Vec<_> = (0..launch.ir.params.len()).map(|k| launch.hulls(k, of)).collect();
    // The box around what is read, and what is written, of each array.
    let mut touched: HashMap<(usize, usize, usize), Range<usize>> = HashMap::new();
    for seen in recorder.elements() {
        let rank = usize::from(launch.ir.params[seen.param].rank);
        let mut rest = seen.element;
        for dim in (0..rank).rev() {
            let at = rest % launch.shapes[seen.param][dim];
            rest /= launch.shapes[seen.param][dim];
            let both = all[seen.param].iter().zip([seen.read, seen.written]);
            for (mode, (hull, is_touched)) in both.enumerate() {
                if is_touched {
                    let range = touched.entry((seen.param, mode, dim)).or_insert(at..at + 1);
                    *range = range.start.min(at)..range.end.max(at + 1);
                }
                let is_in = hull.ranges.as_ref().is_some_and(|ranges| ranges[dim].contains(&at));
                if is_touched && !is_in {
                    let (name, phase) = (case.name, launch.phase);
                    let what = format!("{name}, phase {phase}, items {items:?}: {seen:?}");
                    return Some(format!("{what} is not in {hull:?}\n{}", launch.ir));
                }
            }
        }
    }
    // What the items are sure to reach is reached.
    for (param, hulls) in all.iter().enumerate() {
        for (mode, hull) in hulls.iter().enumerate() {
            for (dim, sure) in hull.sure.iter().flatten().enumerate().filter(|_| items == of) {
                let found = touched.get(&(param, mode, dim));
                if found.is_none_or(|found| !is_inside(sure, found)) {
                    let what = format!("{}, items {items:?}, parameter {param}", case.name);
                    return Some(format!("{what}: {found:?} for {hull:?}\n{}", launch.ir));
                }
            }
        }
    }
    None
}

/// The hulls of a box are as large as all values of affine indices; how many could be compared.
fn hulls_are_exact(case: &Case, launch: &Launch, body: &Body, items: &Items) -> usize {
    let mut env = Env { launch, body, ids: items.0.clone(), trips: HashMap::new() };
    let mut compared = 0;
    for (param, declared) in launch.ir.params.iter().enumerate() {
        for (writes, hull) in [false, true].into_iter().zip(launch.hulls(param, items)) {
            for dim in 0..usize::from(declared.rank) {
                let found = hull.ranges.as_ref().map(|ranges| ranges[dim].clone());
                let what = (param, writes, dim);
                let Some(all) = reference(&mut env, what, items, false) else { continue };
                let alive = reference(&mut env, what, items, true).unwrap_or_default();
                let within = |inner: &Option<Range<usize>>, outer: &Option<Range<usize>>| {
                    inner.is_none()
                        || matches!((inner, outer), (Some(a), Some(b)) if is_inside(a, b))
                };
                // Of other bodies more may be known than the reference knows: that `j as i8` is not 124.
                let is_whole = crate::batch() > 0 || within(&alive, &found);
                assert!(
                    within(&found, &all) && is_whole,
                    "{}, `{}`, writes: {writes}, dimension {dim}, items {items:?}: {found:?}, all \
                     values are {all:?}, where items come {alive:?}\n{}",
                    case.name,
                    declared.name,
                    launch.ir
                );
                compared += usize::from(all.is_some());
            }
        }
    }
    compared
}

/// Items of two boxes write different elements exactly where the dimension that the boxes differ in
/// stands in the own place.
fn apart_where_the_rule_says(case: &Case, launch: &Launch, boxes: &[Items]) -> usize {
    let mut compared = 0;
    for (k, param) in case.descriptor.params.iter().enumerate() {
        let is_own = matches!(param.role, Role::InOut | Role::Out | Role::OutPartial);
        if !is_own || param.raw || param.own.is_empty() {
            continue;
        }
        for sides in boxes[1..].chunks_exact(2) {
            let dim =
                (0..launch.extents.len()).find(|&dim| sides[0].0[dim] != sides[1].0[dim]).unwrap();
            let is_covered = param
                .own
                .iter()
                .any(|own| matches!(own, Component::Id { dim: d, .. } if usize::from(*d) == dim));
            let written = |side: &Items| launch.hulls(k, side)[1].ranges.clone();
            let (Some(a), Some(b)) = (written(&sides[0]), written(&sides[1])) else { continue };
            let are_apart = a.iter().zip(&b).any(|(a, b)| a.end <= b.start || b.end <= a.start);
            assert_eq!(
                are_apart, is_covered,
                "{}, `{}`, dimension {dim}: {a:?} and {b:?}\n{}",
                case.name, param.name, launch.ir
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn what_bodies_touch_is_what_their_indices_say() {
    let (mut exact, mut apart, mut noticed) = (0, 0, 0);
    for (seed, (width, height)) in (1..).zip([(9, 5), (1, 1), (3, 22)]) {
        let inputs = Inputs { seed, width, height, arranged: false };
        for case in CASES {
            let body = Body::of(case.descriptor.ir.unwrap());
            for phase in 0..case.phases {
                let launch = Launch::new(case, &inputs, phase);
                let boxes = launch.boxes(case, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
                for items in &boxes {
                    assert_eq!(outside(case, &inputs, &launch, (items, items)), None);
                    exact += hulls_are_exact(case, &launch, &body, items);
                }
                apart += apart_where_the_rule_says(case, &launch, &boxes);
                // Some items are not all.
                noticed += boxes[1..]
                    .iter()
                    .take(1)
                    .filter(|some| outside(case, &inputs, &launch, (&boxes[0], some)).is_some())
                    .count();
            }
        }
    }
    assert!(exact > 2_000 && apart > 200 && noticed > 100, "{exact}, {apart}, {noticed}");
}
