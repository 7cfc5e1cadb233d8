//! Numbers of paragraphs: the label that each gets from the numbering of its list.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::numerals::numeral;
use super::styles::Styles;
use super::tags::Tag;
use super::tree::{Node, number};
use chunkwright_text::unicode::space::is_space;

const N_LEVELS: usize = 9;
/// The label of a bullet.
pub const BULLET: &str = "-";
/// Characters of a label at most.
const MAX_LABEL: usize = 100;

/// A level of a numbering.
#[derive(Clone, Copy, Debug)]
struct Level<'a> {
    start: i64,
    form: &'a str,
    /// The text, with `%1` for numbers.
    text: &'a str,
    /// The level from 1 behind which it begins anew; 0: behind none; none: behind any above it.
    restart: Option<i64>,
    /// Whether all numbers in it are decimal.
    is_legal: bool,
    /// The style of paragraphs that have this level.
    style: Option<&'a str>,
}

type Levels<'a> = [Option<Level<'a>>; N_LEVELS];

/// A numbering as paragraphs name it: the one it counts with, and what it changes in it.
struct List<'a> {
    counted: &'a str,
    levels: Levels<'a>,
    starts: [Option<i64>; N_LEVELS],
}

/// The numberings of a document, and the numbers reached so far.
pub struct Numbering<'a> {
    abstracts: HashMap<&'a str, Node<'a>>,
    nums: HashMap<&'a str, Node<'a>>,
    lists: RefCell<HashMap<&'a str, Option<Rc<List<'a>>>>>,
    levels: RefCell<HashMap<&'a str, Levels<'a>>>,
    counts: RefCell<HashMap<&'a str, [Option<i64>; N_LEVELS]>>,
    begun: RefCell<HashSet<&'a str>>,
}

impl<'a> Numbering<'a> {
    /// Those of a part of numberings, if there is one. O(n).
    pub fn new(root: Option<Node<'a>>) -> Self {
        let nodes = |tag, id| {
            let nodes = root.into_iter().flat_map(|root: Node<'a>| root.children());
            let nodes = nodes.filter(move |node| node.tag() == tag);
            nodes.map(move |node| (node.attribute(id).unwrap_or_default(), node)).collect()
        };
        Self {
            abstracts: nodes(Tag::Abstract, "w:abstractNumId"),
            nums: nodes(Tag::Num, "w:numId"),
            lists: RefCell::default(),
            levels: RefCell::default(),
            counts: RefCell::default(),
            begun: RefCell::default(),
        }
    }

    /// The level that a numbering has for paragraphs of a style.
    pub fn level_of(
        &self,
        num_id: &'a str,
        style: Option<&str>,
        styles: &Styles<'a>,
    ) -> Option<i64> {
        let list = self.list(num_id, styles)?;
        let is_of_style = |level: &Option<Level<'_>>| {
            level.is_some_and(|level| style.is_some() && level.style == style)
        };
        i64::try_from(list.levels.iter().position(is_of_style)?).ok()
    }

    /// The numbering whose numbers a numbering counts on.
    pub fn counted(&self, num_id: &'a str, styles: &Styles<'a>) -> &'a str {
        self.list(num_id, styles).map_or(num_id, |list| list.counted)
    }

    /// The label of the next paragraph of a level from 0, if it has one.
    pub fn label(&self, num_id: &'a str, at: i64, styles: &Styles<'a>) -> Option<String> {
        let list = self.list(num_id, styles)?;
        let at = usize::try_from(at).unwrap_or(0).min(N_LEVELS - 1);
        let level = list.levels[at]?;
        let counts = self.count(num_id, &list, at);
        if level.form == "bullet" {
            return Some(BULLET.to_owned());
        }
        let mut label = String::new();
        let text = cut(level.text);
        let mut parts = text.split('%');
        label.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let Some(place @ b'1'..=b'9') = part.bytes().next() else {
                label.push('%');
                label.push_str(part);
                continue;
            };
            let of = usize::from(place - b'1');
            if of <= at {
                let form = list.levels[of].map_or(level.form, |level| level.form);
                let form = if level.is_legal { "decimal" } else { form };
                label.push_str(&numeral(counts[of].unwrap_or(0), form));
            }
            label.push_str(&part[1..]);
        }
        let label = cut(label.trim_matches(is_space));
        (!label.is_empty()).then(|| label.to_owned())
    }

    /// Counts a paragraph, and gives the numbers of all levels.
    fn count(&self, num_id: &'a str, list: &List<'a>, at: usize) -> [Option<i64>; N_LEVELS] {
        let mut all = self.counts.borrow_mut();
        let counts = all.entry(list.counted).or_default();
        if self.begun.borrow_mut().insert(num_id) {
            let begun = counts.iter_mut().zip(list.starts).filter(|(_, start)| start.is_some());
            begun.for_each(|(count, _)| *count = None);
        }
        let start = |of: usize| {
            let own = list.starts[of].or(list.levels[of].map(|level| level.start));
            own.unwrap_or(1)
        };
        for (above, count) in counts.iter_mut().enumerate().take(at) {
            count.get_or_insert_with(|| start(above));
        }
        counts[at] = Some(counts[at].map_or_else(|| start(at), |count| count + 1));
        for (level, count) in list.levels.iter().zip(counts.iter_mut()).skip(at + 1) {
            let restart = level.and_then(|level| level.restart);
            if restart.is_none_or(|restart| i64::try_from(at).is_ok_and(|at| at < restart)) {
                *count = None;
            }
        }
        *counts
    }

    fn list(&self, num_id: &'a str, styles: &Styles<'a>) -> Option<Rc<List<'a>>> {
        let known = self.lists.borrow().get(num_id).cloned();
        known.unwrap_or_else(|| {
            // What leads back to itself is none.
            self.lists.borrow_mut().insert(num_id, None);
            let list = self.read(num_id, styles).map(Rc::new);
            self.lists.borrow_mut().insert(num_id, list.clone());
            list
        })
    }

    fn read(&self, num_id: &'a str, styles: &Styles<'a>) -> Option<List<'a>> {
        let node = *self.nums.get(num_id)?;
        let abstract_id = node.value([Tag::AbstractId]).unwrap_or_default();
        let definition = *self.abstracts.get(abstract_id)?;
        let link = definition.value([Tag::NumStyle]);
        let of_style = link.and_then(|link| styles.named(Some(link)).num_id);
        let linked = of_style.filter(|&of| of != num_id).and_then(|of| self.list(of, styles));
        let counted = linked.map_or(abstract_id, |linked| linked.counted);
        let mut known = self.levels.borrow_mut();
        let mut levels = *known.entry(counted).or_insert_with(|| levels(definition));
        let mut starts = [None; N_LEVELS];
        for change in node.children().filter(|node| node.tag() == Tag::Override) {
            let at = number(change.attribute("w:ilvl"), 0);
            let start = change.value([Tag::StartOverride]);
            if let Some(own) = usize::try_from(at).ok().and_then(|at| starts.get_mut(at)) {
                *own = start.map(|_| number(start, 1)).or(*own);
            }
            let changed = self::levels(change);
            levels.iter_mut().zip(changed).for_each(|(level, own)| *level = own.or(*level));
        }
        Some(List { counted, levels, starts })
    }
}

/// The beginning of a text that is no longer than a label.
fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_LABEL).map_or(text, |(end, _)| &text[..end])
}

fn levels(node: Node<'_>) -> Levels<'_> {
    let mut levels = Levels::default();
    for level in node.children().filter(|node| node.tag() == Tag::Level) {
        let at = usize::try_from(number(level.attribute("w:ilvl"), -1));
        if let Some(place) = at.ok().and_then(|at| levels.get_mut(at)) {
            *place = Some(level_of(level));
        }
    }
    levels
}

fn level_of(node: Node<'_>) -> Level<'_> {
    let restart = node.value([Tag::Restart]);
    let start = node.child(Tag::Start);
    let form = node.value([Tag::Format]).filter(|form| !form.is_empty()).unwrap_or("decimal");
    // A bullet that is a picture has no form of its own.
    let is_picture = node.child(Tag::Bullet).is_some();
    Level {
        start: number(start.and_then(|start| start.attribute("w:val")), i64::from(start.is_some())),
        form: if is_picture { "bullet" } else { form },
        text: node.value([Tag::LevelText]).unwrap_or_default(),
        restart: restart.map(|_| number(restart, 0)),
        is_legal: node.is_on([Tag::IsLegal]),
        style: node.value([Tag::ParagraphStyle]),
    }
}
