//! Normalisation of texts and quotations.

use super::chars::{Sign, fold, is_jamo, is_plain, may_be_minus};
use super::normal::{Gap, Normal};
use crate::error::Result;
use crate::pulse::Beat;
use crate::unicode::space::is_space;

/// So far a link's target is looked at.
const MAX_TARGET_BYTES: usize = 2048;

/// So many marks of a line's kind are looked for.
const MAX_MARKERS: usize = 8;

/// So many bytes are read between two beats.
const WINDOW_BYTES: usize = 1 << 14;

/// The normalised form of `source`. O(n).
///
/// # Errors
/// Those of the pulse.
pub fn normalised(source: &str, beat: &Beat<'_>) -> Result<Normal> {
    let mut reader = Reader {
        source,
        at: 0,
        out: Normal::default(),
        gap: Gap::None,
        after_word: false,
        is_table: false,
        folded: String::new(),
    };
    reader.begin_line();
    while reader.at < source.len() {
        let stop = source.len().min(reader.at + WINDOW_BYTES);
        beat.after(stop - reader.at)?;
        while reader.at < stop {
            reader.step();
        }
    }
    Ok(reader.out)
}

struct Reader<'t> {
    source: &'t str,
    at: usize,
    out: Normal,
    /// What stands between the last character that was kept and the next one.
    gap: Gap,
    /// Whether that last character is of a word, in a script with blanks.
    after_word: bool,
    /// Whether the line is a row of a table.
    is_table: bool,
    folded: String,
}

impl Reader<'_> {
    /// Reads what stands at `at`.
    #[inline]
    fn step(&mut self) {
        let byte = self.byte(self.at);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => self.word(),
            b' ' => self.leave(1, Gap::Blank),
            b'\n' | b'\r' | 0x0b | 0x0c => {
                self.leave(1, Gap::Blank);
                self.begin_line();
            }
            0x80.. => self.beyond_ascii(),
            b'*' | b'_' => self.emphasis(byte),
            b'|' if self.is_table || !self.has_neighbours(self.at, self.at + 1) => {
                self.leave(1, Gap::Blank);
            }
            b'=' if self.source.as_bytes()[self.at..].starts_with(b"===") => {
                let run = self.run_len(byte);
                self.leave(run, Gap::Blank);
            }
            b'[' => self.leave(1, Gap::Loose),
            b']' => self.leave(1 + self.target_len(), Gap::Loose),
            b'!' if self.byte(self.at + 1) == b'[' => self.leave(1, Gap::Loose),
            b'\\' => self.escaped(),
            b'-' | b'\'' | b'"' | b'`' | 0..0x20 | 0x7f => self.sign(char::from(byte)),
            _ => self.keep_byte(),
        }
    }

    /// The byte at a place, 0 behind the end.
    fn byte(&self, at: usize) -> u8 {
        self.source.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Goes on `n` bytes that are not kept.
    fn leave(&mut self, n: usize, gap: Gap) {
        self.at += n;
        self.gap = self.gap.max(gap);
    }

    /// Keeps a byte of ASCII as it is.
    fn keep_byte(&mut self) {
        self.gap = Gap::None;
        self.after_word = false;
        self.out.push(&[self.byte(self.at)], self.at, Gap::None);
        self.at += 1;
    }

    /// Reads letters and digits of ASCII.
    fn word(&mut self) {
        let mut gap = if self.after_word { self.gap } else { Gap::None };
        while self.byte(self.at).is_ascii_alphanumeric() {
            let byte = self.byte(self.at).to_ascii_lowercase();
            self.out.push(&[byte], self.at, std::mem::take(&mut gap));
            self.at += 1;
        }
        self.gap = Gap::None;
        self.after_word = true;
    }

    fn beyond_ascii(&mut self) {
        let Some(c) = self.source[self.at..].chars().next() else { return };
        let sign = Sign::of(c);
        if !matches!(sign, Sign::Word | Sign::Spaceless | Sign::Mark | Sign::Other) {
            return self.sign(c);
        }
        if c == '\u{307}' && self.out.bytes().ends_with(b"i") {
            return self.leave(c.len_utf8(), Gap::None);
        }
        let (start, end) = (self.at, cluster_end(self.source, self.at));
        let gap = if self.after_word && sign == Sign::Word { self.gap } else { Gap::None };
        if end == start + c.len_utf8() && is_plain(c) {
            self.out.push(&self.source.as_bytes()[start..end], start, gap);
        } else {
            fold(&self.source[start..end], &mut self.folded);
            self.out.push(self.folded.as_bytes(), start, gap);
        }
        if sign != Sign::Mark {
            self.gap = Gap::None;
            self.after_word = sign == Sign::Word;
        }
        self.at = end;
    }

    /// Reads what is not kept as it is.
    fn sign(&mut self, c: char) {
        let next = self.at + c.len_utf8();
        match Sign::of(c) {
            Sign::Space if matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}') => {
                self.leave(c.len_utf8(), Gap::Blank);
                self.begin_line();
            }
            Sign::Space => self.leave(c.len_utf8(), Gap::Blank),
            Sign::Dash if may_be_minus(c) && self.is_minus(next) => self.keep(b'-', next),
            Sign::Apostrophe if c != '`' && self.is_within_word(self.at, next) => {
                self.keep(b'\'', next);
            }
            Sign::Invisible => self.leave(c.len_utf8(), Gap::None),
            _ => self.leave(c.len_utf8(), Gap::Loose),
        }
    }

    /// Keeps `byte` for what stands up to `end`.
    fn keep(&mut self, byte: u8, end: usize) {
        self.gap = Gap::None;
        self.after_word = false;
        self.out.push(&[byte], self.at, Gap::None);
        self.at = end;
    }

    /// Reads a backslash, and what it makes text of.
    fn escaped(&mut self) {
        let next = self.source[self.at + 1..].chars().next();
        let end = self.at + 1 + next.map_or(0, char::len_utf8);
        match next.map(Sign::of) {
            Some(Sign::Apostrophe) if self.is_within_word(self.at, end) => self.keep(b'\'', end),
            Some(Sign::Apostrophe | Sign::Quotation) => self.leave(end - self.at, Gap::Loose),
            _ if self.byte(self.at + 1).is_ascii_punctuation() => {
                self.at += 1;
                self.keep_byte();
            }
            _ => self.keep_byte(),
        }
    }

    /// How often `byte` stands at `at`, one behind the other.
    fn run_len(&self, byte: u8) -> usize {
        self.source.as_bytes()[self.at..].iter().take_while(|&&b| b == byte).count()
    }

    /// Whether a digit stands at `next`, and neither word nor dash before the sign.
    fn is_minus(&self, next: usize) -> bool {
        let before = self.source[..self.at].chars().next_back().map(Sign::of);
        self.byte(next).is_ascii_digit()
            && before.is_none_or(|sign| !sign.is_of_word() && sign != Sign::Dash)
    }

    /// Whether `start..end` has parts of words on both sides.
    fn is_within_word(&self, start: usize, end: usize) -> bool {
        let is_of_word = |c: Option<char>| c.is_some_and(|c| Sign::of(c).is_of_word());
        is_of_word(self.source[..start].chars().next_back())
            && is_of_word(self.source[end..].chars().next())
    }

    /// Whether `start..end` has something other than whitespace on both sides.
    fn has_neighbours(&self, start: usize, end: usize) -> bool {
        let is_seen = |c: Option<char>| c.is_some_and(|c| Sign::of(c) != Sign::Space);
        is_seen(self.source[..start].chars().next_back())
            && is_seen(self.source[end..].chars().next())
    }

    /// Reads asterisks or underscores: those of `2*3`, `2 * 3` and `a_b` are kept.
    fn emphasis(&mut self, byte: u8) {
        let run = self.run_len(byte);
        let end = self.at + run;
        let is_kept = if self.is_within_word(self.at, end) {
            byte == b'_' || run == 1
        } else {
            let is_apart = |c: Option<char>| c.is_none_or(|c| Sign::of(c) == Sign::Space);
            byte == b'*'
                && is_apart(self.source[..self.at].chars().next_back())
                && is_apart(self.source[end..].chars().next())
        };
        if is_kept {
            (0..run).for_each(|_| self.keep_byte());
        } else {
            self.leave(run, Gap::None);
        }
    }

    /// Bytes of the target of a link whose text ends at `at`, parentheses included; none if there is no link.
    fn target_len(&self) -> usize {
        let rest = &self.source.as_bytes()[self.at + 1..];
        let rest = &rest[..rest.len().min(MAX_TARGET_BYTES)];
        let end = rest.iter().position(|&b| b == b')' || b.is_ascii_whitespace()).unwrap_or(0);
        let is_target = |target: &[u8]| target.iter().any(|b| b"/.#:".contains(b));
        if rest.starts_with(b"(") && rest[end] == b')' && is_target(&rest[..end]) {
            end + 1
        } else {
            0
        }
    }

    /// Reads what marks the line at `at` as a heading, an item of a list, a quotation, a rule.
    fn begin_line(&mut self) {
        for _ in 0..MAX_MARKERS {
            let rest = &self.source[self.at..];
            let line = rest.trim_start_matches(is_blank);
            if line.len() < rest.len() {
                self.leave(rest.len() - line.len(), Gap::Blank);
            }
            let rest = &self.source.as_bytes()[self.at..];
            let n = match rest.first() {
                Some(b'#') => self.run_len(b'#'),
                Some(b'>' | b'+' | b'*') => 1,
                _ => break,
            };
            let next = self.source[self.at + n..].chars().next();
            let is_marker = rest[0] == b'>' || next.is_none_or(is_space);
            if n > 6 || !is_marker || self.rule_len() > 0 {
                break;
            }
            self.leave(n, Gap::Blank);
        }
        self.leave(self.rule_len(), Gap::Blank);
        self.is_table = self.byte(self.at) == b'|';
    }

    /// Bytes of the line that is drawn at `at`, between paragraphs or rows; 0 if there is none.
    fn rule_len(&self) -> usize {
        let rest = &self.source[self.at..];
        let is_of_rule = |c: char| "-*_|:+".contains(c) || is_blank(c);
        let behind = rest.trim_start_matches(is_of_rule);
        let rule = &rest[..rest.len() - behind.len()];
        let n_drawn = rule.bytes().filter(|b| b"-*_".contains(b)).count();
        if n_drawn >= 3 && behind.chars().next().is_none_or(ends_line) { rule.len() } else { 0 }
    }
}

/// Whether a line ends at `c`.
const fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0b' | '\x0c' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether `c` is whitespace within a line.
fn is_blank(c: char) -> bool {
    is_space(c) && !ends_line(c)
}

/// One past the character at `start` and the marks behind it.
pub fn cluster_end(source: &str, start: usize) -> usize {
    let mut chars = source[start..].char_indices();
    let is_of_syllable = chars.next().is_some_and(|(_, c)| is_jamo(c));
    let goes_on =
        |c: char| !c.is_ascii() && (Sign::of(c) == Sign::Mark || is_of_syllable && is_jamo(c));
    chars.find(|&(_, c)| !goes_on(c)).map_or(source.len(), |(at, _)| start + at)
}
