//! Stack of open elements, in which the innermost of each kind is found at once.
//!
//! A list of the open elements of each kind is chained through the stack, so "is an item open, and where" is one
//! look, however deep a hostile page nests.

use super::tags::{N_TAGS, Tag};
use chunkwright_text::elements::Parent;

/// The place of an element in the stack.
pub type Index = usize;

/// An element that is open.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// Its tag.
    pub tag: Tag,
    /// The level of a heading.
    pub level: u8,
    /// Where its tag begins in the source, in bytes.
    pub start: usize,
    /// The number of the element of the document that it has become.
    pub element: Parent,
    /// The place in the stack of the item that a list stands in.
    pub item: Parent,
    /// That of the element around it of the same kind.
    outer: Parent,
}

impl Open {
    /// An element whose tag begins at byte `start`.
    pub fn new(tag: Tag, level: u8, start: usize) -> Self {
        let none = Parent::default();
        Self { tag, level, start, element: none, item: none, outer: none }
    }
}

/// The open elements, the outermost first. All is O(1), whatever is open.
#[derive(Clone, Debug)]
pub struct Stack {
    items: Vec<Open>,
    last: [Parent; N_TAGS],
    n_open: [u32; N_TAGS],
}

impl Default for Stack {
    fn default() -> Self {
        Self { items: Vec::new(), last: [Parent::default(); N_TAGS], n_open: [0; N_TAGS] }
    }
}

impl Stack {
    /// Number of open elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The innermost element of that kind.
    pub fn last(&self, tag: Tag) -> Option<Index> {
        self.last[tag as usize].get()
    }

    /// Whether an element of that kind is open.
    pub fn has(&self, tag: Tag) -> bool {
        self.last(tag).is_some()
    }

    /// How many elements of that kind are open, as a level: at most 255.
    pub fn depth(&self, tag: Tag) -> u8 {
        u8::try_from(self.n_open[tag as usize]).unwrap_or(u8::MAX)
    }

    /// The element there.
    pub fn get(&self, at: Index) -> &Open {
        &self.items[at]
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, at: Index) -> &mut Open {
        &mut self.items[at]
    }

    /// Opens an element.
    pub fn push(&mut self, open: Open) {
        let (tag, at) = (open.tag as usize, Parent::of(self.items.len()));
        self.items.push(Open { outer: std::mem::replace(&mut self.last[tag], at), ..open });
        self.n_open[tag] += 1;
    }

    /// Closes the innermost element.
    pub fn pop(&mut self) -> Option<Open> {
        let open = self.items.pop()?;
        self.last[open.tag as usize] = open.outer;
        self.n_open[open.tag as usize] -= 1;
        Some(open)
    }
}
