//! Typed reader of a strategy's options: each value is checked as it is read, and each error names its option.

use chunkwright_text::error::{Error, Result};
use serde_json::{Map, Value};

/// The largest size: a larger limit is no limit.
pub const MAX_SIZE: usize = 1 << 62;

/// The options of a strategy, as far as they have been read.
pub struct Options<'s> {
    given: &'s Map<String, Value>,
    known: Vec<&'static str>,
}

impl<'s> Options<'s> {
    /// Nothing is read yet.
    pub fn new(given: &'s Map<String, Value>) -> Self {
        Self { given, known: Vec::with_capacity(16) }
    }

    /// The value of an option; none where it is missing or null.
    pub fn value(&mut self, name: &'static str) -> Option<&'s Value> {
        self.known.push(name);
        self.given.get(name).filter(|value| !value.is_null())
    }

    /// A whole number between `least` and `most`.
    ///
    /// # Errors
    /// [`Error::Option`] if it is none.
    pub fn size(&mut self, name: &'static str, least: usize, most: usize) -> Result<Option<usize>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        if !(value.is_u64() || value.is_i64()) {
            return Err(wrong(name, "must be an int", value));
        }
        let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
        match size.filter(|size| (least..=most).contains(size)) {
            Some(size) => Ok(Some(size)),
            None if most == MAX_SIZE => {
                Err(wrong(name, &format!("must be at least {least}"), value))
            }
            None => Err(wrong(name, &format!("must be between {least} and {most}"), value)),
        }
    }

    /// A number between `least` and `most`.
    ///
    /// # Errors
    /// [`Error::Option`] if it is none.
    pub fn number(&mut self, name: &'static str, least: f64, most: f64) -> Result<Option<f64>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let number = value.as_f64().ok_or_else(|| wrong(name, "must be a number", value))?;
        if (least..=most).contains(&number) {
            return Ok(Some(number));
        }
        Err(wrong(name, &format!("must be between {least} and {most}"), value))
    }

    /// Yes or no.
    ///
    /// # Errors
    /// [`Error::Option`] if it is neither.
    pub fn flag(&mut self, name: &'static str, default: bool) -> Result<bool> {
        let Some(value) = self.value(name) else { return Ok(default) };
        value.as_bool().ok_or_else(|| wrong(name, "must be true or false", value))
    }

    /// A text.
    ///
    /// # Errors
    /// [`Error::Option`] if it is none.
    pub fn text(&mut self, name: &'static str) -> Result<Option<&'s str>> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| wrong(name, "must be a string", value))
    }

    /// One of a few names, as the value that it stands for.
    ///
    /// # Errors
    /// [`Error::Option`] if it is none of them.
    pub fn one_of<T: Copy>(
        &mut self,
        name: &'static str,
        known: &[(&str, T)],
    ) -> Result<Option<T>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = known.iter().find(|(each, _)| *each == text).map(|(_, value)| *value);
        let names = || known.iter().map(|(each, _)| *each);
        let message = || unknown(&format!("{name} '{text}'"), names());
        found.map(Some).ok_or_else(|| Error::option(name, message()))
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`Error::Option`] for an option that nobody has asked for.
    pub fn finish(self, strategy: &str) -> Result<()> {
        match self.given.keys().find(|name| !self.known.contains(&name.as_str())) {
            Some(name) => {
                let what = format!("option '{name}' of '{strategy}'");
                Err(Error::option(name, unknown(&what, self.known.into_iter())))
            }
            None => Ok(()),
        }
    }
}

/// A message about a name that is unknown, with those that are known.
pub fn unknown<'n>(what: &str, known: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = known.map(|name| format!("'{name}'")).collect();
    format!("unknown {what}: known are {}", names.join(", "))
}

/// An error about the value of an option.
pub fn wrong(name: &str, must: &str, value: &Value) -> Error {
    let got = value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"));
    Error::option(name, format!("{name} {must}, got {got}"))
}
