//! Text of a conversation that a reader writes: `Name: words` a turn, a blank line between two.

use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::read::Read;
use chunkwright_text::source_map::SourceMap;
use chunkwright_text::span::Span;
use chunkwright_text::turns::{Cue, Turn};

/// Writes turns one behind the other.
#[derive(Debug, Default)]
pub struct Talk {
    text: String,
    elements: Vec<Element>,
    turns: Vec<(usize, Turn)>,
    /// Where each element stands in the source, if that is known.
    places: Vec<Span>,
    /// What was said at a time, as spans of the text, each with its place in the source: a turn has one or more.
    parts: Vec<(Span, Span)>,
}

/// A time of a turn: its begin and, if that is known, its end, in seconds.
pub type Time = (f64, Option<f64>);

impl Talk {
    /// Adds what somebody says, empty if nobody is named; words of which nothing is left are left out.
    pub fn say(&mut self, speaker: &str, words: &str, time: Option<Time>, place: Span) {
        let words = words.trim();
        if words.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        let start = self.text.len();
        if !speaker.is_empty() {
            self.text.push_str(speaker);
            self.text.push_str(": ");
        }
        let label = Span::new(start, self.text.len());
        self.text.push_str(words);
        let cue = |(begin, end)| Cue { at: start, start: begin, end };
        let cues = time.map(cue).into_iter().collect();
        self.turns.push((self.elements.len(), Turn { speaker: speaker.into(), label, cues }));
        let span = Span::new(start, self.text.len());
        self.elements.push(Element { kind: Kind::Turn, span, ..Element::default() });
        self.places.push(place);
        self.parts.push((span, place));
    }

    /// Adds the title of what follows; nothing if it is empty.
    pub fn entitle(&mut self, title: &str) {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        let span = Span::new(self.text.len(), self.text.len() + title.len());
        self.text.push_str(&title);
        self.elements.push(Element { kind: Kind::Heading, level: 1, span, ..Element::default() });
        self.places.push(Span::default());
        self.parts.push((span, Span::default()));
    }

    /// Adds words of the one who spoke last.
    pub fn go_on(&mut self, words: &str, (begin, end): Time, place: Span) {
        let words = words.trim();
        let (Some(element), Some((_, turn))) = (self.elements.last_mut(), self.turns.last_mut())
        else {
            return;
        };
        if words.is_empty() {
            return;
        }
        self.text.push(' ');
        let at = self.text.len();
        turn.cues.push(Cue { at, start: begin, end });
        self.text.push_str(words);
        element.span.end = self.text.len();
        self.parts.push((Span::new(at, self.text.len()), place));
        if let Some(last) = self.places.last_mut() {
            last.end = place.end;
        }
    }

    /// The speaker of the last turn, and when that ends as far as is known; none if there is no turn.
    pub fn last(&self) -> Option<(&str, Option<f64>)> {
        let (_, turn) = self.turns.last()?;
        Some((&turn.speaker, turn.cues.last().and_then(|cue| cue.end)))
    }

    /// What was written, whose turns stand in `source` where they were told to.
    pub fn read(self, source: &str) -> Read {
        let spans = self.elements.iter().map(|element| element.span);
        let (_, places) = SourceMap::of_elements(source, &[], spans.zip(self.places));
        let source = SourceMap::of_parts(source, &[], self.parts);
        let (text, elements, turns) = (Some(self.text), self.elements, self.turns);
        Read { text, elements, turns, source, places, ..Read::default() }
    }

    /// What was written, which stands nowhere.
    pub fn read_nowhere(self) -> Read {
        Read { turns: self.turns, ..Read::made(self.text, self.elements) }
    }
}
