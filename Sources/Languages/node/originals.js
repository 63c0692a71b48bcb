'use strict';

const { decode } = require('./crypto.js');
const { integer } = require('./keys.js');
const { check, compact, get, parse } = require('./strict-json.js');

const TYPES = { alert: 1, background: 2, voip: 3, liveactivity: 4, location: 6, pushtotalk: 7 };
const WITHDRAWAL = 8;
const CHALLENGE = 9;
const ACTIVITY_KINDS = new Map([['content-state', 4], ['attributes', 5]]); // An object also has inherited members.
const RESERVED = ['pushcrypt.receipt', 'pushcrypt.added']; // The extension writes these members.
const ALERT_TEXTS = ['title', 'subtitle', 'body', 'title-loc-key', 'subtitle-loc-key', 'loc-key'];
const PLACEHOLDER = [
  'title', 'title-loc-key', 'title-loc-args', 'subtitle', 'subtitle-loc-key', 'subtitle-loc-args', 'body', 'loc-key', 'loc-args',
];
const EXPOSABLE_IN_ALERTS = [
  'category', 'thread-id', 'sound', 'badge', 'interruption-level', 'relevance-score', 'target-content-id',
  'filter-criteria', 'content-available',
];
const EXPOSABLE = [...EXPOSABLE_IN_ALERTS, 'alert']; // The alert of a Live Activity alone.

const isAbsent = (value) => value.kind === '' || value.kind === 'n';
const isContainer = (value) => value.kind === '{' || value.kind === '[';
const requireValid = (condition, reason) => check(condition, 'invalid-payload', reason);

function requireUnsealed(object) {
  const isSealed = get(object, 'ENCRYPTED_DATA').kind !== '';
  check(!isSealed, 'already-sealed', 'The payload already has an ENCRYPTED_DATA. Seal the original payload.');
}

/** Checks the alert. A withdrawal and a challenge need neither an "aps" nor a text. */
function checkAlert(aps, needsText) {
  const alert = get(aps, 'alert');
  requireValid(!needsText || aps.kind !== '', '"aps" is missing. Add it.');
  requireValid(isAbsent(alert) || '"{'.includes(alert.kind), "The alert isn't a string or an object. Correct it.");
  const texts = ALERT_TEXTS.map((name) => get(alert, name));
  const areStrings = texts.every((value) => isAbsent(value) || value.kind === '"');
  requireValid(areStrings, "A text or key of the alert isn't a string. Give a string.");
  const hasText = [alert, ...texts].some((value) => value.text !== '');
  check(hasText || !needsText, 'no-alert-text', 'The alert has no text. Add a title, a subtitle or a body.');
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

function checkChallenge(root, type) {
  const challenge = get(root, 'challenge');
  const isNonce = challenge.kind === '"' && decode(challenge.text)?.length === 32;
  const isKnown = root.members.every(({ name }) => ['challenge', 'expires', 'aps'].includes(name));
  const isChallenge = isNonce && isKnown && integer(root, 'expires', 0) !== undefined;
  requireValid(isChallenge, "The payload isn't a challenge. Give the text that Challenges.issue returns.");
  const fits = type === 'alert' || type === 'background';
  requireValid(fits, "The push type doesn't fit a challenge. Use alert or background.");
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
  return EXPOSABLE_IN_ALERTS.filter((name) => names.includes(name) && get(aps, name).kind !== '').map((name) => {
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

/** Returns the readable alert of a Live Activity: the placeholder, with the sound of the original's alert. */
function replacedAlert(alert, placeholder) {
  const text = placeholderText(placeholder);
  const sound = get(alert, 'sound');
  return sound.kind === '"' ? `${text.slice(0, -1)},"sound":${sound.raw}}` : text;
}

/** Replaces only the values of a Live Activity's state, of its attributes, and of an alert that isn't exposed. */
function readActivity(root, { placeholder, expose }) {
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
      const isReplaced = name === 'alert' && !isAbsent(value) && !expose.includes('alert');
      frame += isReplaced ? replacedAlert(value, placeholder) : compact(value.raw);
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

/** Checks the rules of the push type, and returns the kind, and the id of a withdrawal with one collapse id. */
function checkKind(root, type, asked) {
  let [kind, withdrawnId] = [TYPES[type], undefined];
  if (asked === 'challenge') {
    kind = CHALLENGE;
    checkChallenge(root, type);
  } else if (type === 'alert' && isWithdrawal(root)) {
    kind = WITHDRAWAL;
    withdrawnId = checkWithdrawal(root);
  } else if (type === 'background') {
    checkBackground(get(root, 'aps'));
  }
  if (type === 'alert') checkAlert(get(root, 'aps'), kind === TYPES.alert);
  return { kind, withdrawnId };
}

/** Returns the parts to seal, the readable texts around them, the original's aps, and the id of a withdrawal with one collapse id. */
function readOriginal(payload, settings, hasAps = true) {
  const { type, kind: asked, placeholder, expose } = settings;
  const root = parse(payload);
  const aps = get(root, 'aps');
  const text = Buffer.from(compact(root.raw));
  check(text.length <= 65535, 'payload-too-large', 'The payload has more than 65535 bytes. Shorten it.');
  requireUnsealed(root);
  const reserved = RESERVED.find((name) => get(root, name).kind !== '');
  requireValid(reserved === undefined, `"${reserved}" is reserved for the device. Rename the member.`);
  requireValid(aps.kind === '' || aps.kind === '{', '"aps" isn\'t an object. Give an object.');
  if (type === 'liveactivity' && asked === undefined) return { ...readActivity(root, settings), aps };
  const { kind, withdrawnId } = checkKind(root, type, asked);
  let visible = type === 'background' ? '"content-available":1' : '';
  if (type === 'alert' && hasAps) {
    visible = `"alert":${placeholderText(placeholder)},"mutable-content":1${exposedText(aps, expose)}`;
  }
  const frame = hasAps ? `{"aps":{${visible}},"ENCRYPTED_DATA":"` : '{"ENCRYPTED_DATA":"';
  return { frames: [frame, '"}'], parts: [{ kind, text }], aps, withdrawnId };
}

module.exports = { ACTIVITY_KINDS, EXPOSABLE, TYPES, readOriginal };
