//! Lists: items with bullets and numbers, fields, options, and terms with their definitions.

use chunkwright_text::elements::Kind;
use chunkwright_text::span::Span;

use super::lines::{column_of, indented, least, within};
use super::listed::Listed;
use super::made::Container;
use super::markers::{Enumerator, bullet, enumerator, field, options};
use super::walk::Walk;

impl Walk<'_> {
    /// Takes the item of a list that begins in line `i`, if one does; returns the line behind it.
    pub fn item(
        &mut self,
        i: usize,
        end: usize,
        base: usize,
        before: Option<&Listed>,
        listed: &mut Option<Listed>,
    ) -> Option<usize> {
        let (found, mark) = self.mark(i, end, base, before)?;
        let line = self.lines[i];
        let column = line.column + column_of(&line.said(self.text)[..mark]);
        let is_known = matches!(found, Listed::Bullet(_) | Listed::Enumerated(_));
        let last = if is_known && line.at + mark < line.end {
            within(&self.lines, i + 1, end, column)
        } else {
            indented(&self.lines, i + 1, end, base)
        };
        let last = last.max(i + 1);
        if found == Listed::Options && line.at + mark == line.end && last == i + 1 {
            return None;
        }
        let margin = least(&self.lines[i + 1..last]).filter(|_| !is_known).unwrap_or(column);
        let said = Span::new(line.at, line.at + mark);
        let number = self.push_item(said, &found, before);
        *listed = Some(found);
        self.inside(number, |walk| {
            if line.at + mark < line.end {
                (walk.lines[i].at, walk.lines[i].column) = (line.at + mark, margin);
                walk.blocks(i, last, margin, false);
            } else if let Some(margin) = least(&walk.lines[i + 1..last]) {
                walk.blocks(i + 1, last, margin, false);
            }
        });
        Some(last)
    }

    /// The list whose item begins in line `i`, and the length of its mark.
    fn mark(
        &self,
        i: usize,
        end: usize,
        base: usize,
        before: Option<&Listed>,
    ) -> Option<(Listed, usize)> {
        let said = self.lines[i].said(self.text);
        if let Some(len) = bullet(said) {
            return Some((Listed::Bullet(said.chars().next()?), len));
        }
        let expected = match before {
            Some(Listed::Enumerated(before)) => Some(before.sequence),
            _ => None,
        };
        // One that goes on no list by the line below it may begin another: `i.` behind `h.`, if `ii.` follows.
        let found = [enumerator(said, expected), enumerator(said, None)];
        if found[0].is_some() {
            let next = self.lines[..end].get(i + 1).filter(|next| !next.is_blank());
            let is_item = |found: &Enumerator| {
                next.is_none_or(|next| {
                    next.column > base || found.is_followed_by(next.said(self.text))
                })
            };
            let found = found.into_iter().flatten().find(is_item);
            return found.map(|found| (Listed::Enumerated(found), found.len));
        }
        if let Some(len) = field(said) {
            return Some((Listed::Field, len));
        }
        options(said).map(|len| (Listed::Options, len))
    }

    /// Takes a term and what defines it, which is indented below.
    pub fn definition(
        &mut self,
        i: usize,
        end: usize,
        base: usize,
        before: Option<&Listed>,
        listed: &mut Option<Listed>,
    ) -> usize {
        let line = self.lines[i];
        let last = indented(&self.lines, i + 1, end, base);
        let term = Span::new(line.at, line.end);
        self.made.said(term);
        let number = self.push_item(term, &Listed::Definition, before);
        *listed = Some(Listed::Definition);
        let margin = least(&self.lines[i + 1..last]).unwrap_or(base);
        self.inside(number, |walk| walk.blocks(i + 1, last, margin, false));
        last
    }

    /// Adds an item that stands at `said`, up to what is nested in it.
    pub fn push_item(&mut self, said: Span, of: &Listed, before: Option<&Listed>) -> usize {
        let level = self.made.lists + 1;
        let number = self.made.push(Kind::ListItem, level, said);
        self.made.read.elements[number].begins_list = !of.continues(before);
        number
    }

    /// Takes what is nested in an item.
    pub fn inside(&mut self, item: usize, take: impl FnOnce(&mut Self)) {
        self.made.enter(Container::Part(item));
        self.made.lists += 1;
        self.made.open(item);
        take(self);
        self.made.lists -= 1;
        self.made.leave();
    }
}
