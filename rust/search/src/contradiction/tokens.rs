//! Tokens of a text: what decides what it asserts, and its other words.

use super::Kind;
use super::numbering::is_numbering;
use super::words::{DIGITS, NEGATING, meaning};
use chunkwright_text::error::Result;
use chunkwright_text::pulse::Beat;

/// A unit of so many letters counts only right behind a number, and with its case.
const SHORT_UNIT: usize = 3;

/// What may stand between the digits of a number.
const WITHIN_NUMBERS: [char; 7] = ['.', ',', '\'', '’', '\u{a0}', '\u{2009}', '\u{202f}'];

/// Signs that decide where a number follows.
const BEFORE_NUMBERS: &str = "<>≤≥≠=±~+≈";

/// Signs that decide wherever they stand.
const SIGNS: &str = "%‰°§$€£¥₩₹₽¢₺₴₿";

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// What decides, as what stands for it.
    Decisive(Kind, String),
    /// Another word, its case folded, and whether it is capitalised.
    Word(String, bool),
}

/// Gives each token of `text`, in order. One pass, O(n).
///
/// # Errors
/// Those of the pulse.
pub fn for_each_token(text: &str, beat: &Beat<'_>, mut give: impl FnMut(Token)) -> Result<()> {
    let mut lexer = Lexer { text, at: 0, before: ' ', follows_number: false };
    while let Some(c) = lexer.peek() {
        let start = lexer.at;
        lexer.token(c, &mut give);
        beat.after(lexer.at - start)?;
    }
    Ok(())
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The character before.
    before: char,
    /// Whether nothing but spaces stands between the last number and here.
    follows_number: bool,
}

impl<'t> Lexer<'t> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn token(&mut self, c: char, give: &mut impl FnMut(Token)) {
        if c.is_numeric() {
            let number = self.number();
            give(Token::Decisive(Kind::Number, number));
            self.follows_number = true;
        } else if DIGITS.contains(c) {
            self.skip(c);
            give(Token::Decisive(Kind::Number, c.to_string()));
            self.follows_number = true;
        } else if NEGATING.contains(c) {
            self.skip(c);
            give(Token::Decisive(Kind::Negation, c.to_string()));
            self.follows_number = false;
        } else if c.is_alphabetic() {
            self.word(give);
            self.follows_number = false;
        } else {
            self.sign(c, give);
            self.follows_number &= c.is_whitespace();
        }
    }

    fn skip(&mut self, c: char) {
        self.at += c.len_utf8();
        self.before = c;
    }

    /// Reads a number; what groups its digits by three is left out.
    fn number(&mut self) -> String {
        let mut number = String::new();
        while let Some(c) = self.peek() {
            if c.is_numeric() {
                number.push(c);
            } else if WITHIN_NUMBERS.contains(&c) && self.is_digit_behind(c) {
                if c == '.' || !groups(&number, &self.rest()[c.len_utf8()..]) {
                    if c.is_whitespace() {
                        break;
                    }
                    number.push(c);
                }
            } else {
                break;
            }
            self.skip(c);
        }
        number
    }

    fn is_digit_behind(&self, c: char) -> bool {
        self.rest()[c.len_utf8()..].starts_with(|next: char| next.is_ascii_digit())
    }

    /// Reads a word, with `n't` behind it.
    fn word(&mut self, give: &mut impl FnMut(Token)) {
        let rest = self.rest();
        let is_inside = |c: char| c.is_alphabetic() || is_mark(c);
        let end = rest
            .char_indices()
            .skip(1)
            .find(|&(_, c)| !is_inside(c) || DIGITS.contains(c) || NEGATING.contains(c))
            .map_or(rest.len(), |(at, _)| at);
        let (word, behind) = rest.split_at(end);
        let start = self.at;
        self.at += end;
        self.before = word.chars().next_back().unwrap_or(' ');
        let folded: String = word.chars().flat_map(char::to_lowercase).collect();
        let apostrophe = behind.chars().next().filter(|c| matches!(c, '\'' | '’'));
        if let Some(apostrophe) = apostrophe {
            let after = &behind[apostrophe.len_utf8()..];
            let is_t = after.starts_with(['t', 'T'])
                && !after[1..].starts_with(|c: char| c.is_alphanumeric());
            if is_t && folded.ends_with('n') {
                self.at += apostrophe.len_utf8() + 1;
                self.give_word(word, positive(&folded), give);
                give(Token::Decisive(Kind::Negation, "not".into()));
                return;
            }
            if folded == "n" {
                give(Token::Decisive(Kind::Negation, "ne".into()));
                return;
            }
        }
        if folded == "cannot" {
            self.give_word(word, "can", give);
            give(Token::Decisive(Kind::Negation, "not".into()));
            return;
        }
        let is_negation = matches!(meaning(&folded), Some((Kind::Negation, _)));
        if !(is_negation && is_numbering(self.text, start, self.at)) {
            self.give_word(word, &folded, give);
        }
    }

    fn give_word(&self, word: &str, folded: &str, give: &mut impl FnMut(Token)) {
        match meaning(folded) {
            Some((Kind::Unit, what)) if word.chars().count() > SHORT_UNIT || what != folded => {
                give(Token::Decisive(Kind::Unit, what.into()));
            }
            Some((Kind::Unit, _)) if self.follows_number => {
                give(Token::Decisive(Kind::Unit, word.into()));
            }
            Some((kind, what)) if kind != Kind::Unit => give(Token::Decisive(kind, what.into())),
            _ => {
                let is_capital = word.chars().next().is_some_and(char::is_uppercase);
                give(Token::Word(folded.into(), is_capital));
            }
        }
    }

    fn sign(&mut self, c: char, give: &mut impl FnMut(Token)) {
        let is_number_behind = || {
            let behind = self.rest()[c.len_utf8()..].trim_start_matches([' ', '\u{a0}', '=']);
            behind.starts_with(char::is_numeric)
        };
        let is_minus =
            matches!(c, '-' | '−') && !self.before.is_alphanumeric() && self.is_digit_behind(c);
        if SIGNS.contains(c) {
            give(Token::Decisive(Kind::Unit, c.to_string()));
        } else if is_minus {
            give(Token::Decisive(Kind::Number, "-".into()));
        } else if BEFORE_NUMBERS.contains(c) && is_number_behind() {
            give(Token::Decisive(Kind::Limit, c.to_string()));
        }
        self.skip(c);
    }
}

/// Whether what stands between `before` and `behind` groups digits by three.
fn groups(before: &str, behind: &str) -> bool {
    let n_before = before.chars().rev().take_while(char::is_ascii_digit).count();
    let n_behind = behind.chars().take_while(char::is_ascii_digit).count();
    before.len() == n_before && n_before > 0 && n_behind == 3
}

/// The verb before `n't`.
fn positive(folded: &str) -> &str {
    match folded {
        "can" => "can",
        "won" => "will",
        "shan" => "shall",
        _ => folded.strip_suffix('n').unwrap_or(folded),
    }
}

/// Marks that belong to the letter before them.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{ad}' | '\u{200b}'..='\u{200d}')
}
