//! Links of a Markdown text: inline, by reference and in angle brackets, and images.

use pulldown_cmark::{Event, LinkType, Parser, Tag};

use super::{Part, parts, walk, with_feeds};
use crate::panics;
use crate::read::link::Link;
use crate::span::Span;

/// The links of `text`, those in others behind these; the span of each is its whole source. O(n).
///
/// The text is parsed again, so that documents whose links nobody asks for do not pay for them. Should the
/// parser panic, there are none.
///
/// ```
/// use chunkwright_text::syntax::markdown::links;
///
/// let text = "See [the log][1] and ![a map](map.png).\n\n[1]: log.html\n";
/// let found: Vec<_> = links(text).iter().map(|link| (link.target.to_string(), link.is_image)).collect();
/// assert_eq!(found, [("log.html".into(), false), ("map.png".into(), true)]);
/// ```
pub fn links(text: &str) -> Vec<Link> {
    panics::caught(|| all(&with_feeds(text))).unwrap_or_default()
}

fn all(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for part in parts(text) {
        let Part::Blocks(span) = part else { continue };
        let parser = Parser::new_ext(&text[span.range()], walk::OPTIONS).into_offset_iter();
        links.extend(parser.filter_map(|(event, range)| {
            let Event::Start(tag) = event else { return None };
            let place = Span::new(span.start + range.start, span.start + range.end);
            link(tag, place)
        }));
    }
    links
}

fn link(tag: Tag<'_>, span: Span) -> Option<Link> {
    match tag {
        Tag::Link { link_type: LinkType::Email, dest_url, .. } => {
            Some(Link { span, target: format!("mailto:{dest_url}").into(), is_image: false })
        }
        Tag::Link { dest_url, .. } => {
            Some(Link { span, target: (&*dest_url).into(), is_image: false })
        }
        Tag::Image { dest_url, .. } => {
            Some(Link { span, target: (&*dest_url).into(), is_image: true })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_their_source_and_their_target() {
        let text = "---\na: [b](c)\n---\n[a](<x y> 'T') ![é](i.png) [r] <http://u.v> <m@n.o>\n\n\
                    > - [![i](j)](k)\n\n`[no](no)` [no]\n\n[r]: /r&amp;s\n";
        let found: Vec<_> = links(text)
            .into_iter()
            .map(|link| (&text[link.span.range()], link.target.to_string(), link.is_image))
            .collect();
        let expected = [
            ("[a](<x y> 'T')", "x y", false),
            ("![é](i.png)", "i.png", true),
            ("[r]", "/r&s", false),
            ("<http://u.v>", "http://u.v", false),
            ("<m@n.o>", "mailto:m@n.o", false),
            ("[![i](j)](k)", "k", false),
            ("![i](j)", "j", true),
        ];
        assert_eq!(found, expected.map(|(said, target, image)| (said, target.to_owned(), image)));
    }

    #[test]
    fn places_go_on_behind_lines_that_nest_too_deep() {
        let text = format!("\u{feff}[a](b)\n\n{}[c](d)\n\n[e](f)", ">".repeat(300));
        let said: Vec<_> = links(&text).iter().map(|link| &text[link.span.range()]).collect();
        assert_eq!(said, ["[a](b)", "[e](f)"]);
    }
}
