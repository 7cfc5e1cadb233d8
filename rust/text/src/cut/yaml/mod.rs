//! YAML strategy: chunks of whole lines between entries, under the keys and dashes around them.
//!
//! A chunk is a slice of the text from the start of an entry of a block collection to the end of another one,
//! at any depth. The lines of the keys above its start, and dashes, are repeated in front of it
//! ([`Role::Heading`]) with their indentation, so nothing has to be closed behind it. As many entries as fit
//! are taken; one that would fit alone is never cut, but begins the next chunk.
//!
//! YAML 1.2 has more ways to write a thing than JSON: flow collections, anchors, tags, several documents, block
//! scalars. Entries of block collections are told by [`read::yaml`](crate::syntax::yaml); all else is the value of
//! an entry, and is cut between lines or words where it is over the limit (`scalar`), a block scalar under the
//! line that opens it. A part that repeats keys parses; one of an anchor's alias may name what stands in another
//! part.

mod scalar;

use crate::chunks::Chunks;
use crate::cut::path_chunks::{PathChunks, repeated};
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::Limits;
use crate::pulse::Pulse;
use crate::span::{Piece, Role, Span};
use crate::syntax::yaml::{BLANKS, Entry, entries};

/// Cuts a text that is YAML between the entries of its block collections.
///
/// O(n log n) in the text's length. An empty text, and one of whitespace only, has no chunks.
///
/// ```
/// use chunkwright_text::cut::yaml::yaml;
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::measure::ruler::{CharRuler, Ruled};
/// use chunkwright_text::options::Limits;
/// use chunkwright_text::pulse::no_pulse;
///
/// let text = "rain:\n  mm: [3, 5]\n  days: 2\nsun: true\n";
/// let document = Document::new(text);
/// let measure = Ruled::new(Chars::new(document), CharRuler);
/// let chunks = yaml(document, &measure, Limits::new(22, None, 0)?, no_pulse())?;
/// let texts: Vec<_> = (0..chunks.len()).map(|i| chunks.text(i, text)).collect();
/// assert_eq!(texts, ["rain:\n  mm: [3, 5]\n", "rain:\n  days: 2\n", "sun: true\n"]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`](crate::error::Error::Read) if the text is no YAML; those of the measure, and what `pulse`
/// says.
pub fn yaml(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let text = document.text();
    let entries = entries(text, pulse)?;
    let points = (0..entries.len()).filter(|&i| !entries[i].is_inline).collect();
    let mut cutter = YamlCutter {
        text,
        entries: &entries,
        points,
        measure,
        limits,
        out: PathChunks::new(text, measure, limits, pulse),
    };
    let first = cutter.start(0);
    if entries.is_empty() {
        cutter.add_raw(Span::new(0, first))?;
    }
    let mut at = 0;
    while at < cutter.points.len() {
        at = cutter.add_chunk(at)?;
    }
    cutter.out.into_chunks()
}

/// A text on its way to chunks.
struct YamlCutter<'a> {
    text: &'a str,
    entries: &'a [Entry],
    /// The entries that begin a line: between them may be cut.
    points: Vec<usize>,
    measure: &'a dyn Measure,
    limits: Limits,
    out: PathChunks<'a>,
}

/// What is repeated in front of a chunk.
struct Path {
    opening: Vec<Piece>,
    size: usize,
    /// The point that a chunk under it may reach: behind it are lines with less indentation.
    bound: usize,
    is_whole: bool,
}

impl YamlCutter<'_> {
    /// Where the region of a point begins, that behind the last one at the end of the text.
    fn start(&self, point: usize) -> usize {
        self.points.get(point).map_or(self.text.len(), |&entry| self.entries[entry].start)
    }

    /// The first point behind an entry.
    fn point_behind(&self, entry: usize) -> usize {
        let last = self.entries[entry].last;
        self.points.partition_point(|&each| each < last)
    }

    /// Whether a point stands right behind the key or dash that it belongs to.
    fn is_bound(&self, point: usize) -> bool {
        self.points.get(point).is_some_and(|&entry| self.entries[entry].is_first)
    }

    /// The start of the line of an entry, or where it stands if it begins on the line of its parent.
    fn line_start(&self, entry: Entry) -> usize {
        let (start, own) = (entry.start, entry.own);
        self.text[start..own].rfind('\n').map_or(start, |at| start + at + 1)
    }

    /// The path of what stands in `parent`, in at most `room` units: the innermost levels that fit.
    fn path(&self, parent: Option<usize>, room: usize) -> Result<Path> {
        let (mut levels, mut size, mut next) = (Vec::new(), 0, parent);
        while let Some(i) = next {
            let entry = self.entries[i];
            let head = Span::new(self.line_start(entry), entry.head_end);
            let has_head = entry.has_head && !head.is_empty();
            if has_head {
                let more = self.measure.size(head)?;
                if size + more > room {
                    break;
                }
                size += more;
            }
            levels.push((i, head, has_head));
            next = entry.parent;
        }
        let is_whole = next.is_none();
        while !is_whole && levels.last().is_some_and(|&(i, ..)| self.entries[i].is_inline) {
            levels.pop();
        }
        let bound = match levels.last() {
            _ if is_whole => self.points.len(),
            Some(&(i, ..)) => self.point_behind(i),
            None => parent.map_or(self.points.len(), |parent| self.point_behind(parent)),
        };
        let mut opening: Vec<Piece> = Vec::with_capacity(levels.len());
        for &(i, head, has_head) in levels.iter().rev() {
            if has_head {
                let is_behind = self.is_open(&opening);
                let start = if is_behind { self.entries[i].own } else { head.start };
                opening.push(repeated(start, head.end, Role::Heading));
            }
        }
        Ok(Path { opening, size, bound, is_whole })
    }

    /// Whether what is repeated ends within a line, behind a dash.
    fn is_open(&self, opening: &[Piece]) -> bool {
        opening.last().is_some_and(|piece| !self.text[piece.span.range()].ends_with('\n'))
    }

    /// Where the text of a chunk begins: behind blank lines, and behind the indentation where that is
    /// repeated.
    fn body_start(&self, start: usize, opening: &[Piece]) -> usize {
        let rest = &self.text[start..];
        let n = rest.len() - rest.trim_start_matches(BLANKS).len();
        if self.is_open(opening) {
            return start + n;
        }
        rest[..n].rfind('\n').map_or(start, |at| start + at + 1)
    }

    /// Adds the chunk that begins at a point; where the next one begins.
    fn add_chunk(&mut self, at: usize) -> Result<usize> {
        let parent = self.entries[self.points[at]].parent;
        for room in [self.limits.soft_max() / 2, 0] {
            let path = self.path(parent, room)?;
            let start = self.body_start(self.start(at), &path.opening);
            if let Some((stop, size)) = self.stop(at, &path, start)? {
                let end = self.start(stop).max(start);
                self.add(&path, Span::new(start, end), size)?;
                return Ok(stop);
            }
        }
        self.add_long(at)
    }

    /// Where the chunk ends that begins at a point, and its size; none if not even its first scalar fits.
    fn stop(&self, at: usize, path: &Path, start: usize) -> Result<Option<(usize, usize)>> {
        let (soft, hard) = (self.limits.soft_max(), self.limits.hard_max());
        let size = |point: usize| {
            // A document and its first key begin at one place, which may be before blank lines.
            let end = self.start(point).max(start);
            self.out.composed(&path.opening, Span::new(start, end), &[])
        };
        let reach = self.measure.longest(start, soft.saturating_sub(path.size).max(1))?;
        let within = &self.points[at + 1..path.bound];
        let mut stop = at + within.partition_point(|&entry| self.entries[entry].start <= reach);
        if self.start(path.bound) <= reach {
            stop = path.bound;
        }
        while stop < path.bound && size(stop + 1)? <= soft {
            stop += 1;
        }
        let mut stride = 1;
        while stop > at && size(stop)? > soft {
            stop = stop.saturating_sub(stride).max(at);
            stride *= 2;
        }
        stop = self.before_begun(at, stop)?;
        while stop > at && self.is_bound(stop) {
            stop -= 1;
        }
        if stop > at {
            return Ok(Some((stop, size(stop)?)));
        }
        let first = self.behind_first(at);
        Ok(Some((first, size(first)?)).filter(|&(_, size)| size <= hard))
    }

    /// The point behind the first scalar at or behind a point.
    fn behind_first(&self, at: usize) -> usize {
        let mut point = at + 1;
        while self.is_bound(point) {
            point += 1;
        }
        point
    }

    /// `stop`, or the start of the outermost collection begun before it that fits into a chunk of its own.
    fn before_begun(&self, at: usize, stop: usize) -> Result<usize> {
        let Some(&entry) = self.points.get(stop).filter(|_| stop > at) else { return Ok(stop) };
        let mut begun = Vec::new();
        let mut next = self.entries[entry].parent;
        while let Some(parent) = next.filter(|&parent| parent > self.points[at]) {
            if !self.entries[parent].is_inline {
                begun.push(parent);
            }
            next = self.entries[parent].parent;
        }
        let Some(&inner) = begun.first() else { return Ok(stop) };
        let hard = self.limits.hard_max();
        let reach = self.measure.longest(self.entries[inner].start, hard)?;
        for &entry in begun.iter().rev() {
            let end = self.start(self.point_behind(entry));
            if end > reach {
                continue;
            }
            let path = self.path(self.entries[entry].parent, self.limits.soft_max() / 2)?;
            let start = self.body_start(self.entries[entry].start, &path.opening);
            let body = Span::new(start, end);
            if self.out.composed(&path.opening, body, &[])? <= hard {
                return Ok(self.points.partition_point(|&each| each < entry));
            }
        }
        Ok(stop)
    }

    /// Adds a chunk of whole entries, none of blank lines alone that belong to the chunk before.
    fn add(&mut self, path: &Path, body: Span, size: usize) -> Result<()> {
        if body.is_empty() {
            return Ok(());
        }
        if path.is_whole {
            self.out.add(&path.opening, body, &[], size)
        } else {
            self.out.add_alone(&path.opening, body, &[], size)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Chars;
    use crate::measure::ruler::{CharRuler, Ruled};
    use crate::pulse::no_pulse;

    /// The chunks of a text, of a character each.
    fn cut(text: &str) -> Vec<String> {
        let document = Document::new(text);
        let measure = Ruled::new(Chars::new(document), CharRuler);
        let limits = Limits::new(1, None, 0).unwrap();
        let chunks = yaml(document, &measure, limits, no_pulse()).unwrap();
        (0..chunks.len()).map(|i| chunks.text(i, text).into_owned()).collect()
    }

    #[test]
    fn no_chunk_is_empty() {
        assert_eq!(cut("&x \r---\n"), ["&", "x", "-", "-", "-"]);
    }

    #[test]
    fn lines_that_a_carriage_return_ends_lose_nothing() {
        assert_eq!(cut("? \r...\n日本"), ["?", ".", ".", ".", "日", "本"]);
    }
}
