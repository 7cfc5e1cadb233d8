//! Cut of an oversized text in tokens, or in what any other measure counts.
//!
//! Sizes need not grow with the text, so what a bisection finds depends on where it looks: the results of
//! the peer are those of its bisections.

use super::chars::last_grapheme;
use super::{Again, Step, Terms, View};
use chunkwright_core::error::Result;
use chunkwright_core::measure::Measure;
use chunkwright_core::offsets::{count_chars, skip_chars};
use chunkwright_core::options::Limits;
use chunkwright_core::overlap::{self, Begins};
use chunkwright_core::pulse::{Beat, CHUNK_BYTES};
use chunkwright_core::span::Span;
use chunkwright_core::unicode::space::{is_space, skip_space, trim_end};

/// Ends that do not fit although they lie within reach are few: after so many, fewer are tried.
const MAX_TRIES: usize = 32;

/// Where `view` is cut; none if it fits. O(the fragment) and some sizes.
///
/// At the last newline, else the last blank, before which there is something that fits; else where a
/// bisection over code points ends (if results may be better: where what fits ends), or at the whitespace
/// before that.
///
/// # Errors
/// Those of the measure and of `beat`.
pub fn step(
    view: View<'_>,
    measure: &dyn Measure,
    terms: Terms<'_>,
    beat: &Beat<'_>,
) -> Result<Option<Step>> {
    // All that is longer than `reach` is too large: it is never measured.
    let reach = measure.longest(view.start, terms.max)?.min(view.end);
    if reach == view.end && measure.size(view.upto(view.end))? <= terms.max {
        return Ok(None);
    }
    let cutter = TokenCutter { view, measure, terms, reach, beat };
    for separator in [b'\n', b' '] {
        if let Some(step) = cutter.at_separator(separator)? {
            return Ok(Some(step));
        }
    }
    cutter.at_bisection().map(Some)
}

/// Where `view` is cut at a newline, if it is.
///
/// # Errors
/// Those of the measure.
pub fn at_newline(
    view: View<'_>,
    measure: &dyn Measure,
    terms: Terms<'_>,
    beat: &Beat<'_>,
) -> Result<Option<Step>> {
    TokenCutter { view, measure, terms, reach: view.end, beat }.at_separator(b'\n')
}

struct TokenCutter<'v> {
    view: View<'v>,
    measure: &'v dyn Measure,
    terms: Terms<'v>,
    reach: usize,
    beat: &'v Beat<'v>,
}

impl TokenCutter<'_> {
    fn size(&self, end: usize) -> Result<usize> {
        self.measure.size(self.view.upto(end))
    }

    /// The size up to `cut`, the whitespace before it left out.
    fn trimmed_size(&self, cut: usize) -> Result<usize> {
        self.size(trim_end(self.view.text, self.view.start, cut))
    }

    /// The cut at the last `separator` with something in front of it that fits.
    fn at_separator(&self, separator: u8) -> Result<Option<Step>> {
        let View { text, start, end } = self.view;
        let from = self.terms.new.unwrap_or(start);
        let mut upto = skip_space(&text[..end], self.reach).max(from);
        while let Some(at) = memchr::memrchr(separator, &text.as_bytes()[from..upto]) {
            let fragment = trim_end(text, start, from + at);
            if fragment == start {
                break;
            }
            if (1..=self.terms.max).contains(&self.size(fragment)?) {
                let next = skip_space(&text[..end], from + at + 1);
                let again = self.repeated(fragment)?;
                return Ok(Some(Step { end: fragment, again, next }));
            }
            upto = fragment.max(from);
        }
        Ok(None)
    }

    /// The cut where a bisection ends, or at the whitespace before that.
    fn at_bisection(&self) -> Result<Step> {
        let View { text, start, end } = self.view;
        let Terms { max, overlap, new, .. } = self.terms;
        let first = self.nth(overlap + 1).max(new.unwrap_or(start));
        let best = match new {
            Some(_) => self.reach.max(self.nth(1)),
            None => self.bisected()?,
        };
        let mut cut = self.space_before(best, first).unwrap_or(best);
        if cut > first && self.trimmed_size(cut)? > max {
            cut = best;
        }
        let is_in_word = || !text[cut..].starts_with(is_space);
        if new.is_some() && (is_in_word() || self.trimmed_size(cut)? > max) {
            cut = self.fitting_grapheme(cut)?;
        }
        let fragment = trim_end(text, start, cut);
        let again = if fragment > start { self.repeated(fragment)? } else { Again::Nothing };
        Ok(Step { end: fragment, again, next: skip_space(&text[..end], cut) })
    }

    /// The byte of code point `n`.
    fn nth(&self, n: usize) -> usize {
        skip_chars(&self.view.text[..self.view.end], self.view.start, n)
    }

    /// Where the bisection for the longest prefix that fits ends.
    fn bisected(&self) -> Result<usize> {
        let Terms { max, overlap, n_chars, .. } = self.terms;
        let n_reach = count_chars(&self.view.text.as_bytes()[self.view.upto(self.reach).range()]);
        let (mut low, mut high) = (1, n_chars);
        let mut best = overlap + 1;
        while low <= high {
            // Within a long word, a size may take as long as an encoding does.
            self.beat.after(self.reach - self.view.start + CHUNK_BYTES)?;
            let middle = usize::midpoint(low, high);
            if middle <= n_reach && self.size(self.nth(middle))? <= max {
                best = middle;
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        Ok(self.nth(best))
    }

    /// The last whitespace that begins in `from..=upto`.
    fn space_before(&self, upto: usize, from: usize) -> Option<usize> {
        let View { text, end, .. } = self.view;
        let text = &text[..end];
        text.get(from..skip_chars(text, upto, 1))?.rfind(is_space).map(|at| from + at)
    }

    /// The last end of a grapheme up to `at` for which what is before it fits, or that of the first one.
    ///
    /// Nearly the last one where sizes fall and rise: after some tries, each goes half as far.
    fn fitting_grapheme(&self, at: usize) -> Result<usize> {
        let View { text, start, .. } = self.view;
        let last_grapheme = |at: usize| last_grapheme(self.view, at, self.terms.ruler);
        let mut cut = last_grapheme(at);
        for n_tries in 0.. {
            if cut > at || self.trimmed_size(cut)? <= self.terms.max {
                break;
            }
            let mut shorter = text.floor_char_boundary(cut - 1);
            if n_tries >= MAX_TRIES {
                shorter = text.floor_char_boundary(usize::midpoint(start, shorter));
            }
            let before = last_grapheme(shorter.max(self.nth(1)));
            if before >= cut {
                break;
            }
            cut = before;
        }
        Ok(cut)
    }

    /// What is repeated of the view up to `fragment`.
    fn repeated(&self, fragment: usize) -> Result<Again> {
        let (Terms { max, overlap, new, .. }, span) = (self.terms, self.view.upto(fragment));
        if overlap == 0 {
            return Ok(Again::Nothing);
        }
        if new.is_none() {
            return tail(self.view.text, span, self.measure, overlap).map(Again::Tail);
        }
        let (text, limits) = (self.view.text, Limits::new(max, None, overlap)?);
        let start = overlap::start(text, self.measure, limits, Begins::Word, span.start, fragment)?;
        Ok(if start < fragment { Again::From(start) } else { Again::Nothing })
    }
}

/// The start of the last words of `span` that have at most `max` units, as the peer finds it; within a
/// word where none begins, at the end where nothing has so few.
///
/// # Errors
/// Those of the measure.
pub fn tail(text: &str, span: Span, measure: &dyn Measure, max: usize) -> Result<usize> {
    let within = &text[..span.end];
    if measure.size(span)? <= max {
        return Ok(skip_space(within, span.start));
    }
    let at = |n: usize| skip_chars(within, span.start, n);
    let (mut low, mut high) = (0, count_chars(&text.as_bytes()[span.range()]));
    while low < high {
        let middle = usize::midpoint(low, high);
        if measure.size(Span::new(at(middle), span.end))? > max {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let low = at(low);
    let space = within[low..].find(is_space).map_or(span.end, |n| low + n);
    let word = skip_space(within, space);
    Ok(if word < span.end { word } else { skip_space(within, low) })
}
