//! Scope of a rendered item: a list, a line, a cell, a page.

/// What an item that is rendered stands in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scope {
    /// Lists around it.
    pub(super) list_level: usize,
    /// Whether it stands in a line with others.
    pub(super) is_inline: bool,
    /// Whether it stands in a cell of a Markdown table.
    pub(super) is_in_cell: bool,
    /// The only page whose items are rendered.
    pub(super) page: Option<i64>,
    /// Items around it.
    pub(super) depth: usize,
    /// Captions of code around it, each of which forgets what was rendered.
    pub(super) n_captions: usize,
}

impl Scope {
    /// That of what stands in it, if that is not too deep.
    pub(super) const fn deeper(self, max: usize) -> Option<Self> {
        if self.depth == max {
            return None;
        }
        Some(Self { depth: self.depth + 1, ..self })
    }

    /// That of something with lines of its own.
    pub(super) const fn inner(self) -> Self {
        Self { list_level: 0, is_inline: false, ..self }
    }

    /// That of a line which stands for a text: it has forgotten all but how deep it is.
    pub(super) const fn forgotten(self) -> Self {
        Self { is_in_cell: false, page: None, ..self.inner() }
    }
}
