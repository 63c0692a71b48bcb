'use strict';

// Answers requests of Tests/Interop/run with the Node library in the directory that is the argument.

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const readline = require('node:readline');
const util = require('node:util');

const directory = path.resolve(process.argv[2]);
const load = (name) => Module.createRequire(path.join(directory, 'index.js'))(`./${name}`);
const crypto = load('crypto.js');
const { Push, checkType, roomFor } = load('carriers.js');

// The code of the library, with one more export.
const file = path.join(directory, 'pushcrypt.js');
const module_ = new Module(file, null);
module_.filename = file;
module_._compile(`${fs.readFileSync(file, 'utf8')}\nmodule.exports.paddedSizes = paddedSizes;`, file);
const {
  Challenges, PrivateKey, PublicKey, PushCryptError, Recipient, Registration, Row, Sealer, SignerRoots, SigningKeyring, paddedSizes,
} = module_.exports;

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

function carrierSeal(request) {
  const { carrier, type, padding, expose, placeholder, topic, priority, collapse_id: collapseId } = request;
  const settings = { carrier, proofsSince: request.proofs_since_ms };
  const sealer = request.sender === null
    ? Sealer.anonymous(settings)
    : Sealer.signedBy(PrivateKey.parseSigning(JSON.stringify(request.sender)), settings);
  const to = request.row === null ? Recipient.parse(request.to) : Row.parse(request.row);
  const push = sealer.seal(request.payload, to, { type, padding, expose, placeholder, topic, priority, collapseId });
  const { payload, headers, issuedAt } = push;
  return { payload: payload.toString(), apns_headers: headers, issued_at_ms: issuedAt, ...answered(push, request) };
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
  keyring: ({ text }) => ({ thumbprint: SigningKeyring.read(text).keyFor().publicKey.thumbprint }),
  print({ kind, text }) {
    const key = kind === 'signing' ? PrivateKey.parseSigning(text) : PrivateKey.parseDevice(text);
    const values = kind === 'signing' ? [key, Sealer.signedBy(key), [key]] : [key, [key]];
    const inspect = (value) => util.inspect(value, { depth: null, showHidden: true });
    const printers = [String, JSON.stringify, inspect, (value) => util.format('%o', value)];
    return { texts: values.flatMap((value) => printers.map((print) => print(value))) };
  },
  registration: ({ text }) => limits(Registration.parse(text)),
  token: ({ text }) => ({ stored: Registration.deviceToken(text) }),
  update({ text, token, account, row, others, now_ms: now }) {
    const known = row === null ? undefined : Row.parse(row);
    return { row: JSON.stringify(Row.accept(text, token, { account, known, others: others.map(Row.parse), now })) };
  },
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
  'carrier-seal': carrierSeal,
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = ACTIONS[request.do](request);
  } catch (error) {
    if (!(error instanceof PushCryptError)) throw error;
    answer = { fails: error.code, generation: error.generation, reason: request.reason && error.reason };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
