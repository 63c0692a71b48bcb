'use strict';

const { check, get, parse } = require('./strict-json.js');

const FOUR_WEEKS = 28 * 24 * 3600;
const MESSAGES = ['alert', 'background'];
// Without apns-id, which only APNs gets.
const FIREBASE_HEADERS = ['apns-collapse-id', 'apns-expiration', 'apns-priority', 'apns-push-type', 'apns-topic'];
const EXPO_VALUES = {
  badge: 'badge', sound: 'sound', categoryId: 'category', interruptionLevel: 'interruption-level',
};
const LEVELS = new Map([['time-sensitive', 'time_sensitive']]); // OneSignal's name of an interruption level
const ONESIGNAL_VALUES = {
  ios_sound: 'sound', ios_category: 'category', thread_id: 'thread-id', ios_relevance_score: 'relevance-score',
  target_content_identifier: 'target-content-id',
};

/** The rules of APNs. The types and the exposable keys are all if they are undefined; `reserve` is in bytes. */
const APNS = {
  types: undefined,
  reserve: 0,
  longestValue: Infinity, // characters
  exposable: undefined,
  hasAps: true,
  takesSoundMembers: true,
  takesStringKeys: true,
  requiresBody: false,
  takesCollapseId: true,
};
const CARRIERS = new Map([
  ['apns', APNS],
  ['firebase', { ...APNS, types: MESSAGES, reserve: 256 }],
  ['firebase-android', { ...APNS, types: MESSAGES, exposable: [], hasAps: false }],
  ['expo', {
    ...APNS,
    types: MESSAGES,
    reserve: 512,
    exposable: [...Object.values(EXPO_VALUES), 'content-available'],
    takesStringKeys: false,
    takesCollapseId: false,
  }],
  ['onesignal', {
    ...APNS,
    types: MESSAGES,
    reserve: 512,
    longestValue: 2048 - '{"ENCRYPTED_DATA":""}'.length,
    exposable: [...Object.values(ONESIGNAL_VALUES), 'badge', 'interruption-level', 'content-available'],
    takesSoundMembers: false,
    takesStringKeys: false,
    requiresBody: true,
  }],
]);

/** Returns true if the library knows the carrier's request. */
const isKnown = (carrier) => CARRIERS.has(carrier);

/** Returns the rules of a carrier: those of APNs for an unknown name, such as a relay of your own. */
const rulesOf = (carrier) => CARRIERS.get(carrier) ?? APNS;

/** Returns the number of characters for the sealed values beside the readable bytes of a payload. */
function roomFor(carrier, type, readable) {
  const { reserve, longestValue } = rulesOf(carrier);
  return Math.min((type === 'voip' ? 5120 : 4096) - reserve - readable, longestValue);
}

function checkType(carrier, type) {
  const isTaken = rulesOf(carrier).types?.includes(type) ?? true;
  check(isTaken, 'not-sealable', `${carrier} takes no sealed ${type} pushes. Send them to APNs.`);
}

/** Throws if the carrier's request has no member for a part of an alert. */
function checkAlert(carrier, { expose, placeholder }, aps) {
  const rules = rulesOf(carrier);
  const unknown = expose.find((key) => key !== 'alert' && !(rules.exposable?.includes(key) ?? true));
  check(unknown === undefined, 'invalid-payload', `${carrier} has no member for ${unknown}. Do not expose it.`);
  const hasMembers = expose.includes('sound') && get(aps, 'sound').kind === '{';
  const takesSound = rules.takesSoundMembers || !hasMembers;
  check(takesSound, 'invalid-payload', `${carrier} takes a sound's name only. Do not expose the sound.`);
  if (!rules.hasAps) return;
  const hasKeys = Object.keys(placeholder).some((name) => name.includes('loc-') && placeholder[name] !== undefined);
  const takesKeys = rules.takesStringKeys || !hasKeys;
  check(takesKeys, 'invalid-placeholder', `${carrier} takes no keys of the app's string table. Use text.`);
  const hasBody = typeof placeholder.body === 'string' && placeholder.body !== '';
  const isShown = hasBody || !rules.requiresBody;
  check(isShown, 'invalid-placeholder', `${carrier} requires a body. Add it to the placeholder.`);
}

/** Throws if the carrier doesn't take a push with these settings. */
function checkContent(carrier, settings, aps) {
  checkType(carrier, settings.type);
  const hasId = settings.collapseId !== undefined;
  check(!hasId || rulesOf(carrier).takesCollapseId, 'invalid-header', `${carrier} has no collapse id. Omit it.`);
  if (settings.type === 'alert') checkAlert(carrier, settings, aps);
}

/** Returns an object in JSON with members in JSON, without those that are undefined. */
function object(members) {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{${given.map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;
}

/** The parts of a sealed push, as JSON texts that are undefined if they are missing. */
class Content {
  constructor({ payload, headers, issuedAt }) {
    const root = parse(payload);
    const end = headers['apns-expiration'];
    this.payload = payload.toString();
    this.headers = headers;
    this.aps = get(root, 'aps');
    this.data = object({ ENCRYPTED_DATA: Content.value(root, 'ENCRYPTED_DATA') });
    this.urgency = headers['apns-priority'] === '10' ? '"high"' : '"normal"';
    this.expiration = end === undefined ? undefined : Number(end);
    this.timeToLive = this.expiration; // seconds
    if (this.expiration > 0) this.timeToLive = Math.max(Math.floor((this.expiration * 1000 - issuedAt) / 1000), 0);
  }

  static value(parent, name) {
    const { kind, raw } = get(parent, name);
    return kind === '' ? undefined : raw;
  }

  line(name) {
    return Content.value(get(this.aps, 'alert'), name);
  }

  flag(name) {
    return get(this.aps, name).kind === '' ? undefined : 'true';
  }

  header(name) {
    return JSON.stringify(this.headers[name]);
  }

  /** Returns values of aps under other names. */
  values(names) {
    return Object.fromEntries(Object.entries(names).map(([name, key]) => [name, Content.value(this.aps, key)]));
  }

  /** Returns the time to live in seconds, at most four weeks. */
  get weeks() {
    return this.timeToLive === undefined ? undefined : Math.min(this.timeToLive, FOUR_WEEKS);
  }
}

function firebase(content, token) {
  const headers = object(Object.fromEntries(FIREBASE_HEADERS.map((name) => [name, content.header(name)])));
  const apns = object({ headers, payload: content.payload });
  return { message: object({ token: JSON.stringify(token), apns }) };
}

function firebaseAndroid(content, token) {
  const android = object({
    priority: content.urgency,
    ttl: content.weeks === undefined ? undefined : `"${content.weeks}s"`,
    collapseKey: content.header('apns-collapse-id'),
    data: content.data,
  });
  return { message: object({ token: JSON.stringify(token), android }) };
}

function expo(content, token) {
  return {
    to: JSON.stringify(token),
    title: content.line('title'),
    subtitle: content.line('subtitle'),
    body: content.line('body'),
    mutableContent: content.flag('mutable-content'),
    _contentAvailable: content.flag('content-available'),
    ...content.values(EXPO_VALUES),
    data: content.data,
    ...(content.expiration === 0 ? { ttl: 0 } : { expiration: content.expiration }),
    priority: content.urgency,
  };
}

function onesignal(content, token, appId) {
  const isGiven = typeof appId === 'string' && appId !== '';
  check(isGiven, 'missing-value', "OneSignal requires the app's id. Give it.");
  // OneSignal shows English to users of a language without its own text.
  const english = (name) => content.line(name) && object({ en: content.line(name) });
  const badge = Content.value(content.aps, 'badge');
  const level = get(content.aps, 'interruption-level');
  return {
    app_id: JSON.stringify(appId),
    include_subscription_ids: JSON.stringify([token]),
    target_channel: '"push"',
    contents: english('body'),
    headings: english('title'),
    subtitle: english('subtitle'),
    mutable_content: content.flag('mutable-content'),
    content_available: content.flag('content-available'),
    ios_badgeType: badge === undefined ? undefined : '"SetTo"',
    ios_badgeCount: badge,
    ios_interruption_level: level.kind === '"' ? JSON.stringify(LEVELS.get(level.text) ?? level.text) : undefined,
    ...content.values(ONESIGNAL_VALUES),
    data: content.data,
    ttl: content.weeks,
    priority: content.headers['apns-priority'],
    collapse_id: content.header('apns-collapse-id'),
  };
}

const BODIES = new Map(Object.entries({
  firebase, 'firebase-android': firebaseAndroid, expo, onesignal,
}));

/** A sealed payload, the headers of its request to APNs, its carrier, and its time of issue in milliseconds. */
class Push {
  constructor({ payload, headers, carrier, issuedAt }) {
    Object.assign(this, { payload, headers, carrier, issuedAt });
  }

  /**
   * Returns the `body` and the `headers` of the carrier's request for a device. The URL and your credentials aren't part
   * of it. The token is the carrier's own. For APNs, the token is in the URL. OneSignal requires the app's id.
   */
  request(token, { appId } = {}) {
    const isToken = typeof token === 'string' && /^[!-~]+$/.test(token);
    check(isToken, 'invalid-header', "The device token isn't visible ASCII. Give it as the carrier issued it.");
    const names = [...CARRIERS.keys()].join(', ');
    check(isKnown(this.carrier), 'not-sealable', `The carrier's request isn't known. Use one of: ${names}.`);
    if (this.carrier === 'apns') return { body: this.payload, headers: { ...this.headers } };
    const members = BODIES.get(this.carrier)(new Content(this), token, appId);
    return { body: Buffer.from(object(members)), headers: { 'Content-Type': 'application/json' } };
  }
}

module.exports = {
  Push, checkContent, checkType, isKnown, roomFor, rulesOf,
};
