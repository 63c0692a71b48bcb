'use strict';

const { Registration, Row } = require('pushcrypt');

/** The rows of all devices, as text. Use a table of your database, and one transaction for each registration. */
class DeviceTable {
  #texts = new Map();

  /** Returns the rows of a user. */
  of(user) {
    return [...this.#texts.values()].map((text) => Row.parse(text)).filter(({ account }) => account === user);
  }

  /** Stores the row of a registration, or throws and keeps the known one. */
  register(body, user) {
    const deviceToken = Registration.deviceToken(body.token);
    const rows = this.of(user);
    const isKnown = (row) => row.deviceToken === deviceToken;
    const row = Row.accept(body.registration, deviceToken, {
      account: user, known: rows.find(isKnown), others: rows.filter((each) => !isKnown(each)),
    });
    this.#texts.set(JSON.stringify([user, deviceToken]), JSON.stringify(row));
    return row;
  }
}

module.exports = { DeviceTable };
