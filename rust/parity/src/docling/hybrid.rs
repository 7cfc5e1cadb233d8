//! Docling's `HybridChunker`: sections split by items, by lines or by meaning until they fit, and merged
//! with the next ones below the same headings.

use super::columns::{MarkdownTable, split_columns, strip_preamble};
use super::line::{LineChunks, LineOptions, LineWarning, chunk_lines};
pub use super::parts::{ChunkItem, Headings, HybridChunk, Made};
use super::parts::{Context, Part};
use super::peers::merge_peers;
use super::scale::Scale;
use super::windows::Growth;
use crate::semchunk::v3;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::pulse::Pulse;

/// What chunks are split and merged by.
#[derive(Clone, Copy, Debug)]
pub struct HybridOptions {
    /// Most units of a chunk with its headings.
    pub max: usize,
    /// Whether the parts of a table begin with its header.
    pub repeat_table_header: bool,
    /// Whether neighbours below the same headings are merged.
    pub merge_peers: bool,
    /// Whether rows that do not fit below the header stand without it.
    pub omit_header_on_overflow: bool,
}

/// What is asked about the document.
pub trait Items {
    /// Text of an item alone; empty for a heading.
    ///
    /// # Errors
    /// Those of the rendering.
    fn text(&self, item: usize) -> Result<String>;

    /// Whether an item is a table.
    fn is_table(&self, item: usize) -> bool;

    /// The lines of the header of a table's text, and of its body.
    ///
    /// # Errors
    /// Those of the rendering.
    fn table_lines(&self, text: &str) -> Result<[Vec<String>; 2]>;

    /// Parts of `text` of at most `max` units, split as semchunk does.
    ///
    /// # Errors
    /// Those of the unit.
    fn semantic(&self, ruler: &dyn Ruler, text: &str, max: usize) -> Result<Vec<String>>;
}

/// Parts of `text` of at most `max` units, as semchunk splits it with a tokenizer whose longest token has
/// `max_token_chars`.
///
/// # Errors
/// Those of [`v3::split`].
pub fn semantic_parts(
    ruler: &dyn Ruler,
    text: &str,
    max: usize,
    max_token_chars: Option<usize>,
    pulse: Pulse<'_>,
) -> Result<Vec<String>> {
    let measure = ruler.measure(text)?;
    let spans = v3::split(text, max, max_token_chars, &*measure, pulse)?;
    Ok(spans.into_iter().map(|span| text[span.range()].to_owned()).collect())
}

/// What the peer warns of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HybridWarning {
    /// Said where lines are put into chunks.
    Line(LineWarning),
    /// The headings of this chunk leave no room for its text; they are dropped.
    HeadingsDropped(HybridChunk),
}

/// Chunks of a document, and what the peer warns of.
#[derive(Clone, Debug, Default)]
pub struct HybridChunks {
    /// In the order of the document.
    pub chunks: Vec<HybridChunk>,
    /// In the order in which the peer gives them.
    pub warnings: Vec<HybridWarning>,
}

/// The peer's own error where a text over the limit has no parts.
#[derive(Debug, thiserror::Error)]
#[error("max() arg is an empty sequence")]
struct NoParts;

/// Splits and merges the chunks of the hierarchical chunker.
///
/// Each text is counted once, and the joined texts of a chunk are counted anew only for a unit whose sizes
/// do not add up.
///
/// # Errors
/// Those of the unit and of the rendering, and where the peer has one.
pub fn hybrid(
    ruler: &dyn Ruler,
    items: &dyn Items,
    sections: impl IntoIterator<Item = HybridChunk>,
    options: &HybridOptions,
) -> Result<HybridChunks> {
    let scale = Scale::new(ruler);
    let growth = Growth::new(scale, options.max)?;
    let mut splitter =
        SectionSplitter { scale, growth, items, options, parts: Vec::new(), warnings: Vec::new() };
    for section in sections {
        splitter.split(section)?;
    }
    let SectionSplitter { parts, warnings, .. } = splitter;
    let parts = if options.merge_peers { merge_peers(scale, growth, parts)? } else { parts };
    Ok(HybridChunks { chunks: parts.into_iter().map(|part| part.chunk).collect(), warnings })
}

fn borrowed(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// Texts that are not empty.
fn full(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().map(String::as_str).filter(|text| !text.is_empty())
}

struct SectionSplitter<'a> {
    scale: Scale<'a>,
    growth: Growth,
    items: &'a dyn Items,
    options: &'a HybridOptions,
    parts: Vec<Part>,
    warnings: Vec<HybridWarning>,
}

impl SectionSplitter<'_> {
    fn split(&mut self, mut section: HybridChunk) -> Result<()> {
        section.made = Made::OfItems;
        let context = Context::new(self.scale, &section.headings)?;
        if section.items.len() <= 1 {
            let size = self.scale.size(&section.text)?;
            return self.split_text(section, size, &context);
        }
        for (window, size) in self.windows(&section, &context)? {
            self.split_text(window, size, &context)?;
        }
        Ok(())
    }

    /// Splits by items: windows as long as they fit, and an item alone that does not.
    fn windows(
        &self,
        section: &HybridChunk,
        context: &Context,
    ) -> Result<Vec<(HybridChunk, usize)>> {
        let texts: Result<Vec<String>> =
            section.items.iter().map(|item| self.items.text(item.index)).collect();
        let texts = texts?;
        let sizes: Result<Vec<usize>> = texts.iter().map(|text| self.scale.size(text)).collect();
        let sizes = sizes?;
        let overhead =
            context.total(self.scale, &texts[0], sizes[0])?.cast_signed() - sizes[0].cast_signed();
        let mut windows = Vec::new();
        let mut start = 0;
        while start < texts.len() {
            let exact = |n: usize| {
                let window = start..start + n;
                context.total_of(self.scale, &sizes[window.clone()], full(&texts[window]))
            };
            let end = start + self.growth.reach(&sizes[start..], overhead, false, exact)?;
            let text = full(&texts[start..end]).collect::<Vec<_>>().join("\n");
            let size = if self.scale.adds_up() {
                sizes[start..end].iter().sum()
            } else if end == start + 1 {
                sizes[start]
            } else {
                self.scale.size(&text)?
            };
            let items = section.items[start..end].to_vec();
            let headings = section.headings.clone();
            let HybridChunk { has_origin, made, .. } = *section;
            windows.push((HybridChunk { text, items, headings, has_origin, made }, size));
            start = end;
        }
        Ok(windows)
    }

    /// Keeps a chunk that fits, and splits the text of one that does not.
    fn split_text(&mut self, mut chunk: HybridChunk, size: usize, context: &Context) -> Result<()> {
        let max = self.options.max;
        let total = context.total(self.scale, &chunk.text, size)?;
        if total <= max {
            chunk.made = Made::OfJson;
            chunk.items.iter_mut().for_each(|item| item.is_bare = true);
            self.parts.push(Part { chunk, size, total });
            return Ok(());
        }
        let mut available = (max + size).saturating_sub(total);
        while available > 0 {
            let parts = self.measured(&chunk, available, context)?;
            let worst = parts.iter().map(|part| part.total).max();
            let worst = worst.ok_or_else(|| Error::Caller(Box::new(NoParts)))?;
            if worst <= max {
                self.parts.extend(parts);
                return Ok(());
            }
            available = available.saturating_sub(worst - max);
        }
        if chunk.headings.is_none() {
            let parts = self.measured(&chunk, max, context)?;
            self.parts.extend(parts);
            return Ok(());
        }
        self.warnings.push(HybridWarning::HeadingsDropped(chunk.clone()));
        chunk.headings = None;
        chunk.made = Made::Stripped;
        chunk.items.iter_mut().for_each(|item| item.is_bare = true);
        let context = Context::new(self.scale, &None)?;
        self.split_text(chunk, size, &context)
    }

    /// The parts of a chunk's text of at most `max` units, with their sizes.
    fn measured(
        &mut self,
        chunk: &HybridChunk,
        max: usize,
        context: &Context,
    ) -> Result<Vec<Part>> {
        let part = |text: String| {
            let size = self.scale.size(&text)?;
            let total = context.total(self.scale, &text, size)?;
            Ok(Part { chunk: HybridChunk { text, ..chunk.without_text() }, size, total })
        };
        let LineChunks { texts, warnings } = self.segments(chunk, max)?;
        let parts = texts.into_iter().map(part).collect();
        self.warnings.extend(warnings.into_iter().map(HybridWarning::Line));
        parts
    }

    /// Splits a table by rows or columns, and another text by meaning.
    fn segments(&self, chunk: &HybridChunk, max: usize) -> Result<LineChunks> {
        match *chunk.items {
            [item]
                if self.options.repeat_table_header
                    && !item.is_bare
                    && self.items.is_table(item.index) =>
            {
                self.table(&chunk.text, max)
            }
            _ => {
                let texts = self.items.semantic(self.scale.ruler(), &chunk.text, max)?;
                Ok(LineChunks { texts, ..LineChunks::default() })
            }
        }
    }

    fn table(&self, text: &str, max: usize) -> Result<LineChunks> {
        let lines = self.items.table_lines(text)?;
        let [header, body] = lines.each_ref().map(|lines| borrowed(lines));
        let preamble = header.first().and_then(|first| text.find(first)).unwrap_or(0);
        let preamble = &text[..preamble];
        let header_text = header.concat();
        let omit = self.options.omit_header_on_overflow;
        if !omit && self.has_wide_row(&header_text, &body, max)? {
            let table = MarkdownTable { preamble, header: &header, body: &body };
            return split_columns(self.scale.ruler(), table, max, omit);
        }
        let prefix = [preamble, header_text.as_str()].concat();
        let options = LineOptions { max, prefix: &prefix, omit_prefix_on_overflow: omit };
        let mut chunks = chunk_lines(self.scale.ruler(), &body, &options)?;
        strip_preamble(&mut chunks.texts, preamble, &prefix);
        Ok(chunks)
    }

    /// Whether a row does not fit below the header.
    fn has_wide_row(&self, header: &str, body: &[&str], max: usize) -> Result<bool> {
        let size = self.scale.size(header)?;
        for row in body {
            if self.scale.size_behind(header, size, row)? > max {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
