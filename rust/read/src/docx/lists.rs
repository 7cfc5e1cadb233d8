//! Lists of a document while it is read: the list that an item belongs to, and how deep it is.

/// A list that may get more items.
struct Open<'a> {
    /// The level of its items from 0.
    at: i64,
    numbering: &'a str,
    /// The number of its block.
    block: usize,
    /// The number of the block of its last item.
    item: usize,
}

/// Where an item goes: the block of its list, or none for a new one, whose parent this is.
pub struct Place {
    /// The block of its list.
    pub block: Option<usize>,
    /// The parent of a new one.
    pub parent: Option<usize>,
    /// Its level from 1.
    pub level: u8,
}

/// The lists that are open, the outermost first.
#[derive(Default)]
pub struct Lists<'a>(Vec<Open<'a>>);

impl<'a> Lists<'a> {
    /// The block of the last item, if a list is open.
    pub fn item(&self) -> Option<usize> {
        self.0.last().map(|list| list.item)
    }

    /// Ends all lists.
    pub fn close(&mut self) {
        self.0.clear();
    }

    /// Where an item of a level from 0 in a numbering goes.
    ///
    /// Another numbering of the same level is another list. One that is deeper is in the item before it.
    pub fn place(&mut self, at: i64, numbering: &str) -> Place {
        while self.0.pop_if(|list| list.at > at).is_some() {}
        let level = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        if let Some(list) =
            self.0.last().filter(|list| list.at == at && list.numbering == numbering)
        {
            return Place { block: Some(list.block), parent: None, level: level(self.0.len()) };
        }
        self.0.pop_if(|list| list.at == at);
        Place { block: None, parent: self.item(), level: level(self.0.len() + 1) }
    }

    /// Notes an item, and the list that it went to.
    pub fn add(&mut self, at: i64, numbering: &'a str, block: usize, item: usize) {
        self.0.pop_if(|list| list.block == block);
        self.0.push(Open { at, numbering, block, item });
    }
}
