use pushcrypt::{device_token, RegistrationRequest, Result, Row};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The rows of all devices, as text by user and token.
///
/// Use a table of your database, and one transaction for each registration.
#[derive(Default)]
pub struct Devices {
    texts: Mutex<HashMap<(String, String), String>>,
}

fn rows(texts: &HashMap<(String, String), String>, user: &str) -> Result<Vec<Row>> {
    let own = texts.iter().filter(|((owner, _), _)| owner == user);
    own.map(|(_, text)| Row::parse(text.as_bytes())).collect()
}

impl Devices {
    /// Returns the rows of a user.
    pub fn of(&self, user: &str) -> Result<Vec<Row>> {
        rows(&self.texts.lock().unwrap_or_else(PoisonError::into_inner), user)
    }

    /// Stores the row of a registration, or keeps the known one after an error.
    pub fn register(&self, user: &str, token: &str, registration: &[u8]) -> Result<Row> {
        let token = device_token(token)?;
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, others): (Vec<Row>, Vec<Row>) =
            rows(&texts, user)?.into_iter().partition(|row| row.device_token == token);
        let request = RegistrationRequest {
            known: known.first(),
            others: &others,
            ..RegistrationRequest::new(registration, &token, user)?
        };
        let row = request.accept()?;
        texts.insert((user.to_string(), token), row.to_json()?);
        Ok(row)
    }
}
