//! Body of a Word file as blocks, in reading order.

use std::collections::{HashMap, HashSet};

use super::Context;
use super::captions::set_captions;
use super::containers::Blocks;
use super::drawings::Picture;
use super::line::{Line, Piece};
use super::lists::Lists;
use super::notes::Notes;
use super::paragraphs::Properties;
use super::parts::numbering::BULLET;
use super::parts::package::{Parts, Relations};
use super::parts::sections::Section;
use super::parts::styles::Sort;
use super::parts::tags::Tag;
use super::parts::tree::Node;
use super::runs::{Content, Runs};
use super::tables::{cells_of, grid_of, rows_of};
use super::texts::{Anchored, marked, text};
use crate::blocks::Block;
use crate::blocks::writer::on_one_line;
use chunkwright_text::elements::Kind;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;
use chunkwright_text::unicode::space::is_space;

/// A reader of the blocks of a document.
pub struct Body<'a, 'c> {
    parts: &'a Parts<'a>,
    context: &'c Context<'a>,
    relations: &'c Relations,
    sections: &'c [Section<'a>],
    beat: &'c Beat<'c>,
    runs: Runs<'a, 'c>,
    notes: Notes<'a>,
    /// How many sections have ended.
    section: usize,
    lists: Lists<'a>,
    blocks: Vec<Block>,
    /// The numbers of the blocks that are titles.
    titles: HashSet<usize>,
    /// What the numbers of captions count, by the numbers of their blocks.
    sequences: HashMap<usize, String>,
    /// Lines of code that may go on.
    code: Vec<Line>,
    /// Pieces whose line the next paragraph goes on with.
    carried: Vec<Piece<'a>>,
    /// The parts of the diagrams that were read.
    diagrams: HashSet<&'c str>,
}

impl<'a, 'c> Body<'a, 'c> {
    /// A reader of a document with these relations and sections.
    pub fn new(
        parts: &'a Parts<'a>,
        context: &'c Context<'a>,
        relations: &'c Relations,
        sections: &'c [Section<'a>],
        beat: &'c Beat<'c>,
    ) -> Self {
        Self {
            parts,
            context,
            relations,
            sections,
            beat,
            runs: Runs::new(context, relations),
            notes: Notes::new(parts),
            section: 0,
            lists: Lists::default(),
            blocks: Vec::new(),
            titles: HashSet::new(),
            sequences: HashMap::new(),
            code: Vec::new(),
            carried: Vec::new(),
            diagrams: HashSet::new(),
        }
    }

    /// Reads all that stands in a body, a frame or a text box.
    ///
    /// # Errors
    /// If a part or a table cannot be read, and those of the beat.
    pub fn read(&mut self, container: Node<'a>) -> Result<()> {
        for node in Blocks::new(container) {
            self.beat.after(1)?;
            match node.tag() {
                Tag::Table => self.table(node)?,
                Tag::P => self.paragraph(node)?,
                _ => {
                    let content = self.runs.equations(node);
                    self.content(content, &Properties::default())?;
                }
            }
        }
        Ok(())
    }

    /// The blocks that were read.
    ///
    /// # Errors
    /// If the part of notes cannot be read.
    pub fn finish(mut self) -> Result<Vec<Block>> {
        self.end_lists()?;
        self.end_code();
        set_captions(&mut self.blocks, &self.sequences);
        if !self.titles.is_empty() {
            for (at, block) in self.blocks.iter_mut().enumerate() {
                if block.kind == Kind::Heading && !self.titles.contains(&at) {
                    block.level += 1;
                }
            }
        }
        Ok(self.blocks)
    }

    fn paragraph(&mut self, node: Node<'a>) -> Result<()> {
        if node.children().next().is_none() {
            return Ok(());
        }
        let properties = Properties::new(node, &self.context.styles, &self.context.numbering);
        if properties.begins_page {
            self.context.pages.set();
        }
        let mut content = self.runs.content(node);
        if properties.runs_on {
            self.carried.append(&mut content.pieces);
        } else if !self.carried.is_empty() {
            self.carried.append(&mut content.pieces);
            content.pieces = std::mem::take(&mut self.carried);
        }
        self.content(content, &properties)?;
        if properties.ends_section {
            self.section += 1;
            if self.sections.get(self.section).is_some_and(|section| section.begins_page()) {
                self.context.pages.set();
            }
        }
        Ok(())
    }

    /// Adds the blocks of what a paragraph holds.
    fn content(&mut self, mut content: Content<'a>, properties: &Properties<'a>) -> Result<()> {
        // What a heading or an item begins with is of it.
        let is_text = properties.num_id.is_none()
            && matches!(properties.sort, Sort::Plain | Sort::Caption | Sort::Quote);
        let (n_pictures, n_boxes) = if is_text { content.leading } else { (0, 0) };
        let (later_pictures, later_boxes) =
            (content.pictures.split_off(n_pictures), content.boxes.split_off(n_boxes));
        let pages = &self.context.pages;
        let here = pages.number();
        pages.go_to(if content.first == 0 { here } else { content.first });
        self.beside(
            std::mem::take(&mut content.pictures),
            std::mem::take(&mut content.boxes),
            None,
        )?;
        pages.go_to(here);
        let notes = std::mem::take(&mut content.notes);
        let number = match properties.sort {
            Sort::Code => {
                self.code_line(content)?;
                None
            }
            _ => self.text(content, properties)?,
        };
        self.notes.refer(notes, number);
        if self.lists.item().is_none() {
            self.write_notes()?;
        }
        let parent = number.filter(|_| self.lists.item().is_some());
        self.beside(later_pictures, later_boxes, parent)
    }

    /// Adds the block of a paragraph's text; none if it has no text.
    fn text(&mut self, content: Content<'a>, properties: &Properties<'a>) -> Result<Option<usize>> {
        let is_equations = is_equations(&content.pieces);
        let equations = if is_equations { content.pieces.clone() } else { Vec::new() };
        let mut line = Line::new(marked(content.pieces));
        let (styles, numbering) = (&self.context.styles, &self.context.numbering);
        let label = properties.label(!line.text.is_empty(), styles, numbering);
        if line.text.is_empty() {
            return Ok(None);
        }
        if is_equations {
            return self.formulas(equations);
        }
        let is_heading = matches!(properties.sort, Sort::Heading | Sort::Title);
        if let Some(label) = label.as_deref() {
            if !is_heading && properties.sort != Sort::Caption {
                return self.item(line.behind(&format!("{label} ")), properties).map(Some);
            }
            if label != BULLET {
                line = line.behind(&format!("{label} "));
            }
        }
        let item = self.lists.item().filter(|_| properties.sort == Sort::Continued);
        if let (Some(parent), None) = (item, &label) {
            self.end_code();
            let block = Block { parent: Some(parent), ..Block::default() };
            return Ok(Some(self.push(block, line)));
        }
        if is_heading {
            // It is one line, wherever Word breaks it.
            line.text = line.text.replace('\n', " ");
            let level = u8::try_from(properties.level.max(1)).unwrap_or(u8::MAX);
            let number = self.add(Block { level, ..of_kind(Kind::Heading) }, line)?;
            if properties.sort == Sort::Title {
                self.titles.insert(number);
            }
            return Ok(Some(number));
        }
        let kind = match properties.sort {
            Sort::Caption => Kind::Caption,
            Sort::Quote => Kind::Quote,
            _ => Kind::Paragraph,
        };
        let number = self.add(of_kind(kind), line)?;
        if kind == Kind::Caption {
            self.sequences.insert(number, content.sequence);
        }
        Ok(Some(number))
    }

    fn item(&mut self, line: Line, properties: &Properties<'a>) -> Result<usize> {
        self.end_code();
        let num_id = properties.num_id.unwrap_or_default();
        let counted = self.context.numbering.counted(num_id, &self.context.styles);
        let place = self.lists.place(properties.depth, counted);
        let list = if let Some(list) = place.block {
            list
        } else {
            if place.parent.is_none() {
                self.write_notes()?;
            }
            let list = Block { level: place.level, parent: place.parent, ..of_kind(Kind::List) };
            self.push(list, Line::default())
        };
        let item = Block { level: place.level, parent: Some(list), ..of_kind(Kind::ListItem) };
        let item = self.push(item, line);
        self.lists.add(properties.depth, counted, list, item);
        Ok(item)
    }

    fn formulas(&mut self, pieces: Vec<Piece<'a>>) -> Result<Option<usize>> {
        let mut number = None;
        for piece in pieces.into_iter().filter(|piece| piece.is_equation) {
            let text = format!("$${}$$", piece.text);
            let line = Line { text, pages: vec![(0, piece.page)], ..Line::default() };
            number = Some(self.add(of_kind(Kind::Formula), line)?);
        }
        Ok(number)
    }

    fn code_line(&mut self, content: Content<'a>) -> Result<()> {
        let line = Line::of_code(content.pieces);
        if !line.text.is_empty() || !self.code.is_empty() {
            self.end_lists()?;
            self.code.push(line);
        }
        Ok(())
    }

    /// Adds the lines of code that were read as one block.
    fn end_code(&mut self) {
        let mut lines = std::mem::take(&mut self.code);
        while lines.pop_if(|line| line.text.is_empty()).is_some() {}
        if !lines.is_empty() {
            self.push(of_kind(Kind::Code), Line::joined(&lines, "\n"));
        }
    }

    /// Adds the blocks of what is anchored in a paragraph.
    fn beside(
        &mut self,
        pictures: Vec<Picture<'a>>,
        boxes: Vec<Node<'a>>,
        parent: Option<usize>,
    ) -> Result<()> {
        for picture in pictures {
            self.picture(picture, parent)?;
        }
        for text_box in boxes {
            // It stands on the page of its anchor.
            let page = self.context.pages.number();
            self.read(text_box)?;
            self.context.pages.go_to(page);
        }
        Ok(())
    }

    fn picture(&mut self, picture: Picture<'a>, parent: Option<usize>) -> Result<()> {
        let pages = self.context.pages.here();
        let figure = Block { parent, pages: pages.clone(), ..of_kind(Kind::Figure) };
        let line = Line::from(picture.text);
        let number = match parent {
            None => self.add(figure, line)?,
            Some(_) => self.push(figure, line),
        };
        for text in self.diagram(picture.diagram)? {
            let parent = Some(number);
            self.push(Block { parent, pages: pages.clone(), ..Block::default() }, Line::from(text));
        }
        Ok(())
    }

    /// The texts of a diagram, which has a part of its own.
    fn diagram(&mut self, relation: Option<&str>) -> Result<Vec<String>> {
        let part = relation.and_then(|id| self.relations.get(id));
        let Some(part) = part.filter(|part| !part.is_external) else { return Ok(Vec::new()) };
        if !self.diagrams.insert(&part.target) {
            return Ok(Vec::new());
        }
        let root = self.parts.part(&part.target)?;
        let points = root.into_iter().flat_map(|root| root.all(Tag::DiagramPoint));
        let texts = points.map(|point| {
            let texts: Vec<_> = point.all(Tag::DrawnText).map(Node::text).collect();
            on_one_line(&texts.join(" "))
        });
        Ok(texts.filter(|text| !text.is_empty()).collect())
    }

    fn table(&mut self, node: Node<'a>) -> Result<()> {
        let rows = rows_of(node);
        if let [row] = rows[..]
            && let [cell] = cells_of(row)[..]
        {
            return self.read(cell);
        }
        let mut anchored = Anchored::default();
        let grid = grid_of(node, &rows, |cells| self.row(cells, &mut anchored))?;
        let mut number = None;
        if let Some((table, lines)) = grid.filter(|(_, lines)| has_text(lines)) {
            let mut block = of_kind(Kind::Table);
            self.place(&mut block, &Line::joined(&lines, ""));
            block.table = Some(table);
            number = Some(self.add(block, Line::default())?);
        }
        for picture in anchored.pictures {
            self.picture(picture, number)?;
        }
        self.notes.refer(anchored.notes, number);
        self.write_notes()
    }

    /// The lines of a row, all of whose cells begin on the same page.
    ///
    /// Where a row begins a page, Word says so in its first cell alone, or in each.
    fn row(&mut self, cells: &[Node<'a>], anchored: &mut Anchored<'a>) -> Vec<Line> {
        let pages = &self.context.pages;
        let (first, mut last, mut begins) = (pages.number(), pages.number(), 0);
        let mut lines = Vec::with_capacity(cells.len());
        for &cell in cells {
            pages.go_to(first);
            let line = text(cell, self.context, &mut self.runs, anchored);
            let mut n_later = 0;
            if let Some(&(_, own)) = line.pages.first() {
                begins = if begins == 0 { own } else { begins };
                n_later = (begins - own).max(0);
            }
            last = last.max(pages.number() + n_later);
            lines.push(line.later(n_later));
        }
        pages.go_to(last);
        lines
    }

    /// Adds the notes that the blocks so far refer to.
    fn write_notes(&mut self) -> Result<()> {
        let notes = self.notes.take(self.context, self.relations)?;
        if !notes.is_empty() {
            self.end_code();
            self.blocks.extend(notes);
        }
        Ok(())
    }

    fn end_lists(&mut self) -> Result<()> {
        self.lists.close();
        self.write_notes()
    }

    /// Adds a block that ends lists and code.
    fn add(&mut self, block: Block, line: Line) -> Result<usize> {
        self.end_lists()?;
        self.end_code();
        Ok(self.push(block, line))
    }

    fn push(&mut self, mut block: Block, line: Line) -> usize {
        self.place(&mut block, &line);
        (block.text, block.links) = (line.text, line.links);
        self.blocks.push(block);
        self.blocks.len() - 1
    }

    /// Places a block on the pages of a line, if it has any.
    fn place(&self, block: &mut Block, line: &Line) {
        if line.pages.is_empty() || !self.context.pages.are_known {
            return;
        }
        let mut seen = HashSet::new();
        // Each cell of a row may go on on the same page.
        let starts = line.page_starts().into_iter().filter(|(_, page)| seen.insert(*page));
        (block.page_starts, block.pages) = starts.unzip();
    }
}

fn of_kind(kind: Kind) -> Block {
    Block { kind, ..Block::default() }
}

fn has_text(lines: &[Line]) -> bool {
    lines.iter().any(|line| !line.text.is_empty())
}

/// Whether there are equations, and nothing else.
fn is_equations(pieces: &[Piece<'_>]) -> bool {
    let mut shown = pieces.iter().filter(|piece| !piece.text.chars().all(is_space)).peekable();
    shown.peek().is_some() && shown.all(|piece| piece.is_equation)
}
