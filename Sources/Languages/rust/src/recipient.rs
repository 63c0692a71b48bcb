use crate::carriers::Carrier;
use crate::error::Result;
use crate::json::Value;
use crate::keys::{RecipientKey, MAXIMUM_LIFETIME};
use crate::registration::Registration;

/// The time in milliseconds for which rows from before proofs are accepted.
const UNPROVED_PERIOD_MS: u64 = 30 * 24 * 3600 * 1000;

/// A device to seal for.
#[derive(Clone, Debug)]
pub struct Recipient {
    pub(crate) key: RecipientKey,
    pub(crate) lifetime: u32,
    pub(crate) signers: Option<Vec<String>>,
    /// A key or a registration alone has no row, and so no proof.
    pub(crate) row: Option<RowState>,
}

/// The parts of a row that a sealer checks.
#[derive(Clone, Debug)]
pub(crate) struct RowState {
    pub carrier: Carrier,
    pub registered_ms: u64,
    pub proved_ms: Option<u64>,
}

impl RowState {
    /// Reports whether a sender accepts the row while proofs are on.
    pub fn is_proved(&self, since_ms: u64, now_ms: u64) -> bool {
        let is_earlier = self.registered_ms < since_ms && now_ms < since_ms.saturating_add(UNPROVED_PERIOD_MS);
        self.proved_ms.is_some() || is_earlier
    }
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
        Recipient { key, lifetime: MAXIMUM_LIFETIME, signers: None, row: None }
    }
}

impl From<Registration> for Recipient {
    fn from(registration: Registration) -> Self {
        let Registration { key, lifetime, signers, .. } = registration;
        Recipient { key, lifetime, signers, row: None }
    }
}
