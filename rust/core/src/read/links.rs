//! Links of a document, found where its reader says that they are.

use super::html::page;
use super::link::Link;
use super::markdown;
use super::result::Links;
use crate::error::Result;
use crate::pulse::Pulse;

/// The links of a document with this text, which was read off `page` if off any, in the order of their starts.
/// O(n), but for those that were found before.
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
