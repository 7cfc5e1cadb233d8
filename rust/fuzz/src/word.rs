//! Word files around generated bodies.

use std::io::Write;

const NAMESPACES: &str = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' \
    xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math' \
    xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006' \
    xmlns:pic='http://schemas.openxmlformats.org/drawingml/2006/picture' \
    xmlns:wp='http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'";
const RELATIONS: &str = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>\
    <Relationship Id='a' Type='x/footnotes' Target='footnotes.xml'/>\
    <Relationship Id='b' Type='x/numbering' Target='numbering.xml'/></Relationships>";
const NUMBERING: &str = "<w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/>\
    <w:lvlText w:val='%1.'/></w:lvl><w:lvl w:ilvl='2'><w:numFmt w:val='upperRoman'/><w:lvlText w:val='%1.%3'/></w:lvl>\
    </w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num>";

/// A Word file with this body and this text of its note.
///
/// # Panics
/// If memory runs out.
pub fn word(body: &str, note: &str) -> Vec<u8> {
    let part = |name: &str, inner: &str| format!("<w:{name} {NAMESPACES}>{inner}</w:{name}>");
    let parts = [
        ("word/document.xml", part("document", &format!("<w:body>{body}</w:body>"))),
        (
            "word/footnotes.xml",
            part("footnotes", &format!("<w:footnote w:id='1'>{note}</w:footnote>")),
        ),
        ("word/numbering.xml", part("numbering", NUMBERING)),
        ("word/_rels/document.xml.rels", RELATIONS.to_owned()),
    ];
    let mut file = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut file);
    for (name, text) in parts {
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut writer = config.wrap(&mut entry);
        writer.write_all(text.as_bytes()).unwrap();
        let (_, size) = writer.finish().unwrap();
        entry.finish(size).unwrap();
    }
    archive.finish().unwrap();
    file
}
