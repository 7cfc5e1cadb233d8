//! JSON syntax: the check of a text, and its values in order with their places.
//!
//! One value after another is read, so a text may be JSON or JSON Lines. `NaN`, `Infinity` and `-Infinity`
//! are numbers, as Python writes them, and a byte order mark may stand in front. Nothing is recursive, and
//! of the values nothing is kept but where long arrays and objects end.
//!
//! Values are not built: a check finds out once that the text is JSON, and from then on places of values are
//! found by looking at the text. Brackets of long arrays and objects are remembered, so that a value can be leapt
//! over; short ones are read again, which is cheaper than a table of all.
//!
//! ```
//! use chunkwright_text::pulse::no_pulse;
//! use chunkwright_text::syntax::json::{Json, pointers};
//!
//! let text = r#"{"rain": [3, 5], "sun": {"hours": 7}}"#;
//! let json = Json::check(text, no_pulse())?;
//! assert_eq!(json.close(9), 14); // the brackets of the array
//! let places = [text.find('5').unwrap(), text.find('7').unwrap()];
//! assert_eq!(pointers(&json, &places), ["/rain/1", "/sun/hours"]);
//!
//! let error = Json::check("{\"a\": [1,]}", no_pulse()).unwrap_err();
//! assert!(error.to_string().contains("line 1"));
//! # Ok::<(), chunkwright_text::error::Error>(())
//! ```

use memchr::memchr2;

use crate::error::{Error, Result};
use crate::offsets::count_chars;
use crate::pulse::{Beat, Pulse};
use crate::span::Span;

/// Arrays and objects of at least so many bytes are found by a table, the end of others by looking for it.
const LONG_BYTES: usize = 256;
/// Bytes of what stands at a wrong place that an error shows.
const SHOWN_CHARS: usize = 20;
const BOM: &str = "\u{feff}";

/// A text that is JSON.
#[derive(Debug)]
pub struct Json<'t> {
    text: &'t str,
    /// Where long arrays and objects begin and end, by ascending starts.
    long: Vec<(usize, usize)>,
}

/// What stands next in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An array or object that has something in it begins.
    Open(Value),
    /// A value that has nothing in it: a string, a number, a word, an empty array or object.
    Leaf(Value),
    /// An array or object ends.
    Close {
        /// One past its bracket.
        end: usize,
    },
}

/// An item or a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its key with the quotes, if it has one.
    pub key: Option<Span>,
    /// The value; of an array or object that has something in it the first bracket.
    pub span: Span,
}

impl Value {
    /// Where it begins, its key included.
    pub const fn start(self) -> usize {
        match self.key {
            Some(key) => key.start,
            None => self.span.start,
        }
    }
}

impl<'t> Json<'t> {
    /// Checks that a text is JSON. O(n log n) at worst, for arrays in arrays.
    ///
    /// # Errors
    /// [`Error::Read`] with the line and column of what is wrong, and what `pulse` says.
    pub fn check(text: &'t str, pulse: Pulse<'_>) -> Result<Self> {
        let mut checker = Checker { text, at: 0, open: Vec::new(), long: Vec::new() };
        let beat = Beat::of_bytes(pulse);
        if text.starts_with(BOM) {
            checker.at = BOM.len();
        }
        let mut expected = Expected::Value;
        loop {
            let before = checker.at;
            match checker.step(expected)? {
                Some(next) => expected = next,
                None => break,
            }
            beat.after(checker.at - before)?;
        }
        checker.long.sort_unstable();
        Ok(Self { text, long: checker.long })
    }

    /// The text.
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// The last bracket of the array or object whose first one is at `open`.
    pub fn close(&self, open: usize) -> usize {
        if let Ok(at) = self.long.binary_search_by_key(&open, |&(open, _)| open) {
            return self.long[at].1;
        }
        let mut depth = 0_usize;
        for event in self.events(open) {
            match event {
                Event::Open(_) => depth += 1,
                Event::Close { end } => {
                    depth -= 1;
                    if depth == 0 {
                        return end - 1;
                    }
                }
                Event::Leaf(_) => {}
            }
        }
        self.text.len()
    }

    /// What stands from `at` on, which is a place outside of strings.
    pub const fn events(&self, at: usize) -> Events<'t> {
        Events { text: self.text, at }
    }
}

/// Events of a text that is JSON.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::syntax::json::{Event, Json};
///
/// let text = r#"{"rain": [3]}"#;
/// let json = Json::check(text, no_pulse())?;
/// let leaves: Vec<_> = json
///     .events(0)
///     .filter_map(|event| match event {
///         Event::Leaf(value) => Some(&text[value.span.range()]),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(leaves, ["3"]);
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Events<'t> {
    text: &'t str,
    /// Behind the last one.
    pub at: usize,
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let bytes = self.text.as_bytes();
        if self.at == 0 && self.text.starts_with(BOM) {
            self.at = BOM.len();
        }
        let is_between = |byte: &u8| is_space(*byte) || *byte == b',';
        let mut start =
            self.at + bytes[self.at..].iter().take_while(|byte| is_between(byte)).count();
        let mut first = *bytes.get(start)?;
        if matches!(first, b']' | b'}') {
            self.at = start + 1;
            return Some(Event::Close { end: self.at });
        }
        let mut key = None;
        if first == b'"' {
            let end = string_end(self.text, start + 1);
            let behind = skip_space(bytes, end);
            if bytes.get(behind) != Some(&b':') {
                self.at = end;
                return Some(Event::Leaf(Value { key, span: Span::new(start, end) }));
            }
            key = Some(Span::new(start, end));
            start = skip_space(bytes, behind + 1);
            first = *bytes.get(start)?;
        }
        let end = match first {
            b'"' => string_end(self.text, start + 1),
            b'[' | b'{' => {
                let inside = skip_space(bytes, start + 1);
                if !matches!(bytes.get(inside), Some(b']' | b'}')) {
                    self.at = start + 1;
                    return Some(Event::Open(Value { key, span: Span::new(start, self.at) }));
                }
                inside + 1
            }
            _ => word_end(bytes, start),
        };
        self.at = end;
        Some(Event::Leaf(Value { key, span: Span::new(start, end) }))
    }
}

/// The JSON Pointers (RFC 6901) of the values that stand at `places`, ascending places of a text that is
/// JSON: in front of a value or its key, or in it. In a text of several values, each pointer begins with the
/// number of its value. O(n), and the lengths of the pointers.
pub fn pointers(json: &Json<'_>, places: &[usize]) -> Vec<String> {
    let (mut events, is_one) = (json.events(0), is_one(json));
    // Of each array or object that is open: its part of the pointer, and how many values were in it.
    let mut path: Vec<(String, usize)> = vec![(String::new(), 0)];
    let (mut pointers, mut places) = (Vec::with_capacity(places.len()), places.iter().peekable());
    while places.peek().is_some() {
        let Some(event) = events.next() else { break };
        let (value, is_open) = match event {
            Event::Close { .. } => {
                path.pop();
                continue;
            }
            Event::Open(value) => (value, true),
            Event::Leaf(value) => (value, false),
        };
        let depth = path.len();
        let number = path.last_mut().map_or(0, |(_, n)| {
            *n += 1;
            *n - 1
        });
        let step = match value.key {
            Some(key) => format!("/{}", escaped(&json.text[key.start + 1..key.end - 1])),
            None if depth == 1 && is_one => String::new(),
            None => format!("/{number}"),
        };
        // A container is pointed at from in front of it, and up to its first value.
        let end = if is_open { value.span.end } else { value.span.end.max(value.start() + 1) };
        while places.next_if(|&&place| place < end).is_some() {
            pointers.push(path.iter().map(|(part, _)| part.as_str()).chain([&*step]).collect());
        }
        if is_open {
            path.push((step, 0));
        }
    }
    pointers
}

/// Whether a text is one value.
fn is_one(json: &Json<'_>) -> bool {
    let mut events = json.events(0);
    if let Some(Event::Open(value)) = events.next() {
        events.at = json.close(value.span.start) + 1;
    }
    events.next().is_none()
}

/// The text of a key, for a JSON Pointer.
fn escaped(key: &str) -> String {
    let plain = serde_json::from_str(&format!("\"{key}\"")).unwrap_or_else(|_| key.to_owned());
    plain.replace('~', "~0").replace('/', "~1")
}

/// What may stand next.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Value,
    ItemOrEnd,
    KeyOrEnd,
    Key,
    CommaOrEnd,
}

impl Expected {
    const fn name(self, is_object: bool) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::ItemOrEnd => "a value or ']'",
            Self::KeyOrEnd => "a key in quotes or '}'",
            Self::Key => "a key in quotes",
            Self::CommaOrEnd if is_object => "',' or '}'",
            Self::CommaOrEnd => "',' or ']'",
        }
    }
}

/// A text that is checked up to `at`.
struct Checker<'t> {
    text: &'t str,
    at: usize,
    /// The first brackets of arrays and objects that have not ended.
    open: Vec<usize>,
    long: Vec<(usize, usize)>,
}

impl Checker<'_> {
    /// Reads on, and says what may stand next; none at the end of the text.
    fn step(&mut self, expected: Expected) -> Result<Option<Expected>> {
        let bytes = self.text.as_bytes();
        self.at = skip_space(bytes, self.at);
        let at = self.at;
        let is_object = self.open.last().is_some_and(|&open| bytes[open] == b'{');
        let Some(&first) = bytes.get(at) else {
            if self.open.is_empty() {
                return Ok(None);
            }
            return Err(self.expected(expected.name(is_object)));
        };
        let end = if is_object { b'}' } else { b']' };
        match (expected, first) {
            (Expected::ItemOrEnd | Expected::KeyOrEnd | Expected::CommaOrEnd, byte)
                if byte == end =>
            {
                self.at += 1;
                self.end();
            }
            (Expected::CommaOrEnd, b',') => {
                self.at += 1;
                return Ok(Some(if is_object { Expected::Key } else { Expected::Value }));
            }
            (Expected::KeyOrEnd | Expected::Key, b'"') => {
                self.key()?;
                return Ok(Some(Expected::Value));
            }
            (Expected::Value | Expected::ItemOrEnd, b'{') => {
                return Ok(Some(self.begin(Expected::KeyOrEnd)));
            }
            (Expected::Value | Expected::ItemOrEnd, b'[') => {
                return Ok(Some(self.begin(Expected::ItemOrEnd)));
            }
            (Expected::Value | Expected::ItemOrEnd, b'"') => self.string()?,
            (Expected::Value | Expected::ItemOrEnd, _) if self.word() => {}
            _ => return Err(self.expected(expected.name(is_object))),
        }
        Ok(Some(if self.open.is_empty() { Expected::Value } else { Expected::CommaOrEnd }))
    }

    /// An array or object begins, in which `expected` may stand first.
    fn begin(&mut self, expected: Expected) -> Expected {
        self.open.push(self.at);
        self.at += 1;
        expected
    }

    /// Reads a key and the colon behind it.
    fn key(&mut self) -> Result<()> {
        self.string()?;
        let bytes = self.text.as_bytes();
        self.at = skip_space(bytes, self.at);
        if bytes.get(self.at) != Some(&b':') {
            return Err(self.expected("':'"));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a number or one of the names, if one stands here.
    fn word(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let end = word_end(bytes, self.at);
        let is_word = is_word(&bytes[self.at..end]);
        if is_word {
            self.at = end;
        }
        is_word
    }

    /// An array or object has ended.
    fn end(&mut self) {
        if let Some(open) = self.open.pop()
            && self.at - open >= LONG_BYTES
        {
            self.long.push((open, self.at - 1));
        }
    }

    /// Reads a string.
    fn string(&mut self) -> Result<()> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        self.at += 1;
        loop {
            let plain = |byte: &u8| *byte >= 0x20 && *byte != b'"' && *byte != b'\\';
            let length = bytes[self.at..].iter().position(|byte| !plain(byte));
            let Some(length) = length else {
                self.at = start;
                return Err(self.wrong("a string does not end"));
            };
            self.at += length;
            match bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let length = match bytes.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if hex(bytes, self.at + 2).is_some() => 6,
                        _ => return Err(self.wrong("unknown escape in a string")),
                    };
                    self.at += length;
                }
                _ => return Err(self.wrong("a control character in a string must be escaped")),
            }
        }
    }

    fn expected(&self, what: &str) -> Error {
        self.wrong(&format!("expected {what}"))
    }

    /// What is wrong at this place.
    fn wrong(&self, what: &str) -> Error {
        let before = &self.text[..self.at];
        let line = 1 + memchr::memchr_iter(b'\n', before.as_bytes()).count();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = 1 + count_chars(&before.as_bytes()[line_start..]);
        let rest: String = self.text[self.at..].chars().take(SHOWN_CHARS).collect();
        let got = if rest.is_empty() { "the end of the text".into() } else { format!("{rest:?}") };
        Error::read(format!("invalid JSON at line {line}, column {column}: {what}, got {got}"))
    }
}

/// One past the closing quote of a string, from a place in it on.
fn string_end(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(length) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += length;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    text.len()
}

/// The end of the escape that begins at `at`, two halves of one character together.
pub fn escape_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes.get(at + 1) != Some(&b'u') {
        return at + 2;
    }
    let is_high = hex(bytes, at + 2).is_some_and(|unit| (0xd800..0xdc00).contains(&unit));
    let has_low = bytes[at + 6..].starts_with(b"\\u")
        && hex(bytes, at + 8).is_some_and(|unit| (0xdc00..0xe000).contains(&unit));
    if is_high && has_low { at + 12 } else { at + 6 }
}

/// The number that four hexadecimal digits say.
fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |sum, &digit| Some(sum * 16 + char::from(digit).to_digit(16)?))
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|&&byte| is_space(byte)).count()
}

/// The end of a number or a word.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let ends =
        |byte: u8| is_space(byte) || matches!(byte, b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"');
    at + bytes[at..].iter().take_while(|&&byte| !ends(byte)).count()
}

/// Whether these bytes are a number, or a word that stands for a value.
fn is_word(bytes: &[u8]) -> bool {
    let words: [&[u8]; 6] = [b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity"];
    words.contains(&bytes) || is_number(bytes)
}

fn is_number(bytes: &[u8]) -> bool {
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let n_digits = digits(at);
    if n_digits == 0 || (n_digits > 1 && bytes[at] == b'0') {
        return false;
    }
    at += n_digits;
    if bytes.get(at) == Some(&b'.') {
        let n_digits = digits(at + 1);
        if n_digits == 0 {
            return false;
        }
        at += 1 + n_digits;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let n_digits = digits(at);
        if n_digits == 0 {
            return false;
        }
        at += n_digits;
    }
    at == bytes.len()
}

#[cfg(test)]
mod tests;
