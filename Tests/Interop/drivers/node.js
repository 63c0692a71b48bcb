'use strict';

// Answers requests of Tests/Interop/run with the Node library in the directory that is the argument.

const Module = require('node:module');
const path = require('node:path');
const readline = require('node:readline');
const util = require('node:util');

const directory = path.resolve(process.argv[2]);
const load = (name) => Module.createRequire(path.join(directory, 'index.js'))(`./${name}`);
const { ACTIONS, answer, answered } = load('check.js');
const { PrivateKey, Recipient, Row, Sealer, SigningKeyring } = load('pushcrypt.js');

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

const MORE_ACTIONS = {
  ...ACTIONS,
  keyring: ({ text }) => ({ thumbprint: SigningKeyring.read(text).keyFor().publicKey.thumbprint }),
  print({ kind, text }) {
    const key = kind === 'signing' ? PrivateKey.parseSigning(text) : PrivateKey.parseDevice(text);
    const values = kind === 'signing' ? [key, Sealer.signedBy(key), [key]] : [key, [key]];
    const inspect = (value) => util.inspect(value, { depth: null, showHidden: true });
    const printers = [String, JSON.stringify, inspect, (value) => util.format('%o', value)];
    return { texts: values.flatMap((value) => printers.map((print) => print(value))) };
  },
  'carrier-seal': carrierSeal,
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line), MORE_ACTIONS))}\n`);
});
