//! Long scalars of a YAML text, cut between lines or words, and what fits nowhere.

use super::YamlCutter;
use crate::cut::path_chunks::repeated;
use crate::error::Result;
use crate::segment::grapheme;
use crate::span::{Piece, Role, Span};
use crate::syntax::yaml::{BLANKS, Entry, EntryKind};

/// After so many places in a scalar that do not fit, the next ones are half as far.
const MAX_TRIES: usize = 8;
/// So many blanks behind a place are read to tell whether a line ends in them.
const MAX_BLANKS: usize = 256;

impl YamlCutter<'_> {
    /// Adds the chunks of the first scalar at or behind a point, which does not fit into one; the point
    /// behind it.
    pub(super) fn add_long(&mut self, at: usize) -> Result<usize> {
        let behind = self.behind_first(at);
        let end = self.start(behind);
        let of = self.points.get(behind).map_or(self.entries.len(), |&entry| entry) - 1;
        let leaf = self.entries[of];
        let half = self.limits.soft_max() / 2;
        let path = self.path(self.entries[self.points[at]].parent, half)?;
        let start = self.body_start(self.start(at), &path.opening);
        if matches!(leaf.kind, EntryKind::Opaque | EntryKind::Collection) {
            self.add_raw(Span::new(start, end))?;
            return Ok(behind);
        }
        let mut scalar = Scalar::of(self.text, leaf, end);
        let mut rest = self.add_parts(&mut scalar, &path.opening, start)?;
        if rest == start {
            rest = self.add_apart(&mut scalar, of, start)?;
        }
        if rest > scalar.content.start {
            rest = self.add_rest(&mut scalar, rest)?;
        }
        self.add_raw(Span::new(rest, end))?;
        Ok(behind)
    }

    /// Adds what stands from `start` on in front of the scalar of entry `of` by itself, and the first part of the
    /// scalar; where the next part begins.
    fn add_apart(&mut self, scalar: &mut Scalar<'_>, of: usize, start: usize) -> Result<usize> {
        let mut outer = of;
        while let Some(parent) =
            self.entries[outer].parent.filter(|_| self.entries[outer].is_inline)
        {
            outer = parent;
        }
        let line = self.line_start(self.entries[outer]).max(start);
        self.add_raw(Span::new(start, line))?;
        let opening = self.path(self.entries[outer].parent, self.limits.soft_max() / 2)?.opening;
        let line = self.body_start(line, &opening);
        let rest = self.add_parts(scalar, &opening, line)?;
        if rest == line { self.add_parts(scalar, &[], line) } else { Ok(rest) }
    }

    /// Adds the parts of a scalar from `rest` on, as many as fit behind what is repeated in front of them; where
    /// the next one begins.
    fn add_rest(&mut self, scalar: &mut Scalar<'_>, mut rest: usize) -> Result<usize> {
        for room in [self.limits.soft_max() / 2, 0] {
            loop {
                let mut opening = self.path(scalar.leaf.parent, room)?.opening;
                self.add_head(&mut opening, scalar, rest);
                let next = self.add_parts(scalar, &opening, rest)?;
                if next == rest {
                    break;
                }
                rest = next;
            }
        }
        Ok(rest)
    }

    /// Adds to a path what is repeated of a scalar in front of its part from `at` on.
    fn add_head(&self, opening: &mut Vec<Piece>, scalar: &Scalar<'_>, at: usize) {
        let Entry { own, is_inline, .. } = scalar.leaf;
        let is_whole_line = !self.is_open(opening) && !is_inline;
        let start = if is_whole_line { self.line_start(scalar.leaf).min(own) } else { own };
        if start < scalar.head_end {
            opening.push(repeated(start, scalar.head_end, Role::Heading));
        }
        if scalar.leaf.kind == EntryKind::Block && !self.text[..at].ends_with('\n') {
            let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
            opening.push(repeated(line, line + scalar.indent(line), Role::Heading));
        }
    }

    /// Adds a part of a scalar, or the rest of it; where the next part begins, `at` if none fits.
    fn add_parts(
        &mut self,
        scalar: &mut Scalar<'_>,
        opening: &[Piece],
        at: usize,
    ) -> Result<usize> {
        let hard = self.limits.hard_max();
        if at >= scalar.content.end {
            return Ok(at);
        }
        let reach = self.measure.longest(at, hard)?;
        for end in [scalar.region_end, scalar.line_end] {
            let body = Span::new(at, end);
            if end <= reach && self.out.composed(opening, body, &[])? <= hard {
                let size = self.out.composed(opening, body, &[])?;
                self.add_part(opening, body, &[], size)?;
                return Ok(end);
            }
        }
        let quote = repeated(scalar.content.end, scalar.content.end + 1, Role::Header);
        let closing = if scalar.is_quoted() { &[quote][..] } else { &[] };
        for max in [self.limits.soft_max(), hard] {
            if let Some((end, size)) = self.fit(scalar, opening, at, closing, max)? {
                self.add_part(opening, Span::new(at, end), closing, size)?;
                return Ok(end);
            }
        }
        Ok(at)
    }

    /// Where a part from `at` on ends that fits, and its size.
    fn fit(
        &self,
        scalar: &Scalar<'_>,
        opening: &[Piece],
        at: usize,
        closing: &[Piece],
        max: usize,
    ) -> Result<Option<(usize, usize)>> {
        let mut room = max;
        for piece in opening.iter().chain(closing) {
            room = room.saturating_sub(self.measure.size(piece.span)?);
        }
        let from = at.max(scalar.content.start);
        let mut upto = self.measure.longest(at, room.max(1))?.min(scalar.content.end - 1);
        for n_tries in 0.. {
            let Some(cut) = scalar.floor(from, upto) else { break };
            let size = self.out.composed(opening, Span::new(at, cut), closing)?;
            if size <= max {
                return Ok(Some((cut, size)));
            }
            let before = self.text.floor_char_boundary(cut - 1);
            upto = if n_tries < MAX_TRIES { before } else { from + (before - from) / 2 };
        }
        Ok(None)
    }

    /// Adds what stands by itself, cut between lines, words, or letters.
    pub(super) fn add_raw(&mut self, span: Span) -> Result<()> {
        let text = self.text;
        let mut at = span.start;
        while at < span.end {
            let rest = Span::new(at, span.end);
            let floor = |upto| raw_floor(text, at, upto, span.end);
            let (end, size) = self.out.part_that_fits(rest, floor)?;
            self.add_part(&[], Span::new(at, end), &[], size)?;
            at = end;
        }
        Ok(())
    }

    fn add_part(
        &mut self,
        opening: &[Piece],
        body: Span,
        closing: &[Piece],
        size: usize,
    ) -> Result<()> {
        if self.text[body.range()].trim_matches(BLANKS).is_empty() {
            return Ok(());
        }
        self.out.add_alone(opening, body, closing, size)
    }
}

/// The last place up to `upto` between lines, else between words or graphemes.
fn raw_floor(text: &str, at: usize, upto: usize, end: usize) -> usize {
    if upto >= end {
        return end;
    }
    let upto = text.floor_char_boundary(upto);
    let part = &text[at..upto];
    if let Some(line) = part.rfind('\n') {
        return at + line + 1;
    }
    let half = text.floor_char_boundary(usize::midpoint(at, upto));
    match text[half..upto].rfind(' ') {
        Some(space) => half + space + 1,
        None => grapheme::floor(text, at, upto),
    }
}

/// A scalar that is cut.
struct Scalar<'t> {
    text: &'t str,
    leaf: Entry,
    /// The end of what is repeated in front of its parts: its key, and a quote or the header of a block.
    head_end: usize,
    /// What may be cut.
    content: Span,
    /// The end of the line that it ends on.
    line_end: usize,
    /// The end of what belongs to it: comments and blank lines at the end of the text as well.
    region_end: usize,
    /// The indentation of a block.
    block_indent: usize,
}

impl<'t> Scalar<'t> {
    fn of(text: &'t str, leaf: Entry, region_end: usize) -> Self {
        let Span { start, end } = leaf.value;
        let (content, line_end) = match leaf.kind {
            EntryKind::Block => {
                let header = text[start..end].find('\n').map_or(end, |at| start + at + 1);
                (Span::new(header, end), end)
            }
            EntryKind::Single | EntryKind::Double => (Span::new(start + 1, end - 1), end),
            _ => (leaf.value, end),
        };
        let line = text[line_end..region_end].find('\n').filter(|_| leaf.kind != EntryKind::Block);
        let line_end = line.map_or(line_end, |at| line_end + at + 1);
        let mut scalar = Self {
            text,
            leaf,
            head_end: content.start,
            content,
            line_end,
            region_end,
            block_indent: 0,
        };
        if leaf.kind == EntryKind::Block {
            let rest = &text[content.range()];
            let first =
                rest.split('\n').find(|line| !line.trim_matches(BLANKS).is_empty()).unwrap_or("");
            scalar.block_indent = first.len() - first.trim_start_matches(' ').len();
        }
        scalar
    }

    const fn is_quoted(&self) -> bool {
        matches!(self.leaf.kind, EntryKind::Single | EntryKind::Double)
    }

    /// The indentation of the line of a block at `line`, up to that of the block.
    fn indent(&self, line: usize) -> usize {
        let spaces = self.text.as_bytes()[line..].iter().take(self.block_indent);
        spaces.take_while(|&&byte| byte == b' ').count()
    }

    /// The last place behind `from`, up to `upto`, at which it may be cut.
    fn floor(&self, from: usize, upto: usize) -> Option<usize> {
        if upto <= from {
            return None;
        }
        let upto = self.text.floor_char_boundary(upto);
        let found = match self.leaf.kind {
            EntryKind::Block => self.line_floor(from, upto).or_else(|| self.word_floor(from, upto)),
            EntryKind::Plain => self.word_floor(from, upto),
            _ => self.quoted_floor(from, upto),
        };
        found.filter(|&cut| cut > from)
    }

    /// The last start of a line of a block such that both parts are read as they are in the whole.
    fn line_floor(&self, from: usize, upto: usize) -> Option<usize> {
        let mut upto = upto;
        loop {
            let line = from + self.text[from..upto].rfind('\n')? + 1;
            let before = self.text[..line - 1].trim_end_matches([' ', '\t', '\r']);
            if line > from && !before.ends_with('\n') && self.is_level(line) {
                return Some(line);
            }
            upto = line - 1;
        }
    }

    /// Whether the next line of a block from `line` on that is not blank has no more than its indentation.
    fn is_level(&self, line: usize) -> bool {
        let rest = &self.text[line..self.content.end];
        let at = line + rest.len() - rest.trim_start_matches([' ', '\n', '\r']).len();
        let start = self.text[line..at].rfind('\n').map_or(line, |n| line + n + 1);
        at < self.content.end
            && at - start == self.block_indent
            && !self.text[at..].starts_with('\t')
    }

    /// The last start of a word that begins no other kind of value.
    fn word_floor(&self, from: usize, upto: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let is_block = self.leaf.kind == EntryKind::Block;
        (from + 1..=upto).rev().find(|&at| {
            let is_behind = bytes[at - 1] == b' ' || (bytes[at - 1] == b'\n' && !is_block);
            is_behind
                && (bytes[at].is_ascii_alphanumeric() || bytes[at] >= 0x80)
                && (!is_block || !self.text[..at].trim_end_matches(' ').ends_with('\n'))
        })
    }

    /// The last start of a word in quotes; else the last place that goes through no character or escape.
    fn quoted_floor(&self, from: usize, upto: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let (mut at, mut word, mut last) = (from, None, None);
        while at < upto {
            let end = match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    let n = bytes[at..self.content.end.min(upto + MAX_BLANKS)]
                        .iter()
                        .take_while(|byte| byte.is_ascii_whitespace());
                    let end = at + n.count();
                    // Blanks around the end of a line are read as one.
                    let is_folded = bytes[at..end].contains(&b'\n');
                    word = Some(if is_folded { at } else { end })
                        .filter(|&at| at > from && at <= upto)
                        .or(word);
                    end
                }
                b'\\' if self.leaf.kind == EntryKind::Double => self.escape_end(at),
                b'\'' => at + 2,
                _ => self.text.ceil_char_boundary(at + 1),
            };
            if end <= upto && !bytes[end - 1].is_ascii_whitespace() {
                last = Some(end);
            }
            at = end;
        }
        word.or_else(|| last.map(|end| grapheme::floor(self.text, from, end)))
    }

    /// The end of an escape: a letter, hexadecimal digits, or the end of a line with what it skips.
    fn escape_end(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        match bytes.get(at + 1) {
            Some(b'x') => at + 4,
            Some(b'u') => at + 6,
            Some(b'U') => at + 10,
            Some(b'\n' | b'\r') => {
                at + 1
                    + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
            }
            _ => self.text.ceil_char_boundary(at + 2),
        }
    }
}
