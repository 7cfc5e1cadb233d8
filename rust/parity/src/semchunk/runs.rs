//! Runs of whitespace in a text, and the first of the longest in any part of it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use chunkwright_text::offsets::count_chars;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// What a run is made of, from the least to the most desirable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RunKind {
    /// Any whitespace but the kinds below.
    Blanks,
    Tabs,
    /// Newlines and carriage returns.
    Newlines,
}

/// The runs of newlines, of tabs, and of two blanks or more.
///
/// O(n) to build; the first of the longest in a part of the text is found in O(log n), and those like
/// it one by one.
#[derive(Debug)]
pub struct Runs {
    spans: Vec<Span>,
    /// For each run the next one that is the same text; the number of runs if there is none.
    next_same: Vec<usize>,
    /// Tournament of the runs: the best of each node's two children, leaves last and left out.
    best: Vec<usize>,
}

impl Runs {
    /// The runs of `text`.
    pub fn new(text: &str) -> Self {
        let spans = find(text);
        let next_same = links(text, &spans);
        let mut runs = Self { best: vec![0; spans.len()], spans, next_same };
        for node in (1..runs.spans.len()).rev() {
            runs.best[node] = runs.better(text, runs.node(2 * node), runs.node(2 * node + 1));
        }
        runs
    }

    /// The first of the most desirable runs in `part`, and all others in it that are the same text.
    pub fn longest(&self, text: &str, part: Span) -> Option<impl Iterator<Item = Span>> {
        let before = |byte: usize| self.spans.partition_point(|run| run.start < byte);
        let (first, last) = (before(part.start), before(part.end));
        let best = self.best_of(text, first..last)?;
        let follow = move |&run: &usize| Some(self.next_same[run]).filter(|&next| next < last);
        Some(std::iter::successors(Some(best), follow).map(|run| self.spans[run]))
    }

    fn best_of(&self, text: &str, range: Range<usize>) -> Option<usize> {
        let n_runs = self.spans.len();
        let (mut left, mut right) = (range.start + n_runs, range.end + n_runs);
        let mut best = None;
        let mut meet = |node: usize| {
            let run = self.node(node);
            best = Some(best.map_or(run, |other| self.better(text, other, run)));
        };
        while left < right {
            if left % 2 == 1 {
                meet(left);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                meet(right);
            }
            (left, right) = (left / 2, right / 2);
        }
        best
    }

    /// The run that won at a node of the tournament.
    fn node(&self, node: usize) -> usize {
        node.checked_sub(self.spans.len()).unwrap_or_else(|| self.best[node])
    }

    /// The more desirable of two runs, by kind and length; the first of equals.
    fn better(&self, text: &str, one: usize, other: usize) -> usize {
        let key = |run: usize| {
            let run_text = &text[self.spans[run].range()];
            let kind = run_text.chars().next().and_then(kind_of);
            (kind, count_chars(run_text.as_bytes()), Reverse(run))
        };
        if key(one) > key(other) { one } else { other }
    }
}

fn kind_of(c: char) -> Option<RunKind> {
    match c {
        '\n' | '\r' => Some(RunKind::Newlines),
        '\t' => Some(RunKind::Tabs),
        c => is_space(c).then_some(RunKind::Blanks),
    }
}

/// The spans of the runs, in order.
fn find(text: &str) -> Vec<Span> {
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some((start, kind)) = next_space(text, at) {
        let run = || text[start..].chars().take_while(|&c| kind_of(c) == Some(kind));
        at = start + run().map(char::len_utf8).sum::<usize>();
        if kind != RunKind::Blanks || run().nth(1).is_some() {
            runs.push(Span::new(start, at));
        }
    }
    runs
}

/// The next whitespace from `from` on.
fn next_space(text: &str, from: usize) -> Option<(usize, RunKind)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += bytes[at..].iter().position(|&byte| may_be_space(byte))?;
        let c = text[at..].chars().next()?;
        if let Some(kind) = kind_of(c) {
            return Some((at, kind));
        }
        at += c.len_utf8();
    }
}

/// Whether a character that begins with `byte` may be whitespace.
#[inline]
pub const fn may_be_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | 0x1c..=0x20 | 0xc2 | 0xe1..=0xe3)
}

/// For each run the next one that is the same text.
fn links(text: &str, spans: &[Span]) -> Vec<usize> {
    let mut next_same = vec![spans.len(); spans.len()];
    let mut seen = HashMap::new();
    for (run, span) in spans.iter().enumerate().rev() {
        if let Some(next) = seen.insert(&text[span.range()], run) {
            next_same[run] = next;
        }
    }
    next_same
}
