//! Writer of XML, as libxml2 writes it.

use super::lexer::Attribute;

/// Writes `text` as it stands between tags. O(n).
pub fn push_text(out: &mut String, text: &str) {
    push_escaped(out, text, |byte| match byte {
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'&' => Some("&amp;"),
        b'\t' | b'\n' => None,
        other => control(other),
    });
}

/// Writes ` name="value"`. O(n).
pub fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_escaped(out, value, |byte| match byte {
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'&' => Some("&amp;"),
        b'"' => Some("&quot;"),
        b'\t' => Some("&#9;"),
        b'\n' => Some("&#10;"),
        other => control(other),
    });
    out.push('"');
}

/// How a control character is written: XML has no other than tab and line ends.
const fn control(byte: u8) -> Option<&'static str> {
    match byte {
        b'\r' => Some("&#13;"),
        0..=0x1f => Some("&#xFFFD;"),
        _ => None,
    }
}

/// Writes `text`, each byte for which there is a form in that.
fn push_escaped(out: &mut String, text: &str, form: impl Fn(u8) -> Option<&'static str>) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(form) = form(byte) {
            out.push_str(&text[done..at]);
            out.push_str(form);
            done = at + 1;
        }
    }
    out.push_str(&text[done..]);
}

/// Writes tags of which those without content close themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tags {
    is_open: bool,
}

impl Tags {
    /// Writes `<name` without the end of the tag, so that attributes may follow.
    pub fn open(&mut self, out: &mut String, name: &str) {
        self.fill(out);
        out.push('<');
        out.push_str(name);
        self.is_open = true;
    }

    /// Ends the tag that was opened, if it still is: content follows.
    pub fn fill(&mut self, out: &mut String) {
        if std::mem::take(&mut self.is_open) {
            out.push('>');
        }
    }

    /// Writes `</name>`, or `/>` if nothing stands in the element.
    pub fn close(&mut self, out: &mut String, name: &str) {
        if std::mem::take(&mut self.is_open) {
            out.push_str("/>");
        } else {
            out.push_str("</");
            out.push_str(name);
            out.push('>');
        }
    }
}

/// Elements written as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verbatim {
    tags: Tags,
}

impl Verbatim {
    /// Writes the beginning of an element.
    pub fn open(&mut self, out: &mut String, name: &str, attributes: &[Attribute<'_>]) {
        self.tags.open(out, name);
        for Attribute { name, value } in attributes {
            push_attribute(out, name, value);
        }
    }

    /// Writes a text.
    pub fn text(&mut self, out: &mut String, text: &str) {
        self.tags.fill(out);
        push_text(out, text);
    }

    /// Writes a comment.
    pub fn comment(&mut self, out: &mut String, text: &str) {
        self.tags.fill(out);
        out.push_str("<!--");
        out.push_str(text);
        out.push_str("-->");
    }

    /// Writes the end of an element.
    pub fn close(&mut self, out: &mut String, name: &str) {
        self.tags.close(out, name);
    }
}
