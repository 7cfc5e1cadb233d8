//! Runs of a paragraph: its text, links and equations, and what is anchored in it.

use std::borrow::Cow;
use std::rc::Rc;

use super::Context;
use super::containers::content_of;
use super::drawings::{Picture, drawn};
use super::equations::latex;
use super::fields::{Field, link_of, sequence_of};
use super::line::Piece;
use super::parts::package::Relations;
use super::parts::tags::Tag;
use super::parts::tree::Node;
use super::symbols::{sign, symbol};
use chunkwright_text::unicode::space::is_space;

const BOXES: [&str; 2] = ["☐", "☒"];

/// A note that is referred to: its sort, and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Note<'a> {
    /// Whether it is an endnote.
    pub is_endnote: bool,
    /// The id.
    pub id: &'a str,
}

/// What a paragraph holds.
#[derive(Default)]
pub struct Content<'a> {
    /// Its text.
    pub pieces: Vec<Piece<'a>>,
    /// The pictures in it.
    pub pictures: Vec<Picture<'a>>,
    /// The contents of its text boxes.
    pub boxes: Vec<Node<'a>>,
    /// So many pictures and text boxes are anchored before its first text.
    pub leading: (usize, usize),
    /// The notes that it refers to.
    pub notes: Vec<Note<'a>>,
    /// What its number counts if it is a caption, such as `table`.
    pub sequence: String,
    /// The page of its first text; 0 if it has none.
    pub first: i64,
}

/// A reader of the runs of one part, whose relations hold the targets of its links.
pub struct Runs<'a, 'c> {
    context: &'c Context<'a>,
    relations: &'c Relations,
    fields: Vec<Field>,
    content: Content<'a>,
    style: Option<&'a str>,
}

type Target = Option<Rc<str>>;

impl<'a, 'c> Runs<'a, 'c> {
    /// A reader of a part with these relations.
    pub fn new(context: &'c Context<'a>, relations: &'c Relations) -> Self {
        Self { context, relations, fields: Vec::new(), content: Content::default(), style: None }
    }

    /// What a paragraph holds. O(n).
    pub fn content(&mut self, paragraph: Node<'a>) -> Content<'a> {
        self.style = paragraph.value([Tag::ParagraphProperties, Tag::ParagraphStyle]);
        // Instructions end with their paragraph, if the file is right.
        self.fields.clear();
        self.walk(paragraph, &None);
        std::mem::take(&mut self.content)
    }

    /// The equations that stand outside of a paragraph.
    pub fn equations(&mut self, node: Node<'a>) -> Content<'a> {
        self.style = None;
        self.fields.clear();
        self.add_equations(node);
        std::mem::take(&mut self.content)
    }

    fn walk(&mut self, node: Node<'a>, target: &Target) {
        for node in node.children() {
            match node.tag() {
                Tag::Run if self.is_hidden(node) => {}
                Tag::Run => self.run(node, target),
                Tag::Hyperlink => {
                    let own = self.target(node);
                    self.walk(node, if own.is_some() { &own } else { target });
                }
                Tag::Control => self.control(node, target),
                // What stands in these is read as if it stood around them.
                Tag::Inserted
                | Tag::MovedTo
                | Tag::SmartTag
                | Tag::CustomXml
                | Tag::Bidirectional
                | Tag::Direction
                | Tag::SimpleField
                | Tag::Content
                | Tag::RubyBase => {
                    self.instruct(node.attribute("w:instr").unwrap_or_default());
                    self.walk(node, target);
                }
                Tag::Equation | Tag::EquationParagraph => self.add_equations(node),
                Tag::AlternateContent => {
                    if let Some(branch) = node.alternative() {
                        self.walk(branch, target);
                    }
                }
                _ => {}
            }
        }
    }

    fn run(&mut self, run: Node<'a>, target: &Target) {
        for node in run.children() {
            match node.tag() {
                Tag::T => self.add(shown(node.text(), run), target),
                Tag::Tab | Tag::PositionTab => self.add("\t".into(), target),
                Tag::NewLine => self.add("\n".into(), target),
                Tag::NoBreakHyphen => self.add("-".into(), target),
                Tag::Field => self.field(node),
                Tag::Instruction => {
                    if let Some(field) = self.fields.last_mut() {
                        field.instruct(&node.text());
                    }
                }
                Tag::Break => self.break_(node),
                Tag::RenderedPageBreak => self.context.pages.rendered(),
                Tag::FootnoteReference | Tag::EndnoteReference => {
                    let is_endnote = node.tag() == Tag::EndnoteReference;
                    let id = node.attribute("w:id").unwrap_or_default();
                    self.content.notes.push(Note { is_endnote, id });
                }
                Tag::Drawing | Tag::Pict | Tag::Object => {
                    drawn(node, &mut self.content.pictures, &mut self.content.boxes);
                }
                Tag::Symbol => {
                    let sign = symbol(node.attribute("w:font"), node.attribute("w:char"));
                    self.add(sign.map_or_else(String::new, String::from).into(), &None);
                }
                Tag::AlternateContent => {
                    if let Some(branch) = node.alternative() {
                        self.run(branch, &None);
                    }
                }
                Tag::Ruby => self.walk(node.child(Tag::RubyBase).unwrap_or(node), target),
                _ => {}
            }
        }
    }

    fn add(&mut self, text: Cow<'a, str>, target: &Target) {
        self.add_piece(text, target, false);
    }

    fn add_piece(&mut self, text: Cow<'a, str>, target: &Target, is_equation: bool) {
        if self.fields.iter().any(|field| !field.is_result) {
            return;
        }
        let of_field = || self.fields.iter().rev().find_map(|field| field.target.clone());
        let target = target.clone().or_else(of_field);
        let pages = &self.context.pages;
        let is_blank = text.chars().all(is_space);
        let page = if is_blank { pages.number() } else { pages.of_text() };
        let content = &mut self.content;
        if !is_blank && content.first == 0 {
            content.leading = (content.pictures.len(), content.boxes.len());
            content.first = page;
        }
        content.pieces.push(Piece { text, target, is_equation, page });
    }

    fn is_hidden(&self, run: Node<'a>) -> bool {
        self.context.styles.hides(run.child(Tag::RunProperties), self.style)
    }

    /// Whether there are runs of a kind in a node, and all of them are hidden.
    fn hides_all(&self, node: Node<'a>, runs: Tag) -> bool {
        let mut runs = node.all(runs).peekable();
        runs.peek().is_some() && runs.all(|run| self.is_hidden(run))
    }

    fn target(&self, link: Node<'a>) -> Target {
        let relation = self.relations.get(link.attribute("r:id").unwrap_or_default());
        let target = &relation.filter(|relation| relation.is_external)?.target;
        match link.attribute("w:anchor").filter(|anchor| !anchor.is_empty()) {
            Some(anchor) => Some(format!("{target}#{anchor}").into()),
            None => Some(target.as_str().into()).filter(|target: &Rc<str>| !target.is_empty()),
        }
    }

    /// Reads a content control, unless all that it shows is what is to be written into it.
    fn control(&mut self, control: Node<'a>, target: &Target) {
        let Some(content) = content_of(control) else { return };
        let Some(check_box) = control.at([Tag::ControlProperties, Tag::ControlBox]) else {
            return self.walk(content, target);
        };
        if !self.hides_all(content, Tag::Run) {
            let checked = check_box.child(Tag::ControlChecked);
            let is_checked = checked.is_some_and(|checked| {
                !matches!(checked.attribute("w14:val"), Some("0" | "false"))
            });
            self.add(BOXES[usize::from(is_checked)].into(), &None);
        }
    }

    fn add_equations(&mut self, node: Node<'a>) {
        let is_one = node.tag() == Tag::Equation;
        let inner = node.children().filter(|node| !is_one && node.tag() == Tag::Equation);
        for equation in Some(node).filter(|_| is_one).into_iter().chain(inner) {
            if self.hides_all(equation, Tag::MathRun) {
                continue;
            }
            let text = latex(equation);
            let text = text.trim_matches(is_space);
            if !text.is_empty() {
                self.add_piece(text.to_owned().into(), &None, true);
            }
        }
    }

    fn instruct(&mut self, instruction: &str) {
        if self.content.sequence.is_empty() {
            self.content.sequence = sequence_of(instruction).unwrap_or_default();
        }
    }

    fn field(&mut self, node: Node<'a>) {
        match node.attribute("w:fldCharType") {
            Some("begin") => {
                let check_box = node.at([Tag::FieldData, Tag::CheckBox]);
                let text = check_box.map(|check_box| {
                    let checked = check_box.child(Tag::Checked);
                    let is_checked = checked.or_else(|| check_box.child(Tag::Default));
                    BOXES[usize::from(is_checked.is_some_and(Node::is_switched_on))]
                });
                self.fields.push(Field { check_box: text, ..Field::default() });
            }
            Some("separate") => {
                let Some(mut field) = self.fields.pop() else { return };
                field.is_result = true;
                self.instruct(&field.instruction);
                if let Some(link) = link_of(&field.instruction) {
                    field.target = Some(link.into()).filter(|link: &Rc<str>| !link.is_empty());
                }
                self.fields.push(field);
            }
            Some("end") => match self.fields.pop() {
                Some(Field { check_box: Some(text), .. }) => self.add(text.into(), &None),
                Some(field) if !field.is_result => self.instruct(&field.instruction),
                _ => {}
            },
            _ => {}
        }
    }

    fn break_(&mut self, node: Node<'a>) {
        let sort = node.attribute("w:type").filter(|sort| !sort.is_empty());
        if sort == Some("page") {
            self.context.pages.set();
        }
        let is_of_line = sort.is_none_or(|sort| sort == "textWrapping");
        self.add(if is_of_line { "\n" } else { " " }.into(), &None);
    }
}

impl Note<'_> {
    /// The type of the relation to the part of such notes.
    pub const fn part(self) -> &'static str {
        if self.is_endnote { "endnotes" } else { "footnotes" }
    }
}

/// A text with the signs that a font of symbols shows in it.
fn shown<'a>(text: Cow<'a, str>, run: Node<'a>) -> Cow<'a, str> {
    // The places of signs that a font of symbols has for itself.
    let is_own = |c: char| ('\u{f020}'..='\u{f0ff}').contains(&c);
    if text.is_ascii() || !text.contains(is_own) {
        return text;
    }
    let fonts = run.at([Tag::RunProperties, Tag::Fonts]);
    let font = fonts.and_then(|fonts| fonts.attribute("w:ascii"));
    let one = |c: char| if is_own(c) { sign(font, u32::from(c)) } else { Some(c) };
    text.chars().filter_map(one).collect()
}
