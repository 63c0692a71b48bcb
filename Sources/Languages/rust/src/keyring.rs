use crate::error::{check, Error, Result};
use crate::json::Value;
use crate::jwk::MALFORMED;
use crate::keys::{SigningKey, MAXIMUM_INTEGER, MAXIMUM_LIFETIME};
use crate::secret::SecretText;
use std::cmp::Reverse;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The keys of a server that sign: the primary key, and then retired keys, the newest first.
#[derive(Debug)]
pub struct SigningKeyring {
    keys: Vec<SigningKey>,
}

impl From<SigningKey> for SigningKeyring {
    fn from(key: SigningKey) -> Self {
        SigningKeyring { keys: vec![key] }
    }
}

fn file_error(problem: io::Error) -> Error {
    match problem.kind() {
        io::ErrorKind::NotFound => Error::new("file-not-found", "The keyring doesn't exist. Correct its path."),
        _ => {
            Error::new("file-system-error", format!("The keyring can't be read: {problem}. Correct its path or mode."))
        }
    }
}

fn is_same(first: &Metadata, second: &Metadata) -> bool {
    (first.dev(), first.ino()) == (second.dev(), second.ino())
}

impl SigningKeyring {
    /// Reads a server's keyring file.
    ///
    /// It rejects a link, and a file that others can access. Give the text of a mounted secret to
    /// [`parse`](SigningKeyring::parse).
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let status = fs::symlink_metadata(&path).map_err(file_error)?; // Opening a pipe would block.
        let reason = "The keyring isn't a file, or others can access it. Set its mode to 0600.";
        check(status.is_file() && status.mode() & 0o077 == 0, "insecure-file", reason)?;
        let mut file = File::open(&path).map_err(file_error)?;
        let opened = file.metadata().map_err(file_error)?;
        let reason = "Another process has replaced the keyring. Try again.";
        check(is_same(&status, &opened), "insecure-file", reason)?;
        // With enough room, reading leaves no copy in the memory.
        let capacity = usize::try_from(opened.len()).unwrap_or(0).saturating_add(64);
        let mut text = SecretText(Vec::with_capacity(capacity));
        file.read_to_end(&mut text.0).map_err(file_error)?;
        SigningKeyring::parse(&text.0)
    }

    /// Parses a server's keyring without a passphrase.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let set = Value::parse_with_code(text, MALFORMED)?;
        let reason = "The keyring has a passphrase. Give one without a passphrase.";
        check(set.get("protection").is_none(), "passphrase-required", reason)?;
        let items = set.get("keys").map_or(&[][..], Value::items);
        check(!items.is_empty(), MALFORMED, "The keyring has no keys. Give a JWK Set.")?;
        let mut entries: Vec<Entry> = Vec::new();
        for item in items {
            let entry = Entry::read(item)?;
            let is_new = entries.iter().all(|each| each.key.thumbprint() != entry.key.thumbprint());
            check(is_new, "duplicate-key", "A key occurs twice. Restore the keyring.")?;
            entries.push(entry);
        }
        let primaries = entries.iter().filter(|entry| entry.state == State::Primary).count();
        check(primaries <= 1, "multiple-primary-keys", "Two keys are primary. Restore the keyring.")?;
        let is_valid = set.member_integer("generation", 1, MAXIMUM_INTEGER).is_some()
            && entries.iter().all(|entry| entry.has_valid_numbers);
        let reason = "A number is missing or out of range. Restore the keyring.";
        check(is_valid, "malformed-keyring", reason)?;
        check(primaries == 1, "no-primary-key", "The keyring has no primary key. Restore the keyring.")?;
        entries.retain(|entry| entry.state != State::Pending);
        entries.sort_by_key(|entry| (entry.state != State::Primary, Reverse(entry.retired)));
        Ok(SigningKeyring { keys: entries.into_iter().map(|entry| entry.key).collect() })
    }

    /// Returns the first key that a device accepts.
    ///
    /// The signers are thumbprints. Without them, it is the primary key. The error is `no-accepted-key`.
    pub fn key_for(&self, signers: Option<&[String]>) -> Result<&SigningKey> {
        let is_accepted = |key: &&SigningKey| signers.map_or(true, |signers| signers.contains(&key.thumbprint()));
        let reason = "The device accepts no key of the keyring. Send the bare placeholder.";
        self.keys.iter().find(is_accepted).ok_or_else(|| Error::new("no-accepted-key", reason))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Primary,
    Pending,
    Retired,
}

/// An element of a keyring.
struct Entry {
    key: SigningKey,
    state: State,
    retired: Option<u64>,
    has_valid_numbers: bool,
}

impl Entry {
    fn read(jwk: &Value<'_>) -> Result<Entry> {
        let key = SigningKey::read(jwk)?;
        let (kid, state) = match (jwk.member_text("kid"), jwk.member_text("state")) {
            (Some(kid), Some(state)) => (kid, state),
            _ => {
                return Err(Error::new(
                    MALFORMED,
                    "\"kid\" or \"state\" is missing or isn't a string. Restore the keyring.",
                ))
            }
        };
        let reason = "A \"kid\" isn't the key's thumbprint. Restore the keyring.";
        check(kid == key.thumbprint(), "thumbprint-mismatch", reason)?;
        let state = match state {
            "primary" => State::Primary,
            "pending" => State::Pending,
            "retired" => State::Retired,
            _ => return Err(Error::new("unknown-key-state", "A \"state\" is unknown. Restore the keyring.")),
        };
        let retired = jwk.member_integer("retired", 0, MAXIMUM_INTEGER);
        let has_valid_numbers = jwk.member_integer("created", 0, MAXIMUM_INTEGER).is_some()
            && (retired.is_some() || state != State::Retired)
            && (jwk.get("lifetime").is_none()
                || jwk.member_integer("lifetime", 1, u64::from(MAXIMUM_LIFETIME)).is_some());
        Ok(Entry { key, state, retired, has_valid_numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::SigningKeyring;

    #[test]
    fn errors_of_files_have_codes() {
        let code = |path: &str| SigningKeyring::read(path).map_err(|error| error.code()).err();
        assert_eq!(code("/missing/server.jwks"), Some("file-not-found"));
        assert_eq!(code("/"), Some("insecure-file"));
        assert_eq!(code("/dev/zero"), Some("insecure-file"));
    }
}
