//! Errors of the engine, each with the value that is to blame.
//!
//! There is one type, since callers map it to their own: to exceptions in Python, to statuses in a service. An
//! error names the value that is to blame, and an option by its name, so that a form can mark the field. None is
//! used for control flow but the caller's own, which a pulse or a counter returns and gets back.

/// An error of the engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option, or two options together, make no sense.
    #[error("{0}")]
    Config(String),
    /// The value of an option makes no sense.
    #[error("{message}")]
    Option {
        /// The option.
        option: String,
        /// A sentence that names option and value.
        message: String,
    },
    /// An option does not take such a value.
    #[error("{option} {must}, got {got}")]
    Value {
        /// The option.
        option: String,
        /// What it must be, from "must" on.
        must: String,
        /// The value.
        got: String,
    },
    /// An option takes a few names, and the value is none of them.
    #[error("unknown {option} {got}: known are '{}'", .known.join("', '"))]
    Name {
        /// The option.
        option: String,
        /// The value.
        got: String,
        /// The names that it takes.
        known: &'static [&'static str],
    },
    /// A separator is no regular expression.
    #[error("separator {pattern:?} is not a regular expression: {reason}")]
    Pattern {
        /// The separator as given.
        pattern: String,
        /// What the parser says.
        reason: String,
    },
    /// A token counter gave no count.
    #[error("{0}")]
    Tokenizer(String),
    /// A model gave no answer that can be used.
    #[error("{0}")]
    Model(String),
    /// Input is not what it says it is.
    #[error("{0}")]
    Read(String),
    /// A recursion that a peer never ends.
    #[error("{0}")]
    Endless(String),
    /// A position lies outside the text or inside a code point.
    #[error("{0}")]
    Position(String),
    /// A token id that the vocabulary lacks.
    #[error("token id {id} is not in {vocabulary} (ids 0 to {max})")]
    UnknownToken {
        /// The id as given.
        id: u32,
        /// Name of the vocabulary.
        vocabulary: String,
        /// The largest id there is.
        max: u32,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// An error of the caller's own code (a counter, a pattern), carried through unchanged.
    #[error(transparent)]
    Caller(Box<dyn std::error::Error + Send + Sync>),
}

/// Characters of a message at most that names what a reader was given.
const MAX_MESSAGE_CHARS: usize = 500;

/// The engine's result.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The value of an option makes no sense, as `message` says.
    pub fn option(option: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Option { option: option.into(), message: message.into() }
    }

    /// A tokenizer that cannot be used: the beginning of the reason, which a file may make long.
    pub(crate) fn broken_tokenizer(name: &str, reason: &str) -> Self {
        let reason: String = reason.chars().take(400).collect();
        Self::Tokenizer(format!("{name} is no tokenizer that can be used: {reason}"))
    }

    /// The same, but where it names a part of a file, which may be as long as the file, with its beginning alone.
    #[must_use]
    pub fn shortened(self) -> Self {
        let Self::Read(mut message) = self else { return self };
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
            message.truncate(end);
            message.push('…');
        }
        Self::Read(message)
    }
}
