/** JSON as text, a string or bytes. */
export type Text = string | Uint8Array;

/** The version of the package. */
export const VERSION: string;

/** A failure with a code for programs and a reason for people, without content or keys. */
export class PushCryptError extends Error {
  /** The code, such as `stale-generation`. */
  readonly code: string;
  /** The reason, and an instruction. */
  readonly reason: string;
  /** The generation of a stale answer. */
  readonly generation?: number;
}

/** A validated X25519 key of a device, or a validated Ed25519 key of a server. */
export class PublicKey {
  private constructor();
  /** The curve. */
  readonly curve: 'X25519' | 'Ed25519';
  /** The thumbprint of RFC 7638. */
  readonly thumbprint: string;
  /** The first 8 bytes of the thumbprint's hash. */
  readonly id: Uint8Array;
  /** Returns a device's public key: a JWK, a JWK Set or the 43 characters of the raw key. */
  static parseRecipient(text: Text): PublicKey;
  /** Returns a server's public key, in the same forms. */
  static parseVerification(text: Text): PublicKey;
}

/** A key pair: X25519 of a device, or Ed25519 of a server. */
export class PrivateKey {
  private constructor();
  /** The public half. */
  readonly publicKey: PublicKey;
  /** Returns the signature of a server's key, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
  /** Returns a device's private key of a JWK. */
  static parseDevice(text: Text): PrivateKey;
  /** Returns a server's private key of a JWK. */
  static parseSigning(text: Text): PrivateKey;
}

/** A server's signing keys in the order of preference: the primary key, and then retired keys, the newest first. */
export class SigningKeyring {
  /** Creates a keyring of Ed25519 keys. */
  constructor(keys: readonly PrivateKey[]);
  /** The keys. */
  readonly keys: readonly PrivateKey[];
  /** Returns the first key that a device accepts. Without thumbprints, it is the primary key. */
  keyFor(signers?: readonly string[]): PrivateKey;
  /** Returns the keys of a keyring file. Rejects a link, and a file that others can access. */
  static read(path: string): SigningKeyring;
  /** Returns the keys of a keyring's text. */
  static parse(text: Text): SigningKeyring;
}

/** A device to seal for. */
export class Recipient {
  /** Creates a recipient of an X25519 key. */
  constructor(key: PublicKey, lifetime?: number, signers?: readonly string[]);
  /** The device's key. */
  readonly key: PublicKey;
  /** The longest lifetime of messages to the device, in seconds. */
  readonly lifetime: number;
  /** The thumbprints of the keys from which the device accepts signatures. */
  readonly signers?: readonly string[];
  /** Returns the recipient of a registration, a JWK, a JWK Set or the 43 characters of the raw key. */
  static parse(text: Text): Recipient;
}

/** The key that a device has registered, with its limits. */
export class Registration {
  private constructor();
  /** The device's key. */
  readonly key: PublicKey;
  /** The generation. */
  readonly generation: number;
  /** The time of creation, in seconds. */
  readonly created: number;
  /** The longest lifetime of messages to the key, in seconds. */
  readonly lifetime: number;
  /** The thumbprints of the keys from which the device accepts signatures. */
  readonly signers?: readonly string[];
  /** The device's key, with its lifetime and signers. */
  readonly recipient: Recipient;
  /** Returns the registration of its text. */
  static parse(text: Text): Registration;
  /** Returns a device token of APNs in lowercase: the form to store. */
  static deviceToken(token: string): string;
  /** Returns a token as a server stores it: a token of APNs in lowercase, and that of another carrier unchanged. */
  static boundToken(token: string, carrier: string): string;
}

/** A former key of a row, and the time in milliseconds at which it was replaced. */
export interface FormerKey {
  /** The thumbprint. */
  readonly kid: string;
  /** The time in milliseconds. */
  readonly replaced: number;
}

/** The settings of an update. */
export interface Update {
  /** The account. */
  account?: string;
  /** The service that delivers the pushes; `apns` by default. */
  carrier?: string;
  /** The row of this token, in lowercase, and account. */
  known?: Row | null;
  /** The account's other rows. */
  others?: readonly Row[];
  /** `true` after a valid proof, and `false` without one; missing while proofs are off. */
  proved?: boolean;
  /** The time in milliseconds. */
  now?: number;
}

/** A server's row of a device. Times are milliseconds. */
export class Row {
  private constructor();
  /** The account. */
  readonly account: string;
  /** The device token. */
  readonly deviceToken: string;
  /** The time of the registration. */
  readonly registered: number;
  /** The registration. */
  readonly registration: Registration;
  /** The keys before this one. */
  readonly formerKeys: readonly FormerKey[];
  /** The time of the proof of possession. */
  readonly proved?: number;
  /** The service that delivers the pushes. */
  readonly carrier: string;
  /** True if a newer version has written the row, which isn't replaced: the error is `newer-format`. */
  readonly isNewer: boolean;
  /** The device's key, with its lifetime and signers. */
  readonly recipient: Recipient;
  /** Returns the row of its text in the database. */
  static parse(text: Text): Row;
  /** Returns the row to store after a registration. Call it in a transaction. */
  static accept(text: Text, token: string, update?: Update & { proved?: true }): Row;
  /** Returns the row, or `undefined` if the server sends a challenge. */
  static accept(text: Text, token: string, update: Update): Row | undefined;
  /** Returns true if a sender accepts the row while proofs are on, which were turned on at a time in milliseconds. */
  isProved(since: number, now?: number): boolean;
  /** Returns the members of the row, so that `JSON.stringify(row)` is its text for the database. */
  toJSON(): object;
}

/** The settings of a sealer. */
export interface Settings {
  /** The time in milliseconds at which proofs of possession were turned on. */
  proofsSince?: number | null;
  /** The service that delivers the pushes; `apns` by default. */
  carrier?: string;
}

/** The options of one push. */
export interface Options {
  /** The push type; `alert` by default. */
  type?: 'alert' | 'background' | 'voip' | 'liveactivity' | 'location' | 'pushtotalk';
  /** The kind, if the payload is a challenge. */
  kind?: 'challenge';
  /** The lifetime in seconds; 7 days by default. */
  lifetime?: number;
  /** The padding; `buckets` by default. */
  padding?: 'buckets' | 'maximum' | 'none';
  /** The members of `aps` that stay readable in an alert, and `alert` for that of a Live Activity. */
  expose?: readonly string[];
  /** The members of the visible alert, also in a Live Activity. */
  placeholder?: Readonly<Record<string, string | readonly string[]>>;
  /** The header `apns-topic`. */
  topic?: string;
  /** The header `apns-collapse-id`. */
  collapseId?: string;
  /** The header `apns-priority`. */
  priority?: 1 | 5 | 10;
}

/** A carrier's request, without its URL and your credentials. */
export interface Request {
  /** The body. */
  readonly body: Uint8Array;
  /** The headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A sealed push. */
export interface Push {
  /** The sealed payload, a Buffer. */
  readonly payload: Uint8Array;
  /** The headers of the request to APNs. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service that delivers the push. */
  readonly carrier: string;
  /** The time of issue in milliseconds. */
  readonly issuedAt: number;
  /** Returns the carrier's request for a device. OneSignal requires the app's id. */
  request(token: string, options?: { appId?: string }): Request;
}

/** Seals payloads, with a signature or anonymously. */
export class Sealer {
  private constructor();
  /** Returns a sealer that signs for each device with the first key of the keyring that the device accepts. */
  static signedBy(keys: SigningKeyring | PrivateKey, settings?: Settings): Sealer;
  /** Returns a sealer of messages without a signature: anyone could have sent them. */
  static anonymous(settings?: Settings): Sealer;
  /** Seals JSON text, or a value to encode as JSON. It never returns an unsealed payload. */
  seal(original: Text | object, to: Row | Recipient, options?: Options): Push;
}

/** A server's challenges for an app. */
export class Challenges {
  /** Creates challenges of a bundle ID, the current secret of 32 bytes, and the previous one, if any. */
  constructor(topic: string, secret: Uint8Array, previous?: Uint8Array | null);
  /** Returns the payload of a challenge, to be sealed with the kind `challenge`. `expires` is a time in seconds. */
  issue(
    registration: Text, token: string, options: { account?: string; carrier?: string; expires: number; aps?: Text | object },
  ): string;
  /** Returns the text of the registration in a device's answer. Throws if its proof isn't valid. */
  verify(answer: Text, token: string, options?: { account?: string; carrier?: string; now?: number }): string;
}

/** A list of accepted keys. Times are seconds. */
export interface SignerList {
  /** The text. */
  readonly text: string;
  /** The root that has signed it. */
  readonly root: PublicKey;
  /** The accepted keys. */
  readonly keys: readonly PublicKey[];
  /** The number. */
  readonly number: number;
  /** The time of issue. */
  readonly issued: number;
  /** The end of the time in which a device takes the list. */
  readonly expiration: number;
  /** The audience. */
  readonly audience?: string;
}

/** The keys that an app pins for an account, in order, and the audience of their lists, if any. */
export class SignerRoots {
  /** Creates roots of servers' public keys. */
  constructor(keys: readonly PublicKey[], audience?: string | null);
  /** The roots. */
  readonly keys: readonly PublicKey[];
  /** The audience. */
  readonly audience?: string;
  /** Returns the list of one of the roots. It checks neither the audience nor the expiration. */
  verify(text: string): SignerList;
  /** Returns the texts to store after a list has come. `now` is the date of the server's answer, in milliseconds. */
  storedWith(text: string, stored?: readonly string[], now?: number): string[];
  /** Returns the keys that count with the stored lists. */
  acceptedKeys(stored?: readonly string[]): readonly PublicKey[];
}

/** Returns the generation with which a device registers again after the stale answer of its server. */
export function nextGeneration(generation: number, answer: number): number;
