//! Footnotes and endnotes: their texts, each where it is first referred to.

use std::collections::{HashMap, HashSet};

use super::Context;
use super::line::Line;
use super::parts::package::{Parts, Relations};
use super::parts::tree::Node;
use super::runs::{Note, Runs};
use super::texts::{Anchored, lines};
use crate::blocks::Block;
use chunkwright_text::elements::Kind;
use chunkwright_text::error::Result;

/// The notes of a document, and those that blocks refer to and that are still to be written.
pub struct Notes<'a> {
    parts: &'a Parts<'a>,
    /// The notes of a part by their ids, footnotes first, and the relations of the part.
    read: [Option<(HashMap<&'a str, Node<'a>>, Relations)>; 2],
    pending: Vec<(Note<'a>, Option<usize>)>,
    written: HashSet<Note<'a>>,
}

impl<'a> Notes<'a> {
    /// Those of a package.
    pub fn new(parts: &'a Parts<'a>) -> Self {
        Self { parts, read: [None, None], pending: Vec::new(), written: HashSet::new() }
    }

    /// Notes what a block refers to.
    pub fn refer(&mut self, notes: Vec<Note<'a>>, block: Option<usize>) {
        self.pending.extend(notes.into_iter().map(|note| (note, block)));
    }

    /// The notes referred to since the last call, each once in a document.
    ///
    /// # Errors
    /// If the part of notes cannot be read.
    pub fn take(&mut self, context: &Context<'a>, relations: &Relations) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        for (note, parent) in std::mem::take(&mut self.pending) {
            blocks.extend(self.block(note, parent, context, relations)?);
        }
        Ok(blocks)
    }

    fn block(
        &mut self,
        note: Note<'a>,
        parent: Option<usize>,
        context: &Context<'a>,
        relations: &Relations,
    ) -> Result<Option<Block>> {
        let slot = &mut self.read[usize::from(note.is_endnote)];
        if slot.is_none() {
            let part = relations.of_kind(note.part()).next();
            let name = part.map_or("", |part| &part.target);
            let all = self.parts.part(name)?.into_iter().flat_map(Node::children);
            let by_id = all.map(|each| (each.attribute("w:id").unwrap_or_default(), each));
            *slot = Some((by_id.collect(), self.parts.relations(name)?));
        }
        let Some((by_id, own)) = slot else { return Ok(None) };
        let Some(&root) = by_id.get(note.id) else { return Ok(None) };
        if !self.written.insert(note) {
            return Ok(None);
        }
        let mut runs = Runs::new(context, own);
        let mut said = lines(root, context, &mut runs, &mut Anchored::default());
        let text = Line::joined(&said, "\n").text;
        let links = said.pop().filter(|_| said.is_empty()).map_or_else(Vec::new, |line| line.links);
        let block = Block { kind: Kind::Footnote, text, parent, links, ..Block::default() };
        Ok(Some(block).filter(|block| !block.text.is_empty()))
    }
}
