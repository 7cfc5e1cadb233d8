//! Cuts of changed texts for Python.

use chunkwright_search::resync::{
    Chunk, Limit, Overlaps, Version, Window, beside, clipped, cut_alone, merged, untouched, windows,
};
use chunkwright_text::chunks::Content;
use chunkwright_text::document::Document;
use chunkwright_text::error::Result;
use chunkwright_text::span::{Piece, Role};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::columns::stored::{BlockRow, outside, piece_of};
use crate::measure::unit::Unit;
use crate::strings::sources::Source;

/// What is new in a text.
#[derive(FromPyObject)]
pub enum Fresh<'py> {
    /// What restores the chunks of all of the text.
    Whole(Vec<BlockRow<'py>>),
    /// A callable that cuts a part of it, and returns what restores the chunks of that.
    Cuts(Bound<'py, PyAny>),
}

/// The chunks of the second of `texts`: those of the first, which `old` restores, that stand in it still, and `fresh`
/// ones between them; with the numbers of the old ones. `limit` is a unit and the largest chunk in it; `overlap` is
/// the longest one, and whether every chunk has one; by elements, old chunks have those that they had.
#[pyfunction]
pub fn resync<'py>(
    py: Python<'py>,
    texts: [Source; 2],
    old: Vec<BlockRow<'py>>,
    fresh: Fresh<'py>,
    limit: (PyRef<'py, Unit>, usize),
    overlap: (usize, bool),
    by_elements: bool,
) -> PyResult<Vec<(BlockRow<'py>, Option<usize>)>> {
    let utf8 = [texts[0].text(py)?, texts[1].text(py)?];
    let version = |i: usize| Version::new(texts[i].complete(utf8[i].document()));
    let versions @ [before, text] = [version(0), version(1)];
    let ((unit, most), overlap) = (limit, Overlaps { most: overlap.0, is_added: overlap.1 });
    let mut htmls = Vec::new();
    let old = chunks_of(old, before, &mut htmls)?;
    let (whole, cuts) = match fresh {
        Fresh::Whole(whole) => (Some(chunks_of(whole, text, &mut htmls)?), None),
        Fresh::Cuts(cuts) => (None, Some(cuts)),
    };
    let (kept, windows) = unit.with_ruler(py, |ruler, pulse| {
        let limit = Limit { most, ruler };
        let kept = untouched(versions, &old, &limit, by_elements, pulse)?;
        let kept = match &whole {
            Some(whole) => beside(kept, whole),
            None => kept,
        };
        windows(kept, versions, &limit, old.len())
    })?;
    let alone = cuts.map(|cuts| {
        let cut = |&Window { span, .. }: &Window| {
            let part = text.part(span);
            let rows = cuts.call1((part,))?.extract()?;
            chunks_of(rows, Version::new(Document::new(part)), &mut htmls)
        };
        windows.iter().map(cut).collect::<PyResult<Vec<_>>>()
    });
    let alone = alone.transpose()?.unwrap_or_default();
    let chunks = unit.with_ruler(py, |ruler, _| {
        let limit = Limit { most, ruler };
        let new: Vec<_> = if let Some(whole) = &whole {
            windows.iter().map(|&at| clipped(at, text, whole, &limit)).collect::<Result<_>>()?
        } else {
            let cut = |(&at, cut)| cut_alone(at, text, cut, &limit);
            windows.iter().zip(alone).map(cut).collect::<Result<_>>()?
        };
        merged(kept, new.concat(), text, &limit, overlap)
    })?;
    Ok(chunks.into_iter().map(|(chunk, ordinal)| (row_of(chunk, &htmls), ordinal)).collect())
}

/// The chunks that rows restore from `text`; their HTML joins `htmls`.
fn chunks_of<'py>(
    rows: Vec<BlockRow<'py>>,
    text: Version<'_>,
    htmls: &mut Vec<Bound<'py, PyString>>,
) -> PyResult<Vec<Chunk>> {
    let chunk = |row: BlockRow<'py>| {
        let (pieces, size, is_oversize, content, part, n_header_rows, html, ..) = row;
        let known = pieces.iter().map(|&piece| piece_of(text.text(), piece));
        let known = known.collect::<Option<Vec<_>>>();
        let has_own = |known: &Vec<Piece>| known.iter().any(|piece| piece.role == Role::Body);
        let known = known.filter(has_own).ok_or_else(|| outside(&pieces))?;
        let html = html.map(|html| {
            htmls.push(html);
            htmls.len() - 1
        });
        let content = Content::of_code(content).unwrap_or_default();
        let chunk = Chunk::new(known, size);
        Ok(Chunk { is_oversize, content, part, n_header_rows, html, ..chunk })
    };
    rows.into_iter().map(chunk).collect()
}

/// What restores a chunk, whose HTML is one of `htmls`; what it is about is the caller's to say.
fn row_of<'py>(chunk: Chunk, htmls: &[Bound<'py, PyString>]) -> BlockRow<'py> {
    let pieces = chunk.pieces.iter().map(|of| [of.role as usize, of.span.start, of.span.end]);
    let html = chunk.html.map(|i| htmls[i].clone());
    let Chunk { size, is_oversize, content, part, n_header_rows, .. } = chunk;
    (pieces.collect(), size, is_oversize, content as u8, part, n_header_rows, html, None, None)
}
