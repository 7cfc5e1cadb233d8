//! Rules for whether a sentence ends at a terminator, from the text around it.
//!
//! Each place where a sentence may end is judged once, from left to right; `|` is the verdict:
//!
//! | the text there | the rule |
//! |---|---|
//! | `Really?! \| Yes.` | terminators that stand together are one |
//! | `"Come!" he said. \|` | after `!` and `?` a sentence goes on in lower case |
//! | `He waited … and left. \|` | so it does after an ellipsis |
//! | `He said "Stop. Wait." and left. \|` | a short quotation or parenthesis holds its sentences (`enclosure`) |
//! | `The note.[12] \| It goes on.` | quotes, brackets and notes belong to the sentence before (`runs`) |
//! | `The end.\|The next one.` | a forgotten blank, if the next word is one that opens sentences |
//! | `1. One thing. \| 2. Another.` | the mark of the next item ends an item (`lists`) |
//! | `「行こう。」と言った。\|` | behind a quotation, a particle goes on with the sentence |
//! | `.NET is old. \|` | a dot before a word is part of it |
//! | a blank line, a heading, an item | ends a sentence, whatever stands before |
//!
//! A single dot has most rules, since it also ends abbreviations, initials and numbers: they are in `dots`. All
//! of them look at a bounded number of bytes around the place, so a text of nothing but dots is judged in linear
//! time.

use super::enclosure;
use super::initials;
use super::language::Language;
use super::lists::{self, ListMark};
use super::runs::TerminatorRun;
use super::terminators::{Terminator, continues, is_dash, terminator};
use super::thai;
use super::words::{self, Next};
use crate::unicode::line_ends::parts_paragraphs;
use crate::unicode::space::skip_space;

/// Names that end with a terminator; a sentence ends behind one only if the next word opens one.
const NAMES: &[&str] = &["Yahoo", "Yum", "Jeopardy", "Oklahoma"];

/// Behind a quotation, Japanese and Chinese sentences go on with one of these.
const PARTICLES: &[char] = &['と', 'っ', 'な', 'を', 'が', 'に', 'の', 'は', 'も', 'で', '的'];

/// Full stops of East Asian texts, which stand in numbers as well.
const WIDE_DOTS: &[char] = &['．', '﹒'];

/// Behind a title that ends with a mark, East Asian sentences go on with one of these, and no kana behind it.
const CASES: &[char] = &['の', 'が', 'を', 'に', 'は', 'も', 'で', '的'];

/// In so many characters before a dot a letter is looked for.
const LETTER_CHARS: usize = 32;
/// So many dots in a row lead to the number of a page in a table of contents.
const MIN_LEADER_BYTES: usize = 5;

/// Verdict on a place where a sentence may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The next sentence begins there.
    Ends(usize),
    /// The sentence goes on; look for the next place from there on.
    GoesOn(usize),
}

/// A sentence as far as it is known: where it begins, and what it is written in.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The whole text.
    pub text: &'a str,
    /// The first character of the sentence.
    pub start: usize,
    /// Its first character behind a bullet and the blanks there, which may be many.
    pub item: usize,
    /// The mark there, if it is an item of a list.
    pub mark: Option<ListMark>,
    /// The language of the text.
    pub language: &'a Language,
}

impl<'a> Context<'a> {
    /// The sentence that begins at `start`. O(length of the blanks behind a bullet).
    pub fn new(text: &'a str, start: usize, language: &'a Language) -> Self {
        let item = lists::skip_bullet(text, start);
        Self { text, start, item, mark: ListMark::of(&text[item..]), language }
    }

    /// The sentence as far as `at`.
    pub(super) fn before(&self, at: usize) -> &'a str {
        &self.text[self.start..at]
    }

    /// Whether the letter before `at` is of the Latin alphabet. O(1).
    fn is_behind_latin(&self, at: usize) -> bool {
        let near = self.before(at).chars().rev().take(LETTER_CHARS);
        near.into_iter().find(|c| c.is_alphabetic()).is_some_and(|c| c.is_ascii_alphabetic())
    }

    /// The verdict on `mark`, which stands at `at`. O(distance to the place that is answered).
    pub fn judge(&self, at: usize, mark: char) -> Verdict {
        if matches!(mark, '\n' | '\x0c') {
            return self.judge_break(at);
        }
        if mark == ' ' {
            let next = skip_space(self.text, at);
            let ends = thai::ends(self.text, self.start, at, next);
            return if ends { Verdict::Ends(next) } else { Verdict::GoesOn(next) };
        }
        let behind = at + mark.len_utf8();
        if self.language.is_doubled(mark) && !self.text[behind..].starts_with(mark) {
            return Verdict::GoesOn(behind);
        }
        if let Some(item) = self.next_item(at) {
            return Verdict::Ends(item);
        }
        let run = TerminatorRun::new(self.text, self.start, at, mark, self.language);
        let next = skip_space(self.text, run.closed);
        if next == self.text.len() || parts_paragraphs(&self.text[run.closed..next]) {
            return Verdict::Ends(next);
        }
        if self.ends(at, run, next) && !enclosure::holds(self.text, self.start, run.closed) {
            return Verdict::Ends(next);
        }
        Verdict::GoesOn(run.closed)
    }

    /// At a line feed: a blank line ends the sentence, and so does a line that stands for itself.
    fn judge_break(&self, at: usize) -> Verdict {
        let next = skip_space(self.text, at);
        let ends = parts_paragraphs(&self.text[at..next])
            || lists::is_heading(self.text, self.start)
            || lists::begins_line(self.text, next);
        if ends { Verdict::Ends(next) } else { Verdict::GoesOn(next) }
    }

    /// Whether the sentence ends with `run`, before the word at `next`.
    fn ends(&self, at: usize, run: TerminatorRun, next: usize) -> bool {
        if run.kind == Terminator::Plain {
            return self.ends_plain(run);
        }
        if self.before(at).ends_with(['[', '(']) {
            return false;
        }
        let following = Next::at(self.text, next);
        if next == run.closed {
            return self.ends_glued(at, following);
        }
        if self.goes_on_with(following, next) {
            return false;
        }
        match run.kind {
            Terminator::Dot | Terminator::Ellipsis
                if !self.language.dots && !self.is_behind_latin(at) =>
            {
                false
            }
            Terminator::Dot => self.ends_dot(at, run, following),
            Terminator::Ellipsis => self.ends_ellipsis(at, run, following),
            _ => self.ends_strong(at, run, following),
        }
    }

    /// Whether the sentence ends with the ellipsis at `at`: a pause before what has no capital, and leaders before
    /// the number of a page.
    fn ends_ellipsis(&self, at: usize, run: TerminatorRun, following: Next<'_>) -> bool {
        let is_i = self.language.is_english() && following.is_english_i();
        let is_leader = || following.is_digit() && run.end - at >= MIN_LEADER_BYTES;
        !following.begins_lower() && !is_i && !following.is_without_case() && !is_leader()
    }

    /// Whether the sentence ends with the `!` or `?` at `at`: not if a quotation goes on.
    fn ends_strong(&self, at: usize, run: TerminatorRun, following: Next<'_>) -> bool {
        let is_name = NAMES.contains(&words::before(self.text, self.start, at).text);
        if following.is_lower() {
            return !is_name && run.closed == run.end && self.is_without_capitals(at);
        }
        !is_name || following.is_opener(self.language)
    }

    /// Whether a blank was forgotten behind the terminator at `at`: "the end.The next one".
    fn ends_glued(&self, at: usize, following: Next<'_>) -> bool {
        let is_word = |c: char| c.is_lowercase() || c.is_ascii_digit();
        self.before(at).ends_with(is_word) && following.opens_glued(self.language)
    }

    /// Whether what follows cannot begin a sentence.
    fn goes_on_with(&self, following: Next<'_>, next: usize) -> bool {
        let Some(first) = following.first else { return false };
        if continues(first) || (terminator(first).is_some() && first != '.') {
            return true;
        }
        if first == '.' {
            // ".NET" may begin a sentence, a stray dot may not.
            return !following.rest[1..].starts_with(char::is_alphanumeric);
        }
        // A dash at the beginning of a line is a bullet.
        is_dash(first) && !self.before(next).ends_with('\n') && {
            let behind = following.rest.trim_start_matches(is_dash);
            Next::at(behind, 0).begins_lower()
        }
    }

    /// Whether the sentence ends with `run`, behind which no blank is needed.
    fn ends_plain(&self, run: TerminatorRun) -> bool {
        let rest = &self.text[run.closed..];
        if initials::is_urdu_row(self.before(run.closed), rest) {
            return false;
        }
        let Some(next) = rest.chars().next() else { return true };
        let quoted = self.text[run.end..run.closed].ends_with(['」', '』', '》', '”']);
        let is_dot = self.before(run.end).ends_with(WIDE_DOTS);
        let in_number = is_dot && (next.is_numeric() || self.is_wide_initial(run));
        let in_name = CASES.contains(&next) && self.before(run.end).ends_with(['！', '？']) && {
            let behind = rest[next.len_utf8()..].chars().next();
            behind.is_some_and(|c| c.is_alphanumeric() && !matches!(c, '\u{3041}'..='\u{309f}'))
        };
        !(continues(next) || in_number || in_name || quoted && PARTICLES.contains(&next))
    }

    /// Whether the full-width dot that `run` ends with stands behind an initial: `Ｕ．Ｓ．`
    fn is_wide_initial(&self, run: TerminatorRun) -> bool {
        let mut before = self.before(run.end).chars().rev().skip(1);
        let is_capital = |c: char| matches!(c, 'Ａ'..='Ｚ' | 'ａ'..='ｚ');
        before.next().is_some_and(is_capital) && !before.next().is_some_and(is_capital)
    }

    /// Where the item begins whose mark ends at `at`, if the sentence is the item before: "1. One 2. Two".
    fn next_item(&self, at: usize) -> Option<usize> {
        let mark = self.mark?;
        let is_sign = |byte: &u8| byte.is_ascii_alphanumeric();
        let before = &self.text.as_bytes()[self.start..at];
        let sign = before
            .iter()
            .rev()
            .take(lists::MAX_SIGN_BYTES)
            .take_while(|byte| is_sign(byte))
            .count();
        let here = at - sign;
        let next = if (1..lists::MAX_SIGN_BYTES).contains(&sign) && here > self.item {
            lists::item_behind(self.text, mark, here)
        } else {
            None
        };
        next.filter(|&next| next > self.start)
    }
}
