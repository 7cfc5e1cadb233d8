//! Clock times and dates as seconds: those of captions, of transcripts and of messages.
//!
//! ```
//! use chunkwright_read::talks::clock::{Stamp, iso_seconds};
//!
//! let (stamp, behind) = Stamp::parse("1:02:03.5 Ada").unwrap();
//! assert_eq!((stamp.elapsed(), &"1:02:03.5 Ada"[behind..]), (3723.5, " Ada"));
//! let (short, _) = Stamp::parse("12:03").unwrap();
//! assert_eq!((short.elapsed(), short.of_day()), (723.0, 43380.0)); // m:ss, or h:mm
//! assert_eq!(iso_seconds("2024-05-01T10:00:00Z"), Some(1714557600.0));
//! ```

const DAY: f64 = 86_400.0;

/// A time as it is written: two or three numbers, and a fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stamp {
    /// The numbers, the last of them seconds if there are three.
    pub fields: [u32; 3],
    /// How many there are: 2 or 3.
    pub n_fields: usize,
    /// The part of a second behind the last number.
    pub fraction: f64,
    /// Whether it is said to be before noon (`false`) or behind it.
    pub is_pm: Option<bool>,
}

impl Stamp {
    /// The time that a text begins with, and where it ends; none if there is none.
    pub fn parse(text: &str) -> Option<(Self, usize)> {
        Self::parse_with(text, b':')
    }

    /// The same with another sign between the numbers.
    pub fn parse_with(text: &str, between: u8) -> Option<(Self, usize)> {
        let bytes = text.as_bytes();
        let (mut fields, mut n_fields, mut at) = ([0; 3], 0, 0);
        loop {
            let (value, end) = number(bytes, at, if n_fields == 0 { 3 } else { 2 })?;
            if n_fields > 0 && (end - at != 2 || value > 59) {
                return None;
            }
            (fields[n_fields], n_fields, at) = (value, n_fields + 1, end);
            if n_fields == 3 || bytes.get(at) != Some(&between) {
                break;
            }
            at += 1;
        }
        if n_fields < 2 || bytes.get(at).is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let (mut fraction, mut scale) = (0.0, 0.1);
        if matches!(bytes.get(at), Some(b'.' | b','))
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
        {
            at += 1;
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                fraction += f64::from(digit - b'0') * scale;
                (scale, at) = (scale / 10.0, at + 1);
            }
            // As many digits as are written, and no rest of the sums.
            fraction = (fraction * 1e6).round() / 1e6;
        }
        let (is_pm, at) = half_of_day(text, at);
        Some((Self { fields, n_fields, fraction, is_pm }, at))
    }

    /// Seconds from the beginning of a recording: two numbers are minutes and seconds.
    pub fn elapsed(self) -> f64 {
        let [first, second, third] = self.fields.map(f64::from);
        let whole = match self.n_fields {
            3 => first * 3600.0 + second * 60.0 + third,
            _ => first * 60.0 + second,
        };
        whole + self.fraction
    }

    /// Seconds of a day: two numbers are hours and minutes.
    pub fn of_day(self) -> f64 {
        let [hours, minutes, seconds] = self.fields;
        let hours = match self.is_pm {
            Some(is_pm) => hours % 12 + if is_pm { 12 } else { 0 },
            None => hours,
        };
        f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + f64::from(seconds) + self.fraction
    }

    /// Whether it can be a time of a day.
    pub const fn is_of_day(self) -> bool {
        self.fields[0] < 24 && (self.is_pm.is_none() || self.fields[0] <= 12)
    }
}

/// The half of the day that a time names behind it, `PM` or `p. m.`, and where that ends.
fn half_of_day(text: &str, at: usize) -> (Option<bool>, usize) {
    let is_blank = |c: char| matches!(c, ' ' | '\u{202f}' | '\u{a0}');
    let skipped = |text: &str, from: usize, is_one: &dyn Fn(char) -> bool| {
        let one = text[from..].chars().next().filter(|c| is_one(*c));
        from + one.map_or(0, char::len_utf8)
    };
    let from = skipped(text, at, &is_blank);
    let is_pm = match text.as_bytes().get(from) {
        Some(b'a' | b'A') => false,
        Some(b'p' | b'P') => true,
        _ => return (None, at),
    };
    // A blank parts the letters only behind a dot.
    let dotted = skipped(text, from + 1, &|c| c == '.');
    let next = if dotted > from + 1 { skipped(text, dotted, &is_blank) } else { dotted };
    if !matches!(text.as_bytes().get(next), Some(b'm' | b'M')) {
        return (None, at);
    }
    let end = if dotted > from + 1 { skipped(text, next + 1, &|c| c == '.') } else { next + 1 };
    let is_word = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
    if is_word { (Some(is_pm), end) } else { (None, at) }
}

/// The number of at most so many digits that stands at `at`, and where it ends.
pub fn number(bytes: &[u8], at: usize, most: usize) -> Option<(u32, usize)> {
    let digits = bytes.get(at..)?.iter().take(most + 1).take_while(|byte| byte.is_ascii_digit());
    let (mut value, mut n) = (0, 0);
    for digit in digits {
        (value, n) = (value * 10 + u32::from(digit - b'0'), n + 1);
    }
    (1..=most).contains(&n).then_some((value, at + n))
}

/// Seconds from 1970 to a day of the Gregorian calendar; none if there is no such day.
pub fn day_seconds(year: u32, month: u32, day: u32) -> Option<f64> {
    let is_day = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
    if !is_day || !(1..=9999).contains(&year) {
        return None;
    }
    // Days from the 1st of March of the year 0, from which leap days come last.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day;
    Some((f64::from(days) - 719_469.0) * DAY)
}

fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Seconds from 1970 of a time in ISO 8601, that of UTC where it names no zone; none if it is none.
pub fn iso_seconds(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let (year, at) = number(bytes, 0, 4).filter(|(_, at)| *at == 4)?;
    let sign = |at: usize| (bytes.get(at) == Some(&b'-')).then_some(at + 1);
    let (month, at) = number(bytes, sign(at)?, 2)?;
    let (day, at) = number(bytes, sign(at)?, 2)?;
    let date = day_seconds(year, month, day)?;
    if at == bytes.len() {
        return Some(date);
    }
    if !matches!(bytes[at], b'T' | b't' | b' ') {
        return None;
    }
    let (stamp, end) = Stamp::parse(text.get(at + 1..)?)?;
    let zone = zone_seconds(text.get(at + 1 + end..)?.trim_end())?;
    stamp.is_of_day().then(|| date + stamp.of_day() - zone)
}

/// How many seconds a zone is ahead of UTC.
fn zone_seconds(zone: &str) -> Option<f64> {
    if matches!(zone, "" | "Z" | "z") {
        return Some(0.0);
    }
    let ahead = match zone.as_bytes()[0] {
        b'+' => 1.0,
        b'-' => -1.0,
        _ => return None,
    };
    let digits: Vec<u8> = zone.bytes().skip(1).filter(|byte| *byte != b':').collect();
    let (hours, at) = number(digits.get(..2)?, 0, 2)?;
    let minutes = if digits.len() > at { number(&digits, at, 2)?.0 } else { 0 };
    Some(ahead * (f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed() {
        let parsed = |text: &str| Stamp::parse(text).map(|(stamp, at)| (stamp.elapsed(), at));
        assert_eq!(parsed("00:01:02,250 -->"), Some((62.25, 12)));
        assert_eq!(parsed("1:02"), Some((62.0, 4)));
        assert_eq!(parsed("100:00:00.000"), Some((360_000.0, 13)));
        for text in ["", "12", "12:3", "1:60", "12:345", "a1:02", "1:2:03", "1234:00"] {
            assert_eq!(parsed(text), None, "{text}");
        }
        let of_day = |text: &str| Stamp::parse(text).map(|(stamp, at)| (stamp.of_day(), at));
        assert_eq!(of_day("12:03 AM - x"), Some((180.0, 8)));
        assert_eq!(of_day("1:03\u{202f}pm"), Some((46_980.0, 9)));
        assert_eq!(of_day("1:03 amber"), Some((3780.0, 4)));
        assert_eq!(of_day("9:05 p.\u{a0}m. - x"), Some((75_900.0, 11)));
        assert_eq!(of_day("9:05 a.m., x"), Some((32_700.0, 9)));
    }

    #[test]
    fn dates_are_days_since_1970() {
        assert_eq!(day_seconds(1970, 1, 1), Some(0.0));
        assert_eq!(day_seconds(2000, 3, 1), Some(951_868_800.0));
        assert_eq!(day_seconds(2023, 2, 29), None);
        assert_eq!(iso_seconds("1970-01-02"), Some(DAY));
        assert_eq!(iso_seconds("1970-01-01T02:00:00+02:00"), Some(0.0));
        assert_eq!(iso_seconds("1970-01-01 00:00:01.5"), Some(1.5));
        for text in
            ["", "1970", "1970-13-01", "1970-01-01T25:00", "1970-01-01T00:00é", "é970-01-01"]
        {
            assert_eq!(iso_seconds(text), None, "{text}");
        }
    }
}
