//! Lists that blocks are items of, by which one goes on the list before it or begins another.

use super::markers::Enumerator;

/// A list that a block is an item of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// One with this bullet.
    Bullet(char),
    /// One whose last item has this number.
    Enumerated(Enumerator),
    /// One of fields.
    Field,
    /// One of options of a command.
    Options,
    /// One of terms.
    Definition,
    /// One of objects that directives describe.
    Object,
}

impl Listed {
    /// Whether it goes on the list that the block before is an item of.
    pub fn continues(&self, before: Option<&Self>) -> bool {
        match (self, before) {
            (Self::Enumerated(own), Some(Self::Enumerated(before))) => own.continues(before),
            (own, Some(before)) => own == before,
            (_, None) => false,
        }
    }
}
