'use strict';

const { Push, checkContent, roomFor, rulesOf } = require('./carriers.js');
const crypto = require('./crypto.js');
const { SigningKeyring } = require('./keyring.js');
const { MAXIMUM_LIFETIME, PrivateKey, PublicKey, Recipient, Registration, nextGeneration } = require('./keys.js');
const { ACTIVITY_KINDS, EXPOSABLE, TYPES, readOriginal } = require('./originals.js');
const { paddedSizes } = require('./padding.js');
const { Challenges } = require('./proofs.js');
const { Row } = require('./row.js');
const { SignerRoots } = require('./signer-lists.js');
const { PushCryptError, check } = require('./strict-json.js');
const { version: VERSION } = require('./package.json');

/** The ends that Apple requires of the header apns-topic. */
const TOPIC_SUFFIXES = new Map([
  ['voip', '.voip'], ['liveactivity', '.push-type.liveactivity'], ['location', '.location-query'], ['pushtotalk', '.voip-ptt'],
]);
const VISIBLE = /^[!-~]+$/;

function readHeaders(options, defaultId, expiration) {
  const isBackground = options.type === 'background';
  const { topic, collapseId = defaultId, priority = isBackground ? 5 : 10 } = options;
  const isPriority = [1, 5].includes(priority) || (priority === 10 && !isBackground);
  check(isPriority, 'invalid-header', "The priority isn't valid. Give 1, 5 or 10, but not 10 for a background push.");
  const headers = { 'apns-push-type': options.type, 'apns-priority': `${priority}` };
  headers['apns-expiration'] = options.type === 'pushtotalk' ? '0' : `${expiration}`; // Apple requires 0.
  if (topic !== undefined) {
    const suffix = TOPIC_SUFFIXES.get(options.type) ?? '';
    const fits = topic.endsWith(suffix) && topic !== suffix;
    check(fits, 'invalid-header', `The topic doesn't fit the push type. Append ${suffix} to the app's bundle ID.`);
    headers['apns-topic'] = topic;
  }
  if (collapseId !== undefined) {
    const isValid = VISIBLE.test(collapseId) && collapseId.length <= 64;
    check(isValid, 'invalid-header', "The collapse id isn't valid. Give at most 64 visible ASCII characters.");
    headers['apns-collapse-id'] = collapseId;
  }
  return headers;
}

const DEFAULTS = {
  type: 'alert', lifetime: 7 * 24 * 3600, padding: 'buckets', expose: [], placeholder: { body: '(Encrypted)' },
};

const OTHER_OPTIONS = ['kind', 'topic', 'collapseId', 'priority'];

/** Throws unless the options have valid values. */
function checkOptions({ type, kind, lifetime, padding, expose, topic }) {
  const isKind = kind === undefined || kind === 'challenge';
  check(isKind, 'invalid-configuration', "The kind isn't valid. Give challenge, or leave it out.");
  check(Object.hasOwn(TYPES, type), 'not-sealable', "Pushes of this type can't be sealed. Send them unsealed.");
  const isLifetime = Number.isInteger(lifetime) && lifetime >= 1 && lifetime <= MAXIMUM_LIFETIME;
  check(isLifetime, 'invalid-lifetime', "The lifetime isn't valid. Give a lifetime of 1 second to 30 days.");
  const isPadding = ['buckets', 'maximum', 'none'].includes(padding);
  check(isPadding, 'invalid-configuration', "The padding isn't valid. Give buckets, maximum or none.");
  const areExposable = Array.isArray(expose) && expose.every((name) => EXPOSABLE.includes(name));
  check(areExposable, 'invalid-configuration', "A member can't be exposed. Give members that Format.md lists.");
  const isTopic = topic === undefined || VISIBLE.test(topic);
  check(isTopic, 'invalid-header', "The topic isn't valid. Give visible ASCII characters.");
}

/** The values that differ between two seals of one payload. Tests fix them. */
const SYSTEM = { now: Date.now, messageId: () => crypto.randomBytes(16), ephemeralKey: crypto.ephemeralKey };

/** Returns the message in an envelope. */
function encodeMessage({ kind, text }, size, { header, recipient, signer, lifetime, now, id }) {
  const message = Buffer.alloc(size);
  message[0] = signer === undefined ? 0 : 1;
  message[1] = kind;
  message.writeUInt16BE(text.length, 2);
  message.writeUInt32BE(lifetime, 4);
  message.writeBigUInt64BE(BigInt(now), 8);
  message.set(id, 16);
  message.set(text, 32);
  if (signer !== undefined) {
    message.set(signer.publicKey.id, size - 72);
    const context = Buffer.from('pushcrypt/v1/signature\0');
    const signed = [context, header, recipient.key.bytes, message.subarray(0, size - 64)];
    message.set(signer.sign(Buffer.concat(signed)), size - 64);
  }
  return message;
}

/** Seals payloads, with a signature or anonymously. */
class Sealer {
  #keyring;

  #proofsSince;

  #carrier;

  constructor(keyring, { proofsSince, carrier = 'apns' } = {}) {
    const isSet = keyring === 'anonymous' || keyring instanceof SigningKeyring;
    check(isSet, 'wrong-key-type', "The signer isn't set. Give a keyring or a key.");
    this.#keyring = keyring === 'anonymous' ? undefined : keyring;
    this.#proofsSince = proofsSince ?? undefined;
    this.#carrier = carrier;
  }

  /**
   * Returns a sealer that signs for each device with the first key of a server's keyring that the device accepts. A PrivateKey
   * is a keyring of one key. `proofsSince` is the time in milliseconds at which proofs of possession were turned on. Then the
   * sealer refuses a recipient without a proof. The `carrier` decides the longest payload and the push types. It is a name
   * of Docs/Sending.md, or a relay of your own.
   */
  static signedBy(keys, { proofsSince, carrier } = {}) {
    return new Sealer(keys instanceof PrivateKey ? new SigningKeyring([keys]) : keys, { proofsSince, carrier });
  }

  /** Returns a sealer of messages without a signature: anyone could have sent them. */
  static anonymous({ proofsSince, carrier } = {}) {
    return new Sealer('anonymous', { proofsSince, carrier });
  }

  /** Returns the key of a Row or Recipient. While proofs are on, only a challenge goes to a recipient without a proof. */
  #recipient(to, kind, now) {
    const isRow = to instanceof Row;
    const isReached = !isRow || to.carrier === this.#carrier;
    check(isReached, 'wrong-carrier', "The row has a token of another carrier. Set the sealer's carrier.");
    const isProved = this.#proofsSince === undefined || (isRow && to.isProved(this.#proofsSince, now));
    const reason = "The recipient isn't a Row with a proof. Send a challenge first.";
    check(isProved || kind === 'challenge', 'unproved-recipient', reason);
    const recipient = isRow ? to.recipient : to;
    check(recipient instanceof Recipient, 'wrong-key-type', "The recipient isn't set. Give a Row or a Recipient.");
    return recipient;
  }

  /**
   * Seals JSON text, or a value to encode as JSON, for a Row or Recipient. Returns a Push, with the payload and the headers for
   * APNs. Throws if a rule is violated, and never returns an unsealed payload. Options: type, kind (challenge), lifetime (seconds),
   * padding, expose, placeholder, topic, collapseId, priority.
   */
  seal(original, to, options = {}, source = SYSTEM) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const isKnown = given.every(([name]) => Object.hasOwn(DEFAULTS, name) || OTHER_OPTIONS.includes(name));
    check(isKnown, 'invalid-configuration', 'An option is unknown. Give options that the comment of seal lists.');
    const settings = { ...DEFAULTS, ...Object.fromEntries(given) };
    checkOptions(settings);
    const isText = typeof original === 'string' || original instanceof Uint8Array;
    const text = isText ? original : JSON.stringify(original) ?? '';
    const content = readOriginal(text, settings, rulesOf(this.#carrier).hasAps);
    checkContent(this.#carrier, settings, content.aps);
    return this.#sealContent(content, to, settings, source);
  }

  #sealContent({ frames, parts, withdrawnId }, to, settings, source) {
    const room = roomFor(this.#carrier, settings.type, Buffer.byteLength(frames.join('')));
    const overhead = this.#keyring === undefined ? 32 : 104;
    const sizes = paddedSizes(parts.map((part) => part.text.length + overhead), room, settings.padding);
    const now = source.now();
    const recipient = this.#recipient(to, settings.kind, now);
    const signer = this.#keyring?.keyFor(recipient.signers);
    const lifetime = Math.min(settings.lifetime, recipient.lifetime);
    const defaultId = rulesOf(this.#carrier).takesCollapseId ? withdrawnId : undefined;
    const headers = readHeaders(settings, defaultId, Math.floor(now / 1000) + lifetime);
    const header = Buffer.concat([Buffer.from([1]), recipient.key.id]);
    const sealed = parts.map((part, at) => {
      const id = source.messageId();
      // A Live Activity with attributes has a state, too.
      if (part.kind !== ACTIVITY_KINDS.get('attributes')) headers['apns-id'] = crypto.apnsId(id);
      const message = encodeMessage(part, sizes[at], { header, recipient, signer, lifetime, now, id });
      const box = crypto.sealBox(message, recipient.key.bytes, source.ephemeralKey());
      return crypto.encode(Buffer.concat([header, box]));
    });
    const payload = Buffer.from(frames.map((frame, at) => frame + (sealed[at] ?? '')).join(''));
    return new Push({ payload, headers, carrier: this.#carrier, issuedAt: now });
  }
}

module.exports = {
  Challenges, DEFAULTS, PrivateKey, PublicKey, PushCryptError, Recipient, Registration, Row, Sealer, SignerRoots, SigningKeyring,
  VERSION, checkOptions, nextGeneration, paddedSizes,
};
