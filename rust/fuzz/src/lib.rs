//! Fuzz targets: generated inputs for each reader and each cutter of chunkwright, and what must hold for all.
//!
//! The tests of this crate run each target for two seconds, or for as many as the environment variable
//! `CHUNKWRIGHT_FUZZ_SECONDS` says. They need no nightly compiler: inputs come from proptest, which also shrinks
//! those that fail.
//!
//! | module | has |
//! |---|---|
//! | `read_targets`, `cut_targets` | the targets |
//! | `run` | the loop around a target: time, seed, the input of a failure |
//! | `texts` | texts of a format: its marks in any order, and valid samples that were damaged |
//! | `samples`, `objects` | the marks and the valid samples of each format |
//! | `pages`, `word` | pages of a PDF, Word files |
//! | `specs` | strategies with their options |
//! | `readers` | what holds for all that was read |
//! | `cutters` | what holds for all chunks |

#[cfg(test)]
mod cut_targets;
#[cfg(test)]
mod cutters;
#[cfg(test)]
mod objects;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod read_targets;
#[cfg(test)]
mod readers;
#[cfg(test)]
mod run;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod specs;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod word;
