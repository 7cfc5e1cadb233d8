//! Strict reader of HTML in which each tag closes what is open, and nothing is left to repair.
//!
//! The rules are those of libxml2, which closes some elements when certain others begin: where it would,
//! the HTML is irregular.
//!
//! To be strict is what makes one pass enough: as long as each tag closes what is open, the tree of any parser is
//! the same, and nothing has to be decided. The first thing that two parsers could see differently ends the walk.
//!
//! | HTML | what it is here |
//! |---|---|
//! | `<tr><td>a</td></tr>` | regular: each tag closes what is open |
//! | `<tr><td>a<td>b</tr>` | irregular: the second cell would close the first |
//! | `<p>a<table>` | irregular: a block ends a paragraph |
//! | `<b><td>` | irregular: a cell ends formatting |
//! | `<br>`, `<img>` | regular: they never have content |
//! | `<script>`, `<textarea>`, `<body>` | irregular: their content is read otherwise, or they belong elsewhere |
//! | more than 1,000 elements in each other | irregular: nothing is read by recursion, but a tree of it would be |

use std::borrow::Cow;

use super::lexer::{Attribute, Dialect, Irregular, Lexer, Token};
use crate::unicode::space::is_space;

/// Elements within elements, at most.
const MAX_DEPTH: usize = 1000;

/// Shape of an HTML text: what stands at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One element.
    One,
    /// Nothing, text, or several things.
    Other,
}

/// Events of an HTML text, in order.
pub trait Events {
    /// An element begins.
    fn open(&mut self, name: &str, attributes: &[Attribute<'_>]);
    /// The element that began last and is still open ends.
    fn close(&mut self, name: &str);
    /// A text, all that stands between two tags.
    fn text(&mut self, text: &str);
    /// A comment.
    fn comment(&mut self, text: &str);
}

/// Reads `html` and tells `events` what is in it. O(n).
pub fn walk(html: &str, dialect: Dialect, events: &mut impl Events) -> Result<Shape, Irregular> {
    let mut lexer = Lexer::new(html, dialect);
    let mut walker = Walker { dialect, open: Vec::new(), n_top: 0, has_top_text: false };
    loop {
        if let Some(name) = walker.open.pop_if(|name| lexer.take_close(name)) {
            events.close(&name);
            continue;
        }
        let Some(token) = lexer.next()? else { break };
        walker.step(token, lexer.attributes(), events)?;
    }
    walker.finish()
}

struct Walker<'a> {
    dialect: Dialect,
    open: Vec<Cow<'a, str>>,
    n_top: usize,
    has_top_text: bool,
}

impl<'a> Walker<'a> {
    fn step(
        &mut self,
        token: Token<'a>,
        attributes: &[Attribute<'_>],
        events: &mut impl Events,
    ) -> Result<(), Irregular> {
        match token {
            Token::Open { name, is_empty } => self.open(name, is_empty, attributes, events)?,
            Token::Close(name) => {
                if self.open.pop().as_ref() != Some(&name) {
                    return Err(Irregular);
                }
                events.close(&name);
            }
            Token::Text(text) if self.open.is_empty() => {
                self.has_top_text |= !text.chars().all(is_space);
            }
            Token::Text(text) => events.text(&text),
            Token::Comment(_) if self.open.is_empty() => self.n_top += 1,
            Token::Comment(text) => events.comment(text),
        }
        Ok(())
    }

    fn open(
        &mut self,
        name: Cow<'a, str>,
        is_empty: bool,
        attributes: &[Attribute<'_>],
        events: &mut impl Events,
    ) -> Result<(), Irregular> {
        if self.open.len() == MAX_DEPTH {
            return Err(Irregular);
        }
        let mut is_empty = is_empty;
        if self.dialect == Dialect::Html {
            let parent = self.open.last().map_or("", AsRef::as_ref);
            if !is_usual(&name, parent) {
                if is_special(&name) || begins_behind(&name, parent) {
                    return Err(Irregular);
                }
                is_empty |= is_void(&name);
            }
        }
        self.n_top += usize::from(self.open.is_empty());
        events.open(&name, attributes);
        if is_empty {
            events.close(&name);
        } else {
            self.open.push(name);
        }
        Ok(())
    }

    fn finish(self) -> Result<Shape, Irregular> {
        if !self.open.is_empty() {
            return Err(Irregular);
        }
        let is_one = self.n_top == 1 && !self.has_top_text;
        Ok(if is_one { Shape::One } else { Shape::Other })
    }
}

/// What most of a table is, which is in order.
fn is_usual(name: &str, parent: &str) -> bool {
    match name {
        "td" | "th" => parent == "tr",
        "tr" => matches!(parent, "table" | "thead" | "tbody" | "tfoot"),
        _ => false,
    }
}

/// Elements that never have content.
fn is_void(name: &str) -> bool {
    matches!(name, "area" | "br" | "col" | "hr" | "img" | "input" | "param")
}

/// Elements that belong elsewhere, or whose content is read otherwise.
fn is_special(name: &str) -> bool {
    matches!(
        name,
        "html"
            | "head"
            | "body"
            | "title"
            | "base"
            | "basefont"
            | "link"
            | "meta"
            | "style"
            | "script"
            | "noscript"
            | "template"
            | "frame"
            | "frameset"
            | "noframes"
            | "iframe"
            | "noembed"
            | "textarea"
            | "xmp"
            | "plaintext"
            | "listing"
            | "isindex"
            | "image"
    )
}

/// Whether libxml2 closes an open `parent` when `name` begins.
fn begins_behind(name: &str, parent: &str) -> bool {
    match parent {
        "td" | "th" => matches!(name, "tbody" | "td" | "tfoot" | "th" | "tr"),
        "tr" => matches!(name, "tbody" | "tfoot" | "tr"),
        "tbody" | "thead" => matches!(name, "tbody" | "tfoot"),
        "tfoot" => name == "tbody",
        "caption" => matches!(name, "col" | "colgroup" | "tbody" | "tfoot" | "thead" | "tr"),
        "colgroup" => matches!(name, "colgroup" | "tbody" | "tfoot" | "thead" | "tr"),
        "p" => is_block(name),
        "a" => matches!(name, "a" | "fieldset" | "table" | "td" | "th"),
        "b" | "i" | "font" => matches!(name, "center" | "p" | "td" | "th"),
        "u" => matches!(name, "p" | "td" | "th"),
        "span" => matches!(name, "td" | "th"),
        "big" | "s" | "small" | "strike" | "tt" => name == "p",
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            matches!(name, "fieldset" | "form" | "li" | "p" | "table")
        }
        "ul" => matches!(name, "address" | "form" | "menu" | "pre"),
        "address" | "dir" | "menu" => matches!(name, "dd" | "dl" | "dt" | "form" | "li" | "ul"),
        "dl" | "li" | "ol" => matches!(name, "form" | "li"),
        "dt" | "dd" => matches!(name, "dd" | "dl" | "dt"),
        "pre" => matches!(name, "dd" | "dl" | "dt" | "fieldset" | "form" | "li" | "table" | "ul"),
        "legend" => name == "fieldset",
        "form" => name == "form",
        "option" => matches!(name, "optgroup" | "option"),
        _ => false,
    }
}

/// Elements that end a paragraph.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "blockquote"
            | "caption"
            | "center"
            | "col"
            | "colgroup"
            | "dd"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "hr"
            | "li"
            | "menu"
            | "ol"
            | "p"
            | "pre"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "tr"
            | "ul"
    )
}
