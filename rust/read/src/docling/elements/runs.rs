//! Text of an item: its own with its marks, or the inline pieces that it is made of.

use super::Walk;
use super::list::marker;
use super::write::Said;
use crate::blocks::writer::on_one_line;
use crate::docling::label::Label;
use crate::docling::node::{Node, NodeId};
use crate::docling::table::Cell;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// Schemes of targets that are worth a place in the text; those that are none have no scheme at all.
const SCHEMES: [&str; 8] = ["http", "https", "ftp", "ftps", "sftp", "mailto", "tel", "file"];

/// What is to be done next in a cell.
enum Step<'d> {
    /// A node, and what marks it as an item of a list.
    Node(NodeId, String),
    /// A caption or footnote of a table or picture in the cell.
    Attached(NodeId),
    /// A cell of a table in the cell.
    Cell(&'d Cell),
    /// The text of a cell that holds more, if so many pieces are all that has been found.
    Otherwise(&'d str, usize),
}

impl<'d> Walk<'d> {
    /// What an item with a text says: that, or the run of pieces below it.
    pub(super) fn said(&mut self, id: NodeId, node: &'d Node) -> Said {
        let mut said = Said { nodes: vec![id], ..Said::default() };
        let is_plain = node.label == Label::Code && node.hyperlink.is_none();
        if !node.text.trim_matches(is_space).is_empty() {
            said.text = match node.label {
                _ if is_plain => node.text.clone(),
                Label::Formula => format!("$${}$$", node.text.trim_matches(is_space)),
                Label::Title | Label::SectionHeader => return heading(node, said),
                _ => marked(node),
            };
        } else if let Some(run) = self.run_below(node) {
            said = self.pieces_of(run, !node.label.is_heading());
            said.nodes.insert(0, id);
        } else if node.label == Label::Formula {
            said.text = String::from(node.original.trim_matches(is_space));
        }
        if node.label.is_heading() {
            said.text = on_one_line(&said.text);
        }
        said
    }

    /// The run of inline pieces that leads what is below a node.
    fn run_below(&self, node: &Node) -> Option<NodeId> {
        let first = *node.children.first()?;
        let is_run = matches!(self.document.node(first).label, Label::Inline | Label::FieldItem);
        (is_run && self.document.is_shown(first) && !self.is_visited[first.index()])
            .then_some(first)
    }

    /// What the pieces below `root` say in one line, a blank between two.
    pub(super) fn pieces(&mut self, root: NodeId) -> Said {
        self.pieces_of(root, true)
    }

    /// The same, bold and italic pieces as such or not.
    fn pieces_of(&mut self, root: NodeId, is_styled: bool) -> Said {
        self.visit(root);
        let mut said = Said { nodes: vec![root], ..Said::default() };
        let mut pieces = Line::default();
        let mut open: Vec<NodeId> = self.document.node(root).children.clone();
        open.reverse();
        while let Some(id) = open.pop() {
            if self.is_attached[id.index()] {
                continue;
            }
            let label = self.document.node(id).label;
            let is_in_line = label.is_text() && !self.is_block_of_code(id)
                || matches!(label, Label::Inline | Label::FieldItem | Label::Group);
            if !is_in_line && self.document.is_shown(id) {
                said.rest.push(id);
                continue;
            }
            let Some(node) = self.visit(id) else { continue };
            open.extend(node.children.iter().rev());
            if self.document.is_shown(id) {
                said.nodes.push(id);
                let piece = if is_styled { marked(node) } else { linked(unstyled(node), node) };
                pieces.push(&piece, node.label == Label::FieldKey);
            }
        }
        said.text = pieces.text;
        said
    }

    fn is_block_of_code(&self, id: NodeId) -> bool {
        let node = self.document.node(id);
        node.label == Label::Code && node.text.contains('\n')
    }

    /// What stands in a cell that holds `content`, on one line; `text` if that says nothing.
    pub(super) fn cell(&mut self, content: NodeId, text: &'d str) -> String {
        let mut line = Line::default();
        let mut steps = vec![Step::Otherwise(text, 0), Step::Node(content, String::new())];
        while let Some(step) = steps.pop() {
            let (id, mark) = match step {
                Step::Node(id, _) if self.is_attached[id.index()] => continue,
                Step::Node(id, mark) => (id, mark),
                Step::Attached(id) => (id, String::new()),
                Step::Cell(cell) => {
                    steps.push(Step::Otherwise(&cell.text, line.n_pieces));
                    steps.extend(cell.content.map(|id| Step::Node(id, String::new())));
                    continue;
                }
                Step::Otherwise(text, n_pieces) => {
                    if line.n_pieces == n_pieces {
                        line.push(text, false);
                    }
                    continue;
                }
            };
            let Some(node) = self.visit(id) else { continue };
            if self.document.is_shown(id) {
                line.push_mark(&mark);
                line.push(&marked_or_original(node), node.label == Label::FieldKey);
                steps.extend(node.footnotes.iter().rev().map(|id| Step::Attached(*id)));
            }
            steps.extend(self.steps_of_children(node).into_iter().rev());
            if self.document.is_shown(id) {
                let cells = node.table.iter().flat_map(|table| table.cells.iter().rev());
                steps.extend(cells.map(Step::Cell));
                steps.extend(node.captions.iter().rev().map(|id| Step::Attached(*id)));
            }
        }
        on_one_line(&line.text)
    }

    /// The children of a node, items of a list with their markers.
    fn steps_of_children(&self, node: &'d Node) -> Vec<Step<'d>> {
        let step = |(id, number)| {
            let item = self.document.node(id);
            let is_item = item.label == Label::ListItem && self.document.is_shown(id);
            Step::Node(id, if is_item { marker(item, number) } else { String::new() })
        };
        self.numbered(node).into_iter().map(step).collect()
    }
}

/// The text of a node with its marks; of a formula that has none, what was read.
fn marked_or_original(node: &Node) -> String {
    let own = marked(node);
    if own.is_empty() && node.label == Label::Formula { node.original.clone() } else { own }
}

/// Pieces in one line.
#[derive(Default)]
struct Line {
    text: String,
    n_pieces: usize,
    /// Whether the last piece names what comes behind it.
    is_key: bool,
}

impl Line {
    /// Adds the marker of an item, which says nothing by itself.
    fn push_mark(&mut self, mark: &str) {
        let n_pieces = self.n_pieces;
        self.push(mark, false);
        self.n_pieces = n_pieces;
    }

    fn push(&mut self, piece: &str, is_key: bool) {
        let piece = piece.trim_matches(is_space);
        if piece.is_empty() {
            return;
        }
        if self.is_key && self.text.ends_with(char::is_alphanumeric) {
            self.text.push(':');
        }
        if !(self.text.is_empty() || self.text.ends_with('(') || is_stop(piece)) {
            self.text.push(' ');
        }
        self.text.push_str(piece);
        self.n_pieces += 1;
        self.is_key = is_key;
    }
}

/// Whether a piece begins with a mark that ends what is before it.
fn is_stop(piece: &str) -> bool {
    let rest = piece.trim_start_matches([',', '.', ';', ':', '!', '?', ')']);
    rest.len() < piece.len() && rest.chars().next().is_none_or(is_space)
}

/// A heading on one line, and which part of it is no link.
fn heading(node: &Node, said: Said) -> Said {
    let words = on_one_line(&node.text);
    let text = linked(words.clone(), node);
    let title = if text == words { Span::default() } else { Span::new(1, 1 + words.len()) };
    Said { text, title, ..said }
}

/// The text of a node as a part of a line, with all of its marks.
fn marked(node: &Node) -> String {
    let (mut text, style) = (unstyled(node), node.style);
    if text.is_empty() {
        return text;
    }
    for (is_set, mark) in [(style.bold, "**"), (style.italic, "*"), (style.strikethrough, "~~")] {
        if is_set {
            text = format!("{mark}{text}{mark}");
        }
    }
    text = linked(text, node);
    match node.label {
        Label::CheckboxSelected => format!("[x] {text}"),
        Label::CheckboxUnselected => format!("[ ] {text}"),
        _ => text,
    }
}

/// The text of a node with the marks of code or of a formula.
fn unstyled(node: &Node) -> String {
    match (node.text.trim_matches(is_space), node.label) {
        ("", _) => String::new(),
        (bare, Label::Code) => ticked(&on_one_line(bare)),
        (bare, Label::Formula) => format!("${bare}$"),
        (bare, _) => bare.to_owned(),
    }
}

/// Code in as many ticks as it needs.
fn ticked(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    if longest > 0 { format!("{ticks} {code} {ticks}") } else { format!("{ticks}{code}{ticks}") }
}

/// A text with where it leads, unless that is what it says, or a program.
fn linked(text: String, node: &Node) -> String {
    let is_other = |target: &&str| !text.is_empty() && *target != text;
    let Some(target) = node.hyperlink.as_deref().filter(is_other) else { return text };
    let is_known = url::Url::parse(target).map_or(true, |url| SCHEMES.contains(&url.scheme()));
    if !is_known || matches!(target, "" | ".") {
        return text;
    }
    if target.contains(|c: char| is_space(c) || matches!(c, '(' | ')' | '<' | '>')) {
        let target = on_one_line(target).replace('<', "%3C").replace('>', "%3E");
        return format!("[{text}](<{target}>)");
    }
    format!("[{text}]({target})")
}
