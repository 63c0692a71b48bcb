use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::jwk;
use crate::keys::{Curve, VerificationKey, MAXIMUM_INTEGER};
use crate::registration::MAXIMUM_SIGNERS;
use crate::text::{decode_base64, is_thumbprint};

const MALFORMED: &str = "malformed-signer-list";
const MAXIMUM_LENGTH: usize = 65_536;
const LIST_TYPE: &str = "pushcrypt-signers";

/// A list of the keys from which devices accept signatures. Its signature is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerList {
    /// The list as it arrived.
    pub text: String,
    /// The root that has signed it.
    pub root: VerificationKey,
    /// The accepted keys.
    pub keys: Vec<VerificationKey>,
    /// The number, which grows with every list of the root.
    pub number: u64,
    /// The time of issue in seconds since 1970-01-01 UTC.
    pub issued: u64,
    /// The expiration in seconds since 1970-01-01 UTC.
    pub expiration: u64,
    /// The audience, if the list has one.
    pub audience: Option<String>,
}

/// The keys that an app pins for an account, in order, and the audience of their lists if one is pinned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignerRoots {
    /// The roots.
    pub keys: Vec<VerificationKey>,
    /// The audience.
    pub audience: Option<String>,
}

fn malformed(reason: &str) -> Error {
    Error::new(MALFORMED, format!("The list isn't valid. {reason} Issue a new list."))
}

impl SignerRoots {
    /// Returns the list of one of the roots. It checks neither the audience nor the expiration.
    pub fn verify(&self, text: &str) -> Result<SignerList> {
        let parts: Vec<&str> = text.split('.').collect();
        let (header, content, signature) = match parts[..] {
            [header, content, signature] if text.len() <= MAXIMUM_LENGTH => (header, content, signature),
            _ => return Err(malformed("It is too long, or doesn't have three parts.")),
        };
        let decoded = |part| decode_base64(part).ok_or_else(|| malformed("A part isn't base64url without padding."));
        let (header_text, content_text, signature) = (decoded(header)?, decoded(content)?, decoded(signature)?);
        let root = self.root(&Value::parse_with_code(&header_text, MALFORMED)?)?;
        let is_valid = root.has_signed(format!("{header}.{content}").as_bytes(), &signature);
        let reason = "The list's signature isn't valid. Sign the list again.";
        check(is_valid, "invalid-signature", reason)?;
        let content = Value::parse_with_code(&content_text, MALFORMED)?;
        SignerList::read(text, root, &content)
    }

    /// Returns the pinned root that a header names.
    fn root(&self, header: &Value<'_>) -> Result<VerificationKey> {
        let kid = header.member_text("kid").filter(|kid| is_thumbprint(kid));
        let is_valid = header.members().len() == 3
            && header.member_text("alg") == Some(Curve::Ed25519.name())
            && header.member_text("typ") == Some(LIST_TYPE);
        let kid = kid.filter(|_| is_valid);
        let kid = kid.ok_or_else(|| malformed("The header isn't \"alg\" Ed25519, \"kid\" and \"typ\"."))?;
        let reason = "The list's root isn't pinned. Sign the list with a pinned root.";
        let root = self.keys.iter().find(|root| root.thumbprint() == kid).copied();
        root.ok_or_else(|| Error::new("unknown-root", reason))
    }

    /// Returns a stored list if it is one of a pinned root for the pinned audience.
    fn own(&self, text: &str) -> Result<Option<SignerList>> {
        match self.verify(text) {
            Ok(list) => Ok(Some(list).filter(|list| list.audience == self.audience)),
            Err(error) if error.code() == "unknown-root" => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the texts to store after a list has come, which are the stored ones if nothing changes.
    ///
    /// The time is the date of the server's answer in milliseconds since 1970-01-01 UTC.
    pub fn stored_with(&self, text: &str, stored: &[String], now_ms: u64) -> Result<Vec<String>> {
        let list = self.verify(text)?;
        let reason = "The list is for another audience. Issue a list for this app.";
        check(list.audience == self.audience, "wrong-audience", reason)?;
        let mut result = vec![text.to_string()];
        for known in stored {
            // A damaged list is replaced.
            let old = match self.own(known) {
                Ok(Some(old)) => old,
                _ => continue,
            };
            if old.root != list.root {
                result.push(old.text);
                continue;
            }
            if old.text == text {
                return Ok(stored.to_vec());
            }
            let reason = "The device has a newer list. Hand out the newest list.";
            check(list.number >= old.number, "stale-signer-list", reason)?;
            let reason = "Two lists have one number. Issue a list with a higher number.";
            check(list.number > old.number, "conflicting-signer-list", reason)?;
        }
        let reason = "The list expired before it came. Issue a new list.";
        check(now_ms / 1000 < list.expiration, "expired-signer-list", reason)?;
        Ok(result)
    }

    /// Returns the keys that count with the stored lists, for [`Accept::SignedBy`](crate::Accept::SignedBy).
    ///
    /// A damaged stored list of a pinned root is an error, because the roots alone could accept a revoked key.
    pub fn accepted_keys(&self, stored: &[String]) -> Result<Vec<VerificationKey>> {
        let mut lists = Vec::new();
        for text in stored {
            lists.extend(self.own(text)?);
        }
        let first = self.keys.iter().find_map(|root| lists.iter().find(|list| list.root == *root));
        Ok(first.map_or_else(|| self.keys.clone(), |list| list.keys.clone()))
    }
}

impl SignerList {
    fn read(text: &str, root: VerificationKey, content: &Value<'_>) -> Result<Self> {
        let items = content.get("keys").map_or(&[][..], Value::items);
        let has_fitting_count = (1..=MAXIMUM_SIGNERS).contains(&items.len());
        let reason = "\"keys\" isn't an array of 1 to 64 keys.";
        has_fitting_count.then_some(()).ok_or_else(|| malformed(reason))?;
        let mut keys = Vec::new();
        for item in items {
            let key = read_key(item).filter(|key| !keys.contains(key));
            keys.push(key.ok_or_else(|| malformed("A key is invalid, private or there twice."))?);
        }
        let numbers = (
            content.member_integer("number", 1, MAXIMUM_INTEGER),
            content.member_integer("iat", 0, MAXIMUM_INTEGER),
            content.member_integer("exp", 0, MAXIMUM_INTEGER),
        );
        let audience = match content.get("aud") {
            Some(value) => Some(value.text().ok_or_else(|| malformed("\"aud\" isn't a string."))?.to_string()),
            None => None,
        };
        match numbers {
            (Some(number), Some(issued), Some(expiration)) if issued < expiration => {
                Ok(SignerList { text: text.to_string(), root, keys, number, issued, expiration, audience })
            }
            _ => Err(malformed("A number is missing or out of range, or the list expires before it is issued.")),
        }
    }
}

/// Returns the valid public key of a list's element.
fn read_key(jwk: &Value<'_>) -> Option<VerificationKey> {
    let read = jwk::read_of(jwk, Curve::Ed25519).ok().filter(|read| read.secret.is_none())?;
    VerificationKey::new(read.x).ok()
}
