use crate::carriers::Carrier;
use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::keys::MAXIMUM_INTEGER;
use crate::registration::{Registration, MALFORMED};
use crate::secret::Secret;
use crate::sodium;
use crate::text::{compact, quote};

/// A device in a request: its token, the account of the session, and the carrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// The device token.
    pub token: String,
    /// The server's name of the account, which is empty without accounts.
    pub account: String,
    /// The service that delivers the push.
    pub carrier: Carrier,
}

impl Device {
    /// Creates a device of APNs.
    pub fn new(token: impl Into<String>, account: impl Into<String>) -> Self {
        Device { token: token.into(), account: account.into(), carrier: Carrier::default() }
    }
}

/// Issues a server's challenges for an app, and verifies the answers of devices.
#[derive(Debug)]
pub struct Challenges {
    topic: String,
    secrets: Vec<Secret<32>>,
}

impl Challenges {
    /// Creates the challenges for an app's bundle ID. A secret has 32 random bytes.
    pub fn new(topic: impl Into<String>, secret: &[u8]) -> Result<Self> {
        Challenges { topic: topic.into(), secrets: Vec::new() }.with_previous(secret)
    }

    /// Returns the challenges with a previous secret. Answers to challenges under it are still valid.
    pub fn with_previous(mut self, secret: &[u8]) -> Result<Self> {
        sodium::start()?;
        let reason = "A secret isn't 32 bytes. Read them from the system's random generator, and store them.";
        check(secret.len() == 32, "invalid-configuration", reason)?;
        self.secrets.push(Secret::filled(|bytes| bytes.copy_from_slice(secret)).0);
        Ok(self)
    }

    /// Returns the payload of a challenge, to be sealed with [`is_challenge`](crate::Options::is_challenge).
    ///
    /// The registration is the text that the device has sent. The expiry is in seconds since 1970-01-01 UTC. A visible
    /// challenge displays `aps`.
    pub fn issue(&self, registration: &[u8], device: &Device, expires: u64, aps: Option<&[u8]>) -> Result<String> {
        let reason = "The expiry isn't valid. Give a time in seconds.";
        check(expires <= MAXIMUM_INTEGER, "invalid-configuration", reason)?;
        let nonce = self.nonce(&self.secrets[0], device, registration, expires)?;
        let aps = match aps {
            Some(aps) => format!(",\"aps\":{}", compact(Value::parse_object(aps)?.raw)),
            None => String::new(),
        };
        let challenge = sodium::encode_base64(nonce.bytes());
        Ok(format!(r#"{{"challenge":"{challenge}","expires":{expires}{aps}}}"#))
    }

    /// Returns the text of the registration in a device's answer, at a time in milliseconds since 1970-01-01 UTC.
    ///
    /// The device is that of the request that brings the answer.
    pub fn verify(&self, answer: &[u8], device: &Device, now_ms: u64) -> Result<String> {
        let answer = Answer::parse(answer)?;
        device.carrier.stored_token(&device.token)?;
        let registration = answer.registration.as_bytes();
        Registration::parse(registration)?;
        let reason = "The challenge expired before its answer came. Send another one.";
        check(now_ms / 1000 < answer.expires, "expired-challenge", reason)?;
        let mut is_valid = false;
        for secret in &self.secrets {
            let nonce = self.nonce(secret, device, registration, answer.expires)?;
            is_valid |= sodium::is_equal(proof(&nonce, registration, device)?.bytes(), &answer.proof);
        }
        let reason = "The proof isn't that of the challenge. Send another challenge.";
        check(is_valid, "invalid-proof", reason)?;
        Ok(answer.registration)
    }

    /// Returns the nonce of a challenge under a secret.
    fn nonce(&self, secret: &Secret<32>, device: &Device, registration: &[u8], expires: u64) -> Result<Secret<32>> {
        let token = device.carrier.stored_token(&device.token)?;
        let parts = [
            self.topic.as_bytes(),
            device.carrier.name().as_bytes(),
            device.account.as_bytes(),
            token.as_bytes(),
            &digest(registration),
            &expires.to_be_bytes(),
        ];
        Ok(mac(secret, b"pushcrypt/v1/challenge\0", &parts))
    }
}

/// Returns a device's answer to the payload of a challenge.
///
/// The registration is the text that the device has sent, and the device is its own.
pub fn answer_challenge(payload: &[u8], registration: &str, device: &Device) -> Result<String> {
    sodium::start()?;
    let (nonce, expires) = read_challenge(&Value::parse_object(payload)?)?;
    let proof = sodium::encode_base64(proof(&nonce, registration.as_bytes(), device)?.bytes());
    let registration = quote(registration);
    Ok(format!(r#"{{"registration":{registration},"expires":{expires},"proof":"{proof}"}}"#))
}

/// Returns 32 bytes of strict base64url.
fn decoded(text: Option<&str>) -> Option<Secret<32>> {
    let text = text?;
    let (bytes, length) = Secret::filled(|bytes| sodium::decode_base64(text, bytes));
    (length == Some(32)).then_some(bytes)
}

/// Returns the nonce and the expiry of a challenge's payload.
pub(crate) fn read_challenge(root: &Value<'_>) -> Result<(Secret<32>, u64)> {
    let nonce = decoded(root.member_text("challenge"));
    let expires = root.member_integer("expires", 0, MAXIMUM_INTEGER);
    let has_known_members = root.members().iter().all(|member| match member.name.as_ref() {
        "challenge" | "expires" => true,
        "aps" => member.value.is_object(),
        _ => false,
    });
    match (nonce, expires) {
        (Some(nonce), Some(expires)) if has_known_members => Ok((nonce, expires)),
        _ => Err(Error::new("invalid-payload", "The payload isn't a challenge. Use the text of Challenges.")),
    }
}

/// The members of a device's answer.
struct Answer {
    registration: String,
    expires: u64,
    proof: [u8; 32],
}

impl Answer {
    fn parse(text: &[u8]) -> Result<Self> {
        let object = Value::parse_with_code(text, MALFORMED)?;
        let registration = object.member_text("registration").map(str::to_string);
        let expires = object.member_integer("expires", 0, MAXIMUM_INTEGER);
        match (registration, expires, decoded(object.member_text("proof"))) {
            (Some(registration), Some(expires), Some(proof)) => {
                Ok(Answer { registration, expires, proof: *proof.bytes() })
            }
            _ => Err(Error::new(MALFORMED, "The answer isn't valid. Send a device's answer unchanged.")),
        }
    }
}

/// Returns the proof of a device under a nonce.
fn proof(nonce: &Secret<32>, registration: &[u8], device: &Device) -> Result<Secret<32>> {
    let token = device.carrier.stored_token(&device.token)?;
    let parts = [&digest(registration)[..], token.as_bytes(), device.account.as_bytes()];
    Ok(mac(nonce, b"pushcrypt/v1/proof\0", &parts))
}

fn digest(registration: &[u8]) -> [u8; 32] {
    sodium::blake2b(registration)
}

/// Returns BLAKE2b under a key of a name and parts, each after its length.
fn mac(key: &Secret<32>, name: &[u8], parts: &[&[u8]]) -> Secret<32> {
    let mut joined = name.to_vec();
    for part in parts {
        joined.extend((part.len() as u32).to_be_bytes());
        joined.extend_from_slice(part);
    }
    Secret::filled(|hash| sodium::fill_blake2b(hash, key.bytes(), &joined)).0
}
