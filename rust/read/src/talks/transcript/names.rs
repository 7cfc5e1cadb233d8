//! Names of speakers: what stands before a colon, and whether it is one or a label such as `Note`.

use chunkwright_text::unicode::classes::Class;

use super::lists::{LABELS, LINKS, PARTICLES, PERSONS, PLACES, ROLES};

/// Code points and words of a name, at most.
const MAX_CHARS: usize = 48;
const MAX_WORDS: usize = 6;
/// Words of an office, at most.
const MAX_OFFICE_WORDS: usize = 12;
/// Code points of a name with what is said of it: a party, a role, pronouns.
const MAX_WITH_MARKS: usize = 96;
/// Words of a name in small letters, at most.
const MAX_SMALL_WORDS: usize = 4;
/// Words that say of which kind somebody is whose name is not known, at most.
const MAX_KIND_WORDS: usize = 3;
/// Letters of a word of a name in a script without capitals, at most.
const MAX_UNCASED: usize = 16;

/// How much a text looks like a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// It is written as names are, or is a role.
    Name,
    /// It begins as a name and goes on with marks that names carry: `Lee, Ada`, `Ada Lee | Acme`.
    Marked,
    /// It says of what kind somebody is whose name is not known: `Audience member`, `A woman`.
    Someone,
    /// It is short, and may be one: `bell hooks`, `one thing`.
    Weak,
}

/// How much a text looks like a name; none if it is none, or a label. O(1), since long texts are none.
///
/// ```
/// use chunkwright_read::talks::transcript::names::{Grade, grade};
///
/// assert_eq!(grade("Ada Lee (she/her)"), Some(Grade::Name));
/// assert_eq!(grade("Lee, Ada"), Some(Grade::Marked));
/// assert_eq!([grade("Audience member"), grade("A woman")], [Some(Grade::Someone); 2]);
/// assert_eq!([grade("bell hooks"), grade("one thing")], [Some(Grade::Weak); 2]);
/// assert_eq!([grade("Note"), grade("1:2"), grade("")], [None; 3]);
/// ```
pub fn grade(text: &str) -> Option<Grade> {
    if text.chars().nth(MAX_WITH_MARKS).is_some() {
        return None;
    }
    if is_name(text) {
        return Some(Grade::Name);
    }
    if is_label(core(text)) {
        return None;
    }
    if is_name_with_marks(text) {
        return Some(Grade::Marked);
    }
    if is_someone(text) {
        return Some(Grade::Someone);
    }
    may_be_name(text).then_some(Grade::Weak)
}

/// Whether a text is a name, and a role, a title, a house or another name behind a comma, a slash or a bar.
fn is_name_with_marks(text: &str) -> bool {
    if is_office(text) {
        return true;
    }
    let Some((name, behind)) = text.split_once([',', '|', '/']) else { return false };
    let (name, behind) = (name.trim(), behind.trim());
    let is_title = |word: &str| word.chars().next().is_some_and(|c| !is_small(c));
    let n_words = name.split_whitespace().count();
    is_name(name)
        && !behind.is_empty()
        && !behind.contains(['?', '!', ';', '"', '=', '<', '>', '{', '}'])
        && (n_words > 1 || behind.split_whitespace().all(is_title))
}

/// Whether a text says of what kind somebody is, and where, and begins with a capital: `Unidentified male speaker`,
/// `Voice from the back`.
fn is_someone(text: &str) -> bool {
    if !may_be_name(text) || !text.starts_with(char::is_uppercase) {
        return false;
    }
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '#' | '_');
    let words: Vec<String> = core(text)
        .split_whitespace()
        .map(|word| word.trim_matches(is_digit).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let is_place = |word: &String| PLACES.contains(&&**word);
    let kind = &words[..words.iter().position(is_place).unwrap_or(words.len())];
    let is_person = kind.last().is_some_and(|last| PERSONS.contains(&&**last));
    let is_plain = kind.iter().all(|word| word.chars().all(|c| c.is_alphabetic() || c == '-'));
    is_person && is_plain && kind.len() <= MAX_KIND_WORDS
}

/// Whether a text is an office with the name of who has it behind: `The Minister for Rain (Ada Lee)`.
fn is_office(text: &str) -> bool {
    let office = core(text);
    let holder = text[office.len()..].trim_matches([' ', '(', ')', '[', ']']);
    let n_words = office.split_whitespace().count();
    let begins = office.starts_with(|c: char| c.is_alphabetic() && !is_small(c));
    let is_plain = !text.contains(['?', '!', ';', '"', '=', '<', '>', '{', '}']);
    let is_held = is_name(holder) && !holder.contains(|c: char| c.is_ascii_digit());
    begins && is_plain && (2..=MAX_OFFICE_WORDS).contains(&n_words) && is_held
}

/// A text without what stands in brackets at its end: `Ada Lee` of `Ada Lee (she/her) [host]`.
pub fn core(text: &str) -> &str {
    let mut core = text.trim();
    for (open, close) in [('(', ')'), ('[', ']'), ('(', ')'), ('[', ']'), ('(', ')'), ('（', '）')]
    {
        let before = core.strip_suffix(close).and_then(|inner| inner.rfind(open));
        // Calls of functions have no blank there.
        let is_apart =
            |name: &str| open == '（' || name.ends_with(char::is_whitespace) || !name.is_ascii();
        let name = before.map(|at| &core[..at]).filter(|name| is_apart(name));
        if let Some(name) = name.map(str::trim_end).filter(|name| !name.is_empty()) {
            core = name;
        }
    }
    core
}

/// Whether a letter is a small one. Those of Georgian are none, though they have capitals: no word begins with these.
fn is_small(c: char) -> bool {
    c.is_lowercase() && !matches!(c, '\u{10d0}'..='\u{10ff}')
}

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
    (is_apart && !name.is_empty()).then(|| (unbracketed(unmarked(name)), bold.trim()))
}

/// Somebody in brackets without these: `[Audience member]`. Other words in brackets are notes, and targets of links.
fn unbracketed(name: &str) -> &str {
    let inner = |open, close| name.strip_prefix(open)?.strip_suffix(close);
    inner('[', ']').or_else(|| inner('(', ')')).filter(|inner| is_someone(inner)).unwrap_or(name)
}

/// A name without the marks of bold letters around it.
pub fn unmarked(name: &str) -> &str {
    name.trim_matches('*').trim()
}

/// Whether a text is written as a name, or is a role.
///
/// ```
/// use chunkwright_read::talks::transcript::names::is_name;
///
/// assert!(["d'Artagnan", "Maria da Silva e Souza", "Abd al-Rahman", "Prof. Dr. h.c. Müller"].map(is_name) == [true; 4]);
/// assert!(["გიორგი", "李雷（主持人）"].map(is_name) == [true; 2] && !is_name("Verify(pk, m)"));
/// assert!(["გიორგი", "Ada [host]", "Jürgen Trittin (BÜNDNIS 90/DIE GRÜNEN)"].map(is_name) == [true; 3]);
/// assert!(["to Ada", "it rained", "Note (1)", "(pause)"].map(is_name) == [false; 4]);
/// ```
pub fn is_name(name: &str) -> bool {
    let name = core(name);
    is_role(name) || may_be_name(name) && !is_label(name) && has_capitals(name) && is_short(name)
}

/// Whether a text in small letters may be what somebody calls himself, or an office: `bell hooks`, `Mme la ministre`.
pub fn may_speak(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().take(MAX_SMALL_WORDS + 1).collect();
    let is_article = |word: &&str| PARTICLES.contains(&&*word.to_lowercase());
    let has_article = words.iter().take(2).any(is_article) && words.len() > 1;
    let most = if has_article { MAX_SMALL_WORDS } else { 2 };
    words.len() <= most && (has_article || !name.contains(char::is_uppercase))
}

/// Whether a text is a nick of a chat, in which few marks are not allowed, or a name.
pub fn is_nick(name: &str) -> bool {
    let is_nick = !name.contains(char::is_whitespace)
        && !name.contains(['<', '>', ':', ',', '"'])
        && name.contains(|c: char| c.is_alphanumeric() || c == '_')
        && name.chars().nth(MAX_CHARS).is_none();
    is_nick || may_be_name(name)
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
                    | '，'
                    | '。'
                    | '、'
                    | '…'
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
        && !name.starts_with("# ")
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

/// Whether the words of a name in a script without capitals are no longer than those of names are there.
fn is_short(name: &str) -> bool {
    let has_case = |c: char| c.is_uppercase() || is_small(c);
    let n_letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count();
    name.contains(has_case) || name.split_whitespace().all(|word| n_letters(word) <= MAX_UNCASED)
}

/// Whether each word of a name begins with a capital, a digit, or a letter of a script without capitals, or is a
/// particle; a dot ends short words only.
fn has_capitals(name: &str) -> bool {
    let is_capital = |word: &str| {
        let first = word.chars().find(|c| !is_before_name(*c));
        let is_whole = !word.contains(['.', ',', '/']) || is_abbreviated(word);
        is_whole && (first.is_none_or(|c| !is_small(c)) || begins_with_particle(word))
    };
    let bare = |word: &str| PARTICLES.contains(&word.trim_matches(['(', ')']));
    let is_link = |word: &str| {
        let is_short_form = word.contains('.') && is_abbreviated(word);
        bare(word) || LINKS.contains(&word.trim_matches(['(', ')'])) || is_short_form
    };
    let mut words = name.split_whitespace();
    let Some(first) = words.next() else { return false };
    let is_begun = is_capital(first) || bare(first) && words.clone().any(is_capital);
    is_begun && words.all(|word| is_capital(word) || is_link(word))
}

const fn is_before_name(c: char) -> bool {
    matches!(c, '(' | '@' | '#' | '+' | '&' | '\'' | '-' | '~')
}

/// Whether a word is a name with a particle at its front: `d'Artagnan`, `al-Rahman`.
fn begins_with_particle(word: &str) -> bool {
    let Some(at) = word.find(['\'', '’', '-']) else { return false };
    let (particle, name) = word.split_at(at);
    particle.chars().count() <= 3 && name.chars().nth(1).is_some_and(char::is_uppercase)
}

/// Whether a word is an abbreviation such as `Dr.` or `J.R.`, with a name behind it or not, and has a dot in no other
/// place.
fn is_abbreviated(word: &str) -> bool {
    let word = word.trim_end_matches(')');
    let Some((before, last)) = word.rsplit_once('.').filter(|_| !word.contains([',', '/'])) else {
        return false;
    };
    let is_short = |part: &str| part.chars().count() <= 4;
    before.split('.').all(is_short) && (is_short(last) || last.starts_with(char::is_uppercase))
        || word.ends_with("Jr.")
        || word.ends_with("Sr.")
}

/// Whether a character is of a word: a letter, or a sign of a vowel or a tone that stands with one.
pub fn is_letter(c: char) -> bool {
    c.is_alphabetic() || Class::of(c).is_mark() || matches!(c, '\u{200c}' | '\u{200d}')
}
