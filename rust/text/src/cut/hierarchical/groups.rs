//! Groups of atoms that make one chunk: peers under one heading, and small ones with their neighbours.

use std::ops::Range;

use super::{Atom, SectionCutter};
use crate::cut::small::Neighbours;
use crate::error::Result;
use crate::span::Span;

impl SectionCutter<'_> {
    /// The atoms of each chunk, in order.
    pub(super) fn groups(&self) -> Result<Vec<Range<usize>>> {
        let mut groups = Vec::with_capacity(self.atoms.len());
        let (mut first, mut last) = (0, 0);
        while first < self.atoms.len() {
            if first == last {
                last = self.last_peer(first);
            }
            let end = self.peers(first, last)?;
            groups.push(first..end);
            first = end;
        }
        if self.limits.min_size() > 0 {
            // Rather with what stands under the same heading than with another section.
            groups = self.join_small(groups, are_peers)?;
            groups = self.join_small(groups, |before, next| self.are_siblings(before, next))?;
        }
        Ok(groups)
    }

    /// One past the last atom of those that may be in one chunk with the atom `first`.
    fn last_peer(&self, first: usize) -> usize {
        let more = self.atoms[first..]
            .windows(2)
            .take_while(|pair| self.options.merge_peers && are_peers(&pair[0], &pair[1]));
        first + 1 + more.count()
    }

    /// One past the last peer of the atom `first`, up to `last`, that fits into one chunk with it.
    fn peers(&self, first: usize, last: usize) -> Result<usize> {
        if last == first + 1 {
            return Ok(last);
        }
        let atom = &self.atoms[first];
        let prefix = self.prefix(atom.path, atom.body.start, atom.most_headings, &[])?;
        let span = |end: usize| self.body(&(first..end));
        Ok(self.prefixed().fill(&prefix, first, last, span)?.unwrap_or(first + 1))
    }

    /// Joins groups smaller than the least size with a neighbour where `may_join` allows it and both fit.
    fn join_small(
        &self,
        groups: Vec<Range<usize>>,
        may_join: impl Fn(&Atom, &Atom) -> bool,
    ) -> Result<Vec<Range<usize>>> {
        let mut joined = Vec::with_capacity(groups.len());
        let mut neighbours = Neighbours::new(self.limits.min_size());
        for group in groups {
            let (start, end) = (group.start, group.end);
            let both = |before: &Range<usize>| -> Result<Option<(Range<usize>, usize)>> {
                if !may_join(&self.atoms[before.end - 1], &self.atoms[start]) {
                    return Ok(None);
                }
                let (both, atom) = (before.start..end, &self.atoms[before.start]);
                let prefix = self.prefix(atom.path, atom.body.start, atom.most_headings, &[])?;
                let fits = self.fits(&prefix, self.body(&both))?;
                let size = self.group_size(&both)?;
                Ok(fits.then_some((both, size)))
            };
            let size = self.group_size(&group)?;
            joined.extend(neighbours.add(group, size, both)?);
        }
        joined.extend(neighbours.finish());
        Ok(joined)
    }

    /// The size of a group's own text.
    fn group_size(&self, group: &Range<usize>) -> Result<usize> {
        self.chunker.size(self.body(group))
    }

    /// The own text of a group.
    pub(super) fn body(&self, group: &Range<usize>) -> Span {
        Span::new(self.atoms[group.start].body.start, self.atoms[group.end - 1].body.end)
    }

    /// Whether `next` begins a section of the same level as that of `before`, or one right below it.
    fn are_siblings(&self, before: &Atom, next: &Atom) -> bool {
        let Some(opens) = next.opens else { return false };
        let parent = self.headings.parent(opens);
        let of_before = before.path.and_then(|path| self.headings.parent(path));
        before.is_joinable() && next.is_joinable() && (parent == before.path || parent == of_before)
    }
}

/// Whether both stand under the same heading, in one run of text.
fn are_peers(before: &Atom, next: &Atom) -> bool {
    before.path == next.path && next.opens.is_none() && before.is_joinable() && next.is_joinable()
}
