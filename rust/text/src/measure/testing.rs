//! Rulers for tests.

use std::cell::{Cell, RefCell};

use crate::error::Result;
use crate::measure::ruler::Ruler;
use crate::measure::{Bpe, Counter, Encoder, Measure, Tokens};
use crate::pulse::no_pulse;
use crate::span::Span;

/// Tokens of a built-in vocabulary.
pub struct TokenRuler(RefCell<Encoder>);

impl TokenRuler {
    pub fn new(name: &str) -> Self {
        Self(RefCell::new(Encoder::new(Bpe::named(name).unwrap())))
    }
}

impl Ruler for TokenRuler {
    fn size(&self, text: &str) -> Result<usize> {
        self.0.borrow_mut().count(text, no_pulse())
    }

    fn counts_chars(&self) -> bool {
        false
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        let index = self.0.borrow_mut().index(text, no_pulse())?;
        Ok(Box::new(Tokens::new(text, index)))
    }
}

/// Bytes, as a caller's counter that has to read them; says how many it has read.
#[derive(Default)]
pub struct CalledRuler {
    pub n_read: Cell<usize>,
}

impl Ruler for CalledRuler {
    fn size(&self, text: &str) -> Result<usize> {
        self.n_read.set(self.n_read.get() + text.len());
        Ok(text.len())
    }

    fn counts_chars(&self) -> bool {
        false
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        Ok(Box::new(Counter::new(text, |span: Span| self.size(&text[span.range()]))))
    }
}
