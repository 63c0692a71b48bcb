'use strict';

const crypto = require('node:crypto');

const hash = (text) => crypto.createHash('sha256').update(text).digest('hex');
const USERS = new Map(Object.entries(JSON.parse(process.env.ACCESS_TOKENS)).map(([text, user]) => [hash(text), user]));

/** Answers with 401 without an access token, or sets the user. */
function authenticate(request, response, next) {
  const [, text] = /^Bearer (.+)$/.exec(request.get('Authorization') ?? '') ?? [];
  response.locals.user = text && USERS.get(hash(text));
  if (response.locals.user) next(); else response.sendStatus(401);
}

module.exports = { authenticate };
