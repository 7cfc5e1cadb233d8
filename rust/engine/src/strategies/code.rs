//! The strategy `code`: its row and its options.

use chunkwright_text::cut::code::Coding;
use chunkwright_text::cut::strategy::Strategy;
use chunkwright_text::syntax::code::languages::{LANGUAGES, named};

use super::{StrategyRow as Row, row};
use crate::options::DefaultValue::{Derived, Flag};
use crate::options::families::SIZES;
use crate::options::{Kind, StrategyOption as Opt};

/// The strategy.
pub static ROWS: &[Row] = &[row(
    "code",
    "Code",
    "Cut source code between its definitions, which chunks name.",
    &[&SIZES],
    &CODE,
    |making| {
        Ok(Strategy::Code(Coding {
            language: named(making.options.name("language")),
            repeat_heads: making.options.flag("repeat_heads"),
            outliner: making.parts.outliner.clone(),
        }))
    },
)];

/// The names of all languages.
static NAMES: [&str; LANGUAGES.len()] = {
    let mut names = [""; LANGUAGES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = LANGUAGES[at].name;
        at += 1;
    }
    names
};

const CODE: [Opt; 2] = [
    Opt::new(
        "language",
        Kind::Name(&NAMES),
        Derived,
        "The programming language of all texts.",
    )
    .more(
        "By default each document's name or first line tells its language; a text whose language \
         is not known is cut by its indentation.",
    ),
    Opt::new(
        "repeat_heads",
        Kind::Flag,
        Flag(false),
        "Whether a chunk that continues a class or function repeats its head, and the heads of \
         those around it.",
    )
    .more(
        "Heads are pieces with the role `\"heading\"`, count towards the limit, and are left out \
         where they take more than a quarter of it.",
    ),
];
