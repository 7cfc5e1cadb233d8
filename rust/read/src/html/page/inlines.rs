//! Elements within lines that are open, as browsers have them: which of them an end tag closes with its own.
//!
//! `<a><span hidden>x</a>y` closes the span with the link, while `<a><b hidden>x</a>y` opens the `<b>` again behind
//! it, as formatting is. So formatting is open until its own end tag, and all else until the end of anything
//! that is open around it.

use std::borrow::Cow;
use std::collections::HashMap;

/// Elements that are opened again behind what closes them.
const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Whether only its own end tag closes the element, among those within lines: formatting, and what is a world of
/// its own.
pub fn stands_alone(name: &str) -> bool {
    const WORLDS: [&str; 6] = ["applet", "button", "marquee", "object", "select", "template"];
    FORMATTING.contains(&name) || WORLDS.contains(&name)
}

/// Whether the element ends where another one of its name begins.
pub fn ends_itself(name: &str) -> bool {
    matches!(name, "a" | "nobr")
}

/// An open element that is no formatting.
#[derive(Debug)]
struct Plain {
    name: usize,
    /// That of the same name around it.
    outer: Option<usize>,
    /// Where its tag begins in the source.
    start: usize,
}

/// The open elements, known by where their tags begin. All is O(1), amortised.
#[derive(Debug, Default)]
pub struct Inlines<'a> {
    names: HashMap<Cow<'a, str>, usize>,
    /// The innermost plain element of each name.
    last: Vec<Option<usize>>,
    plain: Vec<Plain>,
    formatting: [Vec<usize>; FORMATTING.len()],
}

impl<'a> Inlines<'a> {
    /// Opens an element whose tag begins at byte `start`.
    pub fn open(&mut self, name: Cow<'a, str>, start: usize) {
        if let Some(i) = FORMATTING.iter().position(|other| *other == name) {
            return self.formatting[i].push(start);
        }
        let known = self.last.len();
        let name = *self.names.entry(name).or_insert(known);
        if name == known {
            self.last.push(None);
        }
        let at = self.plain.len();
        let outer = self.last[name].replace(at);
        self.plain.push(Plain { name, outer, start });
    }

    /// Closes the innermost element of that name and the plain ones in it; where its tag begins. Formatting is
    /// found behind byte `scope`, anything else behind `block`.
    pub fn close(&mut self, name: &str, scope: usize, block: usize) -> Option<usize> {
        let start = if let Some(i) = FORMATTING.iter().position(|other| *other == name) {
            self.formatting[i].pop_if(|start| *start >= scope)?
        } else {
            let at = self.last[*self.names.get(name)?]?;
            Some(self.plain[at].start).filter(|start| *start >= block)?
        };
        self.truncate(start);
        Some(start)
    }

    /// Whether an element of that name is open behind byte `scope` that ends where another begins.
    pub fn has_formatting(&self, name: &str, scope: usize) -> bool {
        let i = FORMATTING.iter().position(|other| *other == name);
        i.and_then(|i| self.formatting[i].last()).is_some_and(|start| *start >= scope)
    }

    /// Closes the plain elements from byte `start` on.
    pub fn truncate(&mut self, start: usize) {
        while let Some(plain) = self.plain.pop_if(|plain| plain.start >= start) {
            self.last[plain.name] = plain.outer;
        }
    }

    /// Forgets formatting from byte `start` on, as the end of a cell does.
    pub fn forget(&mut self, start: usize) {
        for opened in &mut self.formatting {
            while opened.pop_if(|opened| *opened >= start).is_some() {}
        }
    }
}
