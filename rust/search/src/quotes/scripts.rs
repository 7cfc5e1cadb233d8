//! Digits above and below the line: those of Unicode, between `<sup>` or `<sub>`, carets or tildes.

use super::chars::{Sign, superscript};
use super::joints::{Joint, Kind};
use super::markup::TAKEN;
use super::notes;
use super::raised_notes;
use super::reader::{Last, Reader, Reading};
use super::units::is_raised_unit;

/// So many bytes the mark of a note has at most, without what is around it.
const MAX_LABEL_BYTES: usize = 3;

impl Reader<'_> {
    /// Reads superscript digits: the mark of a note, or an exponent.
    pub fn superscripts(&mut self) {
        let rest = &self.text[self.at..];
        let minus = if rest.starts_with('⁻') { '⁻'.len_utf8() } else { 0 };
        let digits: String = rest[minus..].chars().map_while(superscript).collect();
        if minus > 0 && digits.is_empty() {
            self.push(&rest.as_bytes()[..minus], self.at, Last::Other, false);
            self.at += minus;
            return;
        }
        let n: usize = rest[minus..].chars().take(digits.len()).map(char::len_utf8).sum();
        if minus == 0 && self.is_note(&digits, n) {
            return;
        }
        let is_markup = self.before(self.at) == Some(TAKEN);
        // Markup that raises digits parts them from no number.
        self.is_cut &= !is_markup;
        let label = if minus > 0 { format!("-{digits}") } else { digits };
        self.raised(&label, minus + n, is_markup);
    }

    /// Reads `n` bytes that are `label` above the line; where markup puts it there, a quotation may have the exponent of
    /// a unit on the line.
    fn raised(&mut self, label: &str, n: usize, is_markup: bool) {
        let is_optional = is_markup && !self.is_space && is_raised_unit(&self.out, label);
        let (start, end) = (self.at, self.at + n);
        for sign in label.chars() {
            let Some(high) = notes::raised(sign) else { continue };
            let last = if sign.is_ascii_digit() { Last::Digit } else { Last::Other };
            let byte = if sign.is_ascii_digit() { sign as u8 } else { b'-' };
            let at = self.out.bytes().len();
            self.out.join(Joint::new(at, Kind::Form, high as u32, is_optional));
            self.push(&[byte], start, last, false);
        }
        self.at = end;
    }

    /// Reads `n` bytes of digits above the line, if they are the mark of a note.
    fn is_note(&mut self, label: &str, n: usize) -> bool {
        let next = self.behind(self.at + n).map(Sign::of);
        if label.len() > MAX_LABEL_BYTES
            || label.starts_with(['-', '−'])
            || self.is_blank
            || matches!(next, Some(Sign::Word | Sign::Mark))
        {
            return false;
        }
        let is_behind_word = match self.last {
            Last::Letter => raised_notes::follows_word(&self.out, label),
            Last::Spaceless => !is_raised_unit(&self.out, label),
            Last::Other => {
                notes::follows_sentence(&self.out) || raised_notes::follows_percent(&self.out)
            }
            Last::Digit => self.is_note_of_number(label, n),
            Last::None => false,
        };
        if is_behind_word {
            self.note(n, label);
        }
        is_behind_word
    }

    /// Whether a mark of `n` bytes behind a number is that of a note, and no exponent: a sign, or behind a year a number
    /// that makes no square or cube, or that is the next of the notes.
    fn is_note_of_number(&self, label: &str, n: usize) -> bool {
        let Ok(number) = label.parse::<u32>() else { return true };
        let behind = self.text[self.at + n..].trim_start_matches([TAKEN, ' ']);
        let is_next = self.last_note.checked_add(1) == Some(number);
        (is_next || !matches!(number, 2 | 3))
            && raised_notes::follows_year(&self.out)
            && !behind.starts_with(raised_notes::is_of_formula)
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
        let label = &rest[..len];
        if sign == b'^' {
            if !self.is_note(label, len + 2) {
                self.is_cut = false;
                self.raised(label, len + 2, true);
            }
            return true;
        }
        self.is_cut = true;
        self.at += 1;
        while self.at + 1 < end {
            self.low_digit(self.byte(self.at), 1, true);
        }
        self.at = end;
        self.is_cut = true;
        true
    }

    /// Reads a number behind a caret, as it is typed where none can stand above the line: `10^6`, `s^-1`.
    pub fn typed_power(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        let minus = usize::from(rest.starts_with('-'));
        let n = minus + rest[minus..].bytes().take_while(u8::is_ascii_digit).count();
        let is_code = self.reading == Reading::Literal || self.pairs.is_code(self.at);
        let is_attached =
            self.before(self.at).is_some_and(|c| Sign::of(c).is_of_word() || c == ')');
        let is_over = !rest[n..].starts_with(|c| Sign::of(c).is_of_word() || c == '^');
        if is_code || !is_attached || self.is_blank || !is_over || !notes::is_script(&rest[..n]) {
            return false;
        }
        self.is_cut = false;
        self.raised(&rest[..n], n + 1, false);
        true
    }
}
