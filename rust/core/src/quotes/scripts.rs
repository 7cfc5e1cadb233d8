//! Digits above and below the line: those of Unicode, between `<sup>` or `<sub>`, carets or tildes.

use super::chars::{Sign, superscript};
use super::joints::{Joint, Kind};
use super::markup::TAKEN;
use super::notes;
use super::reader::{Last, Reader, Reading};

/// So many digits stand above or below the line at most.
const MAX_DIGITS: usize = 6;

/// The sign above the line of one on it.
pub const fn raised(c: char) -> Option<char> {
    match c {
        '1' => Some('¹'),
        '2' => Some('²'),
        '3' => Some('³'),
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + c as u32 - '0' as u32),
        '-' | '−' => Some('⁻'),
        _ => None,
    }
}

/// The digit below the line of one on it.
pub const fn lowered(c: char) -> Option<char> {
    if c.is_ascii_digit() { char::from_u32('₀' as u32 + c as u32 - '0' as u32) } else { None }
}

/// Whether `text` is a number as it stands above or below the line.
pub fn is_script(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '−']).unwrap_or(text);
    (1..=MAX_DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether `label` above the line is the mark of a note behind `text`, and not a part of a word or formula.
pub fn is_mark_behind(text: &str, label: &str, is_link: bool) -> bool {
    let is_signs = |label: &str| label.len() <= 9 && label.chars().all(|c| "*†‡§¶#".contains(c));
    let is_letter = label.len() == 1 && label.as_bytes()[0].is_ascii_lowercase();
    if is_link {
        return !label.is_empty() && (is_signs(label) || notes::is_label(label, true));
    }
    let is_behind = || {
        let n_letters = text.chars().rev().take_while(|c| c.is_alphabetic()).count();
        n_letters >= notes::MIN_WORD_CHARS || text.ends_with(notes::ends_sentence)
    };
    !label.is_empty() && (is_signs(label) || is_letter) && is_behind()
}

impl Reader<'_> {
    /// Reads superscript digits, if they are the mark of a note.
    pub fn superscripts(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let label: String = rest.chars().map_while(superscript).collect();
        let n: usize = rest.chars().take(label.chars().count()).map(char::len_utf8).sum();
        self.is_note(&label, n)
    }

    /// Reads `n` bytes of digits above the line, if they are the mark of a note.
    fn is_note(&mut self, label: &str, n: usize) -> bool {
        let is_behind_word = match self.last {
            Last::Letter => !self.is_blank && notes::follows_word(&self.out),
            Last::Spaceless => !self.is_blank,
            Last::Other => !self.is_blank && notes::follows_sentence(&self.out),
            Last::None | Last::Digit => false,
        };
        let next = self.behind(self.at + n).map(Sign::of);
        if label.len() > 3 || !is_behind_word || matches!(next, Some(Sign::Word | Sign::Mark)) {
            return false;
        }
        self.note(n, label);
        true
    }

    /// Reads a dagger, if it is the mark of a note.
    pub fn dagger(&mut self, c: char) -> bool {
        let label: String = self.text[self.at..].chars().take_while(|&other| other == c).collect();
        !self.pairs.is_code(self.at) && self.is_note(&label[..label.len().min(3)], label.len())
    }

    /// Reads digits below the line: where markup puts them there, a quotation may have them on it.
    pub fn subscripts(&mut self) {
        let is_optional = self.before(self.at) == Some(TAKEN);
        self.is_cut = true;
        while let Some(c @ '₀'..='₉') = self.behind(self.at) {
            let digit = u8::try_from(c as u32 - '₀' as u32).unwrap_or_default() + b'0';
            self.low_digit(digit, c.len_utf8(), is_optional);
        }
        self.is_cut = true;
    }

    fn low_digit(&mut self, digit: u8, n: usize, is_optional: bool) {
        let at = self.out.bytes().len();
        self.out.join(Joint::new(at, Kind::Form, u32::from(digit), is_optional));
        self.push(&[digit], self.at, Last::Digit, false);
        self.at += n;
    }

    /// Reads digits between two of `sign`, as in `x^2^` and `H~2~O`.
    pub fn script(&mut self, sign: u8) -> bool {
        let rest = &self.text[self.at + 1..];
        let Some(len) = rest.bytes().take(16).position(|byte| byte == sign) else { return false };
        let is_attached = self.before(self.at).is_some_and(|c| {
            Sign::of(c).is_of_word() && (sign == b'^' || !c.is_numeric())
                || sign == b'^' && (c == ')' || notes::ends_sentence(c))
        });
        let is_code = self.reading == Reading::Literal || self.pairs.is_code(self.at);
        if is_code || !is_attached || self.is_blank || !is_script(&rest[..len]) {
            return false;
        }
        let end = self.at + len + 2;
        if sign == b'^' && self.is_note(&rest[..len], len + 2) {
            return true;
        }
        self.at += 1;
        self.is_cut = sign == b'~';
        while self.at + 1 < end {
            let Some(c) = self.behind(self.at) else { break };
            match raised(c) {
                Some(high) if sign == b'^' => {
                    let last = if high == '⁻' { Last::Other } else { Last::Digit };
                    self.push(high.encode_utf8(&mut [0; 4]).as_bytes(), self.at, last, false);
                    self.at += c.len_utf8();
                }
                _ => self.low_digit(self.byte(self.at), 1, true),
            }
        }
        self.at = end;
        self.is_cut = sign == b'~';
        true
    }
}
