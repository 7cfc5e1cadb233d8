//! Path to the values of a chunk: the keys and brackets around them, repeated in front and behind.

use super::JsonCutter;
use super::window::{Open, Stop, Window};
use crate::cut::path_chunks::repeated;
use crate::error::Result;
use crate::span::{Piece, Role, Span};
use crate::syntax::json::Value;

/// More whitespace than this is not repeated with a bracket.
const MAX_SPACE: usize = 256;

/// An array, object or string that is cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub key: Option<Span>,
    /// Its first bracket or quote.
    pub at: usize,
    /// Behind that and the whitespace there: what is repeated ends here.
    inner: usize,
    /// Its last bracket with the whitespace before, or its last quote.
    pub close: Span,
    pub is_string: bool,
    /// Whether it stands without its key, and so without all around it.
    pub is_root: bool,
    /// The size of all that is repeated of it.
    size: usize,
}

impl Level {
    /// What is repeated in front, with its key or without.
    fn opening(&self, has_key: bool) -> Piece {
        let start = self.key.filter(|_| has_key).map_or(self.at, |key| key.start);
        repeated(start, self.inner, Role::Heading)
    }

    const fn closing(&self) -> Piece {
        repeated(self.close.start, self.close.end, Role::Header)
    }
}

/// What is repeated of the levels around a place.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// The outermost level that is repeated, without its key.
    pub base: usize,
    /// In front, the outermost first.
    pub opening: Vec<Piece>,
    /// Behind, if all is open there; the innermost first.
    pub closing: Vec<Piece>,
    /// The size of what is in front, more or less.
    pub size: usize,
}

impl Path {
    /// Whether the path is repeated from the root of the text on.
    pub const fn is_whole(&self) -> bool {
        self.base == 0
    }
}

impl JsonCutter<'_> {
    /// The path of a chunk that begins at this place: as many levels as have room in half of a chunk, and
    /// the innermost in any case.
    pub(super) fn path(&self) -> Path {
        if self.is_orphan {
            // Without its key it can stand in nothing.
            let base = self.levels.len();
            return Path { base, opening: Vec::new(), closing: Vec::new(), size: 0 };
        }
        Self::chosen(self.levels.len(), self.limits.soft_max() / 2, |i| self.levels[i])
    }

    /// The same with the innermost level alone.
    pub(super) fn least_path(&self) -> Path {
        Self::chosen(self.levels.len(), 0, |i| self.levels[i])
    }

    /// The path of what is in `parent`, or where nothing is open that began in the window in the first
    /// `kept` levels.
    pub(super) fn path_within(
        &self,
        window: &Window,
        kept: usize,
        parent: Option<usize>,
    ) -> Result<Path> {
        let chain = window.chain(parent);
        let mut inner = Vec::with_capacity(chain.len());
        for open in chain {
            let Open { value, .. } = window.opens[open];
            inner.push(self.level(value, false, self.is_orphan_at(window, value))?);
        }
        let level = |i: usize| if i < kept { self.levels[i] } else { inner[i - kept] };
        Ok(Self::chosen(kept + inner.len(), self.limits.soft_max() / 2, level))
    }

    /// Whether a value is that at the window's start, which has lost its key.
    pub(super) fn is_orphan_at(&self, window: &Window, value: Value) -> bool {
        self.is_orphan && value.span.start == window.start
    }

    fn chosen(depth: usize, room: usize, level: impl Fn(usize) -> Level) -> Path {
        let (mut base, mut size, mut levels) = (depth, 0, Vec::new());
        while base > 0 {
            let next = level(base - 1);
            if base < depth && size + next.size > room {
                break;
            }
            base -= 1;
            size += next.size;
            levels.push(next);
            if next.is_root {
                break;
            }
        }
        let closing = levels.iter().map(Level::closing).collect();
        let opening =
            levels.iter().rev().enumerate().map(|(i, level)| level.opening(i > 0)).collect();
        Path { base, opening, closing, size }
    }

    /// What is repeated behind a chunk that ends at `stop`.
    pub(super) fn closing(&self, path: &Path, window: &Window, stop: Stop) -> Vec<Piece> {
        let quote = stop.string.map(|string| {
            let end = string.span.end;
            repeated(end - 1, end, Role::Header)
        });
        let inside = window.chain(stop.top).into_iter().rev().map(|open| {
            let Span { start, end } = self.end_of(window.opens[open].value);
            repeated(start, end, Role::Header)
        });
        let around = self.levels[path.base.min(stop.kept)..stop.kept].iter().rev();
        quote.into_iter().chain(inside).chain(around.map(Level::closing)).collect()
    }

    /// The last bracket of an array or object with the whitespace before it.
    fn end_of(&self, value: Value) -> Span {
        let close = self.json.close(value.span.start);
        let bytes = self.text().as_bytes();
        let spaces = bytes[..close].iter().rev().take(MAX_SPACE + 1);
        let n_spaces = spaces.take_while(|byte| byte.is_ascii_whitespace()).count();
        Span::new(if n_spaces > MAX_SPACE { close } else { close - n_spaces }, close + 1)
    }

    /// The level that a value is when it is cut.
    pub(super) fn level(&self, value: Value, is_string: bool, is_root: bool) -> Result<Level> {
        let at = value.span.start;
        let close = if is_string {
            Span::new(value.span.end - 1, value.span.end)
        } else {
            self.end_of(value)
        };
        let bytes = &self.text().as_bytes()[at + 1..];
        let spaces = bytes.iter().take(MAX_SPACE + 1);
        let n_spaces = match spaces.take_while(|byte| byte.is_ascii_whitespace()).count() {
            _ if is_string => 0,
            n if n > MAX_SPACE => 0,
            n => n,
        };
        let inner = at + 1 + n_spaces;
        let key = value.key.filter(|_| !is_root);
        let level = Level { key, at, inner, close, is_string, is_root, size: 0 };
        let size = self.measure.size(level.opening(true).span)? + self.measure.size(close)?;
        Ok(Level { size, ..level })
    }
}
