//! WordPiece model: the longest token that a word begins with, then that of the rest.

use crate::measure::trie::Trie;

/// A vocabulary with its rules for unknown words.
#[derive(Clone, Debug)]
pub struct Model {
    /// Tokens that begin a word come first, those that continue one second, without their prefix.
    tokens: Trie,
    unk_id: u32,
    max_letters: usize,
}

impl Model {
    /// From a vocabulary with the prefix of the tokens that continue a word.
    pub fn new(vocab: &[(String, u32)], prefix: &str, unk_id: u32, max_letters: usize) -> Self {
        let begin = vocab.iter().map(|(token, id)| (token.as_str(), *id)).collect();
        let go_on = vocab.iter().filter_map(|(token, id)| Some((token.strip_prefix(prefix)?, *id)));
        let go_on = go_on.collect();
        Self { tokens: Trie::new([begin, go_on]), unk_id, max_letters }
    }

    /// A word of more letters than this is unknown, whatever they are.
    pub const fn max_letters(&self) -> usize {
        self.max_letters
    }

    /// Tokens of a normalised word. O(`max_letters` × longest token).
    pub fn count(&self, letters: &[char]) -> usize {
        if letters.len() > self.max_letters {
            return 1;
        }
        let (mut n_tokens, mut at) = (0, 0);
        while at < letters.len() {
            match self.next(letters, at) {
                Some((len, _)) => at += len,
                None => return 1,
            }
            n_tokens += 1;
        }
        n_tokens
    }

    /// Where the tokens of a normalised word begin, as far as there are tokens for it.
    pub fn starts(&self, letters: &[char]) -> Vec<usize> {
        let next =
            |&at: &usize| Some(at + self.next(letters, at)?.0).filter(|&at| at < letters.len());
        std::iter::successors(Some(0), next).collect()
    }

    /// Tokens of the word that the first letters of a word are, none of them too long; `starts` is that
    /// of the whole word. O(longest token²).
    ///
    /// Each token is the longest that fits, so the tokens of the whole word that end in the first letters
    /// are theirs, too.
    pub fn count_first(&self, letters: &[char], starts: &[usize]) -> usize {
        let mut n_tokens = starts.partition_point(|&start| start < letters.len()).saturating_sub(1);
        let mut at = starts.get(n_tokens).copied().unwrap_or_default();
        while at < letters.len() {
            match self.next(letters, at) {
                Some((len, _)) => at += len,
                None => return 1,
            }
            n_tokens += 1;
        }
        n_tokens
    }

    /// Appends the ids of a normalised word's tokens.
    pub fn encode(&self, letters: &[char], ids: &mut Vec<u32>) {
        let (n_before, mut at) = (ids.len(), 0);
        while at < letters.len() {
            let next = self.next(letters, at).filter(|_| letters.len() <= self.max_letters);
            let Some((len, id)) = next else {
                ids.truncate(n_before);
                ids.push(self.unk_id);
                return;
            };
            ids.push(id);
            at += len;
        }
    }

    /// Length and id of the token at letter `at`, if there is one.
    fn next(&self, letters: &[char], at: usize) -> Option<(usize, u32)> {
        let root = if at == 0 { Trie::FIRST } else { Trie::SECOND };
        self.tokens.longest(root, &letters[at..])
    }
}
