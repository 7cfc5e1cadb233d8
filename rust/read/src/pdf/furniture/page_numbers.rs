//! Page numbers in the lines of page headers and footers: alone, or set apart from a title.

/// Marks that set the number of a page apart from what stands beside it.
const BARS: &[&str] = &["|", "\u{2022}", "\u{b7}", "\t", " - ", " \u{2013} ", " \u{2014} "];
/// Words before the number of a page.
const PAGE: &[&str] = &[
    "page",
    "pages",
    "p",
    "pg",
    "pag",
    "pág",
    "seite",
    "s",
    "pagina",
    "página",
    "sida",
    "side",
    "sivu",
    "strana",
    "strona",
    "stránka",
    "страница",
    "стр",
    "oldal",
    "sayfa",
];
/// What stands around the number of a page without a blank.
const AROUND: [(&str, &str); 4] = [("第", "页"), ("第", "頁"), ("", "ページ"), ("", "쪽")];
/// Numbers of pages have no more digits.
const MAX_DIGITS: usize = 5;
/// Roman numbers of pages have no more letters.
const MAX_ROMAN: usize = 9;

/// A number that may be that of a page, and what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageNumber {
    /// The number.
    pub value: i64,
    /// What else the lines say, in lower case; empty of a bare number.
    pub rest: String,
    /// Whether nothing sets it apart from the words beside it.
    pub is_plain: bool,
}

/// The numbers in lines that may be those of pages: the first and the last part of the lines, where bars and gaps part
/// them, and numbers at the ends of these. O(n).
///
/// `is_apart` says whether a gap sets the first and the last word of a single line apart from the others.
pub fn page_numbers(lines: &[String], is_apart: [bool; 2]) -> Vec<PageNumber> {
    let mut parts: Vec<&str> = Vec::new();
    for line in lines {
        let mut line = line.trim();
        let mut last = None;
        if let (true, Some((first, rest))) = (is_apart[0], line.split_once(' ')) {
            parts.push(first);
            line = rest;
        }
        if let (true, Some((rest, word))) = (is_apart[1], line.rsplit_once(' ')) {
            (line, last) = (rest, Some(word));
        }
        parts.extend(split(line));
        parts.extend(last);
    }
    let mut ends = vec![0];
    ends.extend((parts.len() > 1).then(|| parts.len() - 1));
    let mut found = Vec::new();
    for at in ends.into_iter().filter(|&at| at < parts.len()) {
        for (value, left, is_plain) in numbers(parts[at]) {
            let part =
                |(i, part): (usize, &&str)| if i == at { left.clone() } else { folded(part) };
            let rest: Vec<String> =
                parts.iter().enumerate().map(part).filter(|part| !part.is_empty()).collect();
            found.push(PageNumber { value, rest: rest.join(" | "), is_plain });
        }
    }
    found
}

/// The number of a page, with nothing beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bare {
    /// The number.
    pub value: i64,
    /// Whether a word says that it is that of a page.
    pub is_named: bool,
}

/// The number of a page that lines say, and nothing else: `12`, `- 12 -`, `xii`, `Page 3 of 9`, `3/9`.
pub fn bare_number(lines: &[String]) -> Option<Bare> {
    let [line] = lines else { return None };
    let is_named = line.split_whitespace().any(is_page);
    bare(line).map(|value| Bare { value, is_named })
}

/// A text by which it is known again: in lower case, with single blanks.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The parts of a line between bars, without empty ones.
fn split(line: &str) -> Vec<&str> {
    let mut parts = vec![line];
    for bar in BARS {
        parts = parts.into_iter().flat_map(|part| part.split(bar)).collect();
    }
    let parts =
        parts.into_iter().map(|part| part.trim_matches(|c: char| " -\u{2013}\u{2014}".contains(c)));
    parts.filter(|part| !part.is_empty()).collect()
}

/// The numbers of pages that a part may say, each with what else it says and whether nothing sets the number apart.
fn numbers(part: &str) -> Vec<(i64, String, bool)> {
    if let Some(value) = bare(part) {
        return vec![(value, String::new(), false)];
    }
    let words: Vec<&str> = part.split_whitespace().collect();
    let mut found = Vec::new();
    // `Rain Press, page 3 of 9`, at either end.
    for n in [4, 3, 2].into_iter().filter(|&n| n < words.len()) {
        for (named, rest) in
            [(&words[words.len() - n..], &words[..words.len() - n]), (&words[..n], &words[n..])]
        {
            let is_named = is_page(named[0]) && !is_page(named[1]);
            if let (true, Some(value)) = (is_named, bare(&named.join(" "))) {
                let rest = folded(rest.join(" ").trim_end_matches([',', ';']));
                return vec![(value, rest, false)];
            }
        }
    }
    if let [first, .., last] = words[..] {
        let ends = [(last, &words[..words.len() - 1]), (first, &words[1..])];
        for (word, rest) in ends {
            if let Some(value) = digits(word) {
                found.push((value, folded(&rest.join(" ")), true));
            }
        }
    }
    found
}

fn bare(line: &str) -> Option<i64> {
    let line = line.trim();
    // It is the marker of an item.
    if line.ends_with(['.', ')', ':']) {
        return None;
    }
    // What else stands around a number says what it is a number of.
    let is_drawn = |c: char| c.is_whitespace() || "-–—―|[](){}·•~*_.,".contains(c);
    let mut bare = line.trim_matches(is_drawn);
    if bare.chars().next().is_none_or(|c| !c.is_alphanumeric())
        || !bare.ends_with(char::is_alphanumeric)
    {
        return None;
    }
    for (before, after) in AROUND {
        if let Some(within) = bare.strip_prefix(before).and_then(|of| of.strip_suffix(after)) {
            bare = within.trim();
        }
    }
    let words: Vec<&str> =
        bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // Amounts and dates have such signs between their numbers.
    let is_fraction = !bare.contains([',', '.', ':', '%']);
    match words[..] {
        [number] => number_of(number),
        [page, number] if is_page(page) => number_of(number),
        [first, last] if is_fraction => of(first, last),
        [first, between, last] if is_fraction && between.chars().all(char::is_lowercase) => {
            of(first, last)
        }
        [page, first, last] | [page, first, _, last] if is_page(page) => of(first, last),
        _ => None,
    }
}

/// The first of two numbers, if it is one of so many pages.
fn of(first: &str, last: &str) -> Option<i64> {
    digits(first).filter(|&first| digits(last).is_some_and(|last| first <= last))
}

fn number_of(word: &str) -> Option<i64> {
    digits(word).or_else(|| roman(word))
}

fn digits(word: &str) -> Option<i64> {
    let is_number = word.len() <= MAX_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { word.parse().ok() } else { None }
}

/// The value of a Roman number, all of it in one case, written as it is usual.
fn roman(word: &str) -> Option<i64> {
    const UNITS: [(i64, &str); 9] = [
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let lower = word.to_ascii_lowercase();
    let is_one_case = word == lower || word == word.to_ascii_uppercase();
    if word.is_empty() || word.len() > MAX_ROMAN || !is_one_case {
        return None;
    }
    let (mut value, mut left) = (0, &*lower);
    for (unit, letters) in UNITS {
        let most = if letters.len() > 1 || unit == 50 || unit == 5 { 1 } else { 3 };
        for _ in 0..most {
            let Some(rest) = left.strip_prefix(letters) else { break };
            (value, left) = (value + unit, rest);
        }
    }
    left.is_empty().then_some(value)
}

fn is_page(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    PAGE.contains(&&*word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_numbers_are_told_from_other_texts() {
        let value = |text: &str| bare(text);
        for (text, expected) in [
            ("12", 12),
            ("- 12 -", 12),
            ("[ 3 ]", 3),
            ("xii", 12),
            ("XLIV", 44),
            ("Page 3 of 9", 3),
            ("page 3", 3),
            ("Seite 3 von 9", 3),
            ("3/9", 3),
            ("3 of 9", 3),
            ("p. 7", 7),
            ("Page iv", 4),
            ("第3页", 3),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
        for text in [
            "12.",
            "3)",
            "civil",
            "mix",
            "IIII",
            "22.50",
            "12,5",
            "9/3",
            "123456",
            "12:30",
            "3 %",
            "Invoice 3",
            "5 May 2023",
            "A 3",
            "",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_those_at_the_ends() {
        let of = |line: &str, is_apart| -> Vec<(i64, String, bool)> {
            let found = page_numbers(&[line.to_owned()], is_apart);
            found.into_iter().map(|of| (of.value, of.rest, of.is_plain)).collect()
        };
        let rain = |value, is_plain| vec![(value, "of rain".to_owned(), is_plain)];
        assert_eq!(of("Of Rain | 12", [false; 2]), rain(12, false));
        assert_eq!(of("12 \u{2022} Of  Rain", [false; 2]), rain(12, false));
        assert_eq!(of("Of Rain, page 12 of 20", [false; 2]), rain(12, false));
        assert_eq!(of("Of Rain 12", [false, true]), rain(12, false));
        assert_eq!(of("12 Of Rain", [true, false]), rain(12, false));
        assert_eq!(of("Of Rain 12", [false; 2]), rain(12, true));
        assert_eq!(of("- 12 -", [false; 2]), [(12, String::new(), false)]);
        assert_eq!(of("Invoice 12 of May", [false; 2]), []);
        assert_eq!(of("Question 12:", [false; 2]), []);
        let both = of("2024 | Rain | 12", [false; 2]);
        assert_eq!(both.iter().map(|of| of.0).collect::<Vec<_>>(), [2024, 12]);
    }
}
