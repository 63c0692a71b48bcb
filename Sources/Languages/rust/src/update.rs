//! The update rule of a server's rows.

use crate::carriers::Carrier;
use crate::error::{check, Error, Result};
use crate::registration::{Registration, MALFORMED};
use crate::row::{FormerKey, Row};
use crate::seal;
use std::cmp::Reverse;

const FORMER_PERIOD_MS: u64 = 60 * 24 * 3600 * 1000;
const FORMER_LIMIT: usize = 64;
const FIRST_GENERATION_LIMIT: u64 = 1 << 52;
const GENERATION_STEP_LIMIT: u64 = 1 << 32;

/// A registration that arrives at a server.
#[derive(Clone, Debug)]
pub struct RegistrationRequest<'r> {
    /// The registration as the device has sent it.
    pub text: &'r [u8],
    /// The device token of the request.
    pub token: &'r str,
    /// The account of the session, which is empty without accounts.
    pub account: &'r str,
    /// The time of the request in milliseconds since 1970-01-01 UTC.
    pub now_ms: u64,
    /// The row of the token, as [`device_token`](crate::device_token) returns it, and the account.
    pub known: Option<&'r Row>,
    /// The account's other rows.
    pub others: &'r [Row],
    /// The service that delivers to the token.
    pub carrier: Carrier,
}

impl<'r> RegistrationRequest<'r> {
    /// Creates the first registration of a device of APNs that arrives now.
    pub fn new(text: &'r [u8], token: &'r str, account: &'r str) -> Result<Self> {
        let (now_ms, carrier) = (seal::now_ms()?, Carrier::default());
        Ok(RegistrationRequest { text, token, account, now_ms, known: None, others: &[], carrier })
    }

    /// Returns the row to store. Call it in a transaction.
    ///
    /// Keep the known row after an error.
    /// After `stale-generation`, answer with the error's generation.
    pub fn accept(&self) -> Result<Row> {
        let mut row = Row {
            account: self.account.to_string(),
            device_token: self.carrier.stored_token(self.token)?,
            registered_ms: self.now_ms,
            registration: Registration::parse(self.text)?,
            former_keys: Vec::new(),
            proved_ms: None,
            carrier: self.carrier.clone(),
            is_newer: false,
        };
        self.check_rows(&row)?;
        self.known.map_or(Ok(()), Row::check_version)?;
        let same = self.known.filter(|known| known.registration == row.registration);
        row.proved_ms = same.and_then(|known| known.proved_ms);
        check_generation(&row.registration, self.known)?;
        let kid = row.registration.key.thumbprint();
        if current_keys(self.rows(), self.now_ms).iter().any(|former| former.kid == kid) {
            let reason = "The key is a former key of the account. Register another key.";
            return Err(Error::stale(row.registration.generation, reason));
        }
        row.former_keys = self.former_keys(&row);
        Ok(row)
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.known.into_iter().chain(self.others)
    }

    fn check_rows(&self, row: &Row) -> Result<()> {
        let is_same_device = |known: &Row| known.device_token == row.device_token && known.carrier == row.carrier;
        let is_valid = self.known.map_or(true, is_same_device) && self.rows().all(|each| each.account == self.account);
        check(is_valid, MALFORMED, "A row has another token or account. Look it up by both.")
    }

    /// Returns the former keys of the new row. A first row takes over those of the others.
    fn former_keys(&self, row: &Row) -> Vec<FormerKey> {
        let mut current = match self.known {
            None => current_keys(self.others.iter(), self.now_ms),
            Some(known) => {
                let mut known = known.clone();
                if known.registration.key != row.registration.key {
                    let kid = known.registration.key.thumbprint();
                    known.former_keys.push(FormerKey { kid, replaced_ms: self.now_ms });
                }
                current_keys(std::iter::once(&known), self.now_ms)
            }
        };
        current.truncate(FORMER_LIMIT);
        current
    }
}

fn check_generation(new: &Registration, row: Option<&Row>) -> Result<()> {
    let (known, is_stale) = match row.map(|row| &row.registration) {
        None => (0, new.generation > FIRST_GENERATION_LIMIT),
        Some(known) => {
            let is_same = new.key == known.key && new.lifetime == known.lifetime && new.signers == known.signers;
            let is_stale = match new.generation.checked_sub(known.generation) {
                None => true,
                Some(0) => !is_same,
                Some(step) => step > GENERATION_STEP_LIMIT,
            };
            (known.generation, is_stale)
        }
    };
    if is_stale {
        return Err(Error::stale(known, "The registration doesn't follow the known one. Register again."));
    }
    Ok(())
}

/// Returns the former keys of the last 60 days, the newest of each key, the newest first.
fn current_keys<'r>(rows: impl Iterator<Item = &'r Row>, now_ms: u64) -> Vec<FormerKey> {
    let is_current = |key: &&FormerKey| key.replaced_ms + FORMER_PERIOD_MS > now_ms;
    let mut keys: Vec<FormerKey> = rows.flat_map(|row| &row.former_keys).filter(is_current).cloned().collect();
    keys.sort_by(|first, second| {
        (Reverse(first.replaced_ms), &first.kid).cmp(&(Reverse(second.replaced_ms), &second.kid))
    });
    let mut seen = std::collections::HashSet::new();
    keys.retain(|key| seen.insert(key.kid.clone()));
    keys
}
