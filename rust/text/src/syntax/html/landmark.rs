//! Landmarks of a page: parts that may be left out of it.

use serde::{Deserialize, Serialize};

/// A part of a page that may be left out.
///
/// ```
/// use chunkwright_text::syntax::html::landmark::Landmark;
///
/// assert!(Landmark::named("nav").is_some());
/// assert!(Landmark::named("main").is_none()); // what the page is for is never left out
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Landmark {
    /// `nav`: links to other pages.
    Nav,
    /// The page's own `header`, in no article, section and the like.
    Header,
    /// Its own `footer`.
    Footer,
    /// `aside`: what the page would be whole without.
    Aside,
}

impl Landmark {
    /// The part of that name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "nav" => Some(Self::Nav),
            "header" => Some(Self::Header),
            "footer" => Some(Self::Footer),
            "aside" => Some(Self::Aside),
            _ => None,
        }
    }
}
