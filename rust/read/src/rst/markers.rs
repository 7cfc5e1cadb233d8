//! Marks at the start of a line, by which a block is told: bullets, enumerators, fields, options, adornments.

/// The sequence of an enumerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// `#`.
    Auto,
    /// Digits.
    Arabic,
    /// A letter from `a` to `z`.
    LowerAlpha,
    /// A letter from `A` to `Z`.
    UpperAlpha,
    /// A Roman numeral of small letters.
    LowerRoman,
    /// A Roman numeral of capitals.
    UpperRoman,
}

/// The mark of an item of an enumerated list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumerator {
    /// What stands in front of the number and behind it.
    pub around: (&'static str, &'static str),
    /// Its sequence.
    pub sequence: Sequence,
    /// Its number in the sequence.
    pub ordinal: u32,
    /// The length of the mark.
    pub len: usize,
}

/// The length of `mark` with the blanks behind it, if those end the line or there are `least` of them.
fn with_blanks(line: &str, mark: usize, least: usize) -> Option<usize> {
    let behind = &line[mark..];
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    (behind.is_empty() || blanks >= least).then_some(mark + blanks)
}

/// The length of a bullet and the blanks behind it.
pub fn bullet(line: &str) -> Option<usize> {
    let c = line.chars().next()?;
    let is_bullet = matches!(c, '-' | '+' | '*' | '\u{2022}' | '\u{2023}' | '\u{2043}');
    is_bullet.then(|| with_blanks(line, c.len_utf8(), 1)).flatten()
}

/// The enumerator that begins a line, of the sequence `expected` if it can be.
pub fn enumerator(line: &str, expected: Option<Sequence>) -> Option<Enumerator> {
    let (front, inner) = match line.strip_prefix('(') {
        Some(inner) => ("(", inner),
        None => ("", line),
    };
    let n = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    let (said, behind) = inner.split_at(n);
    let back = match behind.as_bytes().first()? {
        b')' => ")",
        b'.' if front.is_empty() => ".",
        _ => return None,
    };
    let len = with_blanks(line, front.len() + n + 1, 1)?;
    let (sequence, ordinal) = number(said, expected)?;
    Some(Enumerator { around: (front, back), sequence, ordinal, len })
}

fn number(said: &str, expected: Option<Sequence>) -> Option<(Sequence, u32)> {
    use Sequence::{Arabic, Auto, LowerAlpha, LowerRoman, UpperAlpha, UpperRoman};
    let of = |sequence| Some((sequence, ordinal(said, sequence)?));
    if said == "#" {
        return Some((Auto, 1));
    }
    if let Some(found) = expected.filter(|sequence| *sequence != Auto).and_then(of) {
        return Some(found);
    }
    match said {
        "i" => Some((LowerRoman, 1)),
        "I" => Some((UpperRoman, 1)),
        _ => [Arabic, LowerAlpha, UpperAlpha, LowerRoman, UpperRoman].into_iter().find_map(of),
    }
}

fn ordinal(said: &str, sequence: Sequence) -> Option<u32> {
    let letter = |first: u8| match said.as_bytes() {
        [byte] if (first..first + 26).contains(byte) => Some(u32::from(byte - first) + 1),
        _ => None,
    };
    match sequence {
        Sequence::Auto => None,
        Sequence::Arabic => said.parse().ok().filter(|_| said.bytes().all(|b| b.is_ascii_digit())),
        Sequence::LowerAlpha => letter(b'a'),
        Sequence::UpperAlpha => letter(b'A'),
        Sequence::LowerRoman => roman(said).filter(|n| written(*n) == said.to_ascii_uppercase()),
        Sequence::UpperRoman => roman(said).filter(|n| written(*n) == said),
    }
    .filter(|_| sequence != Sequence::LowerRoman || said.bytes().all(|b| b.is_ascii_lowercase()))
}

/// The signs of Roman numerals, the greatest first.
const ROMAN: [(&str, u32); 13] = [
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
];

fn roman(said: &str) -> Option<u32> {
    if said.is_empty() || said.len() > 15 {
        return None;
    }
    let value = |c: char| {
        let sign = c.to_ascii_uppercase();
        ROMAN.iter().find(|(of, _)| of.chars().eq([sign])).map(|(_, value)| *value)
    };
    let values = said.chars().map(value).collect::<Option<Vec<u32>>>()?;
    let signed = values.iter().enumerate().map(|(i, &value)| {
        let is_less = values.get(i + 1).is_some_and(|next| *next > value);
        if is_less { -i64::from(value) } else { i64::from(value) }
    });
    u32::try_from(signed.sum::<i64>()).ok().filter(|n| *n > 0)
}

fn written(number: u32) -> String {
    let mut left = number;
    let mut said = String::new();
    for (sign, value) in ROMAN {
        while left >= value {
            said.push_str(sign);
            left -= value;
        }
    }
    said
}

impl Enumerator {
    /// Whether `line` begins with the enumerator that follows, or with an automatic one.
    pub fn is_followed_by(&self, line: &str) -> bool {
        let (front, back) = self.around;
        let rest = line.strip_prefix(front);
        let is_auto =
            rest.and_then(|rest| rest.strip_prefix('#')).is_some_and(|rest| rest.starts_with(back));
        let next = enumerator(line, Some(self.sequence));
        is_auto
            || next.is_some_and(|next| {
                next.around == self.around
                    && next.sequence == self.sequence
                    && next.ordinal == self.ordinal.saturating_add(1)
            })
    }

    /// Whether `self` goes on the list whose last item is `before`.
    pub fn continues(&self, before: &Self) -> bool {
        let is_next = self.sequence == Sequence::Auto
            || self.sequence == before.sequence && self.ordinal == before.ordinal.saturating_add(1);
        self.around == before.around && is_next
    }
}

/// The length of the mark of a field, `:name:`, and the blanks behind it.
pub fn field(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    if bytes.first() != Some(&b':') || matches!(bytes.get(1), None | Some(b':' | b' ')) {
        return None;
    }
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b':' => match bytes.get(at + 1) {
                None | Some(b' ' | b'\t') => {
                    return (bytes[at - 1] != b' ').then(|| with_blanks(line, at + 1, 1)).flatten();
                }
                // A role has its text behind the colon.
                Some(b'`') => return None,
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
    None
}

/// The length of the options that begin a line, `-a, --all=WORD`, and the blanks behind them.
pub fn options(line: &str) -> Option<usize> {
    let mut at = option(line)?;
    while let Some(rest) = line[at..].strip_prefix(", ") {
        at += 2 + option(rest)?;
    }
    let behind = &line[at..];
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    (behind.is_empty() || blanks >= 2).then_some(at + blanks)
}

fn option(line: &str) -> Option<usize> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = |at: usize| {
        let n = line.as_bytes().get(at..)?.iter().take_while(|byte| is_name(byte)).count();
        (n > 0 && line.as_bytes()[at].is_ascii_alphanumeric()).then_some(at + n)
    };
    let is_long = line.starts_with("--") || line.starts_with('/');
    let end = if is_long {
        name(if line.starts_with('/') { 1 } else { 2 })?
    } else {
        let bytes = line.as_bytes();
        let is_short =
            matches!(bytes.first()?, b'-' | b'+') && bytes.get(1)?.is_ascii_alphanumeric();
        is_short.then_some(2)?
    };
    let separator = match line.as_bytes().get(end) {
        Some(b' ') => 1,
        Some(b'=') if is_long => 1,
        _ if is_long => return Some(end),
        _ => 0,
    };
    Some(argument(&line[end + separator..]).map_or(end, |len| end + separator + len))
}

/// The length of an option's argument, `WORD` or `<any words>`.
fn argument(said: &str) -> Option<usize> {
    if let Some(inner) = said.strip_prefix('<') {
        let end = inner.find(['<', '>'])?;
        return (end > 0 && inner[end..].starts_with('>')).then_some(end + 2);
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let n = said.bytes().take_while(is_name).count();
    (n > 0 && said.as_bytes()[0].is_ascii_alphabetic()).then_some(n)
}

/// The sign of which a line consists.
pub fn adornment(line: &str) -> Option<u8> {
    let &sign = line.as_bytes().first()?;
    (sign.is_ascii_punctuation() && line.bytes().all(|byte| byte == sign)).then_some(sign)
}

/// Whether a line begins with `mark` and a blank, or is that.
pub fn begins(line: &str, mark: &str) -> bool {
    line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Whether a paragraph ends with the mark of a literal block.
pub fn leads_to_literal(said: &str) -> bool {
    let Some(front) = said.strip_suffix("::") else { return false };
    let escapes = front.len() - front.trim_end_matches('\\').len();
    escapes % 2 == 0
}

/// The length of a name, such as of a directive or a target: letters, with one of `-._+:` between some.
pub fn simple_name(said: &str) -> usize {
    let is_letter = |c: char| c.is_alphanumeric();
    let mut chars = said.char_indices().peekable();
    let mut end = 0;
    while let Some((at, c)) = chars.next() {
        if is_letter(c) {
            end = at + c.len_utf8();
            continue;
        }
        let goes_on = chars.peek().is_some_and(|(_, next)| is_letter(*next));
        if at == 0 || at != end || !matches!(c, '-' | '.' | '_' | '+' | ':') || !goes_on {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_told_by_their_marks() {
        assert_eq!(
            (bullet("-  a"), bullet("*"), bullet("-a"), bullet("**a**")),
            (Some(3), Some(1), None, None)
        );
        let of = |line| enumerator(line, None).map(|of| (of.sequence, of.ordinal, of.len));
        assert_eq!(of("12. a"), Some((Sequence::Arabic, 12, 4)));
        assert_eq!(of("(b) a"), Some((Sequence::LowerAlpha, 2, 4)));
        assert_eq!(of("iv) a"), Some((Sequence::LowerRoman, 4, 4)));
        assert_eq!(of("i. a"), Some((Sequence::LowerRoman, 1, 3)));
        assert_eq!(of("#. a"), Some((Sequence::Auto, 1, 3)));
        for line in ["mild) a", "1.5", "iiii. a", "(a. b", "e.g. a", "1", ". a"] {
            assert_eq!(of(line), None, "{line}");
        }
        let one = enumerator("1. a", None).unwrap();
        assert!(one.is_followed_by("2. b") && one.is_followed_by("#. b"));
        assert!(!one.is_followed_by("3. b") && !one.is_followed_by("2) b"));
    }

    #[test]
    fn fields_and_options_are_told_by_their_marks() {
        for (line, len) in
            [(":a: b", Some(4)), (":a b:", Some(5)), (":a\\: b: c", Some(8)), (":a:`b`", None)]
        {
            assert_eq!(field(line), len, "{line}");
        }
        for line in ["::", ": a:", ":a :", ":a", "a:"] {
            assert_eq!(field(line), None, "{line}");
        }
        for (line, len) in [
            ("-a  b", Some(4)),
            ("-a, --all=WORD  b", Some(16)),
            ("--all", Some(5)),
            ("/V  b", Some(4)),
            ("-f <a b>  c", Some(10)),
            ("-a b c", None),
            ("- a", None),
            ("--", None),
        ] {
            assert_eq!(options(line), len, "{line}");
        }
    }

    #[test]
    fn names_have_single_signs_inside() {
        let name = |said: &'static str| &said[..simple_name(said)];
        assert_eq!(name("py:function:: a"), "py:function");
        assert_eq!(name("a--b"), "a");
        assert_eq!(name("_a"), "");
        assert_eq!(name("a_b_"), "a_b");
    }
}
