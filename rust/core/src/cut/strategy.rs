//! The strategies as values: one row each, so that whoever runs them needs to know none by name.

use super::balanced::balanced;
use super::recursive::recursive;
use super::semantic::{Semantic, semantic};
use super::sentence::{Sentencing, sentence};
use super::window::window;
use crate::boundaries::Boundaries;
use crate::chunks::Chunks;
use crate::document::Document;
use crate::error::Result;
use crate::measure::Measure;
use crate::options::{Limits, OverlapAt};
use crate::pulse::Pulse;
use crate::segment::fence::Markup;
use crate::segment::sentence::Language;
use crate::segment::separator::Separator;

/// A way to cut, with the options that are its own.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// [`recursive`], at these separators, in a text of this markup.
    Recursive(Vec<Separator>, Markup),
    /// [`sentence`].
    Sentence(Sentencing),
    /// [`balanced`].
    Balanced(Language),
    /// [`window`].
    Window,
    /// [`semantic`].
    Semantic(Semantic),
}

/// A strategy with the options that all of them share.
#[derive(Clone, Debug)]
pub struct Cutter {
    /// What is done.
    pub strategy: Strategy,
    /// How much a chunk may hold.
    pub limits: Limits,
    /// Where an overlap may begin.
    pub overlap_at: OverlapAt,
}

impl Cutter {
    /// The chunks of `document`.
    ///
    /// # Errors
    /// Those of the measure, and what `pulse` says.
    pub fn cut(
        &self,
        document: Document<'_>,
        measure: &dyn Measure,
        pulse: Pulse<'_>,
    ) -> Result<Chunks> {
        let (limits, at) = (self.limits, self.overlap_at);
        match &self.strategy {
            Strategy::Recursive(separators, markup) => {
                recursive(document, measure, limits, at, separators, *markup, pulse)
            }
            Strategy::Sentence(sentencing) => {
                sentence(document, measure, limits, at, *sentencing, pulse)
            }
            Strategy::Balanced(language) => {
                balanced(document, measure, limits, at, *language, pulse)
            }
            Strategy::Window => window(document, measure, limits, at, pulse),
            Strategy::Semantic(how) => semantic(document, measure, limits, at, how, pulse),
        }
    }

    /// Whether cutting runs a caller's own code, other than a measure's.
    pub fn calls_back(&self) -> bool {
        matches!(&self.strategy, Strategy::Semantic(how) if how.embedder.calls_back())
    }

    /// Whether it gives boundaries beside the chunks.
    pub const fn gives_boundaries(&self) -> bool {
        matches!(self.strategy, Strategy::Semantic(_))
    }

    /// What there is of a text that could not be cut.
    pub fn nothing(&self) -> Chunks {
        let mut boundaries = Boundaries::default();
        if self.gives_boundaries() {
            boundaries.end_text(f64::NAN);
        }
        Chunks::default().with_boundaries(boundaries)
    }
}
