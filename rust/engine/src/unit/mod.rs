//! Units that sizes are counted in, by any thread: code points, bytes, tokens of a tokenizer.

use std::borrow::Borrow;
use std::sync::Arc;

use chunkwright_text::document::Document;
use chunkwright_text::error::{Error, Result};
use chunkwright_text::measure::bpe::parts::IndexPart;
use chunkwright_text::measure::ruler::{Ruled, Ruler};
use chunkwright_text::measure::tokenizer_json::{Model, Specials};
use chunkwright_text::measure::wordpiece::{WordPiece, WordPieceEncoder};
use chunkwright_text::measure::{
    Bpe, Bytes, Chars, Counter, Encoder, Measure, Surcharge, TokenIndex, Tokens, Unigram,
    UnigramEncoder, UnigramIndex, UnigramTokens, WordIndex, WordPieces,
};
use chunkwright_text::offsets::count_chars;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::span::Span;

use crate::pool::Pool;

/// A unit, cheap to clone.
#[derive(Clone, Debug)]
pub struct Unit {
    kind: Arc<UnitKind>,
    /// Special tokens that the tokenizer adds to each text, if they are to be counted.
    specials: Specials,
}

/// Code points, bytes, or the tokens of a tokenizer.
#[derive(Debug)]
enum UnitKind {
    Chars,
    Bytes,
    Tokens(Pool),
    WordPieces(Pool<WordPiece, WordPieceEncoder>),
    Unigram(Pool<Unigram, UnigramEncoder>),
}

/// What has been found out about one text, so that its spans can be measured; by indexes of one's own or
/// borrowed ones.
#[derive(Clone, Copy, Debug)]
pub enum Prepared<T = TokenIndex, W = WordIndex, U = UnigramIndex> {
    /// Its tokens.
    Tokens(T),
    /// Its tokens of WordPiece.
    Words(W),
    /// Its tokens of Unigram.
    Unigram(U),
    /// Nothing: each span is counted by itself.
    Nothing,
}

impl Prepared {
    /// The same, borrowed.
    const fn as_ref(&self) -> Prepared<&TokenIndex, &WordIndex, &UnigramIndex> {
        match self {
            Self::Tokens(index) => Prepared::Tokens(index),
            Self::Words(index) => Prepared::Words(index),
            Self::Unigram(index) => Prepared::Unigram(index),
            Self::Nothing => Prepared::Nothing,
        }
    }
}

impl Unit {
    /// The unit of that name: `chars`, `bytes`, or a built-in vocabulary.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "chars" => Some(Self::of(UnitKind::Chars)),
            "bytes" => Some(Self::of(UnitKind::Bytes)),
            _ => Bpe::named(name).map(Self::bpe),
        }
    }

    /// The tokens of a vocabulary.
    pub fn bpe(bpe: Bpe) -> Self {
        Self::of(UnitKind::Tokens(Pool::new(bpe, Encoder::new)))
    }

    /// The tokens of a `tokenizer.json`, if they are counted natively.
    pub fn of_model(model: Model) -> Option<Self> {
        Some(match model {
            Model::Bpe(bpe) => Self::bpe(bpe),
            Model::WordPiece(words) => {
                Self::of(UnitKind::WordPieces(Pool::new(words, WordPieceEncoder::new)))
            }
            Model::Unigram(unigram) => {
                Self::of(UnitKind::Unigram(Pool::new(unigram, UnigramEncoder::new)))
            }
            Model::Foreign(_) => return None,
        })
    }

    fn of(kind: UnitKind) -> Self {
        Self { kind: Arc::new(kind), specials: Specials::default() }
    }

    /// The same with special tokens around each text.
    #[must_use]
    pub fn with_specials(&self, specials: Specials) -> Self {
        Self { kind: Arc::clone(&self.kind), specials }
    }

    /// The encoders of a vocabulary that is counted natively.
    pub fn pool(&self) -> Option<&Pool> {
        match &*self.kind {
            UnitKind::Tokens(pool) => Some(pool),
            _ => None,
        }
    }

    /// Whether sizes are numbers of code points.
    pub fn counts_chars(&self) -> bool {
        matches!(*self.kind, UnitKind::Chars)
    }

    /// How its tokens are counted: `bpe`, `wordpiece`, `unigram`, or `plain`.
    pub fn kind(&self) -> &'static str {
        match *self.kind {
            UnitKind::Chars | UnitKind::Bytes => "plain",
            UnitKind::Tokens(_) => "bpe",
            UnitKind::WordPieces(_) => "wordpiece",
            UnitKind::Unigram(_) => "unigram",
        }
    }

    /// The largest id that a token may have; that of any number where the tokenizer does not say.
    pub fn max_id(&self) -> u32 {
        self.pool().map_or(u32::MAX, |pool| pool.vocabulary().max_id())
    }

    /// Tokens of a whole text.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn count(&self, text: &str, pulse: Pulse<'_>) -> Result<usize> {
        Ok(self.kind.count(text, pulse)? + self.specials.len())
    }

    /// The ids of the tokens of a text.
    ///
    /// # Errors
    /// As for [`Unit::count`].
    pub fn encode(&self, text: &str, pulse: Pulse<'_>) -> Result<Vec<u32>> {
        let ids = match &*self.kind {
            UnitKind::Chars | UnitKind::Bytes => return Err(no_ids()),
            UnitKind::Tokens(pool) => pool.with(|encoder| encoder.encode(text, pulse))?,
            UnitKind::WordPieces(pool) => pool.with(|encoder| encoder.encode(text, pulse))?,
            UnitKind::Unigram(pool) => pool.with(|encoder| encoder.encode(text, pulse))?,
        };
        Ok(if self.specials.is_empty() { ids } else { self.specials.around(&ids) })
    }

    /// The bytes that `ids` stand for, which need not be UTF-8.
    ///
    /// # Errors
    /// If an id is unknown.
    pub fn decode(&self, ids: &[u32]) -> Result<Vec<u8>> {
        match &*self.kind {
            UnitKind::Chars | UnitKind::Bytes => Err(no_ids()),
            UnitKind::Tokens(pool) => pool.vocabulary().decode(ids),
            UnitKind::WordPieces(pool) => Ok(pool.vocabulary().decode(ids, false)?.into_bytes()),
            UnitKind::Unigram(pool) => Ok(pool.vocabulary().decode(ids, false)?.into_bytes()),
        }
    }

    /// What is to be known of `text` before its spans are measured.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn prepare(&self, text: &str, pulse: Pulse<'_>) -> Result<Prepared> {
        match &*self.kind {
            UnitKind::Tokens(pool) if pool.vocabulary().is_plain(text) => {
                Ok(Prepared::Tokens(pool.with(|encoder| encoder.index(text, pulse))?))
            }
            UnitKind::WordPieces(pool) => {
                Ok(Prepared::Words(pool.with(|encoder| encoder.index(text, pulse))?))
            }
            UnitKind::Unigram(pool) => {
                let index = pool.with(|encoder| encoder.index(text, pulse))?;
                Ok(index.map_or(Prepared::Nothing, Prepared::Unigram))
            }
            _ => Ok(Prepared::Nothing),
        }
    }

    /// The parts of at least `n_bytes` that `text` can be prepared in; none if that is no work to share.
    pub fn parts(&self, text: &str, n_bytes: usize) -> Vec<Span> {
        match &*self.kind {
            UnitKind::Tokens(pool) if pool.vocabulary().is_plain(text) => {
                pool.vocabulary().parts(text, n_bytes)
            }
            _ => Vec::new(),
        }
    }

    /// Prepares one of the [`Unit::parts`] of `text`.
    ///
    /// # Errors
    /// What `pulse` says.
    pub fn prepare_part(
        &self,
        text: &str,
        part: Span,
        pulse: Pulse<'_>,
    ) -> Result<Option<IndexPart>> {
        let index = |pool: &Pool| pool.with(|encoder| encoder.index_part(text, part, pulse));
        self.pool().map(index).transpose()
    }

    /// What [`Unit::prepare`] gives, from all parts of a text of `n_bytes`.
    pub fn join(&self, n_bytes: usize, parts: &[IndexPart]) -> Prepared {
        let index = |pool: &Pool| TokenIndex::join(pool.vocabulary().clone(), n_bytes, parts);
        self.pool().map_or(Prepared::Nothing, |pool| Prepared::Tokens(index(pool)))
    }

    /// The measure of `document`, for whose text `prepared` was made; its errors are what `pulse` says.
    pub fn measure<'t>(
        &'t self,
        document: Document<'t>,
        prepared: Prepared,
        pulse: Pulse<'t>,
    ) -> Box<dyn Measure + 't> {
        self.made(document, prepared, pulse, Boxed)
    }

    /// Runs `work` with the measure that [`Unit::measure`] gives.
    ///
    /// # Errors
    /// Those of `work`, and those of the measure.
    pub fn measured<T>(
        &self,
        document: Document<'_>,
        prepared: &Prepared,
        pulse: Pulse<'_>,
        work: impl FnOnce(&dyn Measure) -> Result<T>,
    ) -> Result<T> {
        self.made(document, prepared.as_ref(), pulse, Lent(work))
    }

    /// What `taker` makes of the measure of `document`.
    fn made<'t, T, W, U, R: Taker<'t>>(
        &'t self,
        document: Document<'t>,
        prepared: Prepared<T, W, U>,
        pulse: Pulse<'t>,
        taker: R,
    ) -> R::Result
    where
        T: Borrow<TokenIndex> + 't,
        W: Borrow<WordIndex> + 't,
        U: Borrow<UnigramIndex> + 't,
    {
        let text = document.text();
        match (&*self.kind, prepared) {
            (_, Prepared::Tokens(index)) => self.ruled(Tokens::new(text, index), pulse, taker),
            (_, Prepared::Words(index)) => self.ruled(WordPieces::new(text, index), pulse, taker),
            (_, Prepared::Unigram(index)) => {
                self.ruled(UnigramTokens::new(text, index), pulse, taker)
            }
            (UnitKind::Chars, _) => self.ruled(Chars::new(document), pulse, taker),
            (UnitKind::Bytes, _) => self.ruled(Bytes::new(text), pulse, taker),
            (kind, Prepared::Nothing) => {
                let count = move |span: Span| kind.count(&text[span.range()], pulse);
                self.ruled(Counter::new(text, count), pulse, taker)
            }
        }
    }

    /// Hands `measure` over, with its unit, and this unit's special tokens around each text.
    fn ruled<'t, R: Taker<'t>>(
        &'t self,
        measure: impl Measure + 't,
        pulse: Pulse<'t>,
        taker: R,
    ) -> R::Result {
        let ruler = self.ruler(pulse);
        match self.specials.len() {
            0 => taker.take(Ruled::new(measure, ruler)),
            n_special => taker.take(Ruled::new(Surcharge::new(measure, n_special), ruler)),
        }
    }

    /// Runs `work` with this unit's measure of `document`.
    ///
    /// # Errors
    /// Those of `work`, and what `pulse` says.
    pub fn with_measure<T>(
        &self,
        document: Document<'_>,
        pulse: Pulse<'_>,
        work: impl FnOnce(&dyn Measure, Pulse<'_>) -> Result<T>,
    ) -> Result<T> {
        let prepared = self.prepare(document.text(), pulse)?;
        self.measured(document, &prepared, pulse, |measure| work(measure, pulse))
    }

    /// What measures any text in this unit.
    pub const fn ruler<'a>(&'a self, pulse: Pulse<'a>) -> UnitRuler<'a> {
        UnitRuler { unit: self, pulse }
    }
}

/// Takes a measure of any type: one function for those who keep it and those who need it once, to whom
/// it is lent without an allocation.
trait Taker<'t> {
    type Result;

    fn take(self, measure: impl Measure + 't) -> Self::Result;
}

/// Keeps the measure.
struct Boxed;

impl<'t> Taker<'t> for Boxed {
    type Result = Box<dyn Measure + 't>;

    fn take(self, measure: impl Measure + 't) -> Self::Result {
        Box::new(measure)
    }
}

/// Runs a function with the measure.
struct Lent<F>(F);

impl<T, F: FnOnce(&dyn Measure) -> T> Taker<'_> for Lent<F> {
    type Result = T;

    fn take(self, measure: impl Measure) -> T {
        (self.0)(&measure)
    }
}

/// A unit as a [`Ruler`].
pub struct UnitRuler<'a> {
    unit: &'a Unit,
    pulse: Pulse<'a>,
}

impl Ruler for UnitRuler<'_> {
    fn size(&self, text: &str) -> Result<usize> {
        self.unit.count(text, self.pulse)
    }

    fn counts_chars(&self) -> bool {
        self.unit.counts_chars()
    }

    fn is_local(&self) -> bool {
        // The best pieces of a word may depend on all of what follows in it.
        !matches!(*self.unit.kind, UnitKind::Unigram(_))
    }

    fn adds_up(&self) -> bool {
        matches!(*self.unit.kind, UnitKind::WordPieces(_)) && self.unit.specials.is_empty()
    }

    fn measure<'t>(&'t self, text: &'t str) -> Result<Box<dyn Measure + 't>> {
        let prepared = self.unit.prepare(text, self.pulse)?;
        Ok(self.unit.measure(Document::new(text), prepared, self.pulse))
    }
}

impl UnitKind {
    fn count(&self, text: &str, pulse: Pulse<'_>) -> Result<usize> {
        match self {
            Self::Chars => Ok(count_chars(text.as_bytes())),
            Self::Bytes => Ok(text.len()),
            Self::Tokens(pool) => pool.with(|encoder| encoder.count(text, pulse)),
            Self::WordPieces(pool) => pool.with(|encoder| encoder.count(text, pulse)),
            Self::Unigram(pool) => pool.with(|encoder| encoder.count(text, pulse)),
        }
    }
}

fn no_ids() -> Error {
    Error::Tokenizer("code points and bytes have no ids".into())
}

#[cfg(test)]
mod tests;
