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
        let next = starts.partition_point(|&start| start <= table.captioned.start);
        let end = starts.partition_point(|&start| start < table.captioned.end);
        next < end && !starts[next..end].iter().any(|&start| is_kept(start))
    };
    let mut cut = tables(document, document.markup());
    for table in &mut cut {
        // Captions behind a place that is kept are left to it.
        let is_free = |from: usize, upto: usize| {
            let next = starts.partition_point(|&start| start <= from);
            let end = starts.partition_point(|&start| start <= upto);
            !starts[next..end].iter().any(|&start| is_kept(start))
        };
        let (own, both) = (table.span, table.captioned);
        let start = if is_free(both.start, own.start) { both.start } else { own.start };
        let end = if is_free(own.end, both.end) { both.end } else { own.end };
        table.captioned = Span::new(start, end);
    }
    cut.retain(is_cut);
    if cut.is_empty() {
        return Ok(chunks);
    }
    let (measure, limits) = (chunker.measure, chunker.limits);
    chunker.structure =
        Structure::of(chunker.text, document.markup(), Next::Paragraph, measure, limits);
    let spans: Vec<[Span; 2]> = cut.iter().map(|table| [table.span, table.captioned]).collect();
    let mut large = keep_whole(&mut chunker, cut)?.into_iter().peekable();
    let mut spans = spans.into_iter().peekable();
    let mut done = 0;
    for (i, &start) in starts.iter().enumerate() {
        let body = chunks.body(i);
        let mut at = start.max(done);
        while let Some([table, captioned]) = spans.next_if(|[_, both]| both.start < body.end) {
            if let Some((lead, large)) = large.next_if(|(_, large)| large.span == table) {
                let (text, lead) = (chunker.text, lead.max(at));
                add(&mut chunker, at, lead)?;
                let mut levels = [Natural::Lines(text), Natural::Words(text)];
                let place = Span::new(lead, large.captioned.end);
                done = large.add_parts(&mut chunker, &mut levels, place, true)?;
            } else {
                let lead = lead(&chunker, table, captioned)?.max(at);
                add(&mut chunker, at, lead)?;
                done = if chunker.fits(lead, captioned.end)? { captioned.end } else { table.end };
                add(&mut chunker, lead, done)?;
            }
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

/// Where a table that fits begins with its caption and what leads to it, as far as these have room beside it.
fn lead(chunker: &Chunker<'_>, table: Span, captioned: Span) -> Result<usize> {
    let Some(structure) = &chunker.structure else { return Ok(table.start) };
    let caption = captioned.start;
    for lead in [structure.far_lead(caption), structure.lead(caption), caption] {
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
