//! Digits above and below the line: those of Unicode, between `<sup>` or `<sub>`, carets or tildes.

use super::chars::{Sign, superscript};
use super::joints::{Joint, Kind};
use super::markup::TAKEN;
use super::notes;
use super::reader::{Last, Reader, Reading};
use super::units::follows_unit;

impl Reader<'_> {
    /// Reads superscript digits: the mark of a note, or an exponent.
    pub fn superscripts(&mut self) {
        let rest = &self.text[self.at..];
        let label: String = rest.chars().map_while(superscript).collect();
        let n: usize = rest.chars().take(label.chars().count()).map(char::len_utf8).sum();
        if self.is_note(&label, n) {
            return;
        }
        let is_markup = self.before(self.at) == Some(TAKEN);
        // Markup that raises digits parts them from no number.
        self.is_cut &= !is_markup;
        let is_optional = is_markup && self.is_unit_raised(&label);
        while let Some((c, digit)) = self.behind(self.at).and_then(|c| Some((c, superscript(c)?))) {
            self.high_digit(c, digit, c.len_utf8(), is_optional);
        }
    }

    /// Whether markup makes a unit of an area or a volume of one of length, which a quotation may have on the line.
    fn is_unit_raised(&self, label: &str) -> bool {
        matches!(label, "2" | "3") && !self.is_space && follows_unit(&self.out)
    }

    fn high_digit(&mut self, c: char, digit: char, n: usize, is_optional: bool) {
        let at = self.out.bytes().len();
        self.out.join(Joint::new(at, Kind::Form, c as u32, is_optional));
        self.push(&[digit as u8], self.at, Last::Digit, false);
        self.at += n;
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
        let is_optional = self.is_unit_raised(&rest[..len]);
        self.at += 1;
        self.is_cut = sign == b'~';
        while self.at + 1 < end {
            let Some(c) = self.behind(self.at) else { break };
            match notes::raised(c) {
                Some('⁻') if sign == b'^' => {
                    self.push("⁻".as_bytes(), self.at, Last::Other, false);
                    self.at += c.len_utf8();
                }
                Some(high) if sign == b'^' => self.high_digit(high, c, 1, is_optional),
                _ => self.low_digit(self.byte(self.at), 1, true),
            }
        }
        self.at = end;
        self.is_cut = sign == b'~';
        true
    }
}
