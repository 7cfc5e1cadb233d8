//! Package of a Word file: its parts of XML, read from the ZIP within bounds.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::io::Read as _;

use flate2::read::DeflateDecoder;
use memchr::{memchr_iter, memmem};
use rawzip::{CompressionMethod, ErrorKind, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};

use super::bounds;
use super::encoding::decoded;
use super::tags::Tag;
use super::tree::{Node, Tree};
use chunkwright_text::error::{Error, Result};

/// A file has no more parts.
const MAX_PARTS: usize = 10_000;
/// All parts that are read hold no more bytes together.
const MAX_BYTES: usize = 1 << 27;
/// They hold no more elements and attributes, which take some 100 bytes each.
const MAX_NODES: usize = 1_500_000;
/// What each part begins with in the list of them.
const ENTRY: &[u8] = b"PK\x01\x02";

/// The bytes of a Word file, and those of its parts that were read.
pub struct Package<'d> {
    archive: ZipSliceArchive<&'d [u8]>,
    entries: HashMap<String, Entry>,
    n_bytes_left: Cell<usize>,
    n_nodes_left: Cell<usize>,
}

/// A part in the archive, and its text once it was read.
struct Entry {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
    text: OnceCell<String>,
}

fn wrong<T>(message: String) -> Result<T> {
    Err(Error::read(message).shortened())
}

impl<'d> Package<'d> {
    /// The package in `data`.
    ///
    /// # Errors
    /// [`Error::Read`] if it is no ZIP, or has too many parts.
    pub fn new(data: &'d [u8]) -> Result<Self> {
        if memmem::find_iter(data, ENTRY).take(MAX_PARTS + 1).count() > MAX_PARTS {
            return wrong(format!(
                "it has more than {} parts, which no Word document has",
                grouped(MAX_PARTS)
            ));
        }
        let damaged = |error: rawzip::Error| {
            Error::read(format!("this is not a ZIP archive, or a damaged one: {}", fault(&error)))
        };
        let archive = ZipArchive::from_slice(data).map_err(damaged)?;
        let (mut entries, mut listed) = (HashMap::new(), archive.entries());
        while let Some(entry) = listed.next_entry().map_err(damaged)? {
            let path = entry.file_path();
            let name = String::from_utf8_lossy(path.as_ref()).trim_start_matches('/').to_owned();
            let part = Entry {
                place: entry.wayfinder(),
                method: entry.compression_method(),
                is_encrypted: entry.flags().is_encrypted(),
                text: OnceCell::new(),
            };
            entries.insert(name, part);
        }
        let (n_bytes_left, n_nodes_left) = (Cell::new(MAX_BYTES), Cell::new(MAX_NODES));
        Ok(Self { archive, entries, n_bytes_left, n_nodes_left })
    }

    /// The text of a part. O(n) the first time.
    fn text(&self, name: &str, entry: &'_ Entry) -> Result<String> {
        if entry.is_encrypted {
            return wrong(format!("{name}: encrypted"));
        }
        let text = decoded(self.bytes(name, entry)?)
            .or_else(|reason| wrong(format!("{name}: not well-formed XML: {reason}")))?;
        let bytes = text.as_bytes();
        let n_ends = memmem::find_iter(bytes, b"</").count();
        let n_nodes = memchr_iter(b'<', bytes).count() - n_ends + memchr_iter(b'=', bytes).count();
        let Some(n_left) = self.n_nodes_left.get().checked_sub(n_nodes) else {
            let most = grouped(MAX_NODES);
            return wrong(format!("{name}: more than {most} elements and attributes of XML"));
        };
        self.n_nodes_left.set(n_left);
        bounds::check(&text, n_nodes).or_else(|reason| wrong(format!("{name}: {reason}")))?;
        Ok(text)
    }

    fn bytes(&self, name: &str, entry: &Entry) -> Result<Vec<u8>> {
        let damaged = |fault: &str| Error::read(format!("{name}: damaged: {fault}"));
        let part = self.archive.get_entry(entry.place).map_err(|error| damaged(&fault(&error)))?;
        let stated = entry.place.uncompressed_size_hint();
        let left =
            usize::try_from(stated).ok().and_then(|n| self.n_bytes_left.get().checked_sub(n));
        let Some(n_left) = left else {
            return wrong(format!("{name}: its parts hold more than {} MiB", MAX_BYTES >> 20));
        };
        // One byte more, by which the archive is found to be wrong.
        let (most, mut data) = (stated.saturating_add(1), Vec::new());
        let read = match entry.method {
            CompressionMethod::STORE => {
                part.verifying_reader(part.data()).take(most).read_to_end(&mut data)
            }
            CompressionMethod::DEFLATE => {
                let inflated = DeflateDecoder::new(part.data());
                part.verifying_reader(inflated).take(most).read_to_end(&mut data)
            }
            other => return Err(damaged(&format!("its compression is {other:?}"))),
        };
        let n_read = u64::try_from(read.map_err(|error| damaged(&fault_of_part(&error)))?)
            .unwrap_or(u64::MAX);
        if n_read != stated {
            return Err(damaged(&format!("its size is not {stated} bytes, as the archive says")));
        }
        self.n_bytes_left.set(n_left);
        Ok(data)
    }
}

/// What is wrong with an archive, in words; the numbers that its crate compares say nothing to a reader of messages.
fn fault(error: &rawzip::Error) -> String {
    let words = match error.kind() {
        ErrorKind::MissingEndOfCentralDirectory => "it has no list of its parts",
        ErrorKind::InvalidEndOfCentralDirectory => "the list of its parts is broken",
        ErrorKind::InvalidSignature { .. } => "there is something else in its place",
        ErrorKind::InvalidChecksum { .. } => "its checksum is another",
        ErrorKind::InvalidSize { .. } => "its size is not what the archive says",
        ErrorKind::Eof => "it ends too early",
        other => return other.to_string(),
    };
    words.to_owned()
}

fn fault_of_part(error: &std::io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rawzip::Error>());
    inner.map_or_else(|| error.to_string(), fault)
}

/// The trees of the parts of a package, each made when it is asked for.
pub struct Parts<'p> {
    package: &'p Package<'p>,
    trees: HashMap<&'p str, OnceCell<Tree<'p>>>,
}

impl<'p> Parts<'p> {
    /// Those of a package.
    pub fn new(package: &'p Package<'p>) -> Self {
        let trees = package.entries.keys().map(|name| (name.as_str(), OnceCell::new()));
        Self { package, trees: trees.collect() }
    }

    /// The root of a part; none if there is no such part.
    ///
    /// # Errors
    /// [`Error::Read`] if it is damaged, too large or no XML.
    pub fn part<'a>(&'a self, name: &str) -> Result<Option<Node<'a>>> {
        let Some((cell, entry)) = self.trees.get(name).zip(self.package.entries.get(name)) else {
            return Ok(None);
        };
        if let Some(tree) = cell.get() {
            return Ok(Some(tree.root()));
        }
        let text = self.package.text(name, entry)?;
        let tree = Tree::new(entry.text.get_or_init(|| text));
        let tree = tree.or_else(|reason| wrong(format!("{name}: {reason}")))?;
        Ok(Some(cell.get_or_init(|| tree).root()))
    }

    /// The relations of a part; those of the package for an empty name.
    ///
    /// # Errors
    /// As [`Parts::part`].
    pub fn relations(&self, name: &str) -> Result<Relations> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let between = if folder.is_empty() { "" } else { "/" };
        let root = self.part(&format!("{folder}{between}_rels/{file}.rels"))?;
        let mut relations = Relations::default();
        for node in root.into_iter().flat_map(|root| root.all(Tag::Relationship)) {
            relations.add(node, folder);
        }
        Ok(relations)
    }

    /// The root of the first part inside the package to which there is a relation of a type.
    ///
    /// # Errors
    /// As [`Parts::part`].
    pub fn related(&self, relations: &Relations, kind: &str) -> Result<Option<Node<'_>>> {
        let first = relations.of_kind(kind).find(|relation| !relation.is_external);
        first.map_or(Ok(None), |relation| self.part(&relation.target))
    }
}

/// A relation of a part.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The last word of its type.
    kind: String,
    /// The part, or the address outside.
    pub target: String,
    /// Whether the target is outside.
    pub is_external: bool,
}

/// The relations of a part by their ids.
#[derive(Debug, Default)]
pub struct Relations {
    rows: Vec<Relation>,
    by_id: HashMap<String, usize>,
}

impl Relations {
    fn add(&mut self, node: Node<'_>, folder: &str) {
        let target = node.attribute("Target").unwrap_or_default();
        let is_external = node.attribute("TargetMode") == Some("External");
        let kind = node.attribute("Type").unwrap_or_default();
        let relation = Relation {
            kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
            target: if is_external { target.to_owned() } else { resolved(folder, target) },
            is_external,
        };
        let id = node.attribute("Id").unwrap_or_default().to_owned();
        let at = *self.by_id.entry(id).or_insert(self.rows.len());
        match self.rows.get_mut(at) {
            Some(row) => *row = relation,
            None => self.rows.push(relation),
        }
    }

    /// The relation of an id.
    pub fn get(&self, id: &str) -> Option<&Relation> {
        self.rows.get(*self.by_id.get(id)?)
    }

    /// Those of a type, by its last word.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Relation> {
        self.rows.iter().filter(move |relation| relation.kind == kind)
    }
}

/// The part that a relation of one in `folder` leads to.
fn resolved(folder: &str, target: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let folder = if target.starts_with('/') { "" } else { folder };
    for name in folder.split('/').chain(target.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}

/// A number with a comma between thousands.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_stay_in_the_package() {
        assert_eq!(resolved("word", "media/a.png"), "word/media/a.png");
        assert_eq!(resolved("word", "/word/./styles.xml"), "word/styles.xml");
        assert_eq!(resolved("word", "../../../etc/passwd"), "etc/passwd");
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!([1, 1000, 1_500_000].map(grouped), ["1", "1,000", "1,500,000"]);
    }
}
