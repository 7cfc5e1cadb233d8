//! Sizes of runs of elements: their texts as given, a blank line between two.
//!
//! Where the texts as given are the normalised ones, what is joined is a slice of the text of all elements
//! and is measured there. Else the texts are joined, twice as many each time, so that all is joined a few
//! times at most.

use super::{ChunkText, Context, is_next};
use chunkwright_read::unstructured::SEPARATOR;
use chunkwright_text::error::Result;
use chunkwright_text::measure::Measure;
use chunkwright_text::offsets::count_chars;
use chunkwright_text::span::Span;

/// What is joined at first, in bytes.
const MIN_JOINED_BYTES: usize = 256;

/// Elements from `first` on, behind a prefix.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The first element.
    pub first: usize,
    /// What stands in front.
    pub prefix: Option<&'a ChunkText>,
}

/// Finds how many elements fit; asked with ascending first elements.
pub struct Fit<'a> {
    context: &'a Context<'a>,
    /// The first element from the last one asked for on that begins a unit, or may not be added.
    stop: usize,
    /// The first one whose text was not given normalised.
    odd: usize,
}

impl<'a> Fit<'a> {
    /// Nothing is known yet.
    pub const fn new(context: &'a Context<'a>) -> Self {
        Self { context, stop: 0, odd: 0 }
    }

    /// The end of the elements that fit together: at least one, however long it is.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn end(&mut self, held: &Held<'_>) -> Result<usize> {
        let context = self.context;
        let stops = |i: usize| context.begins(i) || context.stands_alone(i);
        self.stop = first_from(self.stop.max(held.first + 1), context.elements.len(), stops);
        if context.counts_chars {
            return Ok(self.end_in_chars(held));
        }
        let is_odd = |i: usize| context.elements.differs(i);
        self.odd = first_from(self.odd.max(held.first), context.elements.len(), is_odd);
        let mut known = held.first + 1;
        if let Some(joined) = self.in_place(held) {
            let upto = self.stop.min(self.odd);
            match self.first_over(known, upto, context.measure, &|n| joined.span(context, n))? {
                Some(end) => return Ok(end),
                None => known = upto.max(known),
            }
        }
        self.end_by_joining(held, known)
    }

    fn end_in_chars(&self, held: &Held<'_>) -> usize {
        let Context { elements, packing, .. } = self.context;
        let n_chars_of = |i: usize| n_chars(elements.given(i));
        let prefix = held.prefix.map_or(0, |prefix| n_chars(prefix.of(self.context.text())));
        // With a separator behind each text.
        let with_separator = |n: usize| if n == 0 { 0 } else { n + SEPARATOR.len() };
        let mut held_chars = with_separator(prefix) + with_separator(n_chars_of(held.first));
        for i in held.first + 1..self.stop {
            let n_chars = n_chars_of(i);
            let is_full = held_chars.saturating_sub(SEPARATOR.len()) > packing.soft_max;
            if is_full || held_chars + n_chars > packing.hard_max {
                return i;
            }
            held_chars += with_separator(n_chars);
        }
        self.stop
    }

    /// Where the texts stand joined, if they do.
    fn in_place(&self, held: &Held<'_>) -> Option<InPlace> {
        let items = self.context.elements.items();
        let first = items[held.first].span;
        // Where the first text begins, be it that of a later element.
        let start = match (first.is_empty(), first.end) {
            (true, 0) => 0,
            (true, end) => end + SEPARATOR.len(),
            (false, _) => first.start,
        };
        match held.prefix {
            None => Some(InPlace { first: held.first, start }),
            Some(&ChunkText::Slice(prefix)) if is_next(prefix, start) => {
                Some(InPlace { first: held.first, start: prefix.start })
            }
            Some(_) => None,
        }
    }

    /// The end of the elements that fit, of which those before `known` do.
    fn end_by_joining(&self, held: &Held<'_>, mut known: usize) -> Result<usize> {
        let mut joined = Joined::new(self.context, held);
        let mut n_bytes = MIN_JOINED_BYTES;
        while known < self.stop {
            joined.fill(self.context, known + 1, self.stop, n_bytes);
            let measure = self.context.ruler.measure(&joined.text)?;
            let span = |n: usize| Span::new(0, joined.ends[n - held.first]);
            let upto = held.first + joined.ends.len() - 1;
            if let Some(end) = self.first_over(known, upto, &*measure, &span)? {
                return Ok(end);
            }
            known = upto;
            n_bytes = 2 * joined.text.len();
        }
        Ok(self.stop)
    }

    /// The first element in `from..to` that does not fit behind those before it; `upto(i)` is what those
    /// before `i` say.
    fn first_over(
        &self,
        from: usize,
        to: usize,
        measure: &dyn Measure,
        upto: &dyn Fn(usize) -> Span,
    ) -> Result<Option<usize>> {
        let packing = self.context.packing;
        let size = |i: usize| match upto(i) {
            span if span.is_empty() => Ok(0),
            span => measure.size(span),
        };
        let is_over = |i: usize| Ok(size(i)? > packing.soft_max || size(i + 1)? > packing.hard_max);
        if !measure.is_quick() {
            return first_by_doubling(from, to, is_over);
        }
        let mut held = if from < to { size(from)? } else { 0 };
        for i in from..to {
            let more = size(i + 1)?;
            if held > packing.soft_max || more > packing.hard_max {
                return Ok(Some(i));
            }
            held = more;
        }
        Ok(None)
    }
}

/// Texts that stand joined in the text of all elements.
struct InPlace {
    first: usize,
    start: usize,
}

impl InPlace {
    /// What the elements before `end` say, the prefix included.
    fn span(&self, context: &Context<'_>, end: usize) -> Span {
        debug_assert!(end > self.first, "there is a first element");
        let end = context.elements.items()[end - 1].span.end;
        Span::new(self.start.min(end), end)
    }
}

/// Texts that are joined to be measured.
struct Joined {
    text: String,
    /// Where the text of so many elements ends, prefix included.
    ends: Vec<usize>,
    first: usize,
}

impl Joined {
    fn new(context: &Context<'_>, held: &Held<'_>) -> Self {
        let text = held.prefix.map_or("", |prefix| prefix.of(context.text())).to_owned();
        Self { ends: vec![text.len()], text, first: held.first }
    }

    /// Adds the elements before `at_least`, and more up to `stop` as long as all have at most `n_bytes`.
    fn fill(&mut self, context: &Context<'_>, at_least: usize, stop: usize, n_bytes: usize) {
        for i in self.first + self.ends.len() - 1..stop {
            let given = context.elements.given(i);
            if i >= at_least && self.text.len() + given.len() > n_bytes {
                return;
            }
            if !given.is_empty() {
                if !self.text.is_empty() {
                    self.text.push_str(SEPARATOR);
                }
                self.text.push_str(given);
            }
            self.ends.push(self.text.len());
        }
    }
}

/// The first of `from..to` that is `over`, if it is clear that all behind one that is are too: few are
/// looked at, and none far behind it.
fn first_by_doubling(
    from: usize,
    to: usize,
    over: impl Fn(usize) -> Result<bool>,
) -> Result<Option<usize>> {
    let (mut low, mut step) = (from, 1);
    let mut high = loop {
        if low >= to {
            return Ok(None);
        }
        let at = (low + step - 1).min(to - 1);
        if over(at)? {
            break at;
        }
        (low, step) = (at + 1, 2 * step);
    };
    while low < high {
        let middle = usize::midpoint(low, high);
        if over(middle)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(Some(high))
}

/// The first of `from..end` that `is_it`, or `end`.
fn first_from(from: usize, end: usize, is_it: impl Fn(usize) -> bool) -> usize {
    (from..end).find(|&i| is_it(i)).unwrap_or(end)
}

fn n_chars(text: &str) -> usize {
    count_chars(text.as_bytes())
}
