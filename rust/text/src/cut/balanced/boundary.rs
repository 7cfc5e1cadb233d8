//! Candidate boundaries of a text, with their strengths and the sizes between them.
//!
//! They are the boundaries of sentences; inside a sentence over the limit also those of [`super::interior`]. Where
//! several stand close together, the strongest stays. Headings end no chunk: there is no boundary behind them, nor inside.

use super::Room;
use super::objective::Strength;
use crate::cut::chunker::Chunker;
use crate::cut::structure::{Next, Structure};
use crate::cut::table::in_text::TextTable;
use crate::error::Result;
use crate::markup::Markup;
use crate::segment::lead_in::Led;
use crate::segment::line::next_column;
use crate::segment::sentence::{Language, Sentences};
use crate::span::Span;
use crate::unicode::line_ends::n_line_ends;
use crate::unicode::space::{skip_space, trim_end};

/// Two neighbouring parts that make up less than this fraction of the target are joined.
const THIN: usize = 24;
/// What a boundary costs, in bytes of text that take as long.
const MARK_BYTES: usize = 256;
/// Larger sizes are told apart by no limit.
const MAX_SIZE: usize = 1 << 40;

/// A place where a chunk may end and the next one begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where the chunk before ends, without whitespace.
    pub end: usize,
    /// Where the chunk behind begins, without whitespace.
    pub start: usize,
    /// Units up to `end`.
    to_end: usize,
    /// Units up to `start`.
    to_start: usize,
    /// How good it is to cut here.
    pub strength: Strength,
    /// Of the words around.
    pub hash: u16,
}

impl Mark {
    /// Units from here to `end`, as the sizes of the parts between add up.
    #[inline]
    pub fn size_to(&self, end: &Self) -> usize {
        end.to_end.saturating_sub(self.to_start)
    }
}

/// All marks of a text, the first at its start and the last at its end; none inside one of `tables`.
///
/// O(n). The measure is asked for two spans a mark, and for how far a chunk reaches where no boundary is
/// near inside a sentence over the limit.
///
/// # Errors
/// Those of the measure and of the pulse.
pub fn marks(
    chunker: &Chunker<'_>,
    room: Room,
    language: Language,
    markup: Markup,
    tables: &[TextTable<'_>],
) -> Result<Vec<Mark>> {
    let text = chunker.text;
    let start = skip_space(text, 0);
    let first =
        Mark { end: start, start, to_end: 0, to_start: 0, strength: Strength::Paragraph, hash: 0 };
    let next = Next::Sentence(language);
    let structure = Structure::new(text, markup, next, chunker.measure, chunker.limits);
    let mut finder =
        Finder { chunker, structure, room, marks: vec![first], entry: 0, is_within: false };
    let mut sentences = Sentences::in_language(text, language);
    let blocks = blocks(chunker, tables)?;
    let (mut blocks, mut done) = (blocks.into_iter().peekable(), 0);
    while let Some(sentence) = sentences.try_next(&chunker.beat)? {
        while let Some((block, is_table)) = blocks.next_if(|(block, _)| block.start < sentence.end)
        {
            finder.sentence(Span::new(sentence.start.max(done), block.start))?;
            if is_table {
                finder.table(block)?;
            } else {
                finder.code(block)?;
            }
            done = block.end;
        }
        if done < sentence.end {
            finder.sentence(Span::new(sentence.start.max(done), sentence.end))?;
        }
    }
    Ok(finder.marks)
}

/// The tables and code blocks of a text, and whether each is a table; in order and disjoint. Tables have their captions
/// where these fit.
fn blocks(chunker: &Chunker<'_>, tables: &[TextTable<'_>]) -> Result<Vec<(Span, bool)>> {
    let fences = chunker.structure.as_ref().map_or(&[][..], Structure::blocks);
    let mut blocks = Vec::with_capacity(tables.len() + fences.len());
    for table in tables {
        let (own, both) = (table.span, table.captioned);
        // What is split has no captions that take more than half.
        let size_of_captions = chunker.size(both)?.saturating_sub(chunker.size(own)?);
        let split = if size_of_captions <= chunker.limits.hard_max() / 2 { both } else { own };
        blocks.push((table.whole(chunker)?.unwrap_or(split), true));
    }
    blocks.extend(fences.iter().map(|&fence| (fence, false)));
    blocks.sort_by_key(|(span, _)| span.start);
    let mut end = 0;
    blocks.retain(|(span, _)| {
        let is_behind = span.start >= end;
        end = end.max(span.end);
        is_behind
    });
    Ok(blocks)
}

/// The marks that were found so far.
pub(super) struct Finder<'a> {
    pub(super) chunker: &'a Chunker<'a>,
    pub(super) structure: Structure<'a>,
    pub(super) room: Room,
    marks: Vec<Mark>,
    /// How far the entry is indented in which the last mark stands: an item, a paragraph, a line of a log.
    entry: usize,
    /// Whether the line behind the last mark is indented more.
    is_within: bool,
}

impl Finder<'_> {
    /// Adds the boundary behind a sentence, and those inside it that are stronger.
    fn sentence(&mut self, sentence: Span) -> Result<()> {
        let text = self.chunker.text;
        let mut behind = sentence.start;
        for at in memchr::memchr_iter(b'\n', &text.as_bytes()[sentence.range()]) {
            let line = sentence.start + at;
            if line < behind {
                continue;
            }
            let next = skip_space(&text[..sentence.end], line);
            if next < sentence.end && self.between(line, next) <= Strength::Paragraph {
                self.whole(next)?;
            }
            behind = next;
        }
        self.whole(sentence.end)
    }

    /// Adds the boundary behind a table; of one that is split, none between it and a short line that leads
    /// to it.
    fn table(&mut self, table: Span) -> Result<()> {
        if let [.., before, last] = &self.marks[..]
            && last.strength == Strength::LeadIn
            && before.size_to(last) <= self.room.hard / 2
            && self.size(table.start, table.end)? > self.room.hard
        {
            self.marks.pop();
        }
        self.behind(table.end)
    }

    /// Adds the boundary behind a code block, and those between its lines if no chunk can hold it.
    fn code(&mut self, code: Span) -> Result<()> {
        let text = self.chunker.text;
        let start = skip_space(text, code.start).min(code.end);
        // One that nothing closes goes on to the end of the text.
        let end = trim_end(text, start, code.end);
        if start < end && self.size(start, end)? > self.room.hard {
            self.lines(Span::new(start, end))?;
        }
        self.behind(end)
    }

    /// Adds the boundaries between the lines of `code`, but for those next to its fences.
    fn lines(&mut self, code: Span) -> Result<()> {
        let text = self.chunker.text;
        let bytes = &text.as_bytes()[code.range()];
        let last = code.start + memchr::memrchr(b'\n', bytes).unwrap_or(bytes.len());
        let feeds = memchr::memchr_iter(b'\n', bytes).map(|at| code.start + at);
        // The fence that opens it goes with the first line.
        for feed in feeds.skip(1).take_while(|&feed| feed < last) {
            let is_blank = text.as_bytes()[feed + 1..].starts_with(b"\n");
            self.line(feed, if is_blank { Strength::Line } else { Strength::Break })?;
        }
        let (start, end) = (self.last().start, code.end);
        let size = self.size(start, end)?;
        if size > self.room.hard { self.parts(start, end, size) } else { Ok(()) }
    }

    /// Adds the boundary behind a block, which ends at `end`.
    fn behind(&mut self, end: usize) -> Result<()> {
        let next = skip_space(self.chunker.text, end);
        self.add(end, self.between(end, next))
    }

    /// Adds the boundary at `cut`; if what lies between the last one and it is too much for a chunk, also
    /// some inside.
    fn whole(&mut self, cut: usize) -> Result<()> {
        let text = self.chunker.text;
        let start = self.last().start;
        let end = trim_end(text, start.min(cut), cut);
        if end <= start {
            return Ok(());
        }
        if let Some(run) = self.structure.bound(end)? {
            // Headings are measured with what follows them. Marks begin behind their indent.
            let run = skip_space(text, run);
            while self.marks.len() > 1 && self.last().start > run {
                self.marks.pop();
            }
            if skip_space(text, self.structure.lead(end)) < run && self.last().start < run {
                // Those above them that have no room beside it end before.
                let start = self.last().start;
                return self.close(start, trim_end(text, start, run));
            }
            return Ok(());
        }
        self.close(start, end)
    }

    /// Adds the boundary at `end`; if what lies between `start`, the last one, and it is too much for a chunk, also
    /// some inside.
    fn close(&mut self, start: usize, end: usize) -> Result<()> {
        let text = self.chunker.text;
        let size = self.size(start, end)?;
        if size > self.room.hard {
            self.parts(start, end, size)?;
        }
        let next = skip_space(text, end);
        self.add(end, self.between(end, next))
    }

    pub(super) fn fits(&self, at: usize, cut: usize) -> Result<bool> {
        self.chunker.fits(at, trim_end(self.chunker.text, at, cut))
    }

    /// Adds a mark at `end`, which lies behind the last one.
    pub(super) fn add(&mut self, end: usize, strength: Strength) -> Result<()> {
        self.chunker.beat.after(MARK_BYTES)?;
        let text = self.chunker.text;
        let last = *self.last();
        let part = self.size(last.start, end)?;
        let joined = if last.start == last.end { part } else { self.size(last.end, end)? };
        let to_end = last.to_end.saturating_add(joined.max(part));
        self.last_mut().to_start = to_end.saturating_sub(part);
        let start = skip_space(text, end);
        let strength = self.in_entry(Span::new(end, start), strength);
        let hash = hash(text, end, start);
        self.thin(to_end, strength);
        self.marks.push(Mark { end, start, to_end, to_start: to_end, strength, hash });
        Ok(())
    }

    /// The strength of a boundary at some whitespace: weaker where the line behind is indented more than the entry
    /// before, and so belongs to that, and stronger behind such lines.
    fn in_entry(&mut self, blank: Span, strength: Strength) -> Strength {
        let blank = &self.chunker.text[blank.range()];
        let Some(feed) = memchr::memrchr(b'\n', blank.as_bytes()) else { return strength };
        let indent = blank[feed + 1..].bytes().fold(0, next_column);
        let was_within = std::mem::replace(&mut self.is_within, indent > self.entry);
        if !self.is_within {
            self.entry = indent;
            // An entry of several lines ends here.
            let ends = was_within && strength == Strength::Break;
            return if ends { Strength::Line } else { strength };
        }
        match strength {
            Strength::Paragraph => Strength::Sentence,
            Strength::Line => Strength::Break,
            Strength::Break => Strength::Clause,
            other => other,
        }
    }

    /// Takes marks off that are close to those around them and no stronger than both, before one of
    /// `strength` is added.
    fn thin(&mut self, to_end: usize, strength: Strength) {
        while let [.., before, last] = &self.marks[..] {
            let together = to_end.saturating_sub(before.to_start);
            let is_peak = last.strength < strength && last.strength < before.strength;
            if is_peak || together > self.room.target / THIN {
                return;
            }
            self.marks.pop();
        }
    }

    /// The strength of a boundary between sentences, by the whitespace from `end` to `start` and what
    /// stands behind it.
    fn between(&self, end: usize, start: usize) -> Strength {
        match n_line_ends(&self.chunker.text[end..start]) {
            0 => Strength::Sentence,
            _ if Led::at(self.chunker.text, start).is_some() => Strength::LeadIn,
            _ if self.structure.headings().begins(start) => Strength::Heading,
            1 => Strength::Line,
            _ => Strength::Paragraph,
        }
    }

    pub(super) fn size(&self, start: usize, end: usize) -> Result<usize> {
        Ok(self.chunker.size(Span::new(start, end))?.min(MAX_SIZE))
    }

    pub(super) fn last(&self) -> &Mark {
        &self.marks[self.marks.len() - 1]
    }

    fn last_mut(&mut self) -> &mut Mark {
        let last = self.marks.len() - 1;
        &mut self.marks[last]
    }
}

/// A number that the words around a boundary have by chance, and keep wherever they stand.
fn hash(text: &str, end: usize, start: usize) -> u16 {
    let bytes = text.as_bytes();
    let word = |from: usize| {
        let mut word = [0; 8];
        let part = &bytes[from.min(bytes.len())..bytes.len().min(from + 8)];
        word[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(word)
    };
    let mixed = [end.saturating_sub(8), start, start + 8].iter().fold(0, |hash: u64, &from| {
        (hash.rotate_left(23) ^ word(from)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    u16::try_from(mixed >> 48).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Strength::{Clause, Grapheme, Heading, Line, Paragraph, Sentence, Word};
    use super::*;
    use crate::document::Document;
    use crate::measure::Chars;
    use crate::options::{Limits, OverlapAt};
    use crate::pulse::no_pulse;

    /// What lies between the marks of `text`, and their strengths.
    fn parts(text: &str, max: usize) -> Vec<(&str, Strength)> {
        let (measure, limits) =
            (Chars::new(Document::new(text)), Limits::new(max, None, 0).unwrap());
        let chunker = Chunker::new(text, &measure, limits, OverlapAt::Word, no_pulse());
        let marks =
            marks(&chunker, Room::new(limits), Language::english(), Markup::Unknown, &[]).unwrap();
        let parts =
            marks.windows(2).map(|pair| (&text[pair[0].start..pair[1].end], pair[1].strength));
        for (from, to) in marks
            .iter()
            .enumerate()
            .flat_map(|(i, to)| marks[..i].iter().map(move |from| (from, to)))
        {
            assert_eq!(from.size_to(to), text[from.start..to.end].chars().count());
        }
        parts.collect()
    }

    #[test]
    fn boundaries_have_strengths() {
        let text = "# Title! \n\nOne. Two. \nThree.\n\n= Wiki =\nFour.";
        let expected = [
            ("# Title! \n\nOne.", Sentence),
            ("Two.", Line),
            ("Three.", Heading),
            ("= Wiki =\nFour.", Sentence),
        ];
        assert_eq!(parts(text, 20), expected);
        assert_eq!(
            parts("One.\n\nTwo. \nThree", 20),
            [("One.", Paragraph), ("Two.", Line), ("Three", Sentence)]
        );
        assert_eq!(parts("#hash is none\n=\nx", 20), [("#hash is none\n=\nx", Sentence)]);
    }

    #[test]
    fn a_heading_that_is_indented_takes_nothing_from_above() {
        let expected = [("One two three.", Heading), ("# Title\n\nFour.", Sentence)];
        assert_eq!(parts("One two three.\n\n # Title\n\nFour.", 15), expected);
    }

    #[test]
    fn a_sentence_over_the_limit_has_boundaries_inside() {
        let text = "aaaa bbbb cccc, dddd eeee ffff";
        let marks: Vec<_> = parts(text, 20).into_iter().map(|(_, strength)| strength).collect();
        assert!(marks.contains(&Clause) || marks.contains(&Word));
        assert!(parts(&"x".repeat(50), 20).iter().rev().skip(1).all(|part| part.1 == Grapheme));
        assert!(parts("e\u{301}e\u{301}e\u{301}", 1).len() == 3);
    }

    #[test]
    fn of_parts_too_small_the_strongest_ends_stay() {
        let text = format!("{}\n\n{}", "A. ".repeat(60), "B. ".repeat(60));
        let parts = parts(&text, 400);
        assert!(parts.len() < 50);
        assert!(parts.iter().any(|part| part.1 == Paragraph));
    }
}
