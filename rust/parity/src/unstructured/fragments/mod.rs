//! Fragments of a text over the limit, split at newlines and blanks as Unstructured does it.
//!
//! What is left of a text is a short string of its own (what is repeated, where that does not stand in
//! front of the rest as it is) and a part of the source: nothing that is still to come is ever copied.

mod chars;
mod rest;
#[cfg(test)]
pub(crate) mod tests;
mod tokens;
mod window;

use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::offsets::count_chars;
use chunkwright_text::pulse::{Beat, CHUNK_BYTES, no_pulse};
use chunkwright_text::span::Span;
pub use rest::Rest;
use window::Window;

/// How texts are split.
#[derive(Clone, Copy, Debug)]
pub struct Splitting {
    /// The size of the largest fragment.
    pub max: usize,
    /// How much of a fragment is repeated in the next one.
    pub overlap: usize,
}

/// The text of a fragment, or of what it is put into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkText {
    /// A slice of the source.
    Slice(Span),
    /// A text that stands nowhere as it is: parts joined otherwise than in the source.
    Own(String),
}

impl ChunkText {
    /// The text, of which `source` holds the slices.
    pub fn of<'t>(&'t self, source: &'t str) -> &'t str {
        match self {
            Self::Slice(span) => &source[span.range()],
            Self::Own(text) => text,
        }
    }
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// What it says.
    pub text: ChunkText,
    /// What of the source it is the first to say.
    pub body: Span,
}

/// One cut of a text; positions are bytes of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    /// Where the fragment ends; it begins with the view.
    end: usize,
    /// What of it is repeated.
    again: Again,
    /// Where the rest begins, what is repeated aside.
    next: usize,
}

/// What a rest begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    /// With what is new.
    Nothing,
    /// With the text from here on, as it stands.
    From(usize),
    /// With the fragment from here on and a blank.
    Tail(usize),
}

/// A text as a splitter looks at it: `text[start..end]`, of which more may follow.
#[derive(Clone, Copy, Debug)]
struct View<'v> {
    text: &'v str,
    start: usize,
    end: usize,
}

impl View<'_> {
    /// The span up to `end`.
    const fn upto(&self, end: usize) -> Span {
        Span::new(self.start, end)
    }
}

/// How a view is cut.
#[derive(Clone, Copy)]
struct Terms {
    /// The size of the largest fragment.
    max: usize,
    /// How much is repeated.
    overlap: usize,
    /// Code points of the whole text, of which the view may be the beginning; not counted in code points.
    n_chars: usize,
}

/// Splits parts of one text.
pub struct FragmentSplitter<'t> {
    source: &'t str,
    /// Sizes of spans of the source; none if they are numbers of code points.
    measure: Option<&'t dyn Measure>,
    ruler: &'t dyn Ruler,
    splitting: Splitting,
}

impl<'t> FragmentSplitter<'t> {
    /// A splitter of `source`, whose spans `measure` measures: none in code points.
    pub const fn new(
        source: &'t str,
        measure: Option<&'t dyn Measure>,
        ruler: &'t dyn Ruler,
        splitting: Splitting,
    ) -> Self {
        Self { source, measure, ruler, splitting }
    }

    /// Hands all fragments of `rest` to `take`. O(n), times what is repeated.
    ///
    /// # Errors
    /// Those of the ruler, of `take` and of `beat`.
    pub fn split(
        &self,
        mut rest: Rest,
        take: &mut dyn FnMut(Fragment) -> Result<()>,
        beat: &Beat<'_>,
    ) -> Result<()> {
        rest.count_chars(self.source, self.measure.is_some());
        while !rest.is_empty() {
            beat.after(self.splitting.max.min(rest.span.len()) + CHUNK_BYTES)?;
            let Some((fragment, left)) = self.step(&rest, beat)? else {
                return take(rest.whole(self.source));
            };
            take(fragment)?;
            rest = left;
        }
        Ok(())
    }

    /// The first fragment of `rest` and what is left; none if all of it fits.
    fn step(&self, rest: &Rest, beat: &Beat<'_>) -> Result<Option<(Fragment, Rest)>> {
        if rest.head.is_empty() {
            let view = View { text: self.source, start: rest.span.start, end: rest.span.end };
            let step = self.step_in(view, self.measure, rest, beat)?;
            return Ok(step.map(|step| rest.cut(self.source, view, step)));
        }
        let mut window = Window::new(self.source, rest, self.splitting.max, self.measure.is_none());
        loop {
            let text = window.text();
            let view = View { text, start: 0, end: text.len() };
            let measure = match self.measure {
                None => None,
                Some(_) => Some(self.ruler.measure(text)?),
            };
            if window.holds(measure.as_deref(), self.splitting.max)? {
                let step = self.step_in(view, measure.as_deref(), rest, beat)?;
                return Ok(step.map(|step| rest.cut(self.source, view, step)));
            }
            drop(measure);
            window.double();
        }
    }

    fn step_in(
        &self,
        view: View<'_>,
        measure: Option<&dyn Measure>,
        rest: &Rest,
        beat: &Beat<'_>,
    ) -> Result<Option<Step>> {
        let Splitting { max, overlap } = self.splitting;
        let terms = Terms { max, overlap, n_chars: rest.n_chars() };
        match measure {
            None => Ok(chars::step(view, terms)),
            Some(measure) => tokens::step(view, measure, terms, beat),
        }
    }
}

/// Where `text` is split first so that the fragment has at most `max`, without an overlap: the fragment and
/// the start of the rest (the text's end if nothing is left).
///
/// O(the fragment), but for whitespace that is skipped.
///
/// # Errors
/// Those of the ruler.
pub fn first(text: &str, max: usize, ruler: &dyn Ruler) -> Result<(Span, usize)> {
    let whole = View { text, start: 0, end: text.len() };
    let step = if ruler.counts_chars() {
        chars::step(whole, Terms { max, overlap: 0, n_chars: 0 })
    } else {
        first_in_units(text, max, ruler)?
    };
    Ok(match step {
        None => (Span::new(0, text.len()), text.len()),
        Some(Step { end, next, .. }) => (Span::new(0, end), next),
    })
}

fn first_in_units(text: &str, max: usize, ruler: &dyn Ruler) -> Result<Option<Step>> {
    let mut n_bytes = window::min_bytes(max);
    loop {
        let end = window::end(text, 0, n_bytes, text.len());
        let measure = ruler.measure(&text[..end])?;
        if end == text.len() || window::holds(end, measure.longest(0, max)?) {
            let n_chars = count_chars(text.as_bytes());
            let terms = Terms { max, overlap: 0, n_chars };
            let view = View { text: &text[..end], start: 0, end };
            return tokens::step(view, &*measure, terms, &Beat::of_bytes(no_pulse()));
        }
        n_bytes = n_bytes.saturating_mul(2);
    }
}

/// The spans of all fragments of `text`, each of at most `max`.
///
/// O(n) in the text.
///
/// # Errors
/// Those of the ruler, and what `take` says.
pub fn each(
    text: &str,
    max: usize,
    ruler: &dyn Ruler,
    take: &mut dyn FnMut(Span) -> Result<()>,
) -> Result<()> {
    let measure = if ruler.counts_chars() { None } else { Some(ruler.measure(text)?) };
    let splitter =
        FragmentSplitter::new(text, measure.as_deref(), ruler, Splitting { max, overlap: 0 });
    // Without an overlap nothing is joined.
    let take = &mut |fragment: Fragment| match fragment.text {
        ChunkText::Slice(span) => take(span),
        ChunkText::Own(_) => take(fragment.body),
    };
    splitter.split(Rest::of(Span::new(0, text.len())), take, &Beat::of_bytes(no_pulse()))
}
