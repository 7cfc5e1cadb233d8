//! Reader of transcripts: texts in which lines say who speaks, as interviews, minutes and chats have them.
//!
//! Steps, each a module: `line` parses the head of a turn, `names` says what a name is, `dates` and `times` make
//! seconds of what is written, `telling` tells a transcript from other texts, and which heads are those of turns.

mod dates;
mod halves;
mod line;
mod lists;
pub mod names;
mod speakers;
mod telling;
#[cfg(test)]
mod tests;
mod times;

use chunkwright_text::elements::{Element, Kind};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::read::Read;
use chunkwright_text::span::Span;
use chunkwright_text::turns::{Cue, Turn};

use self::telling::{Heads, Place};
use self::times::Clock;

pub use self::telling::looks_like_transcript;

/// Reads a transcript, whose text is the source. What stands before the first turn, and what no speaker says, are
/// paragraphs. O(n).
///
/// ```
/// use chunkwright_read::talks::transcript::read;
/// use chunkwright_text::pulse::no_pulse;
///
/// let text = "Weather talk\n\nAda Lee: It rained.\nAll day.\nBo: No.\n";
/// let read = read(text, no_pulse())?;
/// let said: Vec<_> = read.elements.iter().map(|element| &text[element.span.range()]).collect();
/// assert_eq!(said, ["Weather talk", "Ada Lee: It rained.\nAll day.", "Bo: No."]);
/// let (element, turn) = &read.turns[0];
/// assert_eq!((*element, &*turn.speaker, &text[turn.label.range()]), (1, "Ada Lee", "Ada Lee: "));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// What `pulse` says.
pub fn read(text: &str, pulse: Pulse<'_>) -> Result<Read> {
    let heads = Heads::of(text, usize::MAX, pulse)?;
    let has_turns = heads.has_turns();
    let mut writer = Marker { text, read: Read::default(), open: None, clock: Clock::of(&heads) };
    let (beat, is_recording) = (Beat::of_bytes(pulse), writer.clock.is_recording);
    for line in &heads.lines {
        beat.after(line.span.len())?;
        let Some(head) = line.head.as_deref().filter(|_| has_turns) else {
            writer.go_on(line.span);
            continue;
        };
        let place = heads.place(head, is_recording);
        if place != Place::Within {
            writer.close();
        }
        match place {
            Place::Turn => writer.begin(line.span, head),
            Place::Time => {
                writer.clock.remember(head);
                writer.open = Some((line.span, None));
                writer.close();
            }
            Place::Apart | Place::Within => writer.go_on(line.span),
        }
    }
    writer.close();
    Ok(writer.read)
}

/// Marks the turns and paragraphs of a text.
struct Marker<'a> {
    text: &'a str,
    read: Read,
    /// The element that the next line may go on with, and its turn.
    open: Option<(Span, Option<Turn>)>,
    clock: Clock,
}

impl Marker<'_> {
    fn begin(&mut self, line: Span, head: &line::Head<'_>) {
        let label = Span::new(line.start + head.label.start, line.start + head.label.end);
        let cue = |start| Cue { at: line.start, start, end: None };
        let cues = self.clock.seconds(head).map(cue).into_iter().collect();
        self.open = Some((line, Some(Turn { speaker: head.name.into(), label, cues })));
    }

    /// Adds a line to the element that is open. A blank line ends a paragraph, and no turn.
    fn go_on(&mut self, line: Span) {
        if line.is_empty() {
            if self.open.as_ref().is_some_and(|(_, turn)| turn.is_none()) {
                self.close();
            }
            return;
        }
        match &mut self.open {
            Some((span, turn)) => {
                if let Some(turn) = turn.as_mut().filter(|turn| turn.label.end >= span.end) {
                    // The words begin on this line: what names the speaker reaches up to them.
                    turn.label.end = line.start;
                }
                span.end = line.end;
            }
            None => self.open = Some((line, None)),
        }
    }

    fn close(&mut self) {
        let Some((span, turn)) = self.open.take() else { return };
        let kind = if turn.is_some() { Kind::Turn } else { Kind::Paragraph };
        if let Some(mut turn) = turn {
            turn.label.end = turn.label.end.min(span.end);
            let before = self.read.turns.last_mut().and_then(|(_, before)| before.cues.last_mut());
            if let (Some(before), Some(cue)) = (before, turn.cues.first())
                && self.clock.is_recording
                && cue.start >= before.start
            {
                before.end = Some(cue.start);
            }
            self.read.turns.push((self.read.elements.len(), turn));
        }
        debug_assert!(span.end <= self.text.len());
        self.read.elements.push(Element { kind, span, ..Element::default() });
    }
}
