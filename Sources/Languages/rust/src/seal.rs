use crate::carriers::Carrier;
use crate::error::{check, Error, Result};
use crate::frame::{Frame, Part};
use crate::keyring::SigningKeyring;
use crate::keys::{RecipientKey, SigningKey};
use crate::names::Kind;
use crate::options::Options;
use crate::recipient::Recipient;
use crate::{original, padding, sodium};
use std::time::{SystemTime, UNIX_EPOCH};

const VERSION_BYTE: u8 = 1;
const HEADER_LENGTH: usize = 32;
/// The key ID and the signature at the end of a signed message.
const SIGNER_LENGTH: usize = 8 + 64;

/// A sealed push: the body and the headers of the request to APNs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The sealed payload.
    pub payload: String,
    /// The headers, by their names.
    pub headers: Vec<(String, String)>,
    /// The carrier that the push is sealed for.
    pub carrier: Carrier,
    /// The time of issue in milliseconds since 1970-01-01 UTC.
    pub issued_at_ms: u64,
}

/// Seals payloads, signed or anonymous. It never returns an unsealed payload.
#[derive(Debug)]
pub struct Sealer {
    keyring: Option<SigningKeyring>,
}

/// The values that differ between two seals of one payload. The vectors fix them.
pub(crate) trait Source {
    fn now_ms(&self) -> Result<u64>;
    fn message_id(&mut self) -> [u8; 16];
    fn seal_box(&mut self, message: &[u8], to: &RecipientKey) -> Option<Vec<u8>>;
}

struct System;

impl Source for System {
    fn now_ms(&self) -> Result<u64> {
        now_ms()
    }

    fn message_id(&mut self) -> [u8; 16] {
        let mut id = [0; 16];
        sodium::fill_random(&mut id);
        id
    }

    fn seal_box(&mut self, message: &[u8], to: &RecipientKey) -> Option<Vec<u8>> {
        sodium::seal_box(message, to.bytes())
    }
}

/// Returns the time in milliseconds since 1970-01-01 UTC.
pub(crate) fn now_ms() -> Result<u64> {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let milliseconds = elapsed.and_then(|elapsed| u64::try_from(elapsed.as_millis()).ok());
    milliseconds.ok_or_else(|| Error::new("implausible-clock", "The clock is before 1970. Set it."))
}

impl Sealer {
    /// Returns a sealer that signs for each device with the first key of the keyring that the device accepts.
    pub fn signed(keys: impl Into<SigningKeyring>) -> Self {
        Sealer { keyring: Some(keys.into()) }
    }

    /// Returns a sealer that doesn't sign. Anyone who knows a device's public key could have sent its messages.
    pub fn anonymous() -> Self {
        Sealer { keyring: None }
    }

    /// Seals a payload for one device.
    pub fn seal(&self, payload: &[u8], to: &Recipient, options: &Options) -> Result<Push> {
        self.seal_from(payload, to, options, &mut System)
    }

    pub(crate) fn seal_from(
        &self,
        payload: &[u8],
        to: &Recipient,
        options: &Options,
        source: &mut dyn Source,
    ) -> Result<Push> {
        sodium::start()?;
        options.check()?;
        let now_ms = source.now_ms()?;
        let root = original::parse(payload, options.push_type)?;
        let mut options = options.clone();
        if options.collapse_id.is_none() && !options.carrier.rules().takes_no_collapse_id {
            options.collapse_id = original::withdrawn_id(&root, options.push_type);
        }
        options.carrier.check(root.get("aps"), &options)?;
        let frame = Frame::new(&root, &options)?;
        let lengths = self.lengths(&frame, &options)?;
        let signer = self.signer(to, &options)?;
        options.lifetime = options.lifetime.min(to.lifetime);
        let mut headers = options.headers(now_ms / 1000 + u64::from(options.lifetime))?;
        let mut payload = String::new();
        for ((text, part), length) in frame.texts.iter().zip(&frame.parts).zip(lengths) {
            let id = source.message_id();
            // A Live Activity with attributes has a state, too.
            if part.kind != Kind::ActivityAttributes {
                headers.push(("apns-id".to_string(), apns_id(&id)));
            }
            let header = header(part, signer.is_some(), options.lifetime, now_ms, &id)?;
            let message = message(&header, part, length, &to.key, signer);
            payload = payload + text + &envelope(&message, &to.key, source)?;
        }
        payload += frame.texts.last().map_or("", String::as_str);
        Ok(Push { payload, headers, carrier: options.carrier, issued_at_ms: now_ms })
    }

    /// Returns the length of the message for each part.
    fn lengths(&self, frame: &Frame, options: &Options) -> Result<Vec<i64>> {
        let overhead = HEADER_LENGTH + self.keyring.as_ref().map_or(0, |_| SIGNER_LENGTH);
        let needed: Vec<i64> = frame.parts.iter().map(|part| (overhead + part.text.len()) as i64).collect();
        padding::lengths(&needed, options.carrier.room(options.push_type, frame.length() as i64), options.padding)
    }

    /// Returns the key that signs for a device. It checks the row's carrier.
    fn signer(&self, to: &Recipient, options: &Options) -> Result<Option<&SigningKey>> {
        let is_carrier = to.carrier.as_ref().map_or(true, |carrier| *carrier == options.carrier);
        let reason = "The row has a token of another carrier. Set the carrier of the options.";
        check(is_carrier, "wrong-carrier", reason)?;
        self.keyring.as_ref().map(|keyring| keyring.key_for(to.signers.as_deref())).transpose()
    }
}

/// Returns the first 32 bytes of a message.
fn header(part: &Part, is_signed: bool, lifetime: u32, now_ms: u64, id: &[u8; 16]) -> Result<Vec<u8>> {
    let reason = "The payload has more than 65535 bytes. Shorten it.";
    let length = u16::try_from(part.text.len()).map_err(|_| Error::new("payload-too-large", reason))?;
    let mut header = vec![u8::from(is_signed), part.kind as u8];
    header.extend(length.to_be_bytes());
    header.extend(lifetime.to_be_bytes());
    header.extend(now_ms.to_be_bytes());
    header.extend(id);
    Ok(header)
}

/// Returns a padded message, with the signature if there is a signer.
fn message(header: &[u8], part: &Part, length: i64, to: &RecipientKey, signer: Option<&SigningKey>) -> Vec<u8> {
    // The length was computed from the text, so it isn't negative.
    let length = usize::try_from(length).unwrap_or(0);
    let mut message = [header, part.text.as_bytes()].concat();
    match signer {
        None => message.resize(length, 0),
        Some(signer) => {
            message.resize(length - SIGNER_LENGTH, 0);
            message.extend(signer.id());
            let signature = signer.sign(&signed_bytes(to, &message));
            message.extend(signature);
        }
    }
    message
}

fn envelope(message: &[u8], to: &RecipientKey, source: &mut dyn Source) -> Result<String> {
    let reason = "The key can't be used to seal. Register a new key.";
    let sealed = source.seal_box(message, to).ok_or_else(|| Error::new("invalid-key", reason))?;
    Ok(sodium::encode_base64(&[&envelope_header(to)[..], &sealed].concat()))
}

fn envelope_header(to: &RecipientKey) -> Vec<u8> {
    [&[VERSION_BYTE][..], &to.id()].concat()
}

/// Returns the bytes that a signature covers, for a message without its signature.
fn signed_bytes(to: &RecipientKey, message: &[u8]) -> Vec<u8> {
    [b"pushcrypt/v1/signature\0", &envelope_header(to)[..], to.bytes(), message].concat()
}

/// Returns the header `apns-id`: a hash of the message ID as a UUID of version 8 (RFC 9562).
pub(crate) fn apns_id(message_id: &[u8; 16]) -> String {
    let mut digest: [u8; 16] = sodium::blake2b(&[b"pushcrypt/v1/apns-id\0", &message_id[..]].concat());
    digest[6] = digest[6] & 0x0f | 0x80;
    digest[8] = digest[8] & 0x3f | 0x80;
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
