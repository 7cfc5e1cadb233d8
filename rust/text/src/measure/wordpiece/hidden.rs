//! Runs of code points that normalising removes, so that a look at a word can leap over them.

use super::normalizer::CharRole;
use super::scan::Scanner;
use crate::span::Span;

/// A shorter run is walked through.
pub const LONG: usize = 64;

/// The long runs of hidden code points in a text, in order.
#[derive(Clone, Debug, Default)]
pub struct HiddenRuns(Vec<Run>);

#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    end: usize,
    /// Where the last of them is that marks do not pass.
    parting: Option<usize>,
}

impl HiddenRuns {
    /// Takes up those in `span` of `text`, which comes after all that were before. O(n).
    pub fn extend(&mut self, scanner: &Scanner, text: &str, span: Span) {
        let mut run = Run { start: span.start, end: span.start, parting: None };
        for (i, c) in text[span.range()].char_indices() {
            let (at, next) = (span.start + i, span.start + i + c.len_utf8());
            if scanner.normalizer.kind(c) == CharRole::Hidden {
                run.end = next;
                if scanner.normalizer.parts_marks(c) {
                    run.parting = Some(at);
                }
            } else {
                self.push(run);
                run = Run { start: next, end: next, parting: None };
            }
        }
        self.push(run);
    }

    /// Takes up those of `later`, which come after all that are there.
    pub fn append(&mut self, mut later: Self) {
        self.0.append(&mut later.0);
    }

    fn push(&mut self, run: Run) {
        if run.end - run.start > LONG {
            self.0.push(run);
        }
    }

    /// The end of the long run that `at` is in, and whether something from `at` on in it keeps marks
    /// apart. O(log n).
    pub fn leap(&self, at: usize) -> Option<(usize, bool)> {
        let run = self.0[..self.0.partition_point(|run| run.start <= at)].last()?;
        (at < run.end).then(|| (run.end, run.parting.is_some_and(|parting| parting >= at)))
    }
}
