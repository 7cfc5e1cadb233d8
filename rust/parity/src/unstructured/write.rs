//! Chunks of pre-chunks: what fits is one, a table is split by rows, all else as a text.

use super::prechunk::PreChunk;
use super::split_table::{self, Part, Split};
use super::{ChunkKind, ChunkText, Context, ElementChunk};
use crate::unstructured::fragments::{Fragment, FragmentSplitter, Rest, Splitting};
use chunkwright_text::error::Result;
use chunkwright_text::grid::Grid;
use chunkwright_text::offsets::count_chars;
use chunkwright_text::pulse::Beat;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// What stands between the overlap and a table.
const TABLE_SEPARATOR: &str = "\n";

/// Writes chunks.
pub struct Writer<'a> {
    context: &'a Context<'a>,
    beat: &'a Beat<'a>,
    splitter: FragmentSplitter<'a>,
    /// What has been written.
    pub chunks: Vec<ElementChunk>,
}

impl<'a> Writer<'a> {
    /// Nothing is written yet.
    pub fn new(context: &'a Context<'a>, beat: &'a Beat<'a>) -> Self {
        let measure = (!context.counts_chars).then_some(context.measure);
        let splitter = FragmentSplitter::new(
            context.elements.text(),
            measure,
            context.ruler,
            splitting(context),
        );
        Self { context, beat, splitter, chunks: Vec::new() }
    }

    /// Writes the chunks of `pre_chunk`: none if it says nothing.
    ///
    /// # Errors
    /// Those of the ruler and of the beat.
    pub fn write(&mut self, pre_chunk: &PreChunk) -> Result<()> {
        let first = pre_chunk.elements.start;
        if pre_chunk.elements.len() == 1 && self.context.is_table(first) {
            return self.write_table(pre_chunk);
        }
        self.write_text(pre_chunk, pre_chunk.text(self.context.text()), ChunkKind::Composite)
    }

    /// Writes what a text is split into, as chunks of `kind`.
    fn write_text(&mut self, pre_chunk: &PreChunk, text: Rest, kind: ChunkKind) -> Result<()> {
        let Self { context, beat, splitter, chunks } = self;
        let mut part = 0;
        let write = &mut |Fragment { text, body }: Fragment| {
            let size = size(context, &text)?;
            chunks.push(ElementChunk { body, part, ..chunk(pre_chunk, kind, text, size) });
            part += 1;
            Ok(())
        };
        splitter.split(text, write, beat)
    }

    fn write_table(&mut self, pre_chunk: &PreChunk) -> Result<()> {
        let Context { elements, packing, .. } = self.context;
        let element = &elements.items()[pre_chunk.elements.start];
        if packing.skip_tables {
            let text = ChunkText::Slice(element.span);
            return self.push(pre_chunk, ChunkKind::Untouched, text);
        }
        match &element.grid {
            _ if element.span.is_empty() => Ok(()),
            Some(grid) => self.write_rows(pre_chunk, grid),
            None if !elements.differs(pre_chunk.elements.start) => {
                self.write_plain_table(pre_chunk)
            }
            None => self.write_given_table(pre_chunk),
        }
    }

    /// A table without rows whose text stands in that of all elements.
    fn write_plain_table(&mut self, pre_chunk: &PreChunk) -> Result<()> {
        let text = match self.prefix(pre_chunk) {
            "" => Rest::of(pre_chunk.own),
            prefix => {
                let head = prefix.to_owned() + TABLE_SEPARATOR;
                Rest::behind(head, pre_chunk.own, pre_chunk.own.start)
            }
        };
        let n_before = self.chunks.len();
        self.write_text(pre_chunk, text, ChunkKind::TablePart)?;
        if let [whole] = &mut self.chunks[n_before..]
            && whole.size <= self.context.packing.hard_max
        {
            whole.kind = ChunkKind::Table;
        }
        Ok(())
    }

    /// A table without rows whose text was not given normalised: it stays as it was given.
    fn write_given_table(&mut self, pre_chunk: &PreChunk) -> Result<()> {
        let Context { ruler, counts_chars, packing, .. } = *self.context;
        let text = self.given_with_prefix(pre_chunk);
        if ruler.size(&text)? <= packing.hard_max {
            return self.push(pre_chunk, ChunkKind::Table, ChunkText::Own(text));
        }
        let measure = if counts_chars { None } else { Some(ruler.measure(&text)?) };
        let splitter =
            FragmentSplitter::new(&text, measure.as_deref(), ruler, splitting(self.context));
        let mut parts = Vec::new();
        let take = &mut |fragment: Fragment| {
            parts.push(fragment.text.of(&text).to_owned());
            Ok(())
        };
        splitter.split(Rest::of(Span::new(0, text.len())), take, self.beat)?;
        let parts = parts.into_iter().map(|text| Part { text, html: None }).collect();
        self.write_parts(pre_chunk, parts, 0)
    }

    /// A table with rows.
    fn write_rows(&mut self, pre_chunk: &PreChunk, grid: &Grid) -> Result<()> {
        let Context { elements, packing, ruler, .. } = *self.context;
        let splitting = split_table::Splitting {
            hard_max: packing.hard_max,
            overlap: packing.overlap,
            repeat_headers: packing.repeat_headers,
        };
        let given = elements.given(pre_chunk.elements.start).trim_matches(is_space);
        let prefix = self.prefix(pre_chunk);
        match split_table::split(given, prefix, Some(grid), &splitting, ruler, self.beat.pulse())? {
            Split::Nothing => Ok(()),
            Split::Parts { parts, n_header_rows } => {
                self.write_parts(pre_chunk, parts, n_header_rows)
            }
            Split::Whole { text, html } => {
                let is_slice = text == self.context.text()[pre_chunk.own.range()];
                let slice = ChunkText::Slice(pre_chunk.own);
                let text = if is_slice { slice } else { ChunkText::Own(text) };
                self.push(pre_chunk, ChunkKind::Table, text)?;
                if let Some(chunk) = self.chunks.last_mut() {
                    chunk.html = html;
                }
                Ok(())
            }
        }
    }

    fn write_parts(
        &mut self,
        pre_chunk: &PreChunk,
        parts: Vec<Part>,
        n_header_rows: usize,
    ) -> Result<()> {
        for (i, Part { text, html }) in parts.into_iter().enumerate() {
            let has_header = i > 0 && html.is_some();
            let text = ChunkText::Own(text);
            let size = size(self.context, &text)?;
            self.chunks.push(ElementChunk {
                html,
                part: i,
                n_header_rows: if has_header { n_header_rows } else { 0 },
                ..chunk(pre_chunk, ChunkKind::TablePart, text, size)
            });
        }
        Ok(())
    }

    fn push(&mut self, pre_chunk: &PreChunk, kind: ChunkKind, text: ChunkText) -> Result<()> {
        let size = size(self.context, &text)?;
        self.chunks.push(chunk(pre_chunk, kind, text, size));
        Ok(())
    }

    fn prefix<'p>(&'p self, pre_chunk: &'p PreChunk) -> &'p str {
        pre_chunk.prefix.as_ref().map_or("", |prefix| prefix.of(self.context.text()))
    }

    fn given_with_prefix(&self, pre_chunk: &PreChunk) -> String {
        let given = self.context.elements.given(pre_chunk.elements.start).trim_matches(is_space);
        match self.prefix(pre_chunk) {
            "" => given.to_owned(),
            prefix => [prefix, TABLE_SEPARATOR, given].concat(),
        }
    }
}

fn splitting(context: &Context<'_>) -> Splitting {
    let packing = context.packing;
    Splitting { max: packing.hard_max, overlap: packing.overlap }
}

/// The first chunk of a pre-chunk.
fn chunk(pre_chunk: &PreChunk, kind: ChunkKind, text: ChunkText, size: usize) -> ElementChunk {
    ElementChunk {
        kind,
        elements: pre_chunk.elements.clone(),
        text,
        body: pre_chunk.own,
        html: None,
        part: 0,
        n_header_rows: 0,
        size,
    }
}

fn size(context: &Context<'_>, text: &ChunkText) -> Result<usize> {
    match text {
        text if context.counts_chars => Ok(count_chars(text.of(context.text()).as_bytes())),
        ChunkText::Slice(span) => context.measure.size(*span),
        ChunkText::Own(text) => context.ruler.size(text),
    }
}
