//! Reader of Unstructured's elements: their texts normalised and joined to the text of a document.
//!
//! Whitespace within an element says nothing (a partitioner breaks lines where the page did), but in code it
//! does. Pages, levels and parents are those that the elements state.

use crate::uncovered;
use chunkwright_text::elements::{Element, Kind, Parent};
use chunkwright_text::grid::Grid;
use chunkwright_text::read::Read;
use chunkwright_text::span::Span;
use chunkwright_text::unicode::space::is_space;

/// The separator between the texts of two elements.
pub const SEPARATOR: &str = "\n\n";

/// The elements of a document in reading order, over one text.
///
/// The text is what the elements say, whitespace within each normalised to single blanks (code is kept
/// as it is), elements without any left out, a blank line between two. So whatever is made of
/// neighbouring elements is a slice of it.
///
/// ```
/// use chunkwright_text::elements::Kind;
/// use chunkwright_read::unstructured::Unstructured;
///
/// let mut elements = Unstructured::with_capacity(2, 16);
/// elements.push(Kind::Heading, "Rain", Some(1), None);
/// elements.push(Kind::Paragraph, "It   fell.\n", Some(1), None);
/// assert_eq!(elements.text(), "Rain\n\nIt fell.");
/// assert_eq!(elements.given(1), "It   fell.\n"); // as it was given
/// assert_eq!(elements.items()[1].span.range(), 6..14);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Unstructured {
    text: String,
    given: String,
    items: Vec<Element>,
    /// For each element: its text as given, in `given`, if that differs from the normalised one.
    givens: Vec<Option<Span>>,
}

impl Unstructured {
    /// No elements, with room for `n_elements` that have `n_bytes` of text.
    pub fn with_capacity(n_elements: usize, n_bytes: usize) -> Self {
        Self {
            text: String::with_capacity(n_bytes + n_elements * SEPARATOR.len()),
            given: String::new(),
            items: Vec::with_capacity(n_elements),
            givens: Vec::with_capacity(n_elements),
        }
    }

    /// Adds an element behind the others, whose text stays what it was given as. O(n) in its text.
    pub fn push(&mut self, kind: Kind, given: &str, page: Option<i64>, grid: Option<Box<Grid>>) {
        self.push_text(kind, given, page);
        if let Some(element) = self.items.last_mut() {
            element.grid = grid;
        }
    }

    /// Adds an element behind the others; the text of a table with cells is what these say, and behind it
    /// what they lack of the text given. O(n) in its text.
    pub fn push_with_cells(
        &mut self,
        kind: Kind,
        given: &str,
        page: Option<i64>,
        grid: Option<Box<Grid>>,
    ) {
        let is_table = |grid: &Grid| !grid.texts.is_empty() && !uncovered::is_little(given, grid);
        let says_something = || !given.trim_matches(is_space).is_empty();
        let Some(mut grid) = grid.filter(|grid| is_table(grid) && says_something()) else {
            return self.push_text(kind, given, page);
        };
        let mut text = uncovered::words(given, &grid);
        if !text.is_empty() {
            text.insert(0, ' ');
        }
        text.insert_str(0, &grid.texts);
        self.push_text(kind, &text, page);
        if let Some(element) = self.items.last_mut() {
            grid.place_at(element.span.start);
            element.grid = Some(grid);
        }
    }

    fn push_text(&mut self, kind: Kind, given: &str, page: Option<i64>) {
        let before = self.text.len();
        if before > 0 && !given.is_empty() {
            self.text.push_str(SEPARATOR);
        }
        let start = self.text.len();
        let inner = if kind == Kind::Code { given } else { given.trim_matches(is_space) };
        let is_normal = kind == Kind::Code || is_plain(inner) || has_no_other_space(inner);
        if is_normal {
            self.text.push_str(inner);
        } else {
            push_normalised(&mut self.text, inner);
        }
        let mut span = Span::new(start, self.text.len());
        let differs = inner.len() < given.len() || !is_normal && &self.text[span.range()] != inner;
        self.givens.push(differs.then(|| push(&mut self.given, given)));
        if span.is_empty() {
            self.text.truncate(before);
            span = Span::new(before, before);
        }
        self.items.push(Element { kind, span, page, ..Element::default() });
    }

    /// Says how deep element `i` is nested among those of its kind, from 1 (0: not known), and what it belongs to.
    pub fn nest(&mut self, i: usize, level: u8, parent: Parent) {
        if let Some(element) = self.items.get_mut(i) {
            (element.level, element.parent) = (level, parent);
        }
    }

    /// The text of the document so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The elements.
    pub fn items(&self) -> &[Element] {
        &self.items
    }

    /// The text of element `i` as it was given.
    pub fn given(&self, i: usize) -> &str {
        match self.givens[i] {
            Some(span) => &self.given[span.range()],
            None => &self.text[self.items[i].span.range()],
        }
    }

    /// Whether the text of element `i` was not given normalised.
    pub fn differs(&self, i: usize) -> bool {
        self.givens[i].is_some()
    }

    /// The text of the document and its elements; a caption is of the table or figure that it belongs to.
    pub fn finish(self) -> Read {
        let kind = |i: usize| self.items.get(i).map(|element| element.kind);
        let is_float = |of: &usize| matches!(kind(*of), Some(Kind::Table | Kind::Figure));
        let captions = self.items.iter().enumerate().filter(|(_, one)| one.kind == Kind::Caption);
        let owner = |(i, one): (usize, &Element)| Some((i, one.parent.get().filter(is_float)?));
        let captions = captions.filter_map(owner).collect();
        Read { captions, ..Read::made(self.text, self.items) }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// Adds `given` to `text`, and says where it is.
fn push(text: &mut String, given: &str) -> Span {
    let start = text.len();
    text.push_str(given);
    Span::new(start, text.len())
}

/// Whether `text`, which neither begins nor ends with whitespace, has none but single blanks, as a quick look
/// tells: no byte is a control character or begins a code point that may be a space.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some((&last, front)), Some(behind)) = (bytes.split_last(), bytes.get(1..)) else {
        return true;
    };
    // All spaces but those of ASCII begin with one of 0xc2, 0xe1, 0xe2 and 0xe3. Without branches, so that
    // the compiler looks at many bytes at once.
    let is_odd = |byte: u8| u8::from(byte < b' ' || byte == 0xc2 || byte.wrapping_sub(0xe1) < 3);
    let is_pair = |byte: u8, next: u8| u8::from((byte | next) == b' ');
    let odd = |any, (&byte, &next): (&u8, &u8)| any | is_odd(byte) | is_pair(byte, next);
    let has_odd = front.iter().zip(behind).fold(is_odd(last), odd) != 0;
    !has_odd
}

/// As [`is_plain`], but by whole code points: quotation marks and dashes, for which that gives up, begin as
/// spaces do.
fn has_no_other_space(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(behind), Some(last)) = (bytes.get(2..), bytes.last_chunk::<2>()) else {
        return false;
    };
    let is_odd = |first: u8, second: u8, third: u8| {
        let two = (first == 0xc2) && ((second == 0x85) || (second == 0xa0));
        let general = (third <= 0x8a) || (third == 0xa8) || (third == 0xa9) || (third == 0xaf);
        let three = (first == 0xe1) && (second == 0x9a) && (third == 0x80)
            || (first == 0xe2) && (second == 0x80) && general
            || (first == 0xe2) && (second == 0x81) && (third == 0x9f)
            || (first == 0xe3) && (second == 0x80) && (third == 0x80);
        (first < b' ') || ((first | second) == b' ') || two || three
    };
    // Without branches too.
    let threes = bytes.iter().zip(&bytes[1..]).zip(behind);
    let odd = |any, ((&a, &b), &c): ((&u8, &u8), &u8)| any | u8::from(is_odd(a, b, c));
    threes.fold(0, odd) == 0 && last.iter().all(|&byte| byte >= b' ')
}

/// Adds the words of `given` to `text`, a blank between two.
fn push_normalised(text: &mut String, given: &str) {
    let mut words = given.split(is_space).filter(|word| !word.is_empty());
    text.extend(words.next());
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
}

/// The kind of an element, by the name of its type. Types that nobody knows are text.
///
/// ```
/// use chunkwright_text::elements::Kind;
/// use chunkwright_read::unstructured::kind_of_type;
///
/// assert_eq!(kind_of_type("NarrativeText"), Kind::Paragraph);
/// assert_eq!(kind_of_type("FigureCaption"), Kind::Caption);
/// assert_eq!(kind_of_type("Weather"), Kind::Paragraph);
/// ```
pub fn kind_of_type(name: &str) -> Kind {
    match name {
        "Title" | "Headline" | "Subheadline" | "Section-header" | "Field-Name" => Kind::Heading,
        "Table" | "TableChunk" => Kind::Table,
        "CodeSnippet" => Kind::Code,
        name => kind_of_text(name),
    }
}

/// The kind of an element that is nothing but text, by the name of its type.
pub fn kind_of_text(name: &str) -> Kind {
    match name {
        "List" => Kind::List,
        "ListItem" | "List-item" | "BulletedText" => Kind::ListItem,
        "Image" | "Picture" | "Figure" => Kind::Figure,
        "FigureCaption" | "Caption" => Kind::Caption,
        "Formula" => Kind::Formula,
        "Footnote" => Kind::Footnote,
        "Header" | "Page-header" => Kind::PageHeader,
        "Footer" | "Page-footer" => Kind::PageFooter,
        _ => Kind::Paragraph,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_their_words(texts in prop::collection::vec("[ab é漢\u{a0}\u{1680}\u{2003}\u{205f}\u{3000}\n\u{1c}]{0,20}|[a ’漢]{0,9}[ \n\u{2028}\u{85}]?[a“]{0,2}", 0..8)) {
            let mut elements = Unstructured::default();
            for text in &texts {
                elements.push(Kind::Paragraph, text, None, None);
            }
            let words = |text: &String| {
                text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
            };
            let words: Vec<String> = texts.iter().map(words).collect();
            let said: Vec<&str> = words.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
            prop_assert_eq!(elements.text(), said.join(SEPARATOR));
            for (i, text) in texts.iter().enumerate() {
                prop_assert_eq!(elements.given(i), text);
                prop_assert_eq!(&elements.text()[elements.items()[i].span.range()], &words[i]);
            }
        }
    }

    #[test]
    fn whitespace_is_normalised_but_in_code() {
        let mut elements = Unstructured::default();
        elements.push(Kind::Heading, " A\u{1c}title\n", None, None);
        elements.push(Kind::Paragraph, " \t ", None, None);
        elements.push(Kind::Paragraph, "", None, None);
        elements.push(Kind::Code, "if x:\n    y ", Some(2), None);
        assert_eq!(elements.text(), "A title\n\nif x:\n    y ");
        let given: Vec<&str> = (0..4).map(|i| elements.given(i)).collect();
        assert_eq!(given, [" A\u{1c}title\n", " \t ", "", "if x:\n    y "]);
        assert!(elements.items()[1].span.is_empty());
        assert!(!elements.differs(3));
    }
}
