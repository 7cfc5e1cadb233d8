//! Errors of the engine, each with the value that is to blame.
//!
//! There is one type, since callers map it to their own: to exceptions in Python, to statuses in a service. An
//! error names the value that is to blame, and an option by its name, so that a form can mark the field. None is
//! used for control flow but the caller's own, which a pulse or a counter returns and gets back. Where a sentence
//! names options it is a [`Message`], whose names others may spell in their way: as flags, say.

use std::fmt::{self, Display};

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
        message: Message,
    },
    /// An option does not take such a value.
    #[error("{option} must be {allowed}, got {got}")]
    Value {
        /// The option.
        option: String,
        /// What it must be.
        allowed: String,
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
        known: Vec<&'static str>,
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
    Read(Message),
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

/// A sentence that may name options.
///
/// ```
/// use chunkwright_text::error::Message;
///
/// let message = Message::new([("", "overlap"), (" must be less than ", "soft_max")], "=5");
/// assert_eq!(message.to_string(), "overlap must be less than soft_max=5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Names of options.
    pub named: Vec<Named>,
    /// What stands behind the last of them.
    pub rest: String,
}

/// The name of an option in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What stands before it.
    pub before: String,
    /// The name.
    pub option: String,
    /// The text that the option should be, where the sentence advises one.
    pub advised: Option<String>,
}

impl Message {
    /// A sentence of names of options, each with what stands before it, and the rest.
    pub fn new<const N: usize>(named: [(&str, &str); N], rest: impl Into<String>) -> Self {
        let named = named.map(|(before, option)| Named {
            before: before.to_owned(),
            option: option.to_owned(),
            advised: None,
        });
        Self { named: named.into(), rest: rest.into() }
    }

    /// A sentence that advises texts for options, each with what stands before its name.
    pub fn advising<const N: usize>(named: [(&str, &str, &str); N], rest: &str) -> Self {
        let named = named.map(|(before, option, advised)| Named {
            before: before.to_owned(),
            option: option.to_owned(),
            advised: Some(advised.to_owned()),
        });
        Self { named: named.into(), rest: rest.to_owned() }
    }

    /// The sentence behind what stands `before` it.
    #[must_use]
    pub fn behind(mut self, before: &str) -> Self {
        let begin = self.named.first_mut().map_or(&mut self.rest, |named| &mut named.before);
        begin.insert_str(0, before);
        self
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Named { before, option, advised } in &self.named {
            write!(f, "{before}{option}")?;
            advised.iter().try_for_each(|advised| write!(f, "='{advised}'"))?;
        }
        f.write_str(&self.rest)
    }
}

impl<T: Into<String>> From<T> for Message {
    fn from(text: T) -> Self {
        Self::new([], text)
    }
}

/// Characters of a message at most that names what a reader was given.
const MAX_MESSAGE_CHARS: usize = 500;

/// The engine's result.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The value of an option makes no sense, as `message` says.
    pub fn option(option: impl Into<String>, message: impl Into<Message>) -> Self {
        Self::Option { option: option.into(), message: message.into() }
    }

    /// Input is not what it says it is.
    pub fn read(message: impl Into<Message>) -> Self {
        Self::Read(message.into())
    }

    /// An option does not take such a value, but what is `allowed`.
    pub fn value(option: &str, allowed: impl Into<String>, got: impl Display) -> Self {
        Self::Value { option: option.into(), allowed: allowed.into(), got: got.to_string() }
    }

    /// A tokenizer that cannot be used: the beginning of the reason, which a file may make long.
    pub(crate) fn broken_tokenizer(name: &str, reason: &str) -> Self {
        let reason: String = reason.chars().take(400).collect();
        Self::Tokenizer(format!("{name} cannot be used as a tokenizer: {reason}"))
    }

    /// The same, but where it names a part of a file, which may be as long as the file, with its beginning alone.
    #[must_use]
    pub fn shortened(self) -> Self {
        let Self::Read(message) = &self else { return self };
        let mut shown = message.to_string();
        let Some((end, _)) = shown.char_indices().nth(MAX_MESSAGE_CHARS) else { return self };
        shown.truncate(end);
        shown.push('…');
        Self::read(shown)
    }
}
