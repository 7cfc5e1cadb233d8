//! Days as chats write them: of which order is told by all of them together.

use super::halves::{is_bidi, is_pm};
use super::names::is_letter;
use crate::talks::clock::{day_seconds, number};

/// A day as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Date {
    /// Year, month and day.
    Full([u32; 3]),
    /// The same, written with words, marks or blanks, as logs do not.
    Long([u32; 3]),
    /// Two numbers of which one is the day and the other the month, and the year.
    Pair {
        /// The numbers in their order.
        numbers: [u32; 2],
        /// The year.
        year: u32,
        /// What stands between them.
        between: u8,
    },
    /// A day that is named by a word, such as today.
    Word,
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Marks behind the numbers of a day in Chinese, Japanese and Korean.
const MARKS: [char; 6] = ['年', '月', '日', '년', '월', '일'];
/// Code points and words between a day and its time, at most.
const MAX_BETWEEN: usize = 16;
const MAX_WORDS: usize = 3;
/// Letters of a month, at most.
const MAX_MONTH: usize = 12;

/// A day, and the half of it, if that stands before the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The day.
    pub date: Date,
    /// Whether the time behind it is said to be after noon.
    pub is_pm: Option<bool>,
    /// Where what stands behind it begins: a time, as a rule.
    pub end: usize,
}

/// The day that a text begins with: three numbers, or two and a month's name, with marks or signs between, and what
/// joins a time to them: `24. 12. 2023 klo`, `2023년 12월 24일 오후`, `Dec 24, 2023 at`.
pub fn date(text: &str) -> Option<Day> {
    for word in ["Today at ", "Yesterday at "] {
        if text.starts_with(word) {
            return Some(Day { date: Date::Word, is_pm: None, end: word.len() });
        }
    }
    let first = Part::parse(text, 0)?;
    let second = Part::parse(text, first.end)?;
    let third = Part::parse(text, second.end)?;
    let date = of_parts([first, second, third])?;
    let (is_pm, n_bytes) = joint(&text[third.number_end..])?;
    Some(Day { date, is_pm, end: third.number_end + n_bytes })
}

/// A number of a day or the name of a month, and what stands behind it.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The number, or that of the month; none if it is a word that is not known.
    value: Option<u32>,
    /// How many digits it has: none if it is a word.
    n_digits: usize,
    number_end: usize,
    /// The sign behind it, and whether a mark or a blank is there.
    sign: Option<u8>,
    has_mark: bool,
    has_blank: bool,
    end: usize,
}

impl Part {
    fn parse(text: &str, at: usize) -> Option<Self> {
        let at = at + bidi(&text[at..]);
        let found = number(text.as_bytes(), at, 4);
        let (value, n_digits, number_end) = if let Some((value, end)) = found {
            (Some(value), end - at, end)
        } else {
            let (month, n_bytes) = word(&text[at..])?;
            (month, 0, at + n_bytes)
        };
        let (mut sign, mut has_mark, mut has_blank) = (None, false, false);
        let mut end = number_end;
        for c in text[number_end..].chars().take(5) {
            match c {
                '/' | '.' | '-' | ',' if sign.is_none() => sign = u8::try_from(c).ok(),
                ' ' | '\u{a0}' | '\u{202f}' => has_blank = true,
                _ if MARKS.contains(&c) => has_mark = true,
                _ if is_bidi(c) => (),
                _ => break,
            }
            end += c.len_utf8();
        }
        let number_end = if has_mark || n_digits == 0 {
            number_end
        } else {
            number_end + bidi(&text[number_end..])
        };
        Some(Self { value, n_digits, number_end, sign, has_mark, has_blank, end })
    }
}

/// How many bytes at the front of a text say in which direction it runs.
fn bidi(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_bidi).len()
}

/// The month that a word names, and how long the word is; none if the text begins with none.
fn word(text: &str) -> Option<(Option<u32>, usize)> {
    let letters = text.chars().take(MAX_MONTH + 1).take_while(|c| c.is_alphabetic());
    let n_bytes = letters.map(char::len_utf8).sum();
    let word = text[..n_bytes].to_lowercase();
    let month = MONTHS.iter().position(|month| word.starts_with(month));
    let month = month.and_then(|month| u32::try_from(month + 1).ok());
    (3..=MAX_MONTH).contains(&word.chars().count()).then_some((month, n_bytes))
}

/// The day of three parts; none if they are not written as a day.
fn of_parts(parts: [Part; 3]) -> Option<Date> {
    let [first, second, third] = parts;
    let in_full = |year: u32| if year < 100 { 2000 + year } else { year };
    let signs = [first.sign, second.sign];
    if parts.iter().any(|part| part.n_digits == 0) {
        let (day, month) = match parts.map(|part| part.n_digits) {
            [1 | 2, 0, 2 | 4] => (first, second),
            [0, 1 | 2, 4] if second.sign == Some(b',') => (second, first),
            _ => return None,
        };
        let is_plain = signs[0] == signs[1] && signs[0] == Some(b'-');
        if third.n_digits == 2 && !(signs[0] == signs[1] && signs[0].is_some()) {
            return None;
        }
        return Some(match (third.value, month.value, day.value) {
            (Some(year), Some(month), Some(day)) if is_plain => {
                Date::Full([in_full(year), month, day])
            }
            (Some(year), Some(month), Some(day)) => Date::Long([in_full(year), month, day]),
            // A month in another language than English: some day.
            _ if third.n_digits == 4 && first.has_blank => Date::Word,
            _ => return None,
        });
    }
    let (a, b, c) = (first.value?, second.value?, third.value?);
    if first.has_mark && second.has_mark {
        return Some(Date::Long([in_full(a), b, c]));
    }
    let between = signs[0].filter(|sign| signs[1] == Some(*sign) && *sign != b',')?;
    let is_apart = first.has_blank && second.has_blank;
    match (first.n_digits, is_apart) {
        // Numbers with blanks between are a day only with a year in full.
        (4, true) if between == b'.' => Some(Date::Long([a, b, c])),
        (4, false) => Some(Date::Full([a, b, c])),
        (1 | 2, true) if between != b'.' || third.n_digits != 4 => None,
        (1 | 2, _) => Some(Date::Pair { numbers: [a, b], year: in_full(c), between }),
        _ => None,
    }
}

/// What stands between a day and a time, as a half of the day or as a length: marks, blanks, and few words.
fn joint(text: &str) -> Option<(Option<bool>, usize)> {
    let is_blank = |c: char| {
        matches!(c, ',' | ' ' | '.' | '،' | '\u{202f}' | '\u{a0}')
            || is_bidi(c)
            || MARKS.contains(&c)
    };
    let words = text.trim_start_matches(is_blank);
    let n_blank = text.len() - words.len();
    let until = words.char_indices().take(MAX_BETWEEN).find(|(_, c)| c.is_ascii_digit());
    let said = until.map(|(at, _)| &words[..at]).filter(|said| {
        let is_of_word = |c: char| {
            is_letter(c) || is_bidi(c) || c.is_whitespace() || matches!(c, '.' | ',' | '\'' | '’')
        };
        said.chars().all(is_of_word) && said.split_whitespace().count() <= MAX_WORDS
    });
    let n_said = said.map_or(0, str::len);
    (n_blank + n_said > 0).then(|| (said.and_then(is_pm), n_blank + n_said))
}

/// The order of the two numbers of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The day comes first.
    DayFirst,
    /// The month does.
    MonthFirst,
}

impl Order {
    /// The order of all of some days, of which one tells it that is over 12; else what is usual: the month first where
    /// a slash stands between and times have halves of the day.
    pub fn of(dates: impl Iterator<Item = Date>, has_halves: bool) -> Self {
        let (mut is_slash, mut told) = (false, None);
        for day in dates {
            let Date::Pair { numbers: [first, second], between, .. } = day else { continue };
            is_slash |= between == b'/';
            told = told.or(match (first > 12, second > 12) {
                (true, false) => Some(Self::DayFirst),
                (false, true) => Some(Self::MonthFirst),
                _ => None,
            });
        }
        told.unwrap_or(if is_slash && has_halves { Self::MonthFirst } else { Self::DayFirst })
    }

    /// Seconds from 1970 to a day; none if there is no such day, or its name does not say which.
    pub fn seconds(self, day: Date) -> Option<f64> {
        match (day, self) {
            (Date::Full([year, month, day]) | Date::Long([year, month, day]), _)
            | (Date::Pair { numbers: [day, month], year, .. }, Self::DayFirst)
            | (Date::Pair { numbers: [month, day], year, .. }, Self::MonthFirst) => {
                day_seconds(year, month, day)
            }
            (Date::Word, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_days_is_that_of_all() {
        let pair = |text: &str| date(text).unwrap().date;
        let order =
            |texts: &[&str], has_halves| Order::of(texts.iter().map(|text| pair(text)), has_halves);
        assert_eq!(order(&["01/02/24, ", "13/02/24, "], false), Order::DayFirst);
        assert_eq!(order(&["01/02/24, ", "02/13/24, "], false), Order::MonthFirst);
        assert_eq!(order(&["01/02/24, "], true), Order::MonthFirst);
        assert_eq!(order(&["01.02.24 "], true), Order::DayFirst);
        let day = Order::DayFirst.seconds(pair("02.01.1970 "));
        assert_eq!((day, Order::MonthFirst.seconds(Date::Word)), (Some(86_400.0), None));
        let day = date("12-Mar-21 10:15").map(|day| (day.date, day.is_pm, day.end));
        assert_eq!(day, Some((Date::Full([2021, 3, 12]), None, 10)));
        assert_eq!([date("12:03"), date("1/2/3"), date("12-abc-21 ")], [None; 3]);
    }

    #[test]
    fn days_of_all_languages_are_told() {
        let christmas = Date::Long([2023, 12, 24]);
        let pair = Date::Pair { numbers: [24, 12], year: 2023, between: b'/' };
        let dotted = Date::Pair { numbers: [24, 12], year: 2023, between: b'.' };
        for (text, expected, is_pm) in [
            ("2023년 12월 24일 오후 9:05", christmas, Some(true)),
            ("2023年12月24日 上午9:05", christmas, Some(false)),
            ("2023. 12. 24. 9:05", christmas, None),
            ("Dec 24, 2023 at 9:05", christmas, None),
            ("24 December 2023 9:05", christmas, None),
            ("24/12/2023 à 9:05", pair, None),
            ("\u{200f}24\u{200f}/12\u{200f}/2023، 9:05", pair, None),
            ("24. 12. 2023 9:05", dotted, None),
            ("24.12.2023 klo 9:05", dotted, None),
            ("24.12.2023 ÖS 9:05", dotted, Some(true)),
            ("2023/12/24 下午9:05", Date::Full([2023, 12, 24]), Some(true)),
        ] {
            let day = date(text).unwrap();
            assert_eq!(
                (day.date, day.is_pm, &text[day.end..]),
                (expected, is_pm, "9:05"),
                "{text}"
            );
        }
        for text in ["1 2 2023 9:05", "Ada 24 Bo 9:05", "24. 12. 23 9:05", "", "a", "12.", "24/12"]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
