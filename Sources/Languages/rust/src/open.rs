use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::keys::{DeviceKey, RecipientKey, VerificationKey, MAXIMUM_LIFETIME};
use crate::names::Kind;
use crate::seal::{signed_bytes, HEADER_LENGTH, SIGNATURE_LENGTH, SIGNER_LENGTH, VERSION_BYTE};
use crate::text::decode_base64;
use std::fmt;

const ENVELOPE_MINIMUM: usize = 57;
const MINIMUM_TOLERANCE: u64 = 5 * 60;
const MAXIMUM_TOLERANCE: u64 = 48 * 3600;

/// The senders that an account accepts.
#[derive(Clone, Debug)]
pub enum Accept {
    /// Every sender. Signatures aren't checked.
    Anyone,
    /// Only messages that one of these keys has signed.
    SignedBy(Vec<VerificationKey>),
}

/// A device's keys for one server or user, and the senders that it accepts.
#[derive(Debug)]
pub struct Account {
    /// The name of the account.
    pub name: String,
    /// The keys that open its messages.
    pub keys: Vec<DeviceKey>,
    /// The senders.
    pub accept: Accept,
}

/// A replay guard: it returns an error with the code `replayed` or `possibly-replayed` for a message that isn't new.
pub type Guard = Box<dyn Fn(&Opened) -> Result<()> + Send + Sync>;

/// Opens sealed payloads.
pub struct Receiver {
    /// The accounts of the device.
    pub accounts: Vec<Account>,
    /// The kinds to open, such as notifications and withdrawals.
    pub kinds: Vec<Kind>,
    /// The replay guard, if there is one.
    pub guard: Option<Guard>,
}

impl fmt::Debug for Receiver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Receiver")
            .field("accounts", &self.accounts)
            .field("kinds", &self.kinds)
            .finish_non_exhaustive()
    }
}

/// An opened message.
#[derive(Clone, PartialEq, Eq)]
pub struct Opened {
    /// The original payload.
    pub original: String,
    /// The kind of the message.
    pub kind: Kind,
    /// The name of the account that it was sealed for.
    pub account: String,
    /// The thumbprint of the signer's key, if signatures are checked.
    pub signer: Option<String>,
    /// The random ID of the message.
    pub message_id: [u8; 16],
    /// The time of issue in milliseconds since 1970-01-01 UTC.
    pub issued_at_ms: u64,
    /// The lifetime in seconds.
    pub lifetime: u32,
}

impl fmt::Debug for Opened {
    /// Describes a message without its content.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Opened")
            .field("kind", &self.kind)
            .field("account", &self.account)
            .finish_non_exhaustive()
    }
}

impl Receiver {
    /// Opens a sealed payload at a time in milliseconds since 1970-01-01 UTC.
    pub fn open(&self, payload: &[u8], now_ms: u64) -> Result<Opened> {
        let object = Value::parse_object(payload)?;
        let sealed = object.get("ENCRYPTED_DATA");
        let sealed = sealed.ok_or_else(|| Error::new("not-sealed", "The payload has no ENCRYPTED_DATA. Seal it."))?;
        let reason = "ENCRYPTED_DATA isn't a string. Seal the payload again.";
        self.open_text(sealed.text().ok_or_else(|| Error::new("malformed-envelope", reason))?, now_ms)
    }

    /// Opens the value of `ENCRYPTED_DATA`.
    pub fn open_text(&self, text: &str, now_ms: u64) -> Result<Opened> {
        let envelope = decode_envelope(text)?;
        let (header, sealed) = envelope.split_at(9);
        let (account, key) = self.find(&header[1..])?;
        let reason = "The box doesn't open. Check that nothing changes the payload.";
        let message = key.open_box(sealed).ok_or_else(|| Error::new("decryption-failed", reason))?;
        let message = Message::parse(&message)?;
        let mut opened = Opened {
            original: String::new(),
            kind: message.kind,
            account: account.name.clone(),
            signer: None,
            message_id: message.id,
            issued_at_ms: message.issued_at_ms,
            lifetime: message.lifetime,
        };
        if let Accept::SignedBy(keys) = &account.accept {
            opened.signer = Some(self.signer(keys, key.public(), &message)?.thumbprint());
        }
        let reason = "The receiver doesn't open this kind. Send the push that fits.";
        check(self.kinds.contains(&opened.kind), "wrong-kind", reason)?;
        check_age(&opened, now_ms)?;
        opened.original = original(message.payload)?;
        if let Some(guard) = &self.guard {
            guard(&opened)?;
        }
        Ok(opened)
    }

    /// Returns the first key with an ID, and its account.
    fn find(&self, id: &[u8]) -> Result<(&Account, &DeviceKey)> {
        let keys = self.accounts.iter().flat_map(|account| account.keys.iter().map(move |key| (account, key)));
        let found = keys.into_iter().find(|(_, key)| key.public().id() == id);
        found.ok_or_else(|| Error::new("unknown-key", "No key has the envelope's key id. Register the device again."))
    }

    /// Returns the key that has signed a message.
    fn signer<'k>(
        &self,
        keys: &'k [VerificationKey],
        to: &RecipientKey,
        message: &Message<'_>,
    ) -> Result<&'k VerificationKey> {
        let (unsigned, signature) = match message.signed {
            Some(parts) => parts,
            None => return Err(Error::new("unsigned", "The message isn't signed. Sign it.")),
        };
        let id = &unsigned[unsigned.len() - 8..];
        let signer = match keys.iter().find(|key| key.id() == id) {
            Some(signer) => signer,
            None if self.is_accepted_elsewhere(id) => {
                let reason = "Another account accepts the signer. Check the server's keys.";
                return Err(Error::new("wrong-account", reason));
            }
            None => {
                let reason = "The signer isn't accepted. Add its key to the receiver.";
                return Err(Error::new("unknown-signer", reason));
            }
        };
        let is_valid = signer.has_signed(&signed_bytes(to, unsigned), signature);
        let reason = "The signature isn't valid. Check the sender and the recipient.";
        check(is_valid, "invalid-signature", reason)?;
        Ok(signer)
    }

    fn is_accepted_elsewhere(&self, id: &[u8]) -> bool {
        self.accounts.iter().any(|account| match &account.accept {
            Accept::Anyone => false,
            Accept::SignedBy(keys) => keys.iter().any(|key| key.id() == id),
        })
    }
}

fn decode_envelope(text: &str) -> Result<Vec<u8>> {
    let reason = "The text isn't base64url without padding. Seal the payload again.";
    let envelope = decode_base64(text).ok_or_else(|| Error::new("malformed-base64", reason))?;
    let is_known = envelope.first().map_or(true, |&version| version == VERSION_BYTE);
    let reason = "The version of the envelope is unknown. Update the receiver.";
    check(is_known, "unsupported-version", reason)?;
    let reason = "The envelope is too short. Seal the payload again.";
    check(envelope.len() >= ENVELOPE_MINIMUM, "malformed-envelope", reason)?;
    Ok(envelope)
}

/// The fields of a message.
struct Message<'m> {
    kind: Kind,
    lifetime: u32,
    issued_at_ms: u64,
    id: [u8; 16],
    payload: &'m [u8],
    /// The message without its signature, and the signature.
    signed: Option<(&'m [u8], &'m [u8])>,
}

/// Returns a field of the header.
fn field<const N: usize>(message: &[u8], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&message[at..at + N]);
    field
}

impl<'m> Message<'m> {
    fn parse(message: &'m [u8]) -> Result<Self> {
        let reason = "The message is too short. Check the sender.";
        check(message.len() >= HEADER_LENGTH, "malformed-message", reason)?;
        let reason = "The authentication is unknown. Update the receiver.";
        check(message[0] <= 1, "unsupported-authentication", reason)?;
        let reason = "The kind is unknown. Update the receiver.";
        let kind = Kind::numbered(message[1]).ok_or_else(|| Error::new("unsupported-kind", reason))?;
        let lifetime = u32::from_be_bytes(field(message, 4));
        let is_valid = (1..=MAXIMUM_LIFETIME).contains(&lifetime);
        check(is_valid, "malformed-message", "The lifetime isn't valid. Check the sender.")?;
        let is_signed = message[0] == 1;
        let start = HEADER_LENGTH + usize::from(u16::from_be_bytes(field(message, 2)));
        let end = message.len().checked_sub(if is_signed { SIGNER_LENGTH } else { 0 });
        let padding = end.and_then(|end| message.get(start..end));
        let padding =
            padding.ok_or_else(|| Error::new("malformed-message", "A length isn't valid. Check the sender."))?;
        let is_zero = padding.iter().all(|&byte| byte == 0);
        check(is_zero, "malformed-message", "The padding isn't zero. Check the sender.")?;
        Ok(Message {
            kind,
            lifetime,
            issued_at_ms: u64::from_be_bytes(field(message, 8)),
            id: field(message, 16),
            payload: &message[HEADER_LENGTH..start],
            signed: is_signed.then(|| message.split_at(message.len() - SIGNATURE_LENGTH)),
        })
    }
}

fn check_age(opened: &Opened, now_ms: u64) -> Result<()> {
    let lifetime = u64::from(opened.lifetime);
    let tolerance = lifetime.clamp(MINIMUM_TOLERANCE, MAXIMUM_TOLERANCE);
    // A Live Activity's values are opened at every rendering, and have no delivery date.
    let is_activity = matches!(opened.kind, Kind::ActivityState | Kind::ActivityAttributes);
    let is_late = now_ms.saturating_sub(opened.issued_at_ms) > (lifetime + tolerance) * 1000;
    check(is_activity || !is_late, "expired", "The message is too old. Check the clocks.")?;
    let is_early = opened.issued_at_ms.saturating_sub(now_ms) > MAXIMUM_TOLERANCE * 1000;
    check(!is_early, "issued-in-future", "The message is from the future. Check the clocks.")
}

/// Returns a payload that is strict JSON.
fn original(payload: &[u8]) -> Result<String> {
    Value::parse_object(payload)?;
    // A parsed object is UTF-8.
    Ok(String::from_utf8_lossy(payload).into_owned())
}
