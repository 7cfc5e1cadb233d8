//! Pass over a text that visits its added tokens, its words, and what stands alone.

use super::Tables;
use super::hidden::HiddenRuns;
use super::scan::Unit;
use crate::error::Result;
use crate::pulse::Pulse;
use crate::span::Span;

/// The pulse is felt once for so many bytes; a word of more is passed over in parts.
const PULSE_BYTES: usize = 1 << 18;

/// Takes the units of a text in order.
pub trait Visitor {
    /// A word of letters, or of nothing but what is hidden.
    fn word(&mut self, span: Span);
    /// A word that is so long that the pulse is felt on the way, and what is hidden in it.
    fn giant(&mut self, span: Span, hidden: HiddenRuns);
    /// One code point that is a word.
    fn alone(&mut self, span: Span);
    /// An added token and its id.
    fn added(&mut self, span: Span, id: u32);
}

impl Tables {
    /// Shows `visitor` the units of `text`. O(n).
    ///
    /// # Errors
    /// Those of `pulse`.
    #[inline]
    pub fn pass(&self, text: &str, visitor: &mut impl Visitor, pulse: Pulse<'_>) -> Result<()> {
        let mut at = 0;
        while at < text.len() {
            pulse()?;
            let stop = text.len().min(at + PULSE_BYTES);
            let added = self.added.find(text, at, stop);
            // Added tokens begin with what stands alone, so no word reaches into one.
            let plain_end = added.map_or(stop, |(span, _)| span.start);
            let giant;
            (at, giant) = self.plain(text, at, plain_end, visitor);
            if giant {
                at = self.giant(text, at, visitor, pulse)?;
            } else if let Some((span, id)) = added {
                visitor.added(span, id);
                at = span.end;
            }
        }
        Ok(())
    }

    /// Shows `visitor` the units that begin in `text[at..stop]`, as far as the first giant word. Gives the
    /// end of the last one, and whether a giant word begins there.
    #[inline(always)]
    fn plain(
        &self,
        text: &str,
        mut at: usize,
        stop: usize,
        visitor: &mut impl Visitor,
    ) -> (usize, bool) {
        let window = &text[..text.floor_char_boundary(stop.saturating_add(PULSE_BYTES))];
        while at < stop {
            match self.scanner.unit(window, at) {
                Some(Unit::Word(end)) => {
                    if end == window.len() && end < text.len() {
                        return (at, true);
                    }
                    visitor.word(Span::new(at, end));
                    // Most words have a blank behind them.
                    at = end + usize::from(text.as_bytes().get(end) == Some(&b' '));
                }
                Some(Unit::Alone(end)) => {
                    visitor.alone(Span::new(at, end));
                    at = end;
                }
                Some(Unit::Space(end)) => at = end,
                None => break,
            }
        }
        (at, false)
    }

    /// Shows `visitor` the word at `start`, and gives its end.
    fn giant(
        &self,
        text: &str,
        start: usize,
        visitor: &mut impl Visitor,
        pulse: Pulse<'_>,
    ) -> Result<usize> {
        let (mut end, mut hidden) = (start, HiddenRuns::default());
        loop {
            pulse()?;
            let window = &text[..text.floor_char_boundary(end.saturating_add(PULSE_BYTES))];
            let next = self.scanner.word_end(window, end);
            if next == end {
                break;
            }
            hidden.extend(&self.scanner, text, Span::new(end, next));
            end = next;
        }
        visitor.giant(Span::new(start, end), hidden);
        Ok(end)
    }
}
