//! Wholes: the outermost elements that others are parts of, such as the list of an item.

use crate::elements::{Element, Kind};

/// The outermost element that each is a part of; headings are above others, but nothing is a part of one.
pub struct Wholes<'a> {
    items: &'a [Element],
    of: Vec<usize>,
}

impl<'a> Wholes<'a> {
    /// Those of `items`. O(n).
    pub fn new(items: &'a [Element]) -> Self {
        let mut of: Vec<usize> = Vec::with_capacity(items.len());
        for i in 0..items.len() {
            of.push(parent(items, i).map_or(i, |parent| of[parent]));
        }
        Self { items, of }
    }

    /// The elements.
    pub const fn items(&self) -> &'a [Element] {
        self.items
    }

    /// Whether `own` and the element `before` it are parts of one thing, which may be the latter.
    pub fn are_one(&self, before: usize, own: usize) -> bool {
        self.of[own] == self.of[before] && self.of[own] != own
    }

    /// Whether `own` goes on the list that `before` is of. Where items name no list, their place tells.
    pub fn is_one_list(&self, before: usize, own: usize) -> bool {
        if self.items[own].kind != Kind::ListItem {
            return self.is_of_list(own) && self.are_one(before, own);
        }
        let [whole_before, whole] = [before, own].map(|i| self.of[i]);
        let goes_on =
            self.items[whole_before].kind == Kind::ListItem && !self.items[whole].begins_list;
        (self.are_one(before, own) || goes_on) && self.list(own) == self.list(before)
    }

    /// Whether an element is a part of a list.
    pub fn is_of_list(&self, i: usize) -> bool {
        matches!(self.items[self.of[i]].kind, Kind::List | Kind::ListItem)
    }

    /// Whether what an element is a part of is a list that has an element.
    pub fn has_list(&self, i: usize) -> bool {
        self.items[self.of[i]].kind == Kind::List
    }

    /// The list that an element says it is in; none if only its place tells.
    fn list(&self, i: usize) -> Option<usize> {
        let whole = self.of[i];
        (whole != i && self.items[whole].kind != Kind::ListItem).then_some(whole)
    }
}

/// The element that `i` says it is a part of, unless that is a heading.
pub fn parent(items: &[Element], i: usize) -> Option<usize> {
    let parent = items[i].parent.get().filter(|&parent| parent < i)?;
    (items[parent].kind != Kind::Heading).then_some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Parent;

    #[test]
    fn items_of_one_list_are_told_by_their_list_or_by_their_place() {
        let item = |kind, parent: Option<usize>, begins_list| Element {
            kind,
            parent: parent.map_or_else(Parent::default, Parent::of),
            begins_list,
            ..Element::default()
        };
        let items = [
            item(Kind::Heading, None, false),
            item(Kind::List, Some(0), false),
            item(Kind::ListItem, Some(1), false),
            item(Kind::Paragraph, Some(2), false),
            item(Kind::ListItem, Some(1), false),
            item(Kind::ListItem, None, true),
            item(Kind::ListItem, None, false),
            item(Kind::Paragraph, None, false),
        ];
        let wholes = Wholes::new(&items);
        let one: Vec<bool> = (1..8).map(|i| wholes.is_one_list(i - 1, i)).collect();
        assert_eq!(one, [false, false, true, true, false, true, false]);
        assert!(wholes.are_one(1, 4) && !wholes.are_one(4, 5) && !wholes.are_one(0, 1));
        assert!(wholes.is_of_list(3) && !wholes.is_of_list(7));
    }
}
