//! Making of a cutter: the options that all strategies share, and those of families of them.

use std::sync::Arc;

use chunkwright_text::cut::elements::{ElementStrategy, Packing, Starts};
use chunkwright_text::cut::semantic::{Scoring, Segments, Semantic};
use chunkwright_text::cut::strategy::{Cutter, Strategy};
use chunkwright_text::error::{Error, Result};
use chunkwright_text::options::{Limits, OverlapAt};
use chunkwright_text::segment::sentence::Language;
use chunkwright_text::vectors::lexical::DEFAULT_DIMENSIONS;
use chunkwright_text::vectors::{Embedder, Lexical};

use super::options::{MAX_SIZE, Options};
use super::{Parts, Spec};

/// Options that all strategies have.
pub const SHARED: [&str; 7] =
    ["max_tokens", "max_chars", "tokenizer", "soft_max", "min_size", "overlap", "overlap_at"];
/// The limit in tokens, where none is named.
const DEFAULT_MAX_TOKENS: usize = 512;
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
    /// Whether sentences are what is counted: a limit is not needed where their number is named.
    by_sentences: bool,
}

impl<'s> Making<'s> {
    /// Reads the sizes.
    ///
    /// # Errors
    /// [`Error::Option`] for a value that makes no sense.
    pub fn new(spec: &'s Spec, parts: &'s Parts, by_sentences: bool) -> Result<Self> {
        let mut options = Options::new(&spec.options);
        // What counts stands beside the options.
        options.value("tokenizer");
        let (name, hard_max) = limit(&mut options, spec, by_sentences)?;
        let soft_max = options.size("soft_max", 1, hard_max)?;
        let overlap = options.size("overlap", 0, MAX_SIZE)?.unwrap_or(0);
        let (limit, full) = soft_max.map_or((name, hard_max), |soft| ("soft_max", soft));
        if overlap >= full {
            let message = format!("overlap must be less than {limit}={full}, got {overlap}");
            return Err(Error::option("overlap", message));
        }
        let min_size = options.size("min_size", 0, hard_max)?;
        Ok(Self {
            spec,
            parts,
            options,
            in_tokens: name == "max_tokens",
            hard_max,
            soft_max,
            overlap,
            min_size,
            language: None,
            by_sentences,
        })
    }

    /// The cutter of a strategy whose own options have been read.
    ///
    /// # Errors
    /// [`Error::Option`] for an option that is left over, and where an overlap may not begin.
    pub fn cutter(mut self, strategy: Strategy) -> Result<Cutter> {
        let usual = if self.by_sentences { "sentence" } else { "word" };
        let named = [("word", "word"), ("sentence", "sentence"), ("any", "any")];
        let overlap_at = match self.options.one_of("overlap_at", &named)?.unwrap_or(usual) {
            "sentence" => OverlapAt::Sentence(self.language.unwrap_or_else(Language::english)),
            "any" => OverlapAt::Any,
            _ => OverlapAt::Word,
        };
        self.options.finish(&self.spec.name)?;
        let limits = Limits::new(self.hard_max, self.soft_max, self.overlap)?;
        let limits = limits.with_min_size(self.min_size.unwrap_or(0))?;
        Ok(Cutter { strategy, limits, overlap_at })
    }

    /// The option `language`.
    ///
    /// # Errors
    /// [`Error::Option`] if nothing is known of it.
    pub fn language(&mut self) -> Result<Language> {
        let code = self.options.text("language")?;
        let language = code.map_or_else(|| Ok(Language::english()), Language::known)?;
        self.language = Some(language);
        Ok(language)
    }

    /// The option `piece_max`: the size up to which sentences are joined.
    ///
    /// # Errors
    /// [`Error::Option`] if it is no size within the limit.
    pub fn piece_max(&mut self) -> Result<usize> {
        let usual = if self.in_tokens { PIECE_TOKENS } else { PIECE_CHARS };
        let usual = usual.max(self.hard_max / PIECES_TO_A_CHUNK).min(self.hard_max);
        Ok(self.options.size("piece_max", 1, self.hard_max)?.unwrap_or(usual))
    }

    /// The embedder: the one beside the options, or the one that an option names, by default that of `usual`.
    ///
    /// # Errors
    /// [`Error::Option`] if there is none.
    pub fn embedder(&mut self, usual: Option<&str>) -> Result<Arc<dyn Embedder>> {
        let named = self.options.value("embedder");
        if let Some(embedder) = &self.parts.embedder {
            return Ok(Arc::clone(embedder));
        }
        match named.map_or(usual, |name| Some(name.as_str().unwrap_or_default())) {
            Some("lexical") => Ok(Arc::new(Lexical::new(DEFAULT_DIMENSIONS)?)),
            Some(_) => Err(Error::option("embedder", "the embedder is missing beside the options")),
            None => Err(Error::option("embedder", "embedder must be named or given, got none")),
        }
    }

    /// A semantic strategy with the options of its family.
    ///
    /// # Errors
    /// As [`Self::embedder`].
    pub fn semantic(&mut self, segments: Segments, scoring: Scoring) -> Result<Strategy> {
        let embedder = self.embedder(Some("lexical"))?;
        Ok(Strategy::Semantic(Semantic { segments, embedder, scoring }))
    }

    /// A strategy over elements with the options of its family.
    ///
    /// # Errors
    /// [`Error::Option`] for a value that makes no sense.
    pub fn elements(&mut self, starts: Starts, combine_under: usize) -> Result<Strategy> {
        let language = self.language()?;
        let options = &mut self.options;
        let packing = Packing {
            overlap_all: options.flag("overlap_all", false)?,
            overlap_over_starts: matches!(starts, Starts::Nowhere | Starts::Titles { .. }),
            combine_under,
            isolate_tables: options.flag("isolate_tables", true)?,
            skip_tables: options.flag("skip_tables", false)?,
            repeat_headers: options.flag("repeat_headers", true)?,
            language,
        };
        if packing.skip_tables && !packing.isolate_tables {
            let message = "skip_tables=true needs isolate_tables=true";
            return Err(Error::option("skip_tables", message));
        }
        Ok(Strategy::Elements(ElementStrategy { starts, packing }))
    }
}

/// The option that is the limit, and its value.
fn limit(
    options: &mut Options<'_>,
    spec: &Spec,
    by_sentences: bool,
) -> Result<(&'static str, usize)> {
    let tokens = options.size("max_tokens", 1, MAX_SIZE)?;
    let chars = options.size("max_chars", 1, MAX_SIZE)?;
    match (tokens, chars) {
        (Some(tokens), Some(chars)) => {
            let both = format!("got max_tokens={tokens} and max_chars={chars}");
            let message =
                format!("exactly one of max_tokens and max_chars can be the limit, {both}");
            Err(Error::option("max_chars", message))
        }
        (None, Some(chars)) => Ok(("max_chars", chars)),
        (Some(tokens), None) => Ok(("max_tokens", tokens)),
        (None, None) if by_sentences && wants(spec, "sentences") => {
            without_limit(spec)?;
            Ok(("max_tokens", MAX_SIZE))
        }
        (None, None) => Ok(("max_tokens", DEFAULT_MAX_TOKENS)),
    }
}

/// Whether a spec has a value for an option.
pub fn wants(spec: &Spec, option: &str) -> bool {
    spec.options.get(option).is_some_and(|value| !value.is_null())
}

/// Refuses sizes that have no unit.
fn without_limit(spec: &Spec) -> Result<()> {
    for name in ["soft_max", "min_size", "overlap"] {
        if wants(spec, name) && spec.options.get(name).is_some_and(|size| *size != 0) {
            return Err(Error::option(name, format!("{name} needs max_tokens or max_chars")));
        }
    }
    Ok(())
}
