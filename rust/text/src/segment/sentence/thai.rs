//! Blanks of Thai, which has no full stop: a blank stands between sentences, and between clauses and names too.
//!
//! Which of them ends a sentence, the word before it says: politeness and questions are told by particles that
//! only ever stand last. Where none stands, the blank is taken for one between clauses.

/// Particles that end a statement or a question.
const PARTICLES: &[&str] = &[
    "ครับ",
    "ค่ะ",
    "คะ",
    "จ้ะ",
    "จ๊ะ",
    "จ้า",
    "ฮะ",
    "ไหม",
    "มั้ย",
    "เหรอ",
    "หรือเปล่า",
    "หรือยัง",
    "เถอะ",
    "เถิด",
    "นะ",
    "สิ",
    "ล่ะ",
    "แหละ",
    "แล้วกัน",
];

/// Whether a sentence that begins at `start` ends with the blanks in `at..next`. O(1).
pub fn ends(text: &str, start: usize, at: usize, next: usize) -> bool {
    let before = &text.as_bytes()[start..at];
    let is_last = PARTICLES.iter().any(|particle| before.ends_with(particle.as_bytes()));
    is_last
        && text[next..].starts_with(|c| matches!(c, '\u{e01}'..='\u{e2e}' | '\u{e40}'..='\u{e44}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_ends_a_sentence() {
        let text = "ขอบคุณมากครับ พรุ่งนี้ฝนตก";
        let at = text.find(' ').unwrap();
        assert!(ends(text, 0, at, at + 1));
        let text = "แมวดำ หมาขาว";
        let at = text.find(' ').unwrap();
        assert!(!ends(text, 0, at, at + 1));
    }
}
