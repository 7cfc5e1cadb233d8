//! Cut of an oversized text in tokens, or in what any other measure counts.
//!
//! Sizes need not grow with the text, so what a bisection finds depends on where it looks: the results of
//! the peer are those of its bisections.

use super::{Again, Step, Terms, View};
use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::offsets::{count_chars, skip_chars};
use chunkwright_text::pulse::{Beat, CHUNK_BYTES};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::{is_space, skip_space, trim_end};

/// The first prefix that is tried for whether it fits has so many code points.
const FIRST_PROBE: usize = 256;
/// Separators are looked for so many code points behind the last prefix that fits, too.
const MARGIN: usize = 16;

/// Where `view` is cut; none if it fits. O(the fragment) and some sizes.
///
/// A bisection over code points finds the end of a window. The cut is at the last newline, else the last
/// blank, in the window before which there is something that fits and is more than the overlap; else at the
/// last whitespace before the end of the window, or at that end.
///
/// # Errors
/// Those of the measure and of `beat`.
pub fn step(
    view: View<'_>,
    measure: &dyn Measure,
    terms: Terms,
    beat: &Beat<'_>,
) -> Result<Option<Step>> {
    // All that is longer than `reach` is too large: it is never measured.
    let reach = measure.longest(view.start, terms.max)?.min(view.end);
    if reach == view.end && measure.size(view.upto(view.end))? <= terms.max {
        return Ok(None);
    }
    let n_view = count_chars(&view.text.as_bytes()[view.upto(view.end).range()]);
    let cutter = TokenCutter { view, measure, terms, reach, n_view, beat };
    let window = cutter.window_end()?;
    for separator in [b'\n', b' '] {
        if let Some(step) = cutter.at_separator(separator, window + MARGIN)? {
            return Ok(Some(step));
        }
    }
    cutter.at_window_end(window).map(Some)
}

struct TokenCutter<'v> {
    view: View<'v>,
    measure: &'v dyn Measure,
    terms: Terms,
    reach: usize,
    /// Code points of the view.
    n_view: usize,
    beat: &'v Beat<'v>,
}

impl TokenCutter<'_> {
    /// The size up to `end`; none if it is over the limit.
    fn fitting_size(&self, end: usize) -> Result<Option<usize>> {
        if end > self.reach {
            return Ok(None);
        }
        let size = self.measure.size(self.view.upto(end))?;
        Ok((size <= self.terms.max).then_some(size))
    }

    /// The byte of code point `n`.
    fn nth(&self, n: usize) -> usize {
        skip_chars(&self.view.text[..self.view.end], self.view.start, n)
    }

    /// The end of what a cut at `at` leaves in front: whitespace before it is left out, unless there is
    /// nothing else.
    fn emitted(&self, at: usize) -> usize {
        match trim_end(self.view.text, self.view.start, at) {
            end if end == self.view.start => at,
            end => end,
        }
    }

    /// The code points of the last prefix that was found to fit; 1 if none does.
    fn window_end(&self) -> Result<usize> {
        let n = self.terms.n_chars;
        let (mut low, mut high) = (1, 1);
        while high < n {
            high = n.min((2 * high).max(FIRST_PROBE));
            if !self.is_fitting(high)? {
                break;
            }
            low = high;
        }
        while low < n && high - low > 1 {
            let middle = usize::midpoint(low, high);
            if self.is_fitting(middle)? { low = middle } else { high = middle }
        }
        Ok(low)
    }

    /// Whether what a cut behind `n` code points leaves in front fits.
    fn is_fitting(&self, n: usize) -> Result<bool> {
        // Within a long word, a size may take as long as an encoding does.
        self.beat.after(self.reach - self.view.start + CHUNK_BYTES)?;
        Ok(n <= self.n_view && self.fitting_size(self.emitted(self.nth(n)))?.is_some())
    }

    /// The cut at the last `separator` among the first `upto` + 1 code points with something in front of it
    /// that fits and is more than the overlap.
    fn at_separator(&self, separator: u8, upto: usize) -> Result<Option<Step>> {
        let View { text, start, end } = self.view;
        let mut upto = self.nth(upto + 1);
        while let Some(at) = memchr::memrchr(separator, &text.as_bytes()[start..upto]) {
            let fragment = trim_end(text, start, start + at);
            if fragment == start {
                break;
            }
            if self.fitting_size(fragment)?.is_some_and(|size| self.is_over_overlap(size)) {
                let next = skip_space(&text[..end], start + at + 1);
                let again = self.repeated(fragment, true)?;
                if again == Again::Nothing || self.is_shorter(again, fragment, next) {
                    return Ok(Some(Step { end: fragment, again, next }));
                }
            }
            upto = fragment;
        }
        Ok(None)
    }

    /// The cut at the last whitespace in the first `window` code points, or behind them.
    fn at_window_end(&self, window: usize) -> Result<Step> {
        let View { text, start, end } = self.view;
        let best = self.nth(window);
        let mut cut =
            self.last_space(self.nth(window.min(self.terms.n_chars - 1)))?.unwrap_or(best);
        let mut fragment = self.emitted(cut);
        if self.fitting_size(fragment)?.is_none() {
            cut = best;
            fragment = self.emitted(cut);
        }
        let is_space_next = text[cut..end].starts_with(is_space);
        // A fragment of nothing but whitespace is content, and so is the whitespace behind it.
        let is_content = !text[start..fragment].trim_start_matches(is_space).is_empty();
        let next = if is_content { skip_space(&text[..end], cut) } else { cut };
        let again = self.repeated(fragment, is_space_next || fragment < cut)?;
        let again = if self.is_shorter(again, fragment, next) { again } else { Again::Nothing };
        Ok(Step { end: fragment, again, next })
    }

    /// The last whitespace up to `at`, but not at the start, in front of which there is more than the overlap.
    fn last_space(&self, at: usize) -> Result<Option<usize>> {
        let View { text, start, end } = self.view;
        let mut upto = skip_chars(&text[..end], at, 1);
        while let Some(found) = text[start..upto].rfind(is_space).filter(|&n| n > 0) {
            let space = start + found;
            let fragment = self.emitted(space);
            let size = self.measure.size(self.view.upto(fragment))?;
            if size > 0 && self.is_over_overlap(size) {
                return Ok(Some(space));
            }
            // The other whitespace of the run leaves the same in front, if that is more than whitespace.
            upto = fragment.min(space);
        }
        Ok(None)
    }

    /// Whether a fragment is more than what the next one repeats.
    const fn is_over_overlap(&self, size: usize) -> bool {
        self.terms.overlap == 0 || size > self.terms.overlap
    }

    /// What is repeated of the view up to `fragment`, `is_parted` by whitespace from what follows.
    fn repeated(&self, fragment: usize, is_parted: bool) -> Result<Again> {
        let (overlap, span) = (self.terms.overlap, self.view.upto(fragment));
        if overlap == 0 {
            return Ok(Again::Nothing);
        }
        Ok(match tail(self.view.text, span, self.measure, overlap)? {
            start if start == fragment => Again::Nothing,
            start if is_parted => Again::Tail(start),
            start => Again::From(start),
        })
    }

    /// Whether the rest is shorter than the view, with what is repeated in front of it.
    fn is_shorter(&self, again: Again, fragment: usize, next: usize) -> bool {
        let count = |start: usize, end: usize| count_chars(&self.view.text.as_bytes()[start..end]);
        let n_repeated = match again {
            Again::Nothing => 0,
            Again::From(start) => count(start, fragment),
            Again::Tail(start) => count(start, fragment) + 1,
        };
        n_repeated < count(self.view.start, next)
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
