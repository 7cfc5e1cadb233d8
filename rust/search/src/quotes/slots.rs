//! Slots of texts in which quotations are looked for: open, or shut behind the filter of what they have.

use super::filter::QuoteFilter;
use super::index::{Ends, Place, Source};
use super::quote::{Part, Quote};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Beat;
use chunkwright_text::span::Span;

/// So many slots are asked for at once where one may be enough, or as many as are open: each time all are gone over.
const MIN_ASKED: usize = 8;

/// Texts that belong together.
#[derive(Clone)]
pub struct Slot<'t> {
    /// What they may have; none if that is not known.
    pub filter: Option<&'t QuoteFilter>,
    /// The texts, if they are open.
    pub texts: Option<Vec<Source<'t>>>,
}

impl<'t> Slot<'t> {
    /// The slot of one text that is open.
    pub fn of(source: Source<'t>) -> Self {
        Self { filter: None, texts: Some(vec![source]) }
    }

    /// Whether the bytes may stand in the texts.
    pub fn may_have(&self, bytes: &[u8]) -> bool {
        self.filter.is_none_or(|filter| filter.may_have(bytes))
    }
}

/// Why a search has no result.
#[derive(Debug)]
pub enum Halt {
    /// Slots have to be opened.
    Needs(Vec<usize>),
    /// It failed.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

type Found<T> = std::result::Result<T, Halt>;

/// Slots that are searched.
#[derive(Clone, Copy)]
pub struct Slots<'a> {
    pub slots: &'a [Slot<'a>],
    pub beat: &'a Beat<'a>,
}

impl<'a> Slots<'a> {
    /// The slots that may have a part, with their numbers.
    fn candidates(
        self,
        quote: &'a Quote,
        part: Part,
    ) -> impl Iterator<Item = (usize, &'a Slot<'a>)> {
        let bytes = &quote.normal.bytes()[part.start..part.end];
        self.slots.iter().enumerate().filter(|(_, slot)| slot.may_have(bytes))
    }

    /// The first places of a part.
    pub fn places(self, quote: &Quote, part: Part, limit: usize, ends: Ends) -> Found<Vec<Place>> {
        let mut places = Vec::new();
        let (mut shut, mut n_open) = (Vec::new(), 0);
        for (slot, each) in self.candidates(quote, part) {
            n_open += usize::from(each.texts.is_some());
            match &each.texts {
                Some(texts) if shut.is_empty() => {
                    for (text, source) in texts.iter().enumerate() {
                        let left = limit - places.len();
                        let spans = source.places(quote, part, left, ends, self.beat)?;
                        places.extend(spans.into_iter().map(|span| Place { slot, text, span }));
                    }
                }
                Some(_) => {}
                None => shut.push(slot),
            }
            if places.len() >= limit || shut.len() >= n_open.max(MIN_ASKED) {
                break;
            }
        }
        if shut.is_empty() { Ok(places) } else { Err(Halt::Needs(shut)) }
    }

    /// What `look` finds in the first text of a slot that may have all parts.
    pub fn in_one(
        self,
        quote: &Quote,
        parts: &[Part],
        mut look: impl FnMut(Source<'a>) -> Result<Option<Vec<Span>>>,
    ) -> Found<Option<Vec<Place>>> {
        let has_all = |slot: &Slot<'_>| {
            let mut bytes = parts.iter().map(|part| &quote.normal.bytes()[part.start..part.end]);
            !parts.is_empty() && bytes.all(|bytes| slot.may_have(bytes))
        };
        let candidates: Vec<(usize, &Slot<'_>)> =
            self.slots.iter().enumerate().filter(|(_, slot)| has_all(slot)).collect();
        let shut: Vec<usize> =
            candidates.iter().filter(|(_, slot)| slot.texts.is_none()).map(|&(i, _)| i).collect();
        if !shut.is_empty() {
            return Err(Halt::Needs(shut));
        }
        for (slot, each) in candidates {
            for (text, source) in each.texts.iter().flatten().enumerate() {
                if let Some(spans) = look(*source)? {
                    let places = spans.into_iter().map(|span| Place { slot, text, span });
                    return Ok(Some(places.collect()));
                }
            }
        }
        Ok(None)
    }

    /// Whether a part stands in any text.
    pub fn has(self, quote: &Quote, part: Part) -> Found<bool> {
        let (mut shut, mut n_open) = (Vec::new(), 0);
        for (number, slot) in self.candidates(quote, part) {
            match &slot.texts {
                None => shut.push(number),
                Some(texts) => {
                    n_open += 1;
                    for source in texts {
                        if !source.places(quote, part, 1, Ends::Words, self.beat)?.is_empty() {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        shut.truncate(MIN_ASKED.max(n_open));
        if shut.is_empty() { Ok(false) } else { Err(Halt::Needs(shut)) }
    }
}
