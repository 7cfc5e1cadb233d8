//! Contradictions between texts that are nearly the same: other numbers, dates, units, negations, limits or names.
//!
//! Two texts may have nearly all words in common and say the opposite: "for the last 90 days" and "for the last 30
//! days", "may keep dogs" and "may not keep dogs". So what decides what a text asserts is read off it in its order,
//! and nothing of it may differ: numbers in digits and words, months and weekdays, units and currencies, negations,
//! what limits or obliges (*more*, *before*, *only*, *must*), and words with an opposite (*increase*, *buyer*). Texts
//! in which all this is equal contradict each other still if one has a word and the other one its negation (*legal*,
//! *illegal*), or another capitalised word in the place of a name.
//!
//! It errs on the safe side: "on 3 May" and "on May 3" differ. Whitespace, punctuation, case and other words do not
//! count; so words outside these lists may be exchanged unnoticed. The languages are those of `words.rs`.

mod numbering;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

pub use self::numbering::numberings;

use std::collections::HashMap;

use self::tokens::{Token, for_each_token};
use self::words::{PREFIXES, SUFFIXES};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;

/// Letters that are left of a word without what reverses it, at least.
const LEAST_STEM: usize = 3;

/// What two texts differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number, in digits or words.
    Number,
    /// A month, a weekday, or another word for a time.
    Date,
    /// A unit or a currency.
    Unit,
    /// A negation.
    Negation,
    /// A word that limits, quantifies or obliges.
    Limit,
    /// A word that has an opposite.
    Opposite,
    /// A name, or another capitalised word.
    Name,
}

impl Kind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Unit => "unit",
            Self::Negation => "negation",
            Self::Limit => "limit",
            Self::Opposite => "opposite",
            Self::Name => "name",
        }
    }
}

/// What a text asserts.
#[derive(Clone, Debug, Default)]
pub struct Assertions {
    /// What may not differ, in the order of the text.
    decisive: Vec<(Kind, String)>,
    /// How often each other word is there, and whether it is capitalised anywhere.
    words: HashMap<String, (usize, bool)>,
}

impl Assertions {
    /// Those of `text`. O(n).
    ///
    /// ```
    /// use chunkwright_search::contradiction::{Assertions, Kind};
    /// use chunkwright_text::pulse::{Beat, no_pulse};
    ///
    /// let beat = Beat::of_bytes(no_pulse());
    /// let of = |text: &str| Assertions::of(text, &beat);
    /// let (a, b) = (of("Kept for 90 days.")?, of("Kept for 30 days.")?);
    /// assert_eq!(a.contradiction(&b), Some(Kind::Number));
    /// assert_eq!(a.contradiction(&of("It is kept for ninety days")?), None);
    /// assert_eq!(of("It is legal.")?.contradiction(&of("It is illegal.")?), Some(Kind::Negation));
    /// # Ok::<(), chunkwright_text::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the pulse.
    pub fn of(text: &str, beat: &Beat<'_>) -> Result<Self> {
        let mut found = Self::default();
        for_each_token(text, beat, |token| match token {
            Token::Decisive(kind, what) => found.decisive.push((kind, what)),
            Token::Word(word, is_capital) => {
                let (n, any_capital) = found.words.entry(word).or_default();
                *n += 1;
                *any_capital |= is_capital;
            }
        })?;
        Ok(found)
    }

    /// A number that is equal for texts whose decisive words are equal, and hardly for others; the same on every
    /// machine.
    pub fn fingerprint(&self) -> u64 {
        // FNV-1a, as the standard library's hashes may change.
        let parts = self
            .decisive
            .iter()
            .flat_map(|(kind, what)| kind.name().bytes().chain([0]).chain(what.bytes()).chain([1]));
        parts.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// What two texts differ in that may not be passed over; nothing if one may stand for the other.
    pub fn contradiction(&self, other: &Self) -> Option<Kind> {
        let (a, b) = (&self.decisive, &other.decisive);
        if let Some(i) = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i)) {
            // Where a token is missing, it is the one to be named.
            let longer = if a.len() >= b.len() { a } else { b };
            return longer.get(i).map(|(kind, _)| *kind);
        }
        let (own, others) = (self.without(other), other.without(self));
        if own.keys().any(|word| reverses(word, &others))
            || others.keys().any(|word| reverses(word, &own))
        {
            return Some(Kind::Negation);
        }
        let is_named = |words: &HashMap<&str, bool>| words.values().any(|&is_capital| is_capital);
        (is_named(&own) && is_named(&others)).then_some(Kind::Name)
    }

    /// The words that it has more often than another text, and whether each is capitalised.
    fn without(&self, other: &Self) -> HashMap<&str, bool> {
        let n_other = |word: &String| other.words.get(word).map_or(0, |(n, _)| *n);
        let more = self.words.iter().filter(|(word, (n, _))| *n > n_other(word));
        more.map(|(word, (_, is_capital))| (word.as_str(), *is_capital)).collect()
    }
}

/// Whether a word is the negation of one of `others`.
fn reverses(word: &str, others: &HashMap<&str, bool>) -> bool {
    let without_prefix = PREFIXES.iter().filter_map(|prefix| word.strip_prefix(prefix));
    let is_long = |stem: &str| stem.chars().count() >= LEAST_STEM;
    without_prefix.into_iter().any(|stem| is_long(stem) && others.contains_key(stem))
        || SUFFIXES.iter().any(|(ending, instead)| {
            let stem = word.strip_suffix(ending).filter(|stem| is_long(stem));
            stem.is_some_and(|stem| others.contains_key(format!("{stem}{instead}").as_str()))
        })
}
