//! Walk over a tree: what its nodes are, from the first to the last.

use chunkwright_text::error::Result;
use chunkwright_text::pulse::{Beat, Pulse};
use chunkwright_text::span::Span;
use chunkwright_text::syntax::code::outline::{Definition, Outline, Symbol};
use tree_sitter::{Node, Tree};

use crate::grammar::Grammar;
use crate::heads::head;
use crate::nest::nested;
use crate::rules::{Found, Reach, Role, Verdict, name_of};
use crate::site::{Site, Within, children};

/// What of a text may not parse: one part of so many.
const ERROR_SHARE: usize = 20;
/// Work on a node, in bytes of text that take as long.
const NODE_BYTES: usize = 16;
/// How deep functions within functions are told apart.
const MAX_NESTED: usize = 8;

/// The outline of what a tree says; none if too much of the text does not parse.
///
/// # Errors
/// What the pulse says.
pub fn outline_of(
    grammar: &Grammar,
    tree: &Tree,
    text: &str,
    pulse: Pulse<'_>,
) -> Result<Option<Outline>> {
    let beat = Beat::of_bytes(pulse);
    let mut walk = Walk::new(grammar, text);
    let mut cursor = tree.walk();
    loop {
        beat.after(NODE_BYTES)?;
        if walk.enter(cursor.node()) && cursor.goto_first_child() {
            walk.path.push(None);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(walk.outline());
            }
            walk.leave();
        }
    }
}

/// A definition, or a function without a name, that the walk is in.
struct Frame {
    /// How deep in the tree it is.
    depth: usize,
    within: Within,
}

/// What waits for a definition at some depth.
#[derive(Clone, Copy)]
struct Waiting<T> {
    depth: usize,
    of: T,
}

struct Walk<'a, 't> {
    grammar: &'a Grammar,
    text: &'t str,
    /// The nodes from the root down to where the walk is.
    path: Vec<Option<Node<'t>>>,
    frames: Vec<Frame>,
    /// How many functions the walk is in.
    n_functions: usize,
    /// What wraps the definition that comes next.
    wrapper: Option<Waiting<Node<'t>>>,
    /// Where the decorators of what comes next begin.
    decorated: Option<Waiting<usize>>,
    found: Vec<Definition>,
    /// The definition before, with its number.
    last: Option<Waiting<usize>>,
    /// The definitions that may go on, the innermost last, with their numbers.
    joining: Vec<Waiting<usize>>,
    /// The definition that reaches up to the next such, with its number.
    reaching: Option<Waiting<usize>>,
    /// Where the last node ends that stands beside it.
    beside_end: usize,
    wholes: Vec<Span>,
    n_error_bytes: usize,
}

impl<'a, 't> Walk<'a, 't> {
    fn new(grammar: &'a Grammar, text: &'t str) -> Self {
        Self {
            grammar,
            text,
            path: vec![None],
            frames: Vec::new(),
            n_functions: 0,
            wrapper: None,
            decorated: None,
            found: Vec::new(),
            last: None,
            joining: Vec::new(),
            reaching: None,
            beside_end: 0,
            wholes: Vec::new(),
            n_error_bytes: 0,
        }
    }

    /// Looks at a node, and says whether to look at what it holds.
    fn enter(&mut self, node: Node<'t>) -> bool {
        let depth = self.path.len();
        self.close(depth);
        self.wrapper.take_if(|waiting| waiting.depth >= depth);
        self.decorated.take_if(|waiting| waiting.depth > depth);
        if let Some(at) = self.path.last_mut() {
            *at = Some(node);
        }
        if node.is_error() {
            self.count_error(node);
        }
        let role = self.grammar.role(node.kind_id());
        if !node.is_named() || node.is_extra() && role.is_none() {
            return true;
        }
        match role {
            Some(Role::Attribute | Role::Lead) => {
                self.decorate(depth, node);
                return true;
            }
            Some(Role::Whole) => {
                self.add_whole(node);
                return false;
            }
            Some(Role::Skip) => return false,
            _ => {}
        }
        let decorated = self.decorated.take_if(|waiting| waiting.depth == depth);
        if matches!(role, Some(Role::Tail)) {
            self.add_tail(depth, node);
        }
        match role.map(|role| self.verdict(node, role)) {
            Some(Verdict::Define(found)) => {
                let wrapper = self.take_wrapper(depth);
                self.define(node, found, wrapper, decorated);
            }
            Some(Verdict::Wrap) if self.wraps(node) => {
                let of = self.take_wrapper(depth).unwrap_or(node);
                self.wrapper = Some(Waiting { depth, of });
                if let Some(waiting) = decorated {
                    self.decorated = Some(Waiting { depth: depth + 1, of: waiting.of });
                }
            }
            Some(Verdict::Attribute) => {
                self.decorated = decorated;
                self.decorate(depth, node);
            }
            Some(Verdict::Closure) => self.push(depth, Within::Function),
            _ => {}
        }
        if self.reaching.is_some_and(|waiting| waiting.depth == depth) {
            self.beside_end = node.end_byte();
        }
        true
    }

    /// Keeps where the decorators of what comes next begin.
    fn decorate(&mut self, depth: usize, node: Node<'t>) {
        if self.decorated.is_none_or(|waiting| waiting.depth != depth) {
            self.decorated = Some(Waiting { depth, of: node.start_byte() });
        }
    }

    /// What wraps a definition at `depth`.
    fn take_wrapper(&mut self, depth: usize) -> Option<Node<'t>> {
        self.wrapper.take_if(|waiting| waiting.depth + 1 == depth).map(|waiting| waiting.of)
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    /// Leaves what does not hold nodes at `depth`.
    fn close(&mut self, depth: usize) {
        while let Some(frame) = self.frames.pop_if(|frame| frame.depth >= depth) {
            self.n_functions -= usize::from(frame.within == Within::Function);
        }
    }

    fn push(&mut self, depth: usize, within: Within) {
        self.n_functions += usize::from(within == Within::Function);
        self.frames.push(Frame { depth, within });
    }

    fn within(&self) -> Within {
        self.frames.last().map_or(Within::File, |frame| frame.within)
    }

    fn verdict(&self, node: Node<'t>, role: &Role) -> Verdict<'t> {
        let parent = self.path.len().checked_sub(2).and_then(|above| self.path[above]);
        let site = Site {
            node,
            parent,
            within: self.within(),
            n_around: self.frames.len(),
            text: self.text,
        };
        match role {
            Role::Define(symbol, name) => Found::new(*symbol, name_of(&site, *name)).into(),
            Role::Judge(judge) => judge(&site),
            Role::Wrap => Verdict::Wrap,
            Role::Closure => Verdict::Closure,
            _ => Verdict::None,
        }
    }

    /// Whether a wrapper holds one definition, or what may be one.
    fn wraps(&self, node: Node<'t>) -> bool {
        let may_define = |node: &Node<'_>| {
            let role = self.grammar.role(node.kind_id());
            matches!(role, Some(Role::Define(..) | Role::Judge(_) | Role::Wrap))
        };
        children(node).filter(may_define).take(2).count() == 1
    }

    fn define(
        &mut self,
        node: Node<'t>,
        found: Found<'t>,
        wrapper: Option<Node<'t>>,
        decorated: Option<Waiting<usize>>,
    ) {
        let depth = self.path.len();
        let within = self.within();
        let symbol = match (found.symbol, within) {
            (Symbol::Function, Within::Class) => Symbol::Method,
            (symbol, _) => symbol,
        };
        let is_value = matches!(symbol, Symbol::Constant | Symbol::Import);
        if is_value && matches!(within, Within::Function | Within::Value) {
            return;
        }
        let inner = match symbol {
            Symbol::Module | Symbol::Block | Symbol::Comment => Within::File,
            Symbol::Class => Within::Class,
            Symbol::Function | Symbol::Method => Within::Function,
            Symbol::Constant | Symbol::Import => Within::Value,
        };
        if self.n_functions <= MAX_NESTED {
            let outer = wrapper.unwrap_or(node);
            self.add(node, outer, found, symbol, decorated.map(|waiting| waiting.of));
        }
        self.push(depth, inner);
    }

    fn add(
        &mut self,
        node: Node<'t>,
        outer: Node<'t>,
        found: Found<'t>,
        symbol: Symbol,
        decorated: Option<usize>,
    ) {
        let start = decorated.map_or(outer.start_byte(), |start| start.min(outer.start_byte()));
        let whole = self.text.get(start..outer.end_byte()).unwrap_or_default();
        let span = Span::new(start, start + whole.trim_end().len());
        let mut head = head(self.grammar, outer, node, found.body, self.text);
        head.end = head.end.min(span.end).max(head.start);
        if span.is_empty() || head.start >= span.end {
            return;
        }
        let depth = self.path.len();
        if found.reach == Reach::Joins && self.joined(depth, &found.name, symbol, span) {
            return;
        }
        let number = self.found.len();
        self.joining.retain(|waiting| waiting.depth < depth);
        match found.reach {
            Reach::Node => {}
            Reach::Joins => self.joining.push(Waiting { depth, of: number }),
            Reach::ToNext => {
                self.end_reaching(self.beside_end);
                self.reaching = Some(Waiting { depth, of: number });
            }
        }
        self.last = Some(Waiting { depth, of: number });
        let name = found.name.into_boxed_str();
        self.found.push(Definition { span, head, name, symbol, parent: None });
    }

    /// Whether the definition before goes on with one of this name; a function says what both are.
    fn joined(&mut self, depth: usize, name: &str, symbol: Symbol, span: Span) -> bool {
        self.joining.retain(|waiting| waiting.depth <= depth);
        let before = self.joining.last().filter(|waiting| waiting.depth == depth);
        let Some(before) = before.and_then(|waiting| self.found.get_mut(waiting.of)) else {
            return false;
        };
        if &*before.name != name {
            return false;
        }
        if before.head.is_empty() {
            before.head.end = before.span.end;
            // No cut parts a signature from what has it.
            let first = self.text.get(span.start..).and_then(|rest| rest.chars().next());
            let begun = span.start + first.map_or(0, char::len_utf8);
            self.wholes.push(Span::new(before.span.start, begun));
        }
        before.span.end = span.end;
        if before.symbol == Symbol::Constant {
            before.symbol = symbol;
        }
        true
    }

    /// Adds the body that stands behind its definition.
    fn add_tail(&mut self, depth: usize, node: Node<'t>) {
        if let Some(last) = self.last.take_if(|waiting| waiting.depth == depth) {
            let before = &mut self.found[last.of];
            before.head.end = before.span.end;
            before.span.end = node.end_byte();
            self.push(depth, Within::Function);
        }
    }

    /// Ends what reaches up to the next such, behind the last node beside it that is no comment.
    fn end_reaching(&mut self, end: usize) {
        let Some(before) = self.reaching.take() else { return };
        let Some(before) = self.found.get_mut(before.of) else { return };
        let own = before.span;
        let whole = self.text.get(own.start..end).unwrap_or_default();
        before.span.end = own.start + whole.trim_end().len();
        if before.head.is_empty() {
            before.head = own;
        }
    }

    fn add_whole(&mut self, node: Node<'t>) {
        let whole = self.text.get(node.byte_range()).unwrap_or_default().trim_end();
        if whole.contains('\n') {
            self.wholes.push(Span::new(node.start_byte(), node.start_byte() + whole.len()));
        }
    }

    /// Counts the bytes of an error but for those of definitions, and of what else of several lines parsed within it: in
    /// a file that ends too early, all of it is one error.
    fn count_error(&mut self, node: Node<'t>) {
        let is_unread = |node: &Node<'_>| {
            let spans_lines = node.end_position().row > node.start_position().row;
            let is_known = || self.grammar.role(node.kind_id()).is_some();
            // Errors within count for themselves.
            !node.is_error() && !(node.is_named() && (is_known() || spans_lines))
        };
        let unread = children(node).filter(is_unread);
        let n_bytes = |node: Node<'_>| node.byte_range().len();
        self.n_error_bytes +=
            if node.child_count() == 0 { n_bytes(node) } else { unread.map(n_bytes).sum() };
    }

    fn outline(mut self) -> Option<Outline> {
        self.end_reaching(self.text.len());
        let parses = self.n_error_bytes * ERROR_SHARE <= self.text.len();
        parses.then(|| nested(self.found, self.wholes, self.text))
    }
}
