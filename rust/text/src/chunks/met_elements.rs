//! Elements that a part of a text meets, found for the chunks that a unit was split into.

use std::ops::Range;

use crate::elements::Element;
use crate::span::Span;

/// Elements of a text, to find those that a part of it meets.
pub(super) struct MetElements<'e> {
    elements: &'e [Element],
    /// For each element how many before it have text, and then how many there are.
    n_texts: Vec<usize>,
}

impl<'e> MetElements<'e> {
    pub(super) fn new(elements: &'e [Element]) -> Self {
        let (mut n, mut n_texts) = (0, Vec::with_capacity(elements.len() + 1));
        n_texts.push(0);
        for element in elements {
            n += usize::from(!element.span.is_empty());
            n_texts.push(n);
        }
        Self { elements, n_texts }
    }

    /// Those of `among` that `body` meets, in a range, with those without text around it that begin in `within`.
    pub(super) fn by(&self, body: Span, among: Range<usize>, within: Range<usize>) -> Range<usize> {
        let Some(own) = self.elements.get(among.clone()) else { return among };
        if own.is_empty() {
            return among;
        }
        let first = among.start + own.partition_point(|element| element.span.end <= body.start);
        let end = among.start + own.partition_point(|element| element.span.start < body.end);
        let n_texts = |of: Range<usize>| self.n_texts[of.end] - self.n_texts[of.start];
        if first >= end || n_texts(first..end) == 0 {
            // Nothing is met but what stands behind an element, or before the first one.
            let begun = own.partition_point(|element| element.span.start <= body.start);
            let before = among.start + begun.saturating_sub(1);
            return before..self.behind(before + 1, among.end, within.end);
        }
        let first = self.next_text(first);
        let last = self.last_text(end);
        let begins = body.start <= self.elements[first].span.start;
        let own = own.partition_point(|element| element.span.start < within.start);
        let ahead = (among.start + own).min(first);
        let start = if begins && n_texts(ahead..first) == 0 { ahead } else { first };
        let ends = self.elements[last].span.end <= body.end;
        let behind = if ends { self.behind(last + 1, among.end, within.end) } else { last + 1 };
        start..behind
    }

    /// Where elements without text from number `from` on end that begin before `upto`; at most at `end`.
    fn behind(&self, from: usize, end: usize, upto: usize) -> usize {
        let empty = from..self.next_text(from).clamp(from, end);
        let begun = self.elements[empty].partition_point(|element| element.span.start < upto);
        from + begun
    }

    /// The number of the first element with text from number `from` on, or that of all elements.
    fn next_text(&self, from: usize) -> usize {
        self.n_texts.partition_point(|&n| n <= self.n_texts[from]) - 1
    }

    /// The number of the last element with text before number `end`, if there is one.
    fn last_text(&self, end: usize) -> usize {
        self.n_texts.partition_point(|&n| n < self.n_texts[end]).saturating_sub(1)
    }
}
