'use strict';

const crypto = require('node:crypto');
const nacl = require('tweetnacl');
const { blake2b } = require('./blake2b.js');

const encode = (bytes) => Buffer.from(bytes).toString('base64url');

/** Returns undefined if the text isn't strict base64url without padding. */
function decode(text) {
  const bytes = Buffer.from(text, 'base64url');
  return encode(bytes) === text ? bytes : undefined; // Node skips other characters.
}

// Arithmetic on public keys only: BigInt isn't constant-time.
const PRIME = 2n ** 255n - 19n;
const GROUP_SIZE = 2n ** 252n + 27742317777372353535851937790883648493n;
const CURVE_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SMALL_ORDER = [
  0n, 1n, PRIME - 1n,
  0xb8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n,
  0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
];

const littleEndian = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const modulo = (number) => ((number % PRIME) + PRIME) % PRIME;

function power(base, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = modulo(result * result * (bit === '1' ? base : 1n));
  }
  return result;
}

/** Adds two points in extended coordinates (RFC 8032 section 5.1.4). */
function plus([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = modulo((y1 - x1) * (y2 - x2));
  const b = modulo((y1 + x1) * (y2 + x2));
  const c = modulo(2n * t1 * t2 * CURVE_D);
  const d = modulo(2n * z1 * z2);
  return [(b - a) * (d - c), (d + c) * (b + a), (d - c) * (d + c), (b - a) * (b + a)].map(modulo);
}

function isRecipientKey(bytes) {
  const number = littleEndian(bytes);
  return number < PRIME && !SMALL_ORDER.includes(number);
}

/** Returns true if the Ed25519 key is canonical, on the curve and of the main subgroup's order. */
function isVerificationKey(bytes) {
  const number = littleEndian(bytes);
  const y = BigInt.asUintN(255, number);
  const square = modulo((y * y - 1n) * power(modulo(CURVE_D * y * y + 1n), PRIME - 2n));
  let x = power(square, (PRIME + 3n) / 8n);
  if (modulo(x * x) !== square) x = modulo(x * power(2n, (PRIME - 1n) / 4n));
  // x = 0 belongs to the two points of order 1 and 2.
  if (y >= PRIME || x === 0n || modulo(x * x) !== square) return false;
  if ((x & 1n) !== number >> 255n) x = PRIME - x;
  let result = [0n, 1n, 1n, 0n];
  for (const bit of GROUP_SIZE.toString(2)) {
    result = plus(result, result);
    if (bit === '1') result = plus(result, [x, y, 1n, modulo(x * y)]);
  }
  return result[0] === 0n && result[1] === result[2];
}

/** Returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562). */
function apnsId(messageId) {
  const digest = blake2b(Buffer.concat([Buffer.from('pushcrypt/v1/apns-id\0'), messageId]), 16);
  digest[6] = (digest[6] & 0x0f) | 0x80;
  digest[8] = (digest[8] & 0x3f) | 0x80;
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Imports an X25519 secret key or an Ed25519 seed (RFC 8410). */
function importPrivateKey(curve, secret) {
  const prefix = { X25519: '302e020100300506032b656e04220420', Ed25519: '302e020100300506032b657004220420' }[curve];
  const der = Buffer.concat([Buffer.from(prefix, 'hex'), secret]);
  const key = crypto.createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}

/** Returns the 43 characters of the public key of a private key. */
const publicX = (privateKey) => crypto.createPublicKey(privateKey).export({ format: 'jwk' }).x;

/** Returns a sealed box. The ephemeral key pair must be new. */
function sealBox(message, recipient, { privateKey, ephemeral }) {
  const publicKey = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: encode(recipient) }, format: 'jwk' });
  const shared = crypto.diffieHellman({ privateKey, publicKey }); // OpenSSL rejects a secret of zeros.
  const key = new Uint8Array(32);
  nacl.lowlevel.crypto_core_hsalsa20(key, new Uint8Array(16), shared, Buffer.from('expand 32-byte k'));
  const nonce = blake2b(Buffer.concat([ephemeral, recipient]), 24);
  const box = nacl.secretbox(message, nonce, key);
  shared.fill(0);
  key.fill(0);
  return Buffer.concat([ephemeral, box]);
}

/** Returns a new key pair. Node can deadlock after thousands of public keys that it derives from private keys. */
function ephemeralKey() {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('x25519');
  return { privateKey, ephemeral: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) };
}

const sign = (privateKey, bytes) => crypto.sign(null, bytes, privateKey);

/** Returns true if the signature is valid. OpenSSL checks S, and compares encodings of R. */
function verify(x, bytes, signature) {
  // A valid key leaves one R of small order: the neutral element.
  if (signature.length !== 64 || littleEndian(signature.subarray(0, 32)) === 1n) return false;
  const key = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return crypto.verify(null, bytes, key, signature);
}

const sha256 = (text) => crypto.createHash('sha256').update(text).digest();

module.exports = {
  apnsId, blake2b, decode, encode, ephemeralKey, importPrivateKey, isRecipientKey, isVerificationKey, publicX,
  randomBytes: crypto.randomBytes, sealBox, sha256, sign, verify,
};
