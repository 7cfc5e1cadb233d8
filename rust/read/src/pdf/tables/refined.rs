//! Ruled grids refined by the words in them: rows and columns that no line parts.
//!
//! A line is evidence, not the whole truth: most bills rule only their columns, most reports only the header. Where
//! numbers stand below each other in one slot, or a stripe begins or ends, rows are; where texts of one line stand
//! apart at the same place again and again, columns are.

use super::grids::RuledGrid;
use crate::pdf::page::{Area, Fill};
use crate::pdf::words::Words;

/// A gap of so much of the size parts texts of one line.
const APART: f32 = 0.9;
/// Baselines that differ by so much of the size are those of two lines.
const STEP: f32 = 0.4;
/// What crosses an edge reaches so far beyond it, in points.
const ACROSS: f32 = 1.5;
/// A stripe is at least so much as wide as the grid.
const STRIPE: f32 = 0.5;
/// A grid with more texts is as its lines make it.
const MAX_SEGMENTS: usize = 20_000;
/// A cell that covers so much of a grid may be a frame.
const FRAME: f32 = 0.4;
/// So many words in a line are part of a sentence.
const SENTENCE: usize = 5;
/// Sizes of letters that differ by so much are those of titles and texts.
const OTHER_SIZE: f32 = 1.2;
/// Rows are so many times further apart than lines of one cell.
const WIDER: f32 = 1.12;
/// So many rows whose cells have as many lines as all others are rows without numbers.
const MIN_ALIGNED: usize = 3;

/// Text of one line of a cell, up to a wide gap.
#[derive(Clone, Copy, Debug)]
struct Segment {
    cell: usize,
    area: Area,
    baseline: f32,
    size: f32,
    n_words: usize,
    is_number: bool,
    is_first: bool,
}

/// The grid with the rows and columns that its words show; none if it is a frame around text. O(words log words +
/// words · edges).
pub fn refined(
    grid: &RuledGrid,
    words: &Words,
    free: &[bool],
    fills: &[Fill],
) -> Option<RuledGrid> {
    let segments = segments(grid, words, free);
    if segments.len() > MAX_SEGMENTS {
        return Some(grid.clone());
    }
    let spans = spans(grid);
    if is_frame(grid, &spans, &segments) {
        return None;
    }
    let xs = columns(grid, &spans, &segments);
    let ys = rows(grid, &spans, &segments, &xs, fills);
    Some(rebuilt(grid, &spans, &segments, xs, ys))
}

/// Whether a cell, as large as most of a grid, holds sentences in lines of several texts or sizes: a page of its own.
fn is_frame(grid: &RuledGrid, spans: &[[usize; 4]], segments: &[Segment]) -> bool {
    spans.iter().enumerate().any(|(cell, &[top, bottom, left, right])| {
        let width = grid.xs[right] - grid.xs[left];
        let size = width * (grid.ys[bottom] - grid.ys[top]);
        if size < FRAME * grid.area().size() {
            return false;
        }
        let of_cell = || segments.iter().filter(|segment| segment.cell == cell);
        let n_sentences = of_cell().filter(|segment| segment.n_words >= SENTENCE).count();
        let n_beside = of_cell().filter(|segment| !segment.is_first).count();
        let sizes = of_cell().map(|segment| segment.size);
        let [least, most] = sizes
            .fold([f32::MAX, 0.0], |[least, most], size| [least.min(size), f32::max(most, size)]);
        n_sentences > 1 && (n_beside > 1 || most > OTHER_SIZE * least)
    })
}

/// Rows and columns, from and up to, that each cell covers.
fn spans(grid: &RuledGrid) -> Vec<[usize; 4]> {
    let mut spans = vec![[usize::MAX, 0, usize::MAX, 0]; grid.n_cells];
    for (slot, &cell) in grid.cells.iter().enumerate() {
        let (row, col) = (slot / grid.n_columns(), slot % grid.n_columns());
        let [top, bottom, left, right] = spans[cell];
        spans[cell] = [top.min(row), bottom.max(row + 1), left.min(col), right.max(col + 1)];
    }
    spans
}

/// The texts of a grid, cell by cell and line by line.
fn segments(grid: &RuledGrid, words: &Words, free: &[bool]) -> Vec<Segment> {
    let cell_of = |i: usize| {
        let [row, col] = grid.slot(words.words[i].area.middle())?;
        Some((grid.cells[row * grid.n_columns() + col], i))
    };
    let mut placed: Vec<(usize, usize)> =
        (0..words.words.len()).filter(|&i| free[i]).filter_map(cell_of).collect();
    placed.sort_by(|a, b| {
        let at = |i: usize| words.words[i].baseline;
        a.0.cmp(&b.0).then(at(a.1).total_cmp(&at(b.1)))
    });
    let is_same_line = |a: &(usize, usize), b: &(usize, usize)| {
        let (a_word, b_word) = (&words.words[a.1], &words.words[b.1]);
        a.0 == b.0 && b_word.baseline - a_word.baseline <= STEP * a_word.size.max(b_word.size)
    };
    let mut segments = Vec::new();
    for line in placed.chunk_by(is_same_line) {
        let mut line = line.to_vec();
        line.sort_by(|a, b| words.words[a.1].area.left.total_cmp(&words.words[b.1].area.left));
        let follows = |a: &(usize, usize), b: &(usize, usize)| {
            let (a, b) = (&words.words[a.1], &words.words[b.1]);
            b.area.left - a.area.right <= APART * a.size.max(b.size)
        };
        for (n, of) in line.chunk_by(follows).enumerate() {
            let of_words = || of.iter().map(|&(_, i)| &words.words[i]);
            let Some(area) = of_words().map(|word| word.area).reduce(Area::around) else {
                continue;
            };
            let text: String = of_words().map(|word| words.text_of(word)).collect();
            segments.push(Segment {
                cell: of[0].0,
                area,
                baseline: words.words[of[0].1].baseline,
                size: words.words[of[0].1].size.max(1.0),
                n_words: of.len(),
                is_number: is_number(&text),
                is_first: n == 0,
            });
        }
    }
    segments
}

/// Whether a text is a value of a table: mostly digits, or a sign for none.
pub fn is_number(text: &str) -> bool {
    let (mut n, mut n_digits) = (0, 0);
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        n += 1;
        n_digits += usize::from(c.is_ascii_digit());
    }
    n_digits > 0 && n_digits * 2 >= n
        || matches!(
            text,
            "-" | "\u{2013}" | "\u{2014}" | "n/a" | "N/A" | "n.a." | "..." | "\u{2026}"
        )
}

fn crosses(segment: &Segment, x: f32) -> bool {
    segment.area.left < x - ACROSS && segment.area.right > x + ACROSS
}

/// Whether the lines of segments, which are in order, stand on both sides of `x`, and hardly one crosses it.
fn is_parted<'s>(segments: impl Iterator<Item = &'s Segment>, x: f32, least: usize) -> bool {
    let (mut n_lines, mut n_both, mut n_across) = (0, 0, 0);
    let (mut is_left, mut is_counted) = (false, false);
    for segment in segments {
        if segment.is_first {
            n_lines += 1;
            (is_left, is_counted) = (false, false);
        }
        if crosses(segment, x) {
            n_across += 1;
        } else if segment.area.middle()[0] < x {
            is_left = true;
        } else if is_left && !is_counted {
            n_both += 1;
            is_counted = true;
        }
    }
    n_both >= least && n_across * 4 <= n_lines
}

/// The edges of columns, old and new.
fn columns(grid: &RuledGrid, spans: &[[usize; 4]], segments: &[Segment]) -> Vec<f32> {
    let mut xs = grid.xs.clone();
    for col in 0..grid.n_columns() {
        // What only this column has below the first row; all if there is a single row.
        let is_in = |segment: &&Segment| {
            let [top, _, left, right] = spans[segment.cell];
            left == col && right == col + 1 && (top > 0 || grid.n_rows() == 1)
        };
        let of_column: Vec<&Segment> = segments.iter().filter(is_in).collect();
        let n_lines = of_column.iter().filter(|segment| segment.is_first).count();
        for x in gaps(&of_column) {
            if is_parted(of_column.iter().copied(), x, 2.max(n_lines / 2)) {
                xs.push(x);
            }
        }
    }
    xs.sort_by(f32::total_cmp);
    xs
}

/// The middles of the gaps between the parts of lines of two and more.
fn gaps(segments: &[&Segment]) -> Vec<f32> {
    let mut spans: Vec<[f32; 2]> = Vec::new();
    for line in segments.chunk_by(|_, next| !next.is_first).filter(|line| line.len() > 1) {
        spans.extend(line.iter().map(|segment| [segment.area.left, segment.area.right]));
    }
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut found, mut end) = (Vec::new(), None);
    for [left, right] in spans {
        match end {
            Some(end) if left > end => found.push(f32::midpoint(end, left)),
            _ => {}
        }
        end = Some(end.map_or(right, |end: f32| end.max(right)));
    }
    found
}

/// The edges of rows, old and new.
fn rows(
    grid: &RuledGrid,
    spans: &[[usize; 4]],
    segments: &[Segment],
    xs: &[f32],
    fills: &[Fill],
) -> Vec<f32> {
    let mut ys = grid.ys.clone();
    for row in 0..grid.n_rows() {
        let of_row: Vec<&Segment> =
            segments.iter().filter(|segment| spans[segment.cell][..2] == [row, row + 1]).collect();
        let edges = [grid.ys[row], grid.ys[row + 1]];
        let stripes = stripes(grid, fills, edges);
        let mut cuts: Vec<f32> = stripes
            .iter()
            .copied()
            .filter(|&y| {
                let is_above = |segment: &&&Segment| segment.area.middle()[1] < y;
                let n_above = of_row.iter().filter(is_above).count();
                let is_cut = of_row
                    .iter()
                    .any(|segment| segment.area.top < y - 2.0 && segment.area.bottom > y + 2.0);
                n_above > 0 && n_above < of_row.len() && !is_cut
            })
            .collect();
        let bounds: Vec<f32> =
            [edges[0]].into_iter().chain(cuts.iter().copied()).chain([edges[1]]).collect();
        for pair in bounds.windows(2) {
            let within: Vec<&Segment> = of_row
                .iter()
                .copied()
                .filter(|segment| (pair[0]..pair[1]).contains(&segment.area.middle()[1]))
                .collect();
            cuts.extend(stacked(&within, xs));
        }
        ys.extend(cuts);
    }
    ys.sort_by(f32::total_cmp);
    ys.dedup_by(|b, a| *b - *a < 2.0);
    ys
}

/// Where stripes begin and end between two edges of rows, ascending.
fn stripes(grid: &RuledGrid, fills: &[Fill], [top, bottom]: [f32; 2]) -> Vec<f32> {
    let area = grid.area();
    let inside = |y: &f32| top + 3.0 < *y && *y < bottom - 3.0;
    let mut edges: Vec<f32> = fills
        .iter()
        .filter(|fill| fill.area.shared_width(area) > STRIPE * area.width())
        .flat_map(|fill| [fill.area.top, fill.area.bottom])
        .filter(inside)
        .collect();
    edges.sort_by(f32::total_cmp);
    edges.dedup_by(|b, a| *b - *a < 3.0);
    edges
}

/// Where rows part that stand in one slot each of their columns: between lines with numbers, or between lines that
/// all columns have.
fn stacked(segments: &[&Segment], xs: &[f32]) -> Vec<f32> {
    let column = |segment: &Segment| xs.partition_point(|x| *x < segment.area.middle()[0]);
    let is_across = |segment: &Segment| xs.iter().any(|&x| crosses(segment, x));
    let mut by_column: Vec<&Segment> = segments.to_vec();
    by_column.sort_by(|a, b| column(a).cmp(&column(b)).then(a.baseline.total_cmp(&b.baseline)));
    let columns: Vec<&[&Segment]> = by_column.chunk_by(|a, b| column(a) == column(b)).collect();
    let several = columns.iter().filter(|column| column.len() > 1).count();
    if several < 2 {
        return Vec::new();
    }
    let is_stack = |of: &&&[&Segment]| {
        let n = of.iter().filter(|segment| segment.is_number).count();
        n > 1 && n * 4 >= of.len() * 3
    };
    let mut anchors: Vec<f32> = columns
        .iter()
        .filter(is_stack)
        .flat_map(|of| of.iter().map(|segment| segment.baseline))
        .collect();
    if anchors.is_empty() {
        let longest = columns.iter().map(|of| of.len()).max().unwrap_or(0);
        let n_words: usize = segments.iter().map(|segment| segment.n_words).sum();
        let is_even = columns.iter().all(|of| of.len() == longest);
        if !is_even || longest < MIN_ALIGNED || n_words > 3 * segments.len() {
            return spaced(segments, &columns);
        }
        anchors.extend(columns[0].iter().map(|segment| segment.baseline));
    }
    anchors.extend(segments.iter().filter(|of| is_across(of)).map(|segment| segment.baseline));
    let size = segments[0].size;
    anchors.sort_by(f32::total_cmp);
    anchors.dedup_by(|b, a| *b - *a <= STEP * size);
    // A text in the middle beside several lines says that they are of one row.
    let is_between = |of: &Segment| anchors.iter().all(|at| (at - of.baseline).abs() > STEP * size);
    let is_middle =
        |of: &&&[&Segment]| of.len() < anchors.len() && of.iter().any(|of| is_between(of));
    if columns.iter().any(|of| is_middle(&of)) {
        return Vec::new();
    }
    between(segments, &anchors)
}

/// Where a wider distance parts rows of several lines: at each, texts begin in two columns or more.
fn spaced(segments: &[&Segment], columns: &[&[&Segment]]) -> Vec<f32> {
    let size = segments[0].size;
    let mut by_height = segments.to_vec();
    by_height.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let is_line = |a: &&Segment, b: &&Segment| b.baseline - a.baseline <= STEP * size;
    let lines: Vec<&[&Segment]> = by_height.chunk_by(is_line).collect();
    let steps = columns.iter().flat_map(|of| of.windows(2));
    let steps =
        steps.map(|pair| pair[1].baseline - pair[0].baseline).filter(|step| *step > STEP * size);
    let least = steps.fold(f32::MAX, f32::min);
    let is_wide = |pair: &&[&[&Segment]]| pair[1][0].baseline - pair[0][0].baseline > WIDER * least;
    let around = |line: &[&Segment]| line.iter().map(|of| of.area).reduce(Area::around);
    let parted: Vec<&[&[&Segment]]> = lines.windows(2).filter(is_wide).collect();
    // As many lines as rows are rows of one line.
    let is_table = parted.len() + 1 >= MIN_ALIGNED
        && parted.len() + 1 < lines.len()
        && parted.iter().all(|pair| pair[1].len() > 1);
    if !is_table {
        return Vec::new();
    }
    let middle =
        |pair: &[&[&Segment]]| Some(f32::midpoint(around(pair[0])?.bottom, around(pair[1])?.top));
    parted.into_iter().filter_map(middle).collect()
}

/// The middles between lines of one anchor and those of the next; a line belongs to the anchor nearest to it.
fn between(segments: &[&Segment], anchors: &[f32]) -> Vec<f32> {
    let mut rows: Vec<Option<[f32; 2]>> = vec![None; anchors.len()];
    for segment in segments {
        let distance = |i: &usize| (anchors[*i] - segment.baseline).abs();
        let nearest = (0..anchors.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(row) = nearest.map(|i| &mut rows[i]) else { continue };
        let Area { top, bottom, .. } = segment.area;
        *row = Some(row.map_or([top, bottom], |[a, b]| [a.min(top), b.max(bottom)]));
    }
    let rows: Vec<[f32; 2]> = rows.into_iter().flatten().collect();
    rows.windows(2).map(|pair| f32::midpoint(pair[0][1], pair[1][0])).collect()
}

/// The grid with these edges: slots of one cell are one where no row or column parts them.
fn rebuilt(
    grid: &RuledGrid,
    spans: &[[usize; 4]],
    segments: &[Segment],
    xs: Vec<f32>,
    ys: Vec<f32>,
) -> RuledGrid {
    let old = |edges: &[f32], at: f32| {
        edges.partition_point(|edge| *edge <= at).clamp(1, edges.len() - 1) - 1
    };
    let (n_rows, n_cols) = (ys.len() - 1, xs.len() - 1);
    let cell_at = |row: usize, col: usize| {
        let y = f32::midpoint(ys[row], ys[row + 1]);
        let x = f32::midpoint(xs[col], xs[col + 1]);
        grid.cells[old(&grid.ys, y) * grid.n_columns() + old(&grid.xs, x)]
    };
    let of_cell = |cell: usize| {
        let from = segments.partition_point(|segment| segment.cell < cell);
        segments[from..].iter().take_while(move |segment| segment.cell == cell)
    };
    // Which edges of columns the cells are parted at.
    let parted: Vec<Vec<bool>> = (0..grid.n_cells)
        .map(|cell| xs.iter().map(|&x| is_parted(of_cell(cell), x, 1)).collect())
        .collect();
    let is_crossed = |cell: usize, row: usize, x: f32| {
        of_cell(cell).any(|segment| {
            (ys[row]..ys[row + 1]).contains(&segment.area.middle()[1]) && crosses(segment, x)
        })
    };
    let mut number = vec![usize::MAX; n_rows * n_cols];
    let mut n_cells = 0;
    for row in 0..n_rows {
        for col in 0..n_cols {
            let cell = cell_at(row, col);
            let is_low = spans[cell][1] > spans[cell][0] + 1;
            let above = row.checked_sub(1).filter(|&above| is_low && cell_at(above, col) == cell);
            let left = col.checked_sub(1).filter(|&left| {
                cell_at(row, left) == cell && (!parted[cell][col] || is_crossed(cell, row, xs[col]))
            });
            number[row * n_cols + col] = match (above, left) {
                (Some(above), _) => number[above * n_cols + col],
                (None, Some(left)) => number[row * n_cols + left],
                (None, None) => {
                    n_cells += 1;
                    n_cells - 1
                }
            };
        }
    }
    RuledGrid { xs, ys, cells: number, n_cells }
}
