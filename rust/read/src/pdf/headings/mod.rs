//! Headings of a document: from its outline and its tags, else by size, weight and numbering.

pub mod bylines;
pub mod candidates;
pub mod numbering;
pub mod outline;
pub mod run_in;
pub mod sections;

use std::collections::HashMap;

use self::bylines::byline;
use self::candidates::{SURE, entries, is_alone, may_be};
use self::numbering::{MAX_LEVEL, depth, is_letter, is_roman, number_of};
use self::outline::Outline;
use self::sections::{Lines, Numbered, counted, lettered};
use super::join::is_unspaced;
use super::layout::{PageBlock, PageLayout, halves};
use chunkwright_text::elements::Kind;

/// Letters larger than those of most of the text by so much are those of a heading.
const LARGE: f32 = 1.12;
/// Letters larger than those of most of the text by so much are those of a title.
const TITLE: f32 = 1.6;
/// A title that ends with a stop has no more words.
const MAX_STOPPED: usize = 3;
/// A title that is in italics without a number, or ends with a colon, has no more words.
const MAX_WORDS: usize = 8;

/// Look of a heading: its size in half points, and whether it is bold.
type Look = (u32, bool);

/// The size of most letters of a document; 0 if it has none. O(blocks).
pub fn body_size(pages: &[PageLayout]) -> f32 {
    let mut sizes: HashMap<u32, [usize; 2]> = HashMap::new();
    let blocks = pages.iter().flat_map(|page| &page.blocks);
    let is_body = |block: &&PageBlock| {
        matches!(block.kind, Kind::Paragraph | Kind::ListItem | Kind::Table) && !block.is_aside
    };
    for block in blocks.filter(is_body) {
        let [n_bytes, n_lines] = sizes.entry(halves(block.size)).or_default();
        *n_bytes += block.n_bytes();
        *n_lines += block.lines.len().max(block.line_areas.len());
    }
    // Notes may have more letters than the text of a page, but titles have few lines.
    let most = sizes.values().map(|[n_bytes, _]| *n_bytes).max().unwrap_or(0);
    sizes.retain(|_, [n_bytes, _]| *n_bytes * 3 > most * 2);
    let n_lines = sizes.values().map(|[_, n_lines]| *n_lines).max().unwrap_or(0);
    let body =
        sizes.into_iter().filter(|(_, [_, lines])| lines * 2 > n_lines).map(|(size, _)| size);
    #[allow(clippy::cast_precision_loss, reason = "half points")]
    body.max().map_or(0.0, |size| size as f32 / 2.0)
}

fn look(block: &PageBlock) -> Look {
    (halves(block.size), block.is_bold)
}

/// A heading that was found.
#[derive(Clone, Copy, Debug)]
struct Found {
    page: usize,
    block: usize,
    /// Its level, if the file states it.
    stated: Option<u8>,
    /// How many numbers its numbering has.
    depth: Option<u8>,
    look: Look,
    /// Whether it stands right below a title, much smaller.
    is_subtitle: bool,
}

/// For each block of each page the level of the heading that it is. O(blocks log blocks).
///
/// `is_left_out` says of blocks that they are headers or footers of pages.
pub fn headings(
    pages: &[PageLayout],
    outline: &Outline,
    body_size: f32,
    is_left_out: impl Fn(usize, usize) -> bool,
) -> HashMap<(usize, usize), u8> {
    let tagged = pages.iter().flat_map(|page| &page.blocks).filter(|block| is_tagged(block));
    let largest = tagged.map(|block| block.size).reduce(f32::max);
    let mut found = told(pages, outline, body_size, largest, &is_left_out);
    if largest.is_none() {
        let known = found.iter().map(|heading| (heading.page, heading.block)).collect();
        found.extend(numbered(&Lines { pages, body_size, is_left_out: &is_left_out, known }));
    }
    found.sort_by_key(|heading| (heading.page, heading.block));
    leave_byline(pages, &mut found);
    // If no other heading looks like it, it begins no section.
    let mut n_alike: HashMap<Look, usize> = HashMap::new();
    for heading in &found {
        *n_alike.entry(heading.look).or_default() += 1;
    }
    found.retain(|heading| !heading.is_subtitle || n_alike[&heading.look] > 1);
    let number = |of: &Found| number_of(&pages[of.page].blocks[of.block].lines[0]);
    if found.iter().any(|of| number(of).is_some_and(is_roman)) {
        // Below sections with Roman numbers, letters number the next level.
        for heading in found.iter_mut().filter(|of| of.depth.is_none()) {
            heading.depth = number(heading).filter(|number| is_letter(number)).map(|_| 2);
        }
    }
    levels(&found)
}

/// The headings that the outline or the tags state, or that look like headings. `largest` is the size of the largest
/// that the tags state, if there are any.
fn told(
    pages: &[PageLayout],
    outline: &Outline,
    body_size: f32,
    largest: Option<f32>,
    is_left_out: &impl Fn(usize, usize) -> bool,
) -> Vec<Found> {
    let mut found = Vec::new();
    for (p, page) in pages.iter().enumerate() {
        let entries = entries(page);
        for (b, block) in page.blocks.iter().enumerate() {
            if is_left_out(p, b) || !may_be(block) || entries.contains(&b) {
                continue;
            }
            let stated = stated(block, page.number, outline);
            // Word and LaTeX tag titles as paragraphs: they are larger than all headings that the tags state.
            let is_small = |largest: f32| block.size <= LARGE * largest;
            let is_body = !is_tagged(block) && block.tag.is_some() && largest.is_some_and(is_small);
            if stated.is_some() || !is_body && looks_like_heading(page, b, body_size) {
                let depth = depth(&block.lines[0]);
                let is_subtitle = stated.is_none() && is_subtitle(page, b, body_size);
                let look = look(block);
                found.push(Found { page: p, block: b, stated, depth, look, is_subtitle });
            }
        }
    }
    found
}

/// The headings that nothing but their numbers tells.
fn numbered(lines: &Lines<'_>) -> Vec<Found> {
    let numbered = counted(lines).into_iter().chain(lettered(lines));
    let heading = |of: Numbered| Found {
        page: of.page,
        block: of.block,
        stated: None,
        depth: Some(of.depth),
        look: look(&lines.pages[of.page].blocks[of.block]),
        is_subtitle: false,
    };
    numbered.map(heading).collect()
}

/// Leaves out the authors below the title of the first page.
fn leave_byline(pages: &[PageLayout], found: &mut Vec<Found>) {
    let Some(first) = pages.first() else { return };
    let of_first = found.iter().filter(|heading| heading.page == 0);
    let of_first: Vec<usize> = of_first.map(|heading| heading.block).collect();
    let byline = byline(first, &of_first);
    let is_told = |heading: &Found| heading.stated.is_some() || heading.depth.is_some();
    found.retain(|of| of.page > 0 || is_told(of) || !byline.contains(&of.block));
}

/// The level that the outline or the tags state.
fn stated(block: &PageBlock, page: i64, outline: &Outline) -> Option<u8> {
    let by_tag = block.tag.filter(|tag| tag.kind == Kind::Heading && tag.level > 0);
    outline.level(&block.lines.join(" "), page).or(by_tag.map(|tag| tag.level))
}

/// Whether a tagged file says that a block is a heading.
fn is_tagged(block: &PageBlock) -> bool {
    block.tag.is_some_and(|tag| tag.kind == Kind::Heading)
}

fn looks_like_heading(page: &PageLayout, b: usize, body_size: f32) -> bool {
    let block = &page.blocks[b];
    if block.is_run_in || is_tagged(block) {
        return true;
    }
    let text = block.lines.join(" ");
    let text = text.trim();
    let first = text.chars().next().unwrap_or(' ');
    let is_begun = !first.is_lowercase()
        && (first.is_alphanumeric()
            || matches!(first, '(' | '\u{a7}' | '"' | '\u{201c}' | '\u{bf}' | '['));
    let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let is_text = n_letters * 2 >= text.chars().filter(|c| !c.is_whitespace()).count()
        && !is_sign(text, n_letters);
    if !is_begun || !is_text {
        return false;
    }
    let number = depth(text);
    if block.size > LARGE * body_size {
        let n_words = text.split_whitespace().count();
        let is_sentence = text.ends_with('.') && number.is_none() && n_words > MAX_STOPPED;
        return !is_sentence || block.size > TITLE * body_size && block.lines.len() == 1;
    }
    // A bold line of a few words with a colon leads what stands below it.
    let is_lead = text.ends_with(':') && block.is_bold && block.lines.len() == 1 && is_plain(text);
    let is_sentence =
        text.ends_with(['.', ',', ';', ':']) && !is_lead && !(number.is_some() && text.len() < 80);
    let is_line = block.lines.len() <= 2 && text.len() <= 120 && !is_sentence;
    // Other families of letters for titles have smaller ones, so a number of two parts is asked for.
    let is_sure = block.is_bold && number.is_some_and(|depth| depth > 1);
    let is_normal = block.size > if is_sure { SURE } else { 0.93 } * body_size;
    let is_capital = !text.chars().any(char::is_lowercase) && first.is_uppercase();
    let is_caps = block.is_caps && (first.is_uppercase() || number.is_some());
    let is_upper = n_letters > 3 && (is_capital || is_caps);
    let is_alone = is_alone(page, b);
    is_line
        && is_normal
        && (block.is_bold && (is_alone || number.is_some())
            || number.is_some() && (block.is_italic || is_upper) && is_alone
            || block.is_italic
                && is_alone
                && is_plain(text)
                && block.lines.len() == 1
                && leads(page, b)
            || is_upper && is_alone && block.lines.len() == 1 && block.size >= 0.98 * body_size
            || number.is_some_and(|depth| depth > 1) && is_alone && block.lines.len() == 1)
}

/// Whether a text of so many letters is a sign, such as a large one of a formula: two letters are no word, but in
/// Chinese.
fn is_sign(text: &str, n_letters: usize) -> bool {
    n_letters < 2 || n_letters == 2 && !text.chars().any(is_unspaced)
}

/// Whether a text is a few words without signs of formulas.
fn is_plain(text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_digit() || "=+<>|/\\^".contains(c);
    text.split_whitespace().count() <= MAX_WORDS && !text.contains(is_sign)
}

/// Whether a block stands right below a title that is much larger.
fn is_subtitle(page: &PageLayout, b: usize, body_size: f32) -> bool {
    let block = &page.blocks[b];
    b.checked_sub(1).map(|above| &page.blocks[above]).is_some_and(|above| {
        let gap = block.area.top - above.area.bottom;
        !block.is_bold
            && above.size > TITLE * body_size
            && block.size < 0.8 * above.size
            && (0.0..2.0 * above.size).contains(&gap)
            && depth(&block.lines[0]).is_none()
    })
}

/// Whether upright text stands right below a block, in its column.
fn leads(page: &PageLayout, b: usize) -> bool {
    let block = &page.blocks[b];
    page.blocks.get(b + 1).is_some_and(|below| {
        let gap = below.area.top - block.area.bottom;
        below.kind == Kind::Paragraph
            && !below.is_italic
            && below.area.shared_width(block.area) > 0.0
            && (-2.0..2.0 * block.size).contains(&gap)
            && below.n_bytes() > block.n_bytes()
    })
}

/// The levels of headings: as stated; else that of others that look alike; else by look, from large to small, and
/// by numbering.
fn levels(found: &[Found]) -> HashMap<(usize, usize), u8> {
    let mut stated: HashMap<Look, u8> = HashMap::new();
    for heading in found {
        if let Some(level) = heading.stated {
            stated.entry(heading.look).and_modify(|of| *of = level.min(*of)).or_insert(level);
        }
    }
    let mut looks: Vec<Look> = found
        .iter()
        .map(|heading| heading.look)
        .filter(|look| !stated.contains_key(look))
        .collect();
    looks.sort_unstable_by(|a, b| b.cmp(a));
    looks.dedup();
    let by_look = by_look(&looks, &stated);
    let by_depth = by_depth(found, &by_look);
    let level = |heading: &Found| {
        let by_number = heading.depth.and_then(|depth| by_depth.get(&depth).copied());
        let by_look = stated.get(&heading.look).or(by_look.get(&heading.look)).copied();
        heading.stated.or(by_number).or(by_look).unwrap_or(1).clamp(1, MAX_LEVEL)
    };
    found.iter().map(|heading| ((heading.page, heading.block), level(heading))).collect()
}

/// Levels of looks that no outline states: below each that is larger.
fn by_look(looks: &[Look], stated: &HashMap<Look, u8>) -> HashMap<Look, u8> {
    let mut levels: HashMap<Look, u8> = HashMap::new();
    for look in looks {
        let larger = stated.iter().chain(&levels).filter(|(of, _)| *of > look);
        let above = larger.map(|(_, level)| *level).max().unwrap_or(0);
        levels.insert(*look, (above + 1).min(MAX_LEVEL));
    }
    levels
}

/// Levels by the numbers of a numbering, if those of one number look alike: each below that with one number less.
fn by_depth(found: &[Found], by_look: &HashMap<Look, u8>) -> HashMap<u8, u8> {
    let of_depth = |depth: u8| found.iter().filter(move |heading| heading.depth == Some(depth));
    let mut levels = HashMap::new();
    let first = of_depth(1).filter_map(|heading| by_look.get(&heading.look)).min().copied();
    let Some(first) = first else { return levels };
    for depth in 1..=MAX_LEVEL {
        if of_depth(depth).next().is_some() {
            levels.insert(depth, (first + depth - 1).min(MAX_LEVEL));
        }
    }
    levels
}
