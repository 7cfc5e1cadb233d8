//! Checks of the values of options: each error names the option, the value, and what would have been right.

use chunkwright_text::error::{Error, Result};
use serde_json::Value;

use super::{Kind, MAX_SIZE, Most, Range, StrategyOption};

impl StrategyOption {
    /// Checks a value that is not null, under a limit.
    ///
    /// # Errors
    /// [`Error::Value`] or [`Error::Name`] if the option takes no such value.
    pub fn check(&self, value: &Value, limit: usize) -> Result<()> {
        match self.kind {
            Kind::Size { least, most: Most::Limit } => self.check_int(value, least, limit),
            Kind::Size { least, most: Most::Any } => self.check_int(value, least, MAX_SIZE),
            Kind::Count { least, most, .. } => self.check_int(value, least, most),
            Kind::Number(range) => {
                let holds = |number| range.is_none_or(|range| range.holds(number));
                self.held(value.as_f64().is_some_and(holds), value)
            }
            Kind::Flag => self.held(value.is_boolean(), value),
            Kind::Name(names) => {
                let is_known = value.as_str().is_some_and(|name| names.contains(&name));
                if is_known { Ok(()) } else { Err(self.refused(&shown(value))) }
            }
            Kind::Language => self.held(value.as_str().is_some_and(str::is_ascii), value),
            Kind::Separators => self.held(value.is_array() || value == "markdown", value),
            Kind::Marks => {
                let is_mark = value.is_string() || value.is_object() || value.is_array();
                self.held(is_mark, value)
            }
            Kind::Tokenizer | Kind::Embedder | Kind::LanguageModel | Kind::Prompt => Ok(()),
        }
    }

    /// The error for a value that is of another type than the option takes, as `got` shows it.
    pub fn refused(&self, got: &str) -> Error {
        match self.kind {
            Kind::Name(known) => {
                let (option, got) = (self.name.to_owned(), got.to_owned());
                Error::Name { option, got, known: known.to_vec() }
            }
            kind => Error::value(self.name, kind.allowed(), got),
        }
    }

    /// The error for a number that is not finite.
    pub fn not_finite(&self, got: &str) -> Error {
        match self.kind {
            Kind::Number(None) => Error::value(self.name, "finite", got),
            _ => self.refused(got),
        }
    }

    fn held(&self, holds: bool, value: &Value) -> Result<()> {
        if holds { Ok(()) } else { Err(self.refused(&shown(value))) }
    }

    fn check_int(&self, value: &Value, least: usize, most: usize) -> Result<()> {
        if !(value.is_u64() || value.is_i64()) {
            return Err(self.refused(&shown(value)));
        }
        let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
        if size.is_some_and(|size| (least..=most).contains(&size)) {
            return Ok(());
        }
        let is_below = |size| size < 0 || usize::try_from(size).is_ok_and(|size| size < least);
        let is_open = most == MAX_SIZE && value.as_i64().is_some_and(is_below);
        let allowed = if is_open {
            format!("at least {least}")
        } else {
            format!("between {least} and {most}")
        };
        Err(Error::value(self.name, allowed, shown(value)))
    }
}

impl Kind {
    /// What a value must be, whatever the other options are.
    fn allowed(self) -> String {
        match self {
            Self::Size { .. } | Self::Count { .. } => "an int".into(),
            Self::Number(Some(range)) => range.allowed(),
            Self::Number(None) => "a number".into(),
            Self::Flag => "True or False".into(),
            Self::Name(names) => format!("one of {}", names.join(", ")),
            Self::Language => "a code such as 'en'".into(),
            Self::Separators => "a list, or a name such as 'python'".into(),
            Self::Marks => "a str, a Separator or a list of them".into(),
            Self::Tokenizer => "a tokenizer".into(),
            Self::Embedder => "the folder of a model, an embedder or a callable".into(),
            Self::LanguageModel => "a language model".into(),
            Self::Prompt => "a prompt".into(),
        }
    }
}

impl Range {
    /// Whether a number lies in it.
    pub fn holds(self, number: f64) -> bool {
        if self.excludes_ends {
            self.least < number && number < self.most
        } else {
            (self.least..=self.most).contains(&number)
        }
    }

    /// What a number must be.
    pub fn allowed(self) -> String {
        let ends = if self.excludes_ends { ", both excluded" } else { "" };
        format!("between {} and {}{ends}", self.least, self.most)
    }
}

/// A value as messages show it.
pub fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"))
}
