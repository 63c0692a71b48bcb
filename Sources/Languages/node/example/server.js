'use strict';

// A server with Express that registers devices, and seals messages for them in a job.
//
//     ACCESS_TOKENS='{"a long random text":"anna"}' KEYRING=server.jwks PORT=8080 node server.js
//
// POST /devices and POST /messages have the header `Authorization: Bearer TOKEN`.

const express = require('express');
const { PushCryptError, Sealer, SigningKeyring } = require('pushcrypt');
const { authenticate } = require('./access.js');
const { DeviceTable } = require('./devices.js');
const { JobQueue } = require('./jobs.js');

const devices = new DeviceTable();
const sealer = Sealer.signedBy(SigningKeyring.read(process.env.KEYRING));

/** Replace this by your client of APNs, which posts the payload with the headers to /3/device/TOKEN. */
function send(token, push) {
  console.log(JSON.stringify({ token, payload: push.payload.toString(), headers: push.headers }));
}

const jobs = new JobQueue(({ user, payload }) => {
  devices.of(user).forEach((row) => {
    try {
      send(row.deviceToken, sealer.seal(payload, row, { topic: 'com.example.app' }));
    } catch (error) { // Never send the payload itself.
      if (!(error instanceof PushCryptError)) throw error;
      console.error(`a device of ${user}: ${error.message}`);
    }
  });
});

const app = express();
app.disable('x-powered-by');
app.use(authenticate);

// The body is {"registration": "…", "token": "…"}. The registration stays text.
app.post('/devices', express.json({ limit: '64kb' }), (request, response) => {
  const row = devices.register(request.body, response.locals.user);
  response.json({ lists: [], token: row.deviceToken });
});

app.post('/messages', express.text({ type: '*/*', limit: '64kb' }), (request, response) => {
  jobs.add({ user: response.locals.user, payload: request.body });
  response.sendStatus(202);
});

// Express knows a handler of errors by its four parameters.
app.use((error, request, response, next) => {
  if (error instanceof PushCryptError && error.code === 'stale-generation') {
    response.status(409).json({ generation: error.generation });
  } else if (error instanceof PushCryptError) {
    response.status(400).json({ code: error.code });
  } else if (error.status >= 400 && error.status < 500) {
    response.sendStatus(error.status);
  } else {
    next(error);
  }
});

app.listen(Number(process.env.PORT), '127.0.0.1');
