'use strict';

const { Registration, isThumbprint } = require('./keys.js');
const { PushCryptError, check, get, parse } = require('./strict-json.js');

const FORMER_PERIOD = 60 * 24 * 3600 * 1000; // milliseconds
const FORMER_LIMIT = 64;
const UNPROVED_PERIOD = 30 * 24 * 3600 * 1000; // milliseconds

function fail() {
  throw new PushCryptError('malformed-registration', "The row isn't valid. Restore it from a backup, or delete it.");
}

const KNOWN = {
  row: ['account', 'carrier', 'deviceToken', 'formerKeys', 'proved', 'registered', 'registration'],
  registration: ['created', 'generation', 'key', 'lifetime', 'signers'],
  key: ['crv', 'kid', 'kty', 'use', 'x'],
  formerKey: ['kid', 'replaced'],
};

/** Returns true if a row has another version, or a member that this version doesn't know. */
function isNewerRow(row) {
  const registration = get(row, 'registration');
  const hasUnknown = (object, known) => object.members.some(({ name }) => !known.includes(name));
  const members = row.members.filter(({ name, value }) => name !== 'version' || value.raw !== '1');
  return hasUnknown({ members }, KNOWN.row) || hasUnknown(registration, KNOWN.registration)
    || hasUnknown(get(registration, 'key'), KNOWN.key)
    || get(row, 'formerKeys').items.some((entry) => hasUnknown(entry, KNOWN.formerKey));
}

function checkVersion(row) {
  const reason = "A newer version of PushCrypt has written the row, so it isn't changed. Update this program.";
  check(!row?.isNewer, 'newer-format', reason);
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

/** Returns the members that don't change without a new generation. */
const fixed = ({ key, lifetime, signers }) => JSON.stringify([key.x, lifetime, signers]);

function areEqual(registration, known) {
  const { created, generation } = registration;
  return known !== undefined && fixed(registration) === fixed(known) && created === known.created
    && generation === known.generation;
}

/** Throws if a registration fits rule 2 to 5 of the update. */
function checkStale(registration, known, rows, now) {
  checkGeneration(registration, known);
  const former = rows.flatMap((each) => current(each.formerKeys, now));
  const isFormer = former.some(({ kid }) => kid === registration.key.thumbprint);
  if (isFormer) throw stale(registration.generation, 'The key is a former key of the account. Register another key.');
}

function checkGeneration(registration, known) {
  const generation = known?.generation ?? 0;
  const isSame = known !== undefined && fixed(registration) === fixed(known);
  const isStale = known === undefined
    ? registration.generation > 2 ** 52
    : registration.generation < generation || registration.generation - generation > 2 ** 32
      || (registration.generation === generation && !isSame);
  if (isStale) throw stale(generation, "The registration doesn't follow the known one. Register again.");
}

/**
 * A server's row of a device. A row of a newer version is read, and never replaced: the error is newer-format. Times are milliseconds. A former key has its `kid` and the time at which it was `replaced`.
 * `proved` is the time of the proof of possession or undefined, and `carrier` the service that delivers the pushes.
 */
class Row {
  constructor({ account, deviceToken, registered, registration, formerKeys, proved, carrier, isNewer = false }) {
    Object.assign(this, { account, deviceToken, registered, registration, formerKeys, proved, carrier, isNewer });
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
    const has = (name) => get(object, name).kind !== '';
    const carrier = has('carrier') ? string(object, 'carrier') : 'apns';
    return new Row({
      account: string(object, 'account'),
      deviceToken: Registration.boundToken(string(object, 'deviceToken'), carrier),
      registered: integer(object, 'registered'),
      registration: new Registration(get(object, 'registration')),
      formerKeys,
      proved: has('proved') ? integer(object, 'proved') : undefined,
      carrier,
      isNewer: isNewerRow(object),
    });
  }

  /**
   * Returns the row to store after a registration. Call it in a transaction. After stale-generation, keep the known row, and
   * answer with the error's generation.
   *
   * `known` is the row of this token, in lowercase, and account, if there is one. `others` are the account's other rows.
   * `proved` is missing while proofs are off, and true after Challenges.verify. Without a proof, it is false. Then the
   * result is undefined if the server keeps the known row, and sends a challenge.
   */
  static accept(text, token, { account = '', carrier = 'apns', known, others = [], proved, now = Date.now() } = {}) {
    const row = known ?? undefined;
    const rows = row === undefined ? others : [row, ...others];
    const deviceToken = Registration.boundToken(token, carrier);
    const registration = Registration.parse(text);
    const areRight = rows.every((each) => each.account === account)
      && (row === undefined || (row.deviceToken === deviceToken && row.carrier === carrier));
    check(areRight, 'malformed-registration', 'A row has another token or account. Look it up by both.');
    checkVersion(row);
    const isSame = areEqual(registration, row?.registration);
    if (proved === false && isSame && row.proved !== undefined) return new Row({ ...row, registered: now });
    checkStale(registration, row?.registration, rows, now);
    if (proved === false) return undefined;
    const former = row?.formerKeys ?? others.flatMap((each) => each.formerKeys);
    const old = row?.registration.key;
    const isForged = proved === true && row?.proved === undefined; // A row without a proof may be anyone's.
    const isReplaced = old !== undefined && old.x !== registration.key.x && !isForged;
    const replaced = isReplaced ? [{ kid: old.thumbprint, replaced: now }] : [];
    const kept = isSame ? row.proved : undefined;
    return new Row({
      account,
      deviceToken,
      registered: now,
      registration,
      formerKeys: current([...replaced, ...former], now),
      proved: proved === true ? now : kept,
      carrier,
    });
  }

  /** Returns true if a sender accepts the row while proofs are on, which were turned on at a time in milliseconds. */
  isProved(since, now = Date.now()) {
    return this.proved !== undefined || (this.registered < since && now < since + UNPROVED_PERIOD);
  }

  /** The device's key, with its lifetime and signers. */
  get recipient() {
    return this.registration.recipient;
  }

  /** Returns the members of the row, so that JSON.stringify(row) is its text for the database. */
  toJSON() {
    checkVersion(this);
    const { created, generation, key, lifetime, signers } = this.registration;
    const jwk = { crv: 'X25519', kid: key.thumbprint, kty: 'OKP', use: 'enc', x: key.x };
    return {
      account: this.account,
      deviceToken: this.deviceToken,
      ...(this.formerKeys.length > 0 && { formerKeys: this.formerKeys }),
      registered: this.registered,
      registration: { created, generation, key: jwk, lifetime, ...(signers && { signers }) },
      ...(this.proved !== undefined && { proved: this.proved }),
      ...(this.carrier !== 'apns' && { carrier: this.carrier }),
    };
  }
}

module.exports = { Row };
