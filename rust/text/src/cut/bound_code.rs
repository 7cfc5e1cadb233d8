//! Code and what stands above it: comments, decorators, annotations and attributes, which a cut leaves with it.
//!
//! As much of it is bound to its line as has room in one chunk with that, the nearest first. Of a comment that no
//! chunk can hold the last lines are, so that a chunk that goes on with it holds its end and the line. A comment that
//! has no room beside its line is cut from it, and stays whole.

use std::cell::{Cell, OnceCell};

use crate::error::Result;
use crate::measure::Measure;
use crate::span::Span;
use crate::syntax::code::above::{Above, Parts};
use crate::syntax::code::languages::CodeLanguage;
use crate::unicode::space::{skip_space, trim_end};

/// So far above a line its last lines are looked for first.
const NEAR: usize = 64;

/// What stands above the lines of a text in a programming language.
pub struct BoundCode<'t> {
    text: &'t str,
    language: &'static CodeLanguage,
    measure: &'t dyn Measure,
    /// What a chunk may have beside its overlap.
    room: usize,
    /// Found when it is first asked for: a text that fits is not read.
    above: OnceCell<Above>,
    /// The line that was asked for last, and what is bound to it.
    last: Cell<Option<(usize, Bound)>>,
    /// What was measured last of a part, and of a chunk, and whether it had room.
    measured: [Cell<Option<(Span, bool)>>; 2],
}

/// What is bound to a line.
#[derive(Clone, Copy)]
struct Bound {
    /// Where that begins of which all has room beside the line.
    start: Option<usize>,
    /// Where the last lines begin of a comment that no chunk can hold.
    tail: Option<usize>,
}

impl<'t> BoundCode<'t> {
    /// That of `text`, in chunks of at most `room`.
    pub const fn new(
        text: &'t str,
        language: &'static CodeLanguage,
        measure: &'t dyn Measure,
        room: usize,
    ) -> Self {
        Self {
            text,
            language,
            measure,
            room,
            above: OnceCell::new(),
            last: Cell::new(None),
            measured: [Cell::new(None), Cell::new(None)],
        }
    }

    /// The start of what a cut at `at` would part from the line that it stands above, where the chunk in front of
    /// the cut starts at `open`; none if there is nothing.
    ///
    /// # Errors
    /// Those of the measure.
    pub fn start(&self, at: usize, open: usize) -> Result<Option<usize>> {
        let above = self.above.get_or_init(|| Above::new(self.text, Some(self.language)));
        let at = skip_space(self.text, at);
        let Some(parts) = above.parts_at(at) else { return Ok(None) };
        let bound = self.bound(&parts)?;
        let is_before = |start: &usize| skip_space(self.text, *start) < at;
        if let Some(start) = bound.start.filter(is_before) {
            return Ok(Some(start));
        }
        let behind = parts.starts.partition_point(is_before);
        let Some(&part) = behind.checked_sub(1).and_then(|i| parts.starts.get(i)) else {
            return Ok(None);
        };
        let end = parts.starts.get(behind).map_or(parts.line, |&next| skip_space(self.text, next));
        if self.has_room(0, part, end)? {
            return Ok((at < end).then_some(part));
        }
        if behind < parts.starts.len() {
            return Ok(None);
        }
        if open > part && self.has_room(1, open, self.line_end(parts.line))? {
            return Ok(Some(part));
        }
        Ok(bound.tail.filter(is_before))
    }

    /// What is bound to the line of some parts.
    fn bound(&self, parts: &Parts<'_>) -> Result<Bound> {
        if let Some((line, bound)) = self.last.get()
            && line == parts.line
        {
            return Ok(bound);
        }
        let (mut bound, end) = (Bound { start: None, tail: None }, self.line_end(parts.line));
        for &start in parts.starts.iter().rev() {
            if self.size(start, end)? > self.room {
                break;
            }
            bound.start = Some(start);
        }
        if let (None, Some(&nearest)) = (bound.start, parts.starts.last()) {
            bound.tail = self.tail(nearest, parts.line, end)?;
        }
        self.last.set(Some((parts.line, bound)));
        Ok(bound)
    }

    /// The start of the last lines of `part` that have room beside the line up to `end` in half a chunk.
    fn tail(&self, part: usize, line: usize, end: usize) -> Result<Option<usize>> {
        let fits = |from: usize| Ok(self.size(from, end)? <= self.room / 2);
        let (mut near, mut far, mut step) = (line, part, NEAR);
        while line - part > step {
            let at = self.text.floor_char_boundary(line - step);
            if !fits(at)? {
                far = at;
                break;
            }
            (near, step) = (at, 2 * step);
        }
        loop {
            let middle = self.text.floor_char_boundary(far.midpoint(near));
            if middle == far {
                break;
            }
            if fits(middle)? { near = middle } else { far = middle }
        }
        let feed = self.text[near..line].find('\n');
        let tail = feed.map(|feed| near + feed + 1);
        Ok(tail.filter(|&tail| skip_space(self.text, tail) < line))
    }

    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |feed| at + feed)
    }

    fn size(&self, start: usize, end: usize) -> Result<usize> {
        let start = skip_space(self.text, start).min(end);
        self.measure.size(Span::new(start, trim_end(self.text, start, end)))
    }

    fn has_room(&self, of: usize, start: usize, end: usize) -> Result<bool> {
        let span = Span::new(start, end);
        if let Some((measured, has_room)) = self.measured[of].get()
            && measured == span
        {
            return Ok(has_room);
        }
        let has_room = self.size(start, end)? <= self.room;
        self.measured[of].set(Some((span, has_room)));
        Ok(has_room)
    }
}
