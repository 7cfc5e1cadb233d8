//! Empty cells of a fragment, which span rows until a text stands in their columns.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::out::Out;

/// An empty cell whose last row is not known yet.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Columns it spans.
    pub colspan: usize,
    /// Rows it spans, once it is closed; if none, it is not there at all.
    pub n_rows: usize,
    first_row: usize,
}

/// The empty columns of a fragment and the texts between them. What is done with a cell takes O(log n).
#[derive(Default)]
pub struct Cover {
    runs: Vec<Run>,
    /// The open runs by the column behind them: their first column and their place in `runs`.
    open: BTreeMap<usize, (usize, usize)>,
    /// The texts that stand in later rows too: the row behind the last, and the columns.
    labels: BinaryHeap<Reverse<(usize, usize, usize)>>,
    width: usize,
}

/// A row that is made: cells and their columns.
pub type Cells = Vec<(usize, Out)>;

impl Cover {
    /// Empty columns from now on, which are the first row: `cells` from the first column on, each with
    /// its columns and rows, and whether it says something.
    pub fn start<'o>(cells: impl Iterator<Item = (&'o mut Out, usize, usize, bool)>) -> Self {
        let mut cover = Self::default();
        for (out, colspan, n_rows, says) in cells {
            let (start, end) = (cover.width, cover.width.saturating_add(colspan));
            if says {
                cover.labels.push(Reverse((n_rows, start, end)));
            } else {
                *out = cover.new_run(start, end, 0);
            }
            cover.width = end;
        }
        cover
    }

    /// An empty cell as it is written.
    pub fn run(&self, run: usize) -> Run {
        self.runs[run]
    }

    /// Begins a row: what ends above it leaves its columns empty, as are those up to `width` that were
    /// not there before.
    pub fn begin_row(&mut self, row: usize, width: usize, cells: &mut Cells) {
        while let Some(&Reverse((end_row, start, end))) = self.labels.peek()
            && end_row <= row
        {
            self.labels.pop();
            self.open(start, end, row, cells);
        }
        if self.width < width {
            self.open(self.width, width, row, cells);
            self.width = width;
        }
    }

    /// Puts a text over columns, to the row before `end_row`.
    pub fn put(
        &mut self,
        out: Out,
        columns: (usize, usize),
        rows: (usize, usize),
        cells: &mut Cells,
    ) {
        let ((start, end), (row, end_row)) = (columns, rows);
        let mut from = start;
        while let Some((run_start, run_end)) = self.next(from).filter(|run| run.0 < end) {
            self.close(run_end, row);
            self.open(run_start, start, row, cells);
            self.open(end, run_end, row, cells);
            from = run_end;
        }
        cells.push((start, out));
        self.labels.push(Reverse((end_row, start, end)));
    }

    /// Ends all empty cells above `row`.
    pub fn finish(&mut self, row: usize) {
        for (_, run) in std::mem::take(&mut self.open).into_values() {
            self.runs[run].n_rows = row - self.runs[run].first_row;
        }
    }

    /// The first open run that ends behind `column`.
    fn next(&self, column: usize) -> Option<(usize, usize)> {
        self.open.range(column.saturating_add(1)..).next().map(|(&end, &(start, _))| (start, end))
    }

    fn open(&mut self, start: usize, end: usize, row: usize, cells: &mut Cells) {
        if start < end {
            let run = self.new_run(start, end, row);
            cells.push((start, run));
        }
    }

    fn new_run(&mut self, start: usize, end: usize, row: usize) -> Out {
        self.open.insert(end, (start, self.runs.len()));
        self.runs.push(Run { colspan: end - start, n_rows: 0, first_row: row });
        Out::Run(self.runs.len() - 1)
    }

    fn close(&mut self, end: usize, row: usize) {
        if let Some((_, run)) = self.open.remove(&end) {
            self.runs[run].n_rows = row - self.runs[run].first_row;
        }
    }
}
