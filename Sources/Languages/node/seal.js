'use strict';

const fs = require('node:fs');
const { parseArgs } = require('node:util');
const { DEFAULTS, PushCryptError, Recipient, Sealer, SigningKeyring, checkOptions } = require('./pushcrypt.js');
const { isKnown } = require('./carriers.js');
const { MAXIMUM_DEPTH, get, parse } = require('./strict-json.js');

const MAXIMUM_LINE = 65536;
const MAXIMUM_PAYLOAD = 1048576;
const OPTION_MEMBERS = ['line', 'error', 'type', 'lifetime', 'collapse-id', 'topic', 'priority'];
const NAMES = [
  'sign-with', 'payload', 'type', 'lifetime', 'padding', 'expose', 'placeholder-body', 'topic', 'carrier', 'app-id',
];
const USAGE = `usage: seal (--anonymous | --sign-with KEYRING) [--payload FILE] [--type TYPE] [--lifetime 7d]
            [--padding buckets|maximum|none] [--expose KEYS] [--placeholder-body TEXT] [--topic TOPIC]
            [--carrier NAME] [--app-id ID]`;

function stop(status, text) {
  process.stderr.write(`${text}\n`);
  process.exit(status);
}

/** Parses a lifetime such as 90s, 15m, 12h or 7d. */
function seconds(text) {
  const [, count, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  return Number(count) * { s: 1, m: 60, h: 3600, d: 86400 }[unit]; // NaN isn't valid.
}

function configure() {
  const options = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }]));
  const { values, tokens } = parseArgs({
    options: { ...options, anonymous: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    tokens: true,
  });
  const settings = { ...DEFAULTS, expose: [] };
  for (const { kind, name, value } of tokens) {
    if (kind !== 'option' || (value === '' && name !== 'expose')) throw new TypeError('An option does not fit.');
    if (name === 'expose') settings.expose.push(...value.split(',').filter((key) => key !== ''));
    if (['type', 'padding', 'topic'].includes(name)) settings[name] = value;
    if (name === 'lifetime') settings.lifetime = seconds(value);
    if (name === 'placeholder-body') settings.placeholder = { body: value };
    if (name === 'carrier' && !isKnown(value)) throw new TypeError('The carrier is unknown.');
    if (name === 'app-id' && !/^[!-~]+$/.test(value)) throw new TypeError("The app's ID is not visible ASCII.");
    checkOptions(settings);
  }
  const hasApp = values['app-id'] !== undefined;
  if (hasApp !== (values.carrier === 'onesignal')) throw new TypeError('The options do not fit.');
  const isSigned = values['sign-with'] !== undefined;
  if (!values.help && isSigned === (values.anonymous === true)) throw new TypeError('The options do not fit.');
  return { values, settings };
}

/** Reads a payload for all lines. The file can be a device without an end. */
function readPayload(path) {
  const file = fs.openSync(path, 'r');
  const buffer = Buffer.alloc(MAXIMUM_PAYLOAD + 1);
  let length = 0;
  for (let count = 1; count > 0 && length < buffer.length; length += count) {
    count = fs.readSync(file, buffer, length, buffer.length - length, null);
  }
  fs.closeSync(file);
  if (length > MAXIMUM_PAYLOAD) throw new RangeError('The payload has more than 1048576 bytes. Shorten it.');
  return buffer.subarray(0, length);
}

/** Returns a member that is a string, or undefined if it is missing. */
function string(line, name) {
  const { kind, text } = get(line, name);
  if (kind !== '' && kind !== '"') throw new PushCryptError('type-mismatch', `"${name}" isn't a string. Give a string.`);
  return kind === '' ? undefined : text;
}

/** Returns the settings with the line's members. */
function override(line, settings) {
  const changed = { ...settings };
  for (const [name, setting] of [['type', 'type'], ['topic', 'topic'], ['collapse-id', 'collapseId']]) {
    const text = string(line, name);
    if (text !== undefined) changed[setting] = text;
  }
  const lifetime = get(line, 'lifetime');
  if (lifetime.kind !== '') changed.lifetime = seconds(lifetime.kind === '0' ? `${lifetime.raw}s` : lifetime.text);
  const priority = get(line, 'priority');
  if (priority.kind !== '') changed.priority = /^[0-9]+$/.test(priority.raw) ? Number(priority.raw) : -1;
  return changed;
}

function push(line, { sealer, settings, payload }) {
  const to = get(line, 'to');
  const own = get(line, 'payload');
  const original = own.kind === '' ? payload : own.raw;
  if (to.kind === '' || original === undefined) {
    throw new PushCryptError('missing-value', '"to" or "payload" is missing. Add it.');
  }
  const changed = override(line, settings);
  return sealer.seal(original, Recipient.parse(to.kind === '"' ? to.text : to.raw), changed);
}

/** Returns the body and the headers of the request to APNs, or to the carrier for the line's token. */
function request(line, setup) {
  const sealed = push(line, setup);
  if (sealed.carrier === 'apns') return { body: sealed.payload, headers: sealed.headers };
  const token = string(line, 'token');
  if (token === undefined) throw new PushCryptError('missing-value', '"token" is missing. Add it.');
  return sealed.request(token, { appId: setup.appId });
}

/** Returns the output for a line, and true if the line is sealed. */
function answer(text, number, setup) {
  let members = [];
  try {
    if (text.length > MAXIMUM_LINE) {
      throw new PushCryptError('line-too-long', 'The line has more than 65536 bytes. Shorten it.');
    }
    const line = parse(text, 'malformed-json', MAXIMUM_DEPTH + 1);
    members = line.members;
    const { body, headers } = request(line, setup);
    const sealed = `"payload":${body}`;
    const texts = members.filter(({ name }) => name !== 'to' && name !== 'headers').map(
      ({ name, raw }) => (name === 'payload' ? sealed : copied(raw)),
    );
    if (get(line, 'payload').kind === '') texts.push(sealed);
    return [`{${[...texts, `"headers":${JSON.stringify(headers)}`]}}\n`, true];
  } catch (error) {
    if (!(error instanceof PushCryptError)) throw error;
    const { code, reason } = error;
    const kept = isPrivateKey(members) ? [] : members;
    const texts = kept.filter(({ name }) => !['to', 'payload', 'headers', ...OPTION_MEMBERS].includes(name))
      .map(({ raw }) => copied(raw));
    return [`{${[...texts, `"line":${number}`, `"error":${JSON.stringify({ code, reason })}`]}}\n`, false];
  }
}

/** Returns true for a line that is a private JWK by mistake, so that no answer may repeat it. */
function isPrivateKey(members) {
  const has = (wanted) => members.some(({ name, raw }) => name === wanted && raw.endsWith('"'));
  return has('d') && (has('kty') || has('crv'));
}

/** Returns a member with one space between tokens, because a carriage return there ends a line for some readers. */
function copied(member) {
  return member.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, (_, string) => string ?? ' ');
}

/** Yields the lines of the input, each cut behind the limit. */
async function* lines(input) {
  let line = Buffer.alloc(0);
  let isOpen = false;
  for await (const chunk of input) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(10, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      line = Buffer.concat([line, part.subarray(0, MAXIMUM_LINE + 1 - line.length)]);
      isOpen = end < 0;
      if (!isOpen) {
        yield line;
        line = Buffer.alloc(0);
      }
      start = isOpen ? chunk.length : end + 1;
    }
  }
  if (isOpen) yield line;
}

async function main() {
  let setup;
  try {
    setup = configure();
  } catch {
    stop(64, USAGE);
  }
  const { values, settings } = setup;
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  let sealer;
  let payload;
  try {
    const { carrier } = values;
    sealer = values.anonymous
      ? Sealer.anonymous({ carrier })
      : Sealer.signedBy(SigningKeyring.read(values['sign-with']), { carrier });
    if (values.payload !== undefined) payload = readPayload(values.payload);
  } catch (error) {
    stop(1, `seal: error: ${error.message}`);
  }
  process.stdout.on('error', (error) => stop(1, `seal: error: The output failed: ${error.code}`));
  if (fs.fstatSync(0).isDirectory()) throw new TypeError('The input is a directory. Give a file.');
  let number = 0;
  for await (const line of lines(process.stdin)) {
    number += 1;
    const [text, isSealed] = answer(line, number, { sealer, settings, payload, appId: values['app-id'] });
    if (!isSealed) process.exitCode = 65;
    await new Promise((resolve) => { process.stdout.write(text, resolve); });
  }
}

main().catch((error) => stop(1, `seal: error: ${error.message}`));
