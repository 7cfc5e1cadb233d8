//! Nesting of list items by the edges at which they begin.

use super::page::Area;

/// Items are one level deeper if they are moved by more, in points.
const DEEPER: f32 = 7.0;
/// Edges this close are one, in points.
const SAME: f32 = 3.0;

/// No more edges are remembered.
const MAX_EDGES: usize = 256;
/// Lists are nested no deeper.
const MAX_DEPTH: usize = 32;

/// The lists that are open, the outermost first.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    open: Vec<Level>,
    /// The edges of all levels of the outermost list, by which they are told on the next page.
    edges: Vec<(f32, usize)>,
    /// Page and place of the last item.
    last: Option<(i64, Area)>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    /// The number of the list's block.
    list: usize,
    edge: f32,
}

impl Lists {
    /// Ends all lists.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Ends lists that an item does not belong to; then whether a list begins with it.
    pub fn begins(&mut self, page: i64, area: Area) -> bool {
        let is_elsewhere = self
            .last
            .is_some_and(|(of, last)| of != page || area.top < last.bottom - area.height());
        self.last = Some((page, area));
        if is_elsewhere && let Some(depth) = self.known(area.left) {
            self.open.truncate(depth.max(1));
            return self.open.len() < depth;
        }
        if self.open.len() >= MAX_DEPTH {
            return false;
        }
        let Some(level) = self.open.last() else { return true };
        if is_elsewhere {
            // Nothing there tells how deep it is: as the one before, in another column.
            let shift = area.left - level.edge;
            for level in &mut self.open {
                level.edge += shift;
            }
            return false;
        }
        while self.open.len() > 1 && self.open.last().is_some_and(|of| area.left < of.edge - DEEPER)
        {
            self.open.pop();
        }
        self.open.last().is_none_or(|of| area.left > of.edge + DEEPER)
    }

    /// Opens the list with that block number, whose items begin at an edge.
    pub fn open(&mut self, list: usize, edge: f32) {
        self.open.push(Level { list, edge });
        if self.edges.len() < MAX_EDGES {
            self.edges.push((edge, self.open.len()));
        }
    }

    /// The block number of the innermost list.
    pub fn innermost(&self) -> Option<usize> {
        self.open.last().map(|level| level.list)
    }

    /// How many lists are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// How deep items were nested that began at an edge.
    fn known(&self, edge: f32) -> Option<usize> {
        let near = self.edges.iter().find(|(of, _)| (of - edge).abs() <= SAME);
        near.map(|(_, depth)| *depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(items: &[(i64, f32, f32)]) -> Vec<usize> {
        let mut lists = Lists::default();
        let mut level = |&(page, left, top): &(i64, f32, f32)| {
            let area = Area { left, top, right: left + 50.0, bottom: top + 10.0 };
            if lists.begins(page, area) {
                lists.open(0, left);
            }
            lists.depth()
        };
        items.iter().map(&mut level).collect()
    }

    #[test]
    fn items_that_are_moved_are_deeper() {
        let page = [(1, 78.0, 0.0), (1, 96.0, 12.0), (1, 96.0, 24.0), (1, 78.0, 36.0)];
        assert_eq!(levels(&page), [1, 2, 2, 1]);
    }

    #[test]
    fn levels_go_on_over_pages_and_columns() {
        let pages = [(1, 78.0, 0.0), (1, 96.0, 12.0), (2, 96.0, 0.0), (2, 78.0, 12.0)];
        assert_eq!(levels(&pages), [1, 2, 2, 1]);
        let columns = [(1, 78.0, 0.0), (1, 96.0, 12.0), (1, 300.0, 0.0), (1, 282.0, 12.0)];
        assert_eq!(levels(&columns), [1, 2, 2, 1]);
        assert_eq!(levels(&[(1, 78.0, 0.0), (2, 78.0, 0.0), (2, 96.0, 12.0)]), [1, 1, 2]);
    }
}
