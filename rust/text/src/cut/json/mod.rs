//! JSON strategy: chunks of whole items and members that are JSON again, under the path to where they stand.
//!
//! A chunk is a slice of the text from the start of a value to the end of another one, at any depth. The
//! brackets and keys above its start are repeated in front of it ([`Heading`](crate::span::Role::Heading)),
//! and the brackets of what is open at its end behind it ([`Header`](crate::span::Role::Header)), so every
//! chunk parses by itself. As many values as fit are taken; one that would fit alone is never cut, but begins
//! the next chunk; of what is larger than a chunk, as much is taken as fits, and the rest goes on in the next.
//!
//! # Two passes
//!
//! [`Json::check`](crate::syntax::json::Json::check) reads the text once and keeps where long arrays and objects
//! end. The cutter then looks at a window of values from a chunk's start on (`window`), as far as the limit
//! could reach, and takes the last end at which the chunk fits with its path around it. What is repeated is
//! measured together with the slice, since a tokenizer may join a bracket with what stands behind it. A path that
//! would take more than half of a chunk is shortened from the root on: the chunk is JSON all the same, but says
//! less of where it stood.

mod path;
mod scalar;
mod window;

use self::path::{Level, Path};
use self::window::{Stop, Window};
use super::path_chunks::PathChunks;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::measure::ruler::Ruler;
use crate::options::Limits;
use crate::pulse::Pulse;
use crate::span::Span;
use crate::syntax::json::{Event, Json, Value};

/// Cuts a text that is JSON, or JSON Lines, between items and members.
///
/// O(n log n) in the text's length. An empty text, and one of whitespace only, has no chunks.
///
/// ```
/// use chunkwright_text::cut::json::json;
/// use chunkwright_text::document::Document;
/// use chunkwright_text::measure::Chars;
/// use chunkwright_text::measure::ruler::{CharRuler, Ruled};
/// use chunkwright_text::options::Limits;
/// use chunkwright_text::pulse::no_pulse;
///
/// let text = r#"{"rain": {"mm": [3, 5], "days": 2}, "sun": true}"#;
/// let document = Document::new(text);
/// let measure = Ruled::new(Chars::new(document), CharRuler);
/// let chunks = json(document, &measure, Limits::new(26, None, 0)?, no_pulse())?;
/// let texts: Vec<_> = (0..chunks.len()).map(|i| chunks.text(i, text)).collect();
/// assert_eq!(texts, [r#"{"rain": {"mm": [3, 5]}}"#, r#"{"rain": {"days": 2}}"#, r#"{"sun": true}"#]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`](crate::error::Error::Read) if the text is no JSON; those of the measure, and what `pulse`
/// says.
pub fn json(
    document: Document<'_>,
    measure: &dyn Measure,
    limits: Limits,
    pulse: Pulse<'_>,
) -> Result<Chunks> {
    let json = Json::check(document.text(), pulse)?;
    let mut cutter = JsonCutter {
        json: &json,
        measure,
        limits,
        levels: Vec::new(),
        at: 0,
        is_orphan: false,
        out: PathChunks::new(document.text(), measure, limits, pulse),
    };
    while cutter.skip_ends() {
        cutter.add_chunk()?;
    }
    cutter.out.into_chunks()
}

/// A text on its way to chunks.
struct JsonCutter<'a> {
    json: &'a Json<'a>,
    measure: &'a dyn Measure,
    limits: Limits,
    /// What is open at `at`: arrays, objects, and at last a string if that is cut.
    levels: Vec<Level>,
    /// Where the next chunk begins, or what ends and commas are before it.
    at: usize,
    /// Whether the value at `at` has lost its key, which was too long to stand with it.
    is_orphan: bool,
    out: PathChunks<'a>,
}

impl<'a> JsonCutter<'a> {
    const fn text(&self) -> &'a str {
        self.json.text()
    }

    fn is_in_string(&self) -> bool {
        self.levels.last().is_some_and(|level| level.is_string)
    }

    /// Goes to the next value, up where arrays and objects end; whether there is one.
    fn skip_ends(&mut self) -> bool {
        if self.is_in_string() {
            return true;
        }
        let mut events = self.json.events(self.at);
        loop {
            match events.next() {
                None => return false,
                Some(Event::Close { end }) => {
                    self.levels.pop();
                    self.at = end;
                }
                Some(Event::Open(value) | Event::Leaf(value)) => {
                    self.at = value.start();
                    return true;
                }
            }
        }
    }

    /// Adds the chunk that begins at `at`, or goes into what is too large to be one.
    fn add_chunk(&mut self) -> Result<()> {
        let start = self.at;
        let mut path = self.path();
        loop {
            let window = self.look(start, path.base)?;
            if let Some((stop, size)) = self.stop(&path, &window)? {
                return self.emit(&path, &window, stop, size);
            }
            if path.opening.len() < 2 {
                return self.go_into(&path, &window);
            }
            path = self.least_path();
        }
    }

    /// Where the chunk that begins with this window ends, and its size; none if not even its first value
    /// fits.
    fn stop(&self, path: &Path, window: &Window) -> Result<Option<(Stop, usize)>> {
        let (soft, hard) = (self.limits.soft_max(), self.limits.hard_max());
        let mut found = self.last_fitting(path, window, soft)?;
        if found.is_none_or(|(i, _)| i < window.first) {
            // The first value is kept whole as far as the limit goes.
            if let Some(&first) = window.stops.get(window.first)
                && self.may_fit(path, window, first, hard)?
            {
                let size = self.size_of(path, window, first)?;
                if size <= hard {
                    return Ok(Some((first, size)));
                }
            }
        }
        if let Some((i, _)) = found
            && let Some(open) = self.first_that_fits(window, window.stops[i].top)?
        {
            // What would fit alone is not begun.
            let start = window.opens[open].start();
            let before = window.stops[..=i].partition_point(|stop| stop.end <= start);
            found = match before.checked_sub(1) {
                Some(i) => {
                    Some((i, self.size_of(path, window, window.stops[i])?)).filter(|x| x.1 <= hard)
                }
                None => None,
            };
        }
        if found.is_none_or(|(_, size)| size < soft / 2) {
            let string = self.begun_string(path, window, found.map(|(i, _)| i))?;
            if string.is_some() {
                return Ok(string);
            }
        }
        Ok(found.map(|(i, size)| (window.stops[i], size)))
    }

    /// The last end of a value at which the chunk fits, by sizes that are nearly sums of parts, and the size
    /// of the chunk.
    fn last_fitting(
        &self,
        path: &Path,
        window: &Window,
        max: usize,
    ) -> Result<Option<(usize, usize)>> {
        let stops = &window.stops;
        let (mut low, mut high) = (0, stops.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.estimate(path, window, stops[middle])? <= max {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // The estimate may be wrong by some units either way.
        let mut fits = None;
        let (mut at, mut step) = (low, 1);
        while at < stops.len() {
            if !self.may_fit(path, window, stops[at], max)? {
                break;
            }
            let size = self.size_of(path, window, stops[at])?;
            if size > max {
                break;
            }
            fits = Some((at, size));
            at += step;
            step *= 2;
        }
        (at, step) = (low, 1);
        while fits.is_none() && at > 0 {
            at = at.saturating_sub(step);
            let size = self.size_of(path, window, stops[at])?;
            fits = Some((at, size)).filter(|_| size <= max);
            step *= 2;
        }
        Ok(fits)
    }

    /// Whether the chunk that ends at `stop` may have at most `max` units; in constant time for native
    /// measures, where its size takes time in its length.
    fn may_fit(&self, path: &Path, window: &Window, stop: Stop, max: usize) -> Result<bool> {
        if !self.is_local() {
            return Ok(stop.end <= window.reach);
        }
        let slack = 2 + 2 * stop.n_levels;
        Ok(self.estimate(path, window, stop)?.saturating_sub(max) <= slack)
    }

    /// Whether the sizes of parts say about what the size of a whole is.
    fn is_local(&self) -> bool {
        self.measure.ruler().is_some_and(Ruler::is_local)
    }

    /// The outermost of the arrays and objects that begin in the window and are open at `top` that fits
    /// into a chunk of its own; the window's first value is none of them.
    fn first_that_fits(&self, window: &Window, top: Option<usize>) -> Result<Option<usize>> {
        let mut chain = window.chain(top);
        chain.retain(|&open| window.opens[open].start() > window.start);
        let (mut low, mut high) = (0, chain.len());
        let Some(&last) = chain.last() else { return Ok(None) };
        let reach = self.measure.longest(window.opens[last].start(), self.limits.hard_max())?;
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.fits_alone(window, chain[middle], reach)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(chain.get(low).copied())
    }

    /// Whether an array or object fits into a chunk of its own; surely not if it goes on behind `reach`.
    fn fits_alone(&self, window: &Window, open: usize, reach: usize) -> Result<bool> {
        let value = window.opens[open].value;
        let end = self.json.close(value.span.start) + 1;
        if end > reach {
            return Ok(false);
        }
        let kept = window.opens[open].kept;
        let path = self.path_within(window, kept, window.opens[open].parent)?;
        let body = Span::new(value.start(), end);
        Ok(self.out.composed(&path.opening, body, &path.closing)? <= self.limits.hard_max())
    }

    /// Adds the chunk from the start of the window to `stop`.
    fn emit(&mut self, path: &Path, window: &Window, stop: Stop, size: usize) -> Result<()> {
        let body = Span::new(window.start, stop.end);
        let closing = self.closing(path, window, stop);
        if path.is_whole() {
            self.out.add(&path.opening, body, &closing, size)?;
        } else {
            self.out.add_alone(&path.opening, body, &closing, size)?;
        }
        self.enter(window, stop)
    }

    /// Goes on behind `stop`.
    fn enter(&mut self, window: &Window, stop: Stop) -> Result<()> {
        let mut inner = Vec::new();
        for open in window.chain(stop.top) {
            let value = window.opens[open].value;
            inner.push(self.level(value, false, self.is_orphan_at(window, value))?);
        }
        if let Some(string) = stop.string {
            let goes_on = |level: &&Level| level.at == string.span.start;
            let is_root = match self.levels.last().filter(goes_on) {
                Some(level) => level.is_root,
                None => self.is_orphan_at(window, string),
            };
            inner.push(self.level(string, true, is_root)?);
        }
        self.levels.truncate(stop.kept);
        self.levels.append(&mut inner);
        self.at = stop.end;
        self.is_orphan = false;
        Ok(())
    }

    /// The size of the chunk from the start of the window to `stop`.
    fn size_of(&self, path: &Path, window: &Window, stop: Stop) -> Result<usize> {
        let body = Span::new(window.start, stop.end);
        self.out.composed(&path.opening, body, &self.closing(path, window, stop))
    }

    /// About the same, in constant time for native measures.
    fn estimate(&self, path: &Path, window: &Window, stop: Stop) -> Result<usize> {
        let body = self.measure.size(Span::new(window.start, stop.end))?;
        Ok(path.size + body + 2 * stop.n_levels)
    }

    /// Cuts what is too large for a chunk: a long string, an array or object by its values, or a key that
    /// has no room beside its value.
    fn go_into(&mut self, path: &Path, window: &Window) -> Result<()> {
        if self.is_in_string() {
            return self.add_rest_of_string();
        }
        // What begins before the first value that has nothing in it, and does not fit alone.
        let first = window.stops.first().or(window.over.as_ref());
        let (kept, top) = first.map_or((window.kept, window.top), |stop| (stop.kept, stop.top));
        let mut chain = window.chain(top);
        if let Some(whole) = self.first_that_fits(window, top)? {
            chain.retain(|&open| open < whole);
        }
        let (Some(&outer), Some(&inner)) = (chain.first(), chain.last()) else {
            return self.go_into_first();
        };
        let is_keyed = |&open: &usize| window.opens[open].value.key.is_some();
        let Some(keyed) = chain.iter().position(is_keyed) else {
            // Its brackets say nothing without what is in them.
            return self.enter(window, Stop { kept, ..window.begun(inner) });
        };
        if let Some((stop, size)) = self.last_begun_that_fits(path, window, &chain[keyed..])? {
            return self.emit(path, window, stop, size);
        }
        let value = window.opens[outer].value;
        match value.key {
            Some(key) => self.detach(key, value),
            None => self.enter(window, window.begun(outer)),
        }
    }

    /// The innermost of `chain`, the outermost first, up to whose bracket a chunk fits, and the size of that.
    fn last_begun_that_fits(
        &self,
        path: &Path,
        window: &Window,
        chain: &[usize],
    ) -> Result<Option<(Stop, usize)>> {
        let (mut low, mut high, mut fits) = (0, chain.len(), None);
        while low < high {
            let middle = usize::midpoint(low, high);
            let stop = window.begun(chain[middle]);
            let size = self.size_of(path, window, stop)?;
            if size <= self.limits.hard_max() {
                (low, fits) = (middle + 1, Some((stop, size)));
            } else {
                high = middle;
            }
        }
        Ok(fits)
    }

    /// Cuts the value at `at`, nothing of which is within reach.
    fn go_into_first(&mut self) -> Result<()> {
        match self.json.events(self.at).next() {
            Some(Event::Leaf(Value { key: Some(key), span })) => {
                self.detach(key, Value { key: None, span })
            }
            Some(Event::Leaf(value)) => {
                self.at = value.span.end;
                self.is_orphan = false;
                self.add_scalar(value.span)
            }
            Some(Event::Open(value)) => {
                // Not even its bracket is within reach.
                if let Some(key) = value.key {
                    return self.detach(key, value);
                }
                let level = self.level(value, false, self.is_orphan)?;
                self.levels.push(level);
                self.at = value.span.end;
                self.is_orphan = false;
                Ok(())
            }
            Some(Event::Close { .. }) | None => Ok(()),
        }
    }

    /// Adds the key of a value as a string of its own, and goes on with the value.
    fn detach(&mut self, key: Span, value: Value) -> Result<()> {
        self.add_scalar(key)?;
        self.at = value.span.start;
        self.is_orphan = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::measure::Bytes;
    use crate::measure::ruler::Ruled;
    use crate::pulse::no_pulse;

    /// Bytes, for which a text that is put together is read, as it is for tokens.
    struct ReadRuler<'n> {
        n_read: &'n Cell<usize>,
        is_local: bool,
    }

    impl Ruler for ReadRuler<'_> {
        fn size(&self, text: &str) -> Result<usize> {
            self.n_read.set(self.n_read.get() + text.len());
            Ok(text.len())
        }

        fn counts_chars(&self) -> bool {
            false
        }

        fn is_local(&self) -> bool {
            self.is_local
        }

        fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
            Ok(Box::new(Bytes::new(text)))
        }
    }

    #[test]
    fn a_long_string_is_read_a_few_times_at_most() {
        let limits = Limits::new(100, None, 0).unwrap();
        let text = format!("{{\"key\": {{\"text\": \"{}\"}}}}", "x9".repeat(20_000));
        for is_local in [false, true] {
            let n_read = Cell::new(0);
            let ruler = ReadRuler { n_read: &n_read, is_local };
            let measure = Ruled::new(Bytes::new(&text), ruler);
            let chunks = json(Document::new(&text), &measure, limits, no_pulse()).unwrap();
            assert!(chunks.len() > text.len() / 100);
            assert!(n_read.get() < 20 * text.len(), "{}", n_read.get());
        }
    }
}
