//! Tables that a strategy has cut as it cuts any text: whole again where they fit, else cut between their rows.
//!
//! O(n) in the tables that are cut, beside finding them.

use super::in_text::{TextTable, keep_whole, tables};
use crate::chunks::Chunks;
use crate::cut::chunker::Chunker;
use crate::cut::levels::Natural;
use crate::cut::pack::add_chunks;
use crate::cut::structure::{Next, Structure};
use crate::document::Document;
use crate::error::Result;
use crate::span::Span;
use crate::unicode::space::skip_space;

/// `chunks` of the text of `chunker`, without cuts inside tables of `document` but those between rows. `is_kept` says
/// where a chunk has to begin; a table with such a place inside stays as it was cut.
///
/// # Errors
/// Those of the measure and its ruler, and what the pulse says.
pub fn cut_tables_again(
    chunker: Chunker<'_>,
    chunks: Chunks,
    document: Document<'_>,
    is_kept: impl Fn(usize) -> bool,
) -> Result<Chunks> {
    let mut chunker = chunker;
    let starts: Vec<usize> = (0..chunks.len()).map(|i| chunks.body(i).start).collect();
    let is_cut = |table: &TextTable<'_>| {
        let next = starts.partition_point(|&start| start <= table.span.start);
        let end = starts.partition_point(|&start| start < table.span.end);
        next < end && !starts[next..end].iter().any(|&start| is_kept(start))
    };
    let cut: Vec<_> = tables(document, document.markup()).into_iter().filter(is_cut).collect();
    if cut.is_empty() {
        return Ok(chunks);
    }
    let (measure, limits) = (chunker.measure, chunker.limits);
    chunker.structure =
        Structure::of(chunker.text, document.markup(), Next::Paragraph, measure, limits);
    let spans: Vec<Span> = cut.iter().map(|table| table.span).collect();
    let mut large = keep_whole(&mut chunker, cut)?.into_iter().peekable();
    let mut spans = spans.into_iter().peekable();
    let mut done = 0;
    for (i, &start) in starts.iter().enumerate() {
        let body = chunks.body(i);
        let mut at = start.max(done);
        while let Some(table) = spans.next_if(|table| table.start < body.end) {
            if let Some((lead, large)) = large.next_if(|(_, large)| large.span == table) {
                let (text, lead) = (chunker.text, lead.max(at));
                add(&mut chunker, at, lead)?;
                let mut levels = [Natural::Lines(text), Natural::Words(text)];
                large.add_parts(&mut chunker, &mut levels, lead, true)?;
            } else {
                let lead = lead(&chunker, table)?.max(at);
                add(&mut chunker, at, lead)?;
                add(&mut chunker, lead, table.end)?;
            }
            done = table.end;
            at = skip_space(chunker.text, done);
        }
        let before = i.checked_sub(1).map(|before| chunks.body(before));
        if at == body.start && chunker.chunks.last_body() == before {
            chunker.chunks.push_row(&chunks, i);
        } else {
            add(&mut chunker, at, body.end)?;
        }
    }
    Ok(chunker.chunks.with_cuts_of(&chunks))
}

/// Where a table that fits begins with what leads to it, as far as that has room beside it.
fn lead(chunker: &Chunker<'_>, table: Span) -> Result<usize> {
    let Some(structure) = &chunker.structure else { return Ok(table.start) };
    for lead in [structure.far_lead(table.start), structure.lead(table.start)] {
        if chunker.fits(lead, table.end)? {
            return Ok(lead);
        }
    }
    Ok(table.start)
}

/// Adds the chunk of what `start..end` says, if it says anything.
fn add(chunker: &mut Chunker<'_>, start: usize, end: usize) -> Result<()> {
    let start = skip_space(chunker.text, start);
    if start >= end {
        return Ok(());
    }
    let own = Span::new(start, chunker.trimmed(start, end));
    if chunker.fits(own.start, own.end)? {
        let open = chunker.open_beside(own)?;
        return chunker.push(open, own.start, own.end);
    }
    // A counter that says more of less text.
    let text = chunker.text;
    add_chunks(chunker, &mut [Natural::Lines(text), Natural::Words(text)], own.start, own.end)
}
