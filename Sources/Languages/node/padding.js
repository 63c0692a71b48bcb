'use strict';

const { check } = require('./strict-json.js');

const limit = (characters) => Math.floor((characters * 3) / 4) - 57;
const characters = (size) => Math.ceil(((57 + size) * 4) / 3);

function padded(needed, maximum, padding) {
  if (padding === 'none') return needed;
  const buckets = padding === 'buckets' ? [256, 512, 1024, 2048] : [];
  return buckets.find((bucket) => needed <= bucket && bucket <= maximum) ?? maximum;
}

/** Returns the length of each message. Together they have room for a number of characters. */
function paddedSizes(needed, room, padding) {
  const excess = needed.reduce((total, size) => total + characters(size), 0) - room;
  check(excess <= 0, 'payload-too-large', `The sealed payload has ${excess} bytes too many. Shorten the payload.`);
  const half = limit(Math.floor(room / needed.length));
  if (needed.every((size) => size <= half)) return needed.map((size) => padded(size, half, padding));
  const [small, large] = needed[0] > needed[1] ? [1, 0] : [0, 1];
  const sizes = [];
  const first = padding === 'maximum' ? 'buckets' : padding;
  sizes[small] = padded(needed[small], limit(room - characters(needed[large])), first);
  sizes[large] = padded(needed[large], limit(room - characters(sizes[small])), padding);
  return sizes;
}

module.exports = { paddedSizes };
