//! Reach of so many tokens from a place in an indexed text, ahead and back.
//!
//! Counts grow from part to part, but not within one: a longer beginning of it may have fewer tokens. So the
//! part in which the tokens run out is encoded from its start, which tells the tokens of all its beginnings
//! that end at a seam, and the others are counted one by one, the longest first.
//!
//! ```text
//! part  ▁un | believ | able       the best way to write all of it: three pieces
//!       ▁un | b | e | l            but of its beginning "▁unbel" four
//! ```

use super::model::Lattice;
use super::normalizer::{Ends, normalize};
use super::{Scratch, Tables, UnigramIndex};
use crate::error::Result;
use crate::offsets::{skip_chars, skip_chars_back};
use crate::pulse::no_pulse;
use crate::span::Span;

/// So many bytes of a part are looked at first, and twice as many if the tokens do not run out in them.
const FIRST_BYTES: usize = 256;
/// A part of more bytes than this has a seam in so many, or its reach is found by bisection.
const MOST_BYTES: usize = 1 << 13;
/// So are reaches over more bytes without a seam, all ends in which would have to be tried.
const WIDEST_GAP: usize = 512;

impl UnigramIndex {
    /// The greatest end for which `text[start..end]` has at most `max_tokens` tokens.
    ///
    /// O(log n), and O(tokens × longest piece) in a part without blanks. In a long one that has no two plain
    /// characters beside each other it is an end that bisection finds.
    pub(in crate::measure) fn longest(
        &self,
        text: &str,
        start: usize,
        max_tokens: usize,
        scratch: &mut Scratch,
    ) -> Result<usize> {
        let sync = self.first_whole(start).min(text.len());
        let (end, n_left_part) =
            self.reach(text, Span::new(start, sync), true, max_tokens, scratch)?;
        if end < sync || sync == text.len() {
            return Ok(end);
        }
        let before = self.before(sync);
        let most = before.saturating_add(max_tokens - n_left_part);
        let n_parts = self.tokens.fitting(most);
        let Some(part) = self.parts.select(n_parts) else { return Ok(text.len()) };
        let part_end = self.parts.at_or_after(part + 1).unwrap_or(text.len());
        let n_left = most - self.tokens.first(n_parts);
        let part = Span::new(part, part_end);
        Ok(self.reach(text, part, part.start == start, n_left, scratch)?.0)
    }

    /// The greatest end in a part for which what is before it has at most `max_tokens` tokens, and how many;
    /// `is_first` if the span begins with the part.
    fn reach(
        &self,
        text: &str,
        part: Span,
        is_first: bool,
        max_tokens: usize,
        scratch: &mut Scratch,
    ) -> Result<(usize, usize)> {
        let tables = self.unigram.tables();
        let mut n_bytes = FIRST_BYTES;
        loop {
            let window = tables.window(text, part, n_bytes);
            let Some(end) =
                window.filter(|&end| end == part.end || end - part.start <= 2 * n_bytes)
            else {
                if n_bytes >= MOST_BYTES {
                    break;
                }
                n_bytes *= 2;
                continue;
            };
            let ends = Ends { first: is_first, last: end == part.end };
            let cut = Span::new(part.start, end);
            let Some(marks) = tables.encode_with_seams(text, cut, ends, scratch)? else { break };
            if marks.widest_gap() > WIDEST_GAP {
                break;
            }
            match marks.last_fitting(tables, text, max_tokens, scratch)? {
                Some(found) if end == part.end || marks.is_over(tables, max_tokens, scratch) => {
                    return Ok(found);
                }
                _ => n_bytes *= 2,
            }
        }
        self.reach_by_bisection(text, part, is_first, max_tokens)
    }

    /// The same for a part without seams.
    fn reach_by_bisection(
        &self,
        text: &str,
        part: Span,
        is_first: bool,
        max_tokens: usize,
    ) -> Result<(usize, usize)> {
        let (tables, ends) = (self.unigram.tables(), Ends { first: is_first, last: true });
        most_chars(max_tokens, |n| {
            let end = skip_chars(text, part.start, n).min(part.end);
            let part = &text[part.start..end];
            Ok((end, tables.count_part(part, ends, &mut Scratch::default(), no_pulse())?))
        })
    }

    /// A start from which `text[start..end]` has at most `max_tokens` tokens, near the least one: where a
    /// part begins, if one does near enough.
    pub(in crate::measure) fn longest_back(
        &self,
        text: &str,
        end: usize,
        max_tokens: usize,
        scratch: &mut Scratch,
    ) -> Result<usize> {
        let mut last = self.last_start(text, end);
        let is_short = end - last <= MOST_BYTES;
        if is_short && self.count(text, last, end, scratch)? <= max_tokens {
            let n_tokens = self.before(last) + self.part(text, last, end, last, end, scratch)?;
            let n_parts = match n_tokens.saturating_sub(max_tokens).checked_sub(1) {
                Some(n_out) => self.tokens.fitting(n_out) + 1,
                None => 0,
            };
            let mut start = self.parts.select(n_parts).unwrap_or(last).min(last);
            while start < last && self.count(text, start, end, scratch)? > max_tokens {
                start = self.parts.at_or_after(start + 1).unwrap_or(last).min(last);
            }
            if start < end || end == 0 {
                return Ok(start);
            }
            last = self.parts.at_or_before(end - 1).unwrap_or_default();
        }
        let back = |n| {
            let start = skip_chars_back(text, end, n).max(last);
            Ok((start, self.count(text, start, end, &mut Scratch::default())?))
        };
        Ok(most_chars(max_tokens, back)?.0)
    }
}

/// The place that the greatest number of characters leads to with at most `max_tokens` tokens, as far as
/// doubling and bisection find it, and the tokens; `of` gives both for a number.
fn most_chars(
    max_tokens: usize,
    of: impl Fn(usize) -> Result<(usize, usize)>,
) -> Result<(usize, usize)> {
    let (mut low, mut best) = (0, of(0)?);
    let mut high = 16;
    loop {
        let found = of(high)?;
        if found.1 > max_tokens {
            break;
        }
        if found.0 == best.0 {
            return Ok(best);
        }
        (low, best, high) = (high, found, 2 * high);
    }
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        let found = of(middle)?;
        if found.1 <= max_tokens {
            (low, best) = (middle, found);
        } else {
            high = middle;
        }
    }
    Ok(best)
}

/// A place in the raw text up to which the words are known, and where it is in the words.
#[derive(Clone, Copy, Debug)]
struct Seam {
    at: usize,
    in_words: usize,
}

/// A cut-out of a text whose best ways are in the scratch, with its seams.
struct Marks {
    cut: Span,
    ends: Ends,
    seams: Vec<Seam>,
}

impl Tables {
    /// The end of a cut-out of `part` that has about `n_bytes`: the end of the part, or a seam.
    fn window(&self, text: &str, part: Span, n_bytes: usize) -> Option<usize> {
        let stop = text.floor_char_boundary(part.start.saturating_add(n_bytes));
        if stop >= part.end {
            return Some(part.end);
        }
        let cut = &text[part.range()];
        let mut places = text[part.start..stop].char_indices().rev();
        let found = places.find(|&(i, _)| i > 0 && self.cuts.is_seam(cut, i));
        found.map(|(i, _)| part.start + i)
    }

    /// Finds the best ways through `text[cut]`; none if added tokens are in it.
    fn encode_with_seams(
        &self,
        text: &str,
        cut: Span,
        ends: Ends,
        scratch: &mut Scratch,
    ) -> Result<Option<Marks>> {
        let Scratch { normal, words, lattice } = scratch;
        normal.clear();
        words.clear();
        let part = &text[cut.range()];
        let mut seams = Vec::new();
        let mut done = 0;
        let places = part.char_indices().map(|(i, _)| i).skip(1).chain([part.len()]);
        for place in places {
            let is_end = place == part.len();
            if is_end || self.cuts.is_seam(part, place) {
                let ends = Ends { first: ends.first && done == 0, last: ends.last && is_end };
                normalize(&self.steps, &part[done..place], ends, normal);
                seams.push(Seam { at: cut.start + place, in_words: normal.len() });
                done = place;
            }
        }
        if self.added.occur_in_normalized(normal) {
            return Ok(None);
        }
        let mut waiting = seams.iter_mut().peekable();
        self.words.write(normal, ends.first, words, |in_normal, in_words| {
            while let Some(seam) = waiting.next_if(|seam| seam.in_words <= in_normal) {
                seam.in_words = in_words;
            }
        });
        waiting.for_each(|seam| seam.in_words = words.len());
        lattice.run(&self.model, words, self.words.mark(), no_pulse())?;
        Ok(Some(Marks { cut, ends, seams }))
    }
}

impl Marks {
    /// The most bytes between two neighbouring seams.
    fn widest_gap(&self) -> usize {
        let starts = [self.cut.start].into_iter().chain(self.seams.iter().map(|seam| seam.at));
        starts.zip(&self.seams).map(|(start, seam)| seam.at - start).max().unwrap_or_default()
    }

    /// Whether all that goes on behind the last seam has more than `max_tokens` tokens.
    fn is_over(&self, tables: &Tables, max_tokens: usize, scratch: &Scratch) -> bool {
        self.seams.last().is_some_and(|seam| {
            scratch.lattice.least_tokens(&tables.model, seam.in_words) > max_tokens
        })
    }

    /// The last end in the cut-out up to which it has at most `max_tokens` tokens, and how many.
    fn last_fitting(
        &self,
        tables: &Tables,
        text: &str,
        max_tokens: usize,
        scratch: &Scratch,
    ) -> Result<Option<(usize, usize)>> {
        let lattice: &Lattice = &scratch.lattice;
        let mut other = Scratch::default();
        let mut seams = self.seams.iter().rev().peekable();
        let part = &text[self.cut.range()];
        let places = part.char_indices().map(|(i, _)| self.cut.start + i);
        for end in places.chain([self.cut.end]).rev() {
            let n_tokens = if let Some(seam) = seams.next_if(|seam| seam.at == end) {
                lattice.n_tokens(seam.in_words)
            } else {
                let is_over =
                    |seam: &&Seam| lattice.least_tokens(&tables.model, seam.in_words) > max_tokens;
                if seams.peek().is_some_and(is_over) {
                    continue;
                }
                let ends = Ends { first: self.ends.first, last: true };
                tables.count_part(&text[self.cut.start..end], ends, &mut other, no_pulse())?
            };
            if n_tokens <= max_tokens {
                return Ok(Some((end, n_tokens)));
            }
        }
        Ok(None)
    }
}
