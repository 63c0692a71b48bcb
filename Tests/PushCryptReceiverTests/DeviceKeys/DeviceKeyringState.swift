import Foundation
import PushCryptTesting
import TestSupport

@testable import PushCryptReceiver

extension DeviceKeyring {
    /// Creates a keyring that hasn't observed a clock.
    init(createdAt now: Date) throws(PushCryptError) { self.init(try Keyring(createdAt: now)) }

    mutating func rotate(at now: Date) throws(PushCryptError) { try keyring.rotate(at: now) }

    @discardableResult
    mutating func addPendingKey(at now: Date) throws(PushCryptError)
        -> Keyring<RecipientPrivateKey>.Entry
    {
        try keyring.addPendingKey(at: now)
    }

    /// Returns the key with an ID, in any state.
    func key(for id: KeyID) throws(PushCryptError) -> RecipientPrivateKey {
        try keyring.key(for: id)
    }

    /// The stored JSON, for comparisons.
    var state: String {
        get throws { String(decoding: try exportWithPrivateKeys().copy, as: UTF8.self) }
    }

    /// The ids of the retired keys, the newest first.
    var retiredIDs: [KeyID] { keyring.retired.map(\.key.publicKey.keyID) }

    /// Returns a keyring with the maximum generation.
    static func atTheEnd(_ ring: DeviceKeyring) throws -> DeviceKeyring {
        let text = try ring.state.replacingOccurrences(
            of: #"{"generation":\#(ring.generation),"#, with: #"{"generation":\#((1 << 53) - 1),"#)
        return try DeviceKeyring(parsing: Array(text.utf8).span)
    }
}
