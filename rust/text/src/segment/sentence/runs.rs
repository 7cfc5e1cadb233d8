//! Runs of terminators, and the quotes, brackets and notes behind them.
//!
//! A run is judged as one: of `?!` the stronger kind counts, `..` and `. . .` are an ellipsis. French puts a
//! blank before `»`, tokenized text before every quote; both are taken along where they close. `[12]` and `[^1]`
//! are notes.

use super::language::Language;
use super::spaced;
use super::terminators::{Terminator, is_closer, terminator};
use crate::unicode::space::is_space;

/// A note's number in brackets has up to so many bytes.
const MAX_NOTE_BYTES: usize = 12;

/// Terminators that stand together, and the last of what belongs to them.
#[derive(Clone, Copy, Debug)]
pub struct TerminatorRun {
    /// The kind of all of them together.
    pub kind: Terminator,
    /// Behind the terminators.
    pub end: usize,
    /// Behind the quotes, brackets and notes that follow them.
    pub closed: usize,
}

impl TerminatorRun {
    /// The terminators from `mark` on, which stands at `at` in the sentence that begins at `start`, with blanks
    /// between them or not, and what closes behind them. `language` may have a terminator of its own.
    pub fn new(text: &str, start: usize, at: usize, mark: char, language: &Language) -> Self {
        let is_own = language.terminator == Some(mark);
        let mut kind = terminator(mark).unwrap_or(match mark {
            _ if is_own && language.is_doubled(mark) => Terminator::Plain,
            _ if is_own => Terminator::Strong,
            _ => Terminator::Dot,
        });
        let mut end = at + mark.len_utf8();
        while is_own && text[end..].starts_with(mark) {
            end += mark.len_utf8();
        }
        while let Some((next, behind)) = next_terminator(text, end) {
            kind = match (kind, next) {
                (Terminator::Dot | Terminator::Ellipsis, Terminator::Dot) => Terminator::Ellipsis,
                (Terminator::Dot | Terminator::Ellipsis, other) => other,
                (kind, _) => kind,
            };
            end = behind;
        }
        Self { kind, end, closed: skip_closers(text, start, end) }
    }
}

/// The terminator at `at`, or behind one blank and before another, and its end.
fn next_terminator(text: &str, at: usize) -> Option<(Terminator, usize)> {
    let rest = &text[at..];
    let spaced = rest.strip_prefix(' ');
    let c = spaced.unwrap_or(rest).chars().next()?;
    let end = at + usize::from(spaced.is_some()) + c.len_utf8();
    let stands_alone = || {
        let behind = text[end..].chars().next();
        behind.is_none_or(|c| is_space(c) || is_closer(c) || terminator(c).is_some())
    };
    let kind = terminator(c).filter(|_| spaced.is_none() || stands_alone())?;
    Some((kind, end))
}

/// The end of the quotes, brackets and notes that stand at `at`.
fn skip_closers(text: &str, start: usize, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { return at };
        at += if let Some(note) = note(rest) {
            note
        } else if is_closer(c) && !opens(text, at, c) {
            c.len_utf8()
        } else if is_space(c) && is_french_closer(&rest[c.len_utf8()..]) {
            c.len_utf8() + '»'.len_utf8()
        } else if let Some(quote) = spaced::closer(text, start, at) {
            quote
        } else if let Some(note) = rest.strip_prefix(' ').and_then(note) {
            1 + note
        } else {
            return at;
        };
    }
}

/// Whether the quote `c` at `at` opens the next quotation: it touches a word, and what it stands behind is closed by
/// another one, or by a full stop that needs no blank. In German it closes.
fn opens(text: &str, at: usize, c: char) -> bool {
    let is_open = |before: char| {
        matches!(before, '”' | '’' | '」' | '』' | '》' | '）')
            || terminator(before) == Some(Terminator::Plain)
    };
    matches!(c, '“' | '‘')
        && text[at + c.len_utf8()..].starts_with(char::is_alphanumeric)
        && text[..at].ends_with(is_open)
}

/// Whether `text` begins with `»` where it closes: in German it opens, right before a word.
fn is_french_closer(text: &str) -> bool {
    let behind = text.strip_prefix('»').map(|rest| rest.chars().next());
    behind.is_some_and(|next| next.is_none_or(|c| !c.is_alphanumeric()))
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
