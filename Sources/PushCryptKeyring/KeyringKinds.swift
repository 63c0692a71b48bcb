public import PushCryptCore

// The two kinds of keyrings by name, so that no code needs the generic types.

/// The keys with which a sender signs messages.
public typealias SigningKeyring = Keyring<SigningKey>

/// The file of a sender's keys.
public typealias SigningKeyringFile = KeyringFile<SigningKey>

/// The keys of a sender's file that a running service follows.
public typealias SigningKeyringSource = KeyringSource<SigningKey>

/// The keys of a recipient of messages that isn't registered as a device, such as a bot.
public typealias RecipientKeyring = Keyring<RecipientPrivateKey>

/// The file of a recipient's keys.
public typealias RecipientKeyringFile = KeyringFile<RecipientPrivateKey>
