//! Tables between lines across the page that are as wide as each other.

use super::FoundTable;
use super::aligned::aligned;
use super::bands::is_flat;
use super::grids::RuledGrid;
use super::refined::is_number;
use crate::blocks::table_text::TableCell;
use crate::pdf::page::Area;
use crate::pdf::words::Words;

/// Edges that differ by no more are at one place, in points.
const ALIGNED: f32 = 4.0;
/// The edge of a column is no further from the line that parts it from the next, in points.
const EDGE: f32 = 40.0;
/// What is narrower is no table, in points.
const MIN_WIDTH: f32 = 50.0;
/// A table has a line above it, one below its header, and one below it; two alone may be those of a page.
const MIN_LINES: usize = 3;
/// A page with more lines is a drawing.
const MAX_RULES: usize = 1000;
/// No more areas of a page are looked at.
const MAX_TRIES: usize = 100;
/// Cells with more words on average are columns of text.
const MAX_CELL_WORDS: usize = 12;
/// The middle of a row below a table is no further from it than so much of the distance of rows.
const STEP: f32 = 0.9;
/// A cell with more words is a frame around text.
const MAX_WORDS: usize = 80;
/// So many words over all columns are a sentence.
const SENTENCE: usize = 8;
/// A line of a text has so many words, where it goes on below.
const MIN_LINE_WORDS: usize = 3;
/// So many numbers alone are no cell.
const MIN_AXIS: usize = 4;
/// The numbers of an axis stand no further aside, in points.
const AXIS: f32 = 40.0;

/// The tables between lines across the page, and edges of stripes. O(lines² + 100 · (words log words +
/// numbers · lines)).
pub fn framed(
    words: &Words,
    free: &[bool],
    rules: &[Area],
    stripes: &[Area],
    is_drawn: impl Fn(Area) -> bool,
) -> Vec<FoundTable> {
    if rules.len() + 2 * stripes.len() > MAX_RULES {
        return Vec::new();
    }
    let mut search = Search::new(words, free, rules, stripes);
    for i in 0..search.rules.len() {
        if !search.is_used[i] && search.n_left > 0 {
            search.stack(i, &is_drawn);
        }
    }
    search.found
}

/// The search for tables between the lines of a page.
struct Search<'a> {
    words: &'a Words,
    stripes: &'a [Area],
    free: Vec<bool>,
    /// Lines across the page and edges of stripes, from the top.
    rules: Vec<Area>,
    /// Which lines belong to a table.
    is_used: Vec<bool>,
    n_left: usize,
    found: Vec<FoundTable>,
}

impl<'a> Search<'a> {
    fn new(words: &'a Words, free: &[bool], rules: &[Area], stripes: &'a [Area]) -> Self {
        let edges = stripes.iter().filter(|stripe| is_flat(stripe)).flat_map(|stripe| {
            let Area { top, bottom, .. } = *stripe;
            [Area { bottom: top, ..*stripe }, Area { top: bottom, ..*stripe }]
        });
        let mut rules: Vec<Area> = rules.iter().copied().chain(edges).collect();
        rules.retain(|rule| rule.width() >= MIN_WIDTH);
        rules.sort_by(|a, b| a.top.total_cmp(&b.top));
        let is_used = vec![false; rules.len()];
        let free = free.to_vec();
        Self { words, stripes, free, rules, is_used, n_left: MAX_TRIES, found: Vec::new() }
    }

    /// Finds the tables between a line and those below it that are as wide.
    fn stack(&mut self, i: usize, is_drawn: &impl Fn(Area) -> bool) {
        let is_same = |j: &usize| {
            (self.rules[*j].left - self.rules[i].left).abs() <= ALIGNED
                && (self.rules[*j].right - self.rules[i].right).abs() <= ALIGNED
        };
        let stack: Vec<usize> =
            (i..self.rules.len()).filter(|j| !self.is_used[*j]).filter(is_same).collect();
        // Stripes are those of one table.
        let is_edge = |j: &usize| {
            let y = self.rules[*j].top;
            let is_at = |edge: f32| (edge - y).abs() < 0.01;
            self.stripes.iter().any(|of| is_at(of.top) || is_at(of.bottom))
        };
        let n_ends = if stack.iter().any(is_edge) { 1 } else { stack.len() };
        let mut first = 0;
        while first + 1 < stack.len() {
            match self.longest(&stack, first, n_ends, is_drawn) {
                Some((table, last)) => {
                    table.parts.iter().for_each(|&part| self.free[part] = false);
                    stack[first..=last].iter().for_each(|&j| self.is_used[j] = true);
                    self.found.push(table);
                    first = last + 1;
                }
                None if n_ends == 1 => break,
                None => first += 1,
            }
        }
    }

    /// The table between a line of a stack and the last one that has one table above it, and that one.
    fn longest(
        &mut self,
        stack: &[usize],
        first: usize,
        n_ends: usize,
        is_drawn: &impl Fn(Area) -> bool,
    ) -> Option<(FoundTable, usize)> {
        let (words, free, rules) = (self.words, &self.free[..], &self.rules[..]);
        let n_left = &mut self.n_left;
        let ends = (first + MIN_LINES - 1..stack.len()).rev().take(n_ends);
        let (last, table) = ends.into_iter().find_map(|last| {
            *n_left = n_left.checked_sub(1)?;
            let area = rules[stack[first]].around(rules[stack[last]]);
            let table = table(words, free, rules, area).filter(|_| !is_drawn(area))?;
            Some((last, table))
        })?;
        let step = rows_apart(&table);
        let follows = |above: usize, below: usize| {
            let [a, b] = [above, below].map(|i| rules[stack[i]].middle()[1]);
            b - a < 2.0 * step
        };
        let goes_on = last + 1 < stack.len() && follows(last, last + 1)
            || first > 0 && !self.is_used[stack[first - 1]] && follows(first - 1, first);
        let table = whole(words, free, rules, table, n_ends == 1).filter(|_| !goes_on)?;
        Some((table, last))
    }
}

/// The table of a grid whose lines down the page part two columns at most, if its words show more; none if they do not.
/// O(lines · words).
pub fn opened(
    words: &Words,
    free: &[bool],
    grid: &RuledGrid,
    rules: &[Area],
) -> Option<FoundTable> {
    let inside: Vec<Area> = rules
        .iter()
        .copied()
        .filter(|rule| grid.area().grown(1.0).shared_width(*rule) > 0.0)
        .collect();
    // A box with no line across it holds anything.
    let is_lined = grid.n_columns() <= 2 && grid.n_rows() > 1 && grid.area().width() >= MIN_WIDTH;
    let table = is_lined.then(|| table(words, free, &inside, grid.area())).flatten()?;
    let has_edges = grid.xs[1..grid.xs.len() - 1].iter().all(|x| {
        table.xs.windows(2).any(|pair| (pair[0] - x).abs().min((pair[1] - x).abs()) < EDGE)
    });
    (has_edges && table.xs.len() > grid.xs.len()).then_some(table)
}

/// A table with the rows above its first line and below its last, one of each at most; none if there are more, as where
/// lines stand around a part of a table alone. A row beside a stripe may have empty cells.
fn whole(
    words: &Words,
    free: &[bool],
    rules: &[Area],
    of: FoundTable,
    is_striped: bool,
) -> Option<FoundTable> {
    let mut table = of;
    for is_above in [true, false] {
        let longer = |of: &FoundTable| longer(words, free, rules, of, [is_above, is_striped]);
        if let Some(more) = longer(&table) {
            if longer(&more).is_some() {
                return None;
            }
            table = more;
        }
    }
    Some(table)
}

/// How far the middles of rows are apart, at most.
fn rows_apart(of: &FoundTable) -> f32 {
    let middles = of.rows.windows(2).map(|pair| pair[1].middle()[1] - pair[0].middle()[1]);
    middles.fold(0.0, f32::max)
}

/// A table with one row more above it or below it: as wide, in its columns, and with a text in each, or in two beside a
/// stripe.
fn longer(
    words: &Words,
    free: &[bool],
    rules: &[Area],
    of: &FoundTable,
    [is_above, is_striped]: [bool; 2],
) -> Option<FoundTable> {
    let [n_rows, n_columns] = of.table.shape;
    let step = STEP * rows_apart(of);
    let Area { top, bottom, .. } = of.area;
    let area = if is_above {
        Area { top: top - step, ..of.area }
    } else {
        Area { bottom: bottom + step, ..of.area }
    };
    let table = table(words, free, rules, area)?;
    let row = if is_above { 0 } else { n_rows };
    let cells: Vec<&TableCell> =
        table.table.cells.iter().filter(|cell| cell.rows.contains(&row)).collect();
    let is_single = cells.iter().all(|cell| cell.cols.len() == 1);
    let n_texts = cells.iter().filter(|cell| !cell.text.is_empty()).count();
    let is_row = is_single && n_texts >= if is_striped { 2 } else { n_columns };
    (is_row && table.table.shape == [n_rows + 1, n_columns]).then_some(table)
}

/// The table in an area, if there is one alone.
fn table(words: &Words, free: &[bool], rules: &[Area], area: Area) -> Option<FoundTable> {
    let inside = |of: Area| {
        let [x, y] = of.middle();
        area.left - ALIGNED <= x && x <= area.right + ALIGNED && area.top < y && y < area.bottom
    };
    let own: Vec<usize> =
        (0..words.words.len()).filter(|&i| free[i] && inside(words.words[i].area)).collect();
    let is_cut = own.iter().any(|&i| {
        let of = words.words[i].area;
        of.left < area.left - ALIGNED || of.right > area.right + ALIGNED
    });
    let is_between = |rule: &Area| {
        let [x, y] = rule.middle();
        area.left < x && x < area.right && area.top + ALIGNED < y && y < area.bottom - ALIGNED
    };
    let own_rules: Vec<Area> = rules.iter().copied().filter(is_between).collect();
    if is_cut {
        return None;
    }
    let found = aligned(words, &own, &own_rules)?;
    let is_shown = is_table(&found, own_rules.len()) && has_header(&found, &own_rules);
    (is_shown && !is_chart(words, free, rules, area))
        .then_some(FoundTable { area: area.around(found.area), ..found })
}

/// Whether cells are those of a table: short or parted by lines, and most have a text.
fn is_table(found: &FoundTable, n_rules: usize) -> bool {
    let [n_rows, n_columns] = found.table.shape;
    let filled: Vec<&TableCell> =
        found.table.cells.iter().filter(|cell| !cell.text.is_empty()).collect();
    let n_words_of = |cell: &TableCell| cell.text.split_whitespace().count();
    let n_slots: usize = filled.iter().map(|cell| cell.rows.len() * cell.cols.len()).sum();
    let n_words: usize = filled.iter().map(|cell| n_words_of(cell)).sum();
    let most = filled.iter().map(|cell| n_words_of(cell)).max().unwrap_or(0);
    // Rows that no line parts show fewer gaps, or are labels of a drawing.
    let share = if n_rules == 0 { 6 } else { 4 };
    let is_ruled = n_rules > 1 && n_rules + 1 >= n_rows;
    let max = if is_ruled { 3 * MAX_CELL_WORDS } else { MAX_CELL_WORDS };
    let is_sentence = |cell: &TableCell| {
        cell.cols == (0..n_columns) && (n_words_of(cell) >= SENTENCE || n_rows == 2)
    };
    // A header alone makes no column.
    let is_column =
        |column: usize| filled.iter().filter(|cell| cell.cols.contains(&column)).count() > 1;
    n_slots * 10 >= share * n_rows * n_columns
        && most <= MAX_WORDS
        && n_words <= max * filled.len()
        && (0..n_columns).all(is_column)
        && !filled.iter().any(|cell| is_sentence(cell) || is_axis(&cell.text))
        && !goes_on(&filled, n_columns)
        && !is_contents(found)
}

/// Whether a text is several numbers alone, as those of an axis below each other.
fn is_axis(text: &str) -> bool {
    text.split_whitespace().count() >= MIN_AXIS && text.split_whitespace().all(is_number)
}

/// Whether cells are lines of columns of text: most of those that others follow go on in these.
fn goes_on(filled: &[&TableCell], n_columns: usize) -> bool {
    let (mut n_pairs, mut n_going_on) = (0, 0);
    for column in 0..n_columns {
        let of_column = filled.iter().filter(|cell| cell.cols == (column..column + 1));
        let texts: Vec<&str> = of_column.map(|cell| cell.text.as_str()).collect();
        for pair in texts.windows(2) {
            let is_line = pair[0].split_whitespace().count() >= MIN_LINE_WORDS;
            let ends = pair[0].ends_with(['.', '!', '?', ':']);
            n_pairs += 1;
            n_going_on += usize::from(is_line && !ends && pair[1].starts_with(char::is_lowercase));
        }
    }
    n_going_on * 5 > n_pairs * 2
}

/// Whether a row above the first line in a table has two texts or more: what has one alone is a title, as of an
/// algorithm, or a label of a drawing.
fn has_header(found: &FoundTable, rules: &[Area]) -> bool {
    let y = rules.iter().map(|rule| rule.middle()[1]).reduce(f32::min).unwrap_or(f32::MAX);
    let n_texts = |row: usize| {
        let is_text = |cell: &&TableCell| cell.rows.contains(&row) && !cell.text.is_empty();
        found.table.cells.iter().filter(is_text).count()
    };
    (0..found.rows.len()).any(|row| found.rows[row].middle()[1] < y && n_texts(row) > 1)
}

/// Whether rows are those of a table of contents: a text and the number of a page, which never falls.
fn is_contents(found: &FoundTable) -> bool {
    let [n_rows, n_columns] = found.table.shape;
    if n_columns > 3 || n_rows < 2 {
        return false;
    }
    let text = |row: usize, col: usize| {
        let is_there = |cell: &&TableCell| cell.rows.contains(&row) && cell.cols.contains(&col);
        found.table.cells.iter().find(is_there).map_or("", |cell| cell.text.as_str())
    };
    let mut last = 0;
    let is_page = |row: usize| {
        let page = text(row, n_columns - 1).parse::<u32>().ok().filter(|page| *page >= last);
        last = page.unwrap_or(last);
        page.is_some() && !is_number(text(row, n_columns - 2))
    };
    let pages: Vec<usize> =
        (0..n_rows).filter(|row| !text(*row, n_columns - 1).is_empty()).collect();
    !pages.is_empty() && pages.into_iter().all(is_page)
}

/// Whether lines are those of a chart: numbers of its axis stand on them, not between them.
fn is_chart(words: &Words, free: &[bool], rules: &[Area], area: Area) -> bool {
    let near = area.grown(AXIS);
    let numbers = words.words.iter().enumerate().filter(|(i, word)| {
        free[*i] && near.holds(word.area.middle()) && is_number(words.text_of(word))
    });
    let areas: Vec<Area> = numbers.map(|(_, word)| word.area).collect();
    let is_on = |rule: &&Area| {
        let y = rule.middle()[1];
        areas.iter().any(|of| {
            let by = 0.3 * of.height();
            of.top + by < y && y < of.bottom - by
        })
    };
    let is_within = |rule: &&Area| {
        let [x, y] = rule.middle();
        area.left < x && x < area.right && area.top <= y && y <= area.bottom
    };
    let n = rules.iter().filter(is_within).filter(is_on).count();
    n > 1 && n * 2 > rules.iter().filter(is_within).count()
}
