//! Sentences as pieces: headings with what follows them, short ones joined, long ones cut.

use crate::chunks::Chunks;
use crate::cut::chunker::Chunker;
use crate::cut::levels::Natural;
use crate::cut::pack::{add_chunk, best_end};
use crate::cut::structure::{Next, Structure};
use crate::error::Result;
use crate::markup::Markup;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::heading::Headings;
use crate::segment::sentence::{Language, Sentences};
use crate::span::Span;
use crate::unicode::line_ends::n_line_ends;
use crate::unicode::space::{skip_space, trim_end};

/// A heading of several sentences that no sign begins is no longer than so many bytes.
const MAX_HEADING: usize = 280;

/// How large the pieces are that sentences make, in the measure's unit.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// No piece has more; a sentence within it stays whole.
    pub max: usize,
    /// The parts of a longer sentence have this at most.
    pub part: usize,
    /// Neighbours without a blank line between them are joined up to this; 0 leaves each by itself.
    pub most: usize,
    /// What has less is joined with a neighbour wherever `max` allows it.
    pub least: usize,
    /// A code block within it stays whole, with the headings above it.
    pub block: usize,
}

/// The sentences of `text` as pieces.
///
/// A line break by itself ends no sentence. A heading is in one piece with what follows it, so that no
/// score can part the two. O(n) in the text's length.
///
/// # Errors
/// Those of the measure, and what `pulse` says.
pub fn sentences(
    text: &str,
    markup: Markup,
    measure: &dyn Measure,
    sizes: Sizes,
    language: Language,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let limits = Limits::new(sizes.part, None, 0)?;
    let chunker = Chunker::new(text, measure, limits, OverlapAt::Any, pulse);
    let levels = [Natural::Lines(text), Natural::Clauses(text), Natural::Words(text)];
    let headings = Headings::new(text, markup);
    let mut joiner =
        Joiner { chunker, levels, headings, sizes, after: Break::Block, after_heading: false };
    let mut sentences = Sentences::in_language(text, language);
    let structure = Structure::of(text, markup, Next::Sentence(language), measure, limits);
    let blocks = structure.as_ref().map_or(&[][..], Structure::blocks);
    let (mut blocks, mut done) = (blocks.iter().peekable(), 0);
    while let Some(sentence) = sentences.try_next(&joiner.chunker.beat)? {
        while let Some(block) = blocks.next_if(|block| block.start < sentence.end) {
            let start = skip_space(text, block.start);
            let block = Span::new(start, trim_end(text, start, block.end));
            if joiner.chunker.size(block)? <= sizes.block {
                joiner.part(Span::new(sentence.start.max(done), block.start))?;
                joiner.block(block)?;
                done = block.end;
            }
        }
        joiner.part(Span::new(sentence.start.max(done), sentence.end))?;
    }
    joiner.finish()
}

/// The pieces so far, of which the last one may still grow.
struct Joiner<'a> {
    /// Its limit is that of parts.
    chunker: Chunker<'a>,
    levels: [Natural<'a>; 3],
    headings: Headings<'a>,
    sizes: Sizes,
    /// What stands behind the last sentence.
    after: Break,
    /// Whether the last sentence is a heading, or a part of one.
    after_heading: bool,
}

/// What parts a sentence from the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Break {
    /// No line break.
    Blank,
    /// A line break.
    Line,
    /// A blank line.
    Block,
}

impl Break {
    /// That of `blank`, all whitespace.
    pub fn of(blank: &str) -> Self {
        match n_line_ends(blank) {
            0 => Self::Blank,
            1 => Self::Line,
            _ => Self::Block,
        }
    }
}

/// A piece and its size.
#[derive(Clone, Copy)]
struct Piece {
    span: Span,
    size: usize,
}

/// What a piece is beside another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Heading,
    /// Too small to be by itself.
    Thin,
    Full,
    /// Too large to be whole.
    Long,
}

/// What is done with a piece that is not joined with the last one.
enum Otherwise {
    /// It is one by itself, in parts if it is too large.
    Alone,
    /// It is cut, the first part with the last piece.
    Cut,
    /// The last one is joined with the one before, and it is one by itself.
    Back,
}

impl Joiner<'_> {
    /// Adds what is not in the last piece already of a sentence, or of a part of one.
    fn part(&mut self, part: Span) -> Result<()> {
        let text = self.chunker.text;
        let start = part.start.max(self.chunker.done());
        if start >= part.end {
            return Ok(());
        }
        let start = skip_space(&text[..part.end], start);
        let end = trim_end(text, start, part.end);
        if start < end {
            self.add(Span::new(start, end), Break::of(&text[end..part.end]))?;
        }
        Ok(())
    }

    /// Adds a code block that is to stay whole: to the headings above it, if both fit.
    fn block(&mut self, block: Span) -> Result<()> {
        let next = Piece { span: block, size: self.chunker.size(block)? };
        match self.last() {
            Some(last) if self.after_heading => {
                if !self.join(last, next, self.sizes.block)? {
                    self.keep(next);
                }
            }
            _ => self.keep(next),
        }
        (self.after, self.after_heading) = (Break::Block, false);
        Ok(())
    }

    /// Adds a sentence, behind which `after` stands: to the last piece, or behind it.
    fn add(&mut self, sentence: Span, after: Break) -> Result<()> {
        let is_heading =
            self.may_be_heading(sentence, after) && self.headings.before(sentence.end).is_some();
        let next = Piece { span: sentence, size: self.chunker.size(sentence)? };
        match self.last() {
            Some(last) => self.add_behind(last, next, is_heading)?,
            None => self.push(next)?,
        }
        (self.after, self.after_heading) = (after, is_heading);
        Ok(())
    }

    /// Whether the line that the sentence ends in can be a heading, as far as is seen at a glance.
    fn may_be_heading(&self, sentence: Span, after: Break) -> bool {
        let bytes = self.chunker.text.as_bytes();
        if self.after_heading {
            return true;
        }
        if after != Break::Blank {
            return self.after != Break::Blank
                || memchr::memchr(b'\n', &bytes[sentence.range()]).is_some();
        }
        let reach = bytes.len().min(sentence.start + MAX_HEADING);
        self.after != Break::Blank
            && (matches!(bytes[sentence.start], b'#' | b'=')
                || memchr::memchr(b'\n', &bytes[sentence.end.min(reach)..reach]).is_some())
    }

    /// Adds what follows `last`: with it, if both are no larger than the case allows.
    fn add_behind(&mut self, last: Piece, next: Piece, is_heading: bool) -> Result<()> {
        let [above, below] = [self.kind(last, self.after_heading), self.kind(next, is_heading)];
        let (upto, otherwise) = self.case(above, below);
        if upto == 0 || !self.join(last, next, upto)? {
            return match otherwise {
                Otherwise::Alone => self.push(next),
                Otherwise::Cut => self.cut(Some(last), next),
                Otherwise::Back => {
                    self.join_back()?;
                    self.push(next)
                }
            };
        }
        // What was too small above the heading did not fit anywhere: it may go here.
        if let [.., before, _] = *self.chunker.chunks.sizes()
            && (above, below == PieceKind::Heading) == (PieceKind::Heading, false)
            && before < self.sizes.least
        {
            self.join_back()?;
        }
        Ok(())
    }

    const fn kind(&self, piece: Piece, is_heading: bool) -> PieceKind {
        match piece.size {
            _ if is_heading => PieceKind::Heading,
            size if size < self.sizes.least => PieceKind::Thin,
            size if size > self.sizes.max => PieceKind::Long,
            _ => PieceKind::Full,
        }
    }

    /// Up to which size two neighbours are joined, and what is done with the second where they are not.
    fn case(&self, above: PieceKind, below: PieceKind) -> (usize, Otherwise) {
        let Sizes { max, most, .. } = self.sizes;
        let is_near = self.after != Break::Block && most > 0;
        match (above, below) {
            // What is cut anyway takes the heading above it along, or what is too small before it.
            (PieceKind::Heading | PieceKind::Thin, PieceKind::Long) => (max, Otherwise::Cut),
            // Nothing is cut for a heading.
            (PieceKind::Heading, _) => (max, Otherwise::Alone),
            // What stands above a heading has nothing to do with it.
            (PieceKind::Thin, PieceKind::Heading) => (0, Otherwise::Back),
            (_, PieceKind::Heading) => (0, Otherwise::Alone),
            // What is too small goes with what follows, else with what is before, over a blank line too.
            (PieceKind::Thin, _) => (max, Otherwise::Back),
            // What is large enough takes what is too small up to the limit, and else as much as is wanted.
            (_, PieceKind::Thin) if is_near => (max, Otherwise::Alone),
            (_, _) if is_near => (most, Otherwise::Alone),
            (_, _) => (0, Otherwise::Alone),
        }
    }

    /// Adds a piece of its own, in parts if it is too large.
    fn push(&mut self, piece: Piece) -> Result<()> {
        if piece.size > self.sizes.max {
            return self.cut(None, piece);
        }
        self.keep(piece);
        Ok(())
    }

    fn keep(&mut self, Piece { span, size }: Piece) {
        self.chunker.chunks.push(span.start, span.start, span.end, size);
    }

    /// Makes the last piece and the next one a single one of `max` at most, if that is possible.
    fn join(&mut self, last: Piece, next: Piece, max: usize) -> Result<bool> {
        let span = Span::new(last.span.start, next.span.end);
        let size = self.chunker.size(span)?;
        if size <= max {
            self.chunker.chunks.pop();
            self.keep(Piece { span, size });
        }
        Ok(size <= max)
    }

    /// Joins the last piece with the one before it, if both fit into one.
    fn join_back(&mut self) -> Result<bool> {
        let Some(last) = self.last() else { return Ok(false) };
        self.chunker.chunks.pop();
        let joined = match self.last() {
            Some(before) => self.join(before, last, self.sizes.max)?,
            None => false,
        };
        if !joined {
            self.keep(last);
        }
        Ok(joined)
    }

    /// Adds the parts of a piece; the first one begins with the last piece, if that is given and fits.
    fn cut(&mut self, last: Option<Piece>, piece: Piece) -> Result<()> {
        let Span { start: mut at, end } = piece.span;
        if let Some(last) = last {
            let open = last.span.start;
            if let Some(first) = best_end(&self.chunker, &mut self.levels, open, at, end, 0)? {
                self.chunker.chunks.pop();
                self.chunker.push(open, open, self.chunker.trimmed(at, first.cut))?;
                at = skip_space(self.chunker.text, first.next);
                self.join_thin()?;
            }
        }
        while at < end {
            let next = add_chunk(&mut self.chunker, &mut self.levels, at, end)?;
            at = skip_space(self.chunker.text, next);
            self.join_thin()?;
        }
        Ok(())
    }

    /// Joins the last piece with the one before it, if one of the two is too small and both fit into one.
    fn join_thin(&mut self) -> Result<()> {
        if let [.., before, last] = *self.chunker.chunks.sizes()
            && before.min(last) < self.sizes.least
        {
            self.join_back()?;
        }
        Ok(())
    }

    /// All pieces; there is nothing that the last one could still be joined with but what is before it.
    fn finish(mut self) -> Result<Chunks> {
        if self.last().is_some_and(|last| last.size < self.sizes.least) {
            self.join_back()?;
        }
        Ok(self.chunker.chunks)
    }

    fn last(&self) -> Option<Piece> {
        let chunks = &self.chunker.chunks;
        Some(Piece { span: chunks.last_body()?, size: *chunks.sizes().last()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::measure::Chars;
    use crate::pulse::no_pulse;
    use proptest::prelude::*;

    const SIZES: Sizes = Sizes { max: 60, part: 30, most: 30, least: 8, block: 60 };

    /// The pieces of `text`, measured in code points.
    fn pieces(text: &str, sizes: Sizes) -> Vec<&str> {
        let chars = Chars::new(Document::new(text));
        let found =
            sentences(text, Markup::Unknown, &chars, sizes, Language::english(), no_pulse())
                .unwrap();
        for (span, &size) in found.spans().zip(found.sizes()) {
            assert_eq!(text[span.range()].chars().count(), size);
        }
        found.spans().map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn sentences_run_over_line_breaks_and_are_joined_in_a_block() {
        let text = "The cat naps\non the sofa. It purrs,\nand it dreams.\n\nThe dog barks.";
        let whole = ["The cat naps\non the sofa.", "It purrs,\nand it dreams.", "The dog barks."];
        assert_eq!(pieces(text, SIZES), whole);
        let wide = Sizes { part: 55, most: 55, ..SIZES };
        let blocks = ["The cat naps\non the sofa. It purrs,\nand it dreams.", "The dog barks."];
        assert_eq!(pieces(text, wide), blocks);
    }

    #[test]
    fn what_is_too_small_is_joined_wherever_it_fits() {
        // With what follows, over a blank line; at the end with what stands before.
        assert_eq!(pieces("Ann:\n\nIt rains again.", SIZES), ["Ann:\n\nIt rains again."]);
        assert_eq!(pieces("It rains again.\n\nOh.", SIZES), ["It rains again.\n\nOh."]);
        // In a block with what stands before, although that is as large as pieces are joined.
        let text = "This sentence has thirty letters. Oh.\n\nThat is another block.";
        let joined = ["This sentence has thirty letters. Oh.", "That is another block."];
        assert_eq!(pieces(text, SIZES), joined);
        // Not over the limit: then it goes back.
        let long = format!("{}.", "word ".repeat(11).trim());
        let tight = Sizes { max: 58, ..SIZES };
        let text = format!("It rains again.\n\nOh.\n\n{long}");
        assert_eq!(pieces(&text, tight), ["It rains again.\n\nOh.", &long]);
        let text = format!("Oh.\n\n{long}\n\nOh.\n\n{long}");
        assert_eq!(pieces(&text, tight), ["Oh.", &long, "Oh.", &long]);
        // A part of a long sentence goes back to the part before.
        assert_eq!(
            pieces(&"word ".repeat(13), SIZES),
            ["word word word word word word", "word word word word word word word"]
        );
    }

    #[test]
    fn a_heading_is_in_one_piece_with_what_follows() {
        for sizes in [SIZES, Sizes { part: 60, most: 0, least: 0, ..SIZES }] {
            let text = "It rains here.\n\n# Sun\n\n## Noon\n\nThe sun shines.";
            let headed = ["It rains here.", "# Sun\n\n## Noon\n\nThe sun shines."];
            assert_eq!(pieces(text, sizes), headed);
        }
        // Where both do not fit, what follows is whole if it fits by itself, and cut behind the heading never.
        let heading = "# A heading of thirty-five letters!";
        let [short, long] = [9, 12].map(|n| format!("{heading}\n\n{}", "word, ".repeat(n)));
        let alone = Sizes { part: 60, most: 0, least: 0, ..SIZES };
        assert_eq!(pieces(&short, alone), [heading, short[heading.len()..].trim()]);
        assert_eq!(pieces(&long, alone)[0], format!("{heading}\n\nword, word, word, word,"));
        // What stands before a heading is not joined with it, even if it is small.
        let text = "It rains here.\n\nOh.\n\n# Sun\nIt shines.";
        assert_eq!(pieces(text, SIZES), ["It rains here.\n\nOh.", "# Sun\nIt shines."]);
        // But where nothing stands before, it goes to the heading and what is below.
        assert_eq!(pieces("Oh.\n\n# Sun\nIt shines.", SIZES), ["Oh.\n\n# Sun\nIt shines."]);
        let tight = Sizes { max: 16, part: 16, most: 16, ..SIZES };
        assert_eq!(pieces("Oh.\n\n# Sun\nIt shines.", tight), ["Oh.", "# Sun\nIt shines."]);
    }

    #[test]
    fn the_first_part_of_a_long_sentence_is_not_left_too_small() {
        let text = "aaa Aaaaaa,.\n\naaaa.\n\naa. Aaa Aa aaaa\naaaa aaaaa Aaa Aaaaaaaa! aa aaaa Aaaaaaa aaaa aaa";
        let (above, below) = text.split_at(text.rfind('\n').unwrap());
        assert_eq!(
            pieces(text, Sizes { most: 45, part: 45, least: 16, ..SIZES }),
            [above, &below[1..]]
        );
    }

    proptest! {
        #[test]
        fn no_piece_ends_inside_a_sentence_that_fits(
            words in prop::collection::vec("[A-C]?[a-c]{1,7}[.!?,]?", 1..80),
            breaks in prop::collection::vec(prop::sample::select(vec![" ", " ", "\n", ".\n\n"]), 80),
            most in 0_usize..60,
            least in 0_usize..20,
        ) {
            let parts = words.iter().zip(&breaks);
            let text: String = parts.flat_map(|(word, space)| [word.as_str(), space]).collect();
            let sizes = Sizes { max: 60, part: most.max(1), most, least, block: 60 };
            let chars = Chars::new(Document::new(&text));
            let found = sentences(&text, Markup::Unknown, &chars, sizes, Language::english(), no_pulse()).unwrap();
            let whole = Sentences::new(&text).filter(|sentence| {
                text[sentence.range()].trim().chars().count() <= sizes.max
            });
            for sentence in whole {
                let start = skip_space(&text, sentence.start);
                let end = trim_end(&text, start, sentence.end);
                let inside = found.spans().find(|piece| (start + 1..end).contains(&piece.end));
                prop_assert_eq!(inside, None);
            }
            // Two neighbours of which one is too small do not fit together.
            let (n, size) = (found.len(), |i: usize| found.sizes()[i]);
            for i in (0..n).filter(|&i| size(i) < least) {
                let both = |i: usize| {
                    let both = Span::new(found.span(i).start, found.span(i + 1).end);
                    text[both.range()].chars().count()
                };
                let before = i == 0 || both(i - 1) > sizes.max;
                let behind = i + 1 == n || both(i) > sizes.max;
                prop_assert!(before && behind, "{:?}", found.span(i));
            }
        }
    }
}
