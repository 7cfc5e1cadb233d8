//! End tags of elements within lines, and whether what hides ends with them.

use super::inlines::stands_alone;
use super::reader::{Ends, Reader};
use super::stack::Index;
use super::tags::Tag;

impl Reader<'_> {
    /// Closes an element within a line with what is open in it.
    pub(super) fn close_inline(&mut self, name: &str, start: usize, end: usize) {
        let (scope, block) = (self.scope(), self.block());
        let closed = self.inlines.close(name, scope, block);
        if name == "a" {
            self.text.drop_signs();
            if let Some(links) = &mut self.links {
                links.cut(self.text.said());
            }
        }
        let Some(hidden) = &mut self.hidden else { return };
        let Some(own) = hidden.name.as_deref() else { return };
        let is_own = own == name;
        let ends = if stands_alone(own) {
            let ends = is_own && hidden.n_nested == 0;
            hidden.n_nested -= usize::from(is_own && !ends);
            ends
        } else {
            closed.is_some_and(|closed| closed <= self.stack.get(hidden.at).start)
        };
        if ends {
            let at = hidden.at;
            self.close_to(at, Ends { inner: start, own: end });
        }
    }

    /// Where the cell begins that formatting is closed in, as a byte.
    pub(super) fn scope(&self) -> usize {
        self.barrier().map_or(0, |at| self.stack.get(at).start)
    }

    /// Where the innermost block begins, as a byte.
    fn block(&self) -> usize {
        let is_line = |at: &Index| self.stack.get(*at).tag != Tag::Inline;
        (0..self.stack.len()).rev().take(2).find(is_line).map_or(0, |at| self.stack.get(at).start)
    }
}
