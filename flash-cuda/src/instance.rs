//! A graph of a list of launches: made once, submitted as often as the list comes, and changed for another
//! list that has other arguments only. Which list gets one is not decided here. Fenced: it lets kernels run
//! with the memory of validated launches.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::sync::Arc;

use crate::batches::{HeldBack, Submitted};
use crate::cu::{Chain, Failure, Stream};
use crate::kept::Form;
use crate::record::Records;

/// A graph, and the records of its launches, if they have some.
#[derive(Debug)]
pub(crate) struct Instance {
    chain: Chain,
    records: Option<Arc<Records>>,
    /// Its launches as they are now.
    forms: Vec<Form>,
}

/// How many launches of a list have a record.
pub(crate) fn notes(launches: &[HeldBack]) -> usize {
    launches.iter().filter(|launch| launch.outcome.is_some()).count()
}

/// The addresses of the records of launches, in their order.
pub(crate) fn addresses(launches: &[HeldBack], records: Option<&Arc<Records>>) -> Vec<u64> {
    let mut k = 0;
    let mut address = |launch: &HeldBack| match (&launch.outcome, records) {
        (Some(_), Some(records)) => {
            k += 1;
            records.address(k - 1)
        }
        _ => 0,
    };
    launches.iter().map(&mut address).collect()
}

impl Instance {
    /// A graph of these.
    pub(crate) fn new(stream: &Stream, launches: &[HeldBack]) -> Result<Self, Failure> {
        let records = match (notes(launches), launches.first()) {
            (n, Some(first)) if n > 0 => Some(Arc::new(first.launch.device().records(n)?)),
            _ => None,
        };
        let addresses = addresses(launches, records.as_ref());
        let each = launches.iter().zip(&addresses);
        let links = each.map(|(held, record)| held.launch.link(record)).collect();
        // SAFETY: the arguments are those of the launches, which are given when the chain runs, and records
        // that stay as long as the chain.
        let chain = unsafe { Chain::new(stream.context(), links)? };
        let forms = launches.iter().map(|held| held.launch.form()).collect();
        Ok(Self { chain, records, forms })
    }

    /// Whether it can be changed for a list, which differs in arguments only.
    pub(crate) fn is_like(&self, launches: &[HeldBack]) -> bool {
        self.forms.len() == launches.len()
            && self.forms.iter().zip(launches).all(|(form, held)| form.is_like(&held.launch))
    }

    /// Changes it for such a list. After a failure it is of no use.
    ///
    /// # Safety
    ///
    /// The arguments of the launches are those of validated ones.
    pub(crate) unsafe fn change(&mut self, launches: &[HeldBack]) -> Result<(), Failure> {
        let addresses = addresses(launches, self.records.as_ref());
        let each = self.forms.iter_mut().zip(launches).zip(&addresses).enumerate();
        for (number, ((form, held), record)) in each {
            if !form.has_arguments_of(&held.launch) {
                // SAFETY: the function is the same, as was asked; as the caller vouches, and the record
                // stays as long as the chain.
                unsafe { self.chain.change(number, held.launch.link(record))? };
                *form = held.launch.form();
            }
        }
        Ok(())
    }

    /// Submits it. Where that fails no launch was submitted, so they can go one by one.
    ///
    /// # Safety
    ///
    /// As [`Batches::submit`](crate::batches::Batches::submit).
    pub(crate) unsafe fn submit(
        &self,
        stream: &Stream,
        submitted: &mut Submitted,
    ) -> Result<(), Failure> {
        if let Some(records) = &self.records {
            submitted.used.push(Arc::clone(records));
            records.begin(stream)?;
        }
        // SAFETY: as the caller vouches.
        unsafe { self.chain.launch(stream)? };
        submitted.records.clone_from(&self.records);
        Ok(())
    }

    /// Whether nobody has still to look at its records.
    pub(crate) fn is_free(&self) -> bool {
        self.records.as_ref().is_none_or(|records| Arc::strong_count(records) == 1)
    }

    /// Whether its records are of zeros.
    pub(crate) fn is_clean(&self) -> bool {
        self.records.as_ref().is_none_or(|records| records.is_clean())
    }
}
