//! Look of fonts: what their names, flags and weights say of their letters.

/// The flag for letters of one width.
const FIXED_PITCH: i32 = 1;
/// The flag for slanted letters.
const ITALIC: i32 = 1 << 6;
/// The flag for letters that are drawn bold.
const FORCE_BOLD: i32 = 1 << 18;
/// From this weight on a font is bold.
const BOLD_WEIGHT: i32 = 600;
/// Parts of the names of bold fonts; those of TeX are abbreviations.
const BOLD: &[&str] = &[
    "bold", "black", "heavy", "demi", "-medi", "-bd", "-blk", "cmbx", "cmssbx", "sfbx", "sfsx",
    "sfbi", "ecbx", "ecsx",
];
/// Parts of the names of italic fonts.
const SLANTED: &[&str] = &[
    "italic", "oblique", "slant", "cmti", "cmbxti", "cmsl", "cmssi", "sfti", "sfsl", "ecti", "ecsl",
];
const MONO: &[&str] = &["mono", "courier", "consol", "cmtt"];
const CAPS: &[&str] = &["smallcap", "smcp", "cmcsc", "sfcc", "sfsc", "lmromancaps"];
/// Families whose names end with letters of the style: `LinLibertineTBI`.
const LETTERED: &[&str] = &["linlibertine", "linbiolinum"];

/// How the letters of a font look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each says another thing")]
pub struct FontLook {
    /// Whether they are bold.
    pub is_bold: bool,
    /// Whether nothing but a weight says that they are.
    pub is_weighted: bool,
    /// Whether they are slanted.
    pub is_italic: bool,
    /// Whether all have one width.
    pub is_mono: bool,
    /// Whether small letters are small capitals.
    pub is_caps: bool,
}

impl FontLook {
    /// The look of the font of this name, with the flags and the weight that the file states.
    pub fn of(name: &str, flags: i32, weight: i32) -> Self {
        let name = name.to_lowercase();
        let name = name.split_once('+').map_or(&*name, |(_, name)| name);
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let style = LETTERED.iter().find_map(|family| name.strip_prefix(family)).unwrap_or("");
        let is_named = has(BOLD) || style.contains(['b', 'z']) || flags & FORCE_BOLD != 0;
        Self {
            is_bold: is_named || weight >= BOLD_WEIGHT,
            is_weighted: !is_named && weight >= BOLD_WEIGHT,
            is_italic: flags & ITALIC != 0
                || has(SLANTED)
                || name.ends_with("ital")
                || style.contains('i'),
            is_mono: flags & FIXED_PITCH != 0 || has(MONO),
            is_caps: has(CAPS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_look() {
        let look = |name: &str| {
            let look = FontLook::of(name, 4, 400);
            (look.is_bold, look.is_italic)
        };
        for (name, expected) in [
            ("ABCDEF+CMBX12", (true, false)),
            ("CMSSBX10", (true, false)),
            ("NimbusRomNo9L-Medi", (true, false)),
            ("NimbusRomNo9L-MediItal", (true, true)),
            ("ABCDEF+NimbusRomNo9L-ReguItal", (false, true)),
            ("LinBiolinumTB", (true, false)),
            ("LinLibertineTBI", (true, true)),
            ("LinLibertineTI", (false, true)),
            ("LinLibertineT", (false, false)),
            ("DigitalSans", (false, false)),
        ] {
            assert_eq!(look(name), expected, "{name}");
        }
    }

    #[test]
    fn a_weight_alone_is_said() {
        let heavy = FontLook::of("LinLibertineT", 4, 708);
        assert!(heavy.is_bold && heavy.is_weighted);
        assert!(!FontLook::of("LinLibertineTB", 4, 752).is_weighted);
    }
}
