//! Lines of source code at which a chunk may begin, and how strong each is.

use crate::span::Span;
use crate::syntax::code::above::Above;
use crate::syntax::code::languages::{CodeLanguage, GUESSED};
use crate::syntax::code::lines::{LineKind, Lines as CodeLines};
use crate::syntax::code::outline::Outline;
use crate::unicode::space::skip_space;

/// Words that begin lines which go on with what is above.
const CONTINUING: [&str; 11] = [
    "else", "elif", "elsif", "elseif", "except", "finally", "catch", "rescue", "ensure", "then",
    "where",
];

/// A chunk of less than one part of so many of what it may have says next to nothing.
const LEAST: usize = 10;

/// How strong a boundary is, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strength {
    /// Whether something is parted that is one: a comment and its thing, a text of several lines, a block and its end.
    parts: bool,
    /// How many definitions are around it.
    depth: usize,
    /// How far its line is indented.
    indent: usize,
    /// Whether neither a definition begins or ends, nor two blank lines stand here.
    is_inside: bool,
    /// Whether there is no blank line.
    is_close: bool,
}

impl Strength {
    /// How deep its line stands, the least deep first.
    pub const fn level(self) -> (bool, usize, usize) {
        (self.parts, self.depth, self.indent)
    }
}

/// A line that a chunk may begin with.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where it begins, with its indentation.
    pub start: usize,
    /// How strong the boundary before it is.
    pub strength: Strength,
}

/// All lines that are not blank.
pub struct Lines {
    places: Vec<Place>,
    /// Where each definition begins with what stands above it.
    outer: Vec<usize>,
}

impl Lines {
    /// Those of `text`, which is written in `language` and has `outline`. O(n) in the text.
    pub fn new(text: &str, language: Option<&'static CodeLanguage>, outline: &Outline) -> Self {
        let above = Above::new(text, language);
        let mut places: Vec<Place> = Vec::new();
        let mut walk = Walk { outline, next: 0, open: Vec::new(), whole: 0 };
        let mut outer: Vec<usize> = outline.definitions.iter().map(|of| of.span.start).collect();
        let mut logical = CodeLines::new(text, language.unwrap_or(&GUESSED)).peekable();
        let (mut start, mut n_blank, mut indent, mut before) = (0, 0, 0, "");
        while start < text.len() {
            let end = memchr::memchr(b'\n', &text.as_bytes()[start..])
                .map_or(text.len(), |feed| start + feed + 1);
            // A line within a comment or string of several lines goes on with the one in which that begins.
            let line = logical.next_if(|line| line.start <= start);
            let words = text[start..end].trim();
            if words.is_empty() {
                n_blank += 1;
            } else {
                let at = skip_space(text, start);
                let (ends, begun) = walk.go_to(at);
                let is_own = line.is_some_and(|line| line.kind != LineKind::Closing);
                let parts =
                    walk.is_in_whole(at) || !is_own || continues(words) || opens(before, words);
                indent = line.map_or(indent, |line| line.indent);
                let strength = Strength {
                    parts,
                    depth: walk.depth(at),
                    indent,
                    is_inside: !ends && begun.is_empty() && n_blank < 2,
                    is_close: n_blank == 0,
                };
                places.push(Place { start, strength });
                let lead = if parts { start } else { above.start(start) };
                if lead < start {
                    bind(&mut places, lead);
                }
                for number in begun {
                    outer[number] = skip_space(text, lead);
                }
                (n_blank, before) = (0, words);
            }
            start = end;
        }
        Self { places, outer }
    }

    /// Where definition `number` begins with what stands above it.
    pub fn outer(&self, number: usize) -> usize {
        self.outer[number]
    }

    /// The first line behind `at`.
    pub fn after(&self, at: usize) -> Option<usize> {
        self.within(at, usize::MAX).first().map(|place| place.start)
    }

    /// How strong the boundary at a cut is: at the end of the text nothing is parted, within a line no line ends.
    pub fn strength_at(&self, cut: usize) -> Option<Strength> {
        let at = self.places.binary_search_by_key(&cut, |place| place.start).ok()?;
        Some(self.places[at].strength)
    }

    /// The last of the strongest lines in `after + 1..=upto`; where that leaves the head of something alone, with next to
    /// nothing before it, the last of the strongest behind at which a definition of the same depth begins or ends.
    pub fn strongest(&self, after: usize, upto: usize) -> Option<Place> {
        let within = self.within(after, upto).iter().rev();
        let best = within.clone().min_by_key(|place| place.strength).copied()?;
        let least = after + (upto - after) / LEAST;
        let is_head = self.level_at(after).is_some_and(|own| best.strength.level() > own);
        if best.start >= least || !is_head {
            return Some(best);
        }
        let is_between = |place: &&Place| {
            let Strength { parts, depth, is_inside, .. } = place.strength;
            place.start >= least && !parts && !is_inside && depth <= best.strength.depth
        };
        let behind = within.filter(is_between).min_by_key(|place| place.strength);
        Some(behind.copied().unwrap_or(best))
    }

    /// The first line in `after + 1..=upto` that is wanted.
    pub fn first(
        &self,
        after: usize,
        upto: usize,
        is_wanted: impl Fn(Place) -> bool,
    ) -> Option<Place> {
        self.within(after, upto).iter().copied().find(|place| is_wanted(*place))
    }

    /// How deep the line stands that begins at `at`.
    pub fn level_at(&self, at: usize) -> Option<(bool, usize, usize)> {
        self.strength_at(at).map(|strength| (false, strength.depth, strength.indent))
    }

    fn within(&self, after: usize, upto: usize) -> &[Place] {
        let first = self.places.partition_point(|place| place.start <= after);
        let end = self.places.partition_point(|place| place.start <= upto);
        &self.places[first..end.max(first)]
    }
}

/// Binds the last line to all from `lead` on: what is above it is as strong as it was.
fn bind(places: &mut [Place], lead: usize) {
    let first = places.partition_point(|place| place.start < lead);
    let Some((last, rest)) = places[first..].split_last_mut() else { return };
    let Some((lead, between)) = rest.split_first_mut() else { return };
    let own = Strength { is_close: lead.strength.is_close, ..last.strength };
    lead.strength = Strength { parts: false, ..own.min(lead.strength) };
    for place in between {
        place.strength.parts = true;
    }
    last.strength.parts = true;
}

/// Whether a line goes on with what is above.
fn continues(words: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '.' | '=');
    let begins =
        |word: &&str| words.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(is_part));
    CONTINUING.iter().any(begins)
}

/// Whether a line opens the block of what is said in the line before, or that is the tag before code.
fn opens(before: &str, words: &str) -> bool {
    matches!(before, "<?php" | "<?")
        || words.starts_with('{')
            && before.ends_with(|c: char| c.is_alphanumeric() || ")>]\"'_".contains(c))
}

/// Goes over an outline from line to line.
struct Walk<'o> {
    outline: &'o Outline,
    /// The first definition that has not begun.
    next: usize,
    /// The numbers of those that have, and have not ended.
    open: Vec<usize>,
    /// The first whole that has not ended.
    whole: usize,
}

impl Walk<'_> {
    /// Goes on to `at`: whether definitions ended since, and which begin on the way.
    fn go_to(&mut self, at: usize) -> (bool, std::ops::Range<usize>) {
        let definitions = &self.outline.definitions;
        let n_open = self.open.len();
        self.open.retain(|&number| definitions[number].span.end > at);
        let (mut ended, first) = (self.open.len() < n_open, self.next);
        while let Some(of) = definitions.get(self.next).filter(|of| of.span.start <= at) {
            if of.span.end > at {
                self.open.push(self.next);
            } else {
                ended = true;
            }
            self.next += 1;
        }
        let begun = first..self.next;
        let begun = begun.start
            + begun.clone().take_while(|&i| definitions[i].span.start < at).count()
            ..begun.end;
        (ended, begun)
    }

    /// How many definitions `at` stands inside of, behind their starts.
    fn depth(&self, at: usize) -> usize {
        let definitions = &self.outline.definitions;
        self.open.iter().filter(|&&number| definitions[number].span.start < at).count()
    }

    /// Whether `at` stands inside of a text of several lines, or of what is before the body of a definition.
    fn is_in_whole(&mut self, at: usize) -> bool {
        let wholes = &self.outline.wholes;
        while wholes.get(self.whole).is_some_and(|span| span.end <= at) {
            self.whole += 1;
        }
        let is_in = |span: &Span| span.start < at && at < span.end;
        let is_in_head = |&number: &usize| {
            let of = &self.outline.definitions[number];
            of.span.start < at && at < of.head.end
        };
        wholes.get(self.whole).is_some_and(is_in) || self.open.iter().any(is_in_head)
    }
}
