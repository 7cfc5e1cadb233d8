//! Slots between the frames of a canvas, and the cells that they make up.

use super::GridCell;
use super::canvas::Canvas;

/// Rows and columns of slots, and the frames between them.
pub struct Slots {
    /// The lines that part rows, the first and the last of the table included.
    pub rows: Vec<usize>,
    /// The columns that part columns, the same.
    pub columns: Vec<usize>,
    /// For each slot, row by row, whether there is a frame at its right and below it.
    right: Vec<bool>,
    below: Vec<bool>,
}

impl Slots {
    /// Those of a canvas; none if no frame is around it.
    pub fn of(canvas: &Canvas) -> Option<Self> {
        let Canvas { n_lines, width, .. } = *canvas;
        let mut down = vec![false; n_lines * width];
        let mut columns = Vec::new();
        for column in 0..width {
            let mut has_frame = false;
            frames(
                n_lines,
                |line| end_of(canvas.mark(line, column), b'|'),
                |first, last| {
                    has_frame = true;
                    (first..=last).for_each(|line| down[line * width + column] = true);
                },
            );
            if has_frame {
                columns.push(column);
            }
        }
        if columns.len() < 2 || columns[0] > 0 || columns[columns.len() - 1] + 1 < width {
            return None;
        }
        let n_columns = columns.len() - 1;
        let (mut rows, mut below) = (Vec::new(), Vec::new());
        for line in 0..n_lines {
            let mut drawn = vec![false; n_columns];
            frames(
                width,
                |column| end_of(canvas.mark(line, column), b'-'),
                |first, last| {
                    let from = columns.partition_point(|&column| column < first);
                    let upto = columns.partition_point(|&column| column <= last);
                    drawn[from.min(n_columns)..upto.saturating_sub(1).max(from).min(n_columns)]
                        .fill(true);
                },
            );
            if drawn.contains(&true) {
                rows.push(line);
                if line > 0 {
                    below.append(&mut drawn);
                }
            }
        }
        if rows.first() != Some(&0) || rows.last() != Some(&(n_lines - 1)) {
            return None;
        }
        let is_down = |lines: &[usize], column: usize| {
            (lines[0]..=lines[1]).all(|line| down[line * width + column])
        };
        let slots =
            rows.windows(2).flat_map(|lines| columns[1..].iter().map(move |of| (lines, of)));
        let right = slots.map(|(lines, &column)| is_down(lines, column)).collect();
        Some(Self { rows, columns, right, below })
    }

    /// The cells; none if a frame ends inside one. O(slots).
    pub fn cells(&self) -> Option<Vec<GridCell>> {
        let (n_rows, n_columns) = (self.rows.len() - 1, self.columns.len() - 1);
        let mut is_taken = vec![false; n_rows * n_columns];
        let mut cells = Vec::new();
        for slot in 0..n_rows * n_columns {
            if is_taken[slot] {
                continue;
            }
            let (row, column) = (slot / n_columns, slot % n_columns);
            let columns = 1 + (slot..(row + 1) * n_columns).position(|slot| self.right[slot])?;
            let rows = 1
                + (slot..n_rows * n_columns)
                    .step_by(n_columns)
                    .position(|slot| self.below[slot])?;
            for i in row..row + rows {
                for j in column..column + columns {
                    let slot = i * n_columns + j;
                    let is_last = [j + 1 == column + columns, i + 1 == row + rows];
                    if is_taken[slot] || [self.right[slot], self.below[slot]] != is_last {
                        return None;
                    }
                    is_taken[slot] = true;
                }
            }
            cells.push(GridCell { row, column, rows, columns, lines: Vec::new() });
        }
        Some(cells)
    }
}

/// Whether what a mark shows is an end of frames; none if it is no part of one that is made of `side`.
fn end_of(mark: u8, side: u8) -> Option<bool> {
    (mark == b'+' || mark == side).then_some(mark == b'+')
}

/// Tells of each run of marks among `n` its first and its last end, if it has two.
fn frames(n: usize, end: impl Fn(usize) -> Option<bool>, mut tell: impl FnMut(usize, usize)) {
    let mut ends: Option<(usize, usize)> = None;
    for at in 0..=n {
        match if at < n { end(at) } else { None } {
            Some(true) => ends = Some((ends.map_or(at, |(first, _)| first), at)),
            Some(false) => {}
            None => {
                if let Some((first, last)) = ends.take()
                    && first < last
                {
                    tell(first, last);
                }
            }
        }
    }
}
