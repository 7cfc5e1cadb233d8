//! Document of the pages of a PDF: paragraphs and tables that go on over pages, lists, captions, notes.

use std::collections::HashMap;

use super::furniture::furniture;
use super::headings::outline::Outline;
use super::headings::{body_size, headings};
use super::join::{Vocabulary, add_line, is_cut};
use super::kinds::{is_caption, is_footnote, is_list_item};
use super::layout::{PageBlock, PageLayout};
use super::links::add_links;
use super::lists::Lists;
use super::page::Area;
use super::scans::recognised::turned_back;
use crate::blocks::{Block, BlockTable, read};
use chunkwright_text::elements::Kind;
use chunkwright_text::read::{PageBox, PageRead, Read};

/// Columns whose widths differ by no more are alike, in points.
const SAME_COLUMN: f32 = 8.0;
/// What shares more of its width with another block stands in its column.
const SAME_WIDTH: f32 = 0.3;
/// A caption stands no further from its figure or table, in points.
const CAPTION_GAP: f32 = 60.0;

/// The document of pages. O(n) in its text, but for what is sorted.
pub fn document(pages: &[PageLayout], outline: &Outline) -> Read {
    let body_size = body_size(pages);
    let left_out = furniture(pages, body_size);
    let headings =
        headings(pages, outline, body_size, |page, block| left_out[page][block].is_some());
    let mut writer = Writer {
        vocabulary: Vocabulary::of(pages),
        blocks: Vec::new(),
        places: Vec::new(),
        open: None,
        cut: None,
        lists: Lists::default(),
        table: None,
    };
    let mut behind = Vec::new();
    for (p, page) in pages.iter().enumerate() {
        for (b, block) in page.blocks.iter().enumerate() {
            match (left_out[p][b], headings.get(&(p, b))) {
                (Some(kind), _) => behind.push((kind, page, block)),
                (None, Some(&level)) => writer.heading(page, block, level),
                (None, None) => writer.add(page, b, body_size),
            }
        }
    }
    writer.captions();
    let n_body = writer.blocks.len();
    for (kind, page, block) in behind {
        writer.push(kind, 0, page, block);
    }
    let mut read = read(writer.blocks);
    read.n_body = Some(n_body);
    read.pages_read = pages.iter().map(page_read).collect();
    let recognised = pages.iter().filter(|page| page.quality.recognised.is_some());
    read.recognised = recognised.map(|page| page.number).collect();
    read
}

fn page_read(page: &PageLayout) -> PageRead {
    let PageLayout { number, width, height, quality, .. } = page;
    PageRead {
        number: *number,
        width: f64::from(*width),
        height: f64::from(*height),
        confidence: quality.confidence(),
        needs_ocr: quality.needs_ocr(),
    }
}

/// Where the last part of a block stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    page: i64,
    area: Area,
    column: Area,
    size: f32,
    end: f32,
    is_bold: bool,
    /// Whether it is a single line, which fills its column by itself.
    is_line: bool,
}

struct Writer {
    vocabulary: Vocabulary,
    blocks: Vec<Block>,
    /// For each block the place of its last part.
    places: Vec<Place>,
    /// The block that a paragraph of the next column or page may go on with.
    open: Option<usize>,
    /// The last block that ends within a word.
    cut: Option<usize>,
    lists: Lists,
    /// The last table, with the edges of its columns.
    table: Option<(usize, Vec<f32>)>,
}

impl Writer {
    fn heading(&mut self, page: &PageLayout, block: &PageBlock, level: u8) {
        self.lists.clear();
        self.push(Kind::Heading, level, page, block);
        self.open = None;
    }

    /// Adds a block that is neither a heading nor left out.
    fn add(&mut self, page: &PageLayout, number: usize, body_size: f32) {
        let block = &page.blocks[number];
        let kind = match block.kind {
            Kind::Paragraph if is_caption(block) => Kind::Caption,
            Kind::Paragraph if is_list_item(page, number) => Kind::ListItem,
            Kind::Paragraph if is_footnote(page, block, body_size) => Kind::Footnote,
            Kind::Paragraph => block.tag.map_or(Kind::Paragraph, |tag| match tag.kind {
                Kind::Quote | Kind::Formula | Kind::Caption | Kind::Footnote => tag.kind,
                _ => Kind::Paragraph,
            }),
            kind => kind,
        };
        match kind {
            Kind::Paragraph if self.goes_on(page, block) => {}
            Kind::Table if self.goes_on_table(page, block) => {}
            Kind::Code if self.goes_on_code(page, block) => {}
            Kind::ListItem => self.item(page, block),
            _ => {
                let is_flow = matches!(kind, Kind::Paragraph | Kind::Code | Kind::Quote);
                if is_flow {
                    self.lists.clear();
                }
                self.push(kind, 0, page, block);
                if is_flow {
                    self.open = None;
                }
                // No text goes on with code.
                if is_flow && kind != Kind::Code {
                    self.keep_open(self.blocks.len() - 1);
                }
            }
        }
    }

    /// Adds a block of its own.
    fn push(&mut self, kind: Kind, level: u8, page: &PageLayout, block: &PageBlock) {
        let mut of = Block { kind, ..Block::default() };
        let starts = match kind {
            Kind::Table => (0..block.line_areas.len()).collect(),
            _ => add_lines(&mut of, page, block, &self.vocabulary),
        };
        if let Some((_, xs)) = &block.table {
            self.table = Some((self.blocks.len(), xs.clone()));
        }
        self.blocks.push(Block {
            level,
            pages: vec![page.number],
            boxes: vec![page_box(page, block.area)],
            box_starts: vec![0],
            lines: line_boxes(&starts, page, block),
            confidence: block.confidence,
            table: block.table.as_ref().map(|(table, _)| table.clone()),
            ..of
        });
        self.places.push(place(page, block));
    }

    /// Adds an item to the list that is open, or to a new one.
    fn item(&mut self, page: &PageLayout, block: &PageBlock) {
        if self.lists.begins(page.number, block.area) {
            // A list in a list belongs to the item before it.
            let parent = self.lists.innermost().map(|_| self.blocks.len() - 1);
            self.lists.open(self.blocks.len(), block.area.left);
            self.blocks.push(Block { kind: Kind::List, parent, ..Block::default() });
            self.places.push(place(page, block));
        }
        let level = u8::try_from(self.lists.depth()).unwrap_or(u8::MAX);
        self.push(Kind::ListItem, level, page, block);
        let number = self.blocks.len() - 1;
        self.blocks[number].parent = self.lists.innermost();
        self.keep_open(number);
    }

    /// Adds a paragraph to the one before it that goes on in another column or on another page, or else to the last one
    /// that ends within a word.
    fn goes_on(&mut self, page: &PageLayout, block: &PageBlock) -> bool {
        let before = [self.open, self.cut].into_iter().flatten();
        let Some(number) = before.into_iter().find(|&of| self.goes_on_with(of, page, block)) else {
            return false;
        };
        let starts = add_lines(&mut self.blocks[number], page, block, &self.vocabulary);
        self.extend(number, page, block, &starts);
        self.keep_open(number);
        true
    }

    /// Says that text may go on with a block.
    fn keep_open(&mut self, number: usize) {
        self.open = Some(number);
        if self.cut == Some(number) {
            self.cut = None;
        }
        if is_cut(&self.blocks[number].text) {
            self.cut = Some(number);
        }
    }

    /// Whether a block goes on with the text of another one.
    fn goes_on_with(&self, number: usize, page: &PageLayout, block: &PageBlock) -> bool {
        let before = self.places[number];
        let is_near = (0..=1).contains(&(page.number - before.page));
        let is_alike = (block.size - before.size).abs() <= 0.08 * before.size
            && (block.is_bold == before.is_bold);
        let Some(first) = block.lines.first().and_then(|line| line.chars().next()) else {
            return false;
        };
        if !is_near || !is_alike {
            return false;
        }
        let text = self.blocks[number].text.trim_end();
        let is_on_page = page.number == before.page;
        let shared = block.area.shared_width(before.area);
        let is_beside = shared < SAME_WIDTH * block.area.width().min(before.area.width());
        let is_above = block.area.top < before.area.bottom - before.size;
        if is_on_page && is_above && !is_beside && !block.is_turned {
            return false;
        }
        if is_cut(text) && first.is_lowercase() {
            return true;
        }
        let ends = text.ends_with(['.', '!', '?', ':', ';', '\u{3002}', '\u{6d4}']);
        let is_whole_line = before.is_line && !is_on_page;
        let is_full = !is_whole_line && before.end > before.column.right - 3.0 * before.size;
        let is_open = first.is_lowercase()
            || text.ends_with(['-', '\u{ad}', ','])
            || is_full && !ends && first.is_alphanumeric();
        self.open == Some(number) && (!is_on_page || is_above) && !ends && is_open
    }

    /// Adds a table to the one before it that goes on: on the next page, or in the next column under the same header.
    fn goes_on_table(&mut self, page: &PageLayout, block: &PageBlock) -> bool {
        let (Some((table, xs)), Some((number, above_xs))) = (&block.table, &self.table) else {
            return false;
        };
        let number = *number;
        let is_last = self.blocks[number + 1..].iter().all(|block| block.kind == Kind::Footnote);
        let before = self.places[number];
        let Some(above) = &mut self.blocks[number].table else { return false };
        let is_repeated = !header(table).is_empty() && header(above) == header(table);
        let is_beside = page.number == before.page
            && block.area.left > before.area.right
            && block.area.bottom < before.area.top;
        let is_next = page.number == before.page + 1 || is_beside && is_repeated;
        let is_same = is_repeated || are_alike(above_xs, xs);
        // A text above it may have been added to one of the page before.
        let is_below_text = !is_beside
            && self.open.is_some_and(|open| {
                let text = self.places[open];
                text.page == page.number && text.area.bottom <= block.area.top
            });
        if !is_last || is_below_text || !is_next || above.shape[1] != table.shape[1] || !is_same {
            return false;
        }
        let n = above.n_header_rows;
        let repeated = if is_repeated { n } else { 0 };
        let at = above.shape[0];
        let kept = table.cells.iter().filter(|cell| cell.rows.start >= repeated).cloned();
        above.cells.extend(kept.map(|mut cell| {
            cell.rows = cell.rows.start - repeated + at..cell.rows.end - repeated + at;
            cell
        }));
        above.shape[0] += table.shape[0] - repeated;
        // What repeats the header says nothing of its own.
        let rows: Vec<usize> =
            (0..table.shape[0]).map(|row| at + row.saturating_sub(repeated)).collect();
        self.extend(number, page, block, &rows);
        true
    }

    /// Adds code to that right above it.
    fn goes_on_code(&mut self, page: &PageLayout, block: &PageBlock) -> bool {
        let Some(last) = self.blocks.len().checked_sub(1) else { return false };
        let before = self.places[last];
        let gap = block.area.top - before.area.bottom;
        let is_below = page.number == before.page && (0.0..3.0 * block.size).contains(&gap);
        if self.blocks[last].kind != Kind::Code || !is_below {
            return false;
        }
        if gap > 1.2 * block.size {
            self.blocks[last].text.push('\n');
        }
        let starts = add_lines(&mut self.blocks[last], page, block, &self.vocabulary);
        self.blocks[last].lines.extend(line_boxes(&starts, page, block));
        let around = page_box(page, before.area.around(block.area));
        self.blocks[last].boxes.pop();
        self.blocks[last].boxes.push(around);
        self.places[last] = Place { area: before.area.around(block.area), ..place(page, block) };
        true
    }

    /// Says that a block goes on at another place, with lines that begin at these bytes of its text, or rows of the
    /// table.
    fn extend(&mut self, number: usize, page: &PageLayout, block: &PageBlock, starts: &[usize]) {
        let of = &mut self.blocks[number];
        if of.pages.last() != Some(&page.number) {
            of.pages.push(page.number);
        }
        of.confidence = joined(of.confidence, of.boxes.len(), block.confidence);
        of.boxes.push(page_box(page, block.area));
        of.box_starts.push(starts.first().copied().unwrap_or_default());
        of.lines.extend(line_boxes(starts, page, block));
        self.places[number] = place(page, block);
    }

    /// Gives captions the nearest figure or table of their page.
    fn captions(&mut self) {
        let mut by_page: HashMap<i64, Vec<usize>> = HashMap::new();
        for (i, block) in self.blocks.iter().enumerate() {
            if matches!(block.kind, Kind::Figure | Kind::Table) {
                block.pages.iter().for_each(|page| by_page.entry(*page).or_default().push(i));
            }
        }
        for i in 0..self.blocks.len() {
            if self.blocks[i].kind != Kind::Caption {
                continue;
            }
            let caption = self.places[i];
            let near = by_page.get(&caption.page).map_or(&[][..], Vec::as_slice).iter();
            let gap = |of: usize| gap(caption.area, self.places[of].area);
            let nearest = near.copied().min_by(|&a, &b| gap(a).total_cmp(&gap(b)));
            self.blocks[i].caption_of = nearest.filter(|&of| gap(of) <= CAPTION_GAP);
        }
    }
}

/// How sure an engine is of `n` parts, of which that is known together, and of another one.
fn joined(parts: Option<f64>, n: usize, other: Option<f64>) -> Option<f64> {
    let n = f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    match (parts, other) {
        (Some(parts), Some(other)) => Some((parts * n + other) / (n + 1.0)),
        (known, None) | (None, known) => known,
    }
}

/// Adds the lines of a block with their links to the text of another one, and returns where each begins.
fn add_lines(
    to: &mut Block,
    page: &PageLayout,
    block: &PageBlock,
    vocabulary: &Vocabulary,
) -> Vec<usize> {
    let mut links = &block.links[..];
    let mut starts = Vec::with_capacity(block.lines.len());
    for (i, line) in block.lines.iter().enumerate() {
        let start = if to.kind == Kind::Code {
            add_code(&mut to.text, line)
        } else {
            add_line(&mut to.text, line, vocabulary)
        };
        starts.push(start);
        let of_line = links.iter().take_while(|part| part.line == i).count();
        let (parts, others) = links.split_at(of_line);
        links = others;
        if !parts.is_empty() {
            add_links(&mut to.links, &to.text, (line, start), parts, &page.targets);
        }
    }
    starts
}

/// Adds a line of code, and returns where it begins.
fn add_code(text: &mut String, line: &str) -> usize {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
    text.len() - line.len()
}

/// Where the lines of a block, which begin at these places, stand; none if that is not known of each.
fn line_boxes(starts: &[usize], page: &PageLayout, block: &PageBlock) -> Vec<(usize, [f32; 4])> {
    let areas = if starts.len() == block.line_areas.len() { &block.line_areas[..] } else { &[] };
    let edges = |area: &Area| {
        let area = turned_back(*area, [page.width, page.height], page.skew);
        [area.left, area.top, area.right, area.bottom]
    };
    starts.iter().zip(areas).map(|(&start, area)| (start, edges(area))).collect()
}

/// Whether columns have the same widths, wherever they stand.
fn are_alike(a: &[f32], b: &[f32]) -> bool {
    let widths = |xs: &[f32]| xs.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let (a, b) = (widths(a), widths(b));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= SAME_COLUMN)
}

/// The texts of the header rows of a table, with their columns.
fn header(table: &BlockTable) -> Vec<(usize, &str)> {
    let n = table.n_header_rows;
    // Cells stand row by row.
    let cells = table.cells.iter().take_while(|cell| cell.rows.start < n);
    let filled = cells.filter(|cell| !cell.text.is_empty());
    filled.map(|cell| (cell.cols.start, &*cell.text)).collect()
}

/// How far two areas are apart above each other; far if they are beside each other.
fn gap(a: Area, b: Area) -> f32 {
    let aside = (-a.shared_width(b)).max(0.0);
    (-a.shared_height(b)).max(0.0) + aside
}

fn place(page: &PageLayout, block: &PageBlock) -> Place {
    let PageBlock { area, column, size, end, is_bold, .. } = *block;
    let is_line = block.lines.len() == 1;
    Place { page: page.number, area, column, size, end, is_bold, is_line }
}

fn page_box(page: &PageLayout, area: Area) -> PageBox {
    let area = turned_back(area, [page.width, page.height], page.skew);
    PageBox {
        page: Some(page.number),
        edges: [area.left, area.top, area.right, area.bottom].map(f64::from),
        width: Some(f64::from(page.width)),
        height: Some(f64::from(page.height)),
    }
}
