use crate::sodium;
use std::fmt;

/// Bytes that are overwritten when they are dropped. They stay at one place of the memory.
pub(crate) struct Secret<const N: usize>(Box<[u8; N]>);

impl<const N: usize> Secret<N> {
    /// Creates zeros, which a function fills in place.
    pub fn filled<T>(fill: impl FnOnce(&mut [u8; N]) -> T) -> (Self, T) {
        let mut secret = Secret(Box::new([0; N]));
        let result = fill(&mut secret.0);
        (secret, result)
    }

    pub fn bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        sodium::wipe(&mut self.0[..]);
    }
}

impl<const N: usize> fmt::Debug for Secret<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// A text with secrets, which is overwritten when it is dropped.
pub(crate) struct SecretText(pub Vec<u8>);

impl Drop for SecretText {
    fn drop(&mut self) {
        sodium::wipe(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sealer;

    #[test]
    fn secrets_are_not_printed() {
        let (secret, ()) = Secret::<4>::filled(|bytes| *bytes = *b"text");
        assert_eq!((secret.bytes(), format!("{secret:?}")), (b"text", "Secret".to_string()));
    }

    #[test]
    fn wiped_bytes_are_zero() {
        let mut bytes = *b"secret";
        sodium::wipe(&mut bytes);
        assert_eq!(bytes, [0; 6]);
    }

    #[test]
    fn threads_can_share_what_has_secrets() {
        fn expect_shared<T: Send + Sync>() {}
        expect_shared::<Sealer>();
    }
}
