//! Turn of a conversation: who speaks, when, and where the text names the speaker.

use serde::{Deserialize, Serialize};

use crate::elements::Element;
use crate::span::Span;

/// What is known of a turn beside its text.
///
/// ```
/// use chunkwright_text::elements::{Element, Kind};
/// use chunkwright_text::turns::{Cue, Turn, label_at};
/// use chunkwright_text::span::Span;
///
/// // "Ada: It rained.": what follows the label may repeat it.
/// let elements = [Element { kind: Kind::Turn, span: Span::new(0, 15), ..Element::default() }];
/// let turn = Turn { speaker: "Ada".into(), label: Span::new(0, 5), ..Turn::default() };
/// let turns = [(0, turn)];
/// assert_eq!(label_at(&turns, &elements, 8), Some(Span::new(0, 5)));
/// assert_eq!([0, 15].map(|at| label_at(&turns, &elements, at)), [None, None]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Who speaks; empty if the source does not say.
    pub speaker: Box<str>,
    /// Where the text names the speaker, with what stands between the name and the words; empty if it does not.
    pub label: Span,
    /// Times of the turn in the order of its text: the first where it begins, others where the source tells.
    pub cues: Vec<Cue>,
}

/// A time of a turn, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cue {
    /// Where in the text of the document what was said then begins.
    pub at: usize,
    /// When it begins.
    pub start: f64,
    /// When it ends, if that is known.
    pub end: Option<f64>,
}

impl Turn {
    /// When the part of a turn is said that stands at `part`: its begin, and its end or, where that is not known, the
    /// last begin.
    pub fn times(&self, part: Span) -> [Option<f64>; 2] {
        let begun = self.cues.partition_point(|cue| cue.at <= part.start);
        let behind = self.cues.partition_point(|cue| cue.at < part.end).max(begun);
        let met = &self.cues[begun.saturating_sub(1)..behind];
        let start = met.iter().map(|cue| cue.start).reduce(f64::min);
        let end = met.iter().map(|cue| cue.end.unwrap_or(cue.start)).reduce(f64::max);
        [start, end]
    }
}

/// The label of the turn in whose words a text goes on at `at`, if it has one: what is to be repeated there. O(log n).
pub fn label_at(turns: &[(usize, Turn)], elements: &[Element], at: usize) -> Option<Span> {
    let (span, label) = around(turns, elements, at)?;
    (label.end <= at && at < span.end).then_some(label)
}

/// The label that `at` stands inside of, if it does: neither before it nor behind it. O(log n).
pub fn label_around(turns: &[(usize, Turn)], elements: &[Element], at: usize) -> Option<Span> {
    let (_, label) = around(turns, elements, at)?;
    (label.start < at && at < label.end).then_some(label)
}

/// Where the words of the turn begin in which `text` ends, if `text` begins before them. O(log n).
pub fn words_in(turns: &[(usize, Turn)], elements: &[Element], text: Span) -> Option<usize> {
    let (_, label) = around(turns, elements, text.end.saturating_sub(1))?;
    (text.start < label.end && label.end < text.end).then_some(label.end)
}

/// The text and the label of the last turn that begins up to `at`, if it has a label.
fn around(turns: &[(usize, Turn)], elements: &[Element], at: usize) -> Option<(Span, Span)> {
    let begins = |number: usize| elements.get(number).map(|element| element.span.start);
    let begun = turns.partition_point(|(number, _)| begins(*number).is_some_and(|of| of <= at));
    let (number, turn) = turns[..begun].last().filter(|(_, turn)| !turn.label.is_empty())?;
    Some((elements.get(*number)?.span, turn.label))
}

/// What is known of a turn, by the number of its element.
pub fn turn_of(turns: &[(usize, Turn)], element: usize) -> Option<&Turn> {
    let at = turns.binary_search_by_key(&element, |(number, _)| *number).ok()?;
    turns.get(at).map(|(_, turn)| turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_times_of_what_it_holds() {
        let cue = |at, start, end| Cue { at, start, end };
        let cues = vec![cue(0, 1.0, Some(2.0)), cue(10, 2.5, None), cue(20, 4.0, Some(5.0))];
        let turn = Turn { cues, ..Turn::default() };
        let times = |start, end| turn.times(Span::new(start, end));
        assert_eq!(times(0, 30), [Some(1.0), Some(5.0)]);
        assert_eq!(times(12, 18), [Some(2.5), Some(2.5)]);
        assert_eq!(times(12, 21), [Some(2.5), Some(5.0)]);
        assert_eq!(times(5, 10), [Some(1.0), Some(2.0)]);
        assert_eq!(Turn::default().times(Span::new(0, 9)), [None, None]);
    }
}
