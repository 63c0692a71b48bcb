import Foundation
import PushCryptCore
import PushCryptKeyring
import PushCryptTesting
import TestSupport

extension Keyring {
    /// The stored JSON, for comparisons.
    var state: String {
        get throws { String(decoding: try exportWithPrivateKeys().copy, as: UTF8.self) }
    }

    /// The ids of the retired keys, the newest first.
    var retiredIDs: [KeyID] { retired.map(\.key.publicKey.keyID) }

    /// The number of primary keys in the stored JSON.
    var primaries: Int {
        get throws { try state.components(separatedBy: #""state":"primary""#).count - 1 }
    }

    /// Returns a keyring with the maximum generation.
    static func atTheEnd(_ ring: Keyring) throws -> Keyring {
        let text = try ring.state.replacingOccurrences(
            of: #"{"generation":\#(ring.generation),"#, with: #"{"generation":\#((1 << 53) - 1),"#)
        return try Keyring(parsing: Array(text.utf8).span)
    }
}
