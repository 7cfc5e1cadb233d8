//! Regular expressions that split a text into pre-tokens.

use super::run_memo::RunMemo;
use super::scan::{cl100k, class_at, gpt2, llama3, o200k};
use crate::unicode::classes::Class;

/// The regular expression of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// That of `cl100k_base`.
    Cl100k,
    /// That of `o200k_base`.
    O200k,
    /// That of GPT-2 (`r50k_base`, `p50k_base`).
    Gpt2,
    /// That of Llama 3: as `Cl100k`, but a line ends at the end of a text as it does elsewhere.
    Llama3,
    /// That of Qwen 2: as `Llama3`, with each digit by itself.
    Qwen2,
}

const CL100K: &str = concat!(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+",
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
);

const O200K: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

const GPT2: &str =
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s";

const GPT2_PLAIN: &str =
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

const LLAMA3: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

const QWEN2: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// All spellings that are known.
const SPELLINGS: [(&str, Pattern); 6] = [
    (CL100K, Pattern::Cl100k),
    (O200K, Pattern::O200k),
    (GPT2, Pattern::Gpt2),
    (GPT2_PLAIN, Pattern::Gpt2),
    (LLAMA3, Pattern::Llama3),
    (QWEN2, Pattern::Qwen2),
];

impl Pattern {
    /// The pattern that is written so, if it is a known one.
    pub fn of_regex(regex: &str) -> Option<Self> {
        SPELLINGS.iter().find(|(spelling, _)| *spelling == regex).map(|&(_, pattern)| pattern)
    }

    /// The pattern as tiktoken writes it, or else as a `tokenizer.json` does.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cl100k => CL100K,
            Self::O200k => O200K,
            Self::Gpt2 => GPT2,
            Self::Llama3 => LLAMA3,
            Self::Qwen2 => QWEN2,
        }
    }

    /// The end of the pre-token that begins at `start`, which is less than the text's length.
    #[inline]
    pub fn next(self, text: &str, start: usize) -> usize {
        match self {
            Self::Cl100k => cl100k(text, start),
            Self::O200k => o200k(text, start),
            Self::Gpt2 => gpt2(text, start),
            Self::Llama3 => llama3::<3>(text, start),
            Self::Qwen2 => llama3::<1>(text, start),
        }
    }

    /// Whether a run of digits is split into groups of three from its start.
    pub const fn groups_digits(self) -> bool {
        matches!(self, Self::Cl100k | Self::O200k | Self::Llama3)
    }

    /// Whether whitespace such as `blank` ends behind the last of its newlines.
    ///
    /// With [`Pattern::O200k`] a slash may stand between newlines behind punctuation: then it is none.
    pub fn ends_lines(self, blank: &[u8]) -> bool {
        match self {
            Self::Gpt2 => false,
            Self::O200k => memchr::memchr(b'/', blank).is_none(),
            Self::Cl100k | Self::Llama3 | Self::Qwen2 => true,
        }
    }

    /// Whether the pre-token that begins at `start` is a word with its marks: with [`Pattern::O200k`] a run of
    /// punctuation may have marks, too.
    pub fn is_word(self, text: &str, start: usize) -> bool {
        let may_be_word = |class: Class| class.may_be_upper() || class.may_be_lower();
        let Some((first, next)) = class_at(text, start) else { return false };
        let leads = || class_at(text, next).is_some_and(|(class, _)| may_be_word(class));
        may_be_word(first) || first.may_lead_word() && leads()
    }

    /// The end of the pre-token at `at`, if it is known from the fact that `at..end` lies in a longer
    /// one, a word or not, that ends at `end` or goes on behind the end of `text`.
    ///
    /// A long pre-token is a run of letters, punctuation or whitespace, or with [`Pattern::Gpt2`] of
    /// numbers. O(1), but for whitespace, which is searched for newlines and slashes.
    pub fn end_within(
        self,
        text: &str,
        at: usize,
        end: usize,
        in_word: impl Fn() -> bool,
        memo: &mut RunMemo,
    ) -> Option<usize> {
        let edges = Edges::of(text, at, end)?;
        let Edges { first, second, last, behind } = edges;
        let marks = first.is_punctuation() && second.is_punctuation();
        // Newlines behind punctuation go on to the end.
        let line = first.is_punctuation() && second.is_newline();
        let blank = [first, second, last].iter().all(|class| class.is_space());
        let is_one = match self {
            Self::Cl100k | Self::Llama3 | Self::Qwen2 => {
                if blank {
                    return self.end_of_blanks(text, at, end, &edges);
                }
                first.is_letter() || marks || line
            }
            Self::Gpt2 => {
                let blank = blank && behind.is_none_or(|behind| goes_on(text, behind));
                first.is_letter() || first.is_number() || marks || blank
            }
            Self::O200k => {
                // Behind punctuation, slashes may stand between newlines.
                if blank {
                    let slash = memchr::memchr(b'/', &text.as_bytes()[at..end]);
                    let blanks = || self.end_of_blanks(text, at, end, &edges);
                    return slash.map_or_else(blanks, |_| None);
                }
                // Behind a letter without case, capitals go on or not, as what follows them says.
                let ends =
                    behind.is_none_or(|(class, _)| !class.may_be_upper() && !class.may_be_lower());
                let begins = first.is_letter() || first.is_mark() && in_word();
                if begins
                    && ends
                    && last.is_upper()
                    && !text.as_bytes()[end - 3..end].contains(&b'\'')
                {
                    // All of it are letters that may be capitals: the last without case ends the word.
                    return memo.before_capitals(text, at, end).or(Some(end));
                }
                let word = begins && last.may_be_lower() && ends && !cuts_contraction(text, end);
                let marks = [first, second].iter().all(|c| c.is_punctuation() && !c.may_be_lower());
                let line = line && !first.may_be_lower();
                word || line || (marks && behind.is_none_or(|(class, _)| !class.is_punctuation()))
            }
        };
        is_one.then_some(end)
    }

    /// The same for `at..end` that is whitespace.
    fn end_of_blanks(self, text: &str, at: usize, end: usize, edges: &Edges) -> Option<usize> {
        let within = &text.as_bytes()[at..end];
        match edges.behind {
            // The newlines behind punctuation may end here, while the line goes on.
            behind if edges.last.is_newline() => {
                behind.is_none_or(|(class, _)| !class.is_space()).then_some(end)
            }
            None if self == Self::Cl100k => Some(end),
            None => Some(memchr::memrchr2(b'\r', b'\n', within).map_or(end, |line| at + line + 1)),
            Some(behind) => goes_on(text, behind).then_some(end),
        }
    }
}

/// The classes of the characters at the edges of a run.
struct Edges {
    first: Class,
    second: Class,
    last: Class,
    /// That of the character behind it, and where this ends.
    behind: Option<(Class, usize)>,
}

impl Edges {
    fn of(text: &str, at: usize, end: usize) -> Option<Self> {
        let (first, next) = class_at(text, at)?;
        let second = class_at(text, next).map_or(first, |(class, _)| class);
        let last = text[..end].chars().next_back().map_or(first, Class::of);
        Some(Self { first, second, last, behind: class_at(text, end) })
    }
}

/// Whether a text that ends at `end` ends in a part of a contraction such as `'ll`, which is no part of the word.
fn cuts_contraction(text: &str, end: usize) -> bool {
    let part = text.len() == end && end >= 2;
    part && matches!(text.as_bytes()[end - 2..], [b'\'', b'l' | b'L' | b'v' | b'V' | b'r' | b'R'])
}

/// Whether whitespace goes on: the last blank before a word goes with it; at the end of a text it goes with the
/// run.
fn goes_on(text: &str, (class, next): (Class, usize)) -> bool {
    class.is_space() && next < text.len()
}
