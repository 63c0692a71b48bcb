use std::fmt;

/// The result of functions that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure with a code for programs and a reason for people. Neither contains content or keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    reason: String,
    generation: Option<u64>,
}

impl Error {
    /// Creates an error.
    pub fn new(code: &'static str, reason: impl Into<String>) -> Self {
        Error { code, reason: reason.into(), generation: None }
    }

    pub(crate) fn stale(generation: u64, reason: &str) -> Self {
        Error { generation: Some(generation), ..Error::new("stale-generation", reason) }
    }

    /// Returns the code, which is stable.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the reason in English. Its wording may change.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Returns the generation to answer if the code is `stale-generation`.
    pub fn generation(&self) -> Option<u64> {
        self.generation
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} [{}]", self.reason, self.code)
    }
}

impl std::error::Error for Error {}

/// Returns an error unless a condition is met.
pub(crate) fn check(condition: bool, code: &'static str, reason: &str) -> Result<()> {
    if condition {
        return Ok(());
    }
    Err(Error::new(code, reason))
}
