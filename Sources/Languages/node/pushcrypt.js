'use strict';

const crypto = require('./crypto.js');
const { SigningKeyring } = require('./keyring.js');
const { MAXIMUM_LIFETIME, PrivateKey, PublicKey, Recipient, Registration, nextGeneration } = require('./keys.js');
const { paddedSizes } = require('./padding.js');
const { Row } = require('./row.js');
const { SignerRoots } = require('./signer-lists.js');
const { PushCryptError, check, compact, get, parse } = require('./strict-json.js');

const TYPES = { alert: 1, background: 2, voip: 3, liveactivity: 4, location: 6, pushtotalk: 7 };
/** The ends that Apple requires of the header apns-topic. */
const TOPIC_SUFFIXES = new Map([
  ['voip', '.voip'], ['liveactivity', '.push-type.liveactivity'], ['location', '.location-query'], ['pushtotalk', '.voip-ptt'],
]);
const ACTIVITY_KINDS = new Map([['content-state', 4], ['attributes', 5]]); // An object also has inherited members.
const ALERT_TEXTS = ['title', 'subtitle', 'body', 'title-loc-key', 'subtitle-loc-key', 'loc-key'];
const PLACEHOLDER = [
  'title', 'title-loc-key', 'title-loc-args', 'subtitle', 'subtitle-loc-key', 'subtitle-loc-args', 'body', 'loc-key', 'loc-args',
];
const EXPOSABLE = [
  'category', 'thread-id', 'sound', 'badge', 'interruption-level', 'relevance-score', 'target-content-id',
  'filter-criteria', 'content-available',
];

const isAbsent = (value) => value.kind === '' || value.kind === 'n';
const isContainer = (value) => value.kind === '{' || value.kind === '[';
const requireValid = (condition, reason) => check(condition, 'invalid-payload', reason);

function requireUnsealed(object) {
  const isSealed = get(object, 'ENCRYPTED_DATA').kind !== '';
  check(!isSealed, 'already-sealed', 'The payload already has an ENCRYPTED_DATA. Seal the original payload.');
}

function checkAlert(aps, isWithdrawn) {
  const alert = get(aps, 'alert');
  requireValid(isWithdrawn || aps.kind !== '', '"aps" is missing. Add it.');
  requireValid(isAbsent(alert) || '"{'.includes(alert.kind), "The alert isn't a string or an object. Correct it.");
  const texts = ALERT_TEXTS.map((name) => get(alert, name));
  const areStrings = texts.every((value) => isAbsent(value) || value.kind === '"');
  requireValid(areStrings, "A text or key of the alert isn't a string. Give a string.");
  const hasText = isWithdrawn || [alert, ...texts].some((value) => value.text !== '');
  check(hasText, 'no-alert-text', 'The alert has no text. Add a title, a subtitle or a body.');
}

/** Returns true if the alert has a withdrawal's members and no other ones. */
function isWithdrawal({ members }) {
  const names = members.map((member) => member.name).filter((name) => name !== 'aps');
  return names.length > 0 && names.every((name) => name === 'collapse-ids' || name === 'thread-ids');
}

function checkWithdrawal(root) {
  const [collapseIds, threadIds] = ['collapse-ids', 'thread-ids'].map((name) => get(root, name));
  const areArrays = [collapseIds, threadIds].every((ids) => ids.kind === '' || ids.kind === '[');
  const ids = [...collapseIds.items, ...threadIds.items];
  const isValid = areArrays && ids.length > 0 && ids.length <= 100
    && ids.every((id) => id.kind === '"' && id.text !== '')
    && collapseIds.items.every((id) => /^[!-~]{1,64}$/.test(id.text));
  requireValid(isValid, "The withdrawal's ids aren't valid. Give 1 to 100 strings, collapse ids of visible ASCII.");
  return collapseIds.items.length === 1 ? collapseIds.items[0].text : undefined;
}

function checkBackground(aps) {
  const available = get(aps, 'content-available');
  const isOne = available.kind === 't' || (available.kind === '0' && Number(available.raw) === 1);
  requireValid(isOne, '"content-available" isn\'t 1. Add "content-available": 1 to "aps".');
  for (const name of ['alert', 'badge', 'sound']) {
    requireValid(isAbsent(get(aps, name)), `A background push has "${name}". Remove it, or send an alert.`);
  }
}

function placeholderText(placeholder) {
  const used = PLACEHOLDER.filter((name) => placeholder[name] !== undefined);
  const hasText = used.some((name) => typeof placeholder[name] === 'string' && placeholder[name] !== '');
  const isKnown = Object.keys(placeholder).every((name) => PLACEHOLDER.includes(name));
  check(hasText && isKnown, 'invalid-placeholder', 'The placeholder has no text, or another member. Add a title, a subtitle or a body.');
  const isUnicode = used.flatMap((name) => placeholder[name]).every((text) => !/\p{Surrogate}/u.test(text));
  check(isUnicode, 'invalid-placeholder', "The placeholder isn't Unicode text. Use UTF-8.");
  return JSON.stringify(Object.fromEntries(used.map((name) => [name, placeholder[name]])));
}

/** Returns the members of the original that stay readable. */
function exposedText(aps, names) {
  return EXPOSABLE.filter((name) => names.includes(name) && get(aps, name).kind !== '').map((name) => {
    const value = get(aps, name);
    let text = value.raw;
    if (name === 'sound' && value.kind === '{') {
      const inner = ['critical', 'name', 'volume'].filter((key) => get(value, key).kind !== '');
      requireValid(!inner.some((key) => isContainer(get(value, key))), 'The exposed sound has an object or an array. Correct it.');
      text = `{${inner.map((key) => `"${key}":${get(value, key).raw}`)}}`;
    } else {
      requireValid(!isContainer(value), `The exposed "${name}" is an object or an array. Don't expose it.`);
    }
    return `,"${name}":${text}`;
  }).join('');
}

/** Replaces only the values of a Live Activity's state and attributes. */
function readActivity(root) {
  const aps = get(root, 'aps');
  requireValid(root.members.length === 1 && aps.kind === '{', '"aps" isn\'t alone. Move the other members into it.');
  const state = '"content-state" is missing, so nothing would be sealed. Add a state, to an end a final one, or send it unsealed.';
  requireValid(!isAbsent(get(aps, 'content-state')), state);
  const hasAttributes = get(aps, 'event').text === 'start' || !isAbsent(get(aps, 'attributes-type'));
  requireValid(!hasAttributes || !isAbsent(get(aps, 'attributes')), '"attributes" is missing. Add an object.');
  const frames = [];
  const parts = [];
  let frame = `{${root.members[0].rawName}:{`;
  aps.members.forEach(({ name, rawName, value }, at) => {
    frame += `${at === 0 ? '' : ','}${rawName}:`;
    const kind = ACTIVITY_KINDS.get(name);
    if (kind === undefined || isAbsent(value)) {
      frame += compact(value.raw);
      return;
    }
    requireValid(value.kind === '{', `"${name}" isn't an object. Give an object.`);
    requireUnsealed(value);
    frames.push(`${frame}{"ENCRYPTED_DATA":"`);
    parts.push({ kind, text: Buffer.from(compact(value.raw)) });
    frame = '"}';
  });
  return { frames: [...frames, `${frame}}}`], parts };
}

/** Returns the parts to seal, the readable texts around them, and the id of a withdrawal with one collapse id. */
function readOriginal(payload, { type, placeholder, expose }) {
  const root = parse(payload);
  const aps = get(root, 'aps');
  const text = Buffer.from(compact(root.raw));
  check(text.length <= 65535, 'payload-too-large', 'The payload has more than 65535 bytes. Shorten it.');
  requireUnsealed(root);
  const hasReceipt = get(root, 'pushcrypt.receipt').kind !== '';
  requireValid(!hasReceipt, '"pushcrypt.receipt" is reserved for the device. Rename the member.');
  requireValid(aps.kind === '' || aps.kind === '{', '"aps" isn\'t an object. Give an object.');
  if (type === 'liveactivity') return readActivity(root);
  let [kind, visible, withdrawnId] = [TYPES[type], ''];
  if (type === 'alert') {
    if (isWithdrawal(root)) {
      kind = 8;
      withdrawnId = checkWithdrawal(root);
    }
    checkAlert(aps, kind === 8);
    visible = `"alert":${placeholderText(placeholder)},"mutable-content":1${exposedText(aps, expose)}`;
  } else if (type === 'background') {
    checkBackground(aps);
    visible = '"content-available":1';
  }
  return { frames: [`{"aps":{${visible}},"ENCRYPTED_DATA":"`, '"}'], parts: [{ kind, text }], withdrawnId };
}

const VISIBLE = /^[!-~]+$/;

function readHeaders(options, withdrawnId, expiration) {
  const isBackground = options.type === 'background';
  const { topic, collapseId = withdrawnId, priority = isBackground ? 5 : 10 } = options;
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

const HEADER_OPTIONS = ['topic', 'collapseId', 'priority'];

/** Throws unless the options have valid values. */
function checkOptions({ type, lifetime, padding, expose, topic }) {
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

  constructor(keyring) {
    const isSet = keyring === 'anonymous' || keyring instanceof SigningKeyring;
    check(isSet, 'wrong-key-type', "The signer isn't set. Give a keyring or a key.");
    this.#keyring = keyring === 'anonymous' ? undefined : keyring;
  }

  /**
   * Returns a sealer that signs for each device with the first key of a server's keyring that the device accepts. A PrivateKey
   * is a keyring of one key.
   */
  static signedBy(keys) {
    return new Sealer(keys instanceof PrivateKey ? new SigningKeyring([keys]) : keys);
  }

  /** Returns a sealer of messages without a signature: anyone could have sent them. */
  static anonymous() {
    return new Sealer('anonymous');
  }

  /**
   * Seals JSON text, or a value to encode as JSON, for one device. Returns the payload and the headers for APNs. Throws if a
   * rule is violated, and never returns an unsealed payload. Options: type, lifetime (seconds), padding, expose,
   * placeholder, topic, collapseId, priority.
   */
  seal(original, recipient, options = {}, source = SYSTEM) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const isKnown = given.every(([name]) => Object.hasOwn(DEFAULTS, name) || HEADER_OPTIONS.includes(name));
    check(isKnown, 'invalid-configuration', 'An option is unknown. Give options that the comment of seal lists.');
    const settings = { ...DEFAULTS, ...Object.fromEntries(given) };
    checkOptions(settings);
    check(recipient instanceof Recipient, 'wrong-key-type', "The recipient isn't set. Give a Recipient.");
    const signer = this.#keyring?.keyFor(recipient.signers);
    const isText = typeof original === 'string' || original instanceof Uint8Array;
    const { frames, parts, withdrawnId } = readOriginal(isText ? original : JSON.stringify(original) ?? '', settings);
    const now = source.now();
    const lifetime = Math.min(settings.lifetime, recipient.lifetime);
    const headers = readHeaders(settings, withdrawnId, Math.floor(now / 1000) + lifetime);
    const room = (settings.type === 'voip' ? 5120 : 4096) - Buffer.byteLength(frames.join(''));
    const overhead = signer === undefined ? 32 : 104;
    const sizes = paddedSizes(parts.map((part) => part.text.length + overhead), room, settings.padding);
    const header = Buffer.concat([Buffer.from([1]), recipient.key.id]);
    const sealed = parts.map((part, at) => {
      const id = source.messageId();
      // A Live Activity with attributes has a state, too.
      if (part.kind !== ACTIVITY_KINDS.get('attributes')) headers['apns-id'] = crypto.apnsId(id);
      const message = encodeMessage(part, sizes[at], { header, recipient, signer, lifetime, now, id });
      const box = crypto.sealBox(message, recipient.key.bytes, source.ephemeralKey());
      return crypto.encode(Buffer.concat([header, box]));
    });
    return { payload: Buffer.from(frames.map((frame, at) => frame + (sealed[at] ?? '')).join('')), headers };
  }
}

module.exports = {
  DEFAULTS, PrivateKey, PublicKey, PushCryptError, Recipient, Registration, Row, Sealer, SignerRoots, SigningKeyring,
  checkOptions, nextGeneration, paddedSizes,
};
