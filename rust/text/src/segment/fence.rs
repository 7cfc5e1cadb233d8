//! Fenced code blocks of Markdown, as its specification has them: in items of lists and quotes too.
//!
//! A block runs from a line of three or more backticks or tildes to the next line of as many or more of
//! the same; an unclosed one to the end of the text, or of the item or quote that it stands in.
//!
//! | the line | opens a block |
//! |---|---|
//! | ```` ```sh ````, `~~~` | yes, also indented by up to three columns |
//! | ```` ```a`b ```` | no: a backtick behind backticks makes it code within a line |
//! | `- ~~~`, `> ~~~` | yes, and the block ends with the item or the quote |
//! | four columns and `~~~` | in an item that is indented so: yes; else it is indented code |
//! | `~~~~` below a title, in a text of unknown markup | no: an underline of reStructuredText |
//!
//! Lines are found from the marks, three in a row, so a text without them is passed over at the speed of a
//! search; only the lines around a mark are read.

use memchr::{memchr, memchr2, memrchr};

use super::line::{Line, next_column};
use super::literal;
use crate::markup::Markup;
use crate::span::Span;

/// What may stand before a fence in its line.
const MAX_PREFIX: usize = 64;
/// Lines above a fence are read up to this length.
const MAX_LINE: usize = 4096;
/// The item of a list to which an indented fence belongs is looked for in so many lines above.
const MAX_LINES: usize = 32;
/// A fence, and the closing one, may be indented by so many columns; more is indented code.
const MAX_INDENT: usize = 3;
/// So many tildes below a line that is no longer are an underline of reStructuredText.
const MIN_UNDERLINE: usize = 4;

/// The code blocks of one text.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// From the start of the opening fence's line to the end of the closing one's, in order.
    blocks: Vec<Span>,
}

impl Fences {
    /// Finds them. O(n) in the text's length.
    ///
    /// ```
    /// use chunkwright_text::markup::Markup;
    /// use chunkwright_text::segment::fence::Fences;
    ///
    /// let text = "Run:\n\n```sh\nrain --more\n```\n\nDone.";
    /// let fences = Fences::new(text, Markup::Markdown);
    /// let block = fences.holding(15).unwrap();
    /// assert_eq!(text[block.range()].trim_end(), "```sh\nrain --more\n```");
    /// assert_eq!(fences.divided(15), Some(block));
    /// assert_eq!(fences.divided(block.start), None); // a cut before it divides nothing
    /// ```
    pub fn new(text: &str, markup: Markup) -> Self {
        match markup {
            Markup::Unknown | Markup::Markdown => Self::fenced(text, markup),
            Markup::Rst => Self { blocks: literal::blocks(text) },
            Markup::Code => Self::default(),
        }
    }

    fn fenced(text: &str, markup: Markup) -> Self {
        let mut finder = Finder { text, markup, blocks: Vec::new() };
        let mut from = 0;
        while let Some(at) = next_mark(text.as_bytes(), [b'`', b'~'], from) {
            from = finder.block(at);
        }
        Self { blocks: finder.blocks }
    }

    /// All of them, in order.
    pub fn blocks(&self) -> &[Span] {
        &self.blocks
    }

    /// The block that holds byte `at`.
    pub fn holding(&self, at: usize) -> Option<Span> {
        let behind = self.blocks.partition_point(|block| block.start <= at);
        Some(self.blocks[behind.checked_sub(1)?]).filter(|block| at < block.end)
    }

    /// The block that a cut at `at` would divide.
    pub fn divided(&self, at: usize) -> Option<Span> {
        self.holding(at).filter(|block| block.start < at)
    }
}

/// The first place from `from` on of three of one of `marks` in a row.
fn next_mark(bytes: &[u8], marks: [u8; 2], from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let at = from + memchr2(marks[0], marks[1], &bytes[from..])?;
        if bytes[at..].starts_with(&[bytes[at]; 3]) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// What a block stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Text,
    Quote,
    /// An item of a list, whose text is indented by so many columns.
    Item(usize),
}

/// The first line of a block.
#[derive(Clone, Copy)]
struct Opening {
    mark: u8,
    /// How many marks.
    length: usize,
    container: Container,
}

struct Finder<'t> {
    text: &'t str,
    markup: Markup,
    blocks: Vec<Span>,
}

impl Finder<'_> {
    /// Adds the block that the marks at `at` open, if they do; returns where to look on.
    fn block(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let end = line_end(bytes, at);
        let Some(start) = line_start(bytes, at) else { return end };
        let Some(opening) = self.opening(start, at, end) else { return end };
        let closed = match opening.container {
            Container::Text => self.closing(opening, end),
            container => self.closing_inside(opening, container, end),
        };
        self.blocks.push(Span::new(start, closed));
        closed
    }

    fn opening(&self, start: usize, at: usize, end: usize) -> Option<Opening> {
        let bytes = self.text.as_bytes();
        let mark = bytes[at];
        let length = count(&bytes[at..end], mark);
        let info = &bytes[at + length..end];
        if mark == b'`' && info.contains(&b'`') {
            return None;
        }
        let is_bare = info.trim_ascii().is_empty();
        if mark == b'~' && is_bare && self.is_underline(start, length) {
            return None;
        }
        let container = match prefix(&bytes[start..at])? {
            Prefix::Quote => Container::Quote,
            Prefix::Item(indent) => Container::Item(indent),
            Prefix::Indent(indent) if indent <= MAX_INDENT => Container::Text,
            Prefix::Indent(indent) => Container::Item(self.item_above(start, indent)?),
        };
        Some(Opening { mark, length, container })
    }

    /// Whether so many tildes in the line at `start` underline the line above.
    fn is_underline(&self, start: usize, length: usize) -> bool {
        if self.markup == Markup::Markdown || length < MIN_UNDERLINE {
            return false;
        }
        let above = Line { start, end: start }.above(self.text, MAX_LINE);
        above.is_some_and(|title| {
            let width = title.trimmed(self.text).chars().count();
            (1..=length).contains(&width) && title.follows_blank(self.text)
        })
    }

    /// The columns by which the text of the list's item is indented to which the line at `start` belongs.
    fn item_above(&self, start: usize, indent: usize) -> Option<usize> {
        let is_inside = |item: usize| (item..=item + MAX_INDENT).contains(&indent);
        let mut line = Line { start, end: start };
        for _ in 0..MAX_LINES {
            line = line.above(self.text, MAX_LINE)?;
            let last = self.blocks.last().filter(|block| block.range().contains(&line.start));
            if let Some(&Span { start, .. }) = last {
                // What stands in a block is no item; the line that opens it may be one.
                line = Line { start, end: line_end(self.text.as_bytes(), start) };
            }
            if line.trimmed(self.text).is_empty() {
                continue;
            }
            match item_indent(&self.text.as_bytes()[line.start..line.end]) {
                Some(item) if item <= indent => return Some(item).filter(|&item| is_inside(item)),
                None if line.indent(self.text) == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// The end of the line that closes a block at the margin, or of the text.
    fn closing(&self, opening: Opening, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut from = from;
        while let Some(at) = next_mark(bytes, [opening.mark; 2], from) {
            let end = line_end(bytes, at);
            let indent = line_start(bytes, at).and_then(|start| prefix(&bytes[start..at]));
            let is_near = matches!(indent, Some(Prefix::Indent(columns)) if columns <= MAX_INDENT);
            if is_near && closes(&bytes[at..end], opening) {
                return end;
            }
            from = end;
        }
        bytes.len()
    }

    /// The same for a block in an item or a quote, which it ends with.
    fn closing_inside(&self, opening: Opening, container: Container, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let (mut end, mut at) = (from, from);
        while at < bytes.len() {
            let start = at + 1;
            at = line_end(bytes, start);
            let line = &bytes[start..at];
            if line.trim_ascii().is_empty() && container != Container::Quote {
                continue;
            }
            let Some(inside) = container.content(line) else { return end };
            end = at;
            if closes(inside, opening) {
                return end;
            }
        }
        end
    }
}

impl Container {
    /// What a line holds for the block inside; none if the line is no more part of this.
    fn content(self, line: &[u8]) -> Option<&[u8]> {
        let content = line.trim_ascii_start();
        match self {
            Self::Text => Some(content),
            Self::Quote => content.strip_prefix(b">").map(|rest| {
                let quoted = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
                &rest[quoted.unwrap_or(rest.len())..]
            }),
            Self::Item(indent) => {
                let blanks = &line[..line.len() - content.len()];
                let columns = blanks.iter().fold(0, |column, &byte| next_column(column, byte));
                (columns >= indent).then_some(content)
            }
        }
    }
}

/// Whether `line`, its indentation left out, is a fence that ends the block.
fn closes(line: &[u8], opening: Opening) -> bool {
    let length = count(line, opening.mark);
    length >= opening.length && line[length..].trim_ascii().is_empty()
}

/// What stands before a fence in its line.
enum Prefix {
    /// Blanks, of so many columns.
    Indent(usize),
    Quote,
    /// The mark of an item, whose text begins at this column.
    Item(usize),
}

fn prefix(bytes: &[u8]) -> Option<Prefix> {
    let content = bytes.trim_ascii_start();
    if content.is_empty() {
        return Some(Prefix::Indent(
            bytes.iter().fold(0, |column, &byte| next_column(column, byte)),
        ));
    }
    if content[0] == b'>' {
        let is_quote = content.iter().all(|byte| matches!(byte, b'>' | b' ' | b'\t'));
        return is_quote.then_some(Prefix::Quote);
    }
    let indent = item_indent(bytes)?;
    let mark = content.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    content[mark..].trim_ascii().is_empty().then_some(Prefix::Item(indent))
}

/// The column at which the text of an item begins, if `line` begins with the mark of one.
fn item_indent(line: &[u8]) -> Option<usize> {
    let content = line.trim_ascii_start();
    let mark = match content.first()? {
        b'-' | b'*' | b'+' => 1,
        b'0'..=b'9' => {
            let digits = content.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
            matches!(content.get(digits)?, b'.' | b')').then_some(digits + 1)?
        }
        _ => return None,
    };
    if !matches!(content.get(mark), None | Some(b' ' | b'\t')) {
        return None;
    }
    let blanks = content[mark..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    // Five blanks or more behind a mark are one, and indented code.
    let blanks = if blanks > MAX_INDENT + 1 { 1 } else { blanks.max(1) };
    let lead = &line[..line.len() - content.len()];
    Some(lead.iter().fold(0, |column, &byte| next_column(column, byte)) + mark + blanks)
}

fn count(bytes: &[u8], mark: u8) -> usize {
    bytes.iter().take_while(|&&byte| byte == mark).count()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |feed| at + feed)
}

/// The start of the line of `at`, if that is near.
fn line_start(bytes: &[u8], at: usize) -> Option<usize> {
    let low = at.saturating_sub(MAX_PREFIX);
    match memrchr(b'\n', &bytes[low..at]) {
        Some(feed) => Some(low + feed + 1),
        None => (low == 0).then_some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn blocks(text: &str, markup: Markup) -> Vec<&str> {
        Fences::new(text, markup).blocks.iter().map(|block| &text[block.range()]).collect()
    }

    /// A text with its blocks, each marked by `«` and `»`.
    fn check(marked: &str) {
        let text = marked.replace(['«', '»'], "");
        let expected: Vec<String> = marked
            .split('«')
            .skip(1)
            .map(|part| part.split('»').next().unwrap().to_owned())
            .collect();
        assert_eq!(blocks(&text, Markup::Markdown), expected, "{marked}");
    }

    #[test]
    fn blocks_are_those_of_commonmark() {
        check("a\n«```\nb\n```»\nc\n«~~~ x `y`\n```\n~~~~ »\n");
        check("«````\n```\n`````»\n``` a`b\n«```py\n``` no\n   ```»");
        check("   «```\n    ```\n  ```»\n".replace("   «", "«   ").as_str());
        check("    ```\n    a\n    ```\n");
        check("a ```\nb `` c\n«```\nto the end\n\n# x\n");
        check("«```\r\na\r\n```\r»\nb");
        check("«~~~\n~~\n~~~»\n~~ ~\n");
        check("");
    }

    #[test]
    fn blocks_stand_in_items_and_quotes() {
        check("1. One:\n\n«    ```sh\n    # x\n    ```»\n\n«    ```\n    y\n    ```»\n2. Two\n");
        check("«- ```\n  a\n\n  b»\nno more\n");
        check("- a\n  - b\n\n«      ```\n      c\n      ```»\n");
        check("- a\n\n          ```\n          c\n          ```\n");
        check("«> ```\n> a\n> ```»\n> b\n«> ~~~\n> c»\nd\n");
        check("text\n    ```\n    no item\n");
    }

    #[test]
    fn a_line_of_tildes_may_be_an_underline() {
        let text = "Title\n~~~~~\n\nText.\n\nMore\n~~~~~\n";
        assert_eq!(blocks(text, Markup::Unknown), [""; 0]);
        assert_eq!(blocks(text, Markup::Markdown), ["~~~~~\n\nText.\n\nMore\n~~~~~"]);
        let text = "See below\n~~~~\ncode\n~~~~\n";
        assert_eq!(blocks(text, Markup::Unknown), ["~~~~\ncode\n~~~~"]);
    }

    #[test]
    fn a_cut_divides_a_block_from_its_first_byte_to_its_last() {
        let fences = Fences::new("a\n```\nb\n```\nc", Markup::Markdown);
        let divided: Vec<usize> = (0..14).filter(|&at| fences.divided(at).is_some()).collect();
        assert_eq!(divided, (3..11).collect::<Vec<_>>());
        assert!(fences.holding(2).is_some() && fences.holding(11).is_none());
    }

    proptest! {
        /// Without containers, blocks are what reading line by line finds.
        #[test]
        fn blocks_at_the_margin_are_those_of_a_plain_reader(
            text in "((```|````|~~~|~~~~|`|~| |    |a|#|x`)\n?){0,40}",
        ) {
            let (mut expected, mut at) = (Vec::new(), 0);
            let mut open: Option<(usize, String)> = None;
            for line in text.split_inclusive('\n') {
                let (start, end) = (at, at + line.trim_end_matches('\n').len());
                at += line.len();
                let indent = line.len() - line.trim_start_matches(' ').len();
                let content = line.trim();
                let marks = content.chars().next().map_or("", |mark| {
                    &content[..content.len() - content.trim_start_matches(mark).len()]
                });
                let is_fence = indent < 4 && marks.len() > 2 && marks.starts_with(['`', '~']);
                if let Some((from, fence)) = &open {
                    if is_fence && marks == content && marks.starts_with(fence.as_str()) {
                        expected.push(Span::new(*from, end));
                        open = None;
                    }
                } else {
                    let info = &content[marks.len()..];
                    if is_fence && !(marks.starts_with('`') && info.contains('`')) {
                        open = Some((start, marks.to_owned()));
                    }
                }
            }
            expected.extend(open.map(|(from, _)| Span::new(from, text.len())));
            prop_assert_eq!(Fences::new(&text, Markup::Markdown).blocks, expected);
        }
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for part in ["```", "``` `\n", "    ```\n", "- a\n   ```\n", "> ```\n", "~~~~\na\n", "- "] {
            let text = part.repeat(400_000);
            Fences::new(&text, Markup::Unknown);
        }
    }
}
