//! Code strategy: chunks of source code that end where its author ended something.
//!
//! A chunk reaches as far as the limit allows, and ends at the last line within reach that is strongest: one that
//! begins or ends a definition rather than one in it, one that is less indented, one behind blank lines. So a
//! definition that fits a chunk is in one, with its decorators and the comments above it; a class that does not is
//! cut between its members, and a long function between its statements.
//!
//! A grammar says where definitions are and what they are called. Without one, or where it does not read a file,
//! indentation alone says it. O(n log n) in the lines, beside the grammar.

pub(super) mod lines;
mod subject;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panic")]
mod tests;

use std::sync::Arc;

use memchr::memchr;

use self::lines::{Lines, Place};
use self::subject::Subjects;
use super::chunker::Chunker;
use super::levels::Natural;
use super::pack::add_chunk;
use super::prefix::{Prefix, Prefixed};
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::line::Line;
use crate::span::{Piece, Role, Span};
use crate::syntax::code::languages::{CodeLanguage, LANGUAGES};
use crate::syntax::code::outline::{Outline, Outliner};
use crate::unicode::line_ends::unified_lines;
use crate::unicode::space::skip_space;

/// Ends that do not fit although they lie within reach are few: after so many, a line is cut.
const MAX_TRIES: usize = 16;

/// Heads that are repeated take this part of the limit at most.
const SHARE: usize = 4;

/// A head is repeated with the rest of its line where that has at most so many bytes.
const MAX_HEAD: usize = 512;

/// Options of the code strategy.
#[derive(Clone, Debug, Default)]
pub struct Coding {
    /// The language of all documents; else each is of its own [kind](Document::kind), a number in [`LANGUAGES`].
    pub language: Option<&'static CodeLanguage>,
    /// Whether a chunk repeats the heads of the definitions that it goes on in.
    pub repeat_heads: bool,
    /// What knows grammars.
    pub outliner: Option<Arc<dyn Outliner>>,
}

/// Cuts source code between its definitions, and each chunk says what it is about.
///
/// ```
/// use chunkwright_text::cut::code::{Coding, code};
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::options::{Limits, OverlapAt};
/// use chunkwright_text::pulse::no_pulse;
///
/// let document = Document::new("import os\n\n# Adds.\ndef add(a, b):\n    return a + b\n");
/// let (chars, limits) = (Chars::new(document), Limits::new(44, None, 0)?);
/// let chunks = code(document, &chars, limits, OverlapAt::Word, &Coding::default(), no_pulse())?;
/// let texts: Vec<&str> = chunks.spans().map(|span| &document.text()[span.range()]).collect();
/// assert_eq!(texts, ["import os", "# Adds.\ndef add(a, b):\n    return a + b"]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of the measure and of `pulse`.
pub fn code(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    overlap_at: OverlapAt,
    how: &Coding,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let language = how.language.or_else(|| LANGUAGES.get(document.kind()?));
    let unified = unified_lines(document.text());
    let text = &*unified;
    let outline = match (&how.outliner, language) {
        (Some(outliner), Some(of)) => outliner.outline(text, of.name, pulse)?,
        _ => None,
    };
    let outline = outline.unwrap_or_default();
    let lines = Lines::new(text, language, &outline);
    let chunker = Chunker::new(text, measure, limits, overlap_at, pulse).of_source(document.text());
    let ruler = if how.repeat_heads { measure.ruler() } else { None };
    let bare = ruler.map_or(Ok(0), |ruler| ruler.size(""))?;
    let mut cutter = CodeCutter { chunker, lines: &lines, outline: &outline, ruler, bare };
    let mut body = line_of(text, 0);
    while body < text.len() {
        let next = cutter.add(body)?;
        body = line_of(text, next);
    }
    let mut chunks = cutter.chunker.chunks;
    let subjects = Subjects { text, outline: &outline, lines: &lines, language };
    subjects.tell(&mut chunks);
    Ok(chunks)
}

/// Where what stands behind `at` begins: with the indentation of its line, if nothing else is before it.
fn line_of(text: &str, at: usize) -> usize {
    let start = skip_space(text, at);
    let line = text[..start].rfind('\n').map_or(0, |feed| feed + 1);
    if start < text.len() && line >= at { line } else { start }
}

/// A chunk that may be the next one.
struct Part {
    /// Where it is cut.
    cut: usize,
    pieces: Vec<Piece>,
    size: usize,
}

/// Cuts one text.
struct CodeCutter<'a> {
    chunker: Chunker<'a>,
    lines: &'a Lines,
    outline: &'a Outline,
    /// Measures heads with what they are repeated above; none if they are not.
    ruler: Option<&'a dyn Ruler>,
    /// The size of nothing.
    bare: usize,
}

impl CodeCutter<'_> {
    /// Adds the chunk whose own text begins at `body`; returns its end.
    fn add(&mut self, body: usize) -> Result<usize> {
        let heads = self.heads(body);
        let open = self.chunker.open(body)?;
        // What is repeated gives way where it makes a cut weaker: the overlap first, then the heads.
        let mut ways = vec![(&heads[..], open), (&heads[..], body), (&[], open), (&[], body)];
        ways.dedup();
        let mut best: Option<Part> = None;
        for (heads, open) in ways {
            let Some(part) = self.part(heads, open, body)? else { continue };
            let strength = |part: &Part| self.lines.strength_at(part.cut);
            if best.as_ref().is_none_or(|best| strength(&part) < strength(best)) {
                best = Some(part);
            }
        }
        if let Some(Part { cut, pieces, size }) = best {
            self.chunker.beat.after(cut - body)?;
            self.chunker.chunks.push_pieces(&pieces, size);
            return Ok(cut);
        }
        let text = self.chunker.text;
        let upto = self.lines.after(body).unwrap_or(text.len());
        let mut words = [Natural::Words(text)];
        add_chunk(&mut self.chunker, &mut words, skip_space(text, body), upto)
    }

    /// The heads of the definitions that go on at `body`, the outermost first.
    fn heads(&self, body: usize) -> Vec<Piece> {
        if self.ruler.is_none() {
            return Vec::new();
        }
        let text = self.chunker.text;
        let at = skip_space(text, body);
        let around = self.outline.holding(Span::new(at, at + 1));
        let mut heads: Vec<Piece> = around
            .into_iter()
            .flat_map(|number| self.outline.path(number))
            .map(|number| self.outline.definitions[number].head)
            .filter(|head| !head.is_empty() && head.end <= body)
            .map(|head| Piece {
                span: whole_lines(text, self.chunker.source, head),
                role: Role::Heading,
            })
            .filter(|piece| piece.span.end <= body)
            .collect();
        heads.reverse();
        heads.dedup();
        heads
    }

    /// The best chunk from `open` on behind `heads`; none if no line ends within
    /// the limit, or the heads take too much of it.
    fn part(&self, heads: &[Piece], open: usize, body: usize) -> Result<Option<Part>> {
        let Chunker { measure, limits, .. } = self.chunker;
        let Some(ruler) = self.ruler.filter(|_| !heads.is_empty()) else {
            let [soft, hard] = [limits.soft_max(), limits.hard_max()];
            let fits = |cut| self.chunker.fits(open, self.chunker.trimmed(body, cut));
            let Some(cut) = self.cut(open, body, [soft, hard], fits)? else { return Ok(None) };
            let span = Span::new(open, self.chunker.trimmed(body, cut));
            let size = self.chunker.size(span)?;
            return Ok(Some(Part { cut, pieces: around(open, body, span.end), size }));
        };
        let prefixed = Prefixed { chunker: &self.chunker, ruler, bare: self.bare, limits };
        let prefix = prefixed.prefix(heads.to_vec())?;
        let Prefix { size: of_heads, .. } = prefix;
        if of_heads.saturating_sub(self.bare).saturating_mul(SHARE) > limits.hard_max() {
            return Ok(None);
        }
        let rooms = [limits.soft_max(), limits.hard_max()].map(|most| prefixed.room(&prefix, most));
        let span = |cut| Span::new(open, self.chunker.trimmed(body, cut));
        let fits = |cut| prefixed.fits(&prefix, span(cut));
        let Some(cut) = self.cut(open, body, rooms, fits)? else { return Ok(None) };
        let size = ruler.size_joined(
            self.chunker.source,
            measure,
            &mut heads.iter().map(|piece| piece.span).chain([span(cut)]),
        )?;
        if size > limits.hard_max() {
            return Ok(None);
        }
        let own = around(open, body, self.chunker.trimmed(body, cut));
        Ok(Some(Part { cut, pieces: [heads, &own].concat(), size }))
    }

    /// Where a chunk from `open` on is cut best: at the strongest line within the soft limit; where what the chunk begins
    /// with has not ended by then, where it has within the hard limit.
    fn cut(
        &self,
        open: usize,
        body: usize,
        rooms: [usize; 2],
        fits: impl Fn(usize) -> Result<bool>,
    ) -> Result<Option<usize>> {
        let Chunker { text, measure, .. } = self.chunker;
        let reach = |room| -> Result<usize> {
            Ok(skip_space(text, measure.longest(open, room)?).max(body))
        };
        let hard = reach(rooms[1])?;
        let soft = if rooms[0] == rooms[1] { hard } else { reach(rooms[0])? };
        if soft >= text.len() && fits(text.len())? {
            return Ok(Some(text.len()));
        }
        // What begins with the chunk has ended there.
        let own = self.lines.level_at(body);
        let ends = |line: Place| own.is_none_or(|own| line.strength.level() <= own);
        let (mut soft, mut hard) = (soft, hard);
        for _ in 0..MAX_TRIES {
            let near = self.lines.strongest(body, soft);
            let is_ended = near.is_some_and(ends);
            let far = if is_ended { None } else { self.lines.first(soft, hard, ends) };
            let is_end = hard >= text.len() && !is_ended && far.is_none();
            let line = far.or(near).map(|line| line.start);
            let cut = if is_end { Some(text.len()) } else { line };
            let Some(cut) = cut else { return Ok(None) };
            if fits(cut)? {
                return Ok(Some(cut));
            }
            (soft, hard) = (soft.min(cut - 1), cut - 1);
        }
        Ok(None)
    }
}

/// The pieces of a chunk `open..end` whose own text begins at `body`.
fn around(open: usize, body: usize, end: usize) -> Vec<Piece> {
    let overlap = (open < body).then(|| Piece::overlap(Span::new(open, body)));
    overlap.into_iter().chain([Piece::body(Span::new(body, end))]).collect()
}

/// `span` from the start of its first line to the end of its last one, the line feed included; as it is in a line that
/// is too long to be read for it.
fn whole_lines(text: &str, source: &str, span: Span) -> Span {
    let around = Line::around(text, span.start, MAX_HEAD);
    let start = around.map_or(span.start, |line| line.start);
    let start = if skip_space(text, start) >= span.start { start } else { span.start };
    let upto = text.floor_char_boundary(text.len().min(span.end + MAX_HEAD));
    let feed = memchr(b'\n', &text.as_bytes()[span.end..upto]);
    let end = feed.map_or(span.end, |feed| span.end + feed + 1);
    // Some signs that end a line are two line feeds.
    Span::new(start, source.ceil_char_boundary(end))
}
