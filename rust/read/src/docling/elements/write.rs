//! Text of a document with its elements, and the nodes that they are made of.

use crate::blocks::writer;
use crate::docling::node::NodeId;
use chunkwright_text::elements::Element;
use chunkwright_text::grid::Grid;
use chunkwright_text::read::Read;
use chunkwright_text::span::Span;

/// Text of an element, and the nodes that it is made of.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The text.
    pub text: String,
    /// The heading without its link, in it; empty if that is all of it.
    pub title: Span,
    /// The nodes; the first one is the item itself.
    pub nodes: Vec<NodeId>,
    /// Nodes found in it that are no part of a line: lists, tables, pictures.
    pub rest: Vec<NodeId>,
}

/// Writes the text of a document, and remembers the nodes.
#[derive(Debug, Default)]
pub struct Writer {
    written: writer::Writer,
    /// The nodes that the elements are made of, one element behind the other; each has one at least.
    nodes: Vec<NodeId>,
    /// For each element the end of its nodes.
    ends: Vec<usize>,
}

impl Writer {
    /// Adds an element; see [`writer::Writer::push`].
    pub fn push(
        &mut self,
        element: Element,
        said: Said,
        list: Option<usize>,
        indent: usize,
    ) -> usize {
        let number = self.written.push(element, &said.text, said.title, list, indent);
        self.nodes.extend(said.nodes);
        self.ends.push(self.nodes.len());
        number
    }

    /// Says in what language the code with that number is.
    pub fn set_language(&mut self, element: usize, language: Option<&str>) {
        self.written.set_language(element, language);
    }

    /// Says that elements are the captions of one.
    pub fn set_captions(&mut self, captions: &[usize], element: usize) {
        self.written.set_captions(captions, element);
    }

    /// Gives the last element a grid, whose places are those in its own text.
    pub fn set_grid(&mut self, grid: Grid) {
        self.written.set_grid(grid);
    }

    /// The document, the nodes of the elements and for each element the end of its nodes.
    pub fn finish(self) -> (Read, Vec<NodeId>, Vec<usize>) {
        (self.written.finish(), self.nodes, self.ends)
    }
}
