//! The strategy `recursive`: its row, its options, and the separators that it is given.

use std::sync::OnceLock;

use chunkwright_text::cut::recursive::Recursion;
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::error::Result;
use chunkwright_text::markup::Markup;
use chunkwright_text::segment::separator::{Keep, MARKDOWN, RST, Separator};
use chunkwright_text::syntax::code::languages::{self, LANGUAGES};
use serde_json::Value;

use super::making::Making;
use super::marks::{separator, separator_of};
use super::{StrategyRow as Row, row};
use crate::options::DefaultValue::Derived;
use crate::options::families::{REPEAT_HEADERS, SIZES};
use crate::options::{Kind, StrategyOption as Opt};

/// Paragraphs, lines, words.
const SEPARATORS: [(&str, bool); 3] = [("\n\n", false), ("\n", false), (" ", false)];

/// What a text may be written in: of code, any language that is known.
static MARKUPS: [&str; 4 + LANGUAGES.len()] = {
    let mut names = ["text"; 4 + LANGUAGES.len()];
    [names[1], names[2], names[3]] = ["markdown", "rst", "code"];
    let mut i = 0;
    while i < LANGUAGES.len() {
        names[4 + i] = LANGUAGES[i].name;
        i += 1;
    }
    names
};

/// The strategy.
pub static ROWS: &[Row] = &[row(
    "recursive",
    "Recursive",
    "Cut at the first separator of a list that is found within the limit.",
    &[&SIZES],
    &RECURSIVE,
    recursive,
)];

/// Those of `recursive`.
const RECURSIVE: [Opt; 3] = [
    Opt::new(
        "separators",
        Kind::Separators,
        Derived,
        "The separators, the strongest first, each a `str` or a `Separator`; or the name of a \
         programming or markup language, such as `\"python\"` or `\"markdown\"`: one of `NAMES`.",
    )
    .more(
        "By default those of its markup in a document that was read as Markdown or \
         reStructuredText; paragraphs, lines and words in all others, and in a `str`.",
    )
    .concerns(&["markup"]),
    Opt::new(
        "markup",
        Kind::Name(&MARKUPS),
        Derived,
        "The language of the text, which says what stays together.",
    )
    .more(
        "In `\"text\"`, a heading stays with what follows it; in `\"markdown\"` and `\"rst\"`, code \
         blocks stay whole as well; in a programming language, such as `\"python\"`, comments, \
         decorators, annotations and attributes stay with the code below them; in `\"code\"`, only \
         the separators decide. By default that of the language that `separators` names, else `\"text\"`; without \
         `separators`, what a document is known to be. Given without `separators`, those of a \
         plain text are taken.",
    )
    .concerns(&["separators"]),
    REPEAT_HEADERS,
];

fn recursive(making: &mut Making<'_>) -> Result<Strategy> {
    let name = making.options.name("markup");
    let language = languages::named(name);
    let markup = match name {
        "text" => Some(Markup::Unknown),
        "markdown" => Some(Markup::Markdown),
        "rst" => Some(Markup::Rst),
        "code" => Some(Markup::Code),
        _ => language.map(|_| Markup::Code),
    };
    let repeat_headers = making.options.flag("repeat_headers");
    let given = making.options.value("separators");
    let (separators, own) = match given {
        None => (compiled(&SEPARATORS)?, Markup::Unknown),
        Some(Value::Array(marks)) => (separators(marks)?, Markup::Unknown),
        // A name: that of Markdown's.
        Some(_) => (of_markdown()?, Markup::Markdown),
    };
    // Who says nothing has each document cut as what it is known to be.
    let is_told = markup.is_some() || given.is_some();
    let by_markup = if is_told {
        Vec::new()
    } else {
        vec![(Markup::Markdown, of_markdown()?), (Markup::Rst, of_rst()?)]
    };
    let markup = markup.unwrap_or(own);
    Ok(Strategy::Recursive(Recursion { separators, by_markup, markup, language, repeat_headers }))
}

/// The separators of Markdown, compiled once.
fn of_markdown() -> Result<Vec<Separator>> {
    static COMPILED: OnceLock<Vec<Separator>> = OnceLock::new();
    once(&COMPILED, &MARKDOWN)
}

/// Those of reStructuredText, compiled once.
fn of_rst() -> Result<Vec<Separator>> {
    static COMPILED: OnceLock<Vec<Separator>> = OnceLock::new();
    once(&COMPILED, &RST)
}

fn once(known: &OnceLock<Vec<Separator>>, marks: &[(&str, bool)]) -> Result<Vec<Separator>> {
    if let Some(separators) = known.get() {
        return Ok(separators.clone());
    }
    let separators = compiled(marks)?;
    Ok(known.get_or_init(|| separators).clone())
}

/// Separators that stand where lines end, however they do.
fn compiled(marks: &[(&str, bool)]) -> Result<Vec<Separator>> {
    let made = |(mark, is_regex): &(&str, bool)| {
        separator("separators", mark, *is_regex, Keep::Start).map(Separator::of_lines)
    };
    marks.iter().map(made).collect()
}

/// Separators up to an empty one, which stands anywhere.
fn separators(marks: &[Value]) -> Result<Vec<Separator>> {
    let found = marks.iter().map(|mark| separator_of("separators", mark, Keep::Start).transpose());
    found.map_while(|mark| mark).collect()
}
