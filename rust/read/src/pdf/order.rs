//! Reading order of a page: that of the file, unless the boxes prove it wrong.
//!
//! A file that draws two columns row by row has lines beside each other that follow each other. Then, and only
//! then, blocks are put in order by the gaps between them: strips from top to bottom, and columns where one gap runs
//! through strips. Sorting every page so costs more than it gives: most files are drawn in the order in which they are
//! read, and no gap says which of two boxes comes first.

use std::collections::HashMap;

use super::page::Area;

/// So many rows that are drawn across columns prove the order of the file wrong.
const PROOFS: usize = 2;
/// What is narrower does not part columns, in points.
const MIN_GUTTER: f32 = 4.0;
/// What is further below, in points, goes on with a column only if there are columns, too.
const MAX_GAP: f32 = 18.0;
/// Blocks above each other overlap by no more, in points.
const OVERLAP: f32 = 2.0;
/// A block stands above another if so much of the width of the narrower one is shared.
const BELOW: f32 = 0.5;
/// A low block that is drawn before more of those above it is out of its place, such as the number of the page.
const FEW: usize = 2;
/// The height of a low block, in points.
const LOW: f32 = 30.0;
/// Blocks that begin columns are wider, unlike parts of formulas, in points.
const MIN_BEGUN: f32 = 24.0;
/// A page with more blocks is left in the order of the file.
const MAX_BLOCKS: usize = 2000;
/// So deep columns and strips are looked for in each other.
const MAX_DEPTH: usize = 12;

/// A line of a block, in the order of the file.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The block.
    pub block: usize,
    /// Its place in the order of the file.
    pub order: usize,
    /// The row of the page that it stands in.
    pub row: usize,
}

/// The numbers of blocks in reading order; they are given in the order of the file. O(n log n).
pub fn reading_order(areas: &[Area], places: &mut [Place], is_rtl: bool) -> Vec<usize> {
    let all: Vec<usize> = (0..areas.len()).collect();
    places.sort_by_key(|place| place.order);
    // Two blocks that are drawn line by line beside each other follow each other again and again.
    let mut across: HashMap<(usize, usize), usize> = HashMap::new();
    for pair in places.windows(2) {
        if pair[0].row == pair[1].row && pair[0].block != pair[1].block {
            *across.entry((pair[0].block, pair[1].block)).or_default() += 1;
        }
    }
    if all.len() > MAX_BLOCKS {
        return all;
    }
    if across.into_values().all(|n| n < PROOFS) && !is_shuffled(areas, is_rtl) {
        return from_top(areas);
    }
    let mut ordered = Vec::with_capacity(all.len());
    order(areas, all, is_rtl, 0, &mut ordered);
    ordered
}

/// Whether blocks that begin at one height, with others above and below, are drawn from the end of their row on.
fn is_shuffled(areas: &[Area], is_rtl: bool) -> bool {
    let is_inner = |area: &Area| {
        area.width() >= MIN_BEGUN
            && areas.iter().any(|of| of.bottom <= area.top)
            && areas.iter().any(|of| of.top >= area.bottom)
    };
    let inner: Vec<Area> = areas.iter().filter(|area| is_inner(area)).copied().collect();
    let is_back = |a: Area, b: Area| if is_rtl { a.right <= b.left } else { b.right <= a.left };
    inner.iter().enumerate().any(|(i, &a)| {
        inner[i + 1..].iter().any(|&b| (a.top - b.top).abs() <= OVERLAP && is_back(a, b))
    })
}

/// Blocks in the order of the file, but for those that are drawn behind what stands below them: a few come before
/// it; behind many it comes itself.
fn from_top(areas: &[Area]) -> Vec<usize> {
    let is_above = |a: Area, b: Area| {
        a.top < b.top
            && a.bottom <= b.top + OVERLAP
            && a.shared_width(b) > BELOW * a.width().min(b.width())
    };
    let above: Vec<Vec<usize>> = (0..areas.len())
        .map(|i| (0..areas.len()).filter(|&of| is_above(areas[of], areas[i])).collect())
        .collect();
    let is_met = vec![false; areas.len()];
    let mut reading = Reading { above, is_met, ordered: Vec::new() };
    let mut late: Vec<usize> = Vec::new();
    for (block, area) in areas.iter().enumerate() {
        if reading.n_above(block) > FEW && area.height() < LOW {
            late.push(block);
            continue;
        }
        reading.read(block);
        late.retain(|&block| {
            let is_next = reading.n_above(block) == 0;
            if is_next {
                reading.read(block);
            }
            !is_next
        });
    }
    for block in late {
        reading.read(block);
    }
    reading.ordered
}

struct Reading {
    /// For each block those above it.
    above: Vec<Vec<usize>>,
    is_met: Vec<bool>,
    ordered: Vec<usize>,
}

impl Reading {
    fn n_above(&self, block: usize) -> usize {
        self.above[block].iter().filter(|of| !self.is_met[**of]).count()
    }

    /// Reads a block behind all that stands above it.
    fn read(&mut self, block: usize) {
        if std::mem::replace(&mut self.is_met[block], true) {
            return;
        }
        for of in std::mem::take(&mut self.above[block]) {
            self.read(of);
        }
        self.ordered.push(block);
    }
}

fn order(areas: &[Area], blocks: Vec<usize>, is_rtl: bool, depth: usize, ordered: &mut Vec<usize>) {
    if blocks.len() < 2 || depth > MAX_DEPTH {
        ordered.extend(by_height(areas, blocks));
        return;
    }
    let strips = split(&blocks, |i| [areas[i].top, areas[i].bottom], -1.0);
    let strips = joined(areas, strips);
    if strips.len() > 1 {
        for strip in strips {
            order(areas, strip, is_rtl, depth + 1, ordered);
        }
        return;
    }
    let mut columns = split(&blocks, |i| [areas[i].left, areas[i].right], MIN_GUTTER);
    if columns.len() < 2 {
        ordered.extend(by_height(areas, blocks));
        return;
    }
    if is_rtl {
        columns.reverse();
    }
    for column in columns {
        order(areas, column, is_rtl, depth + 1, ordered);
    }
}

fn by_height(areas: &[Area], mut blocks: Vec<usize>) -> Vec<usize> {
    blocks.sort_by(|&a, &b| {
        let (a, b) = (areas[a], areas[b]);
        a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left))
    });
    blocks
}

/// Blocks in groups between which a gap of at least `least` runs through, in its direction.
fn split(blocks: &[usize], edges: impl Fn(usize) -> [f32; 2], least: f32) -> Vec<Vec<usize>> {
    let mut sorted = blocks.to_vec();
    sorted.sort_by(|&a, &b| edges(a)[0].total_cmp(&edges(b)[0]));
    let (mut groups, mut end): (Vec<Vec<usize>>, f32) = (Vec::new(), f32::NEG_INFINITY);
    for i in sorted {
        let [from, to] = edges(i);
        match groups.last_mut().filter(|_| from < end + least) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
        end = end.max(to);
    }
    groups
}

/// Joins strips below each other through which one gutter runs.
fn joined(areas: &[Area], strips: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for strip in strips {
        let is_columns = |blocks: &[usize]| {
            split(blocks, |i| [areas[i].left, areas[i].right], MIN_GUTTER).len() > 1
        };
        if let Some(above) = groups.last_mut() {
            let both: Vec<usize> = above.iter().chain(&strip).copied().collect();
            let bottom = above.iter().map(|&i| areas[i].bottom).fold(f32::MIN, f32::max);
            let top = strip.iter().map(|&i| areas[i].top).fold(f32::MAX, f32::min);
            // What stands far below one column may belong to all of them, such as a note.
            let has_columns = if top - bottom > MAX_GAP {
                is_columns(above) && is_columns(&strip)
            } else {
                is_columns(above) || is_columns(&strip)
            };
            if has_columns && is_columns(&both) {
                *above = both;
                continue;
            }
        }
        groups.push(strip);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn area(left: f32, top: f32, right: f32, bottom: f32) -> Area {
        Area { left, top, right, bottom }
    }

    #[test]
    fn columns_drawn_across_come_apart_below_their_title() {
        // A title, then two paragraphs in each of two columns, drawn row by row.
        let areas = [
            area(0.0, 0.0, 100.0, 10.0),
            area(0.0, 20.0, 45.0, 40.0),
            area(55.0, 20.0, 100.0, 40.0),
            area(0.0, 50.0, 45.0, 70.0),
            area(55.0, 50.0, 100.0, 70.0),
            area(0.0, 80.0, 100.0, 90.0),
        ];
        let blocks = [0, 1, 2, 1, 2, 3, 4, 3, 4, 5];
        let rows = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5];
        let place = |(order, (&block, &row))| Place { block, order, row };
        let mut across: Vec<Place> = blocks.iter().zip(&rows).enumerate().map(place).collect();
        assert_eq!(reading_order(&areas, &mut across, false), [0, 1, 3, 2, 4, 5]);
        assert_eq!(reading_order(&areas, &mut across, true), [0, 2, 4, 1, 3, 5]);
    }

    #[test]
    fn the_order_of_the_file_stays_where_nothing_is_drawn_across() {
        let areas = [area(50.0, 0.0, 90.0, 10.0), area(0.0, 0.0, 40.0, 10.0)];
        let mut places =
            [Place { block: 0, order: 0, row: 1 }, Place { block: 1, order: 1, row: 1 }];
        assert_eq!(reading_order(&areas, &mut places, false), [0, 1]);
    }
}
