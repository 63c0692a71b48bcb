'use strict';

const { isUtf8 } = require('node:buffer');

/** A failure with a code for programs and a reason for people. Neither contains content or keys. */
class PushCryptError extends Error {
  constructor(code, reason, generation) {
    super(`${reason} [${code}]`);
    this.name = 'PushCryptError';
    this.code = code;
    this.reason = reason;
    /** The row's generation if the code is stale-generation. */
    this.generation = generation;
  }
}

function check(condition, code, reason) {
  if (!condition) throw new PushCryptError(code, reason);
}

const MAXIMUM_DEPTH = 64;
const MISSING = { kind: '', text: '', raw: '', members: [], items: [] };
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SPACE = /[ \t\r\n]*/y;
const WORD = /true|false|null/y;

/**
 * Parses one strict JSON object into values. A value has its `kind` (the first character, or '0' for a number), its `raw`
 * JSON, the `text` of a string, the `members` of an object, and the `items` of an array. A member is raw, too.
 */
function parse(data, code = 'malformed-json', levels = MAXIMUM_DEPTH) {
  const bytes = Buffer.from(data);
  const scanned = bytes.toString('latin1'); // One character for each byte.
  let at = 0;

  function stop(problem) {
    throw new PushCryptError(code, `At byte ${at}, ${problem}. Give one strict JSON object.`);
  }

  function match(pattern) {
    pattern.lastIndex = at;
    if (!pattern.test(scanned)) stop("a character isn't valid");
    at = pattern.lastIndex;
  }

  function expect(character) {
    if (scanned[at] !== character) stop("a character isn't valid");
    at += 1;
  }

  function string() {
    const start = at;
    expect('"');
    while (scanned[at] !== '"') {
      if (at >= bytes.length || bytes[at] < 0x20) stop('a string has a control character or no end');
      if (scanned[at] === '\\') match(ESCAPE);
      else at += 1;
    }
    at += 1;
    const text = JSON.parse(bytes.toString('utf8', start, at));
    if (/\p{Surrogate}/u.test(text)) stop('a surrogate is alone');
    return text;
  }

  function container(value, depth) {
    const closing = value.kind === '{' ? '}' : ']';
    const names = new Set();
    if (depth > levels) stop('the nesting is too deep');
    at += 1;
    match(SPACE);
    if (scanned[at] === closing) return;
    for (;;) {
      match(SPACE);
      if (value.kind === '[') {
        value.items.push(read(depth + 1));
      } else {
        const start = at;
        const name = string();
        const rawName = bytes.toString('utf8', start, at);
        if (names.has(name)) stop('a name occurs twice in one object');
        names.add(name);
        match(SPACE);
        expect(':');
        match(SPACE);
        const member = read(depth + 1);
        value.members.push({ name, rawName, raw: bytes.toString('utf8', start, at), value: member });
      }
      match(SPACE);
      if (scanned[at] === closing) return;
      expect(',');
    }
  }

  function read(depth) {
    const start = at;
    const value = { ...MISSING, kind: scanned[at] ?? '', members: [], items: [] };
    if (value.kind === '{' || value.kind === '[') {
      container(value, depth);
      at += 1;
    } else if (value.kind === '"') {
      value.text = string();
    } else if ('tfn'.includes(value.kind)) {
      match(WORD);
    } else {
      value.kind = '0';
      match(NUMBER);
    }
    value.raw = bytes.toString('utf8', start, at);
    return value;
  }

  if (!isUtf8(bytes)) stop("the text isn't UTF-8");
  match(SPACE);
  const value = read(1);
  match(SPACE);
  if (value.kind !== '{' || at < bytes.length) stop("the value isn't an object, or it isn't the end");
  return value;
}

/** Returns the member's value. Its kind is empty if the member is missing. */
function get(object, name) {
  const member = object.members.find((candidate) => candidate.name === name);
  return member === undefined ? MISSING : member.value;
}

/** Removes the white space between the tokens of valid JSON. */
function compact(raw) {
  let result = '';
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    if (isQuoted && raw[at] === '\\') {
      at += 1;
    } else if (raw[at] === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && ' \t\r\n'.includes(raw[at])) {
      result += raw.slice(start, at);
      start = at + 1;
    }
  }
  return result + raw.slice(start);
}

/** Removes JSON's white space around a text. A regular expression would take quadratic time. */
function trim(text) {
  let [start, end] = [0, text.length];
  while (start < end && ' \t\r\n'.includes(text[start])) start += 1;
  while (start < end && ' \t\r\n'.includes(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

module.exports = { PushCryptError, MAXIMUM_DEPTH, check, parse, get, compact, trim };
