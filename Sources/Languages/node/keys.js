'use strict';

const crypto = require('./crypto.js');
const { check, get, parse, trim } = require('./strict-json.js');

const MAXIMUM_LIFETIME = 2592000;
const MAXIMUM_SIGNERS = 64;
const USES = new Map([['X25519', 'enc'], ['Ed25519', 'sig']]); // An object also has inherited members.

/** A validated X25519 key of a device, or a validated Ed25519 key of a server. */
class PublicKey {
  constructor(curve, bytes) {
    check(bytes?.length === 32, 'malformed-jwk', "The key isn't 32 bytes in base64url without padding. Check the key.");
    const isValid = curve === 'X25519' ? crypto.isRecipientKey(bytes) : crypto.isVerificationKey(bytes);
    check(isValid, 'invalid-key', "The key isn't canonical, has small order or isn't on the curve. Check the key.");
    this.curve = curve;
    this.bytes = bytes;
    this.x = crypto.encode(bytes);
    const hash = crypto.sha256(`{"crv":"${curve}","kty":"OKP","x":"${this.x}"}`);
    /** The RFC 7638 thumbprint. */
    this.thumbprint = crypto.encode(hash);
    this.id = hash.subarray(0, 8);
  }

  /** Parses a device's public key: a JWK, a JWK Set or the 43 characters of the raw key. */
  static parseRecipient(text) {
    return parsePublicKey(text, 'X25519');
  }

  /** Parses a server's public key, in the same forms. */
  static parseVerification(text) {
    return parsePublicKey(text, 'Ed25519');
  }
}

/** A key pair: X25519 of a device, or Ed25519 of a server. */
class PrivateKey {
  #key;

  constructor(publicKey, key) {
    this.publicKey = publicKey;
    this.#key = key;
  }

  sign(bytes) {
    check(this.publicKey.curve === 'Ed25519', 'wrong-key-type', "The key doesn't sign. Give an Ed25519 key.");
    return crypto.sign(this.#key, bytes);
  }

  static parseDevice(text) {
    return readPrivate(parse(text, 'malformed-jwk'), 'X25519');
  }

  static parseSigning(text) {
    return readPrivate(parse(text, 'malformed-jwk'), 'Ed25519');
  }
}

/** Reads the members of a JWK of either curve. A public JWK has no secret. */
function readJwk(jwk) {
  for (const name of ['kty', 'crv', 'x', 'use', 'd']) {
    const { kind } = get(jwk, name);
    const isOptional = name === 'use' || name === 'd';
    check(kind === '"' || (isOptional && kind === ''), 'malformed-jwk', `"${name}" is missing or isn't a string. Give a JWK.`);
  }
  const curve = get(jwk, 'crv').text;
  const use = USES.get(curve);
  const fits = get(jwk, 'kty').text === 'OKP' && use !== undefined
    && (get(jwk, 'use').kind === '' || get(jwk, 'use').text === use);
  check(fits, 'wrong-key-type', "The JWK isn't an X25519 or Ed25519 key with a fitting use. Give one.");
  const isPrivate = get(jwk, 'd').kind !== '';
  // Escapes aren't allowed here.
  const [bytes, secret] = ['x', 'd'].map((name) => crypto.decode(get(jwk, name).raw.slice(1, -1)));
  const isComplete = bytes?.length === 32 && (!isPrivate || secret?.length === 32);
  check(isComplete, 'malformed-jwk', '"x" or "d" isn\'t 32 bytes in base64url without padding. Check the key.');
  return { curve, bytes, secret: isPrivate ? secret : undefined };
}

function readPublic(jwk, curve) {
  const members = readJwk(jwk);
  check(members.curve === curve, 'wrong-key-type', `The JWK isn't an ${curve} key. Give one.`);
  return new PublicKey(curve, members.bytes);
}

function readPrivate(jwk, curve) {
  const { secret } = readJwk(jwk);
  const publicKey = readPublic(jwk, curve);
  check(secret !== undefined, 'wrong-key-type', 'The JWK is a public key. Give a private one.');
  const key = crypto.importPrivateKey(curve, secret);
  check(crypto.publicX(key) === publicKey.x, 'key-pair-mismatch', '"d" doesn\'t belong to "x". Check the key.');
  return new PrivateKey(publicKey, key);
}

function parsePublicKey(data, curve) {
  const text = trim(Buffer.from(data).toString());
  const raw = crypto.decode(text);
  if (raw?.length > 0) return new PublicKey(curve, raw);
  const object = parse(text, 'malformed-jwk');
  const set = get(object, 'keys');
  if (set.kind === '') return readPublic(object, curve);
  for (const item of set.items) {
    const state = get(item, 'state').kind;
    check(state === '' || state === '"', 'malformed-jwk', '"state" isn\'t a string. Correct the JWK Set.');
    readJwk(item); // Only the chosen key must be of the curve.
  }
  const primary = set.items.filter((item) => get(item, 'state').text === 'primary');
  check(primary.length <= 1, 'multiple-primary-keys', 'Two keys of the set are primary. Correct the JWK Set.');
  const chosen = primary.length === 1 ? primary : set.items;
  check(chosen.length === 1, 'malformed-jwk', 'The set has no primary key and not exactly one key. Give one key.');
  return readPublic(chosen[0], curve);
}

/** Returns a number that is written with digits only, or undefined if it isn't in the range. */
function integer(object, name, minimum, maximum = Number.MAX_SAFE_INTEGER) {
  const { raw } = get(object, name);
  const number = Number(raw);
  return /^[0-9]{1,16}$/.test(raw) && number >= minimum && number <= maximum ? number : undefined;
}

/** Returns true for 32 bytes in strict base64url. */
function isThumbprint(text) {
  return crypto.decode(text)?.length === 32;
}

function malformed(condition, reason) {
  check(condition, 'malformed-registration', reason);
}

/** Returns 1 to 64 different thumbprints, or undefined if the member is missing. */
function readSigners({ kind, items }) {
  if (kind === '') return undefined;
  const kids = items.map(({ raw }) => raw.slice(1, -1)); // Escapes aren't allowed here.
  const isValid = kind === '[' && kids.length >= 1 && kids.length <= MAXIMUM_SIGNERS && new Set(kids).size === kids.length
    && items.every((item) => item.kind === '"') && kids.every(isThumbprint);
  malformed(isValid, '"signers" isn\'t valid. Send the registration unchanged.');
  return kids;
}

/** The key that a device has registered, with its limits. */
class Registration {
  constructor(object) {
    const jwk = get(object, 'key');
    malformed(jwk.kind === '{', '"key" is missing or isn\'t a JWK. Send the registration unchanged.');
    const isPublic = readJwk(jwk).secret === undefined;
    malformed(isPublic, '"key" is a private key. Replace the key, and send its public half.');
    this.key = readPublic(jwk, 'X25519');
    this.created = integer(object, 'created', 0);
    this.generation = integer(object, 'generation', 1);
    /** The longest lifetime of messages to the key, in seconds. */
    this.lifetime = integer(object, 'lifetime', 1, MAXIMUM_LIFETIME);
    const isValid = ![this.created, this.generation, this.lifetime].includes(undefined);
    malformed(isValid, 'A number is missing or out of range. Send the registration unchanged.');
    /** The thumbprints of the keys from which the device accepts signatures, or undefined if it doesn't tell. */
    this.signers = readSigners(get(object, 'signers'));
  }

  /** Parses the text of a registration, a string or bytes. */
  static parse(text) {
    const isText = typeof text === 'string' || text instanceof Uint8Array;
    malformed(isText, "The registration isn't text. Give the body of the request before it is parsed.");
    return new Registration(parse(text, 'malformed-registration'));
  }

  /** The device's key, with its lifetime and signers. */
  get recipient() {
    return new Recipient(this.key, this.lifetime, this.signers);
  }

  /** Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store. */
  static deviceToken(token) {
    const reason = "The device token isn't 16 to 200 bytes in hexadecimal digits. Correct it.";
    malformed(typeof token === 'string' && /^(?:[0-9A-Fa-f]{2}){16,200}$/.test(token), reason);
    return token.toLowerCase();
  }

  /** Returns a token as a server stores it: a token of APNs in lowercase, and that of another carrier unchanged. */
  static boundToken(token, carrier) {
    return carrier === 'apns' ? Registration.deviceToken(token) : token;
  }
}

/**
 * Returns the generation with which a device registers again after the stale answer of its server. If the answer isn't less
 * than the device's generation, its keys may be from an old backup, and it creates a new key first.
 */
function nextGeneration(generation, answer) {
  malformed(answer >= 0 && answer < 2 ** 53 - 2 ** 33, "The answer is too large. Reset the server's row of the device.");
  return answer >= generation || generation - answer > 2 ** 32 ? answer + 1 : generation;
}

/**
 * A device to seal for: its key, the longest lifetime of messages to it in seconds, and the thumbprints of the keys from which
 * it accepts signatures, if it tells them.
 */
class Recipient {
  constructor(key, lifetime = MAXIMUM_LIFETIME, signers = undefined) {
    check(key.curve === 'X25519', 'wrong-key-type', "The key doesn't encrypt. Give an X25519 key.");
    this.key = key;
    this.lifetime = lifetime;
    this.signers = signers;
  }

  /** Parses a registration, a JWK, a JWK Set or the 43 characters of the raw key. */
  static parse(text) {
    const isText = typeof text === 'string' || text instanceof Uint8Array;
    check(isText, 'malformed-jwk', "The key isn't text. Give the text of a registration or key.");
    if (text.includes('{')) {
      const object = parse(text, 'malformed-jwk');
      if (get(object, 'key').kind !== '') {
        return new Registration(object).recipient;
      }
    }
    return new Recipient(PublicKey.parseRecipient(text));
  }
}

module.exports = {
  MAXIMUM_LIFETIME, MAXIMUM_SIGNERS, PrivateKey, PublicKey, Recipient, Registration, integer, isThumbprint, nextGeneration,
  readPrivate, readPublic,
};
