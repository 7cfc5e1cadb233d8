//! Whether a sentence ends at a terminator, from what stands around it.

use super::abbreviations::Kind;
use super::enclosure;
use super::language::Language;
use super::lists;
use super::terminators::{Terminator, continues, is_closer, is_dash, terminator};
use super::words::{self, Next, Word};
use crate::segment::space::{is_space, skip_space};

/// Names that end with a terminator; a sentence ends behind one only if the next word opens one.
const NAMES: &[&str] = &["Yahoo", "Yum", "Jeopardy", "Oklahoma"];

/// A note's number in brackets has up to so many bytes.
const MAX_NOTE_BYTES: usize = 12;

/// A phrase that opens a sentence, as "In the morning at 6 a.m.", has up to so many bytes.
const MAX_FRONT_BYTES: usize = 64;

/// Words that such a phrase is made of, besides numbers, names and abbreviations.
const FRONT_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "afternoon",
    "an",
    "and",
    "around",
    "as",
    "at",
    "before",
    "between",
    "by",
    "day",
    "during",
    "evening",
    "from",
    "in",
    "just",
    "morning",
    "night",
    "of",
    "on",
    "or",
    "since",
    "the",
    "to",
    "today",
    "tomorrow",
    "until",
    "yesterday",
];

/// What is to be done behind a place where a sentence may end.
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
    /// The language of the text.
    pub language: &'a Language,
}

/// Terminators that stand together, and the last of what belongs to them.
#[derive(Clone, Copy, Debug)]
struct Run {
    kind: Terminator,
    /// Behind the terminators.
    end: usize,
    /// Behind the quotes, brackets and notes that follow them.
    closed: usize,
}

impl Context<'_> {
    /// What `mark`, which stands at `at`, means. O(distance to the place that is answered).
    pub fn judge(&self, at: usize, mark: char) -> Verdict {
        if matches!(mark, '\n' | '\u{2029}') {
            return self.judge_break(at);
        }
        if let Some(item) = self.next_item(at) {
            return Verdict::Ends(item);
        }
        let run = self.run(at, mark);
        let next = skip_space(self.text, run.closed);
        if next == self.text.len() || is_paragraph_break(&self.text[run.closed..next]) {
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
        let ends = is_paragraph_break(&self.text[at..next])
            || lists::is_heading(self.text, self.start)
            || lists::begins_line(self.text, next);
        if ends { Verdict::Ends(next) } else { Verdict::GoesOn(next) }
    }

    /// The terminators from `at` on, with blanks between them or not, and what closes behind them.
    fn run(&self, at: usize, mark: char) -> Run {
        let own = (self.language.terminator == Some(mark)).then_some(Terminator::Strong);
        let mut kind = terminator(mark).or(own).unwrap_or(Terminator::Dot);
        let mut end = at + mark.len_utf8();
        while let Some((next, behind)) = self.next_terminator(end) {
            kind = match (kind, next) {
                (Terminator::Dot | Terminator::Ellipsis, Terminator::Dot) => Terminator::Ellipsis,
                (Terminator::Dot | Terminator::Ellipsis, other) => other,
                (kind, _) => kind,
            };
            end = behind;
        }
        Run { kind, end, closed: self.skip_closers(end) }
    }

    /// The terminator at `at`, or behind one blank and before another, and its end.
    fn next_terminator(&self, at: usize) -> Option<(Terminator, usize)> {
        let rest = &self.text[at..];
        let spaced = rest.strip_prefix(' ');
        let c = spaced.unwrap_or(rest).chars().next()?;
        let end = at + usize::from(spaced.is_some()) + c.len_utf8();
        let stands_alone = || {
            let behind = self.text[end..].chars().next();
            behind.is_none_or(|c| is_space(c) || is_closer(c) || terminator(c).is_some())
        };
        let kind = terminator(c).filter(|_| spaced.is_none() || stands_alone())?;
        Some((kind, end))
    }

    /// The end of the quotes, brackets and notes that stand at `at`.
    fn skip_closers(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.text[at..];
            let Some(c) = rest.chars().next() else { return at };
            at += if let Some(note) = note(rest) {
                note
            } else if is_closer(c) {
                c.len_utf8()
            } else if is_space(c) && rest[c.len_utf8()..].starts_with('»') {
                c.len_utf8() + '»'.len_utf8()
            } else if let Some(quote) = enclosure::spaced_closer(self.text, self.start, at) {
                quote
            } else if let Some(note) = rest.strip_prefix(' ').and_then(note) {
                1 + note
            } else {
                return at;
            };
        }
    }

    /// Whether the sentence ends with `run`, before the word at `next`.
    fn ends(&self, at: usize, run: Run, next: usize) -> bool {
        if run.kind == Terminator::Plain {
            return self.ends_plain(run);
        }
        if self.text[..at].ends_with(['[', '(']) {
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
            Terminator::Dot => self.ends_dot(at, following),
            Terminator::Ellipsis => {
                !following.rest.starts_with("I ")
                    && !following.rest.starts_with("I'")
                    && !following.rest.starts_with("I’")
            }
            _ => !self.is_name(at) || following.is_opener(self.language),
        }
    }

    /// Whether a blank was forgotten behind the terminator at `at`: "the end.The next one".
    fn ends_glued(&self, at: usize, following: Next<'_>) -> bool {
        let is_word = |c: char| c.is_lowercase() || c.is_ascii_digit();
        self.text[..at].ends_with(is_word) && following.opens_glued(self.language)
    }

    /// Whether what follows cannot begin a sentence.
    fn goes_on_with(&self, following: Next<'_>, next: usize) -> bool {
        let Some(first) = following.first else { return false };
        if following.is_lower() || continues(first) || (terminator(first).is_some() && first != '.')
        {
            return true;
        }
        if first == '.' {
            // ".NET" may begin a sentence, a stray dot may not.
            return !following.rest[1..].starts_with(char::is_alphanumeric);
        }
        // A dash at the beginning of a line is a bullet.
        is_dash(first) && !self.text[..next].ends_with('\n') && {
            let behind = following.rest.trim_start_matches(is_dash);
            Next::at(behind, 0).is_lower()
        }
    }

    /// Behind a quotation, Japanese and Chinese sentences go on with a particle.
    fn ends_plain(&self, run: Run) -> bool {
        let quoted = self.text[run.end..run.closed].ends_with(['」', '』', '》', '”']);
        let rest = &self.text[run.closed..];
        !(quoted
            && rest.starts_with([
                'と', 'っ', 'な', 'を', 'が', 'に', 'の', 'は', 'も', 'で', '的', '，', '、',
            ]))
            && !rest.chars().next().is_some_and(|c| continues(c) || c == ',')
    }

    fn is_name(&self, at: usize) -> bool {
        NAMES.contains(&words::before(self.text, self.start, at).text)
    }

    /// Whether the dot at `at` ends the sentence, when a capital, number or other sign follows.
    fn ends_dot(&self, at: usize, following: Next<'_>) -> bool {
        let Word { start, text: word } = words::before(self.text, self.start, at);
        if word.is_empty() || self.is_in_address(start, word) {
            return true;
        }
        if self.is_item_mark(start, word) {
            return false;
        }
        if let Some(kind) = words::kind(word, self.language.abbreviations) {
            return self.ends_abbreviation(kind, at, following);
        }
        if words::is_initials(word) {
            return following.is_opener(self.language);
        }
        let is_ordinal =
            self.language.ordinals && (words::is_number(word, 2) || words::is_roman(word));
        !is_ordinal || following.is_opener(self.language)
    }

    /// Whether an abbreviation before the dot at `at` ends its sentence.
    fn ends_abbreviation(&self, kind: Kind, at: usize, following: Next<'_>) -> bool {
        match kind {
            Kind::Title => false,
            Kind::Numbered => !following.is_label(),
            Kind::Trailing => !following.is_digit() && !self.is_front(at),
            Kind::Time => {
                following.is_digit() || !self.is_front(at) || following.is_opener(self.language)
            }
            Kind::Plain | Kind::Capital => following.is_opener(self.language),
        }
    }

    /// Whether the `word` at `start` numbers the sentence itself.
    fn is_item_mark(&self, start: usize, word: &str) -> bool {
        start == lists::skip_bullet(self.text, self.start)
            && (lists::Mark::of(&self.text[start..]).is_some() || words::is_roman(word))
    }

    /// Where the item begins whose mark ends at `at`, if the sentence is the item before: "1. One 2. Two".
    fn next_item(&self, at: usize) -> Option<usize> {
        let is_sign = |byte: &u8| byte.is_ascii_alphanumeric();
        let before = &self.text.as_bytes()[self.start..at];
        let sign = before
            .iter()
            .rev()
            .take(lists::MAX_SIGN_BYTES)
            .take_while(|byte| is_sign(byte))
            .count();
        let item = lists::skip_bullet(self.text, self.start);
        let here = at - sign;
        let next =
            if sign > 0 && here > item { lists::item_behind(self.text, item, here) } else { None };
        next.filter(|&next| next > self.start)
    }

    /// Whether the word at `start` is the end of an address, whose parts are no abbreviations.
    fn is_in_address(&self, start: usize, word: &str) -> bool {
        let before = &self.text[self.start..start];
        before.ends_with('@') || (before.ends_with('/') && word.starts_with(char::is_lowercase))
    }

    /// Whether all before the dot at `at` is a phrase like "In the morning at 6 a.m.", which opens a
    /// sentence rather than being one.
    fn is_front(&self, at: usize) -> bool {
        let known =
            self.text.floor_char_boundary(at.saturating_sub(MAX_FRONT_BYTES)).max(self.start);
        let behind_colon = self.text[known..at].rsplit_once(": ").map(|(_, phrase)| phrase);
        let whole = (known == self.start).then_some(&self.text[known..at]);
        let Some(phrase) = behind_colon.or(whole).filter(|_| self.language.is_english()) else {
            return false;
        };
        let mut words = phrase.split(is_space).filter(|word| !word.is_empty());
        let is_front_word = |word: &str| FRONT_WORDS.contains(&word);
        let first = words.next().unwrap_or("").to_ascii_lowercase();
        is_front_word(&first)
            && words.all(|word| {
                let bare = word.trim_end_matches([',', ';', '.']);
                is_front_word(bare)
                    || !bare.starts_with(|c: char| c.is_ascii_lowercase())
                    || bare.contains('.')
            })
    }
}

/// The length of the note's number in brackets that `text` begins with: `[12]`, `[^1]`.
fn note(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('[')?.bytes();
    let number = inside
        .take(MAX_NOTE_BYTES)
        .take_while(|byte| byte.is_ascii_digit() || b"^,-".contains(byte));
    let end = 1 + number.count();
    (end > 1 && text[end..].starts_with(']')).then_some(end + 1)
}

/// Whether `blank`, all whitespace, holds a blank line or the like.
fn is_paragraph_break(blank: &str) -> bool {
    let mut feeds = memchr::memchr_iter(b'\n', blank.as_bytes());
    feeds.nth(1).is_some() || (!blank.is_ascii() && blank.contains('\u{2029}'))
}
