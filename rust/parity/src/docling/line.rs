//! Chunks of whole lines behind a repeated prefix, as Docling's `LineBasedTokenChunker` makes them.

use super::scale::{Scale, is_far_over};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::offsets::CharIndex;
use chunkwright_text::span::Span;

/// How lines are put into chunks.
#[derive(Clone, Copy, Debug)]
pub struct LineOptions<'a> {
    /// Most units of a chunk, its prefix included.
    pub max: usize,
    /// What each chunk begins with.
    pub prefix: &'a str,
    /// Whether lines that do not fit behind the prefix stand without it.
    pub omit_prefix_on_overflow: bool,
}

/// Chunks of lines, and what the peer warns of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineChunks {
    /// The texts.
    pub texts: Vec<String>,
    /// In the order in which the peer gives them.
    pub warnings: Vec<LineWarning>,
}

/// What the peer warns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineWarning {
    /// The prefix fills a chunk alone: it stands once, in chunks of its own.
    LongPrefix {
        /// Its size.
        size: usize,
        /// The limit.
        max: usize,
    },
    /// A line stands without the prefix; said once.
    PrefixOmitted {
        /// The prefix's size.
        size: usize,
        /// The limit.
        max: usize,
    },
}

/// A code point that is larger than the limit; Docling's own message.
#[derive(Debug, thiserror::Error)]
#[error("Character {} cannot fit within the token budget of {max}", python_repr(*.character))]
struct NoRoom {
    character: char,
    max: usize,
}

/// Puts `lines` into chunks of at most `options.max` units. A line that is too large alone is cut, at a
/// blank where there is one.
///
/// O(text) for a unit that is counted natively, beside the prefixes. Where the peer does not come to an
/// end, since the prefix leaves no room for a code point, that code point stands without it.
///
/// # Errors
/// If a code point is larger than the limit, and those of the unit.
pub fn chunk_lines(
    ruler: &dyn Ruler,
    lines: &[&str],
    options: &LineOptions<'_>,
) -> Result<LineChunks> {
    let scale = Scale::new(ruler);
    let mut cutter = LinePacker::new(scale, options);
    if options.prefix.is_empty() {
        cutter.add(lines)?;
        return Ok(cutter.end());
    }
    let size = scale.size(options.prefix)?;
    if size >= options.max {
        let bare = LineOptions { prefix: "", ..*options };
        let mut chunks = chunk_lines(ruler, &[options.prefix], &bare)?;
        chunks.warnings.push(LineWarning::LongPrefix { size, max: options.max });
        cutter.done = chunks;
    } else if size == 0 {
        cutter.done.texts.push(options.prefix.to_owned());
    } else {
        cutter.begin_with_prefix(options.prefix, size, lines.first().copied())?;
    }
    cutter.add(lines)?;
    Ok(cutter.end())
}

/// Chunks of lines so far, and the one that is being filled.
struct LinePacker<'a> {
    scale: Scale<'a>,
    max: usize,
    omit: bool,
    /// What a new chunk begins with, and its size.
    prefix: &'a str,
    prefix_size: usize,
    current: String,
    current_size: usize,
    done: LineChunks,
    is_warned: bool,
}

impl<'a> LinePacker<'a> {
    fn new(scale: Scale<'a>, options: &LineOptions<'_>) -> Self {
        Self {
            scale,
            max: options.max,
            omit: options.omit_prefix_on_overflow,
            prefix: "",
            prefix_size: 0,
            current: String::new(),
            current_size: 0,
            done: LineChunks::default(),
            is_warned: false,
        }
    }

    /// Begins with the prefix, which stands alone if it is to be left out before the first line.
    fn begin_with_prefix(
        &mut self,
        prefix: &'a str,
        size: usize,
        first: Option<&str>,
    ) -> Result<()> {
        (self.prefix, self.prefix_size) = (prefix, size);
        let is_alone = match first {
            Some(line) if self.omit => !self.scale.fits([prefix, line], self.max)?,
            _ => false,
        };
        if is_alone {
            self.done.texts.push(prefix.to_owned());
        } else {
            self.restart(true);
        }
        Ok(())
    }

    fn add(&mut self, lines: &[&str]) -> Result<()> {
        let mut rest = lines;
        loop {
            rest = &rest[self.append(rest)?..];
            let Some((line, others)) = rest.split_first() else { return Ok(()) };
            self.place(line)?;
            rest = others;
        }
    }

    /// Appends lines as long as they fit, and says how many did. Their sizes come from one look at what
    /// may fit.
    fn append(&mut self, lines: &[&str]) -> Result<usize> {
        let mut n_appended = 0;
        let mut view = self.scale.view(self.max);
        while n_appended < lines.len() {
            let (text, ends) = self.seen(&lines[n_appended..], view);
            let measure = self.scale.ruler().measure(&text)?;
            let mut fitting = self.current.len();
            for &end in &ends {
                let size = measure.size(Span::new(0, end))?;
                if size > self.max {
                    self.current.push_str(&text[self.current.len()..fitting]);
                    return Ok(n_appended);
                }
                (fitting, self.current_size) = (end, size);
                n_appended += 1;
            }
            drop(measure);
            self.current = text;
            view = view.saturating_mul(2);
        }
        Ok(n_appended)
    }

    /// What is there with the next lines behind it, up to `view` bytes or one line, and where they end.
    fn seen(&self, lines: &[&str], view: usize) -> (String, Vec<usize>) {
        let mut text = self.current.clone();
        let mut ends = Vec::new();
        for line in lines {
            if text.len() > view && !ends.is_empty() {
                break;
            }
            text.push_str(line);
            ends.push(text.len());
        }
        (text, ends)
    }

    /// Places a line that does not fit behind what is there.
    fn place(&mut self, line: &str) -> Result<()> {
        let line = Line::new(line);
        let mut start = 0;
        while !self.takes(&line.text[start..])? {
            if self.current != self.prefix
                && self.scale.fits([self.prefix, &line.text[start..]], self.max)?
            {
                self.flush();
                self.restart(true);
            } else if self.omits(&line.text[start..])? {
                self.warn();
                if self.current != self.prefix {
                    self.flush();
                }
                self.restart(false);
            } else {
                start = self.cut(&line, start)?;
            }
        }
        Ok(())
    }

    /// Appends `text` if it fits.
    fn takes(&mut self, text: &str) -> Result<bool> {
        if !self.scale.fits([self.current.as_str(), text], self.max)? {
            return Ok(false);
        }
        self.current.push_str(text);
        self.current_size = self.scale.size(&self.current)?;
        Ok(true)
    }

    fn omits(&self, rest: &str) -> Result<bool> {
        Ok(self.omit && self.prefix_size > 0 && self.scale.fits([rest], self.max)?)
    }

    /// Ends the chunk with as much of the line from `start` on as fits, and says where that ends.
    fn cut(&mut self, line: &Line<'_>, start: usize) -> Result<usize> {
        let available = self.max.saturating_sub(self.current_size);
        let mut end = line.head(self.scale, "", start, line.text.len(), available)?;
        while end > start && !self.scale.fits([&self.current, &line.text[start..end]], self.max)? {
            let most = self.scale.size(&line.text[start..end])?.saturating_sub(1);
            end = line.head(self.scale, "", start, end, most)?;
        }
        if end == start {
            end = line.head(self.scale, &self.current, start, line.text.len(), self.max)?;
        }
        if end > start {
            self.current.push_str(&line.text[start..end]);
            self.flush();
            self.restart(!self.omit);
            if self.omit && self.prefix_size > 0 {
                self.warn();
            }
        } else if self.current.is_empty() {
            let character = line.text[start..].chars().next().unwrap_or_default();
            return Err(Error::Caller(Box::new(NoRoom { character, max: self.max })));
        } else {
            // Behind the prefix alone there will be no more room next time.
            let is_prefix = self.current == self.prefix;
            self.flush();
            self.restart(!self.omit && !is_prefix);
        }
        Ok(end)
    }

    fn flush(&mut self) {
        if !self.current.is_empty() {
            self.done.texts.push(std::mem::take(&mut self.current));
        }
    }

    fn restart(&mut self, with_prefix: bool) {
        self.current.clear();
        self.current_size = 0;
        if with_prefix {
            self.current.push_str(self.prefix);
            self.current_size = self.prefix_size;
        }
    }

    fn warn(&mut self) {
        if !self.is_warned {
            self.is_warned = true;
            let (size, max) = (self.prefix_size, self.max);
            self.done.warnings.push(LineWarning::PrefixOmitted { size, max });
        }
    }

    fn end(mut self) -> LineChunks {
        if self.prefix.is_empty() || self.current != self.prefix {
            self.flush();
        }
        self.done
    }
}

/// A line that is cut.
struct Line<'t> {
    text: &'t str,
    chars: CharIndex,
}

impl<'t> Line<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, chars: CharIndex::new(text, &[]) }
    }

    /// Where the longest head of `start..end` ends that has at most `max` units behind `lead`, as the
    /// peer's bisection finds it; at a blank, if there is one in it. `start` if there is none.
    fn head(
        &self,
        scale: Scale<'_>,
        lead: &str,
        start: usize,
        end: usize,
        max: usize,
    ) -> Result<usize> {
        if max == 0 || start == end {
            return Ok(start);
        }
        let mut view = scale.view(max).saturating_mul(2);
        loop {
            let seen = self.text[..end].floor_char_boundary(start.saturating_add(view));
            let text = [lead, &self.text[start..seen]].concat();
            let measure = scale.ruler().measure(&text)?;
            let size = |to: usize| measure.size(Span::new(0, lead.len() + to - start));
            if seen == end {
                if size(end)? <= max {
                    return Ok(end);
                }
            } else if !is_far_over(size(seen)?, max) {
                view = view.saturating_mul(2);
                continue;
            }
            let fits = |to: usize| Ok(to <= seen && size(to)? <= max);
            let mut best = self.bisect(start, end, &fits)?;
            if best == start {
                best = if measure.is_quick() {
                    let longest = measure.longest(0, max)?;
                    longest.saturating_sub(lead.len()) + start
                } else {
                    self.last(start, end, &fits)?
                };
            }
            let blank = self.text[start..best].rfind(' ').map_or(start, |at| start + at);
            return Ok(if blank > start && fits(blank)? { blank } else { best });
        }
    }

    /// The end that bisection over code points finds; `start` if it finds none.
    fn bisect(
        &self,
        start: usize,
        end: usize,
        fits: &dyn Fn(usize) -> Result<bool>,
    ) -> Result<usize> {
        let first = self.chars.byte_to_char(self.text, start);
        let byte = |n_chars: usize| self.chars.char_to_byte(self.text, first + n_chars);
        let (mut low, mut above) = (0, self.chars.byte_to_char(self.text, end) - first + 1);
        let mut best = start;
        while low < above {
            let middle = (low + above - 1) / 2;
            let at = byte(middle);
            if fits(at)? {
                (best, low) = (at, middle + 1);
            } else {
                above = middle;
            }
        }
        Ok(best)
    }

    /// The last end inside that fits, looked for from behind; `start` if there is none.
    fn last(
        &self,
        start: usize,
        end: usize,
        fits: &dyn Fn(usize) -> Result<bool>,
    ) -> Result<usize> {
        for (at, _) in self.text[start..end].char_indices().rev() {
            if at > 0 && fits(start + at)? {
                return Ok(start + at);
            }
        }
        Ok(start)
    }
}

/// A character as Python's `repr` quotes it, as far as it is printable.
fn python_repr(character: char) -> String {
    match character {
        '\'' => "\"'\"".into(),
        '\0'..='\x1f' | '\x7f'..='\u{a0}' if !matches!(character, '\t' | '\n' | '\r') => {
            format!("'\\x{:02x}'", u32::from(character))
        }
        _ => format!("{character:?}"),
    }
}
