//! Ruler of texts in which something stands for surrogates.

use chunkwright_text::error::Result;
use chunkwright_text::measure::ruler::Ruler;
use chunkwright_text::measure::{Counter, Measure};
use chunkwright_text::span::Span;

use super::surrogates::StandIns;

/// What `use_it` makes of `ruler`, or of one that knows what stands for surrogates, if something does.
pub fn repaired<T>(
    ruler: &dyn Ruler,
    stand_ins: &StandIns,
    use_it: impl FnOnce(&dyn Ruler) -> T,
) -> T {
    if stand_ins.is_empty() {
        return use_it(ruler);
    }
    use_it(&Repaired { ruler, stand_ins })
}

/// Measures texts as they would be without the surrogates that something stands for. Code points are
/// those of the original.
struct Repaired<'a> {
    ruler: &'a dyn Ruler,
    stand_ins: &'a StandIns,
}

impl Ruler for Repaired<'_> {
    fn size(&self, text: &str) -> Result<usize> {
        if self.counts_chars() {
            return self.ruler.size(text);
        }
        self.ruler.size(&self.stand_ins.measured(text))
    }

    fn counts_chars(&self) -> bool {
        self.ruler.counts_chars()
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        if self.counts_chars() {
            return self.ruler.measure(text);
        }
        // Where a span ends within a pair, its half is a surrogate by itself.
        let size = move |span: Span| self.size(&text[span.range()]);
        Ok(Box::new(Counter::new(text, size)))
    }
}
