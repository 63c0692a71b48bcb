use crate::carriers::Carrier;
use crate::error::{check, Error, Result};
use crate::json::{quote, Member, Value};
use crate::keys::MAXIMUM_INTEGER;
use crate::recipient::Recipient;
use crate::registration::{Registration, MALFORMED};
use crate::sodium;
use crate::text::is_thumbprint;

/// A key that a device has replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerKey {
    /// The thumbprint.
    pub kid: String,
    /// The time of the registration that has replaced it, in milliseconds since 1970-01-01 UTC.
    pub replaced_ms: u64,
}

/// A server's row of a device. A row of a newer version is read, and never replaced: the error is `newer-format`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The server's name of the account.
    pub account: String,
    /// The device token.
    pub device_token: String,
    /// The time of the registration in milliseconds since 1970-01-01 UTC.
    pub registered_ms: u64,
    /// The registration.
    pub registration: Registration,
    /// The keys that the device has replaced, the newest first.
    pub former_keys: Vec<FormerKey>,
    /// The time of the proof of possession that another language has stored, in milliseconds since 1970-01-01 UTC.
    pub proved_ms: Option<u64>,
    /// The service that delivers to the token.
    pub carrier: Carrier,
    /// Whether a newer version has written the row.
    pub is_newer: bool,
}

const KNOWN: [&str; 7] = ["account", "carrier", "deviceToken", "formerKeys", "proved", "registered", "registration"];
const KNOWN_OF_REGISTRATION: [&str; 5] = ["created", "generation", "key", "lifetime", "signers"];
const KNOWN_OF_KEY: [&str; 5] = ["crv", "kid", "kty", "use", "x"];
const KNOWN_OF_FORMER_KEY: [&str; 2] = ["kid", "replaced"];

/// Returns whether a row has another version, or a member that this version doesn't know.
fn is_newer(row: &Value<'_>) -> bool {
    let unknown =
        |object: &Value<'_>, known: &[&str]| object.members().iter().any(|each| !known.contains(&&*each.name));
    let is_version = |member: &Member<'_>| member.name == "version" && member.value.integer(1, 1).is_some();
    let registration = row.get("registration");
    row.members().iter().any(|each| !KNOWN.contains(&&*each.name) && !is_version(each))
        || registration.map_or(false, |object| unknown(object, &KNOWN_OF_REGISTRATION))
        || registration.and_then(|object| object.get("key")).map_or(false, |object| unknown(object, &KNOWN_OF_KEY))
        || row
            .get("formerKeys")
            .map_or(false, |keys| keys.items().iter().any(|each| unknown(each, &KNOWN_OF_FORMER_KEY)))
}

fn malformed() -> Error {
    Error::new(MALFORMED, "The row isn't valid. Restore it from a backup, or delete it.")
}

impl Row {
    /// Parses the row's text in the database.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let object = Value::parse_with_code(text, MALFORMED)?;
        let text_of = |name: &str| object.member_text(name).map(str::to_string).ok_or_else(malformed);
        let (account, token) = (text_of("account")?, text_of("deviceToken")?);
        let registered_ms = object.member_integer("registered", 0, MAXIMUM_INTEGER).ok_or_else(malformed)?;
        let carrier = match object.get("carrier") {
            Some(_) => Carrier::named(text_of("carrier")?),
            None => Carrier::default(),
        };
        let proved = object.get("proved");
        let proved_ms = proved.map(|proved| proved.integer(0, MAXIMUM_INTEGER).ok_or_else(malformed)).transpose()?;
        let device_token = carrier.stored_token(&token)?;
        let registration = Registration::read(object.get("registration").ok_or_else(malformed)?)?;
        let former_keys = object.get("formerKeys").map(read_former_keys).transpose()?.unwrap_or_default();
        Ok(Row {
            account,
            device_token,
            registered_ms,
            registration,
            former_keys,
            proved_ms,
            carrier,
            is_newer: is_newer(&object),
        })
    }

    /// Fails with `newer-format` if a newer version has written the row.
    pub(crate) fn check_version(&self) -> Result<()> {
        let reason = "A newer version of PushCrypt has written the row, so it isn't changed. Update this program.";
        check(!self.is_newer, "newer-format", reason)
    }

    /// Returns the row's text for the database. Fails with `newer-format` for a row of a newer version.
    pub fn to_json(&self) -> Result<String> {
        self.check_version()?;
        let mut members = vec![format!("\"account\":{}", quote(&self.account))];
        if self.carrier != Carrier::default() {
            members.push(format!("\"carrier\":{}", quote(self.carrier.name())));
        }
        members.push(format!("\"deviceToken\":{}", quote(&self.device_token)));
        if !self.former_keys.is_empty() {
            let text = |key: &FormerKey| format!(r#"{{"kid":"{}","replaced":{}}}"#, key.kid, key.replaced_ms);
            let keys: Vec<String> = self.former_keys.iter().map(text).collect();
            members.push(format!("\"formerKeys\":[{}]", keys.join(",")));
        }
        members.extend(self.proved_ms.map(|proved| format!("\"proved\":{proved}")));
        members.push(format!("\"registered\":{}", self.registered_ms));
        members.push(format!("\"registration\":{}", registration_json(&self.registration)));
        Ok(format!("{{{}}}", members.join(",")))
    }

    /// Returns the device's key, with its lifetime, signers and carrier.
    pub fn recipient(&self) -> Recipient {
        Recipient { carrier: Some(self.carrier.clone()), ..Recipient::from(self.registration.clone()) }
    }
}

fn read_former_keys(value: &Value<'_>) -> Result<Vec<FormerKey>> {
    if !value.is_array() {
        return Err(malformed());
    }
    let read = |entry: &Value<'_>| {
        let kid = entry.member_text("kid").filter(|kid| is_thumbprint(kid)).ok_or_else(malformed)?.to_string();
        let replaced_ms = entry.member_integer("replaced", 0, MAXIMUM_INTEGER).ok_or_else(malformed)?;
        Ok(FormerKey { kid, replaced_ms })
    };
    value.items().iter().map(read).collect()
}

fn registration_json(registration: &Registration) -> String {
    let Registration { created, generation, key, lifetime, signers } = registration;
    let (kid, x) = (key.thumbprint(), sodium::encode_base64(key.bytes()));
    let jwk = format!(r#"{{"kty":"OKP","crv":"X25519","use":"enc","kid":"{kid}","x":"{x}"}}"#);
    let signers = match signers {
        Some(signers) => format!(",\"signers\":[\"{}\"]", signers.join("\",\"")),
        None => String::new(),
    };
    format!(r#"{{"created":{created},"generation":{generation},"key":{jwk},"lifetime":{lifetime}{signers}}}"#)
}
