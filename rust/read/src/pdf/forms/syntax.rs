//! Syntax of PDF: names, references, and where values end, in bytes that may be damaged.

use std::borrow::Cow;

/// A value, or where one begins that has parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A name as written, without its slash.
    Name(&'a [u8]),
    /// A number without a fraction.
    Integer(u32),
    /// The number of an object.
    Reference(u32),
    /// All that follows the `<<` of a dictionary.
    Dictionary(&'a [u8]),
    /// All that follows the `[` of an array.
    Array(&'a [u8]),
    /// A string, another number, a word.
    Other,
}

/// Whether a byte is white space.
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Whether a byte is part of a name, number or word.
pub const fn is_regular(byte: u8) -> bool {
    !is_space(byte)
        && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

/// A name with its escapes (`#20`) read.
pub fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.contains(&b'#') {
        return Cow::Borrowed(name);
    }
    let digit = |at: usize| name.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut read = Vec::with_capacity(name.len());
    let mut at = 0;
    while let Some(&byte) = name.get(at) {
        let code = (byte == b'#').then(|| Some(16 * digit(at + 1)? + digit(at + 2)?)).flatten();
        read.push(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    Cow::Owned(read)
}

/// The number that digits are, if they are nothing else.
pub fn integer(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A place in bytes, moved over values.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    /// All bytes.
    pub bytes: &'a [u8],
    /// The place.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// Before the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// What follows.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Moves over white space and comments.
    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                let end = memchr::memchr2(b'\n', b'\r', self.rest());
                self.at = end.map_or(self.bytes.len(), |end| self.at + end);
            } else if is_space(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Moves over these bytes, if they follow.
    pub fn skip(&mut self, token: &[u8]) -> bool {
        let follows = self.rest().starts_with(token);
        self.at += if follows { token.len() } else { 0 };
        follows
    }

    /// Moves over a word.
    pub fn word(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let n = rest.iter().position(|&byte| !is_regular(byte)).unwrap_or(rest.len());
        self.at += n;
        &rest[..n]
    }

    /// Moves over the next value; stays, and gives none, before the end of what it would be part of.
    pub fn value(&mut self) -> Option<Value<'a>> {
        self.skip_space();
        match self.opening()? {
            value @ (Value::Dictionary(_) | Value::Array(_)) => {
                self.close(matches!(value, Value::Dictionary(_)));
                Some(value)
            }
            value => Some(value),
        }
    }

    /// As [`Self::value`] at a value, but stops behind the opening of one that has parts.
    fn opening(&mut self) -> Option<Value<'a>> {
        match self.peek()? {
            b'/' => {
                self.at += 1;
                Some(Value::Name(self.word()))
            }
            b'(' => {
                self.string();
                Some(Value::Other)
            }
            b'<' if self.skip(b"<<") => Some(Value::Dictionary(self.rest())),
            b'<' => {
                let end = memchr::memchr(b'>', self.rest());
                self.at = end.map_or(self.bytes.len(), |end| self.at + end + 1);
                Some(Value::Other)
            }
            b'[' => {
                self.at += 1;
                Some(Value::Array(self.rest()))
            }
            b'>' if self.rest().starts_with(b">>") => None,
            b']' => None,
            byte if is_regular(byte) => self.number_or_word(),
            _ => {
                self.at += 1;
                Some(Value::Other)
            }
        }
    }

    fn number_or_word(&mut self) -> Option<Value<'a>> {
        let start = self.at;
        let word = self.word();
        if word == b"endobj" {
            self.at = start;
            return None;
        }
        let Some(number) = integer(word) else { return Some(Value::Other) };
        let mut ahead = *self;
        ahead.skip_space();
        let generation = ahead.word();
        ahead.skip_space();
        if integer(generation).is_some() && ahead.word() == b"R" {
            self.at = ahead.at;
            return Some(Value::Reference(number));
        }
        Some(Value::Integer(number))
    }

    fn string(&mut self) {
        let mut depth = 0;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            depth += i32::from(byte == b'(') - i32::from(byte == b')');
            if depth == 0 {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// Moves behind the end of a dictionary or array, from behind its opening; without recursion, since files
    /// may nest without end.
    fn close(&mut self, is_dictionary: bool) {
        let mut open = vec![is_dictionary];
        while let Some(&is_dictionary) = open.last() {
            self.skip_space();
            match self.opening() {
                Some(Value::Dictionary(_)) => open.push(true),
                Some(Value::Array(_)) => open.push(false),
                Some(_) => {}
                None if is_dictionary && self.skip(b"]") => {}
                None if is_dictionary && !self.skip(b">>") => return,
                None => {
                    // An array that lacks its end ends with what it is part of.
                    let _ = is_dictionary || self.skip(b"]");
                    open.pop();
                }
            }
        }
    }
}

/// Keys, unescaped, and values of a dictionary, from behind its `<<`.
pub struct Entries<'a> {
    /// The place, in the end behind the dictionary.
    pub cursor: Cursor<'a>,
}

impl<'a> Entries<'a> {
    /// The entries of what follows `<<`.
    pub const fn of(bytes: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(bytes) }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Cow<'a, [u8]>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.cursor.skip_space();
            if self.cursor.skip(b"]") {
                continue;
            }
            let Some(Value::Name(key)) = self.cursor.value() else {
                if self.cursor.rest().starts_with(b"]") || self.is_within() {
                    continue;
                }
                return None;
            };
            if let Some(value) = self.cursor.value() {
                return Some((unescaped(key), value));
            }
        }
    }
}

impl Entries<'_> {
    /// Whether more follows; moves over the end of the dictionary if it does not.
    fn is_within(&mut self) -> bool {
        let rest = self.cursor.rest();
        !rest.is_empty() && !self.cursor.skip(b">>") && !rest.starts_with(b"endobj")
    }
}

/// The values of an array, from behind its `[`.
pub fn items(bytes: &[u8]) -> impl Iterator<Item = Value<'_>> {
    let mut cursor = Cursor::new(bytes);
    std::iter::from_fn(move || cursor.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(bytes: &[u8]) -> (Vec<(String, Value<'_>)>, &[u8]) {
        let mut entries = Entries::of(bytes);
        let text = |key: Cow<'_, [u8]>| String::from_utf8_lossy(&key).into_owned();
        let read = entries.by_ref().map(|(key, value)| (text(key), value)).collect();
        (read, entries.cursor.rest())
    }

    #[test]
    fn values_end_where_they_end() {
        let source =
            b"/A/B /C(a\\)>>(b)) /D<3e>/E [1 [2] <</F 1>>]/#47 12 0 R%>>\n/H 3 /I true>> x";
        let (read, rest) = entries(source);
        let keys: Vec<&str> = read.iter().map(|(key, _)| &key[..]).collect();
        assert_eq!(keys, ["A", "C", "D", "E", "G", "H", "I"]);
        assert_eq!(read[0].1, Value::Name(b"B"));
        assert_eq!((read[4].1, read[5].1), (Value::Reference(12), Value::Integer(3)));
        let Value::Array(array) = read[3].1 else { panic!("{read:?}") };
        assert_eq!(items(array).count(), 3);
        assert_eq!(rest, b" x");
    }

    #[test]
    fn damage_ends_no_more_than_it_has_to() {
        for (source, n, left) in [
            (&b"/A 1 ] 7 (x) /B 2>> x"[..], 2, &b" x"[..]),
            (b"/A [1 2 >> x", 1, b" x"),
            (b"/A <</B ] 1>> /C 2>> x", 2, b" x"),
            (b"/A>> x", 0, b" x"),
            (b"/A 1 endobj", 1, b"endobj"),
            (b"/A <</B [ endobj", 1, b"endobj"),
            (b"/A (", 1, b""),
            (b"/A <41", 1, b""),
            (b"/A 1 } ) > /B 2", 2, b""),
            (b"", 0, b""),
        ] {
            let (read, rest) = entries(source);
            assert_eq!((read.len(), rest), (n, left), "{}", source.escape_ascii());
        }
    }

    #[test]
    fn nesting_takes_no_stack() {
        let deep = [b"/A ".as_slice(), &b"[<</A".repeat(500_000), b" 1"].concat();
        assert_eq!(entries(&deep).0.len(), 1);
    }

    #[test]
    fn escapes_of_names_are_read() {
        assert_eq!(*unescaped(b"A#20B#2F#x1#"), *b"A B/#x1#");
    }
}
