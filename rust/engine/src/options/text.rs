//! Options of single strategies over text, JSON and documents of any kind.

use super::DefaultValue::{Count, Derived, Flag, Name};
use super::families::{LANGUAGE, LIMITS, MIN_SIZE, OVERLAP, OVERLAP_AT, SOFT_MAX};
use super::{Kind, MAX_SIZE, StrategyOption as Opt};

/// Those of `recursive`.
pub const RECURSIVE: [Opt; 3] = [
    Opt::new(
        "separators",
        Kind::Separators,
        Derived,
        "The strongest first, each a `str` or a `Separator`; or the name of a programming or \
         markup language, such as `\"python\"` or `\"markdown\"`: one of `LANGUAGES`.",
    )
    .more(
        "By default those of Markdown in a document that was read as Markdown; paragraphs, lines \
         and words in all others, and in a `str`.",
    )
    .concerns(&["markup"]),
    Opt::new(
        "markup",
        Kind::Name(&["text", "markdown", "rst", "code"]),
        Derived,
        "What the text is written in, and so what is kept together: in any `\"text\"` headings \
         with what follows; in `\"markdown\"` and `\"rst\"` code blocks, too; in `\"code\"` \
         nothing, so that the separators alone say where chunks end.",
    )
    .more(
        "By default that of the language that `separators` names, else `\"text\"`; without \
         `separators`, what a document is known to be. Given without `separators`, those of a \
         plain text are taken.",
    )
    .concerns(&["separators"]),
    REPEAT_HEADERS,
];

const REPEAT_HEADERS: Opt = Opt::new(
    "repeat_headers",
    Kind::Flag,
    Flag(true),
    "Whether the parts of a table repeat its header.",
);

/// Those of `sentence`.
pub const SENTENCE: [Opt; 4] = [
    LANGUAGE,
    Opt::new(
        "sentences",
        Kind::Count { least: 1, most: MAX_SIZE, unit: "sentences" },
        Derived,
        "Make a chunk of each so many sentences.",
    )
    .more(
        "No limit is needed then; sentences that exceed the one given are cut as if they were a \
         text of their own.",
    )
    .concerns(&["max_tokens", "max_chars"]),
    Opt::new(
        "window",
        Kind::Count { least: 0, most: MAX_SIZE, unit: "sentences" },
        Count(0),
        "How many neighbouring sentences a chunk shows on each side, as pieces with the role \
         `\"overlap\"` (sentence-window retrieval).",
    )
    .more(
        "They count against the limit: where there are too many, the outermost are left out, the \
         one before first. A `soft_max` leaves room for them.",
    )
    .concerns(&["overlap", "soft_max"]),
    Opt::new(
        "overlap_at",
        OVERLAP_AT,
        Name("sentence"),
        "Where an overlap may begin: at a `\"sentence\"` by default.",
    )
    .concerns(&["overlap"]),
];

/// Those of `balanced`.
pub const BALANCED: [Opt; 3] = [
    LANGUAGE,
    REPEAT_HEADERS,
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The target, overlap included: three quarters of the limit by default (of what the \
         overlap leaves of it).",
    )
    .concerns(LIMITS),
];

/// Those of `line_based`.
pub const LINE_BASED: [Opt; 2] = [
    Opt::new(
        "header_lines",
        Kind::Count { least: 0, most: MAX_SIZE, unit: "lines" },
        Count(0),
        "How many of the first lines each later chunk repeats; 0 by default.",
    )
    .more("Blank lines are not counted."),
    Opt::new(
        "omit_header_on_overflow",
        Kind::Flag,
        Flag(false),
        "Whether a line that fits without the repeated lines only is kept whole without them.",
    )
    .more("Without, it is cut, and the lines are repeated.")
    .concerns(&["header_lines"]),
];

/// Those of `auto`.
pub const AUTO: [Opt; 1] = [Opt::new(
    "language",
    Kind::Language,
    Name("en"),
    "Language of documents with elements, as `split_sentences` takes it.",
)
.more("Texts of other kinds are not cut between sentences.")];

/// Those of `json`.
pub const JSON: [Opt; 5] = [
    Opt::new(
        "syntax",
        Kind::Name(&["json", "yaml"]),
        Name("json"),
        "What the text is: `\"json\"`, or `\"yaml\"`, of which JSON is a part.",
    )
    .more(
        "It is never guessed, since almost any text is YAML. Objects that are no texts are cut as \
         JSON only.",
    ),
    Opt::new(
        "soft_max",
        SOFT_MAX,
        Derived,
        "The size at which a chunk is full, in the unit of the limit; the limit itself by \
         default.",
    )
    .more("A value that is larger stays whole up to the limit.")
    .concerns(LIMITS),
    Opt::new(
        "min_size",
        MIN_SIZE,
        Derived,
        "Smaller chunks are joined with a neighbour where both fit into the limit, in its unit; 0 \
         by default.",
    )
    .more("It matters where `soft_max` is less than the limit.")
    .concerns(&["soft_max", "max_tokens", "max_chars"]),
    Opt::new("overlap", OVERLAP, Count(0), NOT_FOR_JSON),
    Opt::new("overlap_at", OVERLAP_AT, Name("word"), NOT_FOR_JSON),
];

const NOT_FOR_JSON: &str = "Not for this strategy: what is repeated would be there twice when parts are put \
    together.";
