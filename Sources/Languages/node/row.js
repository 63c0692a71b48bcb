'use strict';

const { Registration, isThumbprint } = require('./keys.js');
const { PushCryptError, check, get, parse } = require('./strict-json.js');

const FORMER_PERIOD = 60 * 24 * 3600 * 1000; // milliseconds
const FORMER_LIMIT = 64;

function fail() {
  throw new PushCryptError('malformed-registration', "The row isn't valid. Restore it from a backup, or delete it.");
}

function string(object, name) {
  const value = get(object, name);
  return value.kind === '"' ? value.text : fail();
}

function integer(object, name) {
  const { raw } = get(object, name);
  return /^[0-9]{1,16}$/.test(raw) && Number.isSafeInteger(Number(raw)) ? Number(raw) : fail();
}

function stale(generation, reason) {
  return new PushCryptError('stale-generation', reason, generation);
}

/** Returns the entries of the last 60 days, the newest of each key, and at most 64. */
function current(formerKeys, now) {
  const kids = new Set();
  const isNew = ({ kid }) => !kids.has(kid) && kids.add(kid);
  return formerKeys.filter(({ replaced }) => replaced + FORMER_PERIOD > now)
    .sort((a, b) => b.replaced - a.replaced || (a.kid < b.kid ? -1 : 1))
    .filter(isNew).slice(0, FORMER_LIMIT);
}

function checkGeneration(registration, known) {
  const generation = known?.generation ?? 0;
  const isSame = registration.key.x === known?.key.x && registration.lifetime === known?.lifetime
    && JSON.stringify(registration.signers) === JSON.stringify(known?.signers);
  const isStale = known === undefined
    ? registration.generation > 2 ** 52
    : registration.generation < generation || registration.generation - generation > 2 ** 32
      || (registration.generation === generation && !isSame);
  if (isStale) throw stale(generation, "The registration doesn't follow the known one. Register again.");
}

/** A server's row of a device. Times are milliseconds. A former key has its `kid` and the time at which it was `replaced`. */
class Row {
  constructor(account, deviceToken, registered, registration, formerKeys) {
    Object.assign(this, { account, deviceToken, registered, registration, formerKeys });
  }

  /** Parses the row's text in the database. */
  static parse(text) {
    const object = parse(text, 'malformed-registration');
    const entries = get(object, 'formerKeys');
    if (entries.kind !== '' && entries.kind !== '[') fail();
    const formerKeys = entries.items.map((entry) => {
      const kid = string(entry, 'kid');
      return isThumbprint(kid) ? { kid, replaced: integer(entry, 'replaced') } : fail();
    });
    const token = Registration.deviceToken(string(object, 'deviceToken'));
    const registration = new Registration(get(object, 'registration'));
    return new Row(string(object, 'account'), token, integer(object, 'registered'), registration, formerKeys);
  }

  /**
   * Returns the row to store after a registration. Call it in a transaction. After stale-generation, keep the known row, and
   * answer with the error's generation.
   *
   * `known` is the row of this token, in lowercase, and account, if there is one. `others` are the account's other rows.
   */
  static accept(text, token, { account = '', known, others = [], now = Date.now() } = {}) {
    const row = known ?? undefined;
    const rows = row === undefined ? others : [row, ...others];
    const deviceToken = Registration.deviceToken(token);
    const registration = Registration.parse(text);
    const areRight = rows.every((each) => each.account === account)
      && (row === undefined || row.deviceToken === deviceToken);
    check(areRight, 'malformed-registration', 'A row has another token or account. Look it up by both.');
    checkGeneration(registration, row?.registration);
    const isFormer = rows.some((each) => current(each.formerKeys, now).some(({ kid }) => kid === registration.key.thumbprint));
    const reason = 'The key is a former key of the account. Register another key.';
    if (isFormer) throw stale(registration.generation, reason);
    const former = row?.formerKeys ?? others.flatMap((each) => each.formerKeys);
    const old = row?.registration.key;
    const isReplaced = old !== undefined && old.x !== registration.key.x;
    const replaced = isReplaced ? [{ kid: old.thumbprint, replaced: now }] : [];
    return new Row(account, deviceToken, now, registration, current([...replaced, ...former], now));
  }

  /** The device's key, with its lifetime and signers. */
  get recipient() {
    return this.registration.recipient;
  }

  /** Returns the members of the row, so that JSON.stringify(row) is its text for the database. */
  toJSON() {
    const { created, generation, key, lifetime, signers } = this.registration;
    const jwk = { crv: 'X25519', kid: key.thumbprint, kty: 'OKP', use: 'enc', x: key.x };
    return {
      account: this.account,
      deviceToken: this.deviceToken,
      ...(this.formerKeys.length > 0 && { formerKeys: this.formerKeys }),
      registered: this.registered,
      registration: { created, generation, key: jwk, lifetime, ...(signers && { signers }) },
    };
  }
}

module.exports = { Row };
