//! Captions of Markdown: paragraphs with a label and a number, right beside a figure or a table.

use crate::elements::{Element, Kind};
use crate::read::Read;
use crate::syntax::labels::is_caption;

/// Marks of emphasis, which captions are often in.
const EMPHASIS: [char; 2] = ['*', '_'];

/// A paragraph with a label, and what it may be the caption of: the elements before and behind it.
struct Labelled {
    element: usize,
    before: Option<usize>,
    behind: Option<usize>,
}

/// Makes captions of such paragraphs, one for each figure or table. O(n).
///
/// Captions stand below figures and above tables, if those with one neighbour do not say that tables have them below.
pub fn mark(text: &str, read: &mut Read) {
    let elements = &read.elements;
    let labelled: Vec<Labelled> = labelled(text, elements).collect();
    let is_table = |of: Option<usize>| of.is_some_and(|of| elements[of].kind == Kind::Table);
    let n_only = |is_it: fn(&Labelled) -> bool| labelled.iter().filter(|one| is_it(one)).count();
    let n_below = n_only(|one| one.before.is_some() && one.behind.is_none());
    let n_above = n_only(|one| one.before.is_none() && one.behind.is_some());
    let mut captions: Vec<(usize, usize)> = Vec::new();
    for Labelled { element, before, behind } in labelled {
        let is_above = is_table(before) && is_table(behind) && n_above >= n_below;
        let order = if is_above { [behind, before] } else { [before, behind] };
        let is_free = |of: &usize| captions.last().is_none_or(|(_, last)| last != of);
        captions.extend(order.into_iter().flatten().find(is_free).map(|of| (element, of)));
    }
    for &(caption, _) in &captions {
        read.elements[caption].kind = Kind::Caption;
    }
    read.captions = captions;
}

fn labelled<'e>(text: &'e str, elements: &'e [Element]) -> impl Iterator<Item = Labelled> + 'e {
    let is_labelled = |element: &Element| {
        element.kind == Kind::Paragraph
            && is_caption(text[element.span.range()].trim_start_matches(EMPHASIS))
    };
    let numbers = (0..elements.len()).filter(move |&i| is_labelled(&elements[i]));
    numbers.map(|element| {
        let owns = |of: &usize| {
            elements.get(*of).is_some_and(|owner| {
                matches!(owner.kind, Kind::Figure | Kind::Table)
                    && owner.parent == elements[element].parent
            })
        };
        let before = element.checked_sub(1).filter(owns);
        Labelled { element, before, behind: Some(element + 1).filter(owns) }
    })
}
