//! Joints of a normalised text: what stands between two characters that are kept, and may be left out in a quotation
//! or may not.

/// What a [`Joint`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    /// A sign, or a run of one: a dash between letters, an asterisk, a bracket.
    Sign,
    /// A sign of a number, as of feet and inches, or of money around a formula.
    OfNumber,
    /// The mark of a note, by its label.
    Note,
    /// The number of an item of a list.
    Number,
    /// A vowel sign of Arabic or Hebrew.
    Vowel,
    /// Markup that parts two digits.
    Cut,
    /// A quotation mark or the end of a paragraph, before a word.
    Break,
    /// The letter or digit that the byte stands for: `ß` of ss, `ı` of i, `₂` of 2.
    Form,
}

/// Something before a byte of a normalised text.
///
/// An optional one may be missing in the other text; any other has to be there, optional or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The byte that it stands before.
    pub at: usize,
    /// Kind, value, and whether it is optional.
    code: u32,
}

const OPTIONAL: u32 = 1 << 31;
const KIND_SHIFT: u32 = 28;
/// Of a joint that a blank parts from what stands before it.
const APART: u32 = 1 << 27;
const VALUE: u32 = APART - 1;
const SIGN_BITS: u32 = 21;

/// So many joints before one byte are told apart.
const MAX_AT_ONE: usize = 64;

impl Joint {
    /// A joint of a kind and a value, of which 27 bits count.
    pub const fn new(at: usize, kind: Kind, value: u32, is_optional: bool) -> Self {
        let code = (value & VALUE) | ((kind as u32) << KIND_SHIFT);
        Self { at, code: if is_optional { code | OPTIONAL } else { code } }
    }

    /// A run of `n` signs.
    pub fn signs(at: usize, sign: char, n: usize, is_optional: bool) -> Self {
        let n = u32::try_from(n).unwrap_or(u32::MAX).min(63);
        Self::new(at, Kind::Sign, sign as u32 | (n << SIGN_BITS), is_optional)
    }

    /// A mark with a label: short labels are told apart for sure.
    pub fn labelled(at: usize, kind: Kind, label: &str, is_optional: bool) -> Self {
        let value = match label.as_bytes() {
            bytes @ ([] | [_] | [_, _] | [_, _, _]) => {
                bytes.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))
            }
            bytes => {
                let hash = bytes.iter().fold(0x811c_9dc5_u32, |hash, &byte| {
                    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
                });
                hash | (1 << (KIND_SHIFT - 2))
            }
        };
        Self::new(at, kind, value, is_optional)
    }

    /// The same joint behind a blank.
    pub const fn apart(self) -> Self {
        Self { code: self.code | APART, ..self }
    }

    /// The sign of one that has to be there, and follows what stands before it without a blank.
    pub fn attached(self) -> Option<char> {
        let is_sign = self.is(Kind::Sign) || self.is(Kind::OfNumber);
        let value = self.code & VALUE & ((1 << SIGN_BITS) - 1);
        char::from_u32(value).filter(|_| is_sign && self.code & (APART | OPTIONAL) == 0)
    }

    /// The sign of one that has to be there.
    pub fn required(self) -> Option<char> {
        Self { code: self.code & !APART, ..self }.attached()
    }

    /// Whether it may be missing.
    pub const fn is_optional(self) -> bool {
        self.code & OPTIONAL != 0
    }

    const fn kind_bits(self) -> u32 {
        (self.code & !OPTIONAL) >> KIND_SHIFT
    }

    /// Whether it is of a kind.
    pub const fn is(self, kind: Kind) -> bool {
        self.kind_bits() == kind as u32
    }

    /// Whether it has to be there at the ends of a quotation as well, where punctuation does not count.
    pub fn is_content(self) -> bool {
        !self.is_optional()
            && match self.required() {
                Some(sign) if self.is(Kind::Sign) => matches!(sign, '+' | '#' | '>' | '☐' | '☑'),
                _ => !self.is(Kind::Cut) && !self.is_of_letter(),
            }
    }

    /// Whether a word ends before it.
    pub const fn parts_words(self) -> bool {
        let is_within = self.is(Kind::Cut) || self.is_of_letter();
        self.is(Kind::Break) || !self.is_optional() && !is_within
    }

    /// Whether it says something of a letter beside it, and stands between no two: such are compared by themselves.
    pub const fn is_of_letter(self) -> bool {
        self.is(Kind::Vowel) || self.is(Kind::Form)
    }

    /// The letter or digit that the byte has to stand for.
    pub fn form(self) -> Option<char> {
        let is_form = self.is(Kind::Form) && !self.is_optional();
        char::from_u32(self.code & VALUE).filter(|_| is_form)
    }

    /// Whether it is the same, optional or not.
    pub const fn is_same(self, other: Self) -> bool {
        (self.code ^ other.code) & !(OPTIONAL | APART) == 0
    }

    /// Whether it may stand for one that has to be there: the same one, or a run of the same sign that is as long.
    ///
    /// Which signs of a run have another one depends on what is read around it; a quotation has less of that.
    const fn covers(self, other: Self) -> bool {
        let (value, sign) = (self.code & VALUE, (1 << SIGN_BITS) - 1);
        let is_of_sign = self.is(Kind::Sign) && (value ^ other.code) & sign == 0;
        self.kind_bits() == other.kind_bits()
            && (self.is_same(other)
                || is_of_sign && value >> SIGN_BITS >= (other.code & VALUE) >> SIGN_BITS)
    }
}

/// Appends a joint, once for one that stands there already.
pub fn push(joints: &mut Vec<Joint>, joint: Joint) {
    let own = before(joints, joint.at);
    let start = joints.len() - own.len();
    if let Some(same) = joints[start..].iter_mut().find(|other| other.is_same(joint)) {
        if !joint.is_optional() {
            *same = joint;
        }
    } else if joints.len() - start < MAX_AT_ONE {
        joints.push(joint);
    }
}

/// The joints before byte `at`, which is the last one with any.
fn before(joints: &[Joint], at: usize) -> &[Joint] {
    let n = joints.iter().rev().take_while(|joint| joint.at == at).count();
    &joints[joints.len() - n..]
}

/// The joints before the bytes `start..end`.
pub fn within(joints: &[Joint], start: usize, end: usize) -> &[Joint] {
    let first = joints.partition_point(|joint| joint.at < start);
    let n = joints[first..].partition_point(|joint| joint.at < end);
    &joints[first..first + n]
}

/// Whether joints may stand for others, those of text and quotation from the bytes `at` and `other_at` on.
pub fn are_alike(own: &[Joint], at: usize, others: &[Joint], other_at: usize) -> bool {
    let (mut i, mut k) = (0, 0);
    while i < own.len() || k < others.len() {
        let place = |joints: &[Joint], i: usize, at: usize| joints.get(i).map(|j| j.at - at);
        let next = place(own, i, at).into_iter().chain(place(others, k, other_at)).min();
        let of = |joints: &[Joint], i: usize, at: usize| {
            joints[i..].iter().take_while(|joint| Some(joint.at - at) == next).count()
        };
        let (own_end, other_end) = (i + of(own, i, at), k + of(others, k, other_at));
        if !are_same(&own[i..own_end], &others[k..other_end]) {
            return false;
        }
        (i, k) = (own_end, other_end);
    }
    true
}

/// Whether what has to be there of either is there in both, but for what is of a letter.
fn are_same(own: &[Joint], others: &[Joint]) -> bool {
    let has = |joints: &[Joint], joint: &Joint| {
        let is_free = joint.is_optional() || joint.is_of_letter();
        is_free || joints.iter().any(|other| other.covers(*joint))
    };
    own.iter().all(|joint| has(others, joint)) && others.iter().all(|joint| has(own, joint))
}
