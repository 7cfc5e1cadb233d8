//! Strategies by name: a row each, with its options and what makes a cutter of them.
//!
//! A call, a configuration file, the body of a request, a worker of another process and a test case all say
//! the same object: `{"strategy": "balanced", "max_tokens": 256, "language": "de"}`. A default is that of the
//! strategy, so an option that is null or missing is the same. What is no data stands beside it, in [`Parts`].
//!
//! ```
//! use chunkwright_engine::options::{DefaultValue, Kind};
//! use chunkwright_engine::strategies::options;
//!
//! let window = options("kamradt").iter().find(|option| option.name == "window").unwrap();
//! assert_eq!(window.kind, Kind::Count { least: 0, most: 100, unit: "sentences" });
//! assert_eq!(window.default, DefaultValue::Count(1));
//! assert_eq!(window.about, "The number of sentences on each side that are embedded with a sentence.");
//! ```

mod asked;
mod code;
mod elements;
mod kinds;
mod making;
mod marks;
mod recursive;
mod semantic;
mod text;
mod values;

use std::sync::{Arc, OnceLock};

use chunkwright_text::cut::pieces::Asked;
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::syntax::code::outline::Outliner;
use chunkwright_text::vectors::Embedder;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::making::Making;
use crate::options::{DEFAULT_TOKENIZER, Family, StrategyOption};
use crate::unit::Unit;

type Make = fn(&mut Making<'_>) -> Result<Strategy>;

/// All strategies, in the order in which they are shown.
pub fn rows() -> impl Iterator<Item = &'static StrategyRow> {
    [
        recursive::ROWS,
        text::ROWS,
        code::ROWS,
        semantic::ROWS,
        asked::ROWS,
        elements::SECTIONS,
        kinds::ROWS,
        elements::PACKED,
        asked::BASES,
    ]
    .into_iter()
    .flatten()
}

/// A strategy as its users see it.
#[derive(Clone, Copy, Debug)]
pub struct StrategyRow {
    /// Its name.
    pub name: &'static str,
    /// The name of its class in Python.
    pub class: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// What it shares with others, the most general first.
    pub families: &'static [&'static Family],
    /// The options that it adds, and those of its families of which it says more.
    pub options: &'static [StrategyOption],
    /// Whether it is what strategies of others are made of, and none by itself.
    pub is_base: bool,
    /// What makes it of its options.
    make: Make,
}

/// The options of a strategy, in the order in which they are shown; none if there is no such strategy.
pub fn options(strategy: &str) -> &'static [StrategyOption] {
    static JOINED: OnceLock<Vec<Vec<StrategyOption>>> = OnceLock::new();
    let joined = JOINED.get_or_init(|| rows().map(StrategyRow::joined).collect());
    let place = rows().position(|row| row.name == strategy);
    place.map_or(&[], |place| &joined[place])
}

impl StrategyRow {
    /// The options of its families and its own; one that stands again takes the place of the earlier one.
    fn joined(&self) -> Vec<StrategyOption> {
        let mut joined: Vec<StrategyOption> = Vec::new();
        for option in self.families.iter().flat_map(|family| family.options).chain(self.options) {
            match joined.iter_mut().find(|known| known.name == option.name) {
                Some(known) => *known = *option,
                None => joined.push(*option),
            }
        }
        joined
    }
}

const fn row(
    name: &'static str,
    class: &'static str,
    about: &'static str,
    families: &'static [&'static Family],
    options: &'static [StrategyOption],
    make: Make,
) -> StrategyRow {
    StrategyRow { name, class, about, families, options, is_base: false, make }
}

/// The name of a strategy, and its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The name.
    #[serde(rename = "strategy")]
    pub name: String,
    /// The options, by their names; those that are missing or null are as the strategy has them.
    #[serde(flatten)]
    pub options: Map<String, Value>,
}

/// What a strategy may need that is no data.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What gives pieces their vectors; without, the option `embedder` can only be `"lexical"`.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What says where chunks begin, for the strategies `llm` and `own_boundaries`.
    pub asked: Option<Arc<dyn Asked>>,
    /// What knows grammars of programming languages, for the strategy `code`.
    pub outliner: Option<Arc<dyn Outliner>>,
    /// How many special tokens a model adds to each text.
    pub special_tokens: usize,
    /// For the strategy `auto`: what cuts the documents that are told to be of a kind, by its number.
    pub told: Vec<Cutter>,
}

impl Spec {
    /// The names of all strategies.
    pub fn names() -> impl Iterator<Item = &'static str> {
        rows().filter(|row| !row.is_base).map(|row| row.name)
    }

    /// What sizes are counted in, if the tokenizer is a built-in one.
    ///
    /// # Errors
    /// [`Error::Option`] if it is not.
    pub fn unit(&self) -> Result<Unit> {
        let given = |name| self.options.get(name).filter(|value| !value.is_null());
        let named = match given("max_chars") {
            Some(_) => "chars",
            None => {
                given("tokenizer").map_or(DEFAULT_TOKENIZER, |name| name.as_str().unwrap_or(""))
            }
        };
        let unknown = || Error::option("tokenizer", format!("no built-in tokenizer is '{named}'"));
        Unit::named(named).ok_or_else(unknown)
    }

    /// Checks the names of the options and each value, and gives the size that no chunk exceeds.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Value`] or [`Error::Name`] for a strategy, an option or a value that is none.
    pub fn hard_max(&self, parts: &Parts) -> Result<usize> {
        self.making(parts).map(|(making, _)| making.hard_max)
    }

    /// The cutter, with `parts` beside the options. The unit that it cuts by is handed to each cut.
    ///
    /// # Errors
    /// As [`Self::hard_max`]; [`Error::Option`] for values that make no sense together, and for a part that is missing.
    pub fn cutter(&self, parts: &Parts) -> Result<Cutter> {
        let (mut making, make) = self.making(parts)?;
        let strategy = make(&mut making)?;
        making.cutter(strategy)
    }

    fn making<'s>(&'s self, parts: &'s Parts) -> Result<(Making<'s>, Make)> {
        let row = rows().find(|row| row.name == self.name).ok_or_else(|| {
            let (option, got) = ("strategy".to_owned(), format!("'{}'", self.name));
            Error::Name { option, got, known: Self::names().collect() }
        })?;
        Ok((Making::new(self, parts, row.name == "sentence")?, row.make))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panic")]
mod tests;
