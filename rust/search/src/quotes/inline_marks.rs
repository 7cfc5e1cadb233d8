//! Reading of marks within a line: emphasis, signs in pairs, brackets of links and notes.

use super::chars::Sign;
use super::joints::{Joint, Kind};
use super::notes;
use super::reader::{Reader, Reading};
use chunkwright_text::unicode::space::is_space;

impl Reader<'_> {
    /// How often `byte` stands at `at`, one behind the other.
    pub fn run_len(&self, byte: u8) -> usize {
        self.text.as_bytes()[self.at..].iter().take_while(|&&b| b == byte).count()
    }

    /// Bytes of a run of `sign` at `at`, and how many there are: each may stand behind a backslash.
    pub fn run_at(&self, at: usize, sign: u8) -> (usize, usize) {
        let (bytes, mut end, mut n) = (self.text.as_bytes(), at, 0);
        loop {
            let next = end + usize::from(bytes.get(end) == Some(&b'\\'));
            if bytes.get(next) != Some(&sign) {
                return (end - at, n);
            }
            (end, n) = (next + 1, n + 1);
        }
    }

    /// Reads asterisks or underscores: those of `2*3` and `a_b` are kept.
    pub fn emphasis(&mut self, sign: char) {
        let run = self.run_len(sign as u8);
        let end = self.at + run;
        let is_of_word = |c: Option<char>| c.is_some_and(|c| Sign::of(c).is_of_word());
        if sign == '_' && is_of_word(self.before(self.at)) && is_of_word(self.behind(end)) {
            return (0..run).for_each(|_| self.keep_byte());
        }
        // Of a run that some have another one is told, and how many have to be there, which have none.
        let n_paired = (self.at..end).filter(|&at| self.pairs.is_paired(at)).count();
        let at = self.out.bytes().len();
        let is_space = self.is_space;
        if n_paired > 0 {
            self.out.join(Joint::signs(at, sign, run, true));
        }
        if n_paired < run {
            let is_note = n_paired == 0 && self.is_note_sign(sign, end);
            self.out.join(Joint::signs(at, sign, run - n_paired, is_note));
        }
        self.at = end;
        self.is_cut = true;
        self.is_space = is_space && n_paired == run;
    }

    /// Whether asterisks up to `end` are the mark of a note of a text: behind a sentence.
    fn is_note_sign(&self, sign: char, end: usize) -> bool {
        sign == '*'
            && self.is_text()
            && !self.is_blank
            && !self.pairs.is_code(self.at)
            && notes::follows_sentence(&self.out)
            && self.behind(end).is_none_or(is_space)
    }

    /// Reads signs that are markup in pairs, and kept if they are not.
    pub fn paired(&mut self, byte: u8) {
        let run = self.run_len(byte);
        if byte == b'=' && run > 3 {
            self.blank(run);
        } else if self.pairs.is_paired(self.at) && run <= 2 {
            let at = self.out.bytes().len();
            let kind = if byte == b'$' { Kind::OfNumber } else { Kind::Sign };
            self.join(run, Joint::new(at, kind, u32::from(byte), true));
        } else {
            (0..run).for_each(|_| self.keep_byte());
        }
    }

    /// Reads what stands in brackets: a link, the mark of a note, words.
    pub fn opening(&mut self) {
        let Some(close) = self.pairs.closing(self.at) else { return self.sign(1, '[', false) };
        let content = &self.text[self.at + 1..close];
        let is_code = self.pairs.is_code(self.at) || self.reading == Reading::Literal;
        let before = self.before(self.at);
        let is_attached = before.is_some_and(|c| !is_space(c));
        let behind = self.behind(close + 1);
        let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
        let is_sure = content.strip_prefix('^').is_some_and(is_number);
        let is_apart = !matches!(behind, Some('(' | ':' | '{'))
            && (is_sure || !behind.is_some_and(|c| Sign::of(c) == Sign::Word));
        if !is_code && is_apart && notes::is_label(content, is_attached) {
            let label = content.strip_prefix('^').unwrap_or(content).replace(is_space, "");
            return self.note(close + 1 - self.at, &label);
        }
        let rest = &self.text[close + 1..];
        let len = notes::link_len(rest, &self.pairs, content, close + 1).filter(|_| !is_code);
        match len {
            Some(len) => self.link(close, len),
            None => self.sign(1, '[', false),
        }
    }

    /// Reads the mark of a picture, and the picture where no words stand for it.
    pub fn picture(&mut self) {
        let len = if self.reading == Reading::Bare { self.picture_len() } else { None };
        self.markup(len.unwrap_or(1));
    }

    /// Bytes of the picture at `at`; none if its brackets are no link.
    fn picture_len(&self) -> Option<usize> {
        let open = self.at + 1;
        let close = self.pairs.closing(open).filter(|_| !self.pairs.is_code(open))?;
        let (content, rest) = (&self.text[open + 1..close], &self.text[close + 1..]);
        let len = notes::link_len(rest, &self.pairs, content, close + 1)?;
        Some(close + 1 + len - self.at)
    }

    /// Reads the text of a link whose target has `len` bytes.
    fn link(&mut self, close: usize, len: usize) {
        let is_space = self.is_space;
        self.sign(1, '[', true);
        self.is_space = is_space;
        while self.at < close {
            self.step();
        }
        if self.at == close {
            let is_space = self.is_space;
            let attributes = notes::attributes_len(&self.text[self.at + 1 + len..]);
            self.sign(1 + len + attributes.unwrap_or(0), ']', true);
            self.is_space = is_space;
        }
    }

    /// Reads a backslash, and what it makes text of.
    pub fn escaped(&mut self) {
        let next = self.behind(self.at + 1);
        match next {
            // It breaks a line of a page, and is shown where it continues a line of code.
            None => self.sign(1, '\\', false),
            Some(c) if is_space(c) => self.sign(1, '\\', self.ends_line(self.at + 1)),
            Some(c) if matches!(Sign::of(c), Sign::Apostrophe | Sign::Quotation) => {
                self.at += 1;
                self.step();
            }
            Some(c @ ('*' | '_')) => self.escaped_run(c),
            Some('|') => {
                let is_apart = |c: Option<char>| c.is_none_or(is_space);
                let is_bar = is_apart(self.before(self.at)) || is_apart(self.behind(self.at + 2));
                self.at += 1;
                if is_bar { self.sign(1, '|', false) } else { self.keep_byte() }
            }
            Some('-') => self.dash('-'),
            Some(c @ ('+' | '#' | '>')) => {
                let (len, n) = self.run_at(self.at, c as u8);
                self.signs(len, c, n, false);
            }
            Some(c) if c.is_ascii_punctuation() => {
                self.at += 1;
                match c {
                    '[' => self.sign(1, '[', false),
                    '\'' | '"' | ']' => self.step(),
                    '\\' if self.behind(self.at + 1).is_none_or(is_space) => {
                        self.sign(1, '\\', false);
                    }
                    '`' => self.markup(1),
                    _ => self.keep_byte(),
                }
            }
            _ => self.keep_byte(),
        }
    }

    /// Reads asterisks or underscores, each behind a backslash.
    fn escaped_run(&mut self, sign: char) {
        let rest = &self.text.as_bytes()[self.at..];
        let is_pair = |pair: &&[u8]| *pair == [b'\\', sign as u8];
        let n = rest.chunks(2).take_while(is_pair).count();
        let is_of_word = |c: Option<char>| c.is_some_and(|c| Sign::of(c).is_of_word());
        let is_inner = is_of_word(self.before(self.at)) && is_of_word(self.behind(self.at + 2 * n));
        if sign == '*' || !is_inner {
            return self.signs(2 * n, sign, n, false);
        }
        for _ in 0..n {
            self.at += 1;
            self.keep_byte();
        }
    }
}
