//! Parts of fenced code: each begins with the opening fence of its block, its language included, and ends with the
//! closing one.
//!
//! A block that no chunk can hold begins a part, with what leads to it or with the little that stands in front of it:
//! so its parts stay as they are where the text above changes.
//!
//! A strategy cuts code where it cuts any text. What it has cut inside a block is cut again here, between lines, the
//! strongest as the code strategy has them, so that the fences that each part repeats have room; all strategies that know Markdown share that. What is repeated
//! has the role of a header, as that of a table has. A block whose fences take more than half of the limit stays as it
//! was cut.
//!
//! ```text
//! ```sh            ```sh            ```sh
//! rain             snow             hail
//! ```              ```              ```
//! ```
//!
//! O(n) in the text of the parts.

mod block;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::ops::Range;

use self::block::{CodeBlock, holding};
use super::chunker::{Chunker, Ends};
use super::code::lines::Lines;
use super::prefix::Prefixed;
use super::structure::{Next, Structure};
use crate::chunks::{Chunks, Content, Origin};
use crate::error::Result;
use crate::markup::Markup;
use crate::measure::ruler::Ruler;
use crate::options::Limits;
use crate::span::{Piece, Role, Span};
use crate::unicode::space::{is_space, skip_space, trim_end};

/// So many ends are tried for a part, each a line before the other, until one fits.
const MAX_TRIES: usize = 16;
/// What stands in front of a block in its first part counts for a whole number of so many shares of the limit, so that
/// the part ends where it did when that becomes a little longer; one share is taken along whatever it is.
const SHARES: usize = 4;
/// A part has at least one of so many parts of the code that has room in it, where a line ends behind that.
const LEAST: usize = 4;

/// `chunks` of the text of `chunker`, which is written in `markup`, those that are cut inside fenced code with its
/// fences. `is_kept` says where a chunk has to begin; a block with such a place inside stays as it was cut.
///
/// # Errors
/// Those of the measure and its ruler, and what the pulse says.
pub fn repeat_fences(
    chunker: Chunker<'_>,
    chunks: Chunks,
    markup: Markup,
    is_kept: impl Fn(usize) -> bool,
) -> Result<Chunks> {
    let Some(ruler) = chunker.measure.ruler() else { return Ok(chunks) };
    if markup != Markup::Markdown || chunks.len() < 2 {
        return Ok(chunks);
    }
    let mut chunker = chunker;
    let (measure, limits) = (chunker.measure, chunker.limits);
    chunker.structure = Structure::of(chunker.text, markup, Next::Paragraph, measure, limits);
    let blocks = chunker.structure.as_ref().map_or(&[][..], Structure::blocks);
    let mut blocks = CodeBlock::all(chunker.text, blocks);
    let starts = (0..chunks.len()).map(|i| chunks.body(i).start);
    let kept: Vec<usize> = starts.filter(|&start| is_kept(start)).collect();
    blocks.retain(|block| {
        let next = kept.partition_point(|&start| start <= block.span.start);
        kept.get(next).is_none_or(|&start| start >= block.span.end)
    });
    let is_cut = |i: usize| {
        let Span { start, end } = chunks.span(i);
        holding(&blocks, start).is_some() || holding(&blocks, end.saturating_sub(1)).is_some()
    };
    if blocks.is_empty() || !(0..chunks.len()).any(is_cut) {
        return Ok(chunks);
    }
    let bare = ruler.size("")?;
    let mut fencer = Fencer { chunker, ruler, bare, blocks, lines: Vec::new(), given: &chunks };
    fencer.blocks = fencer.small_fences()?;
    fencer.lines.resize_with(fencer.blocks.len(), OnceCell::new);
    let mut first = 0;
    while first < chunks.len() {
        let end = fencer.run_end(first);
        fencer.add(first..end)?;
        first = end;
    }
    Ok(fencer.chunker.chunks.with_cuts_of(&chunks))
}

/// A part of a run, which is tried.
struct Part {
    pieces: Vec<Piece>,
    size: usize,
    end: usize,
}

/// Makes parts of chunks that are cut inside code.
struct Fencer<'a> {
    chunker: Chunker<'a>,
    ruler: &'a dyn Ruler,
    /// The size of nothing.
    bare: usize,
    blocks: Vec<CodeBlock>,
    /// The lines of each block that is cut.
    lines: Vec<OnceCell<Lines>>,
    given: &'a Chunks,
}

impl Fencer<'_> {
    /// The blocks whose fences take no more than half of the limit.
    fn small_fences(&self) -> Result<Vec<CodeBlock>> {
        let mut small = Vec::new();
        for block in &self.blocks {
            let mut pieces = vec![block.opening()];
            pieces.extend(block.closing(self.chunker.text, block.code));
            if self.size(&pieces)?.saturating_sub(self.bare) <= self.chunker.limits.hard_max() / 2 {
                small.push(*block);
            }
        }
        Ok(small)
    }

    /// One past the last of the chunks from `first` on of which each is cut from the next one inside code.
    fn run_end(&self, first: usize) -> usize {
        let is_plain =
            |i: usize| self.given.pieces(i).iter().all(|piece| piece.role != Role::Header);
        let mut end = first + 1;
        while end < self.given.len()
            && is_plain(end - 1)
            && is_plain(end)
            && holding(&self.blocks, self.given.body(end).start).is_some()
        {
            end += 1;
        }
        end
    }

    /// Adds what becomes of the chunks `run`.
    fn add(&mut self, run: Range<usize>) -> Result<()> {
        let is_behind = |i: usize| self.given.span(i).end > self.given.body(i).end;
        let n_made = self.chunker.chunks.len();
        if run.len() > 1 && !run.clone().any(is_behind) && self.cut_again(&run)? {
            return Ok(());
        }
        while self.chunker.chunks.len() > n_made {
            self.chunker.chunks.pop();
        }
        run.into_iter().try_for_each(|i| self.add_as_cut(i))
    }

    /// Adds chunk `i` as it was cut, with the fences that it lacks, if they fit; an overlap that has no room beside
    /// them is left out.
    fn add_as_cut(&mut self, i: usize) -> Result<()> {
        let (pieces, own) = (self.given_pieces(i), self.given.body(i));
        let headings: Vec<Piece> =
            pieces.iter().filter(|piece| piece.role == Role::Heading).copied().collect();
        let is_table = pieces.iter().any(|piece| piece.role == Role::Header);
        let start = text_start(&pieces, own.start);
        let all = Span::new(start, self.given.span(i).end);
        let lacks_none = self.fences(all.start, all).concat().is_empty();
        for span in [all, own] {
            if is_table || lacks_none {
                break;
            }
            let [opening, closing] = self.fences(span.start, span);
            let fenced: Vec<Piece> = headings
                .iter()
                .copied()
                .chain(opening)
                .chain(around(span, own))
                .chain(closing)
                .collect();
            let size = self.size(&fenced)?;
            if size <= self.chunker.limits.hard_max() {
                self.chunker.chunks.push_pieces(&fenced, size);
                self.set_origin(i, None);
                return Ok(());
            }
        }
        if pieces == self.given.pieces(i) {
            self.chunker.chunks.push_row(self.given, i);
        } else {
            self.chunker.chunks.push_pieces(&pieces, self.size(&pieces)?);
            self.set_origin(i, None);
        }
        Ok(())
    }

    /// The pieces of chunk `i`, whose overlap begins no earlier than the text of the part before it, which may be
    /// shorter than the chunk that was there.
    fn given_pieces(&self, i: usize) -> Vec<Piece> {
        let mut pieces = self.given.pieces(i).to_vec();
        let made = &self.chunker.chunks;
        let least = made.len().checked_sub(1).map_or(0, |last| made.body(last).start);
        for piece in pieces.iter_mut().filter(|piece| piece.role == Role::Overlap) {
            piece.span.start = piece.span.start.max(least).min(piece.span.end);
        }
        pieces
    }

    /// What opens and closes the code that stands at the ends of `span`, a part whose text begins at `text_start`.
    fn fences(&self, text_start: usize, span: Span) -> [Vec<Piece>; 2] {
        let text = self.chunker.text;
        let opening = holding(&self.blocks, span.start).map(CodeBlock::opening);
        let is_begun = |block: &&CodeBlock| skip_space(text, block.span.start) < span.end;
        let block = holding(&self.blocks, skip_space(text, span.end)).filter(is_begun);
        let closing = block.map(|block| block.closing(text, text_start));
        [opening.into_iter().collect(), closing.unwrap_or_default()]
    }

    /// Adds parts of all the text of some chunks, as full as the limit allows; whether there is room for each.
    fn cut_again(&mut self, run: &Range<usize>) -> Result<bool> {
        let end = self.given.body(run.end - 1).end;
        let (mut at, mut number, mut own) = (self.given.body(run.start).start, 0, run.start);
        while at < end {
            while own + 1 < run.end && self.given.body(own + 1).start <= at {
                own += 1;
            }
            let front = self.front(run.start, own, at);
            let Some(part) = self.part(&front, Span::new(at, end))? else { return Ok(false) };
            self.chunker.beat.after(part.end - at)?;
            let next = part.end;
            self.chunker.chunks.push_pieces(&part.pieces, part.size);
            if !self.given.origins().is_empty() {
                let last = self.given.origins()[run.end - 1].end;
                self.set_origin(run.start, Some((last, number)));
            }
            at = self.next_start(next).min(end.max(next));
            number += 1;
        }
        Ok(true)
    }

    /// Where what stands behind `end` begins: inside code with the indentation of its line.
    fn next_start(&self, end: usize) -> usize {
        let text = self.chunker.text;
        let start = skip_space(text, end);
        let line = text[end..start].rfind('\n').map_or(start, |feed| end + feed + 1);
        if holding(&self.blocks, line).is_some() { line } else { start }
    }

    /// What the part at `at` repeats, of a run that begins with chunk `first`: the headings of chunk `own`, in which it
    /// begins, and if that is inside code what opens it; in front of the first part its overlap, too.
    fn front(&self, first: usize, own: usize, at: usize) -> Vec<Piece> {
        let is_first = at == self.given.body(first).start;
        let of = if is_first { first } else { own.max(first + 1) };
        let is_front =
            |piece: &&Piece| piece.role == Role::Heading || is_first && piece.role == Role::Overlap;
        let mut pieces: Vec<Piece> =
            self.given_pieces(of).iter().filter(is_front).copied().collect();
        let n_headings = pieces.iter().take_while(|piece| piece.role == Role::Heading).count();
        if let Some(block) = holding(&self.blocks, text_start(&pieces, at)) {
            pieces.insert(n_headings, block.opening());
        }
        pieces
    }

    /// The first part of `rest` behind `front`; without headings and overlap where these leave no room. None if there
    /// is no room for the fences.
    fn part(&self, front: &[Piece], rest: Span) -> Result<Option<Part>> {
        if let Some(part) = self.part_behind(front, rest)? {
            return Ok(Some(part));
        }
        let opening = holding(&self.blocks, rest.start).map(CodeBlock::opening);
        let bare: Vec<Piece> = opening.into_iter().collect();
        if bare == front { Ok(None) } else { self.part_behind(&bare, rest) }
    }

    fn part_behind(&self, front: &[Piece], rest: Span) -> Result<Option<Part>> {
        let limits = self.chunker.limits;
        let prefixed =
            Prefixed { chunker: &self.chunker, ruler: self.ruler, bare: self.bare, limits };
        let prefix = prefixed.prefix(front.to_vec())?;
        let whole = self.pieces(front, rest);
        let room = prefixed.room(&prefix, limits.soft_max());
        let reach = self.chunker.measure.longest(rest.start, room)?.min(rest.end);
        if reach >= trim_end(self.chunker.text, rest.start, rest.end) {
            let size = self.size(&whole)?;
            if size <= limits.hard_max() {
                return Ok(Some(Part { pieces: whole, size, end: rest.end }));
            }
        }
        let mut upto = reach;
        if let Some(block) = self.begun(rest.start, reach) {
            let lead = self.leads(block)[0];
            let taken = self.chunker.size(Span::new(rest.start, block.span.start))?;
            if lead > rest.start && taken > room / SHARES {
                let own = Span::new(rest.start, trim_end(self.chunker.text, rest.start, lead));
                let pieces = self.pieces(front, own);
                let size = self.size(&pieces)?;
                return Ok(Some(Part { pieces, size, end: own.end }));
            }
            let beside = self.beside(block, taken, room)?.min(reach);
            let has_line = self.last_line_end(block, rest.start, beside).is_some();
            upto = if has_line { beside } else { reach };
        }
        for _ in 0..MAX_TRIES {
            let Some(end) = self.last_end(rest, upto) else { break };
            let pieces = self.pieces(front, Span::new(rest.start, end));
            let size = self.size(&pieces)?;
            if size <= limits.hard_max() {
                return Ok(Some(Part { pieces, size, end }));
            }
            upto = end - 1;
        }
        self.inside_line(front, rest, room)
    }

    /// The block that begins behind `start` and goes on behind `reach`, if no chunk can hold it.
    fn begun(&self, start: usize, reach: usize) -> Option<&CodeBlock> {
        let next = self.blocks.partition_point(|block| block.span.end <= reach);
        let block = self.blocks.get(next).filter(|block| block.span.start < reach)?;
        let is_behind = skip_space(self.chunker.text, block.span.start) > start;
        (is_behind && !self.is_whole(block, start)).then_some(block)
    }

    /// How far a part of `room` reaches into a block, of which what stands in front of the block takes some.
    fn beside(&self, block: &CodeBlock, taken: usize, room: usize) -> Result<usize> {
        let share = room.div_ceil(SHARES).max(1);
        let left = room.saturating_sub(taken.next_multiple_of(share));
        self.chunker.measure.longest(block.span.start, left)
    }

    /// A part of a line that is too long to be whole.
    fn inside_line(&self, front: &[Piece], rest: Span, room: usize) -> Result<Option<Part>> {
        let text = self.chunker.text;
        let next = self.blocks.partition_point(|block| block.span.end <= rest.start);
        let Some(block) = self.blocks.get(next) else { return Ok(None) };
        let closing = block.closing(text, text_start(front, rest.start));
        let taken = self.size(&closing)?.saturating_sub(self.bare);
        let most = room.saturating_sub(taken).max(1);
        for most in [most, most / 4 * 3, most / 2] {
            let chunker = self.chunker.within(Limits::new(most.max(1), None, 0)?);
            let reach = chunker.measure.longest(rest.start, most)?.min(rest.end);
            let Some(whole) = chunker.graphemes(rest.start, rest.start, reach, Ends::Trimmed)?
            else {
                break;
            };
            let ends_word = text[whole..].starts_with(is_space);
            let word = if ends_word { None } else { text[rest.start..whole].rfind(is_space) };
            let word = word.map(|blank| rest.start + blank).filter(|&word| {
                word > block.code && whole < rest.end && !text[rest.start..word].trim().is_empty()
            });
            let end = trim_end(text, rest.start, word.unwrap_or(whole));
            if end <= block.code.max(rest.start) {
                break;
            }
            let pieces = self.pieces(front, Span::new(rest.start, end));
            let size = self.size(&pieces)?;
            if size <= self.chunker.limits.hard_max() {
                return Ok(Some(Part { pieces, size, end }));
            }
        }
        Ok(None)
    }

    /// All pieces of a part with that own text.
    fn pieces(&self, front: &[Piece], own: Span) -> Vec<Piece> {
        let own = Span::new(own.start, trim_end(self.chunker.text, own.start, own.end));
        let [_, closing] = self.fences(text_start(front, own.start), own);
        [front, &[Piece::body(own)], &closing].concat()
    }

    /// The last place up to `upto` where a part of `rest` may end: behind a line of code that is neither the first
    /// thing of its block nor followed by its closing fence alone, or at either end of a block.
    fn last_end(&self, rest: Span, upto: usize) -> Option<usize> {
        let behind = self.blocks.partition_point(|block| block.span.start <= upto);
        let met = self.blocks[..behind].iter().rev();
        for block in met.take_while(|block| block.span.end > rest.start) {
            if block.span.end <= upto && block.span.end < rest.end {
                return Some(block.span.end);
            }
            let is_whole = self.is_whole(block, rest.start);
            let line = if is_whole { None } else { self.last_line_end(block, rest.start, upto) };
            if line.is_some() {
                return line;
            }
            let before = trim_end(self.chunker.text, rest.start, self.lead(block, rest.start));
            if before > rest.start {
                return Some(before);
            }
        }
        None
    }

    /// The end of a line of code up to `upto` that a part from `start` on may end behind: the last of those where the
    /// author ended most.
    fn last_line_end(&self, block: &CodeBlock, start: usize, upto: usize) -> Option<usize> {
        let (text, from) = (self.chunker.text, block.code.max(start));
        let upto = upto.min(block.code_end().saturating_sub(1));
        let number = self.blocks.binary_search_by_key(&block.code, |block| block.code).ok()?;
        let lines = self.lines[number].get_or_init(|| block.lines(text));
        let strongest = |after: usize| lines.strongest(after - block.code, upto - block.code);
        let least = from + upto.checked_sub(from)? / LEAST;
        let next = block.code + strongest(least).or_else(|| strongest(from))?.start;
        Some(trim_end(text, from, next)).filter(|&end| end > from)
    }

    /// Where a block begins with the headings and the line that lead to it, as far as they stand behind `start`.
    fn lead(&self, block: &CodeBlock, start: usize) -> usize {
        self.leads(block).into_iter().find(|&lead| lead > start).unwrap_or(start)
    }

    /// Where a block begins: with the line that leads to it, with its headings, by itself.
    fn leads(&self, block: &CodeBlock) -> [usize; 3] {
        let at = block.span.start;
        let structure = self.chunker.structure.as_ref();
        structure.map_or([at; 3], |kept| [kept.far_lead(at), kept.lead(at), at])
    }

    /// Whether a block that begins behind `start` has room in a chunk of its own.
    fn is_whole(&self, block: &CodeBlock, start: usize) -> bool {
        let own = Span::new(skip_space(self.chunker.text, block.span.start), block.span.end);
        own.start > start && self.chunker.fits(own.start, own.end).unwrap_or(false)
    }

    fn size(&self, pieces: &[Piece]) -> Result<usize> {
        let mut spans = pieces.iter().map(|piece| piece.span);
        self.ruler.size_joined(self.chunker.text, self.chunker.measure, &mut spans)
    }

    /// Says of the chunk added last which elements it is made of: those of chunk `i`, up to an end if that is told,
    /// with a number among the parts.
    fn set_origin(&mut self, i: usize, up_to: Option<(usize, usize)>) {
        let Some(&origin) = self.given.origins().get(i) else { return };
        let (end, number) = up_to.unwrap_or((origin.end, 0));
        let (part, content) = (origin.part + number, Content::Text);
        self.chunker.chunks.set_origin(Origin { content, end, part, ..origin });
    }
}

/// Where the text of a part that begins at `start` behind `front` does, an overlap included.
fn text_start(front: &[Piece], start: usize) -> usize {
    let overlap = front.iter().find(|piece| piece.role == Role::Overlap);
    overlap.map_or(start, |piece| piece.span.start)
}

/// The pieces of `span`, of which `own` is a chunk's own text.
fn around(span: Span, own: Span) -> impl Iterator<Item = Piece> {
    let [before, behind] = [(span.start, own.start), (own.end, span.end)]
        .map(|(start, end)| Piece::overlap(Span::new(start, end.max(start))));
    [before, Piece::body(own), behind].into_iter().filter(|piece| !piece.span.is_empty())
}
