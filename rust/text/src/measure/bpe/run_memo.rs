//! Memo of long runs of characters of one class, from anywhere in which a pre-token has the same end.
//!
//! Patterns look at the first two characters and at where runs end. So a pre-token that begins in a run and reaches
//! to its end or behind ends at the same place wherever it begins in it, the last of the run excepted; and one in a
//! run up to the end of a text takes all of it.

use super::scan::class_at;
use crate::unicode::classes::Class;

/// A pre-token that begins so near the end of a run, in bytes, may end elsewhere.
const MARGIN: usize = 16;

/// The runs that were looked at last, which grow as they are looked at.
#[derive(Debug, Default)]
pub struct RunMemo {
    run: Run,
    capitals: Capitals,
}

/// A run of one class.
#[derive(Debug, Default)]
struct Run {
    start: usize,
    end: usize,
    /// Where pre-tokens end that begin in it, in a text of so many bytes.
    next: Option<(usize, usize)>,
}

/// A run of letters that are capitals only.
#[derive(Debug, Default)]
struct Capitals {
    start: usize,
    end: usize,
    /// Whether none stands before it.
    is_whole: bool,
}

impl RunMemo {
    /// The end of the pre-token of `text` at `at`, which `scan` finds. O(1), but for what was not looked at yet.
    pub fn end(&mut self, text: &str, at: usize, scan: impl FnOnce() -> usize) -> usize {
        // Of numbers some make a pre-token.
        let Some((class, _)) = class_at(text, at).filter(|(class, _)| !class.is_number()) else {
            return scan();
        };
        let run = &mut self.run;
        if !(run.start..run.end).contains(&at) {
            *run = Run { start: at, end: at, next: None };
        }
        let rest = text.get(run.end..).unwrap_or_default().char_indices();
        let other = rest.clone().find(|&(_, c)| Class::of(c) != class).map(|(i, _)| run.end + i);
        run.end = other.unwrap_or(run.end.max(text.len()));
        if run.end >= text.len() {
            return text.len();
        }
        match run.next {
            Some((next, n_bytes)) if n_bytes == text.len() && at + MARGIN < run.end => next,
            _ => {
                let next = scan();
                run.next = (next + MARGIN >= run.end && at + MARGIN < run.end)
                    .then_some((next, text.len()));
                next
            }
        }
    }

    /// The end of the last character of `text[at..end]` that is no capital only; none if all are.
    pub fn before_capitals(&mut self, text: &str, at: usize, end: usize) -> Option<usize> {
        let found = &mut self.capitals;
        let start_of = |from: usize, end: usize| {
            let is_other = |&(_, c): &(usize, char)| !is_capital_only(Class::of(c));
            let other = text[from..end].char_indices().rfind(is_other);
            other.map(|(i, c)| from + i + c.len_utf8())
        };
        let goes_on = found.start < end && at < found.end && {
            let new = found.end.min(end).max(at);
            start_of(new, end).is_none()
        };
        if goes_on {
            found.end = found.end.max(end);
        } else {
            *found = Capitals { start: end, end, is_whole: false };
        }
        if !found.is_whole && at < found.start {
            let start = start_of(at, found.start);
            (found.start, found.is_whole) = (start.unwrap_or(at), start.is_some());
        }
        (found.start > at).then_some(found.start)
    }
}

/// `[\p{Lu}\p{Lt}]`: what begins a word with capitals, and ends none in small letters.
const fn is_capital_only(class: Class) -> bool {
    class.may_be_upper() && !class.may_be_lower()
}
