#!/usr/bin/env node
'use strict';

// Runs the test vectors with the installed package: pushcrypt-check [--version | FILE]

const fs = require('node:fs');
const path = require('node:path');
const util = require('node:util');
const crypto = require('./crypto.js');
const { Push, checkType, roomFor } = require('./carriers.js');
const {
  Challenges, PrivateKey, PublicKey, PushCryptError, Recipient, Registration, Row, Sealer, SignerRoots, SigningKeyring, VERSION,
  paddedSizes,
} = require('./pushcrypt.js');

const SHOWN_FAILURES = 20;

const limits = ({ generation, lifetime, signers = null }) => ({ generation, lifetime, signers });
const kids = (keys) => keys.map(({ thumbprint }) => thumbprint);
const signerRoots = ({ roots, audience }) => new SignerRoots(
  roots.map((jwk) => PublicKey.parseVerification(JSON.stringify(jwk))), audience,
);

function seal(request) {
  const names = {
    type: 'type', kind: 'kind', lifetime_s: 'lifetime', padding: 'padding', expose: 'expose', placeholder: 'placeholder', topic: 'topic',
    collapse_id: 'collapseId', priority: 'priority',
  };
  const options = {};
  for (const [name, option] of Object.entries(names)) {
    if (name in request) options[option] = request[name];
  }
  const [secrets, ids] = [request.ephemeral_secrets, request.message_ids].map((texts) => texts.map(crypto.decode));
  const source = {
    now: () => request.now_ms,
    messageId: () => ids.shift(),
    ephemeralKey: () => {
      const privateKey = crypto.importPrivateKey('X25519', secrets.shift());
      return { privateKey, ephemeral: crypto.decode(crypto.publicX(privateKey)) };
    },
  };
  const sealer = request.sender === null
    ? Sealer.anonymous()
    : Sealer.signedBy(PrivateKey.parseSigning(JSON.stringify(request.sender)));
  const { payload, headers } = sealer.seal(request.payload, Recipient.parse(request.to), options, source);
  return { payload: payload.toString(), headers };
}

/** Returns the carrier's request for a push. */
function answered(push, { token, app_id: appId }) {
  const { body, headers } = push.request(token, { appId });
  return { body: body.toString(), headers };
}

function carrierRequest({ payload, apns_headers: headers, carrier, issued_at_ms: issuedAt, ...device }) {
  return answered(new Push({ payload: Buffer.from(payload), headers, carrier, issuedAt }), device);
}

function limit({ carrier, type, frame }) {
  checkType(carrier, type);
  return { longest: paddedSizes([0], roomFor(carrier, type, frame), 'maximum')[0] };
}

function issueChallenge({ topic, secret, previous, registration, token, account, carrier, expires, aps }) {
  const challenges = new Challenges(topic, crypto.decode(secret), crypto.decode(previous));
  const options = { account, carrier, expires };
  return {
    payload: challenges.issue(registration, token, options),
    visible: challenges.issue(registration, token, { ...options, aps }),
  };
}

function verifyAnswer({ body, topic, secrets, token, account, carrier, now_ms: now }) {
  const challenges = new Challenges(topic, ...secrets.map(crypto.decode));
  const { generation, key } = Registration.parse(challenges.verify(body, token, { account, carrier, now }));
  return { generation, kid: key.thumbprint };
}

function refusal({ row, proofs_since_ms: proofsSince, now_ms: now, payload, kind }) {
  const source = { now: () => now, messageId: () => crypto.randomBytes(16), ephemeralKey: crypto.ephemeralKey };
  const recipient = Row.parse(row);
  Sealer.anonymous({ proofsSince, carrier: recipient.carrier }).seal(payload, recipient, { kind }, source);
  return { refused: false };
}

function updateRow({ text, token, account, carrier, row, others, proofs, proved, now_ms: now }) {
  const result = Row.accept(text, token, {
    account,
    carrier,
    known: row === null ? undefined : Row.parse(row),
    others: others.map(Row.parse),
    proved: proofs || proved ? proved : undefined,
    now,
  });
  return result === undefined ? { challenge: true } : { row: JSON.stringify(result) };
}

const ACTIONS = {
  challenge: issueChallenge,
  answer: verifyAnswer,
  row: updateRow,
  refusal,
  key({ kind, text }) {
    const key = {
      'recipient-public': () => Recipient.parse(text).key,
      verification: () => PublicKey.parseVerification(text),
      'recipient-private': () => PrivateKey.parseDevice(text).publicKey,
      signing: () => PrivateKey.parseSigning(text).publicKey,
    }[kind]();
    return { thumbprint: key.thumbprint, key_id: crypto.encode(key.id) };
  },
  'apns-id': ({ message_id: id }) => ({ apns_id: crypto.apnsId(crypto.decode(id)) }),
  registration: ({ text }) => limits(Registration.parse(text)),
  token: ({ text }) => ({ stored: Registration.deviceToken(text) }),
  update: updateRow,
  'signer-list': function signerList(request) {
    const roots = signerRoots(request);
    const stored = request.stored === null ? [] : [request.stored];
    const isSame = String(roots.storedWith(request.text, stored, request.now_ms)) === String(stored);
    const { number, keys } = roots.verify(request.text);
    return { outcome: isSame ? 'unchanged' : 'accepted', number, kids: kids(keys) };
  },
  'accepted-keys': (request) => ({ kids: kids(signerRoots(request).acceptedKeys(request.stored)) }),
  choice: ({ keyring, signers }) => ({ kid: SigningKeyring.parse(keyring).keyFor(signers).publicKey.thumbprint }),
  pad({ lengths, sender, maximum, frame, padding }) {
    const overhead = sender === null ? 32 : 104;
    return { padded: paddedSizes(lengths.map((length) => length + overhead), maximum - frame, padding) };
  },
  seal,
  request: carrierRequest,
  limit,
};

/** Returns the library's answer to the request of a vector. */
function answer(request, actions = ACTIONS) {
  try {
    return actions[request.do](request);
  } catch (error) {
    if (!(error instanceof PushCryptError)) throw error;
    return { fails: error.code, generation: error.generation, reason: request.reason && error.reason };
  }
}

/** Returns an answer without undefined members, whose JSON texts are values. */
function comparable(members, texts) {
  const entries = Object.entries(JSON.parse(JSON.stringify(members)));
  return Object.fromEntries(entries.map(([name, value]) => [name, texts.includes(name) ? JSON.parse(value) : value]));
}

/** Returns the vectors of a file, or throws if it isn't whole. */
function read(file) {
  const [{ version, count }, ...lines] = fs.readFileSync(file, 'latin1').trimEnd().split('\n').map((line) => JSON.parse(line));
  if (version !== 1 || !(count > 0) || count !== lines.length) throw new Error(`${file} is incomplete`);
  return lines;
}

function main(file) {
  let lines;
  try {
    lines = read(file);
  } catch (error) {
    console.error(`error: The vectors can't be read: ${error.message}. Give their file.`);
    return 1;
  }
  const failed = lines.filter(({ request, answer: wanted, json }) => {
    const pair = [answer(request), wanted].map((each) => comparable(each, json));
    return !util.isDeepStrictEqual(...pair);
  });
  failed.slice(0, SHOWN_FAILURES).forEach(({ name }) => console.log(`failed: ${name}`));
  console.log(`pushcrypt ${VERSION}: ${lines.length - failed.length} vectors passed, ${failed.length} failed`);
  return failed.length > 0 ? 1 : 0;
}

if (require.main === module) {
  const [argument = path.join(__dirname, 'vectors.jsonl'), ...more] = process.argv.slice(2);
  if (argument === '--version' && more.length === 0) {
    console.log(VERSION);
  } else if (argument.startsWith('-') || more.length > 0) {
    console.error('usage: pushcrypt-check [--version | FILE]');
    process.exitCode = 64;
  } else {
    process.exitCode = main(argument);
  }
}

module.exports = { ACTIONS, answer, answered };
