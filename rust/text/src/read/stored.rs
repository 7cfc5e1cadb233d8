//! Stored form of what was read: bytes that hold all of it but the text, for pickles.
//!
//! Another process, a worker of a pool for example, gets what was read, and reads nothing again. Integers are
//! written in as many bytes as they need, and spans as start and length, so most take a byte or two. The bytes
//! may be of anybody: spans are checked against the text before they are used.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::link::Link;
use super::slice::Whole;
use super::{LineBox, Links, Read, Sparse};
use crate::elements::Element;
use crate::error::{Error, Result};
use crate::grid::{Cell, Grid, Row};
use crate::span::Span;
use crate::turns::Turn;

/// The form of a conversation; another one is refused, but for those below.
const VERSION: u8 = 6;
/// The form of what was recognised: without its last byte.
const NO_TURNS: u8 = 5;
/// The form of another slice: without the byte before it.
const NOT_RECOGNISED: u8 = 4;
/// The form of what is no slice either: without one more.
const NO_SLICE: u8 = 3;
/// The form without lines and starts of pages either, which stand before it.
const WITHOUT_LINES: u8 = 2;
/// No lines, no starts of pages, no slice, no page that was recognised, and no turn.
const NOTHING: [u8; 5] = [0; 5];

#[derive(Serialize)]
struct Outgoing<'a> {
    read: &'a Read,
    links: Option<&'a [Link]>,
    lines: &'a Sparse<LineBox>,
    page_starts: &'a Sparse<usize>,
    whole: Option<&'a Whole>,
    recognised: &'a [i64],
    turns: &'a Sparse<Turn>,
}

#[derive(Deserialize)]
struct Incoming {
    read: Read,
    links: Option<Vec<Link>>,
    lines: Sparse<LineBox>,
    page_starts: Sparse<usize>,
    whole: Option<Box<Whole>>,
    recognised: Vec<i64>,
    turns: Sparse<Turn>,
}

impl Read {
    /// All but the text as bytes; with `links`, those stand for what links are found in. O(n).
    ///
    /// ```
    /// use chunkwright_text::read::Read;
    /// use chunkwright_text::syntax::markdown;
    ///
    /// let text = "# Rain\n\nIt fell.";
    /// let bytes = markdown::read(text).to_bytes(None)?;
    /// assert!(bytes.len() < 50);
    /// assert_eq!(Read::of_bytes(&bytes, text)?.elements.len(), 2);
    /// assert!(Read::of_bytes(&bytes, "# Sun").is_err()); // another text
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Read`] if memory runs out.
    pub fn to_bytes(&self, links: Option<&[Link]>) -> Result<Vec<u8>> {
        let Self { lines, page_starts, recognised, turns, .. } = self;
        let whole = self.whole.as_deref();
        let outgoing = Outgoing { read: self, links, lines, page_starts, whole, recognised, turns };
        let mut bytes: Vec<u8> = postcard::to_extend(&outgoing, vec![VERSION])
            .map_err(|error| Error::read(format!("elements cannot be stored: {error}")))?;
        // What has none of these keeps its bytes, and so its hash.
        let has_lines = !lines.is_empty() || !page_starts.is_empty();
        let (form, n_left_out) = match (recognised.is_empty(), whole, has_lines) {
            _ if !turns.is_empty() => (VERSION, 0),
            (false, ..) => (NO_TURNS, 1),
            (true, Some(_), _) => (NOT_RECOGNISED, 2),
            (true, None, true) => (NO_SLICE, 3),
            (true, None, false) => (WITHOUT_LINES, NOTHING.len()),
        };
        bytes.truncate(bytes.len() - n_left_out);
        bytes[0] = form;
        Ok(bytes)
    }

    /// The result that `bytes` hold, of a document whose text is `text`. O(n).
    ///
    /// # Errors
    /// [`Error::Read`] if they are none of [`Read::to_bytes`], or of another text.
    pub fn of_bytes(bytes: &[u8], text: &str) -> Result<Self> {
        let wrong = |reason: &str| Error::read(format!("stored elements {reason}"));
        let bytes = match bytes.split_first() {
            Some((&VERSION, bytes)) => Cow::Borrowed(bytes),
            Some((&NO_TURNS, bytes)) => Cow::Owned([bytes, &NOTHING[4..]].concat()),
            Some((&NOT_RECOGNISED, bytes)) => Cow::Owned([bytes, &NOTHING[3..]].concat()),
            Some((&NO_SLICE, bytes)) => Cow::Owned([bytes, &NOTHING[2..]].concat()),
            Some((&WITHOUT_LINES, bytes)) => Cow::Owned([bytes, &NOTHING].concat()),
            _ => return Err(wrong("were stored by another version of chunkwright")),
        };
        let stored = postcard::from_bytes(&bytes).map_err(|error| wrong(&error.to_string()))?;
        let Incoming { mut read, links, lines, page_starts, whole, recognised, turns } = stored;
        (read.lines, read.page_starts, read.whole) = (lines, page_starts, whole);
        (read.recognised, read.turns) = (recognised, turns);
        read.links = links.map_or(read.links, Links::Found);
        if read.is_sound(text) { Ok(read) } else { Err(wrong("do not lie in their text")) }
    }

    /// Whether all spans lie in what they are of, and all numbers are those of elements.
    fn is_sound(&self, text: &str) -> bool {
        let n = self.elements.len();
        let mut end = 0;
        let is_behind = |element: &Element| {
            let is_behind = end <= element.span.start && is_in(text, element.span);
            end = element.span.end;
            is_behind && element.grid.as_ref().is_none_or(|grid| is_grid(text, grid))
        };
        let above = |(i, element): (usize, &Element)| element.parent.get().is_none_or(|of| of < i);
        self.elements.iter().all(is_behind)
            && self.elements.iter().enumerate().all(above)
            && self.n_body.is_none_or(|n_body| n_body <= n)
            && (self.places.is_empty() || self.places.len() == n)
            && self.box_starts.iter().all(|(i, at)| *i < n && is_in(text, Span::new(*at, *at)))
            && self.page_starts.iter().all(|(i, at)| *i < n && is_in(text, Span::new(*at, *at)))
            && self.titles.iter().all(|(i, span)| *i < n && is_in(text, *span))
            && self.captions.iter().all(|(i, of)| *i < n && *of < n)
            && self.turns.iter().all(|(i, turn)| *i < n && is_turn(text, turn))
            && self.turns.is_sorted_by(|(a, _), (b, _)| a < b)
            && self.whole.as_ref().is_none_or(|whole| whole.is_sound(n))
            && match &self.links {
                Links::Found(links) => links.iter().all(|link| is_in(text, link.span)),
                Links::None | Links::Text | Links::Rst | Links::Page(_) => true,
            }
    }
}

fn is_in(text: &str, span: Span) -> bool {
    text.get(span.start..span.end).is_some()
}

/// Whether a turn is named and timed in the text.
fn is_turn(text: &str, turn: &Turn) -> bool {
    is_in(text, turn.label)
        && turn.cues.iter().all(|cue| is_in(text, Span::new(cue.at, cue.at)))
        && turn.cues.is_sorted_by_key(|cue| cue.at)
}

/// Whether the parts of a table of a document lie in what they are of.
fn is_grid(text: &str, grid: &Grid) -> bool {
    let Grid { html, texts, sources, rows, cells, slots, .. } = grid;
    let said = if texts.is_empty() { text } else { texts };
    let source = if html.is_empty() { text } else { sources };
    let is_row = |row: &Row| {
        cells.get(row.cells.start..row.cells.end).is_some()
            && is_in(html, row.html)
            && is_in(source, row.source)
    };
    let is_cell = |cell: &Cell| {
        is_in(said, cell.text)
            && is_in(html, cell.html)
            && cell.colspan > 0
            && cell.rowspan != Some(0)
    };
    let has_slots = slots.is_empty() || slots.len() == cells.len();
    has_slots && rows.iter().all(is_row) && cells.iter().all(is_cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::markdown;

    const MARKDOWN: &str =
        "# A\n\n- b [c](d)\n\n| e | f |\n|---|---|\n| g | h |\n\n```py\ni\n```\n";

    #[test]
    fn what_was_read_is_stored() {
        let read = markdown::read(MARKDOWN);
        let stored = read.to_bytes(None).unwrap();
        let again = Read::of_bytes(&stored, MARKDOWN).unwrap();
        assert_eq!(format!("{again:?}"), format!("{read:?}"));
        assert!(stored.len() < 6 * MARKDOWN.len());
    }

    #[test]
    fn what_does_not_stand_in_the_text_is_refused() {
        let stored = markdown::read(MARKDOWN).to_bytes(None).unwrap();
        for (bytes, text, reason) in [
            (&stored[..], "# A", "do not lie"),
            (&stored[..], &*MARKDOWN.replace('h', "é"), "do not lie"),
            (&stored[..9], MARKDOWN, "stored elements"),
            (&[0, 1], MARKDOWN, "another version"),
            (&[], MARKDOWN, "another version"),
        ] {
            let error = Read::of_bytes(bytes, text).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let mut read = markdown::read(MARKDOWN);
        for (n_body, is_sound) in [(read.elements.len(), true), (read.elements.len() + 1, false)] {
            read.n_body = Some(n_body);
            let bytes = read.to_bytes(None).unwrap();
            assert_eq!(Read::of_bytes(&bytes, MARKDOWN).is_ok(), is_sound);
        }
        // Whatever else is wrong is found or does no harm.
        for i in 1..stored.len() {
            let mut bytes = stored.clone();
            bytes[i] ^= 0x15;
            drop(Read::of_bytes(&bytes, MARKDOWN));
        }
    }
}
