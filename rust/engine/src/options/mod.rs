//! Options of the strategies: names, types, ranges, defaults, units and help, written down once.
//!
//! Who offers a strategy to its users (Python's classes, the command line, the service, the docs) asks here what
//! options there are, and who makes one has its values checked here. So a value is refused with the same words
//! wherever it comes from.

pub mod families;
mod values;

pub use self::values::shown;

/// The largest size: a larger limit is no limit.
pub const MAX_SIZE: usize = 1 << 62;
/// The limit in tokens, where none is named.
pub const DEFAULT_MAX_TOKENS: usize = 512;
/// The tokenizer, where none is named.
pub const DEFAULT_TOKENIZER: &str = "cl100k_base";

/// An option of a strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategyOption {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is where nothing is given.
    pub default: DefaultValue,
    /// What it is for, in one sentence; names of code stand between backticks.
    pub about: &'static str,
    /// What else is to be known of it.
    pub more: &'static str,
    /// The options that it is to be seen with: it counts in their unit, or has no effect without them.
    pub concerns: &'static [&'static str],
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A size in the unit of the limit.
    Size {
        /// The least that makes sense.
        least: usize,
        /// The most.
        most: Most,
    },
    /// A whole number.
    Count {
        /// The least that makes sense.
        least: usize,
        /// The most; [`MAX_SIZE`] is any.
        most: usize,
        /// What is counted, in the plural.
        unit: &'static str,
    },
    /// A number; without a range any that is finite.
    Number(Option<Range>),
    /// Yes or no.
    Flag,
    /// One of a few names.
    Name(&'static [&'static str]),
    /// A code of a language.
    Language,
    /// Separators, or the name of a language that has some.
    Separators,
    /// Marks at which a text is always cut: one, or several.
    Marks,
    /// What counts tokens.
    Tokenizer,
    /// What gives texts their vectors.
    Embedder,
    /// A language model.
    LanguageModel,
    /// What a language model is told.
    Prompt,
}

/// The largest size that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Most {
    /// The limit.
    Limit,
    /// Any.
    Any,
}

/// From where to where numbers make sense.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// Whether both make no sense themselves.
    pub excludes_ends: bool,
}

/// The value of an option where nothing is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// What the strategy makes of the other options.
    Derived,
    /// Yes or no.
    Flag(bool),
    /// A whole number, or a size.
    Count(usize),
    /// A number.
    Number(f64),
    /// A name.
    Name(&'static str),
}

/// Options that several strategies have.
#[derive(Debug)]
pub struct Family {
    /// The name of its class in Python.
    pub class: &'static str,
    /// The options that it adds, and those of more general families of which it says more.
    pub options: &'static [StrategyOption],
}

/// Whether all strategies have an option of that name.
pub fn is_shared(name: &str) -> bool {
    families::SIZES.options.iter().any(|option| option.name == name)
}

impl StrategyOption {
    pub(crate) const fn new(
        name: &'static str,
        kind: Kind,
        default: DefaultValue,
        about: &'static str,
    ) -> Self {
        Self { name, kind, default, about, more: "", concerns: &[] }
    }

    /// With what else is to be known of it.
    pub(crate) const fn more(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    /// With the options that it is to be seen with.
    pub(crate) const fn concerns(self, concerns: &'static [&'static str]) -> Self {
        Self { concerns, ..self }
    }
}
