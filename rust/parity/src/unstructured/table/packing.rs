//! Packing of rows: as many as fit, one part after the other.

use super::measured::Measured;
use chunkwright_text::cut::table::groups::RowGroup;
use chunkwright_text::error::Result;

/// What may be held: at first, and in each part behind a repeated header.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// In the first part.
    pub first: usize,
    /// In the others.
    pub later: usize,
}

/// Takes what is packed.
pub trait Packed {
    /// Groups that fit together.
    ///
    /// # Errors
    /// Those of the ruler, and what the pulse says.
    fn held(&mut self, groups: &[RowGroup]) -> Result<()>;

    /// A group that fits nowhere.
    ///
    /// # Errors
    /// Those of the ruler, and what the pulse says.
    fn oversized(&mut self, group: &RowGroup) -> Result<()>;
}

/// Groups that are held until no more fit.
struct Held {
    window: usize,
    groups: Vec<RowGroup>,
    size: usize,
}

impl Held {
    fn n_rows(&self) -> usize {
        match (self.groups.first(), self.groups.last()) {
            (Some(first), Some(last)) => last.rows.end - first.rows.start,
            _ => 0,
        }
    }

    fn fits(&self, size: usize) -> bool {
        size.saturating_add(self.n_rows()).saturating_add(self.size) <= self.window
    }

    /// Whether a cell that was cut short would stand beside another section.
    fn is_closed_for(&self, table: &Measured<'_>, group: &RowGroup) -> bool {
        let section = |row: usize| table.grid.rows[row].section;
        self.groups.last().is_some_and(|last| {
            section(last.rows.end - 1) != section(group.rows.start)
                && self.groups.iter().any(|group| group.is_clipped)
        })
    }

    fn hold(&mut self, group: RowGroup, size: usize) {
        self.size = self.size.saturating_add(size);
        self.groups.push(group);
    }
}

/// Packs `groups` in order. O(n).
///
/// # Errors
/// Those of the ruler, and of what takes the parts.
pub fn pack(
    table: &Measured<'_>,
    groups: impl Iterator<Item = RowGroup>,
    windows: Windows,
    packed: &mut impl Packed,
) -> Result<()> {
    let mut held = Held { window: windows.first, groups: Vec::new(), size: 0 };
    let flush = |held: &mut Held, packed: &mut dyn Packed| -> Result<()> {
        if !held.groups.is_empty() {
            packed.held(&held.groups)?;
            held.window = windows.later;
        }
        held.groups.clear();
        held.size = 0;
        Ok(())
    };
    for group in groups {
        let size = table.size(table.texts(group.rows.clone()))?;
        if !held.fits(size) || held.is_closed_for(table, &group) {
            flush(&mut held, packed)?;
        }
        if held.fits(size) {
            held.hold(group, size);
        } else {
            packed.oversized(&group)?;
            held.window = windows.later;
        }
    }
    flush(&mut held, packed)
}
