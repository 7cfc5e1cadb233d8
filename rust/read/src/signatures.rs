//! Signatures of files that hold no text: the first bytes by which each is known.
//!
//! Suffixes lie, and a PDF that is read as text makes chunks of noise that look like any others in an index. So a
//! reader looks at the first bytes before it decodes any, and the error says which program makes text of such a
//! file.

/// So many bytes of a file tell what it is.
pub const HEAD_BYTES: usize = 8192;

/// A format that is no text.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// Its name, with an article.
    pub name: &'static str,
    /// The kind that it is read as, if there is a reader of it.
    pub kind: Option<&'static str>,
    /// The programs that make text of it.
    remedy: Remedy,
}

/// What makes text of a format.
#[derive(Clone, Copy, Debug)]
enum Remedy {
    /// Docling, or Unstructured with this extra.
    Both(&'static str),
    /// Unstructured with this extra.
    Unstructured(&'static str),
    /// What is packed in it.
    Unpack,
    /// The command line, as this format of its input.
    Rows(&'static str),
    /// This.
    Other(&'static str),
}

const fn known(name: &'static str, remedy: Remedy) -> Signature {
    Signature { name, kind: None, remedy }
}

const fn read_as(kind: &'static str, name: &'static str, remedy: Remedy) -> Signature {
    Signature { name, kind: Some(kind), remedy }
}

const OFFICE: Signature = read_as(
    "office",
    "an Office document of before 2007 (.doc, .xls, .ppt, .msg)",
    Remedy::Unstructured("doc,ppt,xlsx,msg"),
);
const SQLITE: Signature = known(
    "an SQLite database",
    Remedy::Other("select the texts from it, and give them to a strategy's batch"),
);
const TIFF: Signature = read_as("image", "a TIFF image", Remedy::Both("image"));
const GIF: Signature = known("a GIF image", Remedy::Both("image"));

const TNEF: Signature = read_as(
    "mail",
    "a message of Outlook in TNEF (winmail.dat)",
    Remedy::Other("read the file with cw.read"),
);
const CMS: Signature =
    read_as("mail", "a message in S/MIME", Remedy::Other("read the file with cw.read"));

const SIGNATURES: [(&[u8], Signature); 21] = [
    (b"PK\x03\x04", known("a ZIP archive", Remedy::Unpack)),
    (b"PK\x05\x06", known("an empty ZIP archive", Remedy::Unpack)),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OFFICE),
    (b"\x78\x9f\x3e\x22", TNEF),
    (b"{\\rtf", read_as("office", "an RTF document", Remedy::Unstructured("rtf"))),
    (b"\x89PNG\r\n\x1a\n", read_as("image", "a PNG image", Remedy::Both("image"))),
    (b"\xff\xd8\xff", read_as("image", "a JPEG image", Remedy::Both("image"))),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"II*\0", TIFF),
    (b"MM\0*", TIFF),
    (b"II+\0", TIFF),
    (b"MM\0+", TIFF),
    (b"\x1f\x8b\x08", known("a gzip archive", Remedy::Unpack)),
    (b"\xfd7zXZ\0", known("an xz archive", Remedy::Unpack)),
    (b"\x28\xb5\x2f\xfd", known("a Zstandard archive", Remedy::Unpack)),
    (b"7z\xbc\xaf\x27\x1c", known("a 7-Zip archive", Remedy::Unpack)),
    (b"Rar!\x1a\x07", known("a RAR archive", Remedy::Unpack)),
    (b"PAR1\x15", known("a Parquet table", Remedy::Rows("parquet"))),
    (b"ARROW1\0\0", known("an Arrow table", Remedy::Rows("arrow"))),
    (b"SQLite format 3\0", SQLITE),
];
/// Readers of PDF look for its signature behind what stands before it; no text begins so either.
const BEFORE_PDF: &[u8] = b"\xef\xbb\xbf \t\r\n";
/// In the box that a file of the ISO base media format begins with, those of pictures.
const HEIF_BRANDS: [&[u8]; 6] = [b"heic", b"heix", b"heim", b"heis", b"mif1", b"avif"];
/// In the sequence of ASN.1 that a file of S/MIME begins with, what it is: of PKCS #7, or of PKCS #9.
const CMS_TYPES: [&[u8]; 2] = [
    b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07",
    b"\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01",
];
/// The length of such a sequence takes so many bytes.
const CMS_LENGTH_BYTES: std::ops::RangeInclusive<usize> = 1..=5;

impl Signature {
    /// The format whose files begin with `head`, [`HEAD_BYTES`] of one or all that there are. O(n).
    ///
    /// ```
    /// use chunkwright_read::signatures::Signature;
    ///
    /// let pdf = Signature::of(b"%PDF-1.7 ...").unwrap();
    /// assert_eq!(pdf.name, "a PDF document");
    /// assert!(Signature::of(b"Rain fell.").is_none());
    /// ```
    pub fn of(head: &[u8]) -> Option<Self> {
        by_what_follows(head).or_else(|| {
            let found = SIGNATURES.iter().find(|(start, _)| head.starts_with(start));
            found.map(|(_, signature)| *signature)
        })
    }

    /// What makes text of it.
    pub fn remedy(self) -> String {
        let (tools, extra) = match self.remedy {
            Remedy::Both(extra) => ("Docling (pip install docling) or ", extra),
            Remedy::Unstructured(extra) => ("", extra),
            Remedy::Unpack => return "unpack it, and read what is in it".into(),
            Remedy::Other(remedy) => return remedy.into(),
            Remedy::Rows(format) => {
                return format!(
                    "the command line reads its rows: --input-format {format}; in Python a strategy's arrow \
                     takes it as a table"
                );
            }
        };
        let ours = self.kind.map_or_else(String::new, |kind| {
            // The kind is called by what it is, the extra by what it does.
            let extra = if kind == "image" { "ocr" } else { kind };
            format!("read the file with cw.read (pip install \"chunkwright[{extra}]\"), or ")
        });
        format!(
            "{ours}convert it with {tools}Unstructured (pip install \"unstructured[{extra}]\"), and read the document \
             or elements that it gives"
        )
    }
}

/// A format whose first bytes are not enough, or not the first.
fn by_what_follows(head: &[u8]) -> Option<Signature> {
    let at = |start: usize, mark: &[u8]| head.get(start..).is_some_and(|of| of.starts_with(mark));
    let first = head.iter().position(|byte| !BEFORE_PDF.contains(byte)).unwrap_or(head.len());
    if at(first, b"%PDF-") {
        Some(read_as("pdf", "a PDF document", Remedy::Both("pdf")))
    } else if at(0, b"BZh") && at(4, b"1AY&SY") {
        Some(known("a bzip2 archive", Remedy::Unpack))
    } else if at(0, b"RIFF") && at(8, b"WEBP") {
        Some(read_as("image", "a WebP image", Remedy::Both("image")))
    } else if at(0, b"BM") && at(6, &[0; 4]) {
        Some(read_as("image", "a BMP image", Remedy::Both("image")))
    } else if at(4, b"ftyp") && HEIF_BRANDS.iter().any(|brand| at(8, brand)) {
        Some(known("a HEIF image", Remedy::Both("image")))
    } else if at(257, b"ustar") && head[..257].contains(&0) {
        Some(known("a tar archive", Remedy::Unpack))
    } else if at(0, b"0")
        && CMS_LENGTH_BYTES.into_iter().any(|n| CMS_TYPES.iter().any(|of| at(1 + n, of)))
    {
        Some(CMS)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (head, name) in [
            (&b"\xef\xbb\xbf\n%PDF-1.7"[..], "a PDF document"),
            (b"PK\x03\x04\x14", "a ZIP archive"),
            (b"RIFF1234WEBP", "a WebP image"),
            (b"1234ftypavif", "a HEIF image"),
            (b"ARROW1\0\0", "an Arrow table"),
            (b"0\x82\x10\x20\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02", "a message in S/MIME"),
        ] {
            assert_eq!(Signature::of(head).map(|found| found.name), Some(name));
        }
        for head in [&b""[..], b"text", b"%PDF", b"BMW is a car", b"II*", b"0 \x06\x09"] {
            assert!(Signature::of(head).is_none());
        }
        let rows = Signature::of(b"PAR1\x15").map(Signature::remedy).unwrap_or_default();
        assert!(rows.contains("--input-format parquet"));
    }
}
