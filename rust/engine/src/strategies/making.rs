//! Making of a cutter: the options that all strategies share, and those of families of them.

use std::sync::Arc;

use chunkwright_text::cut::at_marks::AtMarks;
use chunkwright_text::cut::elements::{ElementStrategy, Packing, Starts};
use chunkwright_text::cut::pieces::Asked;
use chunkwright_text::cut::semantic::{Scoring, Segments, Semantic};
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::error::{Error, Message, Result};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::segment::sentence::Language;
use chunkwright_text::segment::separator::{Keep, Separator};
use chunkwright_text::vectors::lexical::DEFAULT_DIMENSIONS;
use chunkwright_text::vectors::{Embedder, Lexical};

use super::marks::marks_of;
use super::values::Options;
use super::{Parts, Spec};
use crate::options::{DEFAULT_MAX_TOKENS, MAX_SIZE, shown};

/// Pieces of a text: 50 tokens, which are some 200 characters of English.
pub const PIECE_TOKENS: usize = 50;
const PIECE_CHARS: usize = 200;
pub const CHARS_TO_A_TOKEN: usize = PIECE_CHARS / PIECE_TOKENS;
/// By default a chunk has about so many pieces at most: then work does not grow with the limit.
const PIECES_TO_A_CHUNK: usize = 16;

/// A cutter that is being made: its options as far as they are read.
pub struct Making<'s> {
    pub spec: &'s Spec,
    pub parts: &'s Parts,
    pub options: Options<'s>,
    pub in_tokens: bool,
    pub hard_max: usize,
    pub soft_max: Option<usize>,
    pub overlap: usize,
    /// The size under which chunks are joined once the text is cut; a strategy takes it that joins its own.
    pub min_size: Option<usize>,
    /// The language that sentences are told apart in.
    language: Option<Language>,
}

impl<'s> Making<'s> {
    /// Checks all options, and reads the sizes.
    ///
    /// # Errors
    /// [`Error::Option`], [`Error::Value`] or [`Error::Name`] for a name or a value that makes no sense.
    pub fn new(spec: &'s Spec, parts: &'s Parts, by_sentences: bool) -> Result<Self> {
        let options = Options::new(spec)?;
        let (name, hard_max) = limit(&options, by_sentences)?;
        options.check(hard_max, |option| !LIMITS.contains(&option))?;
        let (soft_max, overlap) = (options.size("soft_max"), options.count("overlap"));
        let (limit, full) = soft_max.map_or((name, hard_max), |soft| ("soft_max", soft));
        if overlap >= full {
            return Err(Error::option(
                "overlap",
                Message::new(
                    [("", "overlap"), (" must be less than ", limit)],
                    format!("={full}, got {overlap}"),
                ),
            ));
        }
        let making = Self {
            spec,
            parts,
            options,
            in_tokens: name == "max_tokens",
            hard_max,
            soft_max,
            overlap,
            min_size: options.size("min_size"),
            language: None,
        };
        making.check_room(name, hard_max)?;
        Ok(making)
    }

    /// Checks that a text of that size has room for the special tokens that a model adds to it.
    ///
    /// # Errors
    /// [`Error::Option`] if it has none.
    pub fn check_room(&self, option: &str, size: usize) -> Result<()> {
        let n_special = if self.in_tokens { self.parts.special_tokens } else { 0 };
        if size > n_special {
            return Ok(());
        }
        let why = format!("the model adds {n_special} special tokens to each text");
        let message = format!(" must be more than {n_special}, got {size}: {why}");
        Err(Error::option(option, Message::new([("", option)], message)))
    }

    /// The cutter of a strategy whose own options have been read.
    ///
    /// # Errors
    /// [`Error::Option`] for limits that make no sense together.
    pub fn cutter(self, strategy: Strategy) -> Result<Cutter> {
        let overlap_at = match self.options.name("overlap_at") {
            "sentence" => OverlapAt::Sentence(self.language.unwrap_or_else(Language::english)),
            "any" => OverlapAt::Any,
            _ => OverlapAt::Word,
        };
        let limits = Limits::new(self.hard_max, self.soft_max, self.overlap)?;
        let limits = limits.with_min_size(self.min_size.unwrap_or(0))?;
        let inner = Cutter { strategy, limits, overlap_at };
        let Some(marks) = self.marks(&inner)? else { return Ok(inner) };
        let strategy = Strategy::AtMarks(Box::new(AtMarks { marks, inner }));
        Ok(Cutter { strategy, limits, overlap_at })
    }

    /// The option `split_at`.
    ///
    /// # Errors
    /// [`Error::Option`] for a mark that makes no sense, and if the strategy is not over text.
    fn marks(&self, inner: &Cutter) -> Result<Option<Vec<Separator>>> {
        let Some(given) = self.options.value("split_at") else { return Ok(None) };
        let keep = match self.options.name("keep_mark") {
            "end" => Keep::End,
            "drop" => Keep::Drop,
            _ => Keep::Start,
        };
        let marks = marks_of(given, keep)?;
        if !inner.cuts_plain_text() {
            let name = &self.spec.name;
            return Err(Error::option(
                "split_at",
                Message::new(
                    [(&*format!("strategy '{name}' has no "), "split_at"), (", got ", "split_at")],
                    format!("={}: use a strategy over text, such as 'recursive'", shown(given)),
                ),
            ));
        }
        Ok(Some(marks))
    }

    /// The option `language`.
    ///
    /// # Errors
    /// [`Error::Name`] if nothing is known of it.
    pub fn language(&mut self) -> Result<Language> {
        let language = Language::known(self.options.name("language"))?;
        self.language = Some(language);
        Ok(language)
    }

    /// The option `piece_max`: the size up to which sentences are joined.
    ///
    /// # Errors
    /// [`Error::Option`] if no text has that size.
    pub fn piece_max(&self) -> Result<usize> {
        let usual = if self.in_tokens { PIECE_TOKENS } else { PIECE_CHARS };
        let usual = usual.max(self.hard_max / PIECES_TO_A_CHUNK).min(self.hard_max);
        self.given_size("piece_max").map(|given| given.unwrap_or(usual))
    }

    /// A size that is given, and that a text can have.
    ///
    /// # Errors
    /// As [`Self::check_room`].
    pub fn given_size(&self, option: &str) -> Result<Option<usize>> {
        let size = self.options.size(option);
        size.map(|size| self.check_room(option, size).map(|()| size)).transpose()
    }

    /// What says where chunks begin.
    ///
    /// # Errors
    /// [`Error::Option`] that the strategy `needs` it, if there is nothing that does.
    pub fn asked(&self, option: &str, needs: &str) -> Result<Arc<dyn Asked>> {
        let missing = || {
            let message = format!("the strategy '{}' needs {needs}", self.spec.name);
            Error::option(option, message)
        };
        self.parts.asked.clone().ok_or_else(missing)
    }

    /// The embedder: the one beside the options, or the one that an option names, by default that of `usual`.
    ///
    /// # Errors
    /// [`Error::Option`] if there is none.
    pub fn embedder(&self, usual: Option<&str>) -> Result<Arc<dyn Embedder>> {
        let named = self.options.value("embedder");
        if let Some(embedder) = &self.parts.embedder {
            return Ok(Arc::clone(embedder));
        }
        match named.map_or(usual, |name| Some(name.as_str().unwrap_or_default())) {
            Some("lexical") => Ok(Arc::new(Lexical::new(DEFAULT_DIMENSIONS)?)),
            Some(_) => Err(Error::option("embedder", "the embedder is missing beside the options")),
            None => {
                let known = "the folder of a model, an embedder or a callable";
                Err(Error::value("embedder", known, "None"))
            }
        }
    }

    /// A semantic strategy with the options of its family.
    ///
    /// # Errors
    /// As [`Self::embedder`].
    pub fn semantic(&self, segments: Segments, scoring: Scoring) -> Result<Strategy> {
        let embedder = self.embedder(Some("lexical"))?;
        Ok(Strategy::Semantic(Semantic { segments, embedder, scoring }))
    }

    /// A strategy over elements with the options of its family.
    ///
    /// # Errors
    /// [`Error::Option`] for a value that makes no sense.
    pub fn elements(&mut self, starts: Starts, combine_under: usize) -> Result<Strategy> {
        let language = self.language()?;
        let options = &self.options;
        let packing = Packing {
            overlap_all: options.flag("overlap_all"),
            overlap_over_starts: matches!(starts, Starts::Nowhere | Starts::Titles { .. }),
            combine_under,
            isolate_tables: options.flag("isolate_tables"),
            skip_tables: options.flag("skip_tables"),
            repeat_headers: options.flag("repeat_headers"),
            language,
        };
        if packing.skip_tables && !packing.isolate_tables {
            return Err(Error::option(
                "skip_tables",
                Message::new([("", "skip_tables"), ("=True needs ", "isolate_tables")], "=True"),
            ));
        }
        Ok(Strategy::Elements(ElementStrategy { starts, packing }))
    }
}

/// The options of which one is the limit.
const LIMITS: [&str; 2] = ["max_tokens", "max_chars"];

/// The option that is the limit, and its value.
///
/// # Errors
/// [`Error::Option`] or [`Error::Value`] for a value that makes no sense.
fn limit(options: &Options<'_>, by_sentences: bool) -> Result<(&'static str, usize)> {
    options.check(MAX_SIZE, |option| LIMITS.contains(&option))?;
    match LIMITS.map(|name| options.size(name)) {
        [Some(tokens), Some(chars)] => Err(Error::option(
            "max_chars",
            Message::new(
                [
                    ("exactly one of ", "max_tokens"),
                    (" and ", "max_chars"),
                    (" can be the limit, got ", "max_tokens"),
                    (&format!("={tokens} and "), "max_chars"),
                ],
                format!("={chars}"),
            ),
        )),
        [None, Some(chars)] => Ok(("max_chars", chars)),
        [Some(tokens), None] => Ok(("max_tokens", tokens)),
        [None, None] if by_sentences && options.value("sentences").is_some() => {
            without_limit(options)?;
            Ok(("max_tokens", MAX_SIZE))
        }
        [None, None] => Ok(("max_tokens", DEFAULT_MAX_TOKENS)),
    }
}

/// Refuses sizes that have no unit.
fn without_limit(options: &Options<'_>) -> Result<()> {
    for name in ["soft_max", "min_size", "overlap"] {
        if let Some(size) = options.value(name).filter(|size| **size != 0) {
            return Err(Error::option(
                name,
                Message::new(
                    [("", name), (" needs ", "max_tokens"), (" or ", "max_chars")],
                    format!(", got {}", shown(size)),
                ),
            ));
        }
    }
    Ok(())
}
