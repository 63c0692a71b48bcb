'use strict';

// BLAKE2b (RFC 7693). A word of 64 bits is two elements of an array, the lower half first. No branch or index depends on
// data.

const IV = Uint32Array.of(
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
);
const SIGMA = [
  '0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d',
  '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0',
].map((digits) => Array.from(digits, (digit) => 2 * parseInt(digit, 16)));
const COLUMNS = [[0, 8, 16, 24], [2, 10, 18, 26], [4, 12, 20, 28], [6, 14, 22, 30]];
const DIAGONALS = [[0, 10, 20, 30], [2, 12, 22, 24], [4, 14, 16, 26], [6, 8, 18, 28]];
const BLOCK = 128;

/** Adds a word of v, and a word of the message if there is one, to a word of v. */
function add(v, to, from, words, at) {
  const low = v[to] + v[from] + (words === undefined ? 0 : words[at]);
  const high = words === undefined ? 0 : words[at + 1];
  v[to + 1] = v[to + 1] + v[from + 1] + high + Math.trunc(low / 2 ** 32);
  v[to] = low;
}

/** Combines two words, and rotates the result to the right. */
function turn(v, to, from, count) {
  const low = v[to] ^ v[from];
  const high = v[to + 1] ^ v[from + 1];
  const [first, second] = count < 32 ? [low, high] : [high, low];
  const bits = count % 32;
  v[to] = bits === 0 ? first : (first >>> bits) | (second << (32 - bits));
  v[to + 1] = bits === 0 ? second : (second >>> bits) | (first << (32 - bits));
}

function mix(v, [a, b, c, d], words, first, second) {
  add(v, a, b, words, first);
  turn(v, d, a, 32);
  add(v, c, d);
  turn(v, b, c, 24);
  add(v, a, b, words, second);
  turn(v, d, a, 16);
  add(v, c, d);
  turn(v, b, c, 63);
}

/** Mixes a block into the state. `count` is the number of bytes up to its end. */
function compress(state, block, count, isLast) {
  const words = Uint32Array.from({ length: 32 }, (_, at) => block.readUInt32LE(4 * at));
  const v = Uint32Array.of(...state, ...IV);
  v[24] ^= count;
  v[25] ^= Math.trunc(count / 2 ** 32);
  v[28] ^= isLast ? 0xffffffff : 0;
  v[29] ^= isLast ? 0xffffffff : 0;
  for (let round = 0; round < 12; round += 1) {
    const order = SIGMA[round % 10];
    COLUMNS.forEach((column, at) => mix(v, column, words, order[2 * at], order[2 * at + 1]));
    DIAGONALS.forEach((diagonal, at) => mix(v, diagonal, words, order[2 * at + 8], order[2 * at + 9]));
  }
  for (let at = 0; at < 16; at += 1) state[at] ^= v[at] ^ v[at + 16];
}

/** Returns BLAKE2b of bytes, with a key of at most 64 bytes or without one. */
function blake2b(bytes, length, key = Buffer.alloc(0)) {
  const state = Uint32Array.from(IV);
  state[0] ^= 0x01010000 ^ (key.length << 8) ^ length;
  const start = key.length > 0 ? BLOCK : 0;
  const size = start + bytes.length;
  const data = Buffer.alloc(Math.max(BLOCK, Math.ceil(size / BLOCK) * BLOCK));
  data.set(key);
  data.set(bytes, start);
  for (let at = 0; at < data.length; at += BLOCK) {
    const isLast = at + BLOCK === data.length;
    compress(state, data.subarray(at, at + BLOCK), isLast ? size : at + BLOCK, isLast);
  }
  data.fill(0);
  const result = Buffer.alloc(64);
  state.forEach((word, at) => result.writeUInt32LE(word, 4 * at));
  return result.subarray(0, length);
}

module.exports = { blake2b };
