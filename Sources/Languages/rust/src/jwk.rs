use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::keys::Curve;
use crate::secret::Secret;
use crate::sodium;
use crate::text::{decode_base64, is_space};

pub(crate) const MALFORMED: &str = "malformed-jwk";

/// The members of a JWK of either curve.
pub(crate) struct Jwk {
    pub curve: Curve,
    pub x: [u8; 32],
    pub secret: Option<Secret<32>>,
}

/// Returns the text of a member, without escapes for keys, or `None` if it is missing.
fn text_of<'v>(jwk: &'v Value<'_>, name: &str) -> Result<Option<&'v str>> {
    let value = match jwk.get(name) {
        Some(value) => value,
        None => return Ok(None),
    };
    let is_key = matches!(name, "x" | "d");
    match value.text() {
        // An empty text isn't a key.
        Some(text) => Ok(Some(if is_key { value.unescaped().unwrap_or("") } else { text })),
        None => Err(Error::new(MALFORMED, format!("\"{name}\" isn't a string. Give a JWK."))),
    }
}

fn required<'v>(jwk: &'v Value<'_>, name: &str) -> Result<&'v str> {
    text_of(jwk, name)?.ok_or_else(|| Error::new(MALFORMED, format!("\"{name}\" is missing. Give a JWK.")))
}

/// Reads the members of a JWK, without checking its public key.
pub(crate) fn read(jwk: &Value<'_>) -> Result<Jwk> {
    let (kind, name, x) = (required(jwk, "kty")?, required(jwk, "crv")?, required(jwk, "x")?);
    let (usage, d) = (text_of(jwk, "use")?, text_of(jwk, "d")?);
    let known = [(Curve::X25519, "enc"), (Curve::Ed25519, "sig")];
    let found = known.iter().find(|(curve, own)| curve.name() == name && usage.unwrap_or(own) == *own);
    let curve = match found {
        Some((curve, _)) if kind == "OKP" => *curve,
        _ => {
            return Err(Error::new(
                "wrong-key-type",
                "The JWK isn't an X25519 or Ed25519 key with a fitting use. Give one.",
            ))
        }
    };
    let mut public = [0; 32];
    let is_public = sodium::decode_base64(x, &mut public) == Some(32);
    let secret = d.map(|text| Secret::filled(|bytes| sodium::decode_base64(text, bytes) == Some(32)));
    let is_private = secret.as_ref().map_or(true, |(_, is_valid)| *is_valid);
    let reason = "\"x\" or \"d\" isn't 32 bytes in base64url without padding. Check the key.";
    check(is_public && is_private, MALFORMED, reason)?;
    Ok(Jwk { curve, x: public, secret: secret.map(|(secret, _)| secret) })
}

/// Reads a JWK of a curve.
pub(crate) fn read_of(jwk: &Value<'_>, curve: Curve) -> Result<Jwk> {
    let read = read(jwk)?;
    if read.curve != curve {
        return Err(Error::new("wrong-key-type", format!("The JWK isn't an {} key. Give one.", curve.name())));
    }
    Ok(read)
}

/// Returns the public key and the secret of a signing key. Their pair isn't checked.
pub(crate) fn read_private(jwk: &Value<'_>) -> Result<([u8; 32], Secret<32>)> {
    let read = read_of(jwk, Curve::Ed25519)?;
    match read.secret {
        Some(secret) => Ok((read.x, secret)),
        None => Err(Error::new("wrong-key-type", "The JWK is a public key. Give a private one.")),
    }
}

/// Returns the bytes of a device's public key: a JWK, a JWK Set or 43 characters. They aren't checked.
pub(crate) fn parse_public(text: &[u8]) -> Result<[u8; 32]> {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| !is_space(byte)).map_or(start, |at| at + 1);
    let trimmed = &text[start..end];
    let raw = std::str::from_utf8(trimmed).ok().filter(|text| !text.is_empty()).and_then(decode_base64);
    if let Some(bytes) = raw {
        let reason = "The key isn't 32 bytes in base64url without padding. Check the key.";
        return bytes.try_into().map_err(|_| Error::new(MALFORMED, reason));
    }
    let object = Value::parse_with_code(trimmed, MALFORMED)?;
    let chosen = match object.get("keys") {
        Some(set) => chosen_key(set.items())?,
        None => &object,
    };
    Ok(read_of(chosen, Curve::X25519)?.x)
}

/// Returns the key for which a JWK Set stands: its primary key, or its only one.
fn chosen_key<'v, 't>(items: &'v [Value<'t>]) -> Result<&'v Value<'t>> {
    let mut primaries = Vec::new();
    for item in items {
        read(item)?; // Only the chosen key must be of the curve.
        let state = item.get("state");
        let is_text = state.map_or(true, |state| state.text().is_some());
        check(is_text, MALFORMED, "A \"state\" isn't a string. Correct the JWK Set.")?;
        if state.and_then(Value::text) == Some("primary") {
            primaries.push(item);
        }
    }
    match (primaries.as_slice(), items) {
        ([primary], _) => Ok(primary),
        ([], [only]) => Ok(only),
        ([], _) => Err(Error::new(MALFORMED, "The set has no primary key and not exactly one key. Give one key.")),
        _ => Err(Error::new("multiple-primary-keys", "Two keys of the set are primary. Correct the JWK Set.")),
    }
}
