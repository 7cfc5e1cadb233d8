//! Proofs that blocks at the edges of pages are page headers and footers: the same text, or the number of the page.

use std::collections::{HashMap, HashSet};

use super::edges::{height, is_at_edge, stands_apart};
use super::page_numbers::{Bare, bare_number, folded, page_numbers};
use crate::pdf::layout::{PageBlock, PageLayout};
use chunkwright_text::elements::Kind;

/// Headers and footers stand no further from the edge of a page than so much of its height.
const MARGIN: f32 = 0.14;
/// A number that no other page proves, and is not that of the page in the file, stands no further from it.
const OUTERMOST: f32 = 0.13;
/// What the file says to be none of its content may stand so far from it.
const ARTIFACT_MARGIN: f32 = 0.2;
/// Letters larger than those of most of the text by so much are those of a heading.
const LARGE: f32 = 1.15;
/// Letters smaller than those of most of the text by so much are none of it.
const SMALL: f32 = 0.95;
/// Headers of pages are repeated within so many pages: left and right ones alternate.
const REACH: usize = 2;

/// What stands at an edge of a page: the edge, the number of the text, and how far the number in it is ahead of that of
/// the page; none of a text that is looked at as a whole.
type Key = (Kind, usize, Option<i64>);

/// What proves that a block is furniture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// Nothing does.
    None,
    /// It is repeated, or the title beside the number of the page.
    Text,
    /// It has the number of the page.
    Number,
    /// The file says so.
    Artifact,
}

/// What is known of the texts at the edges of all pages.
pub struct Proofs {
    n_pages: usize,
    body_size: f32,
    /// The texts at the edges by number; those of bare page numbers are empty.
    texts: HashMap<String, usize>,
    /// Where each stands: the place of the page, and the height.
    places: HashSet<(Key, usize, i32)>,
    /// On how many pages each stands.
    counts: HashMap<Key, usize>,
    /// Pages that have a bare number at an edge.
    numbered: HashSet<(Kind, usize)>,
}

impl Proofs {
    /// What the texts at the edges of pages say. O(n), but for sorting.
    pub fn of(pages: &[PageLayout], body_size: f32) -> Self {
        let mut proofs = Self {
            n_pages: pages.len(),
            body_size,
            texts: HashMap::new(),
            places: HashSet::new(),
            counts: HashMap::new(),
            numbered: HashSet::new(),
        };
        for (at, page) in pages.iter().enumerate() {
            for kind in [Kind::PageHeader, Kind::PageFooter] {
                let mut keys = HashSet::new();
                for block in page.blocks.iter().filter(|of| is_at_edge(page, of, kind, MARGIN)) {
                    for (text, ahead, _) in proofs.said(page, block) {
                        let n = proofs.texts.len();
                        let key = (kind, *proofs.texts.entry(text).or_insert(n), ahead);
                        proofs.places.insert((key, at, height(page, block, kind)));
                        keys.insert(key);
                    }
                    if bare_number(&block.lines).is_some() {
                        proofs.numbered.insert((kind, at));
                    }
                }
                for key in keys {
                    *proofs.counts.entry(key).or_default() += 1;
                }
            }
        }
        proofs
    }

    /// What a block says: its text; each number in it that may be that of the page, how far it is ahead, and the text
    /// beside it. Whether other pages prove it, or it needs more than one of them.
    fn said(&self, page: &PageLayout, block: &PageBlock) -> Vec<(String, Option<i64>, bool)> {
        let whole = (folded(&block.lines.join("\n")), None, false);
        let is_small = block.size <= SMALL * self.body_size;
        let numbers = page_numbers(&block.lines, block.is_apart).into_iter();
        let numbers = numbers.filter(|of| !of.is_plain || is_small);
        let ahead = |value: i64| Some(value.saturating_sub(page.number));
        [whole]
            .into_iter()
            .chain(numbers.map(|of| (of.rest, ahead(of.value), of.is_plain)))
            .collect()
    }

    /// The blocks of a row that are furniture: numbers of the page, and repeated texts if nothing else stands beside
    /// them.
    pub fn of_row(
        &self,
        at: usize,
        page: &PageLayout,
        kind: Kind,
        row: &[usize],
        is_first: bool,
    ) -> Vec<usize> {
        let block = |i: usize| &page.blocks[i];
        let number = |&i: &usize| self.has_page_number(at, page, block(i), kind, row);
        let numbered: Vec<bool> = row.iter().map(number).collect();
        let has_number = numbered.contains(&true);
        let is_titled = has_number && self.is_small_title(page, kind, row);
        let proof = |i: usize, is_numbered: bool| {
            // Headings of pages that look alike are repeated, too.
            let is_large = block(i).size > LARGE * self.body_size;
            let is_title = is_large && !(is_first && stands_apart(page, i, row));
            if is_title && !has_number {
                return Proof::None;
            }
            match () {
                () if block(i).is_artifact && is_at_edge(page, block(i), kind, ARTIFACT_MARGIN) => {
                    Proof::Artifact
                }
                () if is_numbered => Proof::Number,
                () if is_titled
                    || self.is_repeated(at, page, block(i), kind, has_number && !is_title) =>
                {
                    Proof::Text
                }
                () => Proof::None,
            }
        };
        let proofs: Vec<(usize, Proof)> =
            row.iter().zip(numbered).map(|(&i, is)| (i, proof(i, is))).collect();
        let unproven = proofs.iter().filter(|(_, proof)| *proof == Proof::None);
        let unproven = unproven.map(|&(i, _)| block(i).area.right).fold(f32::MIN, f32::max);
        let is_furniture = |(i, proof): (usize, Proof)| {
            let is_one = match proof {
                Proof::None => false,
                Proof::Text => has_number || unproven <= f32::MIN,
                // In front of a text it may be a marker.
                Proof::Number => unproven <= block(i).area.left,
                Proof::Artifact => true,
            };
            is_one.then_some(i)
        };
        proofs.into_iter().filter_map(is_furniture).collect()
    }

    /// Whether a block holds the number of its page, and nothing else that differs from page to page.
    fn has_page_number(
        &self,
        at: usize,
        page: &PageLayout,
        block: &PageBlock,
        kind: Kind,
        row: &[usize],
    ) -> bool {
        if block.kind != Kind::Paragraph || !is_at_edge(page, block, kind, MARGIN) {
            return false;
        }
        // It is raised above a text, or lowered below it.
        let around = block.area.grown(1.0);
        if page.blocks.iter().filter(|other| around.shared(other.area) > 0.0).count() > 1 {
            return false;
        }
        let mut said = self.said(page, block).into_iter().filter(|(_, ahead, _)| ahead.is_some());
        let is_proven = said.any(|(text, ahead, is_plain)| {
            let n = self.near(at, page, block, kind, &text, ahead);
            if is_plain { n > 1 || n == 1 && self.n_pages == 2 } else { n > 0 }
        });
        is_proven || self.is_lone_number(at, page, block, kind, row)
    }

    /// Whether a block is the number of its page, though no other page proves it: at the very edge, with nothing beside
    /// it but a title in small letters.
    fn is_lone_number(
        &self,
        at: usize,
        page: &PageLayout,
        block: &PageBlock,
        kind: Kind,
        row: &[usize],
    ) -> bool {
        let Some(Bare { value, is_named }) = bare_number(&block.lines) else { return false };
        let label = page.label.as_deref().map(|label| bare_number(&[label.to_owned()]));
        let own = label.unwrap_or(Some(Bare { value: page.number, is_named: false }));
        let is_own = own.is_some_and(|own| own.value == value);
        // A Roman number may be a letter or a word.
        let is_roman = !block.lines[0].contains(|c: char| c.is_ascii_digit());
        let is_contradicted =
            is_roman || others(at).any(|page| self.numbered.contains(&(kind, page)));
        let margin = if is_own { MARGIN } else { OUTERMOST };
        let is_alone = is_named || row.len() == 1 || self.is_small_title(page, kind, row);
        is_alone && is_at_edge(page, block, kind, margin) && (is_own || !is_contradicted)
    }

    /// Whether a row at the head of a page is a bare number and a title, in letters smaller than those of the text.
    fn is_small_title(&self, page: &PageLayout, kind: Kind, row: &[usize]) -> bool {
        let [a, b] = row[..] else { return false };
        let (a, b) = (&page.blocks[a], &page.blocks[b]);
        let is_small = |block: &PageBlock| {
            let is_line = block.kind == Kind::Paragraph && block.lines.len() == 1;
            is_line && block.size <= SMALL * self.body_size
        };
        let is_title = |block: &PageBlock| {
            let text = block.lines.join(" ");
            text.contains(' ') && !text.contains(|c: char| c.is_numeric() || ",:;".contains(c))
        };
        let is_pair =
            |number: &PageBlock, title| bare_number(&number.lines).is_some() && is_title(title);
        kind == Kind::PageHeader && is_small(a) && is_small(b) && (is_pair(a, b) || is_pair(b, a))
    }

    /// Whether the same text stands at the same edge of other pages.
    fn is_repeated(
        &self,
        at: usize,
        page: &PageLayout,
        block: &PageBlock,
        kind: Kind,
        is_beside_number: bool,
    ) -> bool {
        if block.kind != Kind::Paragraph || !is_at_edge(page, block, kind, MARGIN) {
            return false;
        }
        let text = folded(&block.lines.join("\n"));
        // It leads to what stands below.
        if text.ends_with([',', ':', ';']) || self.near(at, page, block, kind, &text, None) == 0 {
            return false;
        }
        let key = self.texts.get(&text).map(|&text| (kind, text, None));
        let count = key.and_then(|key| self.counts.get(&key)).copied().unwrap_or(0);
        // Sums and dates may be the same by chance.
        let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
        let is_half = count * 2 >= self.n_pages;
        let is_enough = if has_digits { count == self.n_pages } else { is_half };
        is_beside_number || count > 2 || is_enough
    }

    /// On how many of the pages near by the same stands at the same edge and height.
    fn near(
        &self,
        at: usize,
        page: &PageLayout,
        block: &PageBlock,
        kind: Kind,
        text: &str,
        ahead: Option<i64>,
    ) -> usize {
        let Some(&text) = self.texts.get(text) else { return 0 };
        let height = height(page, block, kind);
        let has = |page: usize| {
            let mut heights = height.saturating_sub(1)..=height.saturating_add(1);
            heights.any(|height| self.places.contains(&((kind, text, ahead), page, height)))
        };
        others(at).filter(|&page| has(page)).count()
    }
}

/// The pages near a page.
fn others(at: usize) -> impl Iterator<Item = usize> {
    (at.saturating_sub(REACH)..=at.saturating_add(REACH)).filter(move |&page| page != at)
}
