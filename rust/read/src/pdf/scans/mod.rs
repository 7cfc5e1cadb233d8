//! Scanned pages: recognised words and the picture that they stand in to glyphs and ruled lines.

pub mod drawings;
pub mod ink;
pub mod picture;
pub mod recognised;
pub mod rulings;
pub mod spacing;
