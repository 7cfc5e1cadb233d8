//! Kinds of inputs: how each is told, by content or by name, and the reader of its texts.

use super::csv::{self, CsvOptions};
#[cfg(feature = "docling")]
use super::docling;
#[cfg(feature = "docx")]
use super::docx;
use super::element_json::read_json;
use super::html::page;
use super::payload;
use super::rst;
use super::signatures::{HEAD_BYTES, Signature};
use super::talks::{captions, messages, transcript};
use super::told::{looks_like_elements, looks_like_html, looks_like_markdown, looks_like_rst};
use chunkwright_text::error::{Error, Message, Result};
use chunkwright_text::pulse::Pulse;
use chunkwright_text::read::Read;
use chunkwright_text::syntax::markdown;
use chunkwright_text::unicode::space::is_space;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A kind of inputs.
#[derive(Debug)]
pub struct InputKind {
    /// Its name.
    pub name: &'static str,
    /// How the names of its files end.
    pub suffixes: &'static [&'static str],
    /// Whether a text is of the kind, whatever its name; none if that cannot be told.
    content: Option<fn(&str) -> bool>,
    /// Whether a text that has no name, or that of a plain text, is of the kind.
    plain: Option<fn(&str) -> bool>,
    /// Whether a text that has no name may be of the kind.
    hint: Option<fn(&str) -> bool>,
    /// Reads a text of the kind; nothing of a plain one.
    read: fn(&str, Pulse<'_>) -> Result<Option<Read>>,
    /// Whether the text is the source itself, a byte order mark included.
    keeps_source: bool,
}

/// What a kind is that nothing tells, and no name.
const PLAIN: InputKind = InputKind {
    name: "text",
    suffixes: &[".txt", ".text", ".log"],
    content: None,
    plain: None,
    hint: None,
    read: |_, _| Ok(None),
    keeps_source: true,
};

/// The kinds, those first that are told by content first; one row a reader.
pub static KINDS: &[InputKind] = &[
    #[cfg(feature = "docling")]
    InputKind {
        name: "docling",
        suffixes: &[],
        content: Some(super::told::looks_like_docling),
        read: |text, _| {
            let document = docling::Document::of_json(text.as_bytes(), docling::Form::Stored)?;
            Ok(Some(document.elements()))
        },
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "messages",
        suffixes: &[],
        content: Some(messages::looks_like_messages),
        read: |text, pulse| Ok(Some(messages::read(text, pulse)?)),
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "elements",
        suffixes: &[],
        content: Some(looks_like_elements),
        read: |text, pulse| Ok(Some(elements(text, pulse)?)),
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "html",
        suffixes: &[".html", ".htm", ".xhtml"],
        content: Some(looks_like_html),
        read: |text, pulse| Ok(Some(page::read(text, &[], &[], pulse)?)),
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "vtt",
        suffixes: &[".vtt"],
        content: Some(captions::looks_like_vtt),
        read: |text, pulse| Ok(Some(captions::read(text, captions::Form::Vtt, pulse)?)),
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "srt",
        suffixes: &[".srt"],
        content: Some(captions::looks_like_srt),
        read: |text, pulse| Ok(Some(captions::read(text, captions::Form::Srt, pulse)?)),
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "transcript",
        suffixes: &[],
        plain: Some(transcript::looks_like_transcript),
        read: |text, pulse| Ok(Some(transcript::read(text, pulse)?)),
        ..PLAIN
    },
    InputKind {
        name: "markdown",
        suffixes: &[".md", ".markdown", ".mdown", ".mkd", ".mdx"],
        hint: Some(looks_like_markdown),
        read: |text, _| Ok(Some(markdown::read(text))),
        ..PLAIN
    },
    InputKind {
        name: "rst",
        suffixes: &[".rst", ".rest"],
        plain: Some(looks_like_rst),
        read: |text, _| Ok(Some(rst::read(text))),
        ..PLAIN
    },
    InputKind {
        name: "csv",
        suffixes: &[".csv"],
        read: |text, pulse| Ok(Some(csv::read(text, &[], CsvOptions::default(), pulse)?)),
        keeps_source: false,
        ..PLAIN
    },
    InputKind {
        name: "tsv",
        suffixes: &[".tsv", ".tab"],
        read: |text, pulse| {
            let options = CsvOptions { delimiter: Some('\t'), ..CsvOptions::default() };
            Ok(Some(csv::read(text, &[], options, pulse)?))
        },
        keeps_source: false,
        ..PLAIN
    },
    PLAIN,
];

/// A kind of files that hold no text.
#[derive(Debug)]
pub struct FileKind {
    /// Its name.
    pub name: &'static str,
    /// Reads a file of the kind.
    read: fn(&[u8], Pulse<'_>) -> Result<Read>,
}

/// The kinds of files that are read here, each told by its first bytes; one row a reader.
pub static FILES: &[FileKind] = &[
    #[cfg(feature = "docx")]
    FileKind { name: "docx", read: docx::read },
];

impl FileKind {
    /// The kind of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FILES.iter().find(|kind| kind.name == name)
    }

    /// Reads a file of the kind. O(n), but for tables.
    ///
    /// # Errors
    /// [`Error::Read`] if it is not of the kind, and those of `pulse`.
    pub fn read(&self, data: &[u8], pulse: Pulse<'_>) -> Result<Read> {
        (self.read)(data, pulse)
    }
}

impl InputKind {
    /// The kind of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    /// The kind of a text: by its content, else by how its name ends, else, if it has no name, or that of a plain text,
    /// by its lines, and if it has no name by how it begins. O(n) at worst.
    ///
    /// ```
    /// use chunkwright_read::kinds::InputKind;
    ///
    /// let name = |text, suffix| InputKind::told(text, suffix).name;
    /// assert_eq!(name("<html><p>Rain", Some(".txt")), "html"); // the content goes before the name
    /// assert_eq!(name("stone,kg", Some(".csv")), "csv");
    /// assert_eq!(name("stone,kg", None), "text");
    /// ```
    pub fn told(text: &str, suffix: Option<&str>) -> &'static Self {
        let by_content = |kind: &&Self| kind.content.is_some_and(|is_kind| is_kind(text));
        let by_name = |kind: &&Self| suffix.is_some_and(|of| kind.suffixes.contains(&of));
        let by_hint = |kind: &&Self| {
            suffix.is_none() && kind.hint.is_some_and(|may_be_kind| may_be_kind(text))
        };
        let may_be_plain = suffix.is_none_or(|of| PLAIN.suffixes.contains(&of));
        let by_lines =
            |kind: &&Self| may_be_plain && kind.plain.is_some_and(|is_kind| is_kind(text));
        let found = KINDS.iter().find(by_content).or_else(|| KINDS.iter().find(by_lines));
        let found = found.or_else(|| KINDS.iter().find(by_name));
        found.or_else(|| KINDS.iter().find(by_hint)).unwrap_or(&KINDS[KINDS.len() - 1])
    }

    /// Reads a text of the kind; nothing of a plain one. O(n), but for tables.
    ///
    /// # Errors
    /// [`Error::Read`] if it is not of the kind, and those of `pulse`.
    pub fn read(&self, text: &str, pulse: Pulse<'_>) -> Result<Option<Read>> {
        let unmarked = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        (self.read)(if self.keeps_source { text } else { unmarked }, pulse)
    }
}

/// Elements in JSON, or as a chunk's `orig_elements` have them.
fn elements(text: &str, pulse: Pulse<'_>) -> Result<Read> {
    let begins = text.trim_start_matches(|c| is_space(c) || c == BYTE_ORDER_MARK);
    if !begins.starts_with('[') && payload::is_payload(text) {
        return read_json(&payload::decoded(text)?, pulse);
    }
    read_json(text, pulse)
}

/// Refuses a text that begins as a file does which holds none.
///
/// ```
/// use chunkwright_read::kinds::{refuse, refuse_binary};
///
/// let error = refuse("%PDF-1.7 ...").unwrap_err();
/// assert!(error.to_string().starts_with("this is a PDF document, not text: read the file with"));
/// assert!(refuse_binary("a\0b").unwrap_err().to_string().contains("a NUL at byte 1"));
/// ```
///
/// # Errors
/// [`Error::Read`], saying what it is and what makes text of it.
pub fn refuse(text: &str) -> Result<()> {
    let head = &text.as_bytes()[..text.len().min(HEAD_BYTES)];
    if let Some(found) = Signature::of(head) {
        let (name, remedy) = (found.name, found.remedy());
        return Err(Error::read(format!("this is {name}, not text: {remedy}")));
    }
    Ok(())
}

/// Refuses a text of no known kind that is binary data.
///
/// # Errors
/// [`Error::Read`], naming the offset of its first NUL.
pub fn refuse_binary(text: &str) -> Result<()> {
    let head = &text.as_bytes()[..text.len().min(HEAD_BYTES)];
    let Some(at) = memchr::memchr(0, head) else { return Ok(()) };
    let reason = format!(
        "this is binary data, not text (a NUL at byte {at}); to read a text with NULs, give "
    );
    let advice = [
        (reason.as_str(), "kind", "text"),
        ("; for another encoding, give that, such as ", "encoding", "utf-16"),
    ];
    Err(Error::read(Message::advising(advice, "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chunkwright_text::pulse::no_pulse;

    const DOCLING: &str =
        r##"{"schema_name": "DoclingDocument", "name": "d", "body": {"self_ref": "#/body"}}"##;

    #[test]
    fn kinds_are_told_by_content_then_by_name() {
        for (text, suffix, kind) in [
            (DOCLING, Some(".txt"), "docling"),
            ("[]", None, "elements"),
            ("<html>", Some(".md"), "html"),
            ("# A\n\nb", None, "markdown"),
            ("# A\n\nb", Some(".rst"), "rst"),
            ("a", Some(".rest"), "rst"),
            ("A\n=\n\n.. note:: b\n", Some(".txt"), "rst"),
            ("A\n=\n\n.. note:: b\n", None, "rst"),
            ("A\n=\n\nb\n", Some(".txt"), "text"),
            ("a", Some(".markdown"), "markdown"),
            ("a,b", Some(".csv"), "csv"),
            ("a,b", None, "text"),
        ] {
            assert_eq!(InputKind::told(text, suffix).name, kind, "{text}");
        }
    }

    #[test]
    fn each_kind_is_read() {
        let read = |name, text| InputKind::named(name).unwrap().read(text, no_pulse()).unwrap();
        let said = |name, text| read(name, text).unwrap().text;
        assert_eq!(said("csv", "\u{feff}a,b\n").as_deref(), Some("a\tb"));
        assert_eq!(said("tsv", "a,b\tc").as_deref(), Some("a,b\tc"));
        assert_eq!(said("docling", DOCLING).as_deref(), Some(""));
        let packed = "eJyLrlYqSa0oUbJSUKpQqo0FACgQBNA=";
        assert_eq!(said("elements", packed).as_deref(), Some("x"));
        assert!(read("markdown", "\u{feff}# A").is_some_and(|read| read.text.is_none()));
        assert!(read("rst", "A\n=").is_some_and(|read| read.elements.len() == 1));
        assert!(read("text", "a").is_none());
    }

    #[test]
    #[cfg(feature = "docx")]
    fn a_file_is_read_by_its_kind() {
        let read = |name| FileKind::named(name).map(|kind| kind.read(b"PK", no_pulse()).is_ok());
        assert_eq!([read("docx"), read("pdf")], [Some(false), None]);
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let said = |text| refuse(text).and_then(|()| refuse_binary(text)).unwrap_err().to_string();
        assert!(
            said("%PDF-1.7 \0").starts_with("this is a PDF document, not text: read the file with")
        );
        assert!(said("a\0").contains("a NUL at byte 1"));
        assert!(refuse("a").is_ok() && refuse_binary("a").is_ok());
    }
}
