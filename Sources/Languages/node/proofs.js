'use strict';

const { timingSafeEqual } = require('node:crypto');
const { blake2b, decode, encode } = require('./crypto.js');
const { Registration, integer } = require('./keys.js');
const { check, compact, get, parse } = require('./strict-json.js');

const CHALLENGE_DOMAIN = 'pushcrypt/v1/challenge\0';
const PROOF_DOMAIN = 'pushcrypt/v1/proof\0';
const CODE = 'malformed-registration';

/** Returns BLAKE2b under a key of a name and byte strings, each after its length. */
function mac(key, domain, parts) {
  const joined = parts.map((part) => Buffer.from(part)).flatMap((bytes) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return blake2b(Buffer.concat([Buffer.from(domain), ...joined]), 32, key);
}

function readAnswer(text) {
  const isText = typeof text === 'string' || text instanceof Uint8Array;
  check(isText, CODE, "The answer isn't text. Give the body of the request before it is parsed.");
  const object = parse(text, CODE);
  const [registration, proof] = ['registration', 'proof'].map((name) => get(object, name));
  const expires = integer(object, 'expires', 0);
  const bytes = proof.kind === '"' ? decode(proof.text) : undefined;
  const isAnswer = registration.kind === '"' && bytes?.length === 32 && expires !== undefined;
  check(isAnswer, CODE, "The answer isn't valid. Send a device's answer unchanged.");
  return { registration: registration.text, expires, proof: bytes };
}

/**
 * A server's challenges for an app: its bundle ID, the current secret of 32 bytes, and the previous one, if any.
 *
 * `token`, `account` and `carrier` are those of the request at hand.
 */
class Challenges {
  #topic;

  #secrets;

  constructor(topic, secret, previous = undefined) {
    this.#topic = topic;
    this.#secrets = [secret, ...(previous === undefined || previous === null ? [] : [previous])];
    const areSecrets = this.#secrets.every((each) => each instanceof Uint8Array && each.length === 32);
    check(areSecrets, 'invalid-configuration', "A secret isn't 32 bytes. Use crypto.randomBytes(32), and store it.");
  }

  #nonce(secret, { token, account, carrier, digest, expires }) {
    const expiry = Buffer.alloc(8);
    expiry.writeBigUInt64BE(BigInt(expires));
    return mac(secret, CHALLENGE_DOMAIN, [this.#topic, carrier, account, token, digest, expiry]);
  }

  /**
   * Returns the payload of a challenge, to be sealed with the kind `challenge`. `registration` is the text that the device
   * has sent, and `expires` a time in seconds. A visible challenge displays `aps`, which is JSON text or an object.
   */
  issue(registration, token, { account = '', carrier = 'apns', expires, aps } = {}) {
    const isTime = Number.isSafeInteger(expires) && expires >= 0;
    check(isTime, 'invalid-configuration', "The expiry isn't an integer of seconds. Give a time.");
    const digest = blake2b(Buffer.from(registration), 32);
    const bound = Registration.boundToken(token, carrier);
    const nonce = this.#nonce(this.#secrets[0], { token: bound, account, carrier, digest, expires });
    const visible = typeof aps === 'string' ? compact(parse(aps).raw) : JSON.stringify(aps);
    return `{"challenge":"${encode(nonce)}","expires":${expires}${visible === undefined ? '' : `,"aps":${visible}`}}`;
  }

  /** Returns the text of the registration in a device's answer. Throws if its proof isn't valid. */
  verify(answer, token, { account = '', carrier = 'apns', now = Date.now() } = {}) {
    const { registration, expires, proof } = readAnswer(answer);
    const bound = Registration.boundToken(token, carrier);
    Registration.parse(registration);
    check(now < expires * 1000, 'expired-challenge', 'The challenge expired before its answer came. Send another one.');
    const digest = blake2b(Buffer.from(registration), 32);
    const isRight = this.#secrets.map((secret) => {
      const nonce = this.#nonce(secret, { token: bound, account, carrier, digest, expires });
      return timingSafeEqual(mac(nonce, PROOF_DOMAIN, [digest, bound, account]), proof);
    });
    check(isRight.includes(true), 'invalid-proof', "The proof isn't that of the challenge. Send another challenge.");
    return registration;
  }
}

module.exports = { Challenges };
