//! Layout of a page: its blocks in reading order, each with its place and how it looks.

use super::figures::{drawings, figures};
use super::headings::outline::Outline;
use super::headings::run_in;
use super::lines::{Line, lines};
use super::links::{LinkedPart, linked_parts};
use super::order::{Place, reading_order};
use super::page::{Area, PageContent, Tag};
use super::paragraphs::{Paragraph, begins_item, paragraphs};
use super::quality::PageQuality;
use super::tables::bands::stripes;
use super::tables::cell_links;
use super::tables::framed::{framed, opened};
use super::tables::grids::{ruled_grids, rules_across, without_underlines};
use super::tables::refined::refined;
use super::tables::unruled::unruled;
use super::tables::{FoundTable, ruled};
use super::turns::Direction;
use super::vertical;
use super::words::{Words, is_rtl};
use crate::blocks::BlockTable;
use chunkwright_text::elements::Kind;

/// A letter of fonts whose letters have one width is so wide, in its size.
const MONO_WIDTH: f32 = 0.6;
/// A grid of which more is a drawing is no table.
const MAX_DRAWN: f32 = 0.3;
/// A page with more rectangles that are filled is a drawing.
const MAX_FILLS: usize = 4000;
/// So many of a hundred characters of code are signs, at least.
const MIN_SIGNS: usize = 4;
/// A gap of so much of the size is wider than a blank between words.
const SET_APART: f32 = 0.55;
/// Code is moved by no more blanks than this.
const MAX_INDENT: f32 = 60.0;

/// A block of a page.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each says another thing")]
pub struct PageBlock {
    /// A first guess of its kind.
    pub kind: Kind,
    /// Its lines.
    pub lines: Vec<String>,
    /// The parts of its lines that link.
    pub links: Vec<LinkedPart>,
    /// Where its lines, or the rows of a table, stand, if that is known.
    pub line_areas: Vec<Area>,
    /// The black of it.
    pub area: Area,
    /// How far the column reaches in which it stands.
    pub column: Area,
    /// The size of its letters.
    pub size: f32,
    /// Whether all of it is bold.
    pub is_bold: bool,
    /// Whether all of it is italic.
    pub is_italic: bool,
    /// Whether most of each line is in small capitals.
    pub is_caps: bool,
    /// Whether the file says that it is no part of the content.
    pub is_artifact: bool,
    /// Whether it begins with the marker of an item.
    pub is_item: bool,
    /// Whether it is a title within the first line of a paragraph.
    pub is_run_in: bool,
    /// Whether its text runs up, down or askew.
    pub is_turned: bool,
    /// Whether its text runs in another direction than most of its page.
    pub is_aside: bool,
    /// Whether a gap sets the first and the last word of its only line apart from the others.
    pub is_apart: [bool; 2],
    /// The edge at which its last line ends.
    pub end: f32,
    /// What a tagged file says of it.
    pub tag: Option<Tag>,
    /// How sure the engine is that recognised it, from 0 to 1; none if the file has its text.
    pub confidence: Option<f64>,
    /// The cells of a table, and the edges of its columns.
    pub table: Option<(BlockTable, Vec<f32>)>,
}

impl PageBlock {
    /// The bytes of its lines and cells.
    pub fn n_bytes(&self) -> usize {
        let cells = self.table.iter().flat_map(|(table, _)| &table.cells);
        self.lines.iter().chain(cells.map(|cell| &cell.text)).map(String::len).sum()
    }
}

/// The blocks of a page in reading order.
#[derive(Clone, Debug, Default)]
pub struct PageLayout {
    /// Its number, from 1.
    pub number: i64,
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// What the file calls it, such as `xii`.
    pub label: Option<String>,
    /// The blocks.
    pub blocks: Vec<PageBlock>,
    /// The targets of its links.
    pub targets: Vec<Box<str>>,
    /// How well it could be read.
    pub quality: PageQuality,
    /// The angle by which it was turned to stand upright, clockwise and in radians: that of a scan.
    pub skew: f32,
}

impl PageBlock {
    /// The block of a page that was turned, at its place on the page itself.
    fn turned_back(self, direction: &Direction) -> Self {
        let back = |area: Area| direction.turned_back(area);
        let line_areas = self.line_areas.iter().map(|area| back(*area)).collect();
        let (area, column) = (back(self.area), back(self.column));
        Self { line_areas, area, column, is_turned: true, ..self }
    }
}

impl PageLayout {
    /// The layout of a page. O(n log n) in its glyphs, but for lines and pictures; see [`ruled_grids`] and
    /// [`figures`].
    pub fn of(mut page: PageContent, outline: &Outline) -> Self {
        if is_typewritten(&page) {
            page.styles.iter_mut().for_each(|style| style.is_mono = false);
        }
        vertical::set(&mut page);
        let page = &page;
        let quality = PageQuality::of(page);
        let mut blocks = blocks(page, outline);
        for direction in Direction::all(page) {
            let turned = self::blocks(&direction.turned(page), outline).into_iter();
            blocks.extend(turned.map(|block| block.turned_back(&direction)));
        }
        set_aside(&mut blocks);
        let PageContent { number, width, height, .. } = *page;
        let skew = page.recognition.as_ref().map_or(0.0, |recognition| recognition.skew);
        let (label, targets) = (page.label.clone(), page.targets.clone());
        Self { number, width, height, label, blocks, targets, quality, skew }
    }
}

/// Says of blocks that are turned that they are an aside, unless the page is turned: most of its text runs so.
fn set_aside(blocks: &mut [PageBlock]) {
    let n_bytes = |is_turned: bool| -> usize {
        blocks.iter().filter(|block| block.is_turned == is_turned).map(PageBlock::n_bytes).sum()
    };
    let is_upright = n_bytes(true) <= n_bytes(false);
    for block in blocks {
        block.is_aside = block.is_turned && is_upright;
    }
}

/// Whether most of a page is in letters of one width that say no code.
fn is_typewritten(page: &PageContent) -> bool {
    let is_sign = |c: char| "{}[]();=<>_/\\#|$+&".contains(c);
    let (mut n, mut n_mono, mut n_signs) = (0, 0, 0);
    for glyph in page.glyphs.iter().filter(|glyph| glyph.is_drawn && !glyph.c.is_whitespace()) {
        n += 1;
        if page.styles.get(glyph.style as usize).is_some_and(|style| style.is_mono) {
            n_mono += 1;
            n_signs += usize::from(is_sign(glyph.c));
        }
    }
    n_mono * 2 > n && n_signs * 100 < n_mono * MIN_SIGNS
}

/// A part of a page before it is put in order.
struct Part {
    block: PageBlock,
    /// Its places in the order of the file, and the rows that it stands in.
    places: Vec<(usize, usize)>,
}

/// The blocks of what runs to the right, in reading order.
fn blocks(page: &PageContent, outline: &Outline) -> Vec<PageBlock> {
    let words = Words::of(page);
    let mut free = vec![true; words.words.len()];
    let mut parts = Vec::new();
    let drawings = drawings(page);
    // Lines of a drawing cross by chance.
    let is_drawn = |of: Area| {
        let drawn = drawings.iter().map(|area| area.shared(of));
        drawn.sum::<f32>() > MAX_DRAWN * of.size()
    };
    let rules = without_underlines(&page.rules, &words);
    // More are a drawing.
    let fills = if page.fills.len() > MAX_FILLS { &[][..] } else { &page.fills[..] };
    let across = rules_across(&rules);
    for grid in ruled_grids(&rules).into_iter().filter(|grid| !is_drawn(grid.area())) {
        let open = opened(&words, &free, &grid, &across);
        let grid = refined(&grid, &words, &free, fills);
        if let Some(table) = grid.and_then(|grid| open.or_else(|| ruled(&words, &grid, &free))) {
            parts.push(table_part(page, &words, table, &mut free));
        }
    }
    let grids: Vec<Area> = parts.iter().map(|part: &Part| part.block.area).collect();
    // A frame around tables is none.
    let is_taken = |of: Area| is_drawn(of) || grids.iter().any(|grid| of.holds(grid.middle()));
    for table in framed(&words, &free, &across, &stripes(fills), is_taken) {
        parts.push(table_part(page, &words, table, &mut free));
    }
    let tables: Vec<Area> = parts.iter().map(|part| part.block.area).collect();
    for figure in figures(page, &words, &free, &tables) {
        let order = take(&figure.words, &mut free);
        let confidence = confidence(page, &words, &figure.words);
        let line = Line { words: figure.words, ..Line::default() };
        let text = line.text(&words);
        let lines = if text.is_empty() { Vec::new() } else { vec![text] };
        let size = most(line.words.iter().map(|&i| words.words[i].size));
        let block = PageBlock {
            kind: Kind::Figure,
            lines,
            area: figure.area,
            size,
            confidence,
            ..PageBlock::default()
        };
        parts.push(Part { block, places: vec![(order, usize::MAX)] });
    }
    let mut lines = lines(page, &words, &free);
    let rows = unruled(&words, &lines, &across, fills, &drawings);
    for row in rows.entries {
        let of_row: Vec<usize> =
            row.iter().flat_map(|&i| std::mem::take(&mut lines[i].words)).collect();
        let entry = Line::of_words(page, &words, of_row, lines[row[0]].row);
        let mut part = text_part(page, &words, &Paragraph::of(entry));
        part.block.kind = Kind::ListItem;
        parts.push(part);
    }
    for mut table in rows.tables {
        let of = table.parts.iter().map(|&i| lines[i].order()).min().unwrap_or(0);
        let size = most(table.parts.iter().map(|&i| lines[i].size));
        let own: Vec<usize> =
            table.parts.iter().flat_map(|&i| std::mem::take(&mut lines[i].words)).collect();
        cell_links::set(&mut table, &words, &own, &page.targets);
        let confidence = confidence(page, &words, &own);
        let block = PageBlock { confidence, ..table_block(table, size) };
        parts.push(Part { block, places: vec![(of, usize::MAX)] });
    }
    lines.retain(|line| !line.words.is_empty());
    let lines = outline.mark(page, &words, lines);
    let of_lines = paragraphs(&words, lines).into_iter();
    let of_lines = of_lines.flat_map(|paragraph| run_in::parted(page, &words, paragraph));
    parts.extend(of_lines.map(|paragraph| text_part(page, &words, &paragraph)));
    in_order(parts)
}

/// How sure the engine is of words that it recognised, by their letters; none if the file has them.
fn confidence(page: &PageContent, words: &Words, numbers: &[usize]) -> Option<f64> {
    let own = numbers.iter().map(|&i| &words.words[i]);
    page.recognition.as_ref()?.mean(own.map(|word| (word.style, word.text.len())))
}

/// The part of a table of words, which it takes.
fn table_part(page: &PageContent, words: &Words, mut table: FoundTable, free: &mut [bool]) -> Part {
    let parts = std::mem::take(&mut table.parts);
    cell_links::set(&mut table, words, &parts, &page.targets);
    let order = take(&parts, free);
    let size = most(parts.iter().map(|&i| words.words[i].size));
    let confidence = confidence(page, words, &parts);
    let block = PageBlock { confidence, ..table_block(table, size) };
    Part { block, places: vec![(order, usize::MAX)] }
}

/// Takes words by their numbers, and returns the first of them.
fn take(numbers: &[usize], free: &mut [bool]) -> usize {
    for &i in numbers {
        free[i] = false;
    }
    numbers.iter().copied().min().unwrap_or(usize::MAX)
}

/// The blocks of parts in reading order. Figures without words stand where the file has what is below them.
fn in_order(mut parts: Vec<Part>) -> Vec<PageBlock> {
    place_figures(&mut parts);
    parts.sort_by_key(|part| part.places.iter().map(|place| place.0).min());
    let areas: Vec<Area> = parts.iter().map(|part| part.block.area).collect();
    let place = |(block, part): (usize, &Part)| {
        let of = part.places.clone().into_iter();
        of.map(move |(order, row)| Place { block, order, row }).collect::<Vec<_>>()
    };
    let mut places: Vec<Place> = parts.iter().enumerate().flat_map(place).collect();
    // Parts that stand in no row are in rows of their own.
    for (i, place) in places.iter_mut().enumerate().filter(|(_, place)| place.row == usize::MAX) {
        place.row = usize::MAX - i;
    }
    let letters =
        parts.iter().flat_map(|part| part.block.lines.iter()).flat_map(|line| line.chars());
    let (n_rtl, n) = letters
        .filter(|c| c.is_alphabetic())
        .fold((0, 0), |(rtl, n), c| (rtl + usize::from(is_rtl(c)), n + 1));
    let order = reading_order(&areas, &mut places, n_rtl * 2 > n);
    let mut blocks: Vec<Option<PageBlock>> =
        parts.into_iter().map(|part| Some(part.block)).collect();
    order.into_iter().filter_map(|i| blocks[i].take()).collect()
}

/// Gives figures without words the place of the text below them in their column, else behind that above.
fn place_figures(parts: &mut [Part]) {
    let first = |part: &Part| part.places.iter().map(|place| place.0).min().unwrap_or(0);
    let texts: Vec<(Area, usize)> = parts
        .iter()
        .filter(|part| first(part) != usize::MAX)
        .map(|part| (part.block.area, first(part)))
        .collect();
    for part in parts.iter_mut().filter(|part| first(part) == usize::MAX) {
        let area = part.block.area;
        let beside = texts.iter().filter(|(of, _)| of.shared_width(area) > 0.0);
        let below = beside.clone().filter(|(of, _)| of.top >= area.bottom - 2.0);
        let below = below.min_by(|a, b| a.0.top.total_cmp(&b.0.top)).map(|(_, order)| *order);
        let above = beside.max_by(|a, b| a.0.bottom.total_cmp(&b.0.bottom));
        let order = below.or(above.map(|(_, order)| order + 1)).unwrap_or(0);
        part.places = vec![(order, usize::MAX)];
    }
}

/// The size that most of these have, in half points.
fn most(sizes: impl Iterator<Item = f32>) -> f32 {
    let mut halves: Vec<u32> = sizes.map(halves).collect();
    halves.sort_unstable();
    let of_one = halves.chunk_by(|a, b| a == b).max_by_key(|of_one| of_one.len());
    #[allow(clippy::cast_precision_loss, reason = "half points")]
    of_one.map_or(0.0, |of_one| of_one[0] as f32 / 2.0)
}

/// A size in half points.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "half points")]
pub fn halves(size: f32) -> u32 {
    (size * 2.0).round().clamp(0.0, 10_000.0) as u32
}

fn table_block(table: FoundTable, size: f32) -> PageBlock {
    let FoundTable { area, xs, rows: line_areas, table, .. } = table;
    let table = Some((table, xs));
    PageBlock {
        kind: Kind::Table,
        line_areas,
        area,
        column: area,
        size,
        table,
        ..PageBlock::default()
    }
}

fn text_part(page: &PageContent, words: &Words, paragraph: &Paragraph) -> Part {
    let is_code = paragraph.all(|line| line.is_mono);
    let text = |line: &Line| {
        let text = line.text(words);
        if !is_code {
            return text;
        }
        let indent = (line.area.left - paragraph.area.left) / (MONO_WIDTH * line.size.max(1.0));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 60")]
        let n_blanks = indent.round().clamp(0.0, MAX_INDENT) as usize;
        " ".repeat(n_blanks) + &text
    };
    let texts: Vec<String> = paragraph.lines.iter().map(text).collect();
    let parts = paragraph.lines.iter().zip(&texts).enumerate().flat_map(|(i, (line, text))| {
        let indent = if is_code { text.len() - text.trim_start().len() } else { 0 };
        linked_parts(words, line, i, indent)
    });
    let links = parts.collect();
    let last = &paragraph.lines[paragraph.lines.len() - 1];
    let numbers: Vec<usize> =
        paragraph.lines.iter().flat_map(|line| line.words.iter().copied()).collect();
    let tag = paragraph.tag().and_then(|tag| page.tags.get(tag as usize).copied());
    let block = PageBlock {
        kind: if is_code { Kind::Code } else { Kind::Paragraph },
        lines: texts,
        links,
        line_areas: paragraph.lines.iter().map(|line| line.area).collect(),
        area: paragraph.area,
        column: paragraph.column,
        size: paragraph.size(),
        is_bold: paragraph.all(|line| line.is_bold),
        is_italic: paragraph.all(|line| line.is_italic),
        is_caps: paragraph.all(|line| line.is_caps),
        is_artifact: paragraph.all(|line| line.is_artifact),
        is_item: begins_item(words, &paragraph.lines[0]),
        is_run_in: paragraph.is_run_in,
        is_apart: if let [line] = &paragraph.lines[..] { apart(words, line) } else { [false; 2] },
        end: last.area.right,
        tag,
        confidence: confidence(page, words, &numbers),
        ..PageBlock::default()
    };
    let places = paragraph.lines.iter().map(|line| (line.order(), line.row)).collect();
    Part { block, places }
}

/// Whether a gap sets the first and the last word of a line apart from the others.
fn apart(words: &Words, line: &Line) -> [bool; 2] {
    let area = |i: usize| words.words[i].area;
    let pairs = line.words.windows(2);
    let gaps: Vec<f32> = pairs.map(|pair| area(pair[1]).left - area(pair[0]).right).collect();
    let is_wide = |at: usize| {
        let others =
            gaps.iter().enumerate().filter(|(i, _)| *i != at && *i != 0 && *i + 1 != gaps.len());
        let usual = others.map(|(_, gap)| *gap).fold(0.0, f32::max);
        gaps.get(at).is_some_and(|&gap| gap > SET_APART * line.size && gap > 1.5 * usual)
    };
    [is_wide(0), gaps.len().checked_sub(1).is_some_and(is_wide)]
}
