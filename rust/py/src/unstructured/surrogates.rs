//! Lone surrogates, which a `str` may hold and UTF-8 may not.
//!
//! While a document is cut, each stands as a private-use code point that the document does not use; what
//! is given back has the surrogates again.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::error::named;
use crate::strings::text::encoded;

/// Code points for private use that are as long in UTF-8 as a surrogate would be.
const PRIVATE: std::ops::RangeInclusive<char> = '\u{e000}'..='\u{f8ff}';

/// Bytes of each of them.
const N_BYTES: usize = 3;

/// What stands for the surrogates of a document; nothing, if it has none.
#[derive(Clone, Debug, Default)]
pub struct StandIns {
    by_surrogate: HashMap<u16, char>,
    by_char: HashMap<char, u16>,
}

impl StandIns {
    /// What stands for the surrogates of `texts`.
    ///
    /// # Errors
    /// `ReadError`, if the texts use so much of the private-use area that too little is left.
    pub fn of<'py>(texts: impl Iterator<Item = Bound<'py, PyString>> + Clone) -> PyResult<Self> {
        let mut surrogates = BTreeSet::new();
        for text in texts.clone().filter(|text| text.to_str().is_err()) {
            each(bytes_of(&text)?.as_bytes(), |part| {
                surrogates.extend(part.err());
            });
        }
        if surrogates.is_empty() {
            return Ok(Self::default());
        }
        let mut used = BTreeSet::new();
        for text in texts {
            each(bytes_of(&text)?.as_bytes(), |part| {
                used.extend(part.unwrap_or_default().chars().filter(|c| PRIVATE.contains(c)));
            });
        }
        Self::new(&surrogates, &used)
    }

    fn new(surrogates: &BTreeSet<u16>, used: &BTreeSet<char>) -> PyResult<Self> {
        let by_surrogate: HashMap<u16, char> =
            surrogates.iter().copied().zip(PRIVATE.filter(|c| !used.contains(c))).collect();
        if by_surrogate.len() < surrogates.len() {
            let message = format!(
                "the texts have {} lone surrogates and leave too few private-use code points",
                surrogates.len()
            );
            return Err(named("ReadError", message));
        }
        let by_char = by_surrogate.iter().map(|(&surrogate, &c)| (c, surrogate)).collect();
        Ok(Self { by_surrogate, by_char })
    }

    /// Each surrogate, with what stands for it.
    pub fn pairs(&self) -> Vec<(u16, char)> {
        self.by_surrogate.iter().map(|(&surrogate, &stands)| (surrogate, stands)).collect()
    }

    /// What [`Self::pairs`] says.
    pub fn of_pairs(pairs: Vec<(u16, char)>) -> Self {
        let by_char = pairs.iter().map(|&(surrogate, stands)| (stands, surrogate)).collect();
        Self { by_surrogate: pairs.into_iter().collect(), by_char }
    }

    /// Whether the document has no surrogates.
    pub fn is_empty(&self) -> bool {
        self.by_char.is_empty()
    }

    /// The text for the core.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn put<'a>(&self, text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
        if let Ok(text) = text.to_str() {
            return Ok(Cow::Borrowed(text));
        }
        let mut whole = String::new();
        each(bytes_of(text)?.as_bytes(), |part| match part {
            Ok(text) => whole.push_str(text),
            Err(surrogate) => {
                let stands = self.by_surrogate.get(&surrogate);
                whole.push(*stands.unwrap_or(&char::REPLACEMENT_CHARACTER));
            }
        });
        Ok(Cow::Owned(whole))
    }

    /// The text for the core, in which two surrogates that make a character are that character.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn put_characters<'a>(&self, text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
        let text = self.put(text)?;
        Ok(if self.is_empty() { text } else { Cow::Owned(self.characters(&text, |c| c)) })
    }

    /// The text for Python.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn take<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
        if self.is_empty() || !text.contains(|c| self.by_char.contains_key(&c)) {
            return Ok(PyString::new(py, text));
        }
        let mut bytes = Vec::with_capacity(text.len());
        for c in text.chars() {
            match self.by_char.get(&c) {
                Some(&surrogate) => bytes.extend(utf8(surrogate)),
                None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        let text = PyBytes::new(py, &bytes).call_method1("decode", ("utf-8", "surrogatepass"))?;
        Ok(text.cast_into()?)
    }

    /// The text as it is measured: the character that two surrogates make, and U+FFFD for one that makes
    /// none.
    pub fn measured(&self, text: &str) -> String {
        let alone = |c| if self.by_char.contains_key(&c) { char::REPLACEMENT_CHARACTER } else { c };
        self.characters(text, alone)
    }

    /// The text with the characters that two surrogates make, others as `alone` has them.
    fn characters(&self, text: &str, alone: impl Fn(char) -> char) -> String {
        let mut whole = String::with_capacity(text.len());
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let pair = chars.next_if(|&next| self.character(c, next).is_some());
            let character = pair.and_then(|next| self.character(c, next));
            whole.push(character.unwrap_or_else(|| alone(c)));
        }
        whole
    }

    /// The one character that two neighbouring characters of the core's stand for, if they do.
    fn character(&self, high: char, low: char) -> Option<char> {
        let units = [*self.by_char.get(&high)?, *self.by_char.get(&low)?];
        char::decode_utf16(units).next()?.ok()
    }
}

/// The UTF-8 of `text`, with surrogates as it would have them if it could.
fn bytes_of<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(encoded(text, "utf-8")?.cast_into()?)
}

/// Tells `tell` the runs of characters and the surrogates that `bytes` are made of.
fn each<'a>(mut bytes: &'a [u8], mut tell: impl FnMut(Result<&'a str, u16>)) {
    loop {
        match std::str::from_utf8(bytes) {
            Ok(text) => return tell(Ok(text)),
            Err(error) => {
                let (text, rest) = bytes.split_at(error.valid_up_to());
                tell(Ok(std::str::from_utf8(text).unwrap_or_default()));
                let Some((surrogate, behind)) = rest.split_first_chunk::<N_BYTES>() else { return };
                tell(Err(u16::from(surrogate[1] & 0x3f) << 6
                    | u16::from(surrogate[2] & 0x3f)
                    | 0xd000));
                bytes = behind;
            }
        }
    }
}

/// The bytes that UTF-8 would have for a surrogate.
fn utf8(surrogate: u16) -> [u8; N_BYTES] {
    let six = |shift: u16| 0x80 | (surrogate >> shift & 0x3f).to_le_bytes()[0];
    [0xed, six(6), six(0)]
}
