//! Links of a document, found where its reader says that they are.

use super::html::page;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::read::Links;
use chunkwright_text::read::link::Link;
use chunkwright_text::syntax::markdown;

/// The links of a document with this text, which was read off `page` if off any, in the order of their starts.
/// O(n), but for those that were found before.
///
/// ```
/// use chunkwright_text::pulse::no_pulse;
/// use chunkwright_read::links::find;
/// use chunkwright_read::markdown;
///
/// let text = "See [the log](log.html).";
/// let read = markdown::read(text); // which has not looked for links
/// let links = find(&read.links, text, "", no_pulse())?;
/// assert_eq!((&*links[0].target, &text[links[0].span.range()]), ("log.html", "[the log](log.html)"));
/// # Ok::<(), chunkwright_text::error::Error>(())
/// ```
///
/// # Errors
/// Those of `pulse`.
pub fn find(links: &Links, text: &str, page: &str, pulse: Pulse<'_>) -> Result<Vec<Link>> {
    match links {
        Links::None => Ok(Vec::new()),
        Links::Text => Ok(markdown::links(text)),
        Links::Page(dropped) => page::links(page, dropped, pulse),
        Links::Found(links) => Ok(links.clone()),
    }
}
