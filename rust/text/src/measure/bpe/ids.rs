//! Token ids, where they are not ranks.

/// Ids of tokens, which the owner of a vocabulary gives to their ranks.
#[derive(Clone, Debug, Default)]
pub enum Ids {
    /// Ids are ranks.
    #[default]
    Ranks,
    /// Ids by rank, and the ranks in the order of their ids.
    Listed {
        /// The id of each rank.
        by_rank: Box<[u32]>,
        /// Each id with its rank, ascending.
        sorted: Box<[(u32, u32)]>,
    },
}

impl Ids {
    /// The ids of ranks 0, 1, 2 and so on.
    pub fn new(by_rank: Vec<u32>) -> Self {
        if (0..).zip(&by_rank).all(|(rank, &id): (u32, _)| rank == id) {
            return Self::Ranks;
        }
        let mut sorted: Box<[(u32, u32)]> = by_rank.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        Self::Listed { by_rank: by_rank.into(), sorted }
    }

    /// The id of a rank that the vocabulary has.
    pub fn of_rank(&self, rank: u32) -> u32 {
        match self {
            Self::Ranks => rank,
            Self::Listed { by_rank, .. } => by_rank.get(rank as usize).copied().unwrap_or(rank),
        }
    }

    /// The rank of an id; none if no token has it, except that with [`Ids::Ranks`] that is not known.
    pub fn rank_of(&self, id: u32) -> Option<u32> {
        match self {
            Self::Ranks => Some(id),
            Self::Listed { sorted, .. } => {
                let found = sorted.binary_search_by_key(&id, |&(id, _)| id).ok()?;
                Some(sorted[found].1)
            }
        }
    }

    /// The largest id of `n_tokens` tokens.
    pub fn max(&self, n_tokens: usize) -> u32 {
        match self {
            Self::Ranks => u32::try_from(n_tokens).unwrap_or(u32::MAX).saturating_sub(1),
            Self::Listed { sorted, .. } => sorted.last().map_or(0, |&(id, _)| id),
        }
    }
}
