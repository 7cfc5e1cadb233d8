//! Block of texts and its postings: which of them have a term, and how often.
//!
//! A term is known by its number in the segment. Numbers of texts in a block fit into 16 bits, and nearly all counts into 8 (larger ones stand beside them): 3
//! bytes a posting. A term that is in more than a third of a block's texts has a byte for each of them instead,
//! and adding it up is one loop without branches.

use std::ops::Range;

/// A block has at most so many texts, so that 16 bits number them.
pub const MAX_TEXTS: usize = 1 << 16;

/// A count of at least so much is written down beside the others, which have 8 bits.
pub(super) const LARGE: u8 = u8::MAX;

/// What a posting takes.
const POSTING_BYTES: usize = 3;

/// What a term takes that is in many texts, beside a byte for each text of the block.
const COMMON_BYTES: usize = 64;

/// A large count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Large {
    pub(super) term: u32,
    pub(super) text: u16,
    pub(super) count: u32,
}

/// Texts that stand next to each other, with their postings by terms.
#[derive(Debug, Default)]
pub struct Block {
    pub(super) n_texts: usize,
    /// The terms that are in many texts, ascending, and in how many each is.
    pub(super) common: Vec<u32>,
    pub(super) common_with: Vec<u32>,
    /// Where the postings of each other term end.
    pub(super) ends: Vec<u32>,
    /// The texts of each of these, ascending.
    pub(super) texts: Vec<u16>,
    /// How often these texts have it; then, for each common term, how often each text of the block has it.
    pub(super) counts: Vec<u8>,
    /// Counts of [`LARGE`] or more, by terms and texts.
    pub(super) large: Vec<Large>,
}

/// Where the next posting of a term belongs.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    term: u32,
    is_common: bool,
    at: usize,
}

/// The postings of one term.
#[derive(Clone, Copy, Debug)]
pub struct Postings<'b> {
    kind: PostingLayout<'b>,
    /// Its large counts, by texts.
    large: &'b [Large],
}

#[derive(Clone, Copy, Debug)]
enum PostingLayout<'b> {
    Rare { texts: &'b [u16], counts: &'b [u8] },
    Common { counts: &'b [u8] },
    Merged { texts: &'b [u16], counts: &'b [f32] },
}

/// Postings of several spellings of a term as those of one; counts are weighed.
#[derive(Debug, Default)]
pub struct Merged {
    texts: Vec<u16>,
    counts: Vec<f32>,
}

impl Merged {
    /// The postings of spellings, with what each counts. O(n log n).
    pub fn of<'b>(spellings: impl Iterator<Item = (Postings<'b>, f32)>) -> Self {
        let mut all: Vec<(u16, f32)> = Vec::new();
        for (postings, share) in spellings {
            postings.for_each(|text, count| {
                // A block has no more texts.
                all.extend(u16::try_from(text).ok().map(|text| (text, share * count)));
            });
        }
        // Those of one text stay in the order of the spellings.
        all.sort_by_key(|&(text, _)| text);
        let mut merged = Self::default();
        for of_text in all.chunk_by(|one, next| one.0 == next.0) {
            merged.texts.push(of_text[0].0);
            merged.counts.push(of_text.iter().map(|&(_, count)| count).sum());
        }
        merged
    }

    /// In how many texts one of them is.
    pub const fn n_with(&self) -> usize {
        self.texts.len()
    }

    /// Them as postings.
    pub fn postings(&self) -> Postings<'_> {
        let Self { texts, counts } = self;
        Postings { kind: PostingLayout::Merged { texts, counts }, large: &[] }
    }
}

impl Block {
    /// A block of so many texts, with room for postings: in how many texts each term is, in the order of the
    /// terms' numbers. Each gets a slot, in that order.
    pub fn new(n_texts: usize, terms_with: impl Iterator<Item = u32>) -> (Self, Vec<Slot>) {
        let mut block = Self { n_texts, ..Self::default() };
        let (mut slots, mut n_rare) = (Vec::new(), 0);
        for (term, with) in (0..).zip(terms_with) {
            let is_common = POSTING_BYTES * with as usize > n_texts + COMMON_BYTES;
            let at = if is_common { block.common.len() } else { n_rare };
            slots.push(Slot { term, is_common, at });
            if is_common {
                block.common.push(term);
                block.common_with.push(with);
            } else {
                n_rare += with as usize;
                // Builders end a block before it has more.
                block.ends.push(u32::try_from(n_rare).unwrap_or(u32::MAX));
            }
        }
        block.texts = vec![0; n_rare];
        block.counts = vec![0; n_rare + block.common.len() * n_texts];
        for slot in slots.iter_mut().filter(|slot| slot.is_common) {
            slot.at = n_rare + slot.at * n_texts;
        }
        for terms in [&mut block.ends, &mut block.common, &mut block.common_with] {
            terms.shrink_to_fit();
        }
        (block, slots)
    }

    /// Adds a posting; those of one term come in ascending order.
    #[inline]
    pub fn put(&mut self, slot: &mut Slot, text: u16, count: u32) {
        let small = u8::try_from(count).unwrap_or(LARGE);
        if small == LARGE {
            self.large.push(Large { term: slot.term, text, count });
        }
        if slot.is_common {
            self.counts[slot.at + usize::from(text)] = small;
        } else {
            self.texts[slot.at] = text;
            self.counts[slot.at] = small;
            slot.at += 1;
        }
    }

    /// To be called when all postings are there.
    pub fn complete(&mut self) {
        self.large.sort_unstable_by_key(|large| (large.term, large.text));
        self.large.shrink_to_fit();
    }

    /// How many postings there are.
    pub fn n_postings(&self) -> usize {
        self.texts.len() + self.common_with.iter().map(|&n| n as usize).sum::<usize>()
    }

    /// In how many of its texts a term is. O(log of the common terms).
    pub fn n_with(&self, term: u32) -> u32 {
        match self.place(term) {
            Ok(common) => self.common_with[common],
            Err(rare) => self.ends[rare] - self.start(rare),
        }
    }

    /// The postings of a term. O(log of the common terms, and of the large counts).
    pub fn postings(&self, term: u32) -> Postings<'_> {
        let kind = match self.place(term) {
            Ok(common) => {
                let start = self.texts.len() + common * self.n_texts;
                PostingLayout::Common { counts: &self.counts[start..start + self.n_texts] }
            }
            Err(rare) => {
                let range = self.start(rare) as usize..self.ends[rare] as usize;
                PostingLayout::Rare {
                    texts: &self.texts[range.clone()],
                    counts: &self.counts[range],
                }
            }
        };
        let start = self.large.partition_point(|large| large.term < term);
        let n = self.large[start..].partition_point(|large| large.term == term);
        Postings { kind, large: &self.large[start..start + n] }
    }

    /// Which of the common terms it is, or which of the others.
    fn place(&self, term: u32) -> Result<usize, usize> {
        self.common.binary_search(&term).map_err(|n_before| term as usize - n_before)
    }

    /// Where the postings of one of the rare terms begin.
    fn start(&self, rare: usize) -> u32 {
        rare.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

impl Postings<'_> {
    /// How many steps [`add`](Self::add) takes.
    pub const fn len(self) -> usize {
        match self.kind {
            PostingLayout::Rare { counts, .. } | PostingLayout::Common { counts } => counts.len(),
            PostingLayout::Merged { counts, .. } => counts.len(),
        }
    }

    /// Whether [`count`](Self::count) takes one step.
    pub const fn is_common(self) -> bool {
        matches!(self.kind, PostingLayout::Common { .. })
    }

    /// Adds what the term gives to the score of each text, where `norms` and `scores` are those of the block.
    pub fn add(self, weight: f32, norms: &[f32], scores: &mut [f32]) {
        if !self.large.is_empty() {
            self.for_each(|text, count| scores[text] += gain(weight, count, norms[text]));
            return;
        }
        match self.kind {
            PostingLayout::Rare { texts, counts } => {
                for (&text, &count) in texts.iter().zip(counts) {
                    let text = usize::from(text);
                    scores[text] += gain(weight, f32::from(count), norms[text]);
                }
            }
            PostingLayout::Merged { texts, counts } => {
                for (&text, &count) in texts.iter().zip(counts) {
                    let text = usize::from(text);
                    scores[text] += gain(weight, count, norms[text]);
                }
            }
            PostingLayout::Common { counts } => {
                for ((score, &norm), &count) in scores.iter_mut().zip(norms).zip(counts) {
                    *score += gain(weight, f32::from(count), norm);
                }
            }
        }
    }

    /// Calls `each` with the texts that have the term, ascending, and how often they have it.
    pub fn for_each(self, mut each: impl FnMut(usize, f32)) {
        if let PostingLayout::Merged { texts, counts } = self.kind {
            texts.iter().zip(counts).for_each(|(&text, &count)| each(usize::from(text), count));
            return;
        }
        self.for_each_count(|text, count| each(text, real(count)));
    }

    /// The same with exact counts, of a term as it is stored: spellings that a question merges have none.
    pub fn for_each_count(self, mut each: impl FnMut(usize, u32)) {
        let mut large = self.large.iter();
        let mut exact = |count: u8| match count {
            LARGE => large.next().map_or(u32::from(LARGE), |large| large.count),
            count => u32::from(count),
        };
        match self.kind {
            PostingLayout::Rare { texts, counts } => {
                texts.iter().zip(counts).for_each(|(&text, &n)| each(usize::from(text), exact(n)));
            }
            PostingLayout::Merged { .. } => {}
            PostingLayout::Common { counts } => {
                let all = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
                all.for_each(|(text, &count)| each(text, exact(count)));
            }
        }
    }

    /// The same of the texts in a range; O(log of the postings) more.
    pub fn for_each_in(self, range: Range<usize>, mut each: impl FnMut(usize, f32)) {
        if let PostingLayout::Merged { texts, counts } = self.kind {
            let of = |end| texts.partition_point(|&text| usize::from(text) < end);
            let inside = of(range.start)..of(range.end);
            for (&text, &count) in texts[inside.clone()].iter().zip(&counts[inside]) {
                each(usize::from(text), count);
            }
            return;
        }
        let mut give = |text: usize, count: u8| match (count, u16::try_from(text)) {
            (LARGE, Ok(number)) => each(text, self.count(number)),
            _ => each(text, f32::from(count)),
        };
        match self.kind {
            PostingLayout::Rare { texts, counts } => {
                let start = texts.partition_point(|&text| usize::from(text) < range.start);
                for (&text, &count) in texts[start..].iter().zip(&counts[start..]) {
                    if usize::from(text) >= range.end {
                        break;
                    }
                    give(usize::from(text), count);
                }
            }
            PostingLayout::Common { counts } => {
                for (text, &count) in range.clone().zip(&counts[range]) {
                    give(text, count);
                }
            }
            PostingLayout::Merged { .. } => {}
        }
    }

    /// How often `text` has the term. O(log of the postings).
    pub fn count(self, text: u16) -> f32 {
        let small = match self.kind {
            PostingLayout::Rare { texts, counts } => {
                texts.binary_search(&text).map_or(0, |at| counts[at])
            }
            PostingLayout::Common { counts } => counts[usize::from(text)],
            PostingLayout::Merged { texts, counts } => {
                return texts.binary_search(&text).map_or(0.0, |at| counts[at]);
            }
        };
        if small < LARGE {
            return f32::from(small);
        }
        let at = self.large.partition_point(|large| large.text < text);
        self.large.get(at).map_or(f32::from(small), |large| real(large.count))
    }
}

/// The part of a score that a term of this weight gives to a text that has it `count` times.
#[inline]
pub fn gain(weight: f32, count: f32, norm: f32) -> f32 {
    weight * (count / (count + norm))
}

#[allow(clippy::cast_precision_loss, reason = "rounding is meant")]
pub(super) const fn real(count: u32) -> f32 {
    count as f32
}
