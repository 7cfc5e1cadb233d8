//! Checks of chunks: what holds for them, whatever was cut by whatever strategy.

use std::sync::Arc;

use chunkwright_engine::cut::Cut;
use chunkwright_engine::strategies::{Parts, Spec};
use chunkwright_engine::unit::Unit;
use chunkwright_read::json::Json;
use chunkwright_text::chunks::Chunks;
use chunkwright_text::cut::pieces::Asked;
use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::pulse::Pulse;

use crate::run::pulse;

/// A limit, in any unit, below which not even a few brackets fit.
const LEAST_JSON: usize = 16;

/// A language model that begins a chunk with every third piece.
#[derive(Debug)]
struct EveryThird;

impl Asked for EveryThird {
    fn starts(&self, texts: &[Vec<&str>], _: Pulse<'_>) -> Result<Vec<Result<Vec<usize>>>> {
        Ok(texts.iter().map(|pieces| Ok((0..pieces.len()).step_by(3).collect())).collect())
    }
}

/// Cuts a document by a spec, and checks its chunks.
///
/// # Panics
/// If a chunk is over its limit or stands outside the text, if text is lost, or if an error is none of options or
/// of the text.
pub fn check(spec: &Spec, document: Document<'_>) {
    let parts = Parts { asked: Some(Arc::new(EveryThird)), ..Parts::default() };
    let made = spec.unit().and_then(|unit| Ok((unit, spec.cutter(&parts)?)));
    let (unit, cutter) = match made {
        Ok(made) => made,
        Err(Error::Option { .. } | Error::Config(_)) => return,
        Err(other) => unreachable!("{other:?}"),
    };
    let text = document.text();
    let cut = unit.prepare(text, &pulse).and_then(|prepared| {
        unit.measured(document, &prepared, &pulse, |measure| cutter.cut(document, measure, &pulse))
    });
    let chunks = match cut {
        Ok(chunks) => chunks,
        Err(Error::Read(_) | Error::Config(_)) => return,
        Err(other) => unreachable!("{other:?}"),
    };
    check_sizes(&chunks, text, &unit, cutter.limits.hard_max());
    check_places(&chunks, text);
    match spec.name.as_str() {
        "json"
            if has_room(text, cutter.limits.hard_max())
                && spec.options.get("syntax").is_none_or(|syntax| syntax == "json") =>
        {
            check_json(&chunks, text);
        }
        // Brackets and commas belong to no chunk.
        "json" | "auto" => {}
        _ => check_covered(&chunks, text),
    }
    let cut = Cut::new(document, chunks);
    assert_eq!(cut.starts.len(), cut.ends.len());
    assert!(cut.starts.iter().zip(&cut.ends).all(|(start, end)| start <= end));
}

/// No chunk is over the limit but one that is a single grapheme, and each size is that of the chunk's text.
fn check_sizes(chunks: &Chunks, text: &str, unit: &Unit, hard_max: usize) {
    for i in 0..chunks.len() {
        let shown = chunks.text(i, text);
        let counted = unit.count(&shown, &pulse).ok();
        let size = chunks.sizes()[i];
        assert!(
            size <= hard_max || chunks.is_oversize(i),
            "chunk {i} is over {hard_max}: {shown:?}"
        );
        assert_eq!(counted, Some(size), "chunk {i}: {shown:?}");
    }
}

/// Chunks stand in the text, one behind the other.
fn check_places(chunks: &Chunks, text: &str) {
    let mut start = 0;
    for i in 0..chunks.len() {
        for piece in chunks.pieces(i) {
            assert!(text.get(piece.span.range()).is_some(), "chunk {i} has {piece:?}");
        }
        let body = chunks.body(i);
        assert!(
            start <= body.start && body.start < body.end,
            "chunk {i} is {body:?}, not behind {start}"
        );
        start = body.start;
    }
}

/// Together the chunks hold all of the text but blanks.
fn check_covered(chunks: &Chunks, text: &str) {
    let mut covered = 0;
    for i in 0..chunks.len() {
        let body = chunks.body(i);
        let gap = text.get(covered..body.start).unwrap_or_default();
        assert!(gap.trim().is_empty(), "before chunk {i}, {gap:?} is lost");
        covered = covered.max(body.end);
    }
    assert!(text[covered..].trim().is_empty(), "{:?} at the end is lost", &text[covered..]);
}

/// Whether each number and each word of a text of JSON fits into a chunk, with some marks around it: what does not
/// is cut, and is no JSON then.
fn has_room(text: &str, hard_max: usize) -> bool {
    let is_mark = |c: char| c.is_whitespace() || "[]{},:\"".contains(c);
    let longest = text.split(is_mark).map(str::len).max().unwrap_or(0);
    hard_max >= LEAST_JSON && longest <= hard_max / 4
}

/// Each chunk of JSON is JSON again.
fn check_json(chunks: &Chunks, text: &str) {
    for i in (0..chunks.len()).filter(|&i| !chunks.is_oversize(i)) {
        let shown = chunks.text(i, text);
        assert!(Json::check(&shown, &pulse).is_ok(), "chunk {i} is no JSON: {shown:?}");
    }
}
