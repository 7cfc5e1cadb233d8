//! Reader of YAML: checks a text, and finds the places of the entries of its block collections.

mod entry;

use memchr::{memchr, memchr_iter};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span as Marks};

pub use self::entry::{Entry, EntryKind};
use crate::error::{Error, Result};
use crate::panics::caught;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;

const BOM: &str = "\u{feff}";
/// Blanks and ends of lines.
pub const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// The entries of a text that is YAML, each in front of those in it; none if their places are not known.
///
/// O(n).
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::syntax::yaml::entries;
///
/// let found = entries("rain:\n  mm: 3\nsun: true\n", no_pulse())?;
/// assert_eq!(found.len(), 4); // the document, and three members
/// assert_eq!(found[2].parent, Some(1));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] with the line and column of what is wrong, and what `pulse` says.
pub fn entries(text: &str, pulse: Pulse<'_>) -> Result<Vec<Entry>> {
    match parsed(text, text, pulse) {
        Err(Error::Read(reason)) => match with_closers_joined(text) {
            Some(copy) => parsed(text, &copy, pulse).map_err(|error| match error {
                Error::Read(_) => Error::Read(reason),
                other => other,
            }),
            None => Err(Error::Read(reason)),
        },
        found => found,
    }
}

/// A copy of the same length in which brackets that close a flow collection at the start of a line stand on
/// the line above; none if there are no such.
///
/// The parser refuses them where they are indented no more than the key: a rule of the specification that
/// hardly any other parser has, and that many files break.
fn with_closers_joined(text: &str) -> Option<String> {
    let mut copy = text.as_bytes().to_vec();
    let mut line = 0;
    for feed in memchr_iter(b'\n', text.as_bytes()) {
        let next = text[feed + 1..].trim_start_matches([' ', '\t']);
        if next.starts_with([']', '}']) {
            // A comment would take the bracket with it.
            let end = text[line..feed].find(" #").map_or(feed, |at| line + at);
            copy[end..=feed].fill(b' ');
        }
        line = feed + 1;
    }
    // A comment may have characters of several bytes, for which as many blanks would move all places.
    String::from_utf8(copy).ok().filter(|copy| copy != text && same_places(copy, text))
}

/// Whether both have equally many characters, as places are told by their numbers.
fn same_places(copy: &str, text: &str) -> bool {
    copy.is_ascii() && text.is_ascii() || copy.chars().count() == text.chars().count()
}

/// The entries of `text`, told by the events of a copy of it with the same places.
fn parsed(text: &str, copy: &str, pulse: Pulse<'_>) -> Result<Vec<Entry>> {
    let skipped = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut reader = Reader {
        text,
        cursor: skipped,
        entries: Vec::new(),
        frames: Vec::new(),
        marked: (0, skipped),
        n_skipped: 0,
        is_known: true,
    };
    let beat = Beat::of_bytes(pulse);
    let read = caught(|| {
        for event in Parser::new_from_str(&copy[skipped..]) {
            let (event, marks) = event.map_err(|error| wrong(&error))?;
            let before = reader.marked.1;
            let span = Span::new(reader.byte(marks, true), reader.byte(marks, false));
            if reader.is_known {
                reader.is_known = reader.take(&event, span).is_some();
            }
            beat.after(1 + reader.marked.1.saturating_sub(before))?;
        }
        Ok(())
    });
    read.map_err(|reason| Error::read(format!("invalid YAML: the parser failed: {reason}")))??;
    if !reader.is_known {
        reader.entries.clear();
    }
    Ok(reader.entries)
}

fn wrong(error: &ScanError) -> Error {
    let (line, column) = (error.marker().line(), error.marker().col() + 1);
    Error::read(format!("invalid YAML at line {line}, column {column}: {}", error.info()))
}

/// A block collection that is open.
struct Frame {
    /// The entry whose value it is; of a document itself.
    of: usize,
    what: What,
    n_entries: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Document,
    Items,
    Keys,
    /// A key was read, whose value follows; whether it is a simple one.
    Value {
        is_simple: bool,
    },
}

/// A text that is read up to `cursor`.
struct Reader<'t> {
    text: &'t str,
    /// Behind what was read last.
    cursor: usize,
    entries: Vec<Entry>,
    frames: Vec<Frame>,
    /// A place as a number of characters and of bytes.
    marked: (usize, usize),
    /// Collections that are open and whose entries do not matter.
    n_skipped: usize,
    is_known: bool,
}

impl Reader<'_> {
    /// The place of a mark in bytes.
    fn byte(&mut self, marks: Marks, is_start: bool) -> usize {
        let index = if is_start { marks.start.index() } else { marks.end.index() };
        let (mut n, mut at) = self.marked;
        if index >= n {
            for each in self.text[at..].chars().take(index - n) {
                at += each.len_utf8();
                n += 1;
            }
        } else {
            for each in self.text[..at].chars().rev().take(n - index) {
                at -= each.len_utf8();
                n -= 1;
            }
        }
        self.marked = (n, at);
        at
    }

    /// Goes on by an event; none if the text is not what it says.
    fn take(&mut self, event: &Event<'_>, span: Span) -> Option<()> {
        match event {
            Event::SequenceEnd | Event::MappingEnd if self.n_skipped > 0 => {
                self.n_skipped -= 1;
                self.cursor = self.cursor.max(span.end.min(self.text.len()));
                if self.n_skipped == 0 && span.is_empty() {
                    // A block collection ends in front of what follows.
                    self.cursor = self.text[..self.cursor].trim_end_matches(BLANKS).len();
                }
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if self.n_skipped > 0 => {
                self.n_skipped += 1;
            }
            Event::Scalar(..) | Event::Alias(_) if self.n_skipped > 0 => {
                self.cursor = self.cursor.max(span.end);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let frame = self.frames.pop()?;
                self.entries[frame.of].last = self.entries.len();
            }
            Event::DocumentStart(is_explicit) => self.begin_document(*is_explicit)?,
            Event::DocumentEnd => {
                let frame = self.frames.pop()?;
                self.entries[frame.of].last = self.entries.len();
                let end = self.behind_blanks(self.cursor);
                if self.text[end..].starts_with("...") && self.is_line_start(end) {
                    self.cursor = end + 3;
                }
            }
            Event::Scalar(..)
            | Event::Alias(_)
            | Event::SequenceStart(..)
            | Event::MappingStart(..) => self.take_node(event, span)?,
            _ => {}
        }
        Some(())
    }

    fn begin_document(&mut self, is_explicit: bool) -> Option<()> {
        let start = self.line_behind(self.cursor);
        let mut has_head = false;
        if is_explicit {
            self.cursor = self.behind_blanks(self.cursor);
            while self.text[self.cursor..].starts_with('%') {
                has_head = true;
                self.cursor = self.behind_blanks(self.line_end(self.cursor));
            }
            self.text[self.cursor..].starts_with("---").then_some(())?;
            self.cursor += 3;
        }
        let of = self.entries.len();
        self.entries.push(Entry {
            parent: None,
            start,
            own: start,
            is_inline: false,
            is_first: false,
            head_end: start,
            has_head,
            last: of + 1,
            kind: EntryKind::Opaque,
            value: Span::new(start, start),
        });
        self.frames.push(Frame { of, what: What::Document, n_entries: 0 });
        Some(())
    }

    fn take_node(&mut self, event: &Event<'_>, span: Span) -> Option<()> {
        let frame = self.frames.last()?;
        match frame.what {
            What::Document => self.take_value(frame.of, event, span),
            What::Items => {
                let entry = self.add_entry()?;
                self.text[self.cursor..].starts_with('-').then_some(())?;
                self.cursor += 1;
                self.take_value(entry, event, span)
            }
            What::Keys => {
                self.add_entry()?;
                let rest = &self.text.as_bytes()[self.cursor..];
                let is_marked = rest[0] == b'?' && rest.get(1).is_none_or(u8::is_ascii_whitespace);
                let is_scalar = matches!(event, Event::Scalar(..) | Event::Alias(_));
                let is_simple = !is_marked && is_scalar;
                if !is_scalar {
                    self.n_skipped = 1;
                }
                self.cursor = self.cursor.max(span.end) + usize::from(is_marked && !is_scalar);
                self.frames.last_mut()?.what = What::Value { is_simple };
                Some(())
            }
            What::Value { is_simple } => {
                self.frames.last_mut()?.what = What::Keys;
                let entry = self.entries.len() - 1;
                let colon = self.behind_blanks(self.cursor);
                let is_colon = self.text[colon..].starts_with(':');
                if is_colon {
                    self.cursor = colon + 1;
                }
                if is_simple {
                    is_colon.then_some(())?;
                    return self.take_value(entry, event, span);
                }
                self.skip(event, span);
                Some(())
            }
        }
    }

    /// Adds the entry that begins behind blanks and comments, and goes there.
    fn add_entry(&mut self) -> Option<usize> {
        let own = self.behind_blanks(self.cursor);
        let line = memchr(b'\n', &self.text.as_bytes()[self.cursor..own]);
        let begins_line = self.is_line_start(self.cursor);
        let frame = self.frames.last_mut()?;
        let (parent, is_first) = (frame.of, frame.n_entries == 0);
        frame.n_entries += 1;
        let is_inline = !begins_line && line.is_none();
        let start = match line {
            _ if begins_line => self.cursor,
            Some(n) => self.cursor + n + 1,
            None => own,
        };
        let last_line = self.text[start..own].rfind('\n').map_or(start, |at| start + at + 1);
        let is_apart = self.text[last_line..own].bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        (own < self.text.len() && if is_inline { is_first } else { is_apart }).then_some(())?;
        if is_first {
            self.entries[parent].head_end = start;
            self.entries[parent].has_head |= is_inline;
        }
        let entry = self.entries.len();
        self.entries.push(Entry {
            parent: Some(parent),
            start,
            own,
            is_inline,
            is_first,
            head_end: own,
            has_head: true,
            last: entry + 1,
            kind: EntryKind::Opaque,
            value: Span::new(own, own),
        });
        self.cursor = own;
        Some(entry)
    }

    /// Takes the value of an entry.
    fn take_value(&mut self, entry: usize, event: &Event<'_>, span: Span) -> Option<()> {
        self.take_properties(entry, event)?;
        match event {
            Event::Scalar(value, style, ..) => {
                let kind = EntryKind::of(*style);
                self.entries[entry].kind = kind;
                if kind == EntryKind::Plain && value.is_empty() {
                    self.entries[entry].value = Span::new(self.cursor, self.cursor);
                    return Some(());
                }
                self.take_scalar(entry, kind, span)
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                // The mark of a bracket has the blanks and the comment behind it.
                let value = self.behind_blanks(self.cursor);
                if self.text[value..].starts_with(['[', '{']) {
                    self.skip(event, span);
                } else {
                    self.entries[entry].kind = EntryKind::Collection;
                    let is_items = matches!(event, Event::SequenceStart(..));
                    let what = if is_items { What::Items } else { What::Keys };
                    self.frames.push(Frame { of: entry, what, n_entries: 0 });
                }
                Some(())
            }
            _ => {
                self.skip(event, span);
                Some(())
            }
        }
    }

    /// Takes the anchor and the tag of a value, if it has them.
    fn take_properties(&mut self, entry: usize, event: &Event<'_>) -> Option<()> {
        let (anchor, tag) = match event {
            Event::Scalar(_, _, anchor, tag)
            | Event::SequenceStart(anchor, tag)
            | Event::MappingStart(anchor, tag) => (*anchor > 0, tag.is_some()),
            _ => (false, false),
        };
        for _ in 0..usize::from(anchor) + usize::from(tag) {
            self.cursor = self.behind_blanks(self.cursor);
            self.text[self.cursor..].starts_with(['&', '!']).then_some(())?;
            let ends = |at: char| at.is_ascii_whitespace();
            self.cursor +=
                self.text[self.cursor..].find(ends).unwrap_or(self.text.len() - self.cursor);
        }
        if (anchor || tag) && self.entries[entry].parent.is_none() {
            self.entries[entry].has_head = true;
        }
        Some(())
    }

    /// Takes a scalar that is not empty, as the value of an entry.
    fn take_scalar(&mut self, entry: usize, kind: EntryKind, span: Span) -> Option<()> {
        let start = self.behind_blanks(self.cursor);
        // The mark of a quoted scalar has the blanks and the comment behind it, too.
        let end = match kind {
            EntryKind::Block => self.block_end(start, span.end),
            EntryKind::Single | EntryKind::Double => self.quoted_end(start, span.end)?,
            _ => span.end,
        };
        let marks = kind.marks();
        let is_marked = marks.is_empty() || self.text[start..].starts_with(marks);
        (is_marked && end > start).then_some(())?;
        self.entries[entry].value = Span::new(start, end);
        if self.entries[entry].parent.is_none() {
            // Where a carriage return ends a line, which this reader does not go by, it may be before.
            (start >= self.entries[entry].start).then_some(())?;
            self.entries[entry].own = start;
        }
        self.cursor = end;
        Some(())
    }

    /// Skips a node that is not gone into.
    fn skip(&mut self, event: &Event<'_>, span: Span) {
        match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => self.n_skipped = 1,
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) => {
                self.cursor = self.cursor.max(self.block_end(self.cursor, span.end));
                return;
            }
            _ => {}
        }
        if !span.is_empty() {
            self.cursor = self.cursor.max(span.end);
        }
    }

    /// One past the last quote of the scalar at `start`, which ends at `end` at the latest.
    fn quoted_end(&self, start: usize, end: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(start..end)?;
        let (&quote, mut at) = (bytes.first()?, 1);
        loop {
            match *bytes.get(at)? {
                b'\\' if quote == b'"' => at += 1,
                byte if byte == quote => {
                    if quote == b'"' || bytes.get(at + 1) != Some(&quote) {
                        return Some(start + at + 1);
                    }
                    at += 1;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The end of a block scalar: of its last line, blank ones included.
    fn block_end(&self, start: usize, end: usize) -> usize {
        let is_last = self.text[end..].is_empty();
        let line = self.text[..end].rfind('\n').map_or(0, |at| at + 1);
        if is_last && !self.text[line..].trim_matches(BLANKS).is_empty() {
            return end;
        }
        line.max(self.line_end(start))
    }

    /// The start of the next line behind `at`, or `at` if it begins a line.
    fn line_behind(&self, at: usize) -> usize {
        if self.is_line_start(at) { at } else { self.line_end(at) }
    }

    fn is_line_start(&self, at: usize) -> bool {
        self.text[..at].trim_start_matches(BOM).is_empty() || self.text[..at].ends_with('\n')
    }

    /// One past the end of the line at `at`.
    fn line_end(&self, at: usize) -> usize {
        memchr(b'\n', &self.text.as_bytes()[at..]).map_or(self.text.len(), |n| at + n + 1)
    }

    /// The place behind blanks, ends of lines and comments.
    fn behind_blanks(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                b'#' if at == 0
                    || bytes[at - 1].is_ascii_whitespace()
                    || self.is_line_start(at) =>
                {
                    at = self.line_end(at);
                }
                _ => break,
            }
        }
        at
    }
}

#[cfg(test)]
mod tests;
