//! Symbols of Word's own fonts, whose signs have no code points of their own.

const LATIN: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const GREEK: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ";
/// Signs of the font Symbol, each with its place in hexadecimal; so are those below.
const SYMBOL: &str = "≤A3 ≥B3 ±B1 ×B4 ÷B8 ≠B9 ≈BB ∞A5 °B0 ″B2 ′A2 •B7 →AE ←AC ⇒DE ⇔DB ∂B6 ∇D1 ∑E5 ∫F2 √D6 ∈CE \
                      ∩C7 ∪C8";
const WINGDINGS: &str =
    "✓FC ✗FB ☑FE ☒FD ☐A8 ☐6F ☐71 ☒78 →E0 ←DF →E8 ⇒F0 ●6C ■6E ▪A7 ➢D8 ☺4A ☎28 ✉2A";
const WINGDINGS_2: &str = "✓50 ✗4F ☑52 ☒53 ☐A3 ☒54";

/// The sign of `w:sym`, whose code is hexadecimal, if it has one.
pub fn symbol(font: Option<&str>, code: Option<&str>) -> Option<char> {
    sign(font, u32::from_str_radix(code?.trim(), 16).ok()?)
}

/// The sign at a place of a font. O(1).
pub fn sign(font: Option<&str>, place: u32) -> Option<char> {
    // The fonts' own places are moved to where no code points are.
    let own = if (0xf000..=0xf0ff).contains(&place) { place - 0xf000 } else { place };
    let listed = |signs: &str| {
        signs.split(' ').find_map(|sign| {
            let mut chars = sign.chars();
            let sign = chars.next()?;
            (u32::from_str_radix(chars.as_str(), 16) == Ok(own)).then_some(sign)
        })
    };
    match font.unwrap_or_default().to_lowercase().as_str() {
        "symbol" => listed(SYMBOL).or_else(|| {
            let letters = LATIN.chars().zip(GREEK.chars());
            letters.into_iter().find_map(|(of, sign)| (u32::from(of) == own).then_some(sign))
        }),
        "wingdings" => listed(WINGDINGS),
        "wingdings 2" => listed(WINGDINGS_2),
        _ => char::from_u32(place)
            .filter(|c| matches!(c, '\u{20}'..='\u{d7ff}' | '\u{f900}'..='\u{ffff}')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_where_their_fonts_have_them() {
        let sign = |font, code| symbol(Some(font), Some(code));
        assert_eq!(sign("Wingdings", "F0FC"), Some('✓'));
        assert_eq!(sign("Arial", "00A7"), Some('§'));
        assert_eq!([sign("Symbol", "F0B1"), sign("Symbol", "61")], [Some('±'), Some('α')]);
        assert_eq!([sign("Wingdings", "01"), sign("Arial", "F0FC"), sign("Arial", "x")], [None; 3]);
        assert_eq!(LATIN.chars().count(), GREEK.chars().count());
    }
}
