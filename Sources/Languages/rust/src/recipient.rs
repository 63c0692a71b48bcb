use crate::carriers::Carrier;
use crate::error::Result;
use crate::json::Value;
use crate::keys::{RecipientKey, MAXIMUM_LIFETIME};
use crate::registration::Registration;

/// A device to seal for.
#[derive(Clone, Debug)]
pub struct Recipient {
    pub(crate) key: RecipientKey,
    pub(crate) lifetime: u32,
    pub(crate) signers: Option<Vec<String>>,
    /// The carrier of a row. A key or a registration alone has none.
    pub(crate) carrier: Option<Carrier>,
}

impl Recipient {
    /// Parses a registration, a JWK, a JWK Set or the 43 characters of the raw key.
    pub fn parse(text: &[u8]) -> Result<Self> {
        if let Ok(object) = Value::parse_object(text) {
            if object.get("key").is_some() {
                return Registration::read(&object).map(Recipient::from);
            }
        }
        RecipientKey::parse(text).map(Recipient::from)
    }
}

impl From<RecipientKey> for Recipient {
    fn from(key: RecipientKey) -> Self {
        Recipient { key, lifetime: MAXIMUM_LIFETIME, signers: None, carrier: None }
    }
}

impl From<Registration> for Recipient {
    fn from(registration: Registration) -> Self {
        let Registration { key, lifetime, signers, .. } = registration;
        Recipient { key, lifetime, signers, carrier: None }
    }
}
