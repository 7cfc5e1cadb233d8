//! Ids that no others have.

use sha2::{Digest, Sha256};

use super::ascii;

/// Bytes of an id, two digits each.
pub const N_BYTES: usize = 16;

/// A UUID of version 4 for thing number `i` of a kind, made of `seed`.
pub fn uuid(seed: &[u8], kind: &[u8], i: usize) -> String {
    let said = Sha256::new().chain_update(seed).chain_update(kind);
    let hash = said.chain_update((i as u64).to_le_bytes()).finalize();
    let mut bytes = [0; N_BYTES];
    bytes.copy_from_slice(&hash[..N_BYTES]);
    bytes[6] = 0x40 | bytes[6] & 0x0f;
    bytes[8] = 0x80 | bytes[8] & 0x3f;
    let mut digits = Vec::new();
    ascii::hexadecimal(&mut digits, &bytes);
    let digits: String = digits.into_iter().map(char::from).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
    parts.join("-")
}
