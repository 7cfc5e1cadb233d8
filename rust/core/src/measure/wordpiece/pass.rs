//! One pass over a text: its added tokens, its words, and what stands alone.

use super::Tables;
use super::scan::Unit;
use crate::error::Result;
use crate::options::Pulse;
use crate::span::Span;

/// The pulse is felt once for so many bytes.
const PULSE_BYTES: usize = 1 << 18;

/// Takes the units of a text in order.
pub trait Visitor {
    /// A word of letters, or of nothing but what is hidden.
    fn word(&mut self, span: Span);
    /// One code point that is a word.
    fn alone(&mut self, span: Span);
    /// An added token and its id.
    fn added(&mut self, span: Span, id: u32);
}

impl Tables {
    /// Shows `visitor` the units of `text`. O(n).
    ///
    /// # Errors
    /// What `pulse` says.
    #[inline]
    pub fn pass(&self, text: &str, visitor: &mut impl Visitor, pulse: Pulse<'_>) -> Result<()> {
        let mut at = 0;
        while at < text.len() {
            pulse()?;
            let stop = text.len().min(at + PULSE_BYTES);
            let added = self.added.find(text, at, stop);
            // Added tokens begin with what stands alone, so no word reaches into one.
            at = self.plain(text, at, added.map_or(stop, |(span, _)| span.start), visitor);
            if let Some((span, id)) = added {
                visitor.added(span, id);
                at = span.end;
            }
        }
        Ok(())
    }

    /// Shows `visitor` the units that begin in `text[at..stop]`, and gives the end of the last.
    #[inline(always)]
    fn plain(&self, text: &str, mut at: usize, stop: usize, visitor: &mut impl Visitor) -> usize {
        while at < stop {
            match self.scanner.unit(text, at) {
                Some(Unit::Word(end)) => {
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
        at
    }
}
