//! Digits above and below the line: those of Unicode, between `<sup>` or `<sub>`, carets or tildes.

use super::chars::{Sign, superscript};
use super::joints::{Joint, Kind};
use super::markup::TAKEN;
use super::notes;
use super::reader::{Last, Reader, Reading};

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
        if is_code || !is_attached || self.is_blank || !notes::is_script(&rest[..len]) {
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
            match notes::raised(c) {
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
