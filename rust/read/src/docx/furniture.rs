//! Headers and footers of pages: those of all sections, each text once.

use std::collections::HashSet;

use super::Context;
use super::parts::package::{Parts, Relations};
use super::parts::sections::Section;
use super::parts::tags::Tag;
use super::runs::Runs;
use super::texts::{Anchored, lines};
use crate::blocks::Block;
use chunkwright_text::error::Result;

/// The headers and footers that the sections of a document show. O(n).
///
/// # Errors
/// If the part of one cannot be read.
pub fn furniture<'a>(
    parts: &'a Parts<'a>,
    relations: &Relations,
    sections: &[Section<'a>],
    context: &Context<'a>,
) -> Result<Vec<Block>> {
    let settings = parts.related(relations, "settings")?;
    let has_even = settings.is_some_and(|settings| settings.is_on([Tag::EvenAndOdd]));
    let (mut shown, mut said, mut blocks) = (HashSet::new(), HashSet::new(), Vec::new());
    for (kind, id) in sections.iter().flat_map(|section| section.references(has_even)) {
        let Some(relation) = relations.get(id) else { continue };
        let name = relation.target.as_str();
        if !shown.insert((kind, name)) {
            continue;
        }
        let Some(root) = parts.part(name)? else { continue };
        let own = parts.relations(name)?;
        let mut runs = Runs::new(context, &own);
        for line in lines(root, context, &mut runs, &mut Anchored::default()) {
            if said.insert((kind, line.text.clone())) {
                blocks.push(Block { kind, text: line.text, links: line.links, ..Block::default() });
            }
        }
    }
    Ok(blocks)
}
