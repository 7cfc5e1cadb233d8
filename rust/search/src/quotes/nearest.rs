//! Nearest place to a quotation that stands nowhere, and the first word that differs.

use super::chars::{Sign, cluster_end};
use super::filter::GRAM_BYTES;
use super::index::{Ends, Place, QuoteIndex, Source};
use super::quote::{Part, Quote, char_before, is_border};
use super::slots::{Halt, Slot, Slots};
use super::vowels::have_vowels_of;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::{is_space, skip_space, trim_end};

/// Where the longest part of a quotation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Where the part stands.
    pub place: Place,
    /// The first word of the quotation that differs, in the quotation; empty where it ends.
    pub quoted: Span,
    /// What stands there in the text; empty where it ends.
    pub stands: Span,
}

/// So many places of each part are compared.
const MAX_PLACES: usize = 8;

/// So many slots are asked for at once.
const MAX_ASKED: usize = 8;

/// So many slots are looked at, of those that may have the longest parts: what a filter lets through by chance is as
/// short as what would be found there.
const MAX_LOOKED_AT: usize = 16;

/// Bytes of a word that is shown.
const MAX_WORD_BYTES: usize = 200;

/// A part of the quotation, and where it stands in a text.
#[derive(Clone, Copy)]
struct Common {
    at: usize,
    part: Part,
}

impl Common {
    const fn len(&self) -> usize {
        self.part.end - self.part.start
    }
}

/// Where the longest part of `quoted`, which is `quote`, stands in the texts that may have the longest parts; none if no
/// word of it does.
///
/// Texts are looked at by how long a part they may have, so that only some of them have to be open.
pub fn nearest(
    slots: Slots<'_>,
    quote: &str,
    quoted: &Quote,
    n_near: usize,
) -> std::result::Result<Option<Nearest>, Halt> {
    let Part { start, end } = quoted.whole();
    let bytes = &quoted.normal.bytes()[start..end];
    let borders: Vec<usize> = quoted.borders().into_iter().map(|at| at - start).collect();
    let bound = |slot: &Slot<'_>| slot.filter.map_or(usize::MAX, |f| f.longest(bytes, &borders));
    let bounds = slots.slots.iter().map(bound);
    let mut order: Vec<(usize, usize)> =
        bounds.enumerate().filter(|&(_, bound)| bound > 0).collect();
    order.sort_by_key(|&(number, bound)| (std::cmp::Reverse(bound), number));
    // Texts whose filter is not known are open, and are all looked at.
    let n_unknown = order.partition_point(|&(_, bound)| bound == usize::MAX);
    order.truncate(n_unknown + MAX_LOOKED_AT);
    let mut best = longest(slots, quoted, &order, GRAM_BYTES - 1)?;
    if best.is_none() {
        let near: Vec<(usize, usize)> =
            (0..n_near.min(slots.slots.len())).map(|number| (number, usize::MAX)).collect();
        best = longest(slots, quoted, &near, 0)?;
    }
    Ok(best.map(|(slot, text, source, common)| {
        described(source, quote, quoted, common, |span| Place { slot, text, span })
    }))
}

type Best<'a> = Option<(usize, usize, Source<'a>, Common)>;

/// The longest part of a quotation in slots, of more than `least` bytes; each slot stands with its bound.
fn longest<'a>(
    slots: Slots<'a>,
    quote: &Quote,
    order: &[(usize, usize)],
    least: usize,
) -> std::result::Result<Best<'a>, Halt> {
    let mut best: Best<'a> = None;
    let mut shut = Vec::new();
    for &(number, bound) in order {
        let len = best.as_ref().map_or(least, |(.., common)| common.len());
        if bound <= len || shut.len() == MAX_ASKED {
            break;
        }
        let slot = &slots.slots[number];
        let Some(texts) = &slot.texts else {
            shut.push(number);
            continue;
        };
        if !shut.is_empty() {
            continue;
        }
        let may_have = |part: Part| slot.may_have(&quote.normal.bytes()[part.start..part.end]);
        for (text, source) in texts.iter().enumerate() {
            let len = best.as_ref().map_or(least, |(.., common)| common.len());
            if let Some(common) = longest_in(source.index, quote, len, may_have, slots.beat)? {
                best = Some((number, text, *source, common));
            }
        }
    }
    shut.sort_unstable();
    if shut.is_empty() { Ok(best) } else { Err(Halt::Needs(shut)) }
}

/// The longest part of a quotation in a text, of more than `least` bytes. For each word the text is searched once, and
/// once more for each longer part.
fn longest_in(
    index: &QuoteIndex,
    quote: &Quote,
    least: usize,
    may_have: impl Fn(Part) -> bool,
    beat: &Beat<'_>,
) -> Result<Option<Common>> {
    let borders = quote.borders();
    let is_word = |sign: Sign| matches!(sign, Sign::Word | Sign::Spaceless | Sign::Mark);
    let ends: Vec<usize> = borders
        .iter()
        .copied()
        .filter(|&at| char_before(&quote.normal, at).is_some_and(|c| is_word(Sign::of(c))))
        .collect();
    let mut longest: Option<Common> = None;
    for &start in &borders {
        loop {
            let len = longest.as_ref().map_or(least, Common::len);
            let next = ends.partition_point(|&end| end <= start + len);
            let Some(&end) = ends.get(next) else { break };
            let part = Part { start, end };
            if quote.trimmed(part).start != start || !may_have(part) {
                break;
            }
            let starts = index.starts(quote, part, MAX_PLACES, Ends::Words, beat)?;
            let wider = starts.into_iter().map(|at| extended(index, quote, Common { at, part }));
            let Some(common) = wider.max_by_key(|common| (common.len(), usize::MAX - common.at))
            else {
                break;
            };
            beat.after(common.len())?;
            longest = Some(common);
        }
    }
    Ok(longest)
}

/// The same part with what is alike before and behind it, as far as whole words go. O(quotation).
fn extended(index: &QuoteIndex, quote: &Quote, common: Common) -> Common {
    let (Common { at, part }, own, other) = (common, &index.normal, &quote.normal);
    // Where the byte of the quotation stands in the text.
    let in_text = |quoted: usize| (quoted + at).checked_sub(part.start);
    let is_alike = |quoted: usize| {
        in_text(quoted).is_some_and(|at| {
            own.bytes().get(at) == Some(&other.bytes()[quoted])
                && own.has_forms_of(at, other, quoted, 1)
        })
    };
    let has_same_gap =
        |quoted: usize| in_text(quoted).is_some_and(|at| own.has_gap_of(at, other, quoted));
    let is_end = |quoted: usize| {
        is_border(other, quoted) && in_text(quoted).is_some_and(|at| is_border(own, at))
    };
    let whole = quote.whole();
    let back = (whole.start..part.start).rev();
    let back = back.take_while(|&quoted| has_same_gap(quoted + 1) && is_alike(quoted));
    let start = back.filter(|&quoted| is_end(quoted)).last().unwrap_or(part.start);
    let on = (part.end..whole.end).take_while(|&quoted| has_same_gap(quoted) && is_alike(quoted));
    let end = on.map(|quoted| quoted + 1).filter(|&end| is_end(end)).last().unwrap_or(part.end);
    let wider = Common { at: at - (part.start - start), part: Part { start, end } };
    let has_vowels = have_vowels_of(other, start, own, wider.at, wider.len());
    if has_vowels { wider } else { common }
}

fn described(
    source: Source<'_>,
    quote: &str,
    quoted: &Quote,
    common: Common,
    place: impl Fn(Span) -> Place,
) -> Nearest {
    let Common { at, part } = common;
    let span = source.index.source(source.text, at, at + common.len());
    let first = quoted.normal.source(part.start);
    let end = quoted.normal.source(part.end - 1);
    let end = quoted.normal.entity_end(end).unwrap_or_else(|| cluster_end(quote, end));
    let (quoted, stands) = if part.start > quoted.whole().start {
        (word_before(quote, first), word_before(source.text, span.start))
    } else {
        (word_behind(quote, end), word_behind(source.text, span.end))
    };
    Nearest { place: place(span), quoted, stands }
}

/// The last word before `end`, by whitespace; the last letter of a script without.
fn word_before(text: &str, end: usize) -> Span {
    let end = trim_end(text, 0, end);
    let last = text[..end].char_indices().next_back();
    if let Some((at, c)) = last
        && Sign::of(c) == Sign::Spaceless
    {
        return Span::new(at, end);
    }
    let floor = text.floor_char_boundary(end.saturating_sub(MAX_WORD_BYTES));
    let start = text[floor..end].rfind(is_space).map_or(floor, |at| skip_space(text, floor + at));
    Span::new(start.min(end), end)
}

/// The first word from `start` on, by whitespace; the first letter of a script without.
fn word_behind(text: &str, start: usize) -> Span {
    let start = skip_space(text, start);
    if text[start..].starts_with(|c| Sign::of(c) == Sign::Spaceless) {
        return Span::new(start, cluster_end(text, start));
    }
    let ceiling = text.ceil_char_boundary(text.len().min(start + MAX_WORD_BYTES));
    let end = text[start..ceiling].find(is_space).map_or(ceiling, |at| start + at);
    Span::new(start, end)
}
