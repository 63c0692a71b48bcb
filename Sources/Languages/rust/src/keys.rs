use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::jwk;
use crate::secret::Secret;
use crate::sodium;
use std::fmt;

/// 30 days in seconds: the longest lifetime of a message.
pub const MAXIMUM_LIFETIME: u32 = 2_592_000;
/// 2^53 - 1, the largest integer of the format's JSON.
pub(crate) const MAXIMUM_INTEGER: u64 = (1 << 53) - 1;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Curve {
    X25519,
    Ed25519,
}

impl Curve {
    pub fn name(self) -> &'static str {
        match self {
            Curve::X25519 => "X25519",
            Curve::Ed25519 => "Ed25519",
        }
    }

    fn hash(self, key: &[u8; 32]) -> [u8; 32] {
        let x = sodium::encode_base64(key);
        sodium::sha256(format!(r#"{{"crv":"{}","kty":"OKP","x":"{x}"}}"#, self.name()).as_bytes())
    }

    fn id(self, key: &[u8; 32]) -> [u8; 8] {
        let mut id = [0; 8];
        id.copy_from_slice(&self.hash(key)[..8]);
        id
    }
}

/// A validated X25519 public key of a device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RecipientKey([u8; 32]);

/// An Ed25519 key pair of a server. Its memory is overwritten when it is dropped.
pub struct SigningKey {
    public: [u8; 32],
    secret: Secret<64>,
}

/// The canonical encodings of the points of small order on Curve25519.
const SMALL_ORDER: [[u8; 32]; 5] = [
    [0; 32],
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [
        0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f,
    ],
    [
        0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09,
        0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
    ],
    [
        0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b, 0x04, 0x44,
        0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
    ],
];

/// Reports whether a little-endian number is less than 2^255 - 19.
fn is_canonical(key: &[u8; 32]) -> bool {
    let is_large = key[31] == 0x7f && key[1..31].iter().all(|&byte| byte == 0xff) && key[0] >= 0xed;
    key[31] <= 0x7f && !is_large
}

impl RecipientKey {
    /// Parses a JWK, a JWK Set or the 43 characters of the raw key.
    pub fn parse(text: &[u8]) -> Result<Self> {
        RecipientKey::new(jwk::parse_public(text)?)
    }

    pub(crate) fn new(bytes: [u8; 32]) -> Result<Self> {
        sodium::start()?;
        let is_valid = is_canonical(&bytes) && !SMALL_ORDER.contains(&bytes);
        check(is_valid, "invalid-key", "The key isn't canonical, or has small order. Check the key.")?;
        Ok(RecipientKey(bytes))
    }

    /// Returns the RFC 7638 thumbprint, 43 characters of base64url.
    pub fn thumbprint(&self) -> String {
        sodium::encode_base64(&Curve::X25519.hash(&self.0))
    }

    pub(crate) fn id(&self) -> [u8; 8] {
        Curve::X25519.id(&self.0)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl SigningKey {
    /// Parses a private JWK.
    pub fn parse(text: &[u8]) -> Result<Self> {
        SigningKey::read(&Value::parse_with_code(text, jwk::MALFORMED)?)
    }

    pub(crate) fn read(value: &Value<'_>) -> Result<Self> {
        sodium::start()?;
        let (public, seed) = jwk::read_private(value)?;
        let (secret, computed) = Secret::filled(|bytes| sodium::ed25519_pair(seed.bytes(), bytes));
        check(public == computed, "key-pair-mismatch", "\"d\" doesn't belong to \"x\". Check the key.")?;
        Ok(SigningKey { public, secret })
    }

    /// Returns the RFC 7638 thumbprint of the public key, 43 characters of base64url.
    pub fn thumbprint(&self) -> String {
        sodium::encode_base64(&Curve::Ed25519.hash(&self.public))
    }

    pub(crate) fn id(&self) -> [u8; 8] {
        Curve::Ed25519.id(&self.public)
    }

    pub(crate) fn sign(&self, text: &[u8]) -> [u8; 64] {
        sodium::sign(text, self.secret.bytes())
    }
}

macro_rules! described {
    ($($name:ident, $kind:literal, $thumbprint:expr;)*) => { $(
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{} {}", $kind, $thumbprint(self))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }
    )* };
}

described! {
    RecipientKey, "recipient key", RecipientKey::thumbprint;
    SigningKey, "signing key", SigningKey::thumbprint;
}

impl std::str::FromStr for RecipientKey {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        RecipientKey::parse(text.as_bytes())
    }
}
