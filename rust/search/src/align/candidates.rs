//! Places where each block may stand: its occurrences, and those beside its neighbours.

use super::collapsed::Collapsed;
use super::occurrences::{Content, MAX_OCCURRENCES};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;

/// The first bytes in `text` at which each block may stand, ascending; block `i` has the content `kinds[i]`, if it is
/// not empty.
///
/// Of a content that occurs too often, the places right behind known places of the block before are looked at, from
/// the first block to the last, and those right before the block behind, the other way round.
///
/// # Errors
/// Those of the pulse.
pub fn places_of_each(
    text: &Collapsed<'_>,
    contents: &[Content<'_>],
    kinds: &[Option<usize>],
    beat: &Beat<'_>,
) -> Result<Vec<Vec<usize>>> {
    let text = text.text();
    let behind = |content: &Content<'_>, before: Option<(&Content<'_>, usize)>| {
        let end = before.map_or(0, |(before, start)| start + before.len());
        let start = end + usize::from(text[end..].starts_with(' '));
        content.stands(text, start).then_some(start)
    };
    let ahead = |content: &Content<'_>, after: Option<(&Content<'_>, usize)>| {
        let end = after.map_or(text.len(), |(_, start)| start);
        let start = text[..end].trim_end_matches(' ').len().checked_sub(content.len())?;
        (text.is_char_boundary(start) && content.stands(text, start)).then_some(start)
    };
    let forward: Vec<usize> = (0..kinds.len()).filter(|&i| kinds[i].is_some()).collect();
    let backward: Vec<usize> = forward.iter().rev().copied().collect();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); kinds.len()];
    beside(&mut places, &forward, contents, kinds, &behind, beat)?;
    beside(&mut places, &backward, contents, kinds, &ahead, beat)?;
    for (places, content) in places.iter_mut().zip(kinds).filter_map(|(p, &kind)| Some((p, kind?)))
    {
        places.extend_from_slice(&contents[content].occurrences);
        places.sort_unstable();
        places.dedup();
    }
    Ok(places)
}

/// Where a content may stand beside a place of another, or beside the end of the text.
type Beside<'a> = &'a dyn Fn(&Content<'_>, Option<(&Content<'_>, usize)>) -> Option<usize>;

/// Adds to `places` those of contents that have more occurrences, beside the block that comes before in `order`.
fn beside(
    places: &mut [Vec<usize>],
    order: &[usize],
    contents: &[Content<'_>],
    kinds: &[Option<usize>],
    place: Beside<'_>,
    beat: &Beat<'_>,
) -> Result<()> {
    // Of the block before: its content, and where it may stand.
    let mut last: Option<(&Content<'_>, Vec<usize>)> = None;
    for &block in order {
        let Some(content) = kinds[block].map(|kind| &contents[kind]) else { continue };
        let mut found = Vec::new();
        if content.has_more {
            let starts = last.as_ref().map(|(before, starts)| (before, &starts[..]));
            beat.after(content.len() * starts.map_or(1, |(_, starts)| starts.len()))?;
            match starts {
                None => found.extend(place(content, None)),
                Some((before, starts)) => {
                    found
                        .extend(starts.iter().filter_map(|&at| place(content, Some((before, at)))));
                }
            }
            places[block].extend_from_slice(&found);
        } else {
            found.extend_from_slice(
                &content.occurrences[..content.occurrences.len().min(MAX_OCCURRENCES)],
            );
        }
        last = Some((content, found));
    }
    Ok(())
}
