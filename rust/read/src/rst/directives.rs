//! Directives: elements of code, notes, figures, objects and all others, each by its form.

use chunkwright_text::elements::Kind;
use chunkwright_text::span::Span;

use super::directive::Directive;
use super::forms::{Form, form};
use super::lines::{flush, least};
use super::listed::Listed;
use super::made::Container;
use super::markers::begins;
use super::walk::Walk;

impl<'t> Walk<'t> {
    /// Takes a directive.
    pub fn directive(
        &mut self,
        of: &Directive<'t>,
        before: Option<&Listed>,
        listed: &mut Option<Listed>,
    ) {
        let (start, end) = (self.lines[of.first].at, self.lines[of.end - 1].end);
        let whole = Span::new(start, end);
        let name = of.base_name();
        let has_content = of.content.0 < of.content.1 || of.head.0 < of.head.1;
        self.made.close();
        match form(&name, of.has_domain()) {
            Form::Code if has_content => {
                let language = of.word(self.text).or(self.language);
                self.made.code(whole, language);
            }
            Form::Literal(language) if end > self.lines[of.first].end => {
                self.made.code(whole, language);
            }
            Form::Math => {
                self.made.push(Kind::Formula, 0, whole);
            }
            Form::Table => self.titled_table(of),
            Form::CsvTable => self.csv_table(of),
            Form::ListTable => self.list_table(of),
            Form::Image | Form::Figure => self.figure(of),
            Form::Note => {
                let marker = Span::new(start, self.mark_end(of));
                let number = self.made.push(Kind::Paragraph, 0, marker);
                self.made.enter(Container::Part(number));
                self.made.open(number);
                self.content_from_first_line(of);
                self.made.leave();
            }
            Form::Quote => {
                self.made.enter(Container::Quote);
                self.made.mark(start);
                self.content_from_first_line(of);
                self.made.leave();
            }
            Form::Object => {
                let signature = self.signature(of);
                let number = self.push_item(signature, &Listed::Object, before);
                *listed = Some(Listed::Object);
                self.inside(number, |walk| walk.content(of));
            }
            Form::Transparent => self.content_of_all(of),
            Form::Hidden => {
                if name == "highlight" {
                    self.language = of.word(self.text).filter(|language| *language != "none");
                }
            }
            Form::Titled if has_content => self.titled(of),
            Form::Code | Form::Literal(_) | Form::Titled | Form::Opaque => {
                self.made.said(of.argument);
                self.made.push(Kind::Paragraph, 0, whole);
            }
        }
    }

    /// Takes a directive with a title, or of a name that says nothing.
    fn titled(&mut self, of: &Directive<'t>) {
        let start = self.lines[of.first].at;
        // Without an argument, what stands right below is content.
        let is_bare = of.argument.is_empty() && of.head.0 < of.head.1;
        let head = if is_bare { of.argument.start } else { of.head_end(&self.lines) };
        self.made.said(Span::new(of.argument.start, head.max(of.argument.start)));
        let number = self.made.push(Kind::Paragraph, 0, Span::new(start, head));
        self.made.enter(Container::Part(number));
        self.made.open(number);
        if is_bare {
            self.content_of_all(of);
        } else {
            self.content(of);
        }
        self.made.leave();
    }

    /// Where the mark of a directive ends whose first line has text: with its options, if these come first.
    fn mark_end(&self, of: &Directive<'t>) -> usize {
        let is_first = of.argument.is_empty() && of.head.0 == of.head.1;
        if is_first { of.head_end(&self.lines) } else { of.argument.start }
    }

    /// Takes the content below the options.
    pub fn content(&mut self, of: &Directive<'t>) {
        let (first, end) = of.content;
        if let Some(margin) = least(&self.lines[first..end]) {
            self.blocks(first, end, margin, false);
        }
    }

    /// Takes the lines before the options, and the content below them.
    fn content_of_all(&mut self, of: &Directive<'t>) {
        let has_options = of.options.0 < of.options.1;
        let (first, end) = of.head;
        if !has_options && first < end {
            if let Some(margin) = least(&self.lines[first..of.end]) {
                self.blocks(first, of.end, margin, false);
            }
            return;
        }
        let n = self.made.len();
        if let Some(margin) = least(&self.lines[first..end]) {
            self.blocks(first, end, margin, false);
            self.cover_options(of, n);
        }
        self.content(of);
    }

    /// Lets the last element, which is not one of the first `n`, reach to the end of the options.
    fn cover_options(&mut self, of: &Directive<'t>, n: usize) {
        let end = of.head_end(&self.lines);
        self.made.cover(n.saturating_sub(1), end);
    }

    /// Takes content that begins in the first line.
    fn content_from_first_line(&mut self, of: &Directive<'t>) {
        if of.argument.is_empty() || of.word(self.text).is_none() {
            return self.content_of_all(of);
        }
        let has_options = of.options.0 < of.options.1;
        let end = if has_options { of.options.0 } else { of.end };
        let rest = least(&self.lines[of.first + 1..end]);
        let margin = rest.unwrap_or(self.lines[of.first].column + 1);
        let first = &mut self.lines[of.first];
        (first.at, first.column) = (of.argument.start, margin);
        let n = self.made.len();
        self.blocks(of.first, end, margin, false);
        if has_options {
            self.cover_options(of, n);
            self.content(of);
        }
    }

    /// The lines of an object's signatures, with the options below.
    fn signature(&mut self, of: &Directive<'t>) -> Span {
        let start = self.lines[of.first].at;
        self.made.said(of.argument);
        Span::new(start, of.head_end(&self.lines))
    }

    /// Takes a picture, and the caption and the legend of a figure.
    fn figure(&mut self, of: &Directive<'t>) {
        let start = self.lines[of.first].at;
        self.note_images(of);
        let number = self.made.push(Kind::Figure, 0, Span::new(start, of.head_end(&self.lines)));
        let (first, end) = of.content;
        let Some(margin) = least(&self.lines[first..end]) else { return };
        self.made.enter(Container::Part(number));
        let caption = self.lines[first];
        let mut next = first;
        if caption.column == margin && !begins(caption.said(self.text), "..") {
            next = flush(&self.lines, first, end, margin);
            let span = Span::new(caption.at, self.lines[next - 1].end);
            self.made.said(span);
            self.made.caption(span, Some(number));
        }
        self.blocks(next, end, margin, false);
        self.made.leave();
    }

    /// Notes the picture of a directive, and where it leads, if links are looked for.
    pub fn note_images(&mut self, of: &Directive<'t>) {
        let place = Span::new(self.lines[of.first].at, of.head_end(&self.lines));
        let target = of.option(self.text, &self.lines, "target").map(|(value, _)| value);
        let is_image = matches!(form(&of.base_name(), of.has_domain()), Form::Image | Form::Figure);
        if let (Some(inline), true) = (&mut self.made.inline, is_image) {
            inline.image(place, &self.text[of.argument.range()]);
            if let Some(target) = target {
                inline.reference(place, &self.text[target.range()]);
            }
        }
    }
}
