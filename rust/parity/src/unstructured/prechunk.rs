//! Pre-chunks: whole elements gathered, as many as fit, or one that is too long.

use std::ops::Range;

use super::fit::{Fit, Held};
use super::{ChunkText, Context, is_next};
use crate::unstructured::fragments::Rest;
use chunkwright_read::unstructured::SEPARATOR;
use chunkwright_text::elements::Kind;
use chunkwright_text::error::Result;
use chunkwright_text::offsets::{count_chars, skip_chars_back};
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::{skip_space, trim_end};

/// Elements that stand together.
#[derive(Clone, Debug)]
pub struct PreChunk {
    /// The elements.
    pub elements: Range<usize>,
    /// What is repeated of the text before them.
    pub prefix: Option<ChunkText>,
    /// What they say, in the text of all elements.
    pub own: Span,
    /// Whether one of them is a table that stands alone.
    pub is_table: bool,
}

impl PreChunk {
    /// What is said, the prefix included.
    pub fn text(&self, source: &str) -> Rest {
        let new = self.own.start;
        match (self.in_place(), &self.prefix) {
            (Some(span), _) => Rest::behind(String::new(), span, new.max(span.start)),
            (None, Some(ChunkText::Slice(prefix))) if self.own.is_empty() => {
                Rest::behind(String::new(), *prefix, prefix.end)
            }
            (None, prefix) => {
                let prefix = prefix.as_ref().map_or("", |prefix| prefix.of(source)).to_owned();
                let separator = if self.own.is_empty() { "" } else { SEPARATOR };
                Rest::behind(prefix + separator, self.own, new)
            }
        }
    }

    /// Where all that is said stands, if it does so in one piece.
    pub fn in_place(&self) -> Option<Span> {
        match self.prefix {
            None => Some(self.own),
            Some(ChunkText::Slice(prefix)) => {
                let is_one = !self.own.is_empty() && is_next(prefix, self.own.start);
                is_one.then(|| Span::new(prefix.start, self.own.end))
            }
            Some(ChunkText::Own(_)) => None,
        }
    }
}

/// The pre-chunks of a document, one after another.
pub struct PreChunks<'a> {
    context: &'a Context<'a>,
    fit: Fit<'a>,
    next: usize,
    prefix: Option<ChunkText>,
}

impl<'a> PreChunks<'a> {
    /// From the first element on.
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, fit: Fit::new(context), next: 0, prefix: None }
    }

    /// The next one. O(its text), but for elements that are looked at twice.
    ///
    /// # Errors
    /// Those of the ruler.
    pub fn next(&mut self) -> Result<Option<PreChunk>> {
        let first = self.next;
        if first == self.context.elements.len() {
            return Ok(None);
        }
        let mut prefix = self.prefix.take();
        let is_table = self.context.stands_alone(first);
        if is_table {
            prefix = None;
            self.next = first + 1;
        } else {
            self.next = self.fit.end(&Held { first, prefix: prefix.as_ref() })?;
        }
        let elements = first..self.next;
        let own = self.own(elements.clone());
        let pre_chunk = PreChunk { elements, prefix, own, is_table };
        self.prefix = self.repeated(&pre_chunk);
        Ok(Some(pre_chunk))
    }

    /// What the elements say.
    fn own(&self, elements: Range<usize>) -> Span {
        let items = &self.context.elements.items()[elements];
        let mut spans = items.iter().map(|element| element.span).filter(|span| !span.is_empty());
        match (spans.next(), items.last()) {
            // An element without text is where the text before it ends.
            (Some(first), Some(last)) => Span::new(first.start, last.span.end),
            (_, last) => last.map_or_else(Span::default, |last| last.span),
        }
    }

    /// What the next pre-chunk repeats of this one.
    fn repeated(&self, pre_chunk: &PreChunk) -> Option<ChunkText> {
        let packing = self.context.packing;
        let is_boundary = self.context.begins(self.next) && !packing.overlap_over_boundaries;
        if !packing.overlap_all || packing.overlap == 0 || pre_chunk.is_table || is_boundary {
            return None;
        }
        self.last_chars(&pre_chunk.text(self.context.text()))
    }

    /// The last code points, stripped, whatever the unit is.
    fn last_chars(&self, text: &Rest) -> Option<ChunkText> {
        let (source, n_chars) = (self.context.text(), self.context.packing.overlap);
        let start = skip_chars_back(source, text.span.end, n_chars).max(text.span.start);
        let n_missing = n_chars - count_chars(&source.as_bytes()[start..text.span.end]);
        if n_missing == 0 || text.head.is_empty() {
            let end = trim_end(source, start, text.span.end);
            let start = skip_space(&source[..end], start);
            return (start < end).then(|| ChunkText::Slice(Span::new(start, end)));
        }
        let from = skip_chars_back(&text.head, text.head.len(), n_missing);
        let tail = [&text.head[from..], &source[text.span.range()]].concat();
        let end = trim_end(&tail, 0, tail.len());
        let tail = &tail[skip_space(&tail[..end], 0)..end];
        (!tail.is_empty()).then(|| ChunkText::Own(tail.to_owned()))
    }
}

impl Context<'_> {
    /// Whether element `i` is a table, and tables stand alone.
    pub fn stands_alone(&self, i: usize) -> bool {
        self.packing.isolate_tables && self.is_table(i)
    }

    /// Whether element `i` is a table.
    pub fn is_table(&self, i: usize) -> bool {
        self.elements.items()[i].kind == Kind::Table
    }
}
