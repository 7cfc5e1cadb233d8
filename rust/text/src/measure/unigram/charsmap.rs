//! `SentencePiece`'s precompiled map of what grapheme clusters become.
//!
//! A double array (Darts) of the UTF-8 bytes of the clusters, whose values are places in a list of strings
//! that end in NUL. As the crate `spm_precompiled` reads it: of several clusters that a text begins with the
//! shortest counts, and it stands for all of the cluster that was looked up.
//!
//! A double array (Aoki, *An Efficient Digital Search Algorithm by Using a Double-Array Structure*, 1989) is a
//! trie whose nodes are places of one array: a step is an addition and a comparison. As files come from others,
//! it is checked when it is read that no walk leaves the array.

use unicode_segmentation::UnicodeSegmentation;

use super::plain::is_single;

/// Longer clusters are looked up code point by code point.
const MOST_BYTES: usize = 5;
const IS_VALUE: u32 = 1 << 31;

/// A map of grapheme clusters.
#[derive(Clone, Debug)]
pub struct Charsmap {
    units: Vec<u32>,
    strings: String,
}

impl Charsmap {
    /// Reads the table: the bytes of the array as a number of four bytes, the array, the strings.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(table: &[u8]) -> Result<Self, String> {
        let broken = |what: &str| Err(format!("precompiled_charsmap {what}"));
        let Some((n_bytes, rest)) = table.split_first_chunk::<4>() else {
            return broken("is too short");
        };
        let n_units = u32::from_le_bytes(*n_bytes) as usize / 4;
        let Some((units, strings)) = rest.split_at_checked(4 * n_units) else {
            return broken("is shorter than it says");
        };
        let Ok(strings) = String::from_utf8(strings.to_vec()) else {
            return broken("has strings that are no UTF-8");
        };
        let units = units.as_chunks().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        let map = Self { units, strings };
        if map.is_sound() { Ok(map) } else { broken("points out of itself") }
    }

    /// Whether no walk through the array leaves it, and all values are places of strings.
    fn is_sound(&self) -> bool {
        let mut nodes = self.units.iter().enumerate().filter(|(_, unit)| **unit & IS_VALUE == 0);
        let is_sound = |(at, &unit): (usize, &u32)| {
            let base = at ^ offset(unit);
            base | 0xff < self.units.len()
                && (!has_value(unit) || self.strings.is_char_boundary(self.value(base)))
        };
        !self.units.is_empty() && nodes.all(is_sound)
    }

    fn value(&self, base: usize) -> usize {
        (self.units[base] & !IS_VALUE) as usize
    }

    /// What the first cluster in the map that `cluster` begins with becomes.
    fn get(&self, cluster: &str) -> Option<&str> {
        let mut at = offset(self.units[0]);
        for &byte in cluster.as_bytes().iter().take_while(|&&byte| byte != 0) {
            at ^= usize::from(byte);
            let unit = *self.units.get(at)?;
            if unit & (IS_VALUE | 0xff) != u32::from(byte) {
                return None;
            }
            at ^= offset(unit);
            if has_value(unit) {
                let start = self.value(at);
                let len = self.strings.as_bytes()[start..].iter().position(|&byte| byte == 0);
                let end = len.map_or(self.strings.len(), |len| start + len);
                return Some(&self.strings[start..end]);
            }
        }
        None
    }

    /// Appends what `text` becomes. O(n).
    pub fn apply(&self, text: &str, to: &mut String) {
        let mut at = 0;
        while at < text.len() {
            let end = stretch_end(text, at);
            let stretch = &text[at..end];
            if stretch.chars().nth(1).is_none() {
                self.push(stretch, to);
            } else {
                stretch.graphemes(true).for_each(|cluster| self.push(cluster, to));
            }
            at = end;
        }
    }

    /// Appends what a grapheme cluster becomes.
    fn push(&self, cluster: &str, to: &mut String) {
        if cluster.len() <= MOST_BYTES
            && let Some(string) = self.get(cluster)
        {
            return to.push_str(string);
        }
        let mut buffer = [0; 4];
        for c in cluster.chars() {
            match self.get(c.encode_utf8(&mut buffer)) {
                Some(string) => to.push_str(string),
                None => to.push(c),
            }
        }
    }
}

const fn has_value(unit: u32) -> bool {
    unit >> 8 & 1 == 1
}

const fn offset(unit: u32) -> usize {
    ((unit >> 10) as usize) << ((unit & 1 << 9) >> 6)
}

/// The end of the code points from `at` on between which clusters may have their bounds: one, if it is a
/// cluster by itself for certain.
fn stretch_end(text: &str, at: usize) -> usize {
    let mut chars = text[at..].char_indices();
    let mut was_single = chars.next().is_some_and(|(_, c)| is_single(c));
    for (i, c) in chars {
        let is_single = is_single(c);
        if was_single && is_single {
            return at + i;
        }
        was_single = is_single;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_map_is_refused() {
        let refused = |table: &[u8]| Charsmap::new(table).map(drop).unwrap_err();
        assert_eq!(refused(&[1, 0]), "precompiled_charsmap is too short");
        assert_eq!(refused(&[9, 0, 0, 0, 1]), "precompiled_charsmap is shorter than it says");
        assert_eq!(
            refused(&[0, 0, 0, 0, 0xff]),
            "precompiled_charsmap has strings that are no UTF-8"
        );
        assert_eq!(refused(&[0, 0, 0, 0]), "precompiled_charsmap points out of itself");
        assert_eq!(refused(&[4, 0, 0, 0, 0, 0, 0, 0]), "precompiled_charsmap points out of itself");
    }
}
