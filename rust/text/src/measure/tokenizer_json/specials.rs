//! Special tokens around a text, as a post-processor adds them.
//!
//! Most post-processors put a fixed number of tokens in front and behind (`[CLS]` and `[SEP]`, `<s>` and `</s>`),
//! and these are read off the template. One that repeats the text or leaves it out has no such number.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

/// The ids before and behind one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specials {
    /// Those before it.
    pub before: Vec<u32>,
    /// Those behind it.
    pub after: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum PostProcessor {
    ByteLevel {},
    BertProcessing { sep: (String, u32), cls: (String, u32) },
    RobertaProcessing { sep: (String, u32), cls: (String, u32) },
    TemplateProcessing { single: Vec<TemplatePiece>, special_tokens: HashMap<String, Special> },
    Sequence { processors: Vec<PostProcessor> },
}

#[derive(Deserialize)]
enum TemplatePiece {
    SpecialToken { id: String },
    Sequence { id: String },
}

#[derive(Deserialize)]
struct Special {
    ids: Vec<u32>,
}

impl Specials {
    /// The tokens that `post_processor` puts around one text; none if the text is not there just once.
    ///
    /// # Errors
    /// What is wrong with the post-processor.
    pub fn of(post_processor: &Value) -> Result<Option<Self>, String> {
        if post_processor.is_null() {
            return Ok(Some(Self::default()));
        }
        let processor = PostProcessor::deserialize(post_processor)
            .map_err(|error| format!("post_processor: {error}"))?;
        processor.specials()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `ids` with the special tokens around them.
    ///
    /// ```
    /// use chunkwright_text::measure::tokenizer_json::Specials;
    ///
    /// let template = serde_json::json!({
    ///     "type": "BertProcessing", "cls": ["[CLS]", 101], "sep": ["[SEP]", 102]
    /// });
    /// let specials = Specials::of(&template)?.unwrap();
    /// assert_eq!(specials.around(&[7, 8]), [101, 7, 8, 102]);
    /// assert_eq!(specials.len(), 2);
    /// # Ok::<(), String>(())
    /// ```
    pub fn around(&self, ids: &[u32]) -> Vec<u32> {
        [&self.before, ids, &self.after].concat()
    }
}

impl PostProcessor {
    fn specials(&self) -> Result<Option<Specials>, String> {
        match self {
            Self::ByteLevel {} => Ok(Some(Specials::default())),
            Self::BertProcessing { sep, cls } | Self::RobertaProcessing { sep, cls } => {
                Ok(Some(Specials { before: vec![cls.1], after: vec![sep.1] }))
            }
            Self::TemplateProcessing { single, special_tokens } => template(single, special_tokens),
            Self::Sequence { processors } => {
                let parts = processors.iter().map(Self::specials);
                let parts: Option<Vec<_>> = parts.collect::<Result<_, _>>()?;
                let around = |inner: Specials, outer: Specials| Specials {
                    before: [outer.before, inner.before].concat(),
                    after: [inner.after, outer.after].concat(),
                };
                Ok(parts.map(|parts| parts.into_iter().fold(Specials::default(), around)))
            }
        }
    }
}

fn template(
    single: &[TemplatePiece],
    special_tokens: &HashMap<String, Special>,
) -> Result<Option<Specials>, String> {
    let mut specials = Specials::default();
    let mut n_texts = 0;
    for piece in single {
        match piece {
            TemplatePiece::Sequence { id } if id == "A" => n_texts += 1,
            TemplatePiece::Sequence { id } => {
                return Err(format!("post_processor: a single text has no part {id:?}"));
            }
            TemplatePiece::SpecialToken { id } => {
                let special = special_tokens.get(id);
                let ids = &special.ok_or_else(|| format!("post_processor: no token {id:?}"))?.ids;
                if n_texts == 0 { &mut specials.before } else { &mut specials.after }.extend(ids);
            }
        }
    }
    Ok((n_texts == 1).then_some(specials))
}
