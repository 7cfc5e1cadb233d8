//! Nearest place to a quotation that stands nowhere, and the first word that differs.

use super::index::{QuoteIndex, Source};
use super::quote::{MIN_QUOTE_CHARS, Part, Quote, is_border};
use super::reader::cluster_end;
use crate::error::Result;
use crate::pulse::Beat;
use crate::span::Span;
use crate::unicode::space::{is_space, skip_space, trim_end};

/// Where the longest part of a quotation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The number of the text.
    pub text: usize,
    /// Where the part stands in the text.
    pub span: Span,
    /// The first word of the quotation that differs, in the quotation; empty where it ends.
    pub quoted: Span,
    /// What stands there in the text; empty where it ends.
    pub stands: Span,
}

/// So many short parts of a quotation are looked for, evenly spread over it.
const MAX_SEEDS: usize = 16;

/// So many places of each are compared.
const MAX_PLACES: usize = 8;

/// Bytes of a word that is shown.
const MAX_WORD_BYTES: usize = 200;

/// A part of the quotation, and where it stands in a text.
#[derive(Clone, Copy)]
struct Common {
    text: usize,
    at: usize,
    part: Part,
}

/// Where the longest part of `quoted`, which is `quote`, stands; none if no long one does.
pub fn nearest(
    sources: &[Source<'_>],
    quote: &str,
    quoted: &Quote,
    beat: &Beat<'_>,
) -> Result<Option<Nearest>> {
    let mut longest: Option<Common> = None;
    for seed in seeds(quoted) {
        for (text, source) in sources.iter().enumerate() {
            for at in source.index.starts(quoted, seed, MAX_PLACES, beat)? {
                let common = extended(source.index, quoted, Common { text, at, part: seed });
                beat.after(common.part.end - common.part.start)?;
                let len = |common: &Common| common.part.end - common.part.start;
                if longest.as_ref().is_none_or(|other| len(other) < len(&common)) {
                    longest = Some(common);
                }
            }
        }
    }
    Ok(longest.map(|common| described(sources[common.text], quote, quoted, common)))
}

/// Parts of a quotation one behind the other, as short as they may be; some of them if they are many.
fn seeds(quote: &Quote) -> Vec<Part> {
    let borders = quote.borders();
    let (mut seeds, mut start) = (Vec::new(), quote.whole().start);
    for &end in &borders {
        let part = quote.trimmed(Part { start, end });
        // Characters have four bytes at most, so most parts are seen to be short without counting.
        if end > start && end - start >= MIN_QUOTE_CHARS / 4 && quote.is_long(part) {
            seeds.push(part);
            start = end;
        }
    }
    let step = seeds.len().div_ceil(MAX_SEEDS).max(1);
    seeds.into_iter().step_by(step).collect()
}

/// The same part with what is alike before and behind it, as far as whole words go. O(quotation).
fn extended(index: &QuoteIndex, quote: &Quote, common: Common) -> Common {
    let (Common { text, at, part }, own, other) = (common, &index.normal, &quote.normal);
    // Where the byte of the quotation stands in the text.
    let in_text = |quoted: usize| (quoted + at).checked_sub(part.start);
    let is_alike = |quoted: usize| {
        in_text(quoted).is_some_and(|at| own.bytes().get(at) == Some(&other.bytes()[quoted]))
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
    Common { text, at: at - (part.start - start), part: Part { start, end } }
}

fn described(source: Source<'_>, quote: &str, quoted: &Quote, common: Common) -> Nearest {
    let Common { text, at, part } = common;
    let span = source.index.source(source.text, at, at + part.end - part.start);
    let first = quoted.normal.source(part.start);
    let end = cluster_end(quote, quoted.normal.source(part.end - 1));
    let (quoted, stands) = if part.start > quoted.whole().start {
        (word_before(quote, first), word_before(source.text, span.start))
    } else {
        (word_behind(quote, end), word_behind(source.text, span.end))
    };
    Nearest { text, span, quoted, stands }
}

/// The last word before `end`, by whitespace.
fn word_before(text: &str, end: usize) -> Span {
    let end = trim_end(text, 0, end);
    let floor = text.floor_char_boundary(end.saturating_sub(MAX_WORD_BYTES));
    let start = text[floor..end].rfind(is_space).map_or(floor, |at| skip_space(text, floor + at));
    Span::new(start.min(end), end)
}

/// The first word from `start` on, by whitespace.
fn word_behind(text: &str, start: usize) -> Span {
    let start = skip_space(text, start);
    let ceiling = text.ceil_char_boundary(text.len().min(start + MAX_WORD_BYTES));
    let end = text[start..ceiling].find(is_space).map_or(ceiling, |at| start + at);
    Span::new(start, end)
}
