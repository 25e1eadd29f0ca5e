//! What threads do together: barriers, shuffles and votes.
//!
//! Who waits for whom is decided where they run.

use super::names::Name;
use super::unit::Body;
use super::{Answer, Trouble};
use crate::program::{Kind, NONE, Shuffle, Survey, Vote};
use crate::syntax::Operand;
use crate::types::Type;

impl<'a> Body<'_, '_, '_, 'a> {
    pub(super) fn warp(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let word = Type::B(32);
        match name.op {
            "bar" | "barrier" if name.has("warp") => {
                let [members] = self.operands(ops)?;
                let members = self.from(members, word)?;
                self.emit(Kind::SyncWarp { members });
                Ok(())
            }
            "bar" | "barrier" => self.barrier(name, ops),
            "shfl" => {
                let mode = name.one_of(&[
                    ("up", Shuffle::Up),
                    ("down", Shuffle::Down),
                    ("bfly", Shuffle::Bfly),
                    ("idx", Shuffle::Idx),
                ]);
                let Some(mode) = mode else { return self.refuse(name) };
                let [to, a, b, c, rest @ ..] = ops else {
                    return Err(Trouble::Wrong("it has too few operands".to_owned()));
                };
                let members = self.members(rest)?;
                let (a, b, c) = (self.from(a, word)?, self.from(b, word)?, self.from(c, word)?);
                let (d, p) = self.written_both(to)?;
                self.emit(Kind::Shuffle { mode, d, p, a, b, c, members });
                Ok(())
            }
            "vote" => {
                let mode = name.one_of(&[
                    ("all", Vote::All),
                    ("any", Vote::Any),
                    ("uni", Vote::Uniform),
                    ("ballot", Vote::Ballot),
                ]);
                let (Some(mode), [to, of, rest @ ..]) = (mode, ops) else {
                    return self.refuse(name);
                };
                let members = self.members(rest)?;
                let of = self.condition(of)?;
                let (d, p) = match mode {
                    Vote::Ballot => (self.written(to)?, NONE),
                    _ => (NONE, self.written_predicate(to)?),
                };
                self.emit(Kind::Vote { mode, d, p, of, members });
                Ok(())
            }
            "match" => {
                let ty = self.ty(name)?;
                let [to, a, members] = self.operands(ops)?;
                let (a, members) = (self.from(a, ty)?, self.from(members, word)?);
                let (d, p) = self.written_both(to)?;
                let (all, bits) = (name.has("all"), ty.bits());
                self.emit(Kind::Match { all, bits, d, p, a, members });
                Ok(())
            }
            "redux" => {
                let ty = self.ty(name)?;
                let Some(f) = super::memory::reduction(name, ty) else { return self.refuse(name) };
                let [d, a, members] = self.operands(ops)?;
                let (a, members) = (self.from(a, ty)?, self.from(members, word)?);
                let d = self.written(d)?;
                self.emit(Kind::Reduce { f, d, a, members });
                Ok(())
            }
            "elect" => {
                let [to, members] = self.operands(ops)?;
                let members = self.from(members, word)?;
                let (d, p) = self.written_both(to)?;
                self.emit(Kind::Elect { d, p, members });
                Ok(())
            }
            _ => {
                let [d] = self.operands(ops)?;
                let d = self.written(d)?;
                self.emit(Kind::ActiveMask { d });
                Ok(())
            }
        }
    }

    /// The lanes that an instruction names; without them those that are there.
    fn members(&mut self, rest: &[Operand<'a>]) -> Answer<u32> {
        match rest {
            [members] => self.from(members, Type::B(32)),
            _ => {
                let d = self.scratch();
                self.emit(Kind::ActiveMask { d });
                Ok(d)
            }
        }
    }

    fn barrier(&mut self, name: &Name<'a>, ops: &[Operand<'a>]) -> Answer<()> {
        let word = Type::B(32);
        if name.has("cluster") {
            // A block is all of its cluster: who arrives goes on, who waits waits for all.
            let kind = if name.has("arrive") {
                Kind::Nothing
            } else {
                let (id, count) = (self.value(15), NONE);
                Kind::Barrier { id, count, wait: true, survey: None, d: NONE, p: NONE }
            };
            self.emit(kind);
            return Ok(());
        }
        if name.has("red") {
            let survey =
                name.one_of(&[("popc", Survey::Count), ("and", Survey::All), ("or", Survey::Any)]);
            let (Some(survey), [to, id, rest @ ..]) = (survey, ops) else {
                return self.refuse(name);
            };
            let (count, of) = match rest {
                [of] => (NONE, of),
                [count, of] => (self.from(count, word)?, of),
                _ => return self.refuse(name),
            };
            let (id, of) = (self.from(id, word)?, self.condition(of)?);
            let (d, p) = match survey {
                Survey::Count => (self.written(to)?, NONE),
                _ => (NONE, self.written_predicate(to)?),
            };
            let survey = Some((survey, of));
            self.emit(Kind::Barrier { id, count, wait: true, survey, d, p });
            return Ok(());
        }
        let [id, rest @ ..] = ops else {
            return Err(Trouble::Wrong("it names no barrier".to_owned()));
        };
        let id = self.from(id, word)?;
        let count = match rest.first() {
            Some(count) => self.from(count, word)?,
            None => NONE,
        };
        let wait = !name.has("arrive");
        self.emit(Kind::Barrier { id, count, wait, survey: None, d: NONE, p: NONE });
        Ok(())
    }
}
