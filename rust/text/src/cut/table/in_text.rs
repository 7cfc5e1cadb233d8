//! Tables whose rows are lines of a text, for strategies over text: whole where they fit, else split by rows.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::by_rows::{ByRows, RowPart};
use crate::cut::chunker::Chunker;
use crate::cut::levels::Level;
use crate::cut::pack::add_chunks;
use crate::cut::prefix::Prefixed;
use crate::document::Document;
use crate::error::Result;
use crate::grid::Grid;
use crate::markup::Markup;
use crate::pulse::CHUNK_BYTES;
use crate::span::{Piece, Span};
use crate::syntax::markdown;
use crate::unicode::space::skip_space;

/// A table of a text.
pub struct TextTable<'t> {
    /// Where it stands.
    pub span: Span,
    grid: Cow<'t, Grid>,
}

/// The tables of a document that its reader found; of a plain text those of Markdown, if it is that. O(n).
pub fn tables(document: Document<'_>, markup: Markup) -> Vec<TextTable<'_>> {
    let text = document.text();
    match (markup, document.elements()) {
        (Markup::Code, _) => Vec::new(),
        (_, Some(elements)) => {
            let grids = elements.iter().map(|element| (element.span, element.grid.as_deref()));
            let lines =
                grids.filter_map(|(span, grid)| Some((span, grid.filter(|g| is_lines(g))?)));
            lines.map(|(span, grid)| TextTable { span, grid: Cow::Borrowed(grid) }).collect()
        }
        (Markup::Markdown, None) if has_delimiters(text) || has_other_tables(text) => {
            let elements = markdown::read(text).elements.into_iter();
            let grids = elements.filter_map(|element| Some((element.span, element.grid?)));
            grids.map(|(span, grid)| TextTable { span, grid: Cow::Owned(*grid) }).collect()
        }
        _ => Vec::new(),
    }
}

/// Keeps those of `tables` whole that fit; returns the others, and where each begins with its headings.
///
/// # Errors
/// Those of the measure.
pub fn keep_whole<'t>(
    chunker: &mut Chunker<'_>,
    tables: Vec<TextTable<'t>>,
) -> Result<Vec<(usize, TextTable<'t>)>> {
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for table in tables {
        let Span { start, end } = table.span;
        if chunker.fits(start, end)? {
            kept.push(table.span);
        } else {
            // A table that is split takes the line that leads to it along.
            let structure = chunker.structure.as_ref();
            let lead = structure.map_or(start, |structure| structure.lead(start));
            let far = structure.map_or(lead, |structure| structure.far_lead(start));
            let takes = chunker.size(Span::new(far, start))? <= chunker.limits.hard_max() / 2;
            others.push((if takes { far } else { lead }, table));
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
        table.add_parts(chunker, levels, lead, repeat_headers)?;
        body = skip_space(text, table.span.end);
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
    /// Adds chunks of the table, which with what it begins with at `lead` is over the limit; if it cannot be split
    /// by rows, it is cut at `levels`.
    ///
    /// # Errors
    /// Those of the measure and its ruler, and those of the pulse.
    pub fn add_parts(
        &self,
        chunker: &mut Chunker<'_>,
        levels: &mut [impl Level],
        lead: usize,
        repeat_headers: bool,
    ) -> Result<()> {
        let limits = chunker.limits;
        chunker.limits = limits.without_overlap();
        chunker.is_bounded = true;
        match self.parts(chunker, lead, repeat_headers)? {
            Some(parts) => parts.into_iter().try_for_each(|part| add_part(chunker, part))?,
            None => add_chunks(chunker, levels, skip_space(chunker.text, lead), self.span.end)?,
        }
        (chunker.limits, chunker.is_bounded) = (limits, false);
        chunker.no_overlap_over = self.span.end;
        Ok(())
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
fn add_part(chunker: &mut Chunker<'_>, part: RowPart) -> Result<()> {
    let RowPart { body, mut header, footer, .. } = part;
    if header.len() + footer.len() > 0
        && let Some(ruler) = chunker.measure.ruler()
    {
        header.push(Piece::body(body));
        header.extend(footer);
        chunker.beat.after(body.len() + CHUNK_BYTES)?;
        let mut spans = header.iter().map(|piece| piece.span);
        let size = ruler.size_joined(chunker.source, chunker.measure, &mut spans)?;
        if size <= chunker.limits.hard_max() {
            chunker.chunks.push_pieces(&header, size);
            return Ok(());
        }
    }
    chunker.push(body.start, body.start, body.end)
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
