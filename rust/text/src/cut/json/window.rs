//! Window of a JSON text: the ends of values that a chunk may reach.

use super::JsonCutter;
use crate::error::Result;
use crate::syntax::json::{Event, Value};

/// An end of a value: a chunk may end there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// One past the value; in a string that is cut, where it is cut.
    pub end: usize,
    /// How many of the levels that are open at the window's start are open here.
    pub kept: usize,
    /// The last of what began in the window and is open here.
    pub top: Option<usize>,
    /// The value that ends here, if it has no others in it.
    pub leaf: Option<Value>,
    /// The string that is cut here, if one is.
    pub string: Option<Value>,
    /// How many levels of the path are open here.
    pub n_levels: usize,
}

/// An array or object that begins in a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub value: Value,
    /// How many of the levels at the window's start are open around it.
    pub kept: usize,
    /// That which it is in, if this began in the window.
    pub parent: Option<usize>,
    /// How many levels of the path are open in it.
    pub n_levels: usize,
}

impl Open {
    pub const fn start(&self) -> usize {
        self.value.start()
    }
}

/// What stands behind a place, as far as a chunk may reach.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub start: usize,
    /// The farthest end of a text from `start` on that has the size of the limit by itself.
    pub reach: usize,
    pub stops: Vec<Stop>,
    pub opens: Vec<Open>,
    /// The number of the stop that is the end of the first value.
    pub first: usize,
    /// The value without others in it that is behind the last stop, and begins within reach: its end is out of
    /// reach.
    pub over: Option<Stop>,
    /// What is open at the end of the window.
    pub kept: usize,
    /// The last of what began in the window and is open at its end.
    pub top: Option<usize>,
    /// How many levels of the path are open at its end.
    n_levels: usize,
}

impl Window {
    /// What began in the window and is open where `top` is the last of it, the outermost first.
    pub fn chain(&self, top: Option<usize>) -> Vec<usize> {
        let mut chain: Vec<usize> =
            std::iter::successors(top, |&open| self.opens[open].parent).collect();
        chain.reverse();
        chain
    }

    /// The place behind the first bracket of an array or object.
    pub fn begun(&self, open: usize) -> Stop {
        let Open { value, kept, n_levels, .. } = self.opens[open];
        let top = Some(open);
        Stop { end: value.span.end, kept, top, leaf: None, string: None, n_levels }
    }
}

impl JsonCutter<'_> {
    /// The window at `start`, for a chunk whose path begins with the level `base`.
    pub(super) fn look(&self, start: usize, base: usize) -> Result<Window> {
        let reach = self.measure.longest(start, self.limits.hard_max())?;
        let (kept, n_levels) = (self.levels.len(), self.levels.len() - base);
        let mut window =
            Window { start, reach, kept, n_levels, first: usize::MAX, ..Window::default() };
        let mut events = self.json.events(start);
        if self.is_in_string() {
            let Some(level) = self.levels.last() else { return Ok(window) };
            window.kept -= 1;
            window.n_levels -= 1;
            events.at = level.close.end;
            window.end(events.at, None);
            if events.at > reach || (base > 0 && window.kept <= base) {
                return Ok(window);
            }
        }
        for event in events {
            let is_open = matches!(event, Event::Open(_));
            if !window.take(event) {
                break;
            }
            if !is_open && base > 0 && window.top.is_none() && window.kept <= base {
                break;
            }
        }
        Ok(window)
    }
}

impl Window {
    /// Goes on by an event; false if it is out of reach.
    fn take(&mut self, event: Event) -> bool {
        match event {
            Event::Open(value) => {
                if value.span.end > self.reach {
                    return false;
                }
                self.n_levels += 1;
                let (kept, parent, n_levels) = (self.kept, self.top, self.n_levels);
                self.opens.push(Open { value, kept, parent, n_levels });
                self.top = Some(self.opens.len() - 1);
            }
            Event::Leaf(value) => {
                if value.span.end > self.reach {
                    if value.start() <= self.reach {
                        self.over = Some(self.stop(value.span.end, Some(value)));
                    }
                    return false;
                }
                self.end(value.span.end, Some(value));
            }
            Event::Close { end } => {
                if end > self.reach {
                    return false;
                }
                self.n_levels -= 1;
                match self.top {
                    Some(open) => self.top = self.opens[open].parent,
                    None => self.kept -= 1,
                }
                self.end(end, None);
            }
        }
        true
    }

    fn stop(&self, end: usize, leaf: Option<Value>) -> Stop {
        let Self { kept, top, n_levels, .. } = *self;
        Stop { end, kept, top, leaf, string: None, n_levels }
    }

    fn end(&mut self, end: usize, leaf: Option<Value>) {
        if self.first == usize::MAX && self.top.is_none() {
            self.first = self.stops.len();
        }
        self.stops.push(self.stop(end, leaf));
    }
}
