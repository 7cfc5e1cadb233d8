//! Text item in Markdown: heading, list item, checkbox, code, formula or paragraph.

use crate::docling::render::style::{styled, with_line_breaks};
use crate::docling::render::{Rendered, Renderer, Scope, Visited, code};
use chunkwright_read::docling::{Label, Node, NodeId};
use chunkwright_text::error::{Error, Result};

/// How deep code may be nested in captions of code. What stands there is rendered anew for each, so the time
/// doubles with the depth.
const MAX_CAPTIONS: usize = 8;

impl Renderer<'_> {
    /// A text item with its style, link and captions.
    pub(super) fn text(&self, id: NodeId, scope: Scope, visited: &mut Visited) -> Result<Rendered> {
        let node = self.document.node(id);
        let line = self.line_for_text(id);
        let mut text = match line {
            Some(line) => self.render(line, scope.forgotten(), visited)?.text,
            None => node.text.clone(),
        };
        match node.label {
            Label::CheckboxSelected => text.insert_str(0, "- [x] "),
            Label::CheckboxUnselected => text.insert_str(0, "- [ ] "),
            _ => {}
        }
        // What stands for the text has a style of its own; of others, that of a heading or list item does not
        // go for what leads it.
        let has_style = line.is_some();
        let is_led = node.label == Label::ListItem || node.label.is_heading();
        let text = match node.label {
            Label::ListItem if has_style => text,
            Label::ListItem => styled(with_line_breaks(&text), node),
            label if label.is_heading() && has_style => text,
            label if label.is_heading() => styled(text.replace('\n', " "), node),
            Label::Code if scope.is_inline || node.hyperlink.is_some() => code::span(&text),
            Label::Code => code::block(&text),
            Label::Formula => formula(node, &text, scope),
            _ => with_line_breaks(&text),
        };
        let text = if is_led { self.led(id, text, scope) } else { text };
        let items = if text.is_empty() { Vec::new() } else { vec![id] };
        let mut rendered = Rendered { text, items };
        if node.label == Label::Code {
            rendered = self.with_captions(id, rendered, scope)?;
        }
        if !has_style && !is_led {
            rendered.text = styled(rendered.text, node);
        }
        Ok(rendered)
    }

    /// Code with its captions behind it.
    fn with_captions(&self, id: NodeId, code: Rendered, scope: Scope) -> Result<Rendered> {
        let around = Scope { n_captions: scope.n_captions + 1, ..scope.inner() };
        if around.n_captions > MAX_CAPTIONS && !self.document.node(id).captions.is_empty() {
            let me = self.document.reference(id);
            return Err(Error::read(format!("{me} stands in captions of too much other code")));
        }
        let captions = self.captions(id, around, None)?;
        let separator = if scope.is_inline { " " } else { "\n\n" };
        Ok(Rendered::joined(vec![code, captions], separator))
    }

    /// The run of inline pieces that stands for the text of an item without one.
    fn line_for_text(&self, id: NodeId) -> Option<NodeId> {
        let node = self.document.node(id);
        let [child] = node.children[..] else { return None };
        let is_line = node.text.is_empty() && self.document.node(child).label == Label::Inline;
        is_line.then_some(child)
    }

    /// A list item behind its marker, a heading behind its hashes.
    fn led(&self, id: NodeId, text: String, scope: Scope) -> String {
        let node = self.document.node(id);
        match node.label {
            Label::ListItem => self.with_marker(id, node, &text),
            // A table has no headings in its cells.
            _ if scope.is_in_cell => text,
            Label::Title => format!("# {text}"),
            _ => format!("{} {text}", "#".repeat(usize::from(node.level).min(5) + 1)),
        }
    }
}

fn formula(node: &Node, text: &str, scope: Scope) -> String {
    match (text.is_empty(), scope.is_inline) {
        (true, _) if node.has_original => String::from("<!-- formula-not-decoded -->"),
        (true, _) => String::new(),
        (false, true) => format!("${text}$"),
        (false, false) => format!("$${text}$$"),
    }
}
