//! Tables whose rows are lines of a text, for strategies over text: whole where they fit, else split by rows.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::by_rows::{ByRows, RowPart};
use crate::cut::chunker::Chunker;
use crate::cut::levels::Level;
use crate::cut::pack::add_chunks;
use crate::cut::prefix::Prefixed;
use crate::document::Document;
use crate::elements::Element;
use crate::error::Result;
use crate::grid::Grid;
use crate::markup::Markup;
use crate::pulse::CHUNK_BYTES;
use crate::read::entries;
use crate::span::{Piece, Span};
use crate::syntax::markdown;
use crate::unicode::space::skip_space;

/// A table of a text.
pub struct TextTable<'t> {
    /// Where it stands.
    pub span: Span,
    /// The same, with the captions right above and below it.
    pub captioned: Span,
    grid: Cow<'t, Grid>,
}

/// The tables of a document that its reader found; of a plain text those of Markdown, if it is that. O(n).
pub fn tables(document: Document<'_>, markup: Markup) -> Vec<TextTable<'_>> {
    let text = document.text();
    match (markup, document.elements()) {
        (Markup::Code, _) => Vec::new(),
        (_, Some(elements)) => {
            let grids = elements.iter().map(|element| element.grid.as_deref());
            let tables =
                grids.enumerate().filter_map(|(i, grid)| Some((i, grid.filter(|g| is_lines(g))?)));
            let table = |(i, grid)| {
                let captioned = captioned(elements, document.captions(), i);
                TextTable { span: elements[i].span, captioned, grid: Cow::Borrowed(grid) }
            };
            tables.map(table).collect()
        }
        (Markup::Markdown, None) if has_delimiters(text) || has_other_tables(text) => {
            let mut read = markdown::read(text);
            let n_elements = read.elements.len();
            let table = |i: usize| {
                let grid = read.elements[i].grid.take()?;
                let captioned = captioned(&read.elements, &read.captions, i);
                let (span, grid) = (read.elements[i].span, Cow::Owned(*grid));
                Some(TextTable { span, captioned, grid })
            };
            (0..n_elements).filter_map(table).collect()
        }
        _ => Vec::new(),
    }
}

/// Where element `i` stands with its captions right above and below it.
fn captioned(elements: &[Element], captions: &[(usize, usize)], i: usize) -> Span {
    let own = elements[i].span;
    let of = |caption: Option<usize>| {
        let caption = caption.filter(|&caption| entries(captions, caption).contains(&(caption, i)));
        caption.and_then(|caption| elements.get(caption)).map_or(own, |caption| caption.span)
    };
    let (above, below) = (of(i.checked_sub(1)), of(Some(i + 1)));
    Span::new(above.start.min(own.start), below.end.max(own.end))
}

/// Keeps those of `tables` whole that fit, with their captions if these fit, too; returns the others, and where each
/// begins with its headings.
///
/// # Errors
/// Those of the measure.
pub fn keep_whole<'t>(
    chunker: &mut Chunker<'_>,
    tables: Vec<TextTable<'t>>,
) -> Result<Vec<(usize, TextTable<'t>)>> {
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for table in tables {
        match table.whole(chunker)? {
            Some(whole) => kept.push(whole),
            None => others.push((table.lead(chunker)?, table)),
        }
    }
    if let Some(structure) = &mut chunker.structure {
        structure.keep_tables(kept);
    }
    Ok(others)
}

/// Adds chunks of all that stands behind `body`, each of `tables` whole where it fits, else between its rows.
///
/// # Errors
/// Those of the measure and its ruler, and those of the pulse.
pub fn add_all(
    chunker: &mut Chunker<'_>,
    levels: &mut [impl Level],
    tables: Vec<TextTable<'_>>,
    repeat_headers: bool,
) -> Result<()> {
    let text = chunker.text;
    let mut body = skip_space(text, 0);
    if body < text.len() && chunker.whole_fits(body)? {
        return chunker.push(body, body, chunker.trimmed(body, text.len()));
    }
    for (lead, table) in keep_whole(chunker, tables)? {
        let lead = lead.max(body);
        add_chunks(chunker, levels, body, lead)?;
        let place = Span::new(lead, table.captioned.end);
        let end = table.add_parts(chunker, levels, place, repeat_headers)?;
        body = skip_space(text, end);
    }
    add_chunks(chunker, levels, body, text.len())
}

/// Whether the rows of a table are lines of the text.
fn is_lines(grid: &Grid) -> bool {
    grid.html.is_empty() && grid.rows.iter().all(|row| !row.source.is_empty())
}

/// Whether there may be a table in HTML, or one that is drawn. O(n).
fn has_other_tables(text: &str) -> bool {
    let is_drawn = || {
        let mut lines = text.lines().map(|line| line.trim_start_matches([' ', '\t', '>']));
        lines.any(|line| line.starts_with("+-") || line.starts_with("+:") || line.starts_with("+="))
    };
    markdown::has_table_tag(text) || is_drawn()
}

/// Whether a line looks like one between the header and the body of a table. O(n).
fn has_delimiters(text: &str) -> bool {
    let (bytes, mut from) = (text.as_bytes(), 0);
    while let Some(bar) = memchr(b'|', &bytes[from..]) {
        let bar = from + bar;
        let start = memrchr(b'\n', &bytes[from..bar]).map_or(from, |feed| from + feed + 1);
        let end = memchr(b'\n', &bytes[bar..]).map_or(bytes.len(), |feed| bar + feed);
        let line = &bytes[start..end];
        if line.contains(&b'-') && line.iter().all(|byte| b"|-: \t\r>".contains(byte)) {
            return true;
        }
        from = end;
    }
    false
}

impl TextTable<'_> {
    /// The table with as many of its captions as fit; none if it does not fit by itself.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn whole(&self, chunker: &Chunker<'_>) -> Result<Option<Span>> {
        let (own, both) = (self.span, self.captioned);
        let above = Span::new(both.start, own.end);
        for whole in [both, above, Span::new(own.start, both.end), own] {
            if chunker.fits(whole.start, whole.end)? {
                return Ok(Some(whole));
            }
        }
        Ok(None)
    }

    /// Where it begins with what leads to it, if it is split: with its caption, the headings above it and the line
    /// that leads to it, as far as these leave half of the limit.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn lead(&self, chunker: &Chunker<'_>) -> Result<usize> {
        let (start, structure) = (self.span.start, chunker.structure.as_ref());
        let caption = self.captioned.start;
        let lead = |at| structure.map_or(at, |structure| structure.lead(at));
        let far = structure.map_or(caption, |structure| structure.far_lead(caption));
        let all = [far, lead(caption), caption].into_iter();
        // What has no caption goes with its headings in any case.
        for lead in all.filter(|&lead| lead < start) {
            if chunker.size(Span::new(lead, start))? <= chunker.limits.hard_max() / 2 {
                return Ok(lead);
            }
        }
        Ok(lead(start))
    }

    /// Adds chunks of the table, which is over the limit, with what it begins with at the start of `place`; if it cannot
    /// be split by rows, it is cut at `levels`. Returns where they end: with `place`, which may hold a caption below the
    /// table, if that has room in the last part.
    ///
    /// # Errors
    /// Those of the measure and its ruler, and those of the pulse.
    pub fn add_parts(
        &self,
        chunker: &mut Chunker<'_>,
        levels: &mut [impl Level],
        place: Span,
        repeat_headers: bool,
    ) -> Result<usize> {
        let limits = chunker.limits;
        chunker.limits = limits.without_overlap();
        chunker.is_bounded = true;
        let mut end = self.span.end;
        match self.parts(chunker, place.start, repeat_headers)? {
            Some(mut parts) => {
                if let Some(part) = parts.last_mut().filter(|_| place.end > end)
                    && ends_at(chunker, part, place.end)?
                {
                    (part.body.end, end) = (place.end, place.end);
                }
                parts.iter().try_for_each(|part| add_part(chunker, part))?;
            }
            None => add_chunks(chunker, levels, skip_space(chunker.text, place.start), end)?,
        }
        (chunker.limits, chunker.is_bounded) = (limits, false);
        chunker.no_overlap_over = end;
        Ok(end)
    }

    /// Its parts; none if it cannot be split by rows.
    fn parts(
        &self,
        chunker: &Chunker<'_>,
        lead: usize,
        repeat_headers: bool,
    ) -> Result<Option<Vec<RowPart>>> {
        let Some(ruler) = chunker.measure.ruler() else { return Ok(None) };
        let (bare, limits) = (ruler.size("")?, chunker.limits);
        let prefixed = Prefixed { chunker, ruler, bare, limits };
        let table = ByRows {
            grid: &self.grid,
            span: self.span,
            lead,
            repeat_headers,
            omit_header_on_overflow: true,
            prefixed,
            front: &|_, header| prefixed.prefix(header.to_vec()),
        };
        table.split()
    }
}

/// Adds a part, without what is repeated where the limit would be exceeded.
fn add_part(chunker: &mut Chunker<'_>, part: &RowPart) -> Result<()> {
    let body = part.body;
    let pieces = pieces(part);
    if pieces.len() > 1 {
        chunker.beat.after(body.len() + CHUNK_BYTES)?;
        let size = joined_size(chunker, &pieces)?;
        if let Some(size) = size.filter(|&size| size <= chunker.limits.hard_max()) {
            chunker.chunks.push_pieces(&pieces, size);
            return Ok(());
        }
    }
    chunker.push(body.start, body.start, body.end)
}

/// Whether a part fits whose own text goes on up to `end`.
fn ends_at(chunker: &Chunker<'_>, part: &RowPart, end: usize) -> Result<bool> {
    let body = Span::new(part.body.start, end);
    let part = RowPart { body, ..part.clone() };
    let size = joined_size(chunker, &pieces(&part))?;
    Ok(size.is_some_and(|size| size <= chunker.limits.hard_max()))
}

/// What a part says: its own text, and what is repeated in front of it and behind it.
fn pieces(part: &RowPart) -> Vec<Piece> {
    let RowPart { body, header, footer, .. } = part;
    [&**header, &[Piece::body(*body)], &**footer].concat()
}

/// The size of some pieces that are put together; none if the measure cannot tell.
fn joined_size(chunker: &Chunker<'_>, pieces: &[Piece]) -> Result<Option<usize>> {
    let Some(ruler) = chunker.measure.ruler() else { return Ok(None) };
    let mut spans = pieces.iter().map(|piece| piece.span);
    ruler.size_joined(chunker.source, chunker.measure, &mut spans).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Kind;
    use proptest::prelude::*;

    fn has_table(text: &str) -> bool {
        markdown::read(text).elements.iter().any(|element| element.kind == Kind::Table)
    }

    proptest! {
        #[test]
        fn a_text_with_a_table_has_a_line_of_delimiters(text in "([ab|>:\\-* \t]{0,6}(\n|\r\n)){0,6}") {
            prop_assert!(has_delimiters(&text) || !has_table(&text), "{text:?}");
        }
    }

    #[test]
    fn bars_alone_are_no_table() {
        assert!(!has_delimiters("a | b\n|| c - d\n---\n-:-\n|:|"));
        assert!(has_delimiters("| a\n > |:-:|\r\n"));
    }
}
