//! Cues of captions: their times, and the lines that are shown then.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;

use super::{Form, times};

/// A cue.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue<'a> {
    /// When it is shown, and when no longer.
    pub times: [f64; 2],
    /// Its lines that hold anything, with their markup.
    pub lines: Vec<&'a str>,
    /// Where it stands in the source, from its times on.
    pub place: Span,
}

/// The cues of captions, in the order of the source. O(n).
///
/// # Errors
/// What `pulse` says.
pub fn cues<'a>(source: &'a str, form: Form, pulse: Pulse<'_>) -> Result<Vec<Cue<'a>>> {
    let (mut cues, mut at, beat): (Vec<Cue<'a>>, _, _) = (Vec::new(), 0, Beat::of_bytes(pulse));
    // Whether lines are those of the last cue, and whether they are those of a note.
    let (mut is_open, mut is_note, mut is_blank) = (false, false, true);
    for line in source.split_inclusive('\n') {
        beat.after(line.len())?;
        let place = Span::new(at, at + line.trim_end().len());
        at += line.len();
        let is_end = line.trim_end_matches(['\n', '\r']).is_empty();
        let line = line.trim();
        if is_end {
            (is_note, is_blank) = (false, true);
            is_open &= form == Form::Srt;
        } else if line.is_empty() {
            // A line of blanks is shown as it is, and holds nothing.
        } else if let Some(times) = times(line) {
            drop_number(&mut cues, form);
            cues.push(Cue { times, lines: Vec::new(), place });
            (is_open, is_note, is_blank) = (true, false, false);
        } else {
            is_note |= form == Form::Vtt && is_blank && is_note_head(line);
            is_blank = false;
            if let Some(cue) = cues.last_mut().filter(|_| is_open && !is_note) {
                cue.lines.push(line);
                cue.place.end = place.end;
            }
        }
    }
    Ok(cues)
}

/// Takes the number of the next cue off the last one, whose last line it seems to be.
fn drop_number(cues: &mut [Cue<'_>], form: Form) {
    let Some(cue) = cues.last_mut().filter(|_| form == Form::Srt) else { return };
    let is_number = |line: &&str| line.bytes().all(|byte| byte.is_ascii_digit());
    if cue.lines.last().is_some_and(is_number) {
        cue.lines.pop();
    }
}

/// Whether a line begins a block of `WebVTT` that is no cue.
fn is_note_head(line: &str) -> bool {
    let word = line.split([' ', '\t']).next().unwrap_or_default();
    matches!(word, "NOTE") || matches!(line, "STYLE" | "REGION")
}
