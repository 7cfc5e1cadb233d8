//! Grammars by the names of their languages: what makes outlines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::syntax::code::outline::{Outline, Outliner};

use crate::bounded::parse;
use crate::grammar::Grammar;
use crate::walk::outline_of;

/// Grammars by the names of their languages.
///
/// ```
/// use chunkwright_code::{Grammar, Grammars};
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_text::syntax::code::outline::Outliner;
///
/// let mut grammars = Grammars::default();
/// let python = tree_sitter_python::LANGUAGE.into();
/// grammars.add("python", Grammar::new("python", python)?);
/// let code = "class Cart:\n    def add(self): ...\n";
/// let outline = grammars.outline(code, "python", no_pulse())?.unwrap_or_default();
/// let scopes: Vec<_> = (0..outline.definitions.len()).map(|i| outline.scope(i)).collect();
/// assert_eq!(scopes, ["Cart", "Cart.add"]);
/// assert!(grammars.outline(code, "cobol", no_pulse())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grammars {
    by_name: BTreeMap<String, Arc<Grammar>>,
}

impl Grammars {
    /// Adds the grammar of a language, in place of the one that there was.
    pub fn add(&mut self, language: &str, grammar: Grammar) {
        self.by_name.insert(language.into(), Arc::new(grammar));
    }

    /// The grammar of a language, if there is one.
    pub fn get(&self, language: &str) -> Option<&Grammar> {
        self.by_name.get(language).map(|grammar| &**grammar)
    }
}

impl Outliner for Grammars {
    fn outline(&self, text: &str, language: &str, pulse: Pulse<'_>) -> Result<Option<Outline>> {
        let Some(grammar) = self.get(language) else { return Ok(None) };
        // Scanners, such as that of Kotlin, look for the end of a line without an end where the text has none.
        let ended = if text.ends_with('\n') {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(format!("{text}\n"))
        };
        let Some(tree) = parse(grammar.language(), &ended, pulse)? else { return Ok(None) };
        let outline = outline_of(grammar, &tree, &ended, pulse)?;
        Ok(outline.map(|outline| outline.up_to(text.len())))
    }
}
