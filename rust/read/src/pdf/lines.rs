//! Lines of a page: words on one baseline that belong to one column.
//!
//! Words are joined in the order of the file as long as the gaps between them are those of words. A wider gap is one
//! of a line only if another line runs across it right above or below; else it parts columns, or cells of a table.

use std::ops::Range;

use super::alleys::Alleys;
use super::markers::{is_leader, is_marker};
use super::page::{Area, PageContent};
use super::words::{Word, Words};

/// The blank behind a sentence is no wider in its size, where all letters have one width.
const SENTENCE_GAP: f32 = 1.2;
/// A gap up to so much of the size is one between words.
const WORD_GAP: f32 = 0.85;
/// A gap up to so much of the size may still be one of a line.
const LINE_GAP: f32 = 6.0;
/// The value of a field stands no further behind its label, in the size.
const FIELD_GAP: f32 = 15.0;
/// Lines up to so much of the size above or below tell whether a gap is one of a line.
const NEAR: f32 = 2.4;

/// Letters smaller by so much are raised or lowered ones.
const SCRIPT: f32 = 0.87;
/// So many letters without small ones may be small capitals.
const MIN_CAPS: usize = 4;
/// What is wider, in its size, is text and no cell.
const WIDE: f32 = 15.0;
/// Gaps that differ by no more are alike.
const ALIKE: f32 = 1.35;
/// Gaps of justified lines are no wider than so much of the size.
const JUSTIFIED: f32 = 1.8;
/// No more parts of lines are looked at above and below a gap.
const MAX_NEAR: usize = 200;

/// A line, or a part of one.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each says another thing")]
pub struct Line {
    /// Its words, by their numbers, in reading order.
    pub words: Vec<usize>,
    /// The black of it.
    pub area: Area,
    /// The height of its baseline.
    pub baseline: f32,
    /// The size of most of its letters.
    pub size: f32,
    /// Whether most letters are bold.
    pub is_bold: bool,
    /// Whether its first and its last word are bold.
    pub bold_ends: [bool; 2],
    /// Whether most letters are italic.
    pub is_italic: bool,
    /// Whether all letters have one width.
    pub is_mono: bool,
    /// Whether most of it is in small capitals.
    pub is_caps: bool,
    /// Whether the file says that it is no part of the content.
    pub is_artifact: bool,
    /// Whether it begins with the value of a field.
    pub is_field: bool,
    /// The structure element that it belongs to.
    pub tag: Option<u32>,
    /// The number of the title that it is part of, if the outline states one.
    pub title: Option<usize>,
    /// The row that it stands in.
    pub row: usize,
}

impl Line {
    /// The number of its first word in the order of the file.
    pub fn order(&self) -> usize {
        self.words.iter().copied().min().unwrap_or(0)
    }

    /// Its text, blanks between words.
    pub fn text(&self, words: &Words) -> String {
        let mut text = String::new();
        for (i, &word) in self.words.iter().enumerate() {
            let word = &words.words[word];
            if i > 0 && word.is_apart {
                text.push(' ');
            }
            text.push_str(words.text_of(word));
        }
        text
    }

    /// The line of these words.
    pub fn of_words(page: &PageContent, words: &Words, of: Vec<usize>, row: usize) -> Self {
        let mut line = Self { words: of, row, ..Self::default() };
        line.measure(page, words);
        line
    }

    /// Sets what its words have most of.
    fn measure(&mut self, page: &PageContent, words: &Words) {
        let mut sizes: Vec<(f32, usize, f32)> = Vec::new();
        let (mut n, mut bold, mut italic, mut mono, mut caps, mut artifact) = (0, 0, 0, 0, 0, 0);
        let mut area: Option<Area> = None;
        for &i in &self.words {
            let word = &words.words[i];
            let (style, len) = (page.styles[word.style as usize], word.text.len());
            area = Some(area.map_or(word.area, |area| area.around(word.area)));
            n += len;
            bold += if style.is_bold { len } else { 0 };
            italic += if style.is_italic { len } else { 0 };
            mono += if style.is_mono { len } else { 0 };
            caps += if style.is_caps { len } else { 0 };
            artifact += if style.is_artifact { len } else { 0 };
            self.tag = self.tag.or(style.tag);
            match sizes.iter_mut().find(|(size, ..)| (*size - word.size).abs() < 0.3) {
                Some(of) => of.1 += len,
                None => sizes.push((word.size, len, word.baseline)),
            }
        }
        let is_small = |i: &usize| words.text_of(&words.words[*i]).contains(char::is_lowercase);
        // Small capitals are smaller than the letters that they stand for.
        let of_caps =
            sizes.iter().filter(|(_, len, _)| len * 10 > n).max_by(|a, b| a.0.total_cmp(&b.0));
        let of_most = sizes.iter().max_by_key(|(_, len, _)| *len);
        let is_upper = n > MIN_CAPS && !self.words.iter().any(is_small);
        if let Some(&(size, _, baseline)) = if is_upper { of_caps } else { of_most } {
            (self.size, self.baseline) = (size, baseline);
        }
        self.area = area.unwrap_or_default();
        let first = self.words.first().map(|&word| words.words[word].style as usize);
        self.is_field = first.is_some_and(|style| page.styles[style].is_field);
        let is_bold = |i: &usize| page.styles[words.words[*i].style as usize].is_bold;
        // What is bold in front alone leads a text that is not.
        self.bold_ends = [self.words.first(), self.words.last()].map(|of| of.is_some_and(is_bold));
        self.is_bold = bold * 10 > n * 8 && self.bold_ends[1];
        self.is_italic = italic * 2 > n;
        self.is_mono = mono == n;
        self.is_caps = caps * 2 > n;
        self.is_artifact = artifact == n;
    }
}

/// The lines of a page, in the order of the file. O(n log n).
pub fn lines(page: &PageContent, words: &Words, free: &[bool]) -> Vec<Line> {
    let alleys = Alleys::of(words, free, &page.rules);
    let mut parts = parts(page, words, free, &alleys);
    rows(&mut parts);
    join(page, words, parts, &alleys)
}

/// Runs of words next to each other on one line, in the order of the file. O(n).
pub fn runs(words: &Words) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, word) in words.words.iter().enumerate() {
        match runs.last_mut().filter(|_| i > 0 && follows(&words.words[i - 1], word)) {
            Some(run) => run.end = i + 1,
            None => runs.push(i..i + 1),
        }
    }
    runs
}

/// Words next to each other in the file, with the gaps of words between them.
fn parts(page: &PageContent, words: &Words, free: &[bool], alleys: &Alleys) -> Vec<Line> {
    let mut parts: Vec<Line> = Vec::new();
    let mut before: Option<usize> = None;
    for (i, word) in words.words.iter().enumerate() {
        if !free[i] {
            before = None;
            continue;
        }
        let follows = before.map(|before| &words.words[before]).is_some_and(|before| {
            let is_dotted = [before, word].iter().any(|of| is_leader(words.text_of(of)));
            follows(before, word) && (is_dotted || !alleys.part(before.area, word.area))
        });
        match parts.last_mut().filter(|_| follows) {
            Some(part) => part.words.push(i),
            None => parts.push(Line { words: vec![i], ..Line::default() }),
        }
        before = Some(i);
    }
    for part in &mut parts {
        part.measure(page, words);
    }
    parts
}

/// Whether a word stands on the line of another one, right behind it.
fn follows(before: &Word, word: &Word) -> bool {
    let size = before.size.max(word.size);
    let gap = (word.area.left - before.area.right).max(before.area.left - word.area.right);
    let is_script = before.size.min(word.size) < SCRIPT * size;
    on_one_line(before.area, before.baseline, word.area, word.baseline, size, is_script)
        && gap <= WORD_GAP * size
        && (before.is_rtl || word.is_rtl || word.area.left > before.area.left - 0.5 * size)
}

/// Whether two areas stand on one line: on one baseline, or one raised or lowered beside the other.
fn on_one_line(
    a: Area,
    a_baseline: f32,
    b: Area,
    b_baseline: f32,
    size: f32,
    is_script: bool,
) -> bool {
    let step = (a_baseline - b_baseline).abs();
    let lower = a.height().min(b.height()).max(1.0);
    let [most, least] = if is_script { [0.85, 0.2] } else { [0.65, 0.4] };
    step <= 0.2 * size || step <= most * size && a.shared_height(b) >= least * lower
}

/// Numbers the rows: what stands on one line of the page, in whatever column.
fn rows(parts: &mut [Line]) {
    let mut by_height: Vec<usize> = (0..parts.len()).collect();
    by_height.sort_by(|&a, &b| parts[a].baseline.total_cmp(&parts[b].baseline));
    let (mut row, mut at) = (0, f32::NEG_INFINITY);
    for i in by_height {
        let part = &mut parts[i];
        if part.baseline > at + 0.25 * part.size {
            row += 1;
            at = part.baseline;
        }
        part.row = row;
    }
}

/// Joins parts of one row between which a gap of a line is.
fn join(page: &PageContent, words: &Words, mut parts: Vec<Line>, alleys: &Alleys) -> Vec<Line> {
    let mut by_row: Vec<usize> = (0..parts.len()).collect();
    by_row.sort_by(|&a, &b| {
        let (a, b) = (&parts[a], &parts[b]);
        a.row.cmp(&b.row).then(a.area.left.total_cmp(&b.area.left))
    });
    let mut into: Vec<usize> = (0..parts.len()).collect();
    for (at, pair) in by_row.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        if parts[a].row == parts[b].row
            && (is_last(&parts, &by_row, at + 1) && ends_dotted(words, &parts[a], &parts[b])
                || !alleys.part(parts[a].area, parts[b].area)
                    && is_gap_of_line(words, &parts, &by_row, at))
        {
            into[b] = into[a];
        }
    }
    for i in 0..parts.len() {
        let to = into[i];
        if to != i {
            let moved = std::mem::take(&mut parts[i].words);
            parts[to].words.extend(moved);
        }
    }
    parts.retain(|part| !part.words.is_empty());
    for part in &mut parts {
        part.words.sort_unstable();
        part.measure(page, words);
    }
    parts.sort_by_key(Line::order);
    parts
}

/// Whether the gap behind the part at place `at` of the rows is one of a line.
fn is_gap_of_line(words: &Words, parts: &[Line], by_row: &[usize], at: usize) -> bool {
    let (a, b) = (&parts[by_row[at]], &parts[by_row[at + 1]]);
    let size = a.size.max(b.size).max(1.0);
    let gap = b.area.left - a.area.right;
    if a.is_mono && b.is_mono && (a.size - b.size).abs() < 0.5 {
        return true;
    }
    // A value stands behind its label.
    if b.is_field && !a.is_field && gap <= FIELD_GAP * size {
        return true;
    }
    if gap > LINE_GAP * size || (a.size - b.size).abs() > 0.4 * size && gap > size {
        return false;
    }
    if gap <= WORD_GAP * size {
        return true;
    }
    let gap_before = at.checked_sub(1).map(|i| &parts[by_row[i]]).filter(|of| of.row == a.row);
    let is_first = gap_before.is_none_or(|before| a.area.left - before.area.right > gap);
    let behind = by_row[at + 1..].windows(2).take_while(|pair| parts[pair[1]].row == a.row);
    let mut gaps = behind.map(|pair| parts[pair[1]].area.left - parts[pair[0]].area.right);
    let is_only_pair = gap_before.is_none() && gaps.all(|gap| gap <= SENTENCE_GAP * size);
    let marker = a.text(words);
    // A number without a stop may be a cell.
    let is_plain = marker.ends_with(|c: char| c.is_ascii_digit());
    let is_text = b.words.len() > 3 && b.area.width() > WIDE * size;
    if is_marker(&marker)
        && (is_only_pair || is_first && (is_text || !is_plain) && gap < 3.0 * size)
    {
        return true;
    }
    if gap < 3.0 * size && is_numbered(a, b, &marker, &b.text(words)) {
        return true;
    }
    let usual = usual_gap(words, a).max(usual_gap(words, b)).max(row_gap(parts, by_row, at));
    gap <= ALIKE * usual || is_bridged(parts, by_row, at, size)
}

/// Whether a part is the number, or the letter, of a bold title behind it.
fn is_numbered(a: &Line, b: &Line, marker: &str, title: &str) -> bool {
    let is_letter = marker.len() == 1 && marker.bytes().all(|byte| byte.is_ascii_uppercase());
    a.is_bold
        && b.is_bold
        && (a.size - b.size).abs() < 0.1 * b.size
        && (is_letter || is_marker(marker))
        && title.starts_with(char::is_uppercase)
}

/// The widest gap between words of a part; 0 if there is none.
fn usual_gap(words: &Words, part: &Line) -> f32 {
    let area = |i: usize| words.words[i].area;
    let gaps = part.words.windows(2).map(|pair| {
        let (a, b) = (area(pair[0]), area(pair[1]));
        (b.left - a.right).max(a.left - b.right)
    });
    gaps.fold(0.0, f32::max)
}

/// The gap that all parts of a row have between them, as words of a justified line do; 0 if there are few, or the
/// gaps differ.
fn row_gap(parts: &[Line], by_row: &[usize], at: usize) -> f32 {
    let (row, size) = (parts[by_row[at]].row, parts[by_row[at]].size);
    let from =
        by_row[..at].iter().rev().take(MAX_NEAR).take_while(|&&i| parts[i].row == row).count();
    let row = by_row[at - from..].iter().take(2 * MAX_NEAR).take_while(|&&i| parts[i].row == row);
    let areas: Vec<Area> = row.map(|&i| parts[i].area).collect();
    let gaps = areas.windows(2).map(|pair| pair[1].left - pair[0].right);
    let (least, most) =
        gaps.fold((f32::MAX, 0.0_f32), |(least, most), gap| (least.min(gap), most.max(gap)));
    let is_alike = areas.len() > 3 && most <= ALIKE * least && most < JUSTIFIED * size;
    if is_alike { most } else { 0.0 }
}

/// Whether a line right above or below runs across the gap.
fn is_bridged(parts: &[Line], by_row: &[usize], at: usize, size: f32) -> bool {
    let (a, b) = (&parts[by_row[at]], &parts[by_row[at + 1]]);
    let crosses = |line: &Line| {
        line.row != a.row
            && line.area.left < a.area.right - size
            && line.area.right > b.area.left + size
    };
    let near = |i: &&usize| (parts[**i].baseline - a.baseline).abs() <= NEAR * size;
    let above = by_row[..at].iter().rev().take(MAX_NEAR).take_while(near);
    let below = by_row[at + 2..].iter().take(MAX_NEAR).take_while(near);
    above.chain(below).any(|&i| crosses(&parts[i]))
}

/// Whether a part is the last one of its row.
fn is_last(parts: &[Line], by_row: &[usize], at: usize) -> bool {
    by_row.get(at + 1).is_none_or(|&next| parts[next].row != parts[by_row[at]].row)
}

/// Whether dots lead from one part of a line to the next.
fn ends_dotted(words: &Words, a: &Line, b: &Line) -> bool {
    let is_dotted =
        |i: Option<&usize>| i.is_some_and(|&i| is_leader(words.text_of(&words.words[i])));
    is_dotted(a.words.last()) || is_dotted(b.words.first())
}
