//! Links of a document, found where its reader says that they are.

use super::html::page;
use super::rst;
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Pulse;
use chunkwright_text::read::Links;
use chunkwright_text::read::link::Link;
use chunkwright_text::syntax::markdown;
use chunkwright_text::unicode::space::is_space;

/// Schemes of targets that run code or hold data.
const REFUSED: [&str; 3] = ["javascript:", "data:", "vbscript:"];

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
        Links::Rst => Ok(rst::links(text)),
        Links::Page(dropped) => page::links(page, dropped, pulse),
        Links::Found(links) => Ok(links.clone()),
    }
}

/// Whether a target runs code, or holds data: no reader of files gives it.
pub fn is_refused(target: &str) -> bool {
    let target = target.trim_start_matches(is_space);
    let begins = |scheme: &&str| {
        target.get(..scheme.len()).is_some_and(|front| front.eq_ignore_ascii_case(scheme))
    };
    REFUSED.iter().any(begins)
}
