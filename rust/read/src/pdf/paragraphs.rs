//! Paragraphs of a page: lines right below each other that belong together.
//!
//! A line goes on with the paragraph whose last line stands right above it, wherever in the file that was drawn: so
//! columns come apart even where they are drawn across. A step, another size or weight, an indent, or the marker of
//! an item begins another one.

use super::lines::Line;
use super::markers::{is_bullet, is_first_within, is_initial, is_marker, is_section_number};
use super::page::Area;
use super::words::Words;

/// Baselines of neighbours are no further apart than so much of the size.
const MAX_LEADING: f32 = 2.0;
/// A leading larger than that of the lines before by so much begins a paragraph.
const MORE_LEADING: f32 = 1.22;
/// Sizes of letters that differ by so much are those of different paragraphs.
const OTHER_SIZE: f32 = 0.12;
/// An indent of so much of the size begins a paragraph.
const INDENT: f32 = 0.75;
/// Paragraphs that were begun so long ago are not gone on with.
const MAX_OPEN: usize = 24;

/// Lines that make one block of text.
#[derive(Clone, Debug, Default)]
pub struct Paragraph {
    /// The lines, from top to bottom.
    pub lines: Vec<Line>,
    /// The black of it.
    pub area: Area,
    /// The column's right edge, as far as lines of the same column tell.
    pub column: Area,
    /// Whether it is a title within the first line of a paragraph.
    pub is_run_in: bool,
}

impl Paragraph {
    /// A paragraph of one line.
    pub fn of(line: Line) -> Self {
        Self { area: line.area, column: line.area, lines: vec![line], is_run_in: false }
    }

    /// The size of its letters.
    pub fn size(&self) -> f32 {
        let longest = self.lines.iter().max_by_key(|line| line.words.len());
        longest.map_or(0.0, |line| line.size)
    }

    /// Whether all its lines are so.
    pub fn all(&self, is: impl Fn(&Line) -> bool) -> bool {
        self.lines.iter().all(is)
    }

    /// The tag that all lines have.
    pub fn tag(&self) -> Option<u32> {
        let tag = self.lines.first()?.tag;
        tag.filter(|_| self.all(|line| line.tag == tag))
    }

    fn push(&mut self, line: Line) {
        self.area = self.area.around(line.area);
        self.lines.push(line);
    }
}

/// The paragraphs of lines, which are in the order of the file. O(n log n).
pub fn paragraphs(words: &Words, lines: Vec<Line>) -> Vec<Paragraph> {
    let columns = columns(&lines);
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    for (line, column) in lines.into_iter().zip(columns) {
        let first = paragraphs.len().saturating_sub(MAX_OPEN);
        let above = (first..paragraphs.len())
            .filter(|&i| stands_below(&paragraphs[i], &line))
            .min_by(|&a, &b| {
                let distance = |i: usize| line.baseline - last(&paragraphs[i]).baseline;
                distance(a).total_cmp(&distance(b)).then(b.cmp(&a))
            });
        if let Some(i) = above.filter(|&i| goes_on(words, &paragraphs[i], &line, column)) {
            paragraphs[i].push(line);
        } else {
            paragraphs.push(Paragraph { column, ..Paragraph::of(line) });
        }
    }
    paragraphs.into_iter().flat_map(|paragraph| parted(words, paragraph)).collect()
}

/// A paragraph in two if its first line is a title: it ends early, and the second stands further from it than the third
/// from the second.
fn parted(words: &Words, mut paragraph: Paragraph) -> Vec<Paragraph> {
    let [title, second, third, ..] = &paragraph.lines[..] else { return vec![paragraph] };
    let is_begun =
        first_word(words, title).starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    let is_far =
        second.baseline - title.baseline > MORE_LEADING * (third.baseline - second.baseline);
    let is_title = is_begun
        && is_far
        && title.tag.is_none()
        && !title.is_mono
        && !ends_sentence(words, title)
        && is_short(words, title, second, paragraph.column);
    if !is_title {
        return vec![paragraph];
    }
    let rest = paragraph.lines.split_off(1);
    let around =
        |lines: &[Line]| lines[1..].iter().fold(lines[0].area, |of, line| of.around(line.area));
    let text =
        Paragraph { area: around(&rest), lines: rest, column: paragraph.column, is_run_in: false };
    paragraph.area = around(&paragraph.lines);
    vec![paragraph, text]
}

fn last(paragraph: &Paragraph) -> &Line {
    &paragraph.lines[paragraph.lines.len() - 1]
}

/// For each line how far those reach that stand close above and below it in its column.
fn columns(lines: &[Line]) -> Vec<Area> {
    const NEAR: usize = 12;
    let mut by_height: Vec<usize> = (0..lines.len()).collect();
    by_height.sort_by(|&a, &b| lines[a].baseline.total_cmp(&lines[b].baseline));
    let mut place = vec![0; lines.len()];
    by_height.iter().enumerate().for_each(|(at, &i)| place[i] = at);
    let column = |i: usize| {
        let line = &lines[i];
        let from = place[i].saturating_sub(NEAR);
        let near = by_height[from..(place[i] + NEAR + 1).min(lines.len())].iter();
        let is_beside = |other: &&Line| {
            other.area.shared_width(line.area) > 0.5 * other.area.width().min(line.area.width())
                && (other.size - line.size).abs() <= OTHER_SIZE * line.size
                && (other.baseline - line.baseline).abs() <= 6.0 * line.size
        };
        near.map(|&i| &lines[i])
            .filter(is_beside)
            .fold(line.area, |column, line| column.around(line.area))
    };
    (0..lines.len()).map(column).collect()
}

/// Whether a line stands right below the last one of a paragraph.
fn stands_below(paragraph: &Paragraph, line: &Line) -> bool {
    let above = last(paragraph);
    let distance = line.baseline - above.baseline;
    let size = line.size.max(above.size).max(1.0);
    distance > 0.3 * size
        && distance <= MAX_LEADING * size
        && line.area.shared_width(paragraph.area.around(above.area)) > 0.0
}

/// Whether a line right below a paragraph belongs to it.
fn goes_on(words: &Words, paragraph: &Paragraph, line: &Line, column: Area) -> bool {
    let above = last(paragraph);
    let size = above.size.max(line.size).max(1.0);
    if above.title != line.title || line.title.is_some() {
        return above.title == line.title;
    }
    if let (Some(a), Some(b)) = (above.tag, line.tag) {
        return a == b;
    }
    if (above.size - line.size).abs() > OTHER_SIZE * size
        || above.is_bold != line.is_bold && is_whole(paragraph, line) && !is_mixed(above, line)
        || above.is_mono != line.is_mono
        || above.is_artifact != line.is_artifact
    {
        return false;
    }
    // A line of small capitals is a title, but for one that fills the column at the beginning of a text.
    let is_caps = paragraph.all(|line| line.is_caps) && !line.is_caps;
    let is_set_in =
        above.area.left > line.area.left + size || ends_early(words, above, line, column);
    if is_title(words, paragraph, line) || is_caps && is_set_in {
        return false;
    }
    if begins_within(words, paragraph, line) {
        return false;
    }
    let is_code = above.is_mono && line.is_mono;
    let is_stepped = leading(paragraph)
        .is_some_and(|leading| line.baseline - above.baseline > MORE_LEADING * leading);
    let is_next = || {
        begins_item(words, line) && !is_wrapped_initial(words, above, line, column)
            || begins_note(words, paragraph, line)
    };
    if is_stepped || !is_code && is_next() {
        return false;
    }
    is_code || !is_indented(words, paragraph, line, column)
}

/// Whether a line right below a title in capitals, or an italic one with a number, is of its text.
fn is_title(words: &Words, paragraph: &Paragraph, line: &Line) -> bool {
    let has_small = |line: &Line| {
        line.words.iter().any(|&i| words.text_of(&words.words[i]).contains(char::is_lowercase))
    };
    let first = &paragraph.lines[0];
    let word = first_word(words, first);
    // In brackets stands the number of a reference, whose names are in capitals.
    let is_reference = word.starts_with('[');
    let is_numbered = begins_item(words, first) || is_section_number(word);
    let is_upper = !is_reference && !paragraph.lines.iter().any(has_small) && has_small(line);
    is_upper && paragraph.lines[0].words.len() > 1
        || is_numbered && paragraph.all(|line| line.is_italic) && !line.is_italic
}

/// Whether a line is the title of the first section in the one whose title is above.
fn begins_within(words: &Words, paragraph: &Paragraph, line: &Line) -> bool {
    is_first_within(first_word(words, line), first_word(words, &paragraph.lines[0]))
}

fn first_word<'w>(words: &'w Words, line: &Line) -> &'w str {
    line.words.first().map_or("", |&word| words.text_of(&words.words[word]))
}

/// Whether a change of weight parts lines: those above are of one weight.
fn is_whole(paragraph: &Paragraph, line: &Line) -> bool {
    let is_bold = last(paragraph).is_bold;
    paragraph.all(|above| above.is_bold == is_bold) && is_bold != line.is_bold
}

/// Whether weights change within one of two lines, and not between them.
const fn is_mixed(above: &Line, line: &Line) -> bool {
    above.bold_ends[1] && line.bold_ends[0] && line.bold_ends[1]
}

/// The distance of the baselines of the last two lines.
fn leading(paragraph: &Paragraph) -> Option<f32> {
    let [.., a, b] = &paragraph.lines[..] else { return None };
    Some(b.baseline - a.baseline)
}

/// Whether a line begins with the marker of an item.
pub fn begins_item(words: &Words, line: &Line) -> bool {
    let Some(&first) = line.words.first() else { return false };
    let text = words.text_of(&words.words[first]);
    if text.starts_with(is_bullet) {
        return true;
    }
    let has_more = line.words.len() > 1;
    let is_number = text.ends_with(['.', ')']) || text.starts_with(['(', '[']);
    has_more && is_marker(text) && (is_number || matches!(text, "-" | "\u{2013}" | "*" | "o"))
}

/// Whether a line begins with the initial of a name, or of a sentence: the line above fills the column, and ends no
/// sentence.
fn is_wrapped_initial(words: &Words, above: &Line, line: &Line, column: Area) -> bool {
    let first = line.words.first().map_or("", |&word| words.text_of(&words.words[word]));
    is_initial(first) && !is_short(words, above, line, column) && !ends_sentence(words, above)
}

/// Whether a line begins with the number behind that of the paragraph, or with a sign as it does: notes.
fn begins_note(words: &Words, paragraph: &Paragraph, line: &Line) -> bool {
    let first = |line: &Line| line.words.first().map(|&word| words.text_of(&words.words[word]));
    let (Some(above), Some(mark)) = (first(&paragraph.lines[0]), first(line)) else { return false };
    let number = |text: &str| text.parse::<u16>().ok().filter(|_| text.len() <= 3);
    let is_sign =
        |text: &str| matches!(text, "*" | "**" | "\u{2020}" | "\u{2021}" | "\u{a7}" | "\u{b6}");
    match (number(above), number(mark)) {
        (Some(above), Some(number)) => number == above.saturating_add(1),
        _ => is_sign(above) && is_sign(mark),
    }
}

/// Whether a line is moved to the right, or the one above ends early: a paragraph begins with it.
fn is_indented(words: &Words, paragraph: &Paragraph, line: &Line, column: Area) -> bool {
    let (above, size) = (last(paragraph), line.size.max(1.0));
    let is_rtl = is_rtl(words, line);
    let from = |line: &Line| if is_rtl { -line.area.right } else { line.area.left };
    let ends_early = ends_early(words, above, line, column);
    let ends_sentence = ends_sentence(words, above);
    let center = |line: &Line| f32::midpoint(line.area.left, line.area.right);
    if (center(above) - center(line)).abs() < 0.5 * size && !ends_sentence {
        return false;
    }
    let indent = from(line) - from(above);
    let is_item = begins_item(words, &paragraph.lines[0]);
    let is_at = |line: &Line, of: &Line| (from(line) - from(of)).abs() < 0.3 * size;
    // The line before stands out as well, or begins the paragraph with the same indent.
    let is_flush = match &paragraph.lines[..] {
        [_] => true,
        [first, above] => is_at(above, first) || is_at(line, first),
        [.., before, above] => is_at(above, before),
        [] => false,
    };
    if indent > INDENT * size && indent < 6.0 * size && !is_item {
        return is_flush && (paragraph.lines.len() > 1 || ends_early);
    }
    let is_back = indent < -INDENT * size && paragraph.lines.len() > 1;
    ends_early && ends_sentence && (is_back || is_short(words, above, line, column))
}

fn is_rtl(words: &Words, line: &Line) -> bool {
    line.words.first().is_some_and(|&word| words.words[word].is_rtl)
}

/// How much of the column is left behind a line, as the next one runs.
fn room(words: &Words, above: &Line, line: &Line, column: Area) -> f32 {
    if is_rtl(words, line) {
        above.area.left - column.left
    } else {
        column.right - above.area.right
    }
}

/// Whether the first word of a line had room in the one above.
fn ends_early(words: &Words, above: &Line, line: &Line, column: Area) -> bool {
    let first_word = line.words.first().map_or(0.0, |&word| words.words[word].area.width());
    room(words, above, line, column) > first_word + 0.6 * line.size.max(1.0)
}

/// Whether a good part of the column is left behind a line.
fn is_short(words: &Words, above: &Line, line: &Line, column: Area) -> bool {
    room(words, above, line, column) > 0.2 * column.width()
}

fn ends_sentence(words: &Words, line: &Line) -> bool {
    line.words.last().is_some_and(|&word| {
        words.text_of(&words.words[word]).ends_with(['.', '!', '?', ':', '\u{6d4}'])
    })
}
