//! Runs the test vectors. A vector's request fixes the time and the random values, so don't seal messages with it.

mod devices;
mod sealing;
mod vectors;

use crate::error::{Error, Result};
use crate::json::{quote, Value};
use crate::keyring::SigningKeyring;
use crate::keys::{RecipientKey, SigningKey};
use crate::sodium;
use crate::text::decode_base64;
pub use sealing::{carrier_answer, headers, Settings};
pub use vectors::{run, Summary};

/// The members of an answer, with values in JSON.
pub type Answer = Vec<(&'static str, String)>;

/// Returns an object in JSON.
pub fn object<N: AsRef<str>>(members: &[(N, String)]) -> String {
    let texts: Vec<_> = members.iter().map(|(name, value)| format!("{}:{value}", quote(name.as_ref()))).collect();
    format!("{{{}}}", texts.join(","))
}

/// Returns an array of strings in JSON.
pub fn array<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<_> = texts.into_iter().map(|text| quote(text.as_ref())).collect();
    format!("[{}]", texts.join(","))
}

/// Returns the answer to a request, in JSON. The actions come before those of the vectors.
pub fn answer(line: &str, actions: impl Fn(&Request<'_>) -> Option<Result<Answer>>) -> Result<String> {
    let request = Request(Value::parse_object(line.as_bytes())?);
    let answer = actions(&request).unwrap_or_else(|| request.answer());
    Ok(match answer {
        Ok(members) => object(&members),
        Err(error) => request.failure(&error),
    })
}

/// A request of a vector.
pub struct Request<'a>(pub Value<'a>);

impl<'a> Request<'a> {
    /// Returns the text of a member, which is empty if the member is missing.
    pub fn text(&self, name: &str) -> &str {
        self.0.member_text(name).unwrap_or("")
    }

    /// Returns the text of a member, if the member is a string.
    pub fn optional(&self, name: &str) -> Option<&str> {
        self.0.member_text(name)
    }

    /// Returns a nonnegative integer, if the member is one.
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.0.member_integer(name, 0, u64::MAX)
    }

    fn required_integer(&self, name: &str) -> Result<u64> {
        self.integer(name).ok_or_else(|| Error::new("invalid-configuration", format!("\"{name}\" isn't an integer.")))
    }

    fn is_true(&self, name: &str) -> bool {
        self.0.get(name).map_or(false, |value| value.raw == "true")
    }

    /// Returns the texts of an array of strings.
    pub fn texts(&self, name: &str) -> Vec<String> {
        let items = self.0.get(name).map_or(&[][..], Value::items);
        items.iter().filter_map(Value::text).map(str::to_string).collect()
    }

    fn items(&self, name: &str) -> &[Value<'a>] {
        self.0.get(name).map_or(&[][..], Value::items)
    }

    fn failure(&self, error: &Error) -> String {
        let mut members = vec![("fails", quote(error.code()))];
        members.extend(error.generation().map(|generation| ("generation", generation.to_string())));
        if self.is_true("reason") {
            members.push(("reason", quote(error.reason())));
        }
        object(&members)
    }

    fn answer(&self) -> Result<Answer> {
        match self.text("do") {
            "key" => self.key(),
            "choice" => self.choice(),
            "registration" => self.registration(),
            "token" => Ok(vec![("stored", quote(&crate::device_token(self.text("text"))?))]),
            "update" | "row" => self.update(),
            "seal" => self.seal(),
            "pad" => self.pad(),
            "request" => self.carrier_request(),
            "limit" => self.limit(),
            "apns-id" => self.apns_id(),
            _ => Err(Error::new("invalid-configuration", "The action isn't known.")),
        }
    }

    fn key(&self) -> Result<Answer> {
        let text = self.text("text").as_bytes();
        let (thumbprint, id) = match self.text("kind") {
            "recipient-public" => RecipientKey::parse(text).map(|key| (key.thumbprint(), key.id()))?,
            _ => SigningKey::parse(text).map(|key| (key.thumbprint(), key.id()))?,
        };
        Ok(vec![("thumbprint", quote(&thumbprint)), ("key_id", quote(&sodium::encode_base64(&id)))])
    }

    fn choice(&self) -> Result<Answer> {
        let keyring = SigningKeyring::parse(self.text("keyring").as_bytes())?;
        let signers = self.0.get("signers").filter(|value| value.is_array()).map(|_| self.texts("signers"));
        let key = keyring.key_for(signers.as_deref())?;
        Ok(vec![("kid", quote(&key.thumbprint()))])
    }
}

/// Returns the bytes of a vector's base64url.
fn bytes<const N: usize>(text: &str) -> Result<[u8; N]> {
    let bytes = decode_base64(text).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| Error::new("invalid-configuration", "A fixed value has another length."))
}
