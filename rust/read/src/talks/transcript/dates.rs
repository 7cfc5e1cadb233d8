//! Days as chats write them: of which order is told by all of them together.

use crate::talks::clock::{day_seconds, number};

/// A day as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Date {
    /// Year, month and day.
    Full([u32; 3]),
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

/// The day that a text begins with, and where what stands behind it begins: a time, as a rule.
pub fn date(text: &str) -> Option<(Date, usize)> {
    for word in ["Today at ", "Yesterday at "] {
        if text.starts_with(word) {
            return Some((Date::Word, word.len()));
        }
    }
    let bytes = text.as_bytes();
    let (first, at) = number(bytes, 0, 4)?;
    let between = *bytes.get(at).filter(|byte| matches!(byte, b'/' | b'.' | b'-'))?;
    let (second, is_named, end) = middle(text, at + 1)?;
    if bytes.get(end) != Some(&between) {
        return None;
    }
    let (third, end) = number(bytes, end + 1, 4)?;
    let in_full = |year: u32| if year < 100 { 2000 + year } else { year };
    let day = if at == 4 {
        Date::Full([first, second, third])
    } else if is_named {
        Date::Full([in_full(third), second, first])
    } else {
        Date::Pair { numbers: [first, second], year: in_full(third), between }
    };
    let behind = text[end..].trim_start_matches([',', ' ', 'T', '\u{202f}', '\u{a0}']);
    let is_apart = behind.len() < text.len() - end;
    is_apart.then_some((day, text.len() - behind.len()))
}

/// The month or day in the middle of a date, whether it is a name, and where it ends.
fn middle(text: &str, at: usize) -> Option<(u32, bool, usize)> {
    if let Some((value, end)) = number(text.as_bytes(), at, 2) {
        return Some((value, false, end));
    }
    let name = text.get(at..at + 3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| *month == name)?;
    Some((u32::try_from(month).ok()? + 1, true, at + 3))
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
            (Date::Full([year, month, day]), _) => day_seconds(year, month, day),
            (Date::Pair { numbers: [day, month], year, .. }, Self::DayFirst)
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
        let pair = |text: &str| date(text).unwrap().0;
        let order =
            |texts: &[&str], has_halves| Order::of(texts.iter().map(|text| pair(text)), has_halves);
        assert_eq!(order(&["01/02/24, ", "13/02/24, "], false), Order::DayFirst);
        assert_eq!(order(&["01/02/24, ", "02/13/24, "], false), Order::MonthFirst);
        assert_eq!(order(&["01/02/24, "], true), Order::MonthFirst);
        assert_eq!(order(&["01.02.24 "], true), Order::DayFirst);
        let day = Order::DayFirst.seconds(pair("02.01.1970 "));
        assert_eq!((day, Order::MonthFirst.seconds(Date::Word)), (Some(86_400.0), None));
        assert_eq!(date("12-Mar-21 10:15"), Some((Date::Full([2021, 3, 12]), 10)));
        assert_eq!([date("12:03"), date("1/2/3"), date("12-abc-21 ")], [None; 3]);
    }
}
