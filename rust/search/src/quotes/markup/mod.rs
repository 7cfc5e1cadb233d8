//! Markup of HTML and reStructuredText in texts: taken out, with the places of what is left.

mod names;

use std::borrow::Cow;

use markup5ever::data::NAMED_ENTITIES;
use memchr::{memchr3, memmem};

use super::notes;
use super::pairs::code_at;
use chunkwright_text::unicode::space::is_space;
use names::{BLOCK, INLINE, OtherNames, name_len};

/// Stands where markup was, in what is left: no letter is.
pub const TAKEN: char = '\u{fdd0}';

/// So many bytes a tag, an address or a role has at most.
const MAX_MARKUP_BYTES: usize = 2048;

/// So many bytes a named entity has at most.
const MAX_ENTITY_BYTES: usize = 32;

/// A text without markup of HTML.
pub struct Plain<'t> {
    /// What is left.
    pub text: Cow<'t, str>,
    /// Where places in the text are further in the source than those before: both, ascending.
    shifts: Vec<(usize, usize)>,
    /// Where entities begin and end in the source.
    pub entities: Vec<(usize, usize)>,
    /// Tags that HTML does not have, and where what stands for them is: a quotation that has one quotes it.
    tags: Vec<(usize, String)>,
}

impl<'t> Plain<'t> {
    /// The text as it is.
    pub const fn of(text: &'t str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            shifts: Vec::new(),
            entities: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// Takes out tags, comments, angle brackets around addresses, names of roles; puts characters for entities. O(n).
    ///
    /// With `has_code`, what stands between backticks is shown as it is, and stays.
    pub fn without_markup(source: &'t str, has_code: bool) -> Self {
        let bytes = source.as_bytes();
        if memchr3(b'<', b'&', b'`', bytes).is_none() {
            return Self::of(source);
        }
        let mut taker = Taker {
            source,
            text: String::new(),
            shifts: Vec::new(),
            entities: Vec::new(),
            has_comments: true,
            has_code,
            tags: Vec::new(),
            others: OtherNames::default(),
        };
        let (mut at, mut done) = (0, 0);
        while let Some(found) = memchr3(b'<', b'&', b'`', &bytes[at..]) {
            let start = at + found;
            taker.text.push_str(&source[done..start]);
            let end = match bytes[start] {
                b'<' => taker.angle(start),
                b'&' => taker.entity(start),
                _ => taker.backtick(start).or_else(|| taker.code(start)),
            };
            at = end.unwrap_or_else(|| {
                taker.text.push(char::from(bytes[start]));
                start + 1
            });
            done = at;
        }
        taker.text.push_str(&source[done..]);
        if taker.shifts.is_empty() {
            return Self::of(source);
        }
        Self {
            text: Cow::Owned(taker.text),
            shifts: taker.shifts,
            entities: taker.entities,
            tags: taker.tags,
        }
    }

    /// The tag that HTML does not have which stood at a place in the text.
    pub fn tag(&self, at: usize) -> Option<&str> {
        let i = self.tags.binary_search_by_key(&at, |&(own, _)| own).ok()?;
        Some(&self.tags[i].1)
    }

    /// Where a place in the text is in the source.
    pub fn source(&self, at: usize) -> usize {
        match self.shifts.partition_point(|&(own, _)| own <= at).checked_sub(1) {
            None => at,
            Some(last) => self.shifts[last].1 + (at - self.shifts[last].0),
        }
    }
}

struct Taker<'t> {
    source: &'t str,
    text: String,
    shifts: Vec<(usize, usize)>,
    entities: Vec<(usize, usize)>,
    /// Whether there may be an end of a comment.
    has_comments: bool,
    /// Whether backticks begin code.
    has_code: bool,
    tags: Vec<(usize, String)>,
    others: OtherNames,
}

impl<'t> Taker<'t> {
    /// Puts `text` for the source's `start..end`.
    fn put(&mut self, text: &str, start: usize, end: usize) -> usize {
        self.shifts.push((self.text.len(), start));
        self.text.push_str(text);
        self.shifts.push((self.text.len(), end));
        end
    }

    /// Puts the mark of what is taken out for the source's `start..end`.
    fn take(&mut self, start: usize, end: usize) -> usize {
        self.put(TAKEN.encode_utf8(&mut [0; 4]), start, end)
    }

    fn window(&self, start: usize) -> &'t [u8] {
        let bytes = &self.source.as_bytes()[start..];
        &bytes[..bytes.len().min(MAX_MARKUP_BYTES)]
    }

    fn entity(&mut self, start: usize) -> Option<usize> {
        let rest = &self.source.as_bytes()[start + 1..];
        let n = rest.iter().take(MAX_ENTITY_BYTES).position(|&byte| byte == b';')?;
        let name = self.source.get(start + 1..start + 1 + n)?;
        let end = start + n + 2;
        let chars: [Option<char>; 2] = if let Some(number) = name.strip_prefix('#') {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            [Some(char::from_u32(code).filter(|c| !c.is_control())?), None]
        } else {
            let &(first, second) = NAMED_ENTITIES.get(&self.source[start + 1..end])?;
            [first, second].map(|code| char::from_u32(code).filter(|&c| c != '\0'))
        };
        let text: String = chars.into_iter().flatten().collect();
        self.entities.push((start, end));
        Some(self.put(&text, start, end))
    }

    fn angle(&mut self, start: usize) -> Option<usize> {
        let window = self.window(start);
        match window.get(1)? {
            b'!' if window.starts_with(b"<!--") => self.comment(start),
            b'/' | b'a'..=b'z' | b'A'..=b'Z' => {
                let end = start + 1 + window.iter().position(|&byte| byte == b'>')?;
                if is_address(self.source.get(start + 1..end - 1)?) {
                    self.shifts.push((self.text.len(), start));
                    self.text.push(TAKEN);
                    self.shifts.push((self.text.len(), start + 1));
                    self.text.push_str(&self.source[start + 1..end - 1]);
                    return Some(self.take(end - 1, end));
                }
                self.tag(start)
            }
            _ => None,
        }
    }

    fn comment(&mut self, start: usize) -> Option<usize> {
        if !self.has_comments {
            return None;
        }
        let end = memmem::find(&self.source.as_bytes()[start + 4..], b"-->");
        self.has_comments = end.is_some();
        end.map(|n| self.take(start, start + 4 + n + 3))
    }

    fn tag(&mut self, start: usize) -> Option<usize> {
        let window = self.window(start);
        let is_end = window[1] == b'/';
        let first = if is_end { 2 } else { 1 };
        let n = name_len(&window[first..]);
        let name = window[first..first + n].to_ascii_lowercase();
        let (is_block, is_inline) = (BLOCK.contains(&&name[..]), INLINE.contains(&&name[..]));
        let mut quote = 0;
        let is_over = |&byte: &u8| {
            match byte {
                b'"' | b'\'' if quote == 0 => quote = byte,
                _ if byte == quote => quote = 0,
                _ => {}
            }
            quote == 0 && byte == b'>'
        };
        let rest = &window[first + n..];
        let len = rest.iter().position(is_over)?;
        let end = start + first + n + len + 1;
        if !is_block && !is_inline {
            let source = self.source;
            let is_tag = n > 0 && self.others.is_tag(source, &name, is_end, &rest[..len]);
            let tag = source.get(start..end).filter(|_| is_tag)?;
            self.tags.push((self.text.len(), tag.to_ascii_lowercase()));
            return Some(self.take(start, end));
        }
        let attributes = rest[..len].strip_suffix(b"/").unwrap_or(&rest[..len]);
        let is_bare = attributes.iter().all(u8::is_ascii_whitespace);
        let is_named = attributes[..].first().is_some_and(u8::is_ascii_whitespace)
            && attributes.contains(&b'=');
        if !is_bare && !is_named {
            return None;
        }
        // `a<b>c` is no tag.
        if n == 1 && !is_end && is_bare && !closes(&rest[len..], &name) {
            return None;
        }
        let is_high = name == b"sup";
        if !is_end
            && (is_high || name == b"sub")
            && let Some(end) = self.script(start, end, is_high)
        {
            return Some(end);
        }
        Some(if is_block { self.put(" ", start, end) } else { self.take(start, end) })
    }

    /// Reads what stands in `<sup>` or `<sub>` from `first` on: digits, which are put as those of Unicode, or the mark
    /// of a note.
    fn script(&mut self, start: usize, first: usize, is_high: bool) -> Option<usize> {
        let end_tag: &[u8] = if is_high { b"</sup>" } else { b"</sub>" };
        let window = self.window(first);
        let len = window.windows(6).position(|tag| tag.eq_ignore_ascii_case(end_tag))?;
        let (content, end) = (&self.source[first..first + len], first + len + end_tag.len());
        let linked = content.strip_prefix("<a ").and_then(|link| link.split_once('>'));
        let shown = linked.map_or(Some(content), |(_, shown)| shown.strip_suffix("</a>"))?;
        let label = shown.trim();
        if is_high && notes::is_mark_behind(&self.text, label, linked.is_some()) {
            self.put(&format!("[^{label}]"), start, end);
            return Some(self.take(end, end));
        }
        if linked.is_some() || !notes::is_script(label) {
            return None;
        }
        let at = first + (content.len() - content.trim_start().len());
        self.take(start, at);
        for (i, c) in label.char_indices() {
            let put = if is_high { notes::raised(c) } else { notes::lowered(c) };
            let put = put.unwrap_or(c).to_string();
            self.put(&put, at + i, at + i + c.len_utf8());
        }
        let at = at + label.len();
        Some(if is_high { self.put("", at, end) } else { self.take(at, end) })
    }

    /// Reads what a backtick begins: a role's text with its target, or a link of reStructuredText.
    fn backtick(&mut self, start: usize) -> Option<usize> {
        let window = &self.window(start)[1..];
        let len = window.iter().position(|&byte| byte == b'`').filter(|&len| len > 0)?;
        let content = self.source.get(start + 1..start + 1 + len)?;
        let behind = &window[len + 1..];
        let n_marks = behind.iter().take(2).take_while(|&&byte| byte == b'_').count();
        let is_link = n_marks > 0 && !behind.get(n_marks).is_some_and(|&byte| is_of_word(byte));
        // No markup of reStructuredText has blanks right within its marks.
        let is_apart = content.starts_with(is_space) || content.ends_with(is_space);
        let role = self.role();
        if is_apart || content.contains("\n\n") || (role.is_none() && !is_link) {
            return None;
        }
        if let Some(n) = role {
            self.text.truncate(self.text.len() - n);
            self.shifts.push((self.text.len(), start));
        }
        let shown = content.find('<').filter(|_| content.ends_with('>'));
        let shown = shown.map_or(content, |at| content[..at].trim_end());
        let skipped = match shown.as_bytes().first() {
            Some(b'~') if role.is_some() => shown.rfind('.').map_or(1, |at| at + 1),
            Some(b'!') if role.is_some() => 1,
            _ => 0,
        };
        let at = start + 1 + skipped;
        self.take(start, at);
        self.text.push_str(&shown[skipped..]);
        let end = start + len + 2 + if is_link { n_marks } else { 0 };
        Some(self.take(at + shown.len() - skipped, end))
    }

    /// Puts the code that a run of backticks begins, as it stands; the backticks if they begin none.
    fn code(&mut self, start: usize) -> Option<usize> {
        let before = self.source.as_bytes()[..start].iter().rev();
        let is_escaped = before.take_while(|&&byte| byte == b'\\').count() % 2 == 1;
        if !self.has_code || is_escaped {
            return None;
        }
        let (_, end) = code_at(self.source, start);
        self.text.push_str(&self.source[start..end]);
        Some(end)
    }

    /// Bytes of the name of a role that stands at the end of what was put: `:name:`.
    fn role(&self) -> Option<usize> {
        let floor = self.shifts.last().map_or(0, |&(at, _)| at);
        let text = &self.text.as_bytes()[floor..];
        let text = &text[text.len().saturating_sub(64)..];
        let name = text.strip_suffix(b":")?;
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+:".contains(&byte);
        let n = name.iter().rev().take_while(|&&byte| is_of_name(byte)).count();
        let name = &name[name.len() - n..];
        (n > 1 && name[0] == b':' && name[1].is_ascii_alphabetic()).then_some(n + 1)
    }
}

/// Whether `text` is what stands in angle brackets as a link: a URL, or an address of mail.
fn is_address(text: &str) -> bool {
    let is_seen = |c: char| !c.is_whitespace() && c != '<';
    if !text.chars().all(is_seen) {
        return false;
    }
    match (text.split_once(':'), text.split_once('@')) {
        (Some((scheme, _)), _) => {
            let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
            (2..=32).contains(&scheme.len()) && scheme.chars().all(is_of_scheme)
        }
        (None, Some((name, host))) => {
            let is_of_host = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
            !name.is_empty() && !host.is_empty() && host.chars().all(is_of_host)
        }
        (None, None) => false,
    }
}

/// Whether a byte is one of a letter or a digit: beyond ASCII all are taken for such.
const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Whether the tag of a name ends in `rest`.
fn closes(rest: &[u8], name: &[u8]) -> bool {
    memmem::find_iter(rest, b"</").any(|at| {
        let behind = &rest[at + 2..];
        behind.len() > name.len()
            && behind[..name.len()].eq_ignore_ascii_case(name)
            && behind[name.len()] == b'>'
    })
}
