//! Cells told by alignment: the words of a table as rows and columns, whatever lines are drawn between them.
//!
//! Columns stand on both sides of a gap that no row of several texts goes across. Lines part rows, and where there are
//! none, distances do: lines of one cell are nearer to each other than rows are.

mod columns;
mod rows;
mod spans;

use std::ops::Range;

use self::columns::columns;
use self::rows::{Cut, cuts};
use super::refined::is_number;
use crate::blocks::BlockTable;
use crate::blocks::table_text::TableCell;
use crate::pdf::markers::is_leader;
use crate::pdf::page::Area;
use crate::pdf::tables::{FoundTable, add, n_header_rows};
use crate::pdf::words::Words;

/// Baselines that differ by so much of the size are those of two lines.
const STEP: f32 = 0.35;
/// A gap of so much of the size is wider than a blank.
const BLANK: f32 = 0.5;
/// Words of a header that stand over one column each have gaps of so much of the size, at least.
const HEADER_GAP: f32 = 0.25;
/// Words with more texts are no table.
const MAX_SEGMENTS: usize = 4000;
/// A currency sign stands no further before its amount, in the size.
const SIGN_GAP: f32 = 8.0;

/// Words of one line that stand in the same columns.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The words, from left to right.
    words: Vec<usize>,
    area: Area,
    baseline: f32,
    size: f32,
    /// The number of its line, from the top.
    line: usize,
    cols: Range<usize>,
    is_number: bool,
    is_lower: bool,
}

impl Segment {
    fn of(words: &Words, of: &[usize], line: usize) -> Self {
        let text: String = of.iter().map(|&i| words.text_of(&words.words[i])).collect();
        // Dots lead from a text to the next, and belong to neither.
        let is_dots = |i: &&usize| is_leader(words.text_of(&words.words[**i]));
        let (dots, letters): (Vec<&usize>, Vec<&usize>) = of.iter().partition(is_dots);
        let shown = if letters.is_empty() { dots } else { letters };
        let area = shown.iter().map(|&&i| words.words[i].area).reduce(Area::around);
        let first = &words.words[*shown[0]];
        Self {
            area: area.unwrap_or_default(),
            baseline: first.baseline,
            size: first.size.max(1.0),
            line,
            cols: 0..0,
            is_number: is_number(&text),
            is_lower: text.starts_with(|c: char| c.is_lowercase() || c == '('),
            words: of.to_vec(),
        }
    }

    fn text(&self, words: &Words) -> String {
        let mut text = String::new();
        for &i in &self.words {
            add(&mut text, words.text_of(&words.words[i]), words.words[i].is_apart);
        }
        text
    }
}

/// The table of words, by their numbers, with the lines across it; none if they stand in a single row or column, or in
/// more than 4,000 texts. O(words log words + texts · (lines + columns)).
pub fn aligned(words: &Words, of: &[usize], rules: &[Area]) -> Option<FoundTable> {
    let segments = segments(words, of);
    if segments.len() > MAX_SEGMENTS {
        return None;
    }
    let columns = columns(&segments)?;
    let edges: Vec<f32> =
        columns.windows(2).map(|pair| f32::midpoint(pair[0][1], pair[1][0])).collect();
    let mut segments = placed(words, segments, &edges);
    let area = segments.iter().map(|segment| segment.area).reduce(Area::around)?;
    let rules: Vec<Area> =
        rules.iter().copied().filter(|rule| rule.shared_width(area) > 0.0).collect();
    spans::set(&mut segments, &columns, &rules);
    let cuts = cuts(&segments, &columns, &rules);
    let n_rows = cuts.len() + 1;
    if n_rows < 2 {
        return None;
    }
    let mut xs: Vec<f32> = columns.iter().map(|column| column[0]).collect();
    xs.push(area.right);
    Some(filled(words, &segments, &cuts, xs, area))
}

/// The texts of lines, up to gaps that are wider than blanks.
fn segments(words: &Words, of: &[usize]) -> Vec<Segment> {
    let mut by_height = of.to_vec();
    let word = |i: usize| &words.words[i];
    by_height.sort_by(|&a, &b| word(a).baseline.total_cmp(&word(b).baseline));
    let is_line = |a: &usize, b: &usize| {
        word(*b).baseline - word(*a).baseline <= STEP * word(*a).size.max(word(*b).size)
    };
    let mut segments = Vec::new();
    for (line, of_line) in by_height.chunk_by(is_line).enumerate() {
        let mut of_line = of_line.to_vec();
        of_line.sort_by(|&a, &b| word(a).area.left.total_cmp(&word(b).area.left));
        let follows = |a: &usize, b: &usize| {
            let (a, b) = (word(*a), word(*b));
            let size = a.size.max(b.size);
            let is_sign = matches!(words.text_of(a), "$" | "\u{20ac}" | "\u{a3}" | "\u{a5}")
                && words.text_of(b).starts_with(|c: char| c.is_ascii_digit());
            let gap = if is_sign { SIGN_GAP } else { BLANK };
            b.area.left - a.area.right <= gap * size || is_leader(words.text_of(b))
        };
        segments.extend(of_line.chunk_by(follows).map(|of| Segment::of(words, of, line)));
    }
    segments
}

/// The texts of lines with the columns that they stand in: one that has a blank at every edge that it crosses is
/// several.
fn placed(words: &Words, segments: Vec<Segment>, edges: &[f32]) -> Vec<Segment> {
    let column = |x: f32| edges.partition_point(|edge| *edge < x);
    let mut placed: Vec<Segment> = Vec::new();
    for segment in segments {
        let cols = column(segment.area.left)..column(segment.area.right) + 1;
        let of_word = |i: &usize| {
            let area = words.words[*i].area;
            [column(area.left + 1.0), column(area.right - 1.0)]
        };
        let is_one = |a: &usize, b: &usize| of_word(a)[1] == of_word(b)[0];
        let parts: Vec<&[usize]> = segment.words.chunk_by(is_one).collect();
        let is_parted = parts.len() == cols.len()
            && segment.words.iter().all(|i| of_word(i)[0] == of_word(i)[1]);
        let is_header = segment.line == 0
            && cols == (0..edges.len() + 1)
            && has_word_each(words, &segment, cols.len());
        let pieces = if is_header {
            segment
                .words
                .iter()
                .zip(cols)
                .map(|(&i, col)| Segment { cols: col..col + 1, ..Segment::of(words, &[i], 0) })
                .collect()
        } else if is_parted {
            parts.iter().map(|part| Segment::of(words, part, segment.line)).collect()
        } else {
            vec![segment]
        };
        for mut piece in pieces {
            if !is_header {
                let start = column(piece.area.left + 1.0);
                piece.cols = start..column(piece.area.right - 1.0).max(start) + 1;
            }
            match placed
                .last_mut()
                .filter(|of| of.line == piece.line && of.cols.end > piece.cols.start)
            {
                Some(last) => {
                    let own: Vec<usize> = last.words.iter().chain(&piece.words).copied().collect();
                    let cols = last.cols.start..last.cols.end.max(piece.cols.end);
                    *last = Segment { cols, ..Segment::of(words, &own, piece.line) };
                }
                None => placed.push(piece),
            }
        }
    }
    placed
}

/// Whether a header has as many words as there are columns, with gaps no narrower than blanks.
fn has_word_each(words: &Words, segment: &Segment, n_columns: usize) -> bool {
    let area = |i: usize| words.words[i].area;
    segment.words.len() == n_columns
        && n_columns > 2
        && segment
            .words
            .windows(2)
            .all(|pair| area(pair[1]).left - area(pair[0]).right >= HEADER_GAP * segment.size)
}

/// The table of segments, whose rows stand between cuts.
fn filled(
    words: &Words,
    segments: &[Segment],
    cuts: &[Cut],
    xs: Vec<f32>,
    area: Area,
) -> FoundTable {
    let shape = [cuts.len() + 1, xs.len() - 1];
    let mut rows: Vec<Vec<&Segment>> = vec![Vec::new(); shape[0]];
    for segment in segments {
        let y = segment.area.middle()[1];
        rows[cuts.partition_point(|cut| cut.y < y)].push(segment);
    }
    let mut cells: Vec<TableCell> =
        rows.iter().enumerate().flat_map(|(row, of_row)| cells_of(words, row, of_row)).collect();
    spans::reach(&mut cells, cuts, shape[1]);
    let mut is_taken = vec![false; shape[0] * shape[1]];
    for cell in &cells {
        for row in cell.rows.clone() {
            is_taken[row * shape[1]..][cell.cols.clone()].fill(true);
        }
    }
    let free = (0..is_taken.len()).filter(|slot| !is_taken[*slot]);
    cells.extend(free.map(|slot| {
        let (row, col) = (slot / shape[1], slot % shape[1]);
        TableCell { rows: row..row + 1, cols: col..col + 1, ..TableCell::default() }
    }));
    cells.sort_by_key(|cell| [cell.rows.start, cell.cols.start]);
    let table = BlockTable { shape, n_header_rows: n_header_rows(&cells, shape), cells };
    let around = |row: &Vec<&Segment>| row.iter().map(|of| of.area).reduce(Area::around);
    let rows = rows.iter().map(|row| around(row).unwrap_or(area)).collect();
    let parts = segments.iter().flat_map(|segment| segment.words.iter().copied()).collect();
    FoundTable { area, xs, rows, table, parts }
}

/// The cells of a row: its texts, those that share a column as one.
fn cells_of(words: &Words, row: usize, of_row: &[&Segment]) -> Vec<TableCell> {
    let mut by_column = of_row.to_vec();
    by_column.sort_by_key(|of| of.cols.start);
    let mut groups: Vec<(Range<usize>, Vec<&Segment>)> = Vec::new();
    for segment in by_column {
        match groups.last_mut().filter(|(cols, _)| segment.cols.start < cols.end) {
            Some((cols, own)) => {
                cols.end = cols.end.max(segment.cols.end);
                own.push(segment);
            }
            None => groups.push((segment.cols.clone(), vec![segment])),
        }
    }
    let cell = |(cols, mut own): (Range<usize>, Vec<&Segment>)| {
        own.sort_by_key(|of| [of.line, of.cols.start]);
        let mut text = String::new();
        for of in own {
            add(&mut text, &of.text(words), true);
        }
        TableCell { rows: row..row + 1, cols, text, ..TableCell::default() }
    };
    groups.into_iter().map(cell).collect()
}
