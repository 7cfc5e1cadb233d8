//! Links in running text: references, embedded addresses, and addresses that stand there as they are.
//!
//! Marks count only where they begin behind a blank or an opening sign, and end in front of a blank or a closing
//! one. What is literal, emphasised or a role holds no links.

use chunkwright_text::read::link::Link;
use chunkwright_text::span::Span;

use super::addresses::{closes, mail, standalone};
use super::markers::simple_name;
use super::targets::{Targets, address, referred, unescaped};

/// What links are found in.
#[derive(Clone, Debug, Default)]
pub struct Inline {
    /// Texts of the document, in order.
    pub texts: Vec<Span>,
    /// The targets of references.
    pub targets: Targets,
    links: Vec<Link>,
    references: Vec<(Span, To)>,
}

/// What a reference leads to.
#[derive(Clone, Debug)]
enum To {
    Name(String),
    Anonymous,
    Address(String),
}

impl Inline {
    /// Adds a picture.
    pub fn image(&mut self, span: Span, target: &str) {
        self.links.push(Link { span, target: address(target).into(), is_image: true });
    }

    /// Adds a reference that stands elsewhere than in running text.
    pub fn reference(&mut self, span: Span, target: &str) {
        let to = match referred(target) {
            Some(name) => To::Name(name.to_owned()),
            None => To::Address(address(target)),
        };
        self.references.push((span, to));
    }

    /// The links, in the order of the text. O(n).
    pub fn links(mut self, text: &str) -> Vec<Link> {
        for span in std::mem::take(&mut self.texts) {
            let said = &text[span.range()];
            Scan { said, offset: span.start, ended: [false; 5], inline: &mut self }.run();
        }
        for (span, to) in std::mem::take(&mut self.references) {
            let target = match to {
                To::Name(name) => self.targets.named(&name),
                To::Anonymous => self.targets.next_anonymous(),
                To::Address(address) => Some(address),
            };
            if let Some(target) = target {
                self.links.push(Link { span, target: target.into(), is_image: false });
            }
        }
        self.links.sort_by_key(|link| (link.span.start, std::cmp::Reverse(link.span.end)));
        self.links
    }
}

/// The signs that end marks.
const ENDS: [&str; 5] = ["``", "`", "**", "*", "|"];

struct Scan<'a> {
    said: &'a str,
    offset: usize,
    /// For each sign that ends marks whether there is none ahead.
    ended: [bool; 5],
    inline: &'a mut Inline,
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.said.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            at = match bytes[at] {
                b'\\' => self.behind(at + 1),
                b'`' if self.begins(at, "``") => self.skip(at, 0),
                b'`' if self.begins(at, "`") => self.quoted(at),
                b'*' if self.begins(at, "**") => self.skip(at, 2),
                b'*' if self.begins(at, "*") => self.skip(at, 3),
                b'|' if self.begins(at, "|") => self.substitution(at),
                b'_' if self.begins(at, "_`") => self.target(at),
                b'@' => self.mail(at),
                byte if byte.is_ascii_alphanumeric() || !byte.is_ascii() => self.word(at),
                _ => at + 1,
            };
        }
    }

    /// Behind the character at `at`.
    fn behind(&self, at: usize) -> usize {
        let c = self.said.get(at..).and_then(|rest| rest.chars().next());
        at + c.map_or(1, char::len_utf8)
    }

    /// Whether `mark` begins something at `at`.
    fn begins(&self, at: usize, mark: &str) -> bool {
        let next = |at: usize| self.said[at..].chars().next();
        if !self.said[at..].starts_with(mark) {
            return false;
        }
        let (before, behind) = (self.said[..at].chars().next_back(), next(at + mark.len()));
        let closing = match before {
            Some('(') => Some(')'),
            Some('[') => Some(']'),
            Some('{') => Some('}'),
            Some('<') => Some('>'),
            Some(quote @ ('"' | '\'')) => Some(quote),
            _ => None,
        };
        let is_quoted = closing.is_some() && behind == closing;
        opens(before) && !is_quoted && behind.is_some_and(|c| !c.is_whitespace())
    }

    /// Where the sign of that number ends what begins before `from`; none if it does not.
    fn end(&mut self, from: usize, sign: usize) -> Option<usize> {
        if self.ended[sign] {
            return None;
        }
        let mark = ENDS[sign];
        let mut at = from;
        while let Some(found) = memchr::memmem::find(&self.said.as_bytes()[at..], mark.as_bytes()) {
            let end = at + found;
            let before = &self.said[..end];
            let is_escaped =
                sign != 0 && (before.len() - before.trim_end_matches('\\').len()) % 2 == 1;
            let follows = before.chars().next_back().is_some_and(|c| !c.is_whitespace());
            let behind = end + mark.len();
            let suffix = match sign {
                1 => self.suffix(behind),
                4 => self.underscores(behind),
                _ => behind,
            };
            if end > from && follows && !is_escaped && closes(&self.said[suffix..]) {
                return Some(end);
            }
            at = end + 1;
        }
        self.ended[sign] = true;
        None
    }

    fn underscores(&self, at: usize) -> usize {
        at + self.said[at..].bytes().take(2).take_while(|byte| *byte == b'_').count()
    }

    /// Behind the signs of a reference, or a role behind a text.
    fn suffix(&self, at: usize) -> usize {
        if let Some(role) = self.said[at..].strip_prefix(':') {
            let n = simple_name(role);
            return if n > 0 && role[n..].starts_with(':') { at + n + 2 } else { at };
        }
        self.underscores(at)
    }

    /// Skips what a sign begins at `at` and ends, or the sign.
    fn skip(&mut self, at: usize, sign: usize) -> usize {
        let mark = ENDS[sign].len();
        self.end(at + mark, sign).map_or(at + mark, |end| end + mark)
    }

    fn quoted(&mut self, at: usize) -> usize {
        let Some(end) = self.end(at + 1, 1) else { return at + 1 };
        let behind = self.suffix(end + 1);
        let said = &self.said[at + 1..end];
        match &self.said[end + 1..behind] {
            "_" => self.phrase(at, behind, said, false),
            "__" => self.phrase(at, behind, said, true),
            _ => {
                if let Some((start, to)) = self.document(at, said) {
                    self.push(start, behind, To::Address(to));
                }
            }
        }
        behind
    }

    /// Where the role of the text at `at` begins, and the address of the PEP or RFC that it names.
    fn document(&self, at: usize, said: &str) -> Option<(usize, String)> {
        let named = said.strip_suffix('>').and_then(|front| front.rsplit_once('<'));
        let number = named.map_or(said, |(_, number)| number);
        let (number, anchor) = number.split_once('#').unwrap_or((number, ""));
        let number: u32 = number.trim().parse().ok()?;
        let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
        let front = &self.said[..at];
        let ends = |role: &str| {
            let start = front.len().checked_sub(role.len())?;
            front.get(start..).filter(|end| end.eq_ignore_ascii_case(role)).map(|_| start)
        };
        let pep = ends(":pep:").map(|at| (at, format!("https://peps.python.org/pep-{number:04}")));
        let rfc =
            || ends(":rfc:").map(|at| (at, format!("https://www.rfc-editor.org/rfc/rfc{number}")));
        let (start, to) = pep.or_else(rfc)?;
        Some((start, to + &anchor))
    }

    /// Takes a reference in quotes, perhaps with an address.
    fn phrase(&mut self, at: usize, behind: usize, said: &str, is_anonymous: bool) {
        let embedded = said.strip_suffix('>').filter(|front| !front.ends_with('\\'));
        let parts = embedded.and_then(|front| front.rsplit_once('<'));
        let parts = parts.filter(|(name, to)| {
            !to.is_empty() && (name.is_empty() || name.ends_with(char::is_whitespace))
        });
        let to = match parts {
            Some((name, to)) => {
                let to = to.trim();
                let name = if name.trim().is_empty() { to } else { name };
                if !is_anonymous {
                    self.inline.targets.define(&unescaped(name), to);
                }
                // A name may have blanks here.
                let name = to.strip_suffix('_').filter(|name| !name.ends_with('\\'));
                match name.filter(|_| standalone(to).is_none()) {
                    Some(name) => To::Name(name.trim_matches('`').to_owned()),
                    None => To::Address(address(to)),
                }
            }
            None if is_anonymous => To::Anonymous,
            None => To::Name(said.to_owned()),
        };
        self.push(at, behind, to);
    }

    fn substitution(&mut self, at: usize) -> usize {
        let Some(end) = self.end(at + 1, 4) else { return at + 1 };
        let behind = self.underscores(end + 1);
        match &self.said[end + 1..behind] {
            "_" => self.push(at, behind, To::Name(self.said[at + 1..end].to_owned())),
            "__" => self.push(at, behind, To::Anonymous),
            _ => {}
        }
        behind
    }

    fn target(&mut self, at: usize) -> usize {
        let Some(end) = self.end(at + 2, 1) else { return at + 2 };
        self.inline.targets.define(&self.said[at + 2..end], "");
        end + 1
    }

    /// Takes a word: an address, a reference, or text.
    fn word(&mut self, at: usize) -> usize {
        if !opens(self.said[..at].chars().next_back()) {
            return self.behind(at);
        }
        if let Some(len) = standalone(&self.said[at..]) {
            let said = self.said[at..at + len].to_owned();
            self.push(at, at + len, To::Address(unescaped(&said)));
            return at + len;
        }
        let n = simple_name(&self.said[at..]);
        if n == 0 {
            return self.behind(at);
        }
        let end = at + n;
        let behind = self.underscores(end);
        if behind > end && closes(&self.said[behind..]) {
            let name = self.said[at..end].to_owned();
            self.push(at, behind, if behind > end + 1 { To::Anonymous } else { To::Name(name) });
            return behind;
        }
        // An address may begin with the last part of a name.
        let part = self.said[at..end].rfind(|c: char| !c.is_alphanumeric());
        let last = part.map_or(end, |sign| at + sign + 1);
        if last < end && standalone(&self.said[last..]).is_some() { last } else { end }
    }

    fn mail(&mut self, at: usize) -> usize {
        let Some((from, upto)) = mail(self.said, at) else { return at + 1 };
        if opens(self.said[..from].chars().next_back()) && closes(&self.said[upto..]) {
            let to = format!("mailto:{}", &self.said[from..upto]);
            self.push(from, upto, To::Address(to));
            return upto;
        }
        at + 1
    }

    fn push(&mut self, from: usize, upto: usize, to: To) {
        let span = Span::new(self.offset + from, self.offset + upto);
        self.inline.references.push((span, to));
    }
}

/// Whether marks may begin behind a character, or at the start.
fn opens(before: Option<char>) -> bool {
    before.is_none_or(|c| match c {
        '-' | '/' | ':' | '"' | '\'' | '<' | '(' | '[' | '{' => true,
        c => c.is_whitespace() || !c.is_ascii() && !c.is_alphanumeric(),
    })
}
