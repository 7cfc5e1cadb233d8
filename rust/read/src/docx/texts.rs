//! Texts of cells, notes and headers: the lines of all that stands in a container.

use super::Context;
use super::containers::Blocks;
use super::drawings::Picture;
use super::line::{Line, Piece};
use super::paragraphs::Properties;
use super::parts::tags::Tag;
use super::parts::tree::Node;
use super::runs::{Note, Runs};
use super::tables::{cells_of, rows_of};
use crate::blocks::writer::on_one_line;

/// What stands in texts beside their words.
#[derive(Default)]
pub struct Anchored<'a> {
    /// The pictures.
    pub pictures: Vec<Picture<'a>>,
    /// The notes that they refer to.
    pub notes: Vec<Note<'a>>,
}

/// The texts in a container by paragraph, and by row of its tables. O(n).
pub fn lines<'a>(
    container: Node<'a>,
    context: &Context<'a>,
    runs: &mut Runs<'a, '_>,
    anchored: &mut Anchored<'a>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for node in Blocks::new(container) {
        match node.tag() {
            Tag::P => paragraph(node, context, runs, anchored, &mut lines),
            Tag::Table => {
                for row in rows_of(node) {
                    let mut cells: Vec<Line> = cells_of(row)
                        .into_iter()
                        .map(|cell| text(cell, context, runs, anchored))
                        .collect();
                    cells.retain(|cell| !cell.text.is_empty());
                    lines.push(Line::joined(&cells, " "));
                }
            }
            _ => lines.push(Line::new(marked(runs.equations(node).pieces))),
        }
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

/// The texts in a container as one line, without line ends.
pub fn text<'a>(
    container: Node<'a>,
    context: &Context<'a>,
    runs: &mut Runs<'a, '_>,
    anchored: &mut Anchored<'a>,
) -> Line {
    let line = Line::joined(&lines(container, context, runs, anchored), " ");
    Line { text: on_one_line(&line.text), ..line }
}

fn paragraph<'a>(
    node: Node<'a>,
    context: &Context<'a>,
    runs: &mut Runs<'a, '_>,
    anchored: &mut Anchored<'a>,
    all: &mut Vec<Line>,
) {
    let properties = Properties::new(node, &context.styles, &context.numbering);
    let held = runs.content(node);
    let line = Line::new(marked(held.pieces));
    let label = properties.label(!line.text.is_empty(), &context.styles, &context.numbering);
    if !line.text.is_empty() {
        all.push(match label {
            Some(label) => line.behind(&format!("{label} ")),
            None => line,
        });
    }
    anchored.pictures.extend(held.pictures);
    anchored.notes.extend(held.notes);
    for text_box in held.boxes {
        all.extend(lines(text_box, context, runs, anchored));
    }
}

/// The pieces of a line, equations between dollars.
pub fn marked(pieces: Vec<Piece<'_>>) -> impl Iterator<Item = Piece<'_>> {
    pieces.into_iter().map(|piece| {
        if piece.is_equation {
            Piece { text: format!("${}$", piece.text).into(), ..piece }
        } else {
            piece
        }
    })
}
