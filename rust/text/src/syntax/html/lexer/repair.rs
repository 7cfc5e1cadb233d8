//! Tokens that are irregular, read as the HTML standard says: what a page is read by, where nothing is an error.
//!
//! The standard defines a result for every sequence of bytes: an end tag with attributes, a comment that never
//! ends, a quote that is missing. None of them is an error here.

use std::borrow::Cow;

use super::{
    Attribute, CDATA, Lexer, MAX_ATTRIBUTES, Token, ends_attribute_name, ends_tag_name,
    in_lower_case,
};
use crate::syntax::html::references::{Place, resolve};

impl<'a> Lexer<'a> {
    /// The token that begins here; nothing at the end, and where a tag is cut off there. O(its length).
    pub(super) fn repaired(&mut self) -> Option<Token<'a>> {
        let rest = &self.html.as_bytes()[self.at..];
        let is_name = |at: usize| rest.get(at).is_some_and(u8::is_ascii_alphabetic);
        match (rest.first()?, rest.get(1)) {
            (b'<', Some(b'!')) if rest.starts_with(b"<!--") => Some(self.odd_comment()),
            (b'<', Some(b'!' | b'?')) => Some(self.bogus_comment(2)),
            (b'<', Some(b'/')) if is_name(2) => {
                let (name, _) = self.odd_tag(2)?;
                Some(Token::Close(name))
            }
            (b'<', Some(b'/')) if rest.len() > 2 => Some(self.bogus_comment(2)),
            (b'<', Some(_)) if is_name(1) => {
                let (name, is_empty) = self.odd_tag(1)?;
                Some(Token::Open { name, is_empty })
            }
            _ => Some(self.odd_text()),
        }
    }

    /// A text with NULs, which are left out, or with what would begin a tag at the end.
    fn odd_text(&mut self) -> Token<'a> {
        let (start, bytes) = (self.at, self.html.as_bytes());
        let is_text = |at: usize| match bytes.get(at + 1) {
            Some(b'/') => at + 2 == bytes.len(),
            Some(b'!' | b'?') => false,
            next => next.is_none_or(|byte| !byte.is_ascii_alphabetic()),
        };
        let mut tags = memchr::memchr_iter(b'<', &bytes[start..]).map(|n| start + n);
        self.at = tags.find(|at| !is_text(*at)).unwrap_or(bytes.len());
        let text = resolve(&self.html[start..self.at], Place::Text);
        Token::Text(if text.contains('\0') { text.replace('\0', "").into() } else { text })
    }

    /// A comment that may end at once, or in an odd way, or not at all.
    fn odd_comment(&mut self) -> Token<'a> {
        let start = self.at + "<!--".len();
        let body = &self.html[start..];
        let is_end = |at: &usize| {
            let before = &body[..*at];
            *at < 2 && "-".starts_with(before) || before.ends_with("--") || before.ends_with("--!")
        };
        let end = memchr::memchr_iter(b'>', body.as_bytes()).find(is_end);
        self.at = end.map_or(self.html.len(), |end| start + end + 1);
        Token::Comment(&body[..end.unwrap_or(body.len())])
    }

    /// The text in `<![CDATA[…]]>`, as it is.
    pub(super) fn character_data(&mut self) -> Token<'a> {
        let start = self.at + CDATA.len();
        let body = &self.html[start..];
        let end = memchr::memmem::find(body.as_bytes(), b"]]>");
        self.at = end.map_or(self.html.len(), |end| start + end + "]]>".len());
        let text = &body[..end.unwrap_or(body.len())];
        if text.contains(['\0', '\r']) {
            let text = text.replace('\0', "").replace("\r\n", "\n").replace('\r', "\n");
            return Token::Text(text.into());
        }
        Token::Text(text.into())
    }

    /// What is no comment but read as one, up to the next `>`.
    fn bogus_comment(&mut self, n_bytes: usize) -> Token<'a> {
        let start = self.at + n_bytes;
        let body = &self.html[start..];
        let end = memchr::memchr(b'>', body.as_bytes());
        self.at = end.map_or(self.html.len(), |end| start + end + 1);
        Token::Comment(&body[..end.unwrap_or(body.len())])
    }

    /// A tag whose name begins `n_bytes` from here: the name, and whether the tag closes itself. None if it
    /// does not end.
    fn odd_tag(&mut self, n_bytes: usize) -> Option<(Cow<'a, str>, bool)> {
        self.at += n_bytes;
        self.attributes.clear();
        let name = self.take_until(ends_tag_name);
        loop {
            self.skip_space();
            match self.peek()? {
                b'>' => {
                    self.at += 1;
                    return Some((name, false));
                }
                b'/' if self.html.as_bytes().get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    return Some((name, true));
                }
                b'/' => self.at += 1,
                _ => self.odd_attribute()?,
            }
        }
    }

    fn odd_attribute(&mut self) -> Option<()> {
        let start = self.at;
        // What begins a name is in it, an equals sign too.
        self.at += usize::from(self.peek() == Some(b'='));
        self.take_until(ends_attribute_name);
        let name = in_lower_case(&self.html[start..self.at]);
        self.skip_space();
        let mut value = "";
        if self.peek() == Some(b'=') {
            self.at += 1;
            self.skip_space();
            value = self.odd_value()?;
        }
        let is_new = || self.attributes.iter().all(|other| other.name != name);
        if self.attributes.len() < MAX_ATTRIBUTES && is_new() {
            self.attributes.push(Attribute { name, value: resolve(value, Place::Attribute) });
        }
        Some(())
    }

    fn odd_value(&mut self) -> Option<&'a str> {
        let rest = &self.html[self.at..];
        if let Some(quote @ (b'"' | b'\'')) = self.peek() {
            let len = memchr::memchr(quote, &rest.as_bytes()[1..]);
            self.at = len.map_or(self.html.len(), |len| self.at + len + 2);
            return Some(&rest[1..=len?]);
        }
        let ends = |c: char| c.is_ascii_whitespace() || c == '>';
        let len = rest.find(ends).unwrap_or(rest.len());
        self.at += len;
        Some(&rest[..len])
    }

    /// Goes up to what ends a name, or to the end; the name in lower case.
    fn take_until(&mut self, ends: fn(char) -> bool) -> Cow<'a, str> {
        let rest = &self.html[self.at..];
        let len = rest.find(ends).unwrap_or(rest.len());
        self.at += len;
        in_lower_case(&rest[..len])
    }
}
