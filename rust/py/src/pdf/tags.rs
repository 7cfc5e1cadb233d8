//! Structure tree of a tagged PDF: to which block each marked part of a page belongs.
#![allow(unsafe_code, reason = "PDFium is a library in C")]

use std::collections::HashMap;
use std::ffi::{c_int, c_ulong};

use chunkwright_read::pdf::page::Tag;
use chunkwright_text::elements::Kind;

use super::library::{Handle, Library};

/// Elements in elements are followed so deep.
const MAX_DEPTH: usize = 64;
/// So many elements of a page are looked at.
const MAX_ELEMENTS: usize = 100_000;

/// The structure elements of a page.
#[derive(Default)]
pub struct Tags {
    /// The blocks.
    pub tags: Vec<Tag>,
    /// For each marked part of the page the number of its block.
    by_content: HashMap<c_int, u32>,
}

impl Tags {
    /// Those of an open page; none of one that is not tagged.
    ///
    /// # Safety
    /// The page is open.
    pub unsafe fn of_page(library: &Library, page: Handle) -> Self {
        let mut tags = Self::default();
        // SAFETY: by contract; the tree is closed before the page is.
        unsafe {
            let tree = (library.tree)(page);
            if tree.is_null() {
                return tags;
            }
            let mut left = MAX_ELEMENTS;
            for i in 0..(library.n_roots)(tree) {
                tags.element(library, (library.root)(tree, i), None, 0, &mut left);
            }
            (library.close_tree)(tree);
        }
        tags
    }

    unsafe fn element(
        &mut self,
        library: &Library,
        element: Handle,
        above: Option<u32>,
        depth: usize,
        left: &mut usize,
    ) {
        if element.is_null() || depth > MAX_DEPTH || *left == 0 {
            return;
        }
        *left -= 1;
        // SAFETY: the tree is open.
        unsafe {
            let block = match block_of(&type_of(library, element)) {
                Some((kind, level)) => {
                    let number = u32::try_from(self.tags.len()).unwrap_or(u32::MAX);
                    self.tags.push(Tag { block: number, kind, level });
                    Some(number)
                }
                None => above,
            };
            for i in 0..(library.n_children)(element) {
                let content = (library.child_content_id)(element, i);
                if content >= 0 {
                    if let Some(block) = block {
                        self.by_content.insert(content, block);
                    }
                } else {
                    self.element(library, (library.child)(element, i), block, depth + 1, left);
                }
            }
        }
    }

    /// The block of an object of the page, and whether the file marks it as no part of the content.
    ///
    /// # Safety
    /// The object is of an open page.
    pub unsafe fn of_object(&self, library: &Library, object: Handle) -> (Option<u32>, bool) {
        // SAFETY: by contract.
        unsafe {
            let content = (library.content_id)(object);
            let block = self.by_content.get(&content).copied();
            (block, block.is_none() && is_artifact(library, object))
        }
    }
}

unsafe fn is_artifact(library: &Library, object: Handle) -> bool {
    // SAFETY: the object is of an open page.
    unsafe {
        let n = c_ulong::try_from((library.n_marks)(object)).unwrap_or(0);
        (0..n).any(|i| {
            let mark = (library.mark)(object, i);
            let (mut name, mut n_bytes) = ([0_u16; 32], 0);
            !mark.is_null()
                && (library.mark_name)(mark, name.as_mut_ptr(), 64, &raw mut n_bytes) != 0
                && said(&name, n_bytes) == "Artifact"
        })
    }
}

unsafe fn type_of(library: &Library, element: Handle) -> String {
    let mut name = [0_u16; 32];
    // SAFETY: the tree is open; the buffer has 64 bytes.
    let n_bytes = unsafe { (library.tag_type)(element, name.as_mut_ptr().cast(), 64) };
    said(&name, n_bytes)
}

/// The name in a buffer, of which so many bytes are filled, the NUL at its end included.
pub fn said(name: &[u16], n_bytes: c_ulong) -> String {
    let n = usize::try_from(n_bytes).unwrap_or(0) / 2;
    let name = String::from_utf16_lossy(&name[..n.min(name.len())]);
    name.trim_end_matches('\0').to_owned()
}

/// Kind and level of the block that a structure element begins; none if it is part of one, or holds several.
fn block_of(name: &str) -> Option<(Kind, u8)> {
    let heading = |level: &str| level.parse().ok().filter(|level| (1..=6).contains(level));
    Some(match name {
        "Title" => (Kind::Heading, 1),
        "H" => (Kind::Heading, 0),
        "P" => (Kind::Paragraph, 0),
        "LI" => (Kind::ListItem, 0),
        "Table" => (Kind::Table, 0),
        "Figure" => (Kind::Figure, 0),
        "Caption" => (Kind::Caption, 0),
        "Code" => (Kind::Code, 0),
        "BlockQuote" | "Quote" => (Kind::Quote, 0),
        "Formula" => (Kind::Formula, 0),
        "Note" => (Kind::Footnote, 0),
        _ => (Kind::Heading, name.strip_prefix('H').and_then(heading)?),
    })
}
