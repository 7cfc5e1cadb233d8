//! Signs within lines, beside words: images, boxes to be checked, fields, links to where they stand.

use super::attributes;
use super::reader::{BOXES, IMAGES, Reader};
use super::tags::Tag;
use chunkwright_text::span::Span;
use chunkwright_text::syntax::html::lexer::{Attribute, Lexer};
use chunkwright_text::syntax::html::references::{Place, resolve};
use chunkwright_text::unicode::space::is_space;

impl<'a> Reader<'a> {
    pub(super) fn say_image(&mut self, attributes: &[Attribute<'_>]) {
        let alt = attributes::value(attributes, "alt").unwrap_or_default();
        if self.is_unseen()
            || attributes::is_hidden(attributes)
            || attributes::is_veiled(attributes)
            || alt.trim_matches(is_space).is_empty()
        {
            return;
        }
        let (made_of, start) = (self.made_of, self.text.said());
        self.text.space();
        self.say(alt);
        self.text.space();
        self.made_of = made_of | IMAGES;
        if let (Some(links), Some(file)) = (&mut self.links, attributes::value(attributes, "src")) {
            links.push_image(Span::new(start, self.text.said()), file);
        }
    }

    /// A box to be checked; one that nothing stands beside, or code, is a switch of the page.
    pub(super) fn say_box(&mut self, attributes: &[Attribute<'_>]) {
        if let Some(shown) = attributes::check_box(attributes)
            && !self.is_unseen()
            && !self.is_verbatim()
            && !attributes::is_hidden(attributes)
        {
            let made_of = self.made_of;
            self.text.space();
            self.say(shown);
            self.text.space();
            self.made_of = made_of | BOXES;
        }
    }

    /// A link opens that leads to where it stands: without a word in it, it says nothing.
    pub(super) fn begin_permalink(&mut self, attributes: &[Attribute<'_>]) {
        let may_be = attributes::is_permalink(attributes)
            || (self.stack.has(Tag::Heading) && attributes::leads_within(attributes));
        if may_be && self.hidden.is_none() {
            self.text.mark();
        } else {
            self.text.unmark();
        }
    }

    pub(super) fn text_area(&mut self, lexer: &mut Lexer<'a>) {
        let hides = attributes::is_hidden(lexer.attributes());
        let text = resolve(lexer.take_raw("textarea"), Place::Text).replace('\0', "");
        if !hides {
            self.text.space();
            self.say(&text);
            self.text.space();
        }
    }
}
