//! Reader of a strategy's options: all values are checked at once, and then taken by their names.

use chunkwright_text::error::{Error, Result};
use serde_json::{Map, Value};

use super::{Spec, options};
use crate::options::{DefaultValue, StrategyOption};

/// The options of a strategy: those that are given, and what the others are.
#[derive(Clone, Copy)]
pub struct Options<'s> {
    given: &'s Map<String, Value>,
    known: &'static [StrategyOption],
}

impl<'s> Options<'s> {
    /// The options of a spec, whose names are known.
    ///
    /// # Errors
    /// [`Error::Option`] for a name that the strategy does not know.
    pub fn new(spec: &'s Spec) -> Result<Self> {
        let known = options(&spec.name);
        let is_known = |name: &str| known.iter().any(|option| option.name == name);
        if let Some(name) = spec.options.keys().find(|name| !is_known(name)) {
            let known: Vec<_> = known.iter().map(|option| option.name).collect();
            let (strategy, known) = (&spec.name, known.join("', '"));
            let message = format!("unknown option '{name}' of '{strategy}': known are '{known}'");
            return Err(Error::option(name, message));
        }
        Ok(Self { given: &spec.options, known })
    }

    /// Checks the values of the options that `concern`, under a limit.
    ///
    /// # Errors
    /// As [`StrategyOption::check`].
    pub fn check(&self, limit: usize, concern: impl Fn(&str) -> bool) -> Result<()> {
        for option in self.known.iter().filter(|option| concern(option.name)) {
            if let Some(value) = self.value(option.name) {
                option.check(value, limit)?;
            }
        }
        Ok(())
    }

    /// The value of an option; none where it is missing or null.
    pub fn value(&self, name: &str) -> Option<&'s Value> {
        self.given.get(name).filter(|value| !value.is_null())
    }

    /// A size or another whole number, if one is given.
    pub fn size(&self, name: &str) -> Option<usize> {
        self.value(name).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok())
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> usize {
        let usual = || match self.default(name) {
            DefaultValue::Count(count) => count,
            _ => 0,
        };
        self.size(name).unwrap_or_else(usual)
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        let usual = || match self.default(name) {
            DefaultValue::Number(number) => number,
            _ => 0.0,
        };
        self.value(name).and_then(Value::as_f64).unwrap_or_else(usual)
    }

    /// Yes or no.
    pub fn flag(&self, name: &str) -> bool {
        let usual = || self.default(name) == DefaultValue::Flag(true);
        self.value(name).and_then(Value::as_bool).unwrap_or_else(usual)
    }

    /// A name; empty where none is given and there is no usual one.
    pub fn name(&self, name: &str) -> &'s str {
        let usual = || match self.default(name) {
            DefaultValue::Name(name) => name,
            _ => "",
        };
        self.value(name).and_then(Value::as_str).unwrap_or_else(usual)
    }

    fn default(&self, name: &str) -> DefaultValue {
        let option = self.known.iter().find(|option| option.name == name);
        option.map_or(DefaultValue::Derived, |option| option.default)
    }
}
