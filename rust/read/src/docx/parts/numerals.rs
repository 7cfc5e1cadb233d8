//! Numerals of Word's numberings: a number as letters, Roman numerals or other signs.

const ROMAN: [(i64, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
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
const LATIN: &str = "abcdefghijklmnopqrstuvwxyz";
const RUSSIAN: &str = "абвгдежзиклмнопрстуфхцчшщыэюя";
const HAN: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// Beyond, letters would grow as long as the number is large.
const MAX_LETTERS: i64 = 780;
/// As `MAX_LETTERS`, of Roman numerals.
const MAX_ROMAN: i64 = 4_999;

/// A number as Word writes it in a form of `w:numFmt`; in an unknown one as digits.
pub fn numeral(n: i64, form: &str) -> String {
    match form {
        "none" => String::new(),
        "decimalZero" => format!("{n:02}"),
        "lowerLetter" => letters(n, LATIN),
        "upperLetter" => letters(n, LATIN).to_uppercase(),
        "russianLower" => letters(n, RUSSIAN),
        "russianUpper" => letters(n, RUSSIAN).to_uppercase(),
        "lowerRoman" => roman(n),
        "upperRoman" => roman(n).to_uppercase(),
        "ordinal" => format!("{n}{}", ending(n)),
        "decimalEnclosedCircle" if (1..=20).contains(&n) => ('①'..='⑳')
            .zip(1..)
            .find_map(|(sign, of)| (of == n).then(|| sign.to_string()))
            .unwrap_or_default(),
        "ideographDigital" => n.unsigned_abs().to_string().bytes().map(han).collect(),
        // As far as all of these forms agree.
        "chineseCounting"
        | "chineseCountingThousand"
        | "japaneseCounting"
        | "koreanCounting"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand"
            if (1..=99).contains(&n) =>
        {
            counted(n)
        }
        _ => n.to_string(),
    }
}

fn han(digit: u8) -> char {
    HAN[usize::from(digit - b'0') % HAN.len()]
}

/// a, b, …, z, aa, bb, ….
fn letters(n: i64, letters: &str) -> String {
    let n_letters = letters.chars().count();
    let at = usize::try_from(n - 1).ok().filter(|_| n <= MAX_LETTERS);
    let letter = at.and_then(|at| letters.chars().nth(at % n_letters).zip(Some(at / n_letters)));
    letter.map_or_else(|| n.to_string(), |(letter, more)| letter.to_string().repeat(more + 1))
}

fn roman(mut n: i64) -> String {
    if !(1..=MAX_ROMAN).contains(&n) {
        return n.to_string();
    }
    let mut text = String::new();
    for (worth, sign) in ROMAN {
        while n >= worth {
            text.push_str(sign);
            n -= worth;
        }
    }
    text
}

const fn ending(n: i64) -> &'static str {
    // As Python has it, -1 ends as 99 does.
    match (n.rem_euclid(100), n.rem_euclid(10)) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

fn counted(n: i64) -> String {
    let digit = |n: i64| u8::try_from(n).map_or('〇', |n| han(b'0' + n));
    let (tens, ones) = (n / 10, n % 10);
    let mut text = String::new();
    if tens > 1 {
        text.push(digit(tens));
    }
    if tens > 0 {
        text.push('十');
    }
    if ones > 0 {
        text.push(digit(ones));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_written() {
        for (n, form, text) in [
            (28, "decimalZero", "28"),
            (3, "decimalZero", "03"),
            (28, "lowerLetter", "bb"),
            (28, "upperRoman", "XXVIII"),
            (28, "ordinal", "28th"),
            (3, "decimalEnclosedCircle", "③"),
            (42, "chineseCounting", "四十二"),
            (10, "ideographDigital", "一〇"),
            (0, "lowerLetter", "0"),
            (5000, "lowerRoman", "5000"),
            (7, "strange", "7"),
        ] {
            assert_eq!(numeral(n, form), text, "{n} as {form}");
        }
    }
}
