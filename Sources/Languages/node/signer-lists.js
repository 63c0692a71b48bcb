'use strict';

const crypto = require('./crypto.js');
const { MAXIMUM_SIGNERS, PublicKey, integer, isThumbprint, readPublic } = require('./keys.js');
const { PushCryptError, check, get, parse } = require('./strict-json.js');

const MAXIMUM_LENGTH = 65536;
const CODE = 'malformed-signer-list';

function malformed(condition, reason) {
  check(condition, CODE, `The list isn't valid. ${reason} Issue a new list.`);
}

function decodeParts(text) {
  malformed(typeof text === 'string' && text.length <= MAXIMUM_LENGTH, "It isn't text, or is too long.");
  const parts = text.split('.');
  malformed(parts.length === 3, "It doesn't have three parts.");
  return parts.map((part) => {
    const bytes = crypto.decode(part);
    malformed(bytes !== undefined, "A part isn't base64url without padding.");
    return bytes;
  });
}

function readKeys(array) {
  const isArray = array.kind === '[' && array.items.length >= 1 && array.items.length <= MAXIMUM_SIGNERS;
  malformed(isArray, '"keys" isn\'t an array of 1 to 64 keys.');
  const known = new Set();
  return array.items.map((item) => {
    let key;
    try {
      key = readPublic(item, 'Ed25519');
    } catch (error) {
      malformed(!(error instanceof PushCryptError), 'A key is invalid.');
      throw error;
    }
    malformed(get(item, 'd').kind === '' && !known.has(key.x), 'A key is private or there twice.');
    known.add(key.x);
    return key;
  });
}

/** The keys that an app pins for an account (PublicKeys of servers), in order, and the audience of their lists, if any. */
class SignerRoots {
  constructor(keys, audience) {
    const areKeys = keys.length > 0 && keys.every((key) => key instanceof PublicKey && key.curve === 'Ed25519');
    check(areKeys, 'wrong-key-type', "A root isn't an Ed25519 key. Give PublicKey.parseVerification's result.");
    this.keys = [...keys];
    this.audience = audience ?? undefined;
  }

  /** Returns the list of one of the roots. It checks neither the audience nor the expiration. Times are seconds. */
  verify(text) {
    const [header, content, signature] = decodeParts(text);
    const root = this.#root(parse(header, CODE));
    const isSigned = crypto.verify(root.x, Buffer.from(text.slice(0, text.lastIndexOf('.'))), signature);
    check(isSigned, 'invalid-signature', "The list's signature isn't valid. Sign the list again.");
    const object = parse(content, CODE);
    const keys = readKeys(get(object, 'keys'));
    const number = integer(object, 'number', 1);
    const [issued, expiration] = ['iat', 'exp'].map((name) => integer(object, name, 0));
    const isDated = number !== undefined && issued < expiration; // A comparison with undefined is false.
    malformed(isDated, 'A number is missing or out of range, or the list expires before it is issued.');
    const audience = get(object, 'aud');
    malformed(audience.kind === '' || audience.kind === '"', '"aud" isn\'t a string.');
    return { text, root, keys, number, issued, expiration, audience: audience.kind === '' ? undefined : audience.text };
  }

  /** Returns the pinned root that a header names. */
  #root(header) {
    const [algorithm, type, kid] = ['alg', 'typ', 'kid'].map((name) => get(header, name));
    const isHeader = header.members.length === 3 && [algorithm, type, kid].every(({ kind }) => kind === '"')
      && algorithm.text === 'Ed25519' && type.text === 'pushcrypt-signers' && isThumbprint(kid.text);
    malformed(isHeader, 'The header isn\'t "alg" Ed25519, "kid" and "typ".');
    const root = this.keys.find(({ thumbprint }) => thumbprint === kid.text);
    check(root !== undefined, 'unknown-root', "The list's root isn't pinned. Sign the list with a pinned root.");
    return root;
  }

  /** Returns the stored lists of pinned roots for the pinned audience, at most one for each root. */
  #own(stored) {
    const lists = stored.map((text) => {
      try {
        return this.verify(text);
      } catch (error) {
        if (error.code !== 'unknown-root') throw error;
        return undefined;
      }
    });
    return lists.filter((list) => list !== undefined && list.audience === this.audience);
  }

  /** Returns a stored list that counts, if it is intact: a damaged list is replaced. */
  #intact(text) {
    try {
      return this.#own([text]);
    } catch (error) {
      if (!(error instanceof PushCryptError)) throw error;
      return [];
    }
  }

  /**
   * Returns the texts to store after a list has come, which are the stored ones if nothing changes. `now` is the date of the
   * server's answer, in milliseconds.
   */
  storedWith(text, stored = [], now = Date.now()) {
    const list = this.verify(text);
    check(list.audience === this.audience, 'wrong-audience', 'The list is for another audience. Issue a list for this app.');
    const lists = stored.flatMap((known) => this.#intact(known));
    const old = lists.find(({ root }) => root.x === list.root.x);
    if (old?.text === text) return stored;
    const isNewer = old === undefined || list.number > old.number;
    check(isNewer || list.number === old.number, 'stale-signer-list', 'The device has a newer list. Hand out the newest list.');
    check(isNewer, 'conflicting-signer-list', 'Two lists have one number. Issue a list with a higher number.');
    const isCurrent = Math.floor(now / 1000) < list.expiration;
    check(isCurrent, 'expired-signer-list', 'The list expired before it came. Issue a new list.');
    return [text, ...lists.filter(({ root }) => root.x !== list.root.x).map((other) => other.text)];
  }

  /** Returns the keys that count with the stored lists. */
  acceptedKeys(stored = []) {
    const lists = this.#own(stored);
    const [first] = this.keys.flatMap((root) => lists.filter((list) => list.root.x === root.x));
    return first?.keys ?? this.keys;
  }
}

module.exports = { SignerRoots };
