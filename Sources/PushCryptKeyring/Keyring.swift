public import PushCryptCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The private keys of one device or one sender: the one in use, and those around it in time.
///
/// The primary key is the one whose public half is handed out, or that signs. Retired keys still open what was sealed to
/// them and is under way; a pending key is prepared and not yet announced to everybody. There is always exactly one
/// primary key, because there is no way to write down any other number.
public struct Keyring<Key: PrivateKey>: Sendable {
    /// A key and when it was made.
    public struct Entry: Sendable {
        /// The key.
        public let key: Key
        /// When it was made, to the second.
        public let created: Date
    }

    /// A key that is no longer in use.
    public struct RetiredEntry: Sendable {
        /// The key.
        public let key: Key
        /// When it was made, to the second.
        public let created: Date
        /// When it was retired, to the second.
        public let retired: Date

        /// Whether a server has said when it was retired; without that, nobody knows by how much the count of time was behind.
        package let isDateKnown: Bool

        init(key: Key, created: Date, retired: Date, isDateKnown: Bool = false) {
            self.key = key
            self.created = created
            self.retired = retired
            self.isDateKnown = isDateKnown
        }
    }

    /// Grows with every change of the keys, so that an older keyring is never taken for a newer one.
    ///
    /// A look at the clock changes no key.
    public internal(set) var generation: UInt64

    /// The key in use.
    public internal(set) var primary: Entry

    /// Keys that are prepared but not in use yet.
    public internal(set) var pending: [Entry]

    /// Keys that are no longer in use, the newest first.
    public internal(set) var retired: [RetiredEntry]

    /// How time has passed here, where somebody watches it: see ``ElapsedTime``.
    public internal(set) var watch: ElapsedTime?

    /// Which installation of an app the keyring belongs to, where that is noted.
    public internal(set) var owner: String?

    /// Makes a keyring with one new key, at generation 1.
    ///
    /// - Parameter now: the time to note as the key's creation.
    /// - Throws: ``PushCryptError`` with `sodiumUnavailable`.
    public init(createdAt now: Date) throws(PushCryptError) {
        generation = 1
        primary = Entry(key: try Key(), created: now)
        pending = []
        retired = []
        watch = nil
        owner = nil
    }

    init(
        generation: UInt64, primary: Entry, pending: [Entry], retired: [RetiredEntry], watch: ElapsedTime? = nil,
        owner: String? = nil
    ) {
        self.generation = generation
        self.primary = primary
        self.pending = pending
        self.retired = retired
        self.watch = watch
        self.owner = owner
    }

    /// All keys, in every state: the primary first, then pending and retired ones.
    public var keys: [Key] {
        [primary.key] + pending.map(\.key) + retired.map(\.key)
    }

    /// The key with an id, in whatever state.
    ///
    /// - Parameter id: the id that a message names.
    /// - Returns: the key.
    /// - Throws: ``PushCryptError`` with `unknownKey`.
    public func key(_ id: KeyID) throws(PushCryptError) -> Key {
        for key in keys where key.publicKey.keyID == id { return key }
        throw PushCryptError(
            .unknownKey, "No key here has the id \(id). The message was sealed to a key that this device no longer has."
        )
    }
}
