public import PushCryptCore
public import PushCryptFoundation

/// The private keys of one recipient or one sender: the primary key, pending keys and retired keys.
///
/// Pending keys aren't published yet. Retired keys still open messages. Use it by the names
/// ``SigningKeyring`` and ``RecipientKeyring``.
///
/// ```swift
/// func publicKey(in keyring: SigningKeyring) -> String {
///     keyring.primary.key.publicKey.jwk
/// }
/// ```
public struct Keyring<Key: PrivateKey>: Sendable {
    /// A primary or pending key.
    public struct Entry: Sendable {
        /// The key.
        public let key: Key
        /// The time of the key's creation, in whole seconds.
        public package(set) var created: Date

        /// The lifetime as the stored keyring has it.
        package let lifetimeSeconds: UInt64

        /// The lifetime of messages to the key, in seconds, which never changes: 30 days, or less
        /// on a device.
        public var lifetime: TimeInterval { TimeInterval(lifetimeSeconds) }

        package var id: KeyID { key.publicKey.keyID }

        package init(
            key: Key, created: Date, lifetimeSeconds: UInt64 = KeyLifetime.range.upperBound
        ) {
            self.key = key
            self.created = created
            self.lifetimeSeconds = lifetimeSeconds
        }

        package func retired(at date: Date, isDateKnown: Bool = false) -> RetiredEntry {
            RetiredEntry(
                key: key, created: created, lifetimeSeconds: lifetimeSeconds, retired: date,
                isDateKnown: isDateKnown)
        }
    }

    /// A retired key.
    public struct RetiredEntry: Sendable {
        /// The key.
        public let key: Key
        /// The time of the key's creation, in whole seconds.
        public let created: Date

        /// The lifetime as the stored keyring has it.
        let lifetimeSeconds: UInt64

        /// The time of the key's retirement, in whole seconds.
        public package(set) var retired: Date

        /// A Boolean value that indicates whether `retired` is a server's time, and not an estimate
        /// of elapsed time.
        public package(set) var isDateKnown: Bool

        /// The time from which no device needs the key, in whole seconds; `nil` unless it signs and
        /// a pruning knew it.
        package internal(set) var unneeded: Date?

        /// The time from which the key may be destroyed: its lifetime and 48 hours after its
        /// retirement.
        public var expiration: Date {
            retired.addingTimeInterval(lifetime + KeyLifetime.clockTolerance)
        }

        /// The lifetime of messages to the key, in seconds.
        public var lifetime: TimeInterval { TimeInterval(lifetimeSeconds) }

        package var id: KeyID { key.publicKey.keyID }

        /// The key before its retirement.
        package var entry: Entry {
            Entry(key: key, created: created, lifetimeSeconds: lifetimeSeconds)
        }
    }

    /// The number of the keyring's version, which grows by one with every change of its keys.
    public package(set) var generation: UInt64

    /// The key in use.
    public package(set) var primary: Entry

    /// The keys that aren't in use yet, the newest last.
    public package(set) var pending: [Entry] = []

    /// The keys that are no longer in use, the newest first.
    public package(set) var retired: [RetiredEntry] = []

    /// The names of the members that this version doesn't know, so that it must not write the
    /// keyring.
    var unknownMembers: [String] = []
}

extension Keyring {
    /// Creates a keyring of entries.
    package init(
        generation: UInt64, primary: Entry, pending: [Entry] = [], retired: [RetiredEntry] = []
    ) {
        self.generation = generation
        self.primary = primary
        self.pending = pending
        self.retired = retired
    }

    /// Creates a keyring with one new key, at generation 1.
    ///
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public init(createdAt now: Date) throws(PushCryptError) {
        self.init(generation: 1, primary: Entry(key: try Key(), created: now))
    }

    /// The keys in every state: the primary key, then pending and retired keys.
    public var keys: [Key] {
        [primary.key] + pending.map(\.key) + retired.map(\.key)
    }

    /// Returns the key with an ID, in any state.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey`.
    public func key(for id: KeyID) throws(PushCryptError) -> Key {
        for key in keys where key.publicKey.keyID == id { return key }
        throw PushCryptError(
            .unknownKey,
            "No key has the id \(id). Seal messages to the registered key of the device.")
    }

    /// Returns the time at which the key with an ID was created, in whole seconds; `nil` if no key
    /// has the ID.
    package func creationDate(of id: KeyID) -> Date? {
        let entries = [primary] + pending
        return entries.first { $0.id == id }?.created ?? retired.first { $0.id == id }?.created
    }
}
