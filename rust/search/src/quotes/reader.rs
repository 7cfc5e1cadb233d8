//! Normalisation of texts and quotations.

use super::chars::{
    Sign, ascii_sign, cluster_end, ends_line, fold, is_blank, is_hyphen, is_plain, is_vowel_sign,
    superscript,
};
use super::joints::{Joint, Kind};
use super::markup::{Plain, TAKEN};
use super::normal::{Gap, Normal};
use super::notes;
use super::pairs::Pairs;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;
use chunkwright_text::unicode::classes::Class;
use chunkwright_text::unicode::space::is_space;

/// So many bytes are read between two beats.
const WINDOW_BYTES: usize = 1 << 14;

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A text: what it has beside its words may be missing in a quotation.
    Text,
    /// A text without the words that its page does not show: those for pictures, names of languages of code, targets of
    /// links that stand apart.
    Bare,
    /// A quotation: what it has has to be in the text.
    Quote,
    /// A quotation whose numbers before blanks are those of lists.
    Numbered,
    /// A quotation with what looks like markup as words.
    Literal,
}

impl Reading {
    /// Whether a text is read, and not a quotation.
    const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Bare)
    }
}

/// The normalised form of `source`. O(n).
///
/// # Errors
/// Those of the pulse.
pub fn normalised(source: &str, reading: Reading, beat: &Beat<'_>) -> Result<Normal> {
    let plain = match reading {
        Reading::Literal => Plain::of(source),
        _ => Plain::without_markup(source, reading.is_text()),
    };
    let pairs = match reading {
        Reading::Literal => Pairs::default(),
        _ => Pairs::of(&plain.text, reading.is_text()),
    };
    let mut reader = Reader {
        text: &plain.text,
        plain: &plain,
        pairs,
        reading,
        at: 0,
        out: Normal::with_entities(plain.entities.clone()),
        is_blank: false,
        is_space: false,
        is_cut: false,
        last: Last::None,
        is_table: false,
        is_list: false,
        last_note: 0,
        folded: String::new(),
    };
    reader.begin_line();
    while reader.at < reader.text.len() {
        let stop = reader.text.len().min(reader.at + WINDOW_BYTES);
        beat.after(stop - reader.at)?;
        while reader.at < stop {
            reader.step();
        }
    }
    Ok(reader.out)
}

/// What was kept last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    None,
    Letter,
    Digit,
    Spaceless,
    Other,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Reader<'t> {
    pub text: &'t str,
    pub(super) plain: &'t Plain<'t>,
    pub pairs: Pairs,
    pub reading: Reading,
    pub at: usize,
    pub out: Normal,
    /// Whether a blank stands behind what was kept last.
    pub(super) is_blank: bool,
    /// Whether one stands behind the last joint.
    pub(super) is_space: bool,
    /// Whether markup stands there.
    pub(super) is_cut: bool,
    pub(super) last: Last,
    /// Whether the line is a row of a table.
    pub(super) is_table: bool,
    /// Whether items of a list go on.
    pub is_list: bool,
    /// The number of the last note.
    pub(super) last_note: u32,
    pub(super) folded: String,
}

impl Reader<'_> {
    /// Reads what stands at `at`.
    #[inline]
    pub fn step(&mut self) {
        let byte = self.byte(self.at);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => self.word(),
            b' ' => self.blank(1),
            b'\n' | b'\r' | 0x0b | 0x0c => {
                self.blank(1);
                self.begin_line();
            }
            0x80.. => self.beyond_ascii(),
            b'*' | b'_' => self.emphasis(char::from(byte)),
            b'|' if self.is_table || !self.has_neighbours() => {
                self.sign(1, '|', self.is_table);
                self.is_blank = true;
                self.is_space = true;
            }
            b'~' | b'^' if self.script(byte) => {}
            b'^' if self.typed_power() => {}
            b'{' if self.attributes() => {}
            b'~' | b'=' | b'$' => self.paired(byte),
            b'+' | b'#' | b'>' => {
                let (len, n) = self.run_at(self.at, byte);
                let is_closing = byte == b'#' && len == n && self.closes_heading(len);
                self.signs(len, char::from(byte), n, is_closing);
            }
            b'[' => self.opening(),
            // A quotation may begin within the text of a link.
            b']' => self.sign(1 + notes::target_len(&self.text[self.at + 1..]), ']', false),
            b'!' if self.byte(self.at + 1) == b'[' => self.picture(),
            b'\\' => self.escaped(),
            b'-' | b'\'' | b'"' | b'`' | 0..0x20 | 0x7f => self.mark(char::from(byte)),
            _ => self.keep_byte(),
        }
    }

    /// The byte at a place, 0 behind the end.
    pub fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    pub fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    pub fn behind(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// Whether the byte at `at` has something other than whitespace on both sides.
    fn has_neighbours(&self) -> bool {
        let is_seen = |c: Option<char>| c.is_some_and(|c| !is_space(c));
        is_seen(self.before(self.at)) && is_seen(self.behind(self.at + 1))
    }

    /// Whether it is a text, and not a quotation.
    pub fn is_text(&self) -> bool {
        self.reading.is_text()
    }

    /// Goes on `n` bytes of whitespace.
    pub fn blank(&mut self, n: usize) {
        self.at += n;
        if n > 0 {
            self.is_blank = true;
            self.is_space = true;
        }
    }

    /// Goes on `n` bytes that are not seen.
    fn skip(&mut self, n: usize) {
        self.at += n;
    }

    /// Goes on `n` bytes of markup.
    pub fn markup(&mut self, n: usize) {
        self.at += n;
        self.is_cut = true;
    }

    /// Goes on `n` bytes that are a sign.
    pub fn sign(&mut self, n: usize, sign: char, is_optional: bool) {
        self.signs(n, sign, 1, is_optional);
    }

    /// Goes on `n` bytes that are some signs.
    pub fn signs(&mut self, n: usize, sign: char, n_signs: usize, is_optional: bool) {
        self.join(n, Joint::signs(self.out.bytes().len(), sign, n_signs, is_optional));
    }

    /// Goes on `n` bytes that are a joint.
    pub fn join(&mut self, n: usize, joint: Joint) {
        self.out.join(if self.is_blank { joint.apart() } else { joint });
        self.at += n;
        self.is_cut = true;
        self.is_space = false;
    }

    /// Keeps bytes of a character that begins at `start`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8], start: usize, last: Last, is_capital: bool) {
        let is_word = matches!(last, Last::Letter | Last::Digit);
        let after_word = matches!(self.last, Last::Letter | Last::Digit);
        let is_blank = self.is_blank
            && (is_word && after_word || last == Last::Digit && ends_number(self.out.bytes()));
        if self.is_cut && !self.is_blank && last == Last::Digit && self.last == Last::Digit {
            self.out.join(Joint::new(self.out.bytes().len(), Kind::Cut, 0, false));
        }
        let gap = Gap { is_blank, is_space: self.is_space };
        self.out.push(bytes, self.plain.source(start), gap, is_capital);
        self.is_blank = false;
        self.is_space = false;
        self.is_cut = false;
        self.last = last;
    }

    /// Keeps a byte of ASCII as it is.
    pub fn keep_byte(&mut self) {
        self.push(&[self.byte(self.at)], self.at, Last::Other, false);
        self.at += 1;
    }

    /// Keeps `byte` for what stands up to `end`.
    fn keep(&mut self, byte: u8, end: usize) {
        self.push(&[byte], self.at, Last::Other, false);
        self.at = end;
    }

    /// Reads letters and digits of ASCII.
    fn word(&mut self) {
        if self.reading == Reading::Numbered && self.is_number() {
            return;
        }
        while self.byte(self.at).is_ascii_alphanumeric() {
            let byte = self.byte(self.at);
            let last = if byte.is_ascii_digit() { Last::Digit } else { Last::Letter };
            self.push(&[byte.to_ascii_lowercase()], self.at, last, byte.is_ascii_uppercase());
            self.at += 1;
        }
    }

    /// Reads the number of an item, if one stands here: of two numbers the second one is.
    fn is_number(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let n = notes::number_len(rest);
        let is_first = self.before(self.at).is_none_or(|c| is_space(c) || c == TAKEN);
        let is_of_item = n > 0 && is_first && notes::number_len(rest[n..].trim_start()) == 0;
        if is_of_item {
            self.number(n, false);
        }
        is_of_item
    }

    /// Goes on `n` bytes of the number of an item.
    pub fn number(&mut self, n: usize, is_optional: bool) {
        let label = &self.text[self.at..self.at + n];
        let joint = Joint::labelled(self.out.bytes().len(), Kind::Number, label, is_optional);
        self.join(n, joint);
    }

    fn beyond_ascii(&mut self) {
        let Some(c) = self.behind(self.at) else { return };
        let sign = Sign::of(c);
        if !matches!(sign, Sign::Word | Sign::Spaceless | Sign::Mark | Sign::Other) || c == TAKEN {
            return self.mark(c);
        }
        if let Some(ascii) = ascii_sign(c) {
            return self.sign(c.len_utf8(), ascii, false);
        }
        if superscript(c).is_some() || c == '⁻' {
            return self.superscripts();
        }
        if matches!(c, '†' | '‡') && self.dagger(c) {
            return;
        }
        if matches!(c, '₀'..='₉') {
            return self.subscripts();
        }
        if c == '\u{307}' && self.out.bytes().ends_with(b"i") {
            return self.skip(c.len_utf8());
        }
        let (start, end) = (self.at, cluster_end(self.text, self.at));
        let last = match sign {
            Sign::Mark => self.last,
            Sign::Spaceless => Last::Spaceless,
            Sign::Word if Class::of(c).is_number() => Last::Digit,
            Sign::Word => Last::Letter,
            _ => Last::Other,
        };
        if end == start + c.len_utf8() && is_plain(c) {
            self.push(&self.text.as_bytes()[start..end], start, last, false);
        } else {
            self.cluster(start, end, last);
        }
        self.at = end;
    }

    /// Keeps a character with its marks.
    fn cluster(&mut self, start: usize, end: usize, last: Last) {
        let mut folded = std::mem::take(&mut self.folded);
        fold(&self.text[start..end], &mut folded);
        let form = match self.behind(start) {
            Some('ß' | 'ẞ') => Some('ß'),
            Some('ı') => Some('ı'),
            _ => None,
        };
        if let Some(form) = form {
            self.out.join(Joint::new(self.out.bytes().len(), Kind::Form, form as u32, false));
        }
        let is_capital = self.behind(start).is_some_and(char::is_uppercase);
        if folded.contains(is_vowel_sign) {
            let vowels: String = folded.chars().filter(|&c| is_vowel_sign(c)).collect();
            folded.retain(|c| !is_vowel_sign(c));
            if !folded.is_empty() {
                self.push(folded.as_bytes(), start, last, is_capital);
            }
            let at = self.out.bytes().len();
            for c in vowels.chars() {
                self.out.join(Joint::new(at, Kind::Vowel, c as u32, self.is_text()));
            }
        } else if !folded.is_empty() {
            self.push(folded.as_bytes(), start, last, is_capital);
        }
        self.folded = folded;
    }

    /// Goes on `n` bytes that are the mark of a note.
    pub fn note(&mut self, n: usize, label: &str) {
        let at = self.out.bytes().len();
        self.last_note = label.parse().unwrap_or(self.last_note);
        let is_space = self.is_space;
        self.join(n, Joint::labelled(at, Kind::Note, label, self.is_text()));
        self.is_space = is_space;
    }

    /// Reads a mark that is not kept as it is, or a sign of which there are several forms.
    fn mark(&mut self, c: char) {
        let n = c.len_utf8();
        let next = self.at + n;
        match Sign::of(c) {
            _ if c == TAKEN => match self.plain.tag(self.at) {
                Some(tag) => self.note(n, tag),
                None => self.markup(n),
            },
            Sign::Space if matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}') => {
                self.blank(n);
                self.begin_line();
            }
            Sign::Space => self.blank(n),
            Sign::Bullet => self.sign(n, c, false),
            Sign::Dash => self.dash(c),
            Sign::Apostrophe | Sign::Quotation => self.quotation(c, next),
            Sign::Invisible if c == '\u{ad}' && self.ends_line(next) => self.dash(c),
            _ if c == '\u{ad}' => self.markup(n),
            _ => self.skip(n),
        }
    }

    /// Whether only blanks stand between `at` and the end of its line.
    pub fn ends_line(&self, at: usize) -> bool {
        self.text[at..].chars().find(|&c| !is_blank(c)).is_some_and(ends_line)
    }

    /// Whether a letter comes at `at`, past blanks and signs that are left out.
    fn letter_comes(&self, at: usize) -> bool {
        let is_left_out = |c: &char| {
            is_space(*c)
                || matches!(c, '*' | '_' | '`' | '[' | '>' | &TAKEN)
                || matches!(Sign::of(*c), Sign::Invisible | Sign::Quotation | Sign::Apostrophe)
        };
        let next = self.text[at..].chars().find(|c| !is_left_out(c));
        next.is_some_and(|c| match Sign::of(c) {
            Sign::Word => !Class::of(c).is_number(),
            sign => sign == Sign::Spaceless,
        })
    }

    /// Reads dashes: between letters they are a joint, at the end of a line perhaps no part of the word; others are
    /// kept.
    pub fn dash(&mut self, c: char) {
        let (len, run) = if c == '-' { self.run_at(self.at, b'-') } else { (c.len_utf8(), 1) };
        let next = self.at + len;
        // A rule that was drawn, in a line with others.
        if run > 3 && self.is_blank && self.behind(next).is_some_and(is_space) {
            return self.blank(run);
        }
        let after_letter = matches!(self.last, Last::Letter | Last::Spaceless);
        if !after_letter || !self.letter_comes(next) {
            return (0..run).for_each(|left| {
                let end = self.at + c.len_utf8() + usize::from(self.byte(self.at) == b'\\');
                self.keep(b'-', if left + 1 == run { next } else { end });
            });
        }
        let follows_blank = self.is_blank;
        let is_hyphen = run == 1
            && is_hyphen(c)
            && !follows_blank
            && self.last == Last::Letter
            && self.ends_line(next);
        if is_hyphen {
            self.sign(next - self.at, '-', true);
            let rest = &self.text[self.at..];
            let n = rest.len() - rest.trim_start_matches(is_space).len();
            self.at += n;
            return self.begin_line();
        }
        let is_even = follows_blank == self.behind(next).is_some_and(is_space);
        let n_signs = if run > 3 || !is_even { run } else { 1 };
        self.signs(next - self.at, '-', n_signs, false);
    }

    /// Reads a quotation mark or an apostrophe.
    fn quotation(&mut self, c: char, next: usize) {
        let at = self.out.bytes().len();
        let is_apostrophe = Sign::of(c) == Sign::Apostrophe;
        let is_prime = matches!(c, '′' | '″');
        if is_apostrophe && c != '`' && self.is_within_word(next) {
            self.keep(b'\'', next);
        } else if self.last == Last::Digit
            && !self.is_blank
            && matches!(c, '\'' | '"' | '’' | '”' | '′' | '″')
        {
            let sign = if is_apostrophe { '\'' } else { '"' };
            let is_closing = self.pairs.is_paired(self.at) || self.pairs.is_code(self.at);
            let is_optional = !is_prime && is_closing;
            self.join(next - self.at, Joint::new(at, Kind::OfNumber, sign as u32, is_optional));
        } else {
            if !is_apostrophe && self.is_before_word(next) {
                self.end_word();
            }
            self.markup(next - self.at);
        }
    }

    /// Whether a word begins at `next`, of a script with blanks between words, that a quotation mark alone parts from
    /// letters before it, or that would be taken for the unit of a number.
    fn is_before_word(&self, next: usize) -> bool {
        let is_word = |c: char| Sign::of(c) == Sign::Word;
        let last = if self.is_blank { Last::Digit } else { Last::Letter };
        self.last == last && self.behind(next).is_some_and(is_word)
    }

    /// Notes that what is behind this is no part of what stands before.
    fn end_word(&mut self) {
        self.out.join(Joint::new(self.out.bytes().len(), Kind::Break, 0, true));
    }

    /// Notes the end of a paragraph: a number in it has no unit behind that.
    pub fn end_paragraph(&mut self) {
        if self.last == Last::Digit {
            self.end_word();
        }
    }

    /// Whether what stands up to `next` has parts of words on both sides.
    fn is_within_word(&self, next: usize) -> bool {
        let is_left_out =
            |c: &char| matches!(c, '*' | '`' | '[' | &TAKEN) || Sign::of(*c) == Sign::Invisible;
        let behind = self.text[next..].chars().find(|c| !is_left_out(c));
        matches!(self.last, Last::Letter | Last::Digit | Last::Spaceless)
            && !self.is_blank
            && behind.is_some_and(|c| Sign::of(c).is_of_word())
    }

    /// Reads what marks the line at `at` as a heading, an item of a list, a quotation, a rule.
    fn begin_line(&mut self) {
        if self.reading == Reading::Bare && !self.pairs.is_code(self.at) {
            self.blank(notes::unseen_len(&self.text[self.at..]));
        }
        self.markers();
        self.is_table = self.byte(self.at) == b'|';
    }
}

/// Whether a number ends the bytes, with a sign behind it that goes on in numbers.
fn ends_number(bytes: &[u8]) -> bool {
    matches!(bytes, [.., b'0'..=b'9', b'.' | b',' | b':' | b'/' | b'\''])
}
