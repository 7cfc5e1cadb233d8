//! Long strings of a JSON text, cut between words, and what fits nowhere.

use memchr::{memchr, memrchr};

use super::JsonCutter;
use super::path::Path;
use super::window::{Stop, Window};
use crate::cut::path_chunks::repeated;
use crate::error::Result;
use crate::segment::grapheme;
use crate::span::{Piece, Role, Span};
use crate::syntax::json::{Value, escape_end};

/// After so many places in a string that do not fit, the next ones are half as far.
const MAX_TRIES: usize = 8;

impl JsonCutter<'_> {
    /// The place in the string behind the stop `found`, or in that at the window's start, where a chunk ends
    /// that takes as much of it as fits; none if there is no such string, or it fits into a chunk of its own.
    pub(super) fn begun_string(
        &self,
        path: &Path,
        window: &Window,
        found: Option<usize>,
    ) -> Result<Option<(Stop, usize)>> {
        let behind = found.map_or(0, |i| i + 1);
        let stop = match (self.levels.last(), found) {
            (Some(level), None) if level.is_string => {
                let span = Span::new(level.at, level.close.end);
                let value = Value { key: level.key, span };
                let n_levels = self.levels.len() - path.base;
                let kept = self.levels.len() - 1;
                Stop { end: span.end, kept, top: None, leaf: Some(value), string: None, n_levels }
            }
            _ => {
                let leaves = window.stops.iter().skip(behind).chain(&window.over);
                let Some(stop) = leaves.copied().find(|stop| stop.leaf.is_some()) else {
                    return Ok(None);
                };
                stop
            }
        };
        let Some(value) = stop.leaf.filter(|value| self.is_string(value.span)) else {
            return Ok(None);
        };
        if value.start() > window.start && self.leaf_fits_alone(window, stop, value)? {
            return Ok(None);
        }
        for max in [self.limits.soft_max(), self.limits.hard_max()] {
            let cut = self.cut_string(path, window, Stop { string: Some(value), ..stop }, max)?;
            if cut.is_some() {
                return Ok(cut);
            }
        }
        Ok(None)
    }

    fn is_string(&self, span: Span) -> bool {
        self.text().as_bytes()[span.start] == b'"'
    }

    fn leaf_fits_alone(&self, window: &Window, stop: Stop, value: Value) -> Result<bool> {
        let (start, hard) = (value.start(), self.limits.hard_max());
        if stop.end > self.measure.longest(start, hard)? {
            return Ok(false);
        }
        let path = self.path_within(window, stop.kept, stop.top)?;
        Ok(self.out.composed(&path.opening, Span::new(start, stop.end), &path.closing)? <= hard)
    }

    /// `stop` with its end in its string, so far behind that the chunk has at most `max` units.
    fn cut_string(
        &self,
        path: &Path,
        window: &Window,
        stop: Stop,
        max: usize,
    ) -> Result<Option<(Stop, usize)>> {
        let Some(Value { span, .. }) = stop.string else { return Ok(None) };
        let closing = self.closing(path, window, stop);
        let from = window.start.max(span.start + 1);
        self.fit(&path.opening, window.start, from, span.end - 1, &closing, max)
            .map(|cut| cut.map(|(end, size)| (Stop { end, ..stop }, size)))
    }

    /// Where a chunk from `start` on ends that is cut between `from` and `end`, both in one string, and its
    /// size.
    fn fit(
        &self,
        opening: &[Piece],
        start: usize,
        from: usize,
        end: usize,
        closing: &[Piece],
        max: usize,
    ) -> Result<Option<(usize, usize)>> {
        let mut room = max;
        for piece in opening.iter().chain(closing) {
            room = room.saturating_sub(self.measure.size(piece.span)?);
        }
        // Where the parts of a size do not add up, there may be more room than this.
        room = room.max(1);
        let mut upto = self.measure.longest(start, room)?.min(end.saturating_sub(1));
        for n_tries in 0.. {
            let cut = self.word_floor(from, upto);
            if cut <= from {
                break;
            }
            let size = self.out.composed(opening, Span::new(start, cut), closing)?;
            if size <= max {
                return Ok(Some((cut, size)));
            }
            let before = self.text().floor_char_boundary(cut - 1);
            upto = if n_tries < MAX_TRIES { before } else { from + (before - from) / 2 };
        }
        Ok(None)
    }

    /// The last start of a word in a string up to `upto`, if one is in the second half from `from` on; else
    /// the last place that goes through no character and no escape.
    fn word_floor(&self, from: usize, upto: usize) -> usize {
        let text = self.text();
        if upto <= from {
            return from;
        }
        let upto = self.unit_floor(from, text.floor_char_boundary(upto));
        let half = text.floor_char_boundary(usize::midpoint(from, upto));
        let Some(space) = memrchr(b' ', &text.as_bytes()[half..upto]) else { return upto };
        let word = half + space + 1;
        if grapheme::floor(text, half + space, word) == word { word } else { upto }
    }

    /// The last place up to `upto` that goes through no grapheme and no escape; `from` is one.
    fn unit_floor(&self, from: usize, upto: usize) -> usize {
        let (text, mut at) = (self.text(), from);
        while let Some(length) = memchr(b'\\', &text.as_bytes()[at..upto]) {
            let end = escape_end(text, at + length);
            if end > upto {
                return at + length;
            }
            at = end;
        }
        grapheme::floor(text, at, upto)
    }

    /// Adds the rest of the string at `at` without the path, for which there is no room.
    pub(super) fn add_rest_of_string(&mut self) -> Result<()> {
        let Some(level) = self.levels.pop() else { return Ok(()) };
        let span = Span::new(level.at, level.close.end);
        self.add_parts(span, self.at)?;
        self.at = span.end;
        Ok(())
    }

    /// Adds a key or a value without the path, for which there is no room: strings as strings.
    pub(super) fn add_scalar(&mut self, span: Span) -> Result<()> {
        self.add_parts(span, span.start)
    }

    /// Adds what is from `at` on in the key or value at `span`.
    fn add_parts(&mut self, span: Span, mut at: usize) -> Result<()> {
        let hard = self.limits.hard_max();
        let is_string = self.is_string(span);
        let open = [repeated(span.start, span.start + 1, Role::Heading)];
        let close = [repeated(span.end - 1, span.end, Role::Header)];
        while at < span.end {
            let is_cut = is_string && at > span.start;
            let opening = if is_cut { &open[..] } else { &[] };
            let reach = self.measure.longest(at, hard)?;
            if span.end <= reach {
                let size = self.out.composed(opening, Span::new(at, span.end), &[])?;
                if size <= hard {
                    return self.out.add_alone(opening, Span::new(at, span.end), &[], size);
                }
            }
            let from = at.max(span.start + 1);
            let part = if is_string && from < span.end {
                self.fit(opening, at, from, span.end - 1, &close, hard)?
            } else {
                None
            };
            let Some((end, size)) = part else { return self.add_raw(Span::new(at, span.end)) };
            self.out.add_alone(opening, Span::new(at, end), &close, size)?;
            at = end;
        }
        Ok(())
    }

    /// Adds what is no JSON, as the limit has no room for that: a part of a number, a letter without quotes.
    fn add_raw(&mut self, span: Span) -> Result<()> {
        let text = self.text();
        let mut at = span.start;
        while at < span.end {
            let rest = Span::new(at, span.end);
            let floor = |upto| grapheme::floor(text, at, upto);
            let (end, size) = self.out.part_that_fits(rest, floor)?;
            self.out.add_alone(&[], Span::new(at, end), &[], size)?;
            at = end;
        }
        Ok(())
    }
}
