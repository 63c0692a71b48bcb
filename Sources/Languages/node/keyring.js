'use strict';

const fs = require('node:fs');
const { MAXIMUM_LIFETIME, PrivateKey, integer, readPrivate } = require('./keys.js');
const { check, get, parse } = require('./strict-json.js');

/** A server's signing keys in the order of preference: the primary key, and then retired keys, the newest first. */
class SigningKeyring {
  constructor(keys) {
    const areKeys = keys.every((key) => key instanceof PrivateKey && key.publicKey.curve === 'Ed25519');
    check(keys.length > 0 && areKeys, 'wrong-key-type', "A key doesn't sign. Give Ed25519 keys.");
    this.keys = [...keys];
  }

  /** Returns the first key that a device accepts. `signers` are thumbprints; without them, it is the primary key. */
  keyFor(signers) {
    const key = this.keys.find(({ publicKey }) => (signers ?? [publicKey.thumbprint]).includes(publicKey.thumbprint));
    check(key !== undefined, 'no-accepted-key', 'The device accepts no key of the keyring. Send the bare placeholder.');
    return key;
  }

  /** Reads a server's keyring. Rejects a link, and a file that others can access. */
  static read(path) {
    const isLink = fs.lstatSync(path).isSymbolicLink(); // O_NOFOLLOW rejects a link that appears later.
    check(!isLink, 'insecure-file', 'The keyring is a link. Use the file itself, or parse.');
    const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants; // A pipe without a writer would block.
    const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const status = fs.fstatSync(file);
      const isPrivate = status.isFile() && (status.mode & 0o077) === 0;
      check(isPrivate, 'insecure-file', "The keyring isn't a file, or others can access it. Set its mode to 0600.");
      return SigningKeyring.parse(fs.readFileSync(file));
    } finally {
      fs.closeSync(file);
    }
  }

  /** Parses a server's keyring without a passphrase. */
  static parse(text) {
    const set = parse(text, 'malformed-jwk');
    const hasPassphrase = get(set, 'protection').kind !== '';
    check(!hasPassphrase, 'passphrase-required', 'The keyring has a passphrase. Give one without a passphrase.');
    const restore = (condition, code) => check(condition, code, "The keyring isn't valid. Restore it from a backup.");
    restore(get(set, 'keys').items.length > 0, 'malformed-jwk');
    let isValid = integer(set, 'generation', 1) !== undefined;
    let primary;
    const retired = [];
    const known = new Set();
    for (const jwk of get(set, 'keys').items) {
      const key = readPrivate(jwk, 'Ed25519');
      const [kid, state, lifetime] = ['kid', 'state', 'lifetime'].map((name) => get(jwk, name));
      isValid &&= integer(jwk, 'created', 0) !== undefined
        && (state.text !== 'retired' || integer(jwk, 'retired', 0) !== undefined)
        && (lifetime.kind === '' || integer(jwk, 'lifetime', 1, MAXIMUM_LIFETIME) !== undefined);
      restore(kid.kind === '"' && state.kind === '"', 'malformed-jwk');
      restore(kid.text === key.publicKey.thumbprint, 'thumbprint-mismatch');
      restore(['primary', 'pending', 'retired'].includes(state.text), 'unknown-key-state');
      restore(!known.has(kid.text), 'duplicate-key');
      restore(state.text !== 'primary' || primary === undefined, 'multiple-primary-keys');
      known.add(kid.text);
      if (state.text === 'primary') primary = key;
      if (state.text === 'retired') retired.push({ key, date: integer(jwk, 'retired', 0) });
    }
    restore(isValid, 'malformed-keyring');
    restore(primary !== undefined, 'no-primary-key');
    retired.sort((a, b) => b.date - a.date);
    return new SigningKeyring([primary, ...retired.map(({ key }) => key)]);
  }
}

module.exports = { SigningKeyring };
