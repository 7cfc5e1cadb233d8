//! Lexer of HTML: tags, texts and comments, in order.
//!
//! One lexer serves tables and pages. Over 7.6 MB of a page and 4.7 MB of a table, this one took 0.67 thousand
//! million instructions, html5ever's tokenizer 2.33, html5gum's 2.11 at best; html5ever's does not say where a
//! token stands either.

use std::borrow::Cow;

use super::references::{Place, resolve};

mod repair;
#[cfg(test)]
mod tests;

/// Attributes of one tag, at most.
const MAX_ATTRIBUTES: usize = 256;

/// What begins a text without tags and references, in foreign elements.
const CDATA: &[u8] = b"<![CDATA[";

/// HTML that says something else to each reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irregular;

/// Token of an HTML text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// `<name …>` or `<name …/>`; its attributes are [`Lexer::attributes`].
    Open {
        /// In lower case.
        name: Cow<'a, str>,
        /// Whether it closes itself.
        is_empty: bool,
    },
    /// `</name>`, in lower case.
    Close(Cow<'a, str>),
    /// What stands between two tags, references resolved.
    Text(Cow<'a, str>),
    /// What stands in `<!--…-->`.
    Comment(&'a str),
}

/// An attribute of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// In lower case.
    pub name: Cow<'a, str>,
    /// References resolved; of an attribute without one its name if it is a flag of HTML 4, else nothing.
    pub value: Cow<'a, str>,
}

/// Who wrote an HTML text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Anybody.
    Html,
    /// A parser that has repaired it, as XML, but for odd names, which it leaves as they are.
    Written,
    /// Anybody, and whatever is irregular is read as the HTML standard says: nothing is an error.
    Page,
}

/// Reads an HTML text from its beginning. O(n).
#[derive(Debug)]
pub struct Lexer<'a> {
    html: &'a str,
    dialect: Dialect,
    at: usize,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Lexer<'a> {
    /// A reader of `html`.
    pub const fn new(html: &'a str, dialect: Dialect) -> Self {
        Self { html, dialect, at: 0, attributes: Vec::new() }
    }

    /// The attributes of the last tag that was opened, in order; of those with one name, the
    /// first.
    pub fn attributes(&self) -> &[Attribute<'a>] {
        &self.attributes
    }

    /// Where the next token begins, in bytes.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Goes over `</name>` if that is what stands here, in lower case and without blanks: what closes most
    /// elements.
    pub fn take_close(&mut self, name: &str) -> bool {
        let rest = &self.html.as_bytes()[self.at..];
        let len = name.len() + "</>".len();
        let is_here = rest.len() >= len
            && rest.starts_with(b"</")
            && rest[len - 1] == b'>'
            && &rest[2..len - 1] == name.as_bytes();
        self.at += if is_here { len } else { 0 };
        is_here
    }

    /// The next token of a page, or nothing at the end; `is_foreign` says whether it stands in SVG or `MathML`.
    pub fn next_of_page(&mut self, is_foreign: impl FnOnce() -> bool) -> Option<Token<'a>> {
        debug_assert_eq!(self.dialect, Dialect::Page, "others have irregular tokens");
        let start = self.at;
        let rest = &self.html.as_bytes()[start..];
        // The ends of odd comments are looked for once only.
        if !rest.starts_with(b"<!") {
            if let Ok(token) = self.next() {
                return token;
            }
        } else if rest.starts_with(CDATA) && is_foreign() {
            return Some(self.character_data());
        }
        self.at = start;
        self.repaired()
    }

    /// Goes over the text of an element that has no tags in it, up to the end tag of that `name`, or to the
    /// end where there is none. O(n).
    pub fn take_raw(&mut self, name: &str) -> &'a str {
        let (start, bytes) = (self.at, self.html.as_bytes());
        let is_end = |at: usize| {
            let behind = &bytes[at + 1..];
            let len = name.len() + 1;
            behind.first() == Some(&b'/')
                && behind.get(1..len).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
                && behind.get(len).is_some_and(|byte| ends_tag_name(char::from(*byte)))
        };
        let end = memchr::memchr_iter(b'<', &bytes[start..]).map(|n| start + n);
        self.at = end.into_iter().find(|at| is_end(*at)).unwrap_or(bytes.len());
        &self.html[start..self.at]
    }

    /// The next token, or nothing at the end.
    #[allow(clippy::should_implement_trait, reason = "it may fail, and its tokens do not end then")]
    pub fn next(&mut self) -> Result<Option<Token<'a>>, Irregular> {
        let rest = &self.html.as_bytes()[self.at..];
        let Some(first) = rest.first() else { return Ok(None) };
        match (first, rest.get(1)) {
            (b'<', Some(b'a'..=b'z' | b'A'..=b'Z')) => self.open().map(Some),
            (b'<', Some(b'/')) => self.close().map(Some),
            (b'<', Some(b'!')) => self.comment().map(Some),
            (b'<', Some(b'?')) => Err(Irregular),
            _ => self.text().map(Some),
        }
    }

    /// What stands before the next tag. A `<` that opens none is text.
    fn text(&mut self) -> Result<Token<'a>, Irregular> {
        let start = self.at;
        let bytes = self.html.as_bytes();
        let mut end = start;
        loop {
            end += memchr::memchr(b'<', &bytes[end..]).unwrap_or(bytes.len() - end);
            match bytes.get(end + 1) {
                Some(next) if !next.is_ascii_alphabetic() && !b"/!?".contains(next) => end += 1,
                _ => break,
            }
        }
        // A `<` that ends the text would be a tag that was cut off.
        if end + 1 == bytes.len() || bytes[start..end].contains(&0) {
            return Err(Irregular);
        }
        self.at = end;
        Ok(Token::Text(resolve(&self.html[start..end], Place::Text)))
    }

    fn comment(&mut self) -> Result<Token<'a>, Irregular> {
        let body = self.html[self.at..].strip_prefix("<!--").ok_or(Irregular)?;
        let end = memchr::memmem::find(body.as_bytes(), b"-->").ok_or(Irregular)?;
        let body = &body[..end];
        if body.starts_with('>') || body.starts_with("->") || body.contains("--!>") {
            return Err(Irregular);
        }
        if body.bytes().any(|byte| byte == 0 || byte == b'\r') {
            return Err(Irregular);
        }
        self.at += end + "<!---->".len();
        Ok(Token::Comment(body))
    }

    fn close(&mut self) -> Result<Token<'a>, Irregular> {
        self.at += 2;
        let name = self.name(ends_tag_name)?;
        self.skip_space();
        self.expect(b'>')?;
        Ok(Token::Close(name))
    }

    fn open(&mut self) -> Result<Token<'a>, Irregular> {
        self.at += 1;
        self.attributes.clear();
        let name = self.name(ends_tag_name)?;
        loop {
            let is_apart = self.skip_space();
            match self.peek().ok_or(Irregular)? {
                b'>' => {
                    self.at += 1;
                    return Ok(Token::Open { name, is_empty: false });
                }
                b'/' => {
                    self.at += 1;
                    self.expect(b'>')?;
                    return Ok(Token::Open { name, is_empty: true });
                }
                _ if is_apart => self.attribute()?,
                _ => return Err(Irregular),
            }
        }
    }

    fn attribute(&mut self) -> Result<(), Irregular> {
        let name = self.name(ends_attribute_name)?;
        let end = self.at;
        self.skip_space();
        let value = if self.peek() == Some(b'=') {
            self.at += 1;
            self.skip_space();
            self.value()?
        } else {
            // The blanks stand between this attribute and the next.
            self.at = end;
            if is_flag(&name) { name.clone() } else { Cow::Borrowed("") }
        };
        if self.attributes.len() == MAX_ATTRIBUTES {
            return Err(Irregular);
        }
        if !self.attributes.iter().any(|other| other.name == name) {
            self.attributes.push(Attribute { name, value });
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Cow<'a, str>, Irregular> {
        let bytes = self.html.as_bytes();
        let raw = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let len = memchr::memchr(quote, &bytes[start..]).ok_or(Irregular)?;
                self.at = start + len + 1;
                &self.html[start..start + len]
            }
            _ => self.unquoted()?,
        };
        if raw.contains('\0') {
            return Err(Irregular);
        }
        Ok(resolve(raw, Place::Attribute))
    }

    fn unquoted(&mut self) -> Result<&'a str, Irregular> {
        let rest = &self.html[self.at..];
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '>').ok_or(Irregular)?;
        let value = &rest[..end];
        let is_plain = |c: char| !matches!(c, '"' | '\'' | '<' | '=' | '`');
        if value.is_empty() || value.ends_with('/') || !value.chars().all(is_plain) {
            return Err(Irregular);
        }
        self.at += end;
        Ok(value)
    }

    /// The name that begins here, in lower case. A parser leaves all in it that does not end it.
    fn name(&mut self, ends: fn(char) -> bool) -> Result<Cow<'a, str>, Irregular> {
        let rest = &self.html[self.at..];
        let len = match self.dialect {
            Dialect::Html | Dialect::Page => rest.bytes().position(|byte| !is_name(byte)),
            // What begins a name is in it, an equals sign too.
            Dialect::Written => {
                rest.char_indices().skip(1).find(|(_, c)| ends(*c)).map(|(at, _)| at)
            }
        };
        let name = &rest[..len.ok_or(Irregular)?];
        let is_regular = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if self.dialect != Dialect::Written && !is_regular {
            return Err(Irregular);
        }
        self.at += name.len();
        Ok(in_lower_case(name))
    }

    fn peek(&self) -> Option<u8> {
        self.html.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Irregular> {
        let found = self.peek() == Some(byte);
        self.at += 1;
        if found { Ok(()) } else { Err(Irregular) }
    }

    /// Goes over what HTML calls whitespace; whether there was any.
    fn skip_space(&mut self) -> bool {
        let rest = &self.html.as_bytes()[self.at..];
        let n = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += n;
        n > 0
    }
}

fn in_lower_case(name: &str) -> Cow<'_, str> {
    let is_lower = !name.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_ascii_lowercase()) }
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.')
}

/// Attributes of HTML 4 that say something by being there.
fn is_flag(name: &str) -> bool {
    matches!(
        name,
        "checked"
            | "compact"
            | "declare"
            | "defer"
            | "disabled"
            | "ismap"
            | "multiple"
            | "nohref"
            | "noresize"
            | "noshade"
            | "nowrap"
            | "readonly"
            | "selected"
    )
}

const fn ends_tag_name(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '/' | '>')
}

const fn ends_attribute_name(c: char) -> bool {
    ends_tag_name(c) || c == '='
}
