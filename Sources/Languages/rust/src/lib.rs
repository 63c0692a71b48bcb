//! Seals APNs payloads for one device.
//!
//! ```no_run
//! use pushcrypt::{Options, Recipient, Sealer, SigningKeyring};
//!
//! # fn main() -> pushcrypt::Result<()> {
//! let sealer = Sealer::signed(SigningKeyring::read("server.jwks")?);
//! let device = Recipient::parse(b"dbMahsIgXNXKIfiZ-WIDpSmVpRwDIdKqc4EJJxuP2kA")?; // a registration, or a public key
//! let push = sealer.seal(br#"{"aps":{"alert":"Hello"}}"#, &device, &Options::default())?;
//! println!("{}", push.payload); // Send it with push.headers. Never send the payload itself.
//! # Ok(())
//! # }
//! ```
//!
//! All cryptography is libsodium's. Keys are overwritten when they are dropped.
//! Errors have the codes of the format, and contain neither content nor keys.
#![deny(missing_docs, unsafe_code, unsafe_op_in_unsafe_fn)]
#![warn(rust_2018_idioms)]

mod carriers;
#[cfg(feature = "check")]
pub mod check;
mod content;
mod error;
mod frame;
pub mod json;
mod jwk;
mod keyring;
mod keys;
mod names;
mod options;
mod original;
mod padding;
mod recipient;
mod registration;
mod request;
mod row;
mod scanner;
mod seal;
mod secret;
mod sodium;
mod text;
mod update;

pub use carriers::Carrier;
pub use error::{Error, Result};
pub use keyring::SigningKeyring;
pub use keys::{RecipientKey, SigningKey, MAXIMUM_LIFETIME};
pub use names::{ExposedMember, Padding, PushType};
pub use options::{Options, Placeholder};
pub use recipient::Recipient;
pub use registration::{device_token, Registration};
pub use request::CarrierRequest;
pub use row::{FormerKey, Row};
pub use seal::{Push, Sealer};
pub use update::RegistrationRequest;

/// The version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
