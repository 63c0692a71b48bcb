use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::jwk;
use crate::keys::{Curve, RecipientKey, MAXIMUM_INTEGER, MAXIMUM_LIFETIME};
use crate::text::is_thumbprint;

pub(crate) const MALFORMED: &str = "malformed-registration";
const MAXIMUM_SIGNERS: usize = 64;

/// The key that a device has registered, with its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The creation of the key in seconds since 1970-01-01 UTC, by the device's clock.
    pub created: u64,
    /// The generation of the device's keyring.
    pub generation: u64,
    /// The device's public key.
    pub key: RecipientKey,
    /// The longest lifetime of messages to the key, in seconds.
    pub lifetime: u32,
    /// The thumbprints of the keys from which the device accepts signatures, if it tells them.
    pub signers: Option<Vec<String>>,
}

impl Registration {
    /// Parses a registration as the device has sent it. The errors are `malformed-registration` and those of its key.
    pub fn parse(text: &[u8]) -> Result<Self> {
        Registration::read(&Value::parse_with_code(text, MALFORMED)?)
    }

    pub(crate) fn read(object: &Value<'_>) -> Result<Self> {
        let reason = "\"key\" is missing or isn't a JWK. Send the registration unchanged.";
        let key = object.get("key").filter(|key| key.is_object());
        let key = jwk::read(key.ok_or_else(|| Error::new(MALFORMED, reason))?)?;
        let reason = "\"key\" is a private key. Replace the key, and send its public half.";
        check(key.secret.is_none(), MALFORMED, reason)?;
        let reason = "The JWK isn't an X25519 key. Give one.";
        check(key.curve == Curve::X25519, "wrong-key-type", reason)?;
        let numbers = (
            object.member_integer("created", 0, MAXIMUM_INTEGER),
            object.member_integer("generation", 1, MAXIMUM_INTEGER),
            object.member_integer("lifetime", 1, u64::from(MAXIMUM_LIFETIME)),
        );
        let signers = object.get("signers").map(read_signers).transpose()?;
        let key = RecipientKey::new(key.x)?;
        match numbers {
            (Some(created), Some(generation), Some(lifetime)) => {
                Ok(Registration { created, generation, key, lifetime: lifetime as u32, signers })
            }
            _ => {
                let reason = "A number is missing or out of range. Send the registration unchanged.";
                Err(Error::new(MALFORMED, reason))
            }
        }
    }
}

/// Returns 1 to 64 different thumbprints without escapes.
fn read_signers(value: &Value<'_>) -> Result<Vec<String>> {
    let mut signers: Vec<String> = Vec::new();
    let mut is_valid = (1..=MAXIMUM_SIGNERS).contains(&value.items().len());
    for item in value.items().iter().take(MAXIMUM_SIGNERS) {
        let text = item.unescaped().unwrap_or("");
        is_valid &= is_thumbprint(text) && !signers.iter().any(|signer| signer == text);
        signers.push(text.to_string());
    }
    check(is_valid, MALFORMED, "\"signers\" isn't valid. Send the registration unchanged.")?;
    Ok(signers)
}

/// Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store.
pub fn device_token(text: &str) -> Result<String> {
    let is_valid =
        (32..=400).contains(&text.len()) && text.len() % 2 == 0 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let reason = "The device token isn't 16 to 200 bytes in hexadecimal. Correct it.";
    check(is_valid, MALFORMED, reason)?;
    Ok(text.to_ascii_lowercase())
}
