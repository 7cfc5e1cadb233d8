//! Unicode classes, as the patterns of the vocabularies use them.

/// Two stages: block numbers of 256 code points each, then the blocks.
static TABLE: &[u8] = include_bytes!("../../data/unicode_classes.bin");
const BLOCK_NUMBERS: usize = 0x11_0000 / 256;

/// The classes that one code point is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(u8);

impl Class {
    const LETTER: u8 = 1;
    const UPPER: u8 = 2;
    const LOWER: u8 = 4;
    const MARK: u8 = 8;
    const NUMBER: u8 = 16;
    const SPACE: u8 = 32;
    const NEWLINE: u8 = 64;

    /// The class of `code_point`.
    ///
    /// ```
    /// use chunkwright_text::unicode::classes::Class;
    ///
    /// assert!(Class::of('ß').is_lower() && Class::of('½').is_number());
    /// assert!(Class::of('_').is_punctuation()); // neither letter nor number nor whitespace
    /// assert!(Class::of('\u{301}').is_mark());
    /// ```
    #[inline]
    pub fn of(code_point: char) -> Self {
        let code_point = code_point as usize;
        let block = usize::from(TABLE[code_point / 256]);
        Self(TABLE[BLOCK_NUMBERS + block * 256 + code_point % 256])
    }

    #[inline]
    const fn is(self, bits: u8) -> bool {
        self.0 & bits != 0
    }

    /// `\p{L}`
    pub const fn is_letter(self) -> bool {
        self.is(Self::LETTER)
    }

    /// `[\p{Lu}\p{Lt}]`
    pub const fn is_upper(self) -> bool {
        self.is(Self::UPPER)
    }

    /// `\p{Ll}`
    pub const fn is_lower(self) -> bool {
        self.is(Self::LOWER)
    }

    /// `\p{M}`
    pub const fn is_mark(self) -> bool {
        self.is(Self::MARK)
    }

    /// `\p{N}`
    pub const fn is_number(self) -> bool {
        self.is(Self::NUMBER)
    }

    /// `\s`
    pub const fn is_space(self) -> bool {
        self.is(Self::SPACE)
    }

    /// `[\r\n]`
    pub const fn is_newline(self) -> bool {
        self.is(Self::NEWLINE)
    }

    /// `[^\r\n\p{L}\p{N}]`: what may stand before the letters of a word.
    pub const fn may_lead_word(self) -> bool {
        !self.is(Self::NEWLINE | Self::LETTER | Self::NUMBER)
    }

    /// `[^\s\p{L}\p{N}]`
    pub const fn is_punctuation(self) -> bool {
        !self.is(Self::SPACE | Self::LETTER | Self::NUMBER)
    }

    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
    pub const fn may_be_upper(self) -> bool {
        self.is(Self::LETTER | Self::MARK) && !self.is(Self::LOWER)
    }

    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
    pub const fn may_be_lower(self) -> bool {
        self.is(Self::LETTER | Self::MARK) && !self.is(Self::UPPER)
    }
}
