//! Grammar of one language, with the rules for its kinds of nodes.
#![allow(unsafe_code, reason = "a grammar comes as a pointer to tables that C code has")]

use std::ops::RangeInclusive;

use tree_sitter::ffi::{TSLanguage, ts_language_abi_version};
use tree_sitter::{LANGUAGE_VERSION, Language, MIN_COMPATIBLE_LANGUAGE_VERSION};

use crate::rules::{Role, Rule, rules_of};

/// Why something is no grammar that outlines can be made with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// The pointer is null.
    #[error("the grammar of {0:?} is a null pointer")]
    Null(String),
    /// Its tables are of a version that the runtime does not read.
    #[error("the grammar of {language:?} has ABI version {version}, readable are {} to {}", readable.start(), readable.end())]
    Version {
        /// The language that it was given for.
        language: String,
        /// What it says.
        version: usize,
        /// What the runtime reads.
        readable: RangeInclusive<usize>,
    },
    /// There are no rules for the language.
    #[error("there are no rules for outlines of {0:?}")]
    Language(String),
}

/// A grammar and the rules of its language.
#[derive(Debug)]
pub struct Grammar {
    language: Language,
    /// The rule of each kind of node, by its number.
    roles: Vec<Option<&'static Rule>>,
    unknown: Vec<&'static str>,
}

impl Grammar {
    /// The grammar of `language` (a name of chunkwright's).
    ///
    /// # Errors
    /// If there are no rules for it, or the version of its tables cannot be read.
    pub fn new(language: &str, grammar: Language) -> Result<Self, GrammarError> {
        let readable = MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION;
        let version = grammar.abi_version();
        if !readable.contains(&version) {
            return Err(GrammarError::Version { language: language.into(), version, readable });
        }
        let tables = rules_of(language).ok_or_else(|| GrammarError::Language(language.into()))?;
        let mut roles = vec![None; grammar.node_kind_count()];
        let mut unknown = Vec::new();
        for rule in tables.iter().flat_map(|table| table.iter()) {
            let id = grammar.id_for_node_kind(rule.kind, true);
            match roles.get_mut(usize::from(id)) {
                Some(role) if id != 0 => *role = Some(rule),
                _ => unknown.push(rule.kind),
            }
        }
        Ok(Self { language: grammar, roles, unknown })
    }

    /// The grammar of `language` at `pointer`, as packages of grammars give it.
    ///
    /// # Errors
    /// As [`Self::new`], or if the pointer is null.
    ///
    /// # Safety
    /// `pointer` is null, or points to a `TSLanguage`, made by the generator of tree-sitter, that stays where it is
    /// and as it is as long as the process lives; so do the functions of its scanner. The tables of packages are
    /// constants of a library, which is to stay loaded.
    pub unsafe fn of_pointer(language: &str, pointer: *const ()) -> Result<Self, GrammarError> {
        if pointer.is_null() {
            return Err(GrammarError::Null(language.into()));
        }
        let pointer = pointer.cast::<TSLanguage>();
        // SAFETY: the version is the first field in all versions of the tables, and the caller vouches for them.
        let version = unsafe { ts_language_abi_version(pointer) } as usize;
        let readable = MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION;
        if !readable.contains(&version) {
            return Err(GrammarError::Version { language: language.into(), version, readable });
        }
        // SAFETY: the caller vouches that it points to tables, which are of a version that is readable.
        Self::new(language, unsafe { Language::from_raw(pointer) })
    }

    /// What tree-sitter parses with.
    pub(crate) const fn language(&self) -> &Language {
        &self.language
    }

    /// The rule of a kind of node.
    pub(crate) fn rule(&self, kind: u16) -> Option<&'static Rule> {
        self.roles.get(usize::from(kind)).copied().flatten()
    }

    /// What a kind of node is for an outline.
    pub(crate) fn role(&self, kind: u16) -> Option<&'static Role> {
        self.rule(kind).map(|rule| &rule.role)
    }

    /// The kinds of nodes that the rules name and this version of the grammar lacks.
    pub fn unknown_kinds(&self) -> &[&'static str] {
        &self.unknown
    }
}
