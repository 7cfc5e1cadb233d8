//! Characters that end sentences, and those that close or open what stands around them.
//!
//! The list of `Sentence_Terminal` has marks of scripts from Armenian to Vai. Those of scripts without capitals
//! need no word behind them to be judged by: they always end a sentence, also without a blank.

/// How a terminator ends a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// `.`: also in numbers, names and abbreviations.
    Dot,
    /// `!` and `?`: also inside a quotation that goes on.
    Strong,
    /// `…`: also a pause.
    Ellipsis,
    /// Those of scripts without capitals: nothing but a sentence ends with them.
    Plain,
}

/// The blank of Ethiopic, which most people type twice for its full stop; alone it ends nothing.
pub const DOUBLED: char = '\u{1361}';

/// How `c` ends a sentence, if it does.
///
/// The characters are those of Unicode's `Sentence_Terminal`, the Tibetan shad, `…`, and [`DOUBLED`].
#[inline]
pub const fn terminator(c: char) -> Option<Terminator> {
    match c {
        '.' | '\u{2024}' => Some(Terminator::Dot),
        '!' | '?' | '‼' | '‽' | '⁇' | '⁈' | '⁉' | '⸮' => Some(Terminator::Strong),
        '…' => Some(Terminator::Ellipsis),
        _ if c.is_ascii() => None,
        DOUBLED | '。' | '！' | '？' | '।' | '॥' | '؟' | '۔' | '．' | '﹒' | '\u{f0d}'
        | '\u{f0e}' => Some(Terminator::Plain),
        _ if is_rare(c) => Some(Terminator::Plain),
        _ => None,
    }
}

/// The rest of `Sentence_Terminal` (Unicode 17).
const fn is_rare(c: char) -> bool {
    matches!(
        c,
        '\u{589}' | '\u{61d}'..='\u{61e}' | '\u{700}'..='\u{702}' | '\u{7f9}' | '\u{837}'
        | '\u{839}' | '\u{83d}'..='\u{83e}' | '\u{104a}'..='\u{104b}' | '\u{1362}'
        | '\u{1367}'..='\u{1368}' | '\u{166e}' | '\u{1735}'..='\u{1736}'
        | '\u{17d4}'..='\u{17d5}' | '\u{1803}' | '\u{1809}' | '\u{1944}'..='\u{1945}'
        | '\u{1aa8}'..='\u{1aab}' | '\u{1b4e}'..='\u{1b4f}' | '\u{1b5a}'..='\u{1b5b}'
        | '\u{1b5e}'..='\u{1b5f}' | '\u{1b7d}'..='\u{1b7f}' | '\u{1c3b}'..='\u{1c3c}'
        | '\u{1c7e}'..='\u{1c7f}' | '\u{2cf9}'..='\u{2cfb}' | '\u{2e3c}'
        | '\u{2e53}'..='\u{2e54}' | '\u{a4ff}' | '\u{a60e}'..='\u{a60f}' | '\u{a6f3}'
        | '\u{a6f7}' | '\u{a876}'..='\u{a877}' | '\u{a8ce}'..='\u{a8cf}' | '\u{a92f}'
        | '\u{a9c8}'..='\u{a9c9}' | '\u{aa5d}'..='\u{aa5f}' | '\u{aaf0}'..='\u{aaf1}'
        | '\u{abeb}' | '\u{fe12}' | '\u{fe15}'..='\u{fe16}' | '\u{fe56}'..='\u{fe57}'
        | '\u{ff61}' | '\u{10a56}'..='\u{10a57}' | '\u{10f55}'..='\u{10f59}'
        | '\u{10f86}'..='\u{10f89}' | '\u{11047}'..='\u{11048}' | '\u{110be}'..='\u{110c1}'
        | '\u{11141}'..='\u{11143}' | '\u{111c5}'..='\u{111c6}' | '\u{111cd}'
        | '\u{111de}'..='\u{111df}' | '\u{11238}'..='\u{11239}' | '\u{1123b}'..='\u{1123c}'
        | '\u{112a9}' | '\u{113d4}'..='\u{113d5}' | '\u{1144b}'..='\u{1144c}'
        | '\u{115c2}'..='\u{115c3}' | '\u{115c9}'..='\u{115d7}' | '\u{11641}'..='\u{11642}'
        | '\u{1173c}'..='\u{1173e}' | '\u{11944}' | '\u{11946}' | '\u{11a42}'..='\u{11a43}'
        | '\u{11a9b}'..='\u{11a9c}' | '\u{11c41}'..='\u{11c42}' | '\u{11ef7}'..='\u{11ef8}'
        | '\u{11f43}'..='\u{11f44}' | '\u{16a6e}'..='\u{16a6f}' | '\u{16af5}'
        | '\u{16b37}'..='\u{16b38}' | '\u{16b44}' | '\u{16d6e}'..='\u{16d6f}' | '\u{16e98}'
        | '\u{1bc9f}' | '\u{1da88}'
    )
}

/// Whether `c`, right behind a terminator, still belongs to the sentence: quotes, brackets, Markdown's
/// emphasis and raised numbers of notes.
pub const fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '*'
            | '_'
            | '`'
            | '~'
            | '«'
            | '»'
            | '‘'
            | '’'
            | '“'
            | '”'
            | '›'
            | '‹'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '］'
            | '｣'
            | '\u{b2}'
            | '\u{b3}'
            | '\u{b9}'
            | '\u{2070}'..='\u{2079}' | '†' | '‡'
    )
}

/// Whether `c` may stand before the first word of a sentence.
pub const fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '('
            | '['
            | '{'
            | '*'
            | '_'
            | '`'
            | '«'
            | '»'
            | '‘'
            | '’'
            | '“'
            | '”'
            | '„'
            | '‚'
            | '‹'
            | '›'
            | '¿'
            | '¡'
            | '「'
            | '『'
            | '（'
            | '【'
            | '《'
            | '〈'
    )
}

/// Whether a sentence goes on with `c`.
pub const fn continues(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | ')' | ']' | '}' | '%' | '/' | '&' | '+' | '，' | '、' | '；')
}

/// Whether `c` is a dash, behind which a sentence may go on.
pub const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_segmentation::UnicodeSegmentation;

    /// UAX #29 breaks behind a character and a blank exactly if the character is `Sentence_Terminal`.
    #[test]
    fn terminators_are_those_of_unicode() {
        // The planes behind the second one hold ideographs only.
        for c in '!'..'\u{20000}' {
            let text = format!("A{c} B");
            let of_unicode = text.split_sentence_bounds().last() == Some("B");
            let ours =
                terminator(c).is_some() && !matches!(c, '…' | '\u{f0d}' | '\u{f0e}' | DOUBLED);
            assert!(
                ours == of_unicode || c == '\u{85}' || c == '\u{2028}' || c == '\u{2029}',
                "{c:?}"
            );
        }
    }
}
