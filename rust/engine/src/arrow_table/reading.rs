//! Reading of the texts of a column: as plain texts, as one kind of inputs, or each as what it looks like.

use chunkwright_read::Read;
use chunkwright_read::kinds::{FileKind, InputKind, refuse, refuse_binary};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::no_pulse;
use chunkwright_text::unicode::space::is_space;

/// What the texts of a column are.
#[derive(Clone, Copy, Debug, Default)]
pub enum Reading {
    /// Documents without elements.
    #[default]
    Plain,
    /// Each of the kind that it looks like.
    Told,
    /// Of this kind.
    Of(&'static InputKind),
    /// Files of this kind, which hold no text.
    Files(&'static FileKind),
}

impl Reading {
    /// The reading of texts of the kind of that name; without one each text is what it looks like if `is_told`,
    /// else plain. None if there is no such kind.
    pub fn named(kind: Option<&str>, is_told: bool) -> Option<Self> {
        match kind {
            None if is_told => Some(Self::Told),
            None | Some("text") => Some(Self::Plain),
            Some(name) => InputKind::named(name)
                .map(Self::Of)
                .or_else(|| FileKind::named(name).map(Self::Files)),
        }
    }

    /// Whether a column may hold lists of structs in place of texts.
    pub fn takes_lists(self) -> bool {
        match self {
            Self::Plain | Self::Files(_) => false,
            Self::Told => true,
            Self::Of(kind) => kind.name == "elements",
        }
    }

    /// Whether a column holds bytes, not texts.
    pub const fn takes_bytes(self) -> bool {
        matches!(self, Self::Files(_))
    }

    /// Whether documents have elements.
    pub const fn has_elements(self) -> bool {
        !matches!(self, Self::Plain)
    }

    /// Reads a text; nothing of a plain one. O(n), but for tables.
    ///
    /// # Errors
    /// [`Error::Read`](chunkwright_text::error::Error::Read) if it is not of its kind, or no text.
    pub fn read(self, text: &str) -> Result<Option<Read>> {
        let kind = match self {
            Self::Plain | Self::Files(_) => return Ok(None),
            _ if text.chars().all(is_space) => return Ok(Some(Read::default())),
            Self::Told => {
                refuse(text)?;
                refuse_binary(text)?;
                InputKind::told(text, None)
            }
            Self::Of(kind) => {
                refuse(text)?;
                kind
            }
        };
        kind.read(text, no_pulse())
    }

    /// Reads the bytes of a file, if a column holds files.
    ///
    /// # Errors
    /// As [`Reading::read`].
    pub fn read_bytes(self, data: &[u8]) -> Option<Result<Read>> {
        match self {
            Self::Files(kind) => Some(kind.read(data, no_pulse())),
            _ => None,
        }
    }
}
