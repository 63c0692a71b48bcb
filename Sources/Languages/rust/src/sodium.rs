//! libsodium: its declarations, and safe functions around them. No other file has unsafe code.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use std::os::raw::{c_char, c_int, c_ulonglong, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Once;

#[link(name = "sodium")]
extern "C" {
    fn sodium_init() -> c_int;
    fn sodium_memzero(bytes: *mut c_void, length: usize);
    fn sodium_bin2base64(
        text: *mut c_char,
        text_capacity: usize,
        bytes: *const u8,
        length: usize,
        variant: c_int,
    ) -> *mut c_char;
    fn sodium_base642bin(
        bytes: *mut u8,
        capacity: usize,
        text: *const c_char,
        text_length: usize,
        ignored: *const c_char,
        length: *mut usize,
        end: *mut *const c_char,
        variant: c_int,
    ) -> c_int;
    fn randombytes_buf(bytes: *mut c_void, length: usize);
    fn crypto_hash_sha256(hash: *mut u8, bytes: *const u8, length: c_ulonglong) -> c_int;
    fn crypto_generichash(
        hash: *mut u8,
        hash_length: usize,
        bytes: *const u8,
        length: c_ulonglong,
        key: *const u8,
        key_length: usize,
    ) -> c_int;
    fn crypto_box_seal(sealed: *mut u8, message: *const u8, length: c_ulonglong, public: *const u8) -> c_int;
    #[cfg(feature = "check")]
    fn crypto_box_easy(
        sealed: *mut u8,
        message: *const u8,
        length: c_ulonglong,
        nonce: *const u8,
        public: *const u8,
        secret: *const u8,
    ) -> c_int;
    #[cfg(feature = "check")]
    fn crypto_scalarmult_base(public: *mut u8, secret: *const u8) -> c_int;
    fn crypto_sign_seed_keypair(public: *mut u8, secret: *mut u8, seed: *const u8) -> c_int;
    fn crypto_sign_detached(
        signature: *mut u8,
        signature_length: *mut c_ulonglong,
        text: *const u8,
        length: c_ulonglong,
        secret: *const u8,
    ) -> c_int;
}

/// The variant of base64url without padding.
const URLSAFE_NO_PADDING: c_int = 7;
/// The bytes by which a sealed box is longer than its message.
const BOX_OVERHEAD: usize = 48;

static START: Once = Once::new();
static STARTED: AtomicBool = AtomicBool::new(false);

/// Starts libsodium once. Keys can't be created before.
pub(crate) fn start() -> Result<()> {
    START.call_once(|| {
        // SAFETY: the function has no arguments, and returns a negative number if it fails.
        STARTED.store(unsafe { sodium_init() } >= 0, Ordering::Release);
    });
    if STARTED.load(Ordering::Acquire) {
        return Ok(());
    }
    Err(Error::new("sodium-unavailable", "libsodium couldn't start. Check its installation."))
}

/// Overwrites bytes with zeros. The compiler can't leave it out.
pub(crate) fn wipe(bytes: &mut [u8]) {
    // SAFETY: the pointer and the length are those of a slice that is borrowed mutably.
    unsafe { sodium_memzero(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Returns bytes in base64url without padding, in constant time.
pub(crate) fn encode_base64(bytes: &[u8]) -> String {
    let length = (bytes.len() * 4 + 2) / 3;
    let mut text = vec![0_u8; length + 1];
    // SAFETY: the text has room for all characters and the zero byte at its end.
    unsafe {
        let start = text.as_mut_ptr().cast();
        sodium_bin2base64(start, text.len(), bytes.as_ptr(), bytes.len(), URLSAFE_NO_PADDING);
    }
    text.truncate(length);
    // All characters of base64url are ASCII.
    String::from_utf8(text).unwrap_or_default()
}

/// Decodes strict base64url without padding in constant time. Returns the number of bytes, or `None` if it isn't valid.
pub(crate) fn decode_base64(text: &str, bytes: &mut [u8]) -> Option<usize> {
    // libsodium reads a byte above 7f as another character.
    if !text.is_ascii() {
        return None;
    }
    let mut length = 0;
    // SAFETY: both pointers come with their lengths. Without `end`, libsodium rejects text that isn't read completely.
    let status = unsafe {
        sodium_base642bin(
            bytes.as_mut_ptr(),
            bytes.len(),
            text.as_ptr().cast(),
            text.len(),
            std::ptr::null(),
            &mut length,
            std::ptr::null_mut(),
            URLSAFE_NO_PADDING,
        )
    };
    (status == 0).then_some(length)
}

/// Fills bytes from the system's random generator.
pub(crate) fn fill_random(bytes: &mut [u8]) {
    // SAFETY: the pointer and the length are those of a slice that is borrowed mutably.
    unsafe { randombytes_buf(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Returns SHA-256.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    // SAFETY: the hash has 32 bytes. The function always returns zero.
    unsafe { crypto_hash_sha256(hash.as_mut_ptr(), bytes.as_ptr(), bytes.len() as c_ulonglong) };
    hash
}

/// Returns BLAKE2b without a key. The digest has 16 to 64 bytes.
pub(crate) fn blake2b<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut hash = [0; N];
    let length = bytes.len() as c_ulonglong;
    // SAFETY: each pointer comes with its length, and no key can be null. libsodium checks the lengths.
    unsafe { crypto_generichash(hash.as_mut_ptr(), N, bytes.as_ptr(), length, std::ptr::null(), 0) };
    hash
}

/// Returns the sealed box of a message under a new ephemeral key, or `None` for a public key of small order.
pub(crate) fn seal_box(message: &[u8], public: &[u8; 32]) -> Option<Vec<u8>> {
    let mut sealed = vec![0; message.len() + BOX_OVERHEAD];
    let length = message.len() as c_ulonglong;
    // SAFETY: the box has room for the message and 48 more bytes, and the key has 32 bytes.
    let status = unsafe { crypto_box_seal(sealed.as_mut_ptr(), message.as_ptr(), length, public.as_ptr()) };
    (status == 0).then_some(sealed)
}

/// Returns the sealed box under a fixed ephemeral key. Two messages would have one key stream: it is for vectors only.
#[cfg(feature = "check")]
pub(crate) fn seal_box_with(ephemeral: &[u8; 32], message: &[u8], public: &[u8; 32]) -> Option<Vec<u8>> {
    let ephemeral_public = x25519_public(ephemeral);
    let nonce: [u8; 24] = blake2b(&[ephemeral_public, *public].concat());
    let mut sealed = ephemeral_public.to_vec();
    sealed.resize(message.len() + BOX_OVERHEAD, 0);
    let length = message.len() as c_ulonglong;
    // SAFETY: after the ephemeral key, the box has room for the message and 16 more bytes. The keys have 32 bytes.
    let status = unsafe {
        let start = sealed.as_mut_ptr().add(32);
        crypto_box_easy(start, message.as_ptr(), length, nonce.as_ptr(), public.as_ptr(), ephemeral.as_ptr())
    };
    (status == 0).then_some(sealed)
}

/// Returns the X25519 public key of a secret key.
#[cfg(feature = "check")]
pub(crate) fn x25519_public(secret: &[u8; 32]) -> [u8; 32] {
    let mut public = [0; 32];
    // SAFETY: both keys have 32 bytes. The function always returns zero.
    unsafe { crypto_scalarmult_base(public.as_mut_ptr(), secret.as_ptr()) };
    public
}

/// Writes the Ed25519 secret key of a seed, and returns the public key.
pub(crate) fn ed25519_pair(seed: &[u8; 32], secret: &mut [u8; 64]) -> [u8; 32] {
    let mut public = [0; 32];
    // SAFETY: the keys have 32 and 64 bytes, and the seed has 32. The function always returns zero.
    unsafe { crypto_sign_seed_keypair(public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr()) };
    public
}

/// Returns the Ed25519 signature of a text.
pub(crate) fn sign(text: &[u8], secret: &[u8; 64]) -> [u8; 64] {
    let mut signature = [0; 64];
    let length = text.len() as c_ulonglong;
    // SAFETY: the signature and the key have 64 bytes. The pointer to a length can be null. It always returns zero.
    unsafe {
        crypto_sign_detached(signature.as_mut_ptr(), std::ptr::null_mut(), text.as_ptr(), length, secret.as_ptr())
    };
    signature
}
