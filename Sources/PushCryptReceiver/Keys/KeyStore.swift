public import Foundation
public import PushCryptCore

/// A source of a device's private keys.
///
/// The library calls a store on a thread of its own and enforces its own deadline, so a store may
/// block. A store must never report `unknownKey` for a key that it merely can't read now.
///
/// An extension needs more than its keys: the ``DeviceSecrets``, which a ``DeviceSecretsStore``
/// keeps. Without them its notifications have no receipts, and the app can't tell what they
/// displayed.
public protocol KeyStore: Sendable {
    /// Returns the private key with an ID, in any state.
    ///
    /// - Throws: ``PushCryptError`` with `unknownKey` if the key certainly doesn't exist. The
    ///   library reports any other error as `keyUnreadable`, except for `deviceLocked`,
    ///   `missingEntitlement`, `invalidConfiguration` and `newerFormat`.
    func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey

    /// Returns the time at which a key was created; `nil` if the store doesn't know it, as by
    /// default.
    ///
    /// After the loss of the app's stores, messages to a newer key open at once.
    func creationDate(ofKey id: KeyID) -> Date?

    /// Returns the lists of accepted keys that a registration has stored beside the keys.
    ///
    /// The opener verifies them with the roots of the ``SenderPolicy``. A store that wraps another
    /// one returns the other's lists. Without them, the opener accepts a revoked root and rejects a
    /// new key. A store without a registrar has none.
    ///
    /// - Throws: An error if the lists can't be read now.
    func signerLists() throws -> [String]
}

extension KeyStore {
    /// Returns `nil`, because the store doesn't know the time.
    public func creationDate(ofKey id: KeyID) -> Date? { nil }

    /// Returns the stored lists of accepted keys, or throws `keyUnreadable`: without them, a
    /// revoked key would count.
    func storedSignerLists() throws(PushCryptError) -> [String] {
        do {
            return try signerLists()
        } catch {
            throw .keyUnreadable("read", error)
        }
    }

    /// Returns a key, and separates a missing key from an unreadable one.
    func key(named id: KeyID) throws(PushCryptError) -> RecipientPrivateKey {
        let key: RecipientPrivateKey
        do {
            key = try recipientKey(id)
        } catch let error as PushCryptError where error.code == .unknownKey {
            throw error
        } catch {
            throw .keyUnreadable("read", error)
        }
        guard key.publicKey.keyID == id else {
            throw PushCryptError(
                .unknownKey,
                "The key store returned a key with another ID than \(id). Fix the store.")
        }
        return key
    }
}

extension PushCryptError {
    /// Returns the error for keys that a store can't use now, because of the store's own error.
    static func keyUnreadable(_ use: String, _ error: any Error) -> PushCryptError {
        let known = error as? PushCryptError
        let own: [PushCryptError.Code] = [
            .deviceLocked, .missingEntitlement, .invalidConfiguration, .newerFormat,
        ]
        if let known, own.contains(known.code) { return known }
        // A store's own error may contain anything, so only its type is repeated.
        let reason = known?.reason ?? "The store threw \(type(of: error)). Try again later."
        return PushCryptError(.keyUnreadable, "The device's keys can't be \(use) now. \(reason)")
    }
}

/// A key store in memory.
public struct InMemoryKeyStore: KeyStore {
    private let keys: [KeyID: RecipientPrivateKey]

    /// Creates a store with some keys, in any order.
    public init(_ keys: [RecipientPrivateKey]) {
        self.keys = Dictionary(
            keys.map { ($0.publicKey.keyID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns no lists, because the store has the keys alone.
    public func signerLists() throws -> [String] { [] }

    /// Returns the key with an ID, or throws `unknownKey`.
    public func recipientKey(_ id: KeyID) throws -> RecipientPrivateKey {
        guard let key = keys[id] else {
            throw PushCryptError(
                .unknownKey,
                """
                No key has the ID \(id). The message was sealed to a key that this device no \
                longer has.
                """)
        }
        return key
    }
}
