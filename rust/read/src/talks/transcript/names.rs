//! Names of speakers: what stands before a colon, and whether it is one or a label such as `Note`.

/// Code points and words of a name, at most.
const MAX_CHARS: usize = 48;
const MAX_WORDS: usize = 6;
/// Letters of a name in a script without capitals, at most.
const MAX_UNCASED: usize = 16;

/// Words in lower case that names have between others.
const PARTICLES: &[&str] = &[
    "de", "del", "della", "di", "da", "dos", "du", "la", "le", "van", "von", "der", "den", "bin",
    "al", "el", "of", "the", "and", "to",
];

/// Roles that speak without a name, in lower case; a number may follow.
const ROLES: &[&str] = &[
    "user",
    "assistant",
    "system",
    "human",
    "ai",
    "bot",
    "chatbot",
    "agent",
    "customer",
    "client",
    "operator",
    "interviewer",
    "interviewee",
    "moderator",
    "host",
    "guest",
    "caller",
    "patient",
    "doctor",
    "therapist",
    "nurse",
    "teacher",
    "student",
    "speaker",
    "participant",
    "person",
    "narrator",
    "audience",
    "q",
    "a",
    "respondent",
    "chairman",
    "reporter",
    "the court",
    "the witness",
    "unknown",
];

/// What stands before a colon in other texts, in lower case.
const LABELS: &[&str] = &[
    "note",
    "notes",
    "nb",
    "warning",
    "caution",
    "danger",
    "attention",
    "important",
    "info",
    "information",
    "debug",
    "error",
    "trace",
    "fatal",
    "critical",
    "notice",
    "warn",
    "tip",
    "tips",
    "hint",
    "example",
    "examples",
    "todo",
    "fixme",
    "figure",
    "fig",
    "table",
    "chapter",
    "section",
    "part",
    "step",
    "steps",
    "exercise",
    "problem",
    "solution",
    "proof",
    "theorem",
    "lemma",
    "definition",
    "input",
    "output",
    "usage",
    "returns",
    "return",
    "args",
    "arguments",
    "parameters",
    "params",
    "raises",
    "see",
    "see also",
    "source",
    "sources",
    "date",
    "time",
    "subject",
    "from",
    "to",
    "cc",
    "bcc",
    "re",
    "fw",
    "name",
    "title",
    "author",
    "authors",
    "description",
    "summary",
    "abstract",
    "keywords",
    "version",
    "type",
    "status",
    "id",
    "url",
    "link",
    "links",
    "email",
    "phone",
    "address",
    "location",
    "ingredients",
    "method",
    "directions",
    "preparation",
    "serves",
    "yield",
    "price",
    "total",
    "result",
    "results",
    "default",
    "option",
    "options",
    "reason",
    "answer",
    "question",
];

/// The name and the words of a text that begins with `name:`; the colon is followed by a blank, or ends the text. O(1)
/// but for the blanks.
///
/// ```
/// use chunkwright_read::talks::transcript::names::{is_name, named};
///
/// assert_eq!(named("Ada Lee: It rained: all day."), Some(("Ada Lee", "It rained: all day.")));
/// assert_eq!([named("http://a.b"), named("at 10:30"), named("words")], [None; 3]);
/// assert!(is_name("MR. O'NEILL") && is_name("Speaker 1") && is_name("SPEAKER_00") && is_name("李雷"));
/// assert!(!is_name("One thing") && !is_name("Note") && !is_name("key"));
/// ```
pub fn named(text: &str) -> Option<(&str, &str)> {
    let most = text.floor_char_boundary(MAX_CHARS * 4);
    let at = text[..most].find([':', '：'])?;
    let colon = text[at..].chars().next().map_or(1, char::len_utf8);
    let (name, words) = (text[..at].trim(), &text[at + colon..]);
    let is_wide = colon > 1;
    let bold = words.strip_prefix("**").unwrap_or(words);
    let is_apart = is_wide || bold.is_empty() || bold.starts_with(char::is_whitespace);
    (is_apart && !name.is_empty()).then(|| (unmarked(name), bold.trim()))
}

/// A name without the marks of bold letters around it.
pub fn unmarked(name: &str) -> &str {
    name.trim_matches('*').trim()
}

/// Whether a text is written as a name, or is a role.
pub fn is_name(name: &str) -> bool {
    is_role(name) || may_be_name(name) && !is_label(name) && has_capitals(name) && is_short(name)
}

/// Whether a text could be what somebody calls himself in a chat, in letters of any case.
pub fn may_be_name(name: &str) -> bool {
    let n_chars = name.chars().take(MAX_CHARS + 1).count();
    let has_letter = name.contains(char::is_alphanumeric);
    let is_odd = |c: char| {
        c.is_control()
            || matches!(
                c,
                ':' | ';'
                    | '!'
                    | '?'
                    | '"'
                    | '='
                    | '<'
                    | '>'
                    | '|'
                    | '\\'
                    | '{'
                    | '}'
                    | '['
                    | ']'
                    | '`'
                    | '$'
                    | '^'
            )
    };
    has_letter
        && (1..=MAX_CHARS).contains(&n_chars)
        && name.split_whitespace().count() <= MAX_WORDS
        && !name.contains(is_odd)
}

/// Whether what speaks is a role, such as `user` or `Speaker 2`.
pub fn is_role(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '_' | '#'));
    ROLES.contains(&&*lower) || ROLES.contains(&bare)
}

/// Whether a text is a label that other texts have.
pub fn is_label(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '.'));
    LABELS.contains(&&*lower) || LABELS.contains(&bare)
}

/// Whether a name in a script without capitals is no longer than names are there.
fn is_short(name: &str) -> bool {
    let has_case = |c: char| c.is_uppercase() || c.is_lowercase();
    let n_letters = name.chars().filter(|c| c.is_alphabetic()).count();
    n_letters == 0 || name.contains(has_case) || n_letters <= MAX_UNCASED
}

/// Whether each word of a name begins with a capital, a digit, or a letter of a script without capitals; a dot ends
/// short words only.
fn has_capitals(name: &str) -> bool {
    let mut words = name.split_whitespace();
    let starts = |word: &str| {
        let first =
            word.chars().find(|c| !matches!(c, '(' | '@' | '#' | '+' | '&' | '\'' | '-' | '~'));
        let is_short = !word.contains(['.', ',', '/']) || is_abbreviated(word);
        is_short && first.is_none_or(|c| !c.is_lowercase())
    };
    words.next().is_some_and(starts)
        && words.all(|word| starts(word) || PARTICLES.contains(&word.trim_matches(['(', ')'])))
}

/// Whether a word is an abbreviation such as `Dr.` or `J.R.`, or has a dot in no place.
fn is_abbreviated(word: &str) -> bool {
    let word = word.trim_end_matches(')');
    !word.contains([',', '/']) && word.split('.').all(|part| part.chars().count() <= 4)
        || word.ends_with("Jr.")
        || word.ends_with("Sr.")
}
